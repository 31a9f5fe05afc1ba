//! Saves what a frontier knows as a pack, for the next process.

use std::path::Path;
use std::sync::PoisonError;

use super::Frontier;
use super::held::Rules;
use crate::origin::Origin;
use crate::outcome::FetchRecord;
use crate::pack::{HeldRules, PackAgents, PackBuilder, PackEntry, PackError, PackOptions, PackReport, compiler};

impl Frontier {
    /// Writes all that is known, in memory and in the pack, as a pack for the frontier's crawler: the next process
    /// starts from it with [`FrontierBuilder::pack`](super::FrontierBuilder::pack). The target can be the file of the
    /// pack that the frontier answers from.
    ///
    /// Validators and preferences are not kept, nor what is known of sites besides their robots.txt. What other threads
    /// record meanwhile may be missing.
    ///
    /// Cost: compiles the rules in memory that are not compiled for a pack, and writes the file; readers and writers
    /// wait for one table of 64 at a time, while its entries are listed.
    ///
    /// # Errors
    /// [`PackError`] if the crawler pools groups or has no name, since a pack for some agents [holds no
    /// such](PackAgents::of); or if the file cannot be written. Then what was there stays.
    ///
    /// ```
    /// use robotsc::frontier::Frontier;
    /// use robotsc::outcome::{Response, Time};
    /// use robotsc::pack::Pack;
    /// use robotsc::Crawler;
    ///
    /// # let folder = std::env::temp_dir().join(format!("robotsc-save-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let file = folder.join("frontier.pack");
    /// let (origin, now) = ("https://shop.example".parse()?, Time(1_790_000_000));
    /// let frontier = Frontier::for_agent("FooBot")?;
    /// frontier.record(&origin, &Response::new(200, b"User-agent: *\nDisallow: /cart\n"), now);
    /// frontier.save(&file)?;
    ///
    /// let pack = Pack::open(&file)?;
    /// let next = Frontier::builder(Crawler::new("FooBot")?).pack(pack.into()).build()?;
    /// assert!(!next.check("https://shop.example/cart", now)?.is_allowed());
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, target: impl AsRef<Path>) -> Result<PackReport, PackError> {
        let options = PackOptions {
            agents: PackAgents::of([&self.crawler])?,
            deciding_rules: self.pack.as_ref().is_some_and(|(pack, _)| pack.names_deciding_rules()),
            sitemaps: true,
            ..PackOptions::new(&self.dialect)
        };
        let compiler = compiler(options.deciding_rules);
        let mut builder = PackBuilder::new(options, target)?;
        if let Some((pack, _)) = &self.pack {
            for (name, entry) in pack.entries() {
                let is_outdated = self.slot(&name).is_some_and(|slot| self.outdated.holds(slot));
                if !is_outdated && let Ok(origin) = Origin::canonical(&name) {
                    self.save_packed(&mut builder, &origin, entry.record(), &entry)?;
                }
            }
        }
        for shard in &self.shards {
            let held = shard.read().unwrap_or_else(PoisonError::into_inner).all();
            for held in held {
                let Ok(origin) = Origin::canonical(&held.origin) else { continue };
                match (&held.rules, held.rules.parsed()) {
                    (Rules::InPack(slot), _) => {
                        if let Some((pack, _)) = &self.pack {
                            self.save_packed(&mut builder, &origin, &held.record, &pack.entry(*slot))?;
                        }
                    }
                    (_, None) => builder.push_held(&origin, &held.record, None)?,
                    // What cannot be compiled is unknown in the next process: it is never an allow.
                    (_, Some(parsed)) => {
                        if let Ok(compiled) = compiler.compile(&parsed.rules) {
                            let sitemaps = parsed.sitemaps.iter().map(|url| &**url).collect();
                            let (program, delay) = (compiled.as_bytes(), parsed.crawl_delay);
                            builder.push_held(&origin, &held.record, Some(HeldRules { program, delay, sitemaps }))?;
                        }
                    }
                }
            }
        }
        builder.finish()
    }

    /// Adds the rules of an entry of the pack, under a record.
    fn save_packed(
        &self,
        builder: &mut PackBuilder,
        origin: &Origin,
        record: &FetchRecord,
        entry: &PackEntry<'_>,
    ) -> Result<(), PackError> {
        let agent = self.pack.as_ref().map(|(_, agent)| agent);
        let program = agent.and_then(|agent| entry.program(agent));
        let rules = program.as_ref().map(|program| HeldRules {
            program: program.as_bytes(),
            delay: agent.and_then(|agent| entry.crawl_delay(agent)),
            sitemaps: entry.sitemaps().collect(),
        });
        builder.push_held(origin, record, rules)
    }
}
