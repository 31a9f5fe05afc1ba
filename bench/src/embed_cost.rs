//! What embedding costs its user: how long generated code compiles, how much the binary grows, for rule sets of 10 to
//! 10,000 rules. Each line is one package, built by cargo from its sources with the runtime already built.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use robotsc_build::Config;
use robotsc_build::limits::BuildLimits;
use robotsc_build::load::load_str;

use crate::arguments::Arguments;
use crate::generated::random::SplitMix64;

/// Runs `embed-cost [RULES…]`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let counts: Result<Vec<usize>, _> = arguments.words[1..].iter().map(|count| count.parse()).collect();
    let mut counts = counts?;
    if counts.is_empty() {
        counts = vec![10, 100, 1_000, 10_000];
    }
    let directory = tempfile::tempdir()?;
    let package = Package::new(directory.path())?;
    // The code that walks is there once, whatever is walked.
    let one = Config::new().inline_bytes(true);
    let loaded = load_str("one.ron", ONE, &BuildLimits::default()).map_err(|errors| errors.render(false))?;
    let source = String::from_utf8(one.generate_sets(&loaded.sets)?.swap_remove(0).contents)?;
    let (_, empty) = package.build(&source, &[])?;
    println!("rules  wildcards  answers   generated in  compiled in  text bytes   binary grew  x patterns");
    for count in counts {
        for wild in [false, true] {
            let (text, bytes) = rules(count, wild);
            let limits = BuildLimits::default();
            let loaded = load_str("cost.ron", &text, &limits).map_err(|errors| errors.render(false))?;
            for names_rules in [false, true] {
                let start = Instant::now();
                let config = Config::new().names_rules(names_rules).file_name("rules");
                let files = config.generate_sets(&loaded.sets)?;
                let generated = start.elapsed();
                let source = String::from_utf8(files[0].contents.clone())?;
                let beside: Vec<_> =
                    files[1..].iter().map(|file| (file.name.as_str(), file.contents.as_slice())).collect();
                let (compiled, size) = package.build(&source, &beside)?;
                let grew = size.saturating_sub(empty);
                println!(
                    "{count:>5}  {wild:<9}  {:<8}  {:>9.3} s  {:>9.2} s  {:>11}  {grew:>11}  {:>10.2}",
                    if names_rules { "rules" } else { "verdicts" },
                    generated.as_secs_f64(),
                    compiled.as_secs_f64(),
                    source.len(),
                    grew as f64 / bytes as f64,
                );
            }
        }
    }
    Ok(())
}

/// A rule set that holds next to nothing.
const ONE: &str = r#"(version: 1, rule_sets: [(name: "cost", groups: [(agents: ["*"], rules: [Disallow("/a")])])])"#;

/// A set of rules of the shape of real ones, and the bytes of their patterns.
fn rules(count: usize, wild: bool) -> (String, usize) {
    const WORDS: [&str; 24] = [
        "account", "admin", "ajax", "archive", "article", "basket", "blog", "browse", "cart", "catalog", "checkout",
        "comment", "customer", "download", "feed", "forum", "image", "login", "order", "print", "product", "review",
        "search", "tag",
    ];
    let mut random = SplitMix64::new(7);
    let mut text = String::from("(version: 1, rule_sets: [(name: \"cost\", groups: [(agents: [\"*\"], rules: [\n");
    let mut bytes = 0;
    for _ in 0..count {
        let mut pattern = String::new();
        for _ in 0..1 + random.below(3) {
            let _ = write!(pattern, "/{}-{:x}", random.of(&WORDS), random.below(4096));
        }
        if wild && random.below(3) == 0 {
            let _ = write!(pattern, "/*{}", random.of(&[".php$", "?page=", "&sort=", "/print"]));
        }
        bytes += pattern.len();
        let _ = writeln!(text, "{}(\"{pattern}\"),", if random.below(7) == 0 { "Allow" } else { "Disallow" });
    }
    text.push_str("])])])");
    (text, bytes)
}

/// A package that is built again and again.
struct Package {
    directory: PathBuf,
}

/// Asks each set, so that none is optimized away.
const MAIN: &str = r#"
use robotsc_runtime::{AgentName, UrlPath};

include!("rules.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().next().unwrap_or_default();
    let agent = AgentName::new("FooBot")?;
    let mut allowing = 0;
    for set in SETS.iter() {
        allowing += usize::from(set.is_allowed(agent, UrlPath::new(path.as_bytes(), set.path_form())?)?);
    }
    println!("{allowing}");
    Ok(())
}
"#;

impl Package {
    fn new(directory: &Path) -> std::io::Result<Self> {
        fs::create_dir_all(directory.join("src"))?;
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/robotsc-runtime");
        let manifest = format!(
            "[package]\nname = \"cost\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             robotsc-runtime = {{ path = {runtime:?} }}\n\n[profile.release]\nstrip = true\n\n[workspace]\n"
        );
        fs::write(directory.join("Cargo.toml"), manifest)?;
        fs::write(directory.join("src/main.rs"), MAIN)?;
        Ok(Self { directory: directory.to_owned() })
    }

    /// Builds the package; how long that takes, and how large it is.
    fn build(&self, source: &str, beside: &[(&str, &[u8])]) -> Result<(Duration, u64), Box<dyn Error>> {
        fs::write(self.directory.join("src/rules.rs"), source)?;
        for (name, bytes) in beside {
            fs::write(self.directory.join("src").join(name), bytes)?;
        }
        let start = Instant::now();
        let target = self.directory.join("target");
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let cargo = cargo.args(["build", "--release", "--quiet", "--offline"]).current_dir(&self.directory);
        if !cargo.env("CARGO_TARGET_DIR", &target).env_remove("RUSTFLAGS").status()?.success() {
            return Err("the package was not built".into());
        }
        Ok((start.elapsed(), fs::metadata(target.join("release/cost"))?.len()))
    }
}
