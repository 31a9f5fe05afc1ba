//! Runs one engine over the corpus: prepares it, times it, and compares its verdicts with the recorded ones.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::allocator;
use crate::corpus::Corpus;
use crate::engine::{Engine, EngineKind};
use crate::timing::{TimeBudget, shortest};

/// What an engine is asked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// The path and query, already in hand.
    Path,
    /// The whole URL.
    Url,
}

/// What became of the verdicts of one form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    pub(crate) asked: usize,
    pub(crate) wrong: usize,
    pub(crate) wrong_hosts: usize,
    pub(crate) panics: usize,
}

/// What preparing all files left behind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    pub(crate) files: usize,
    pub(crate) refused: usize,
    pub(crate) panics: usize,
    /// Live heap after preparing, less that before.
    pub(crate) heap: usize,
    /// Bytes of all programs, for engines that have such.
    pub(crate) programs: usize,
    /// Bytes of all stored forms.
    pub(crate) stored: usize,
}

/// One engine over one corpus.
pub(crate) trait Runner {
    fn name(&self) -> &'static str;
    fn kind(&self) -> EngineKind;
    /// Whether the form can be measured.
    fn takes(&self, form: AskedBy) -> bool;
    /// Whether preparing is timed in the first round only.
    fn prepares_once(&self) -> bool;
    /// Prepares every file and keeps it.
    fn prepare(&mut self);
    /// The bytes of the files that were prepared.
    fn bytes_prepared(&self) -> usize;
    fn held(&self) -> &Held;
    /// Asks every URL once, compares, and leaves out of all timing those that make the engine panic.
    fn survey(&mut self, form: AskedBy) -> Survey;
    /// Nanoseconds of preparing each file; NaN for files that are not measured.
    fn time_prepare(&self) -> Vec<f64>;
    /// Nanoseconds a URL for each host, its URLs asked back to back over and over; NaN for hosts that are not measured.
    fn time_hot(&self, form: AskedBy) -> Vec<f64>;
    /// Nanoseconds a URL with the URLs of all hosts in the given order.
    fn time_shuffled(&self, form: AskedBy, order: &[(u32, u32)]) -> f64;
    /// Nanoseconds of loading all stored forms, checked or trusted; NaN where there are none.
    fn time_load(&self, trusted: bool) -> f64;
}

/// The runner of an engine.
pub(crate) struct Bench<'c, E: Engine> {
    corpus: &'c Corpus,
    agent: &'c str,
    ready: Vec<Option<E::Ready>>,
    stored: Vec<Vec<u8>>,
    /// For each host the numbers of the URLs that are measured, by form.
    asked: [Vec<Vec<u32>>; 2],
    held: Held,
}

impl<'c, E: Engine + 'static> Bench<'c, E> {
    pub(crate) fn boxed(corpus: &'c Corpus, agent: &'c str) -> Box<dyn Runner + 'c> {
        Box::new(Self {
            corpus,
            agent,
            ready: Vec::new(),
            stored: Vec::new(),
            asked: [Vec::new(), Vec::new()],
            held: Held::default(),
        })
    }

    fn texts(&self, form: AskedBy, host: usize) -> &'c [String] {
        match form {
            AskedBy::Path => &self.corpus.hosts[host].paths,
            AskedBy::Url => &self.corpus.hosts[host].urls,
        }
    }

    fn items(&self, form: AskedBy, host: usize) -> Vec<&'c str> {
        let texts = self.texts(form, host);
        let asked = self.asked[form as usize].get(host).map_or(&[][..], Vec::as_slice);
        asked.iter().map(|&number| texts[number as usize].as_str()).collect()
    }
}

fn answer<E: Engine>(walk: &E::Walk<'_>, form: AskedBy, text: &str) -> bool {
    match form {
        AskedBy::Path => E::path(walk, text),
        AskedBy::Url => E::url(walk, text),
    }
}

impl<E: Engine + 'static> Runner for Bench<'_, E> {
    fn name(&self) -> &'static str {
        E::NAME
    }

    fn kind(&self) -> EngineKind {
        E::KIND
    }

    fn takes(&self, form: AskedBy) -> bool {
        E::TAKES_PATH || form == AskedBy::Url
    }

    fn prepares_once(&self) -> bool {
        E::PREPARE_ONCE
    }

    fn prepare(&mut self) {
        let mut held = Held::default();
        let before = allocator::live();
        let mut ready = Vec::with_capacity(self.corpus.hosts.len());
        for (number, host) in self.corpus.hosts.iter().enumerate() {
            if number % E::EVERY != 0 {
                ready.push(None);
                continue;
            }
            held.files += 1;
            match catch_unwind(|| E::prepare(host.body, self.agent)) {
                Ok(Some(one)) => ready.push(Some(one)),
                Ok(None) => {
                    held.refused += 1;
                    ready.push(None);
                }
                Err(_) => {
                    held.panics += 1;
                    ready.push(None);
                }
            }
        }
        held.heap = allocator::live().saturating_sub(before);
        held.programs = ready.iter().flatten().filter_map(E::program).map(<[u8]>::len).sum();
        self.stored = ready.iter().flatten().filter_map(E::store).collect();
        held.stored = self.stored.iter().map(Vec::len).sum();
        self.ready = ready;
        self.held = held;
    }

    fn bytes_prepared(&self) -> usize {
        self.corpus
            .hosts
            .iter()
            .zip(&self.ready)
            .filter(|(_, ready)| ready.is_some())
            .map(|(host, _)| host.body.len())
            .sum()
    }

    fn held(&self) -> &Held {
        &self.held
    }

    fn survey(&mut self, form: AskedBy) -> Survey {
        let mut survey = Survey::default();
        let mut all = Vec::with_capacity(self.ready.len());
        for (number, ready) in self.ready.iter().enumerate() {
            let mut asked = Vec::new();
            if let Some(ready) = ready {
                let walk = E::walk(ready);
                let mut wrong = 0;
                for (index, text) in self.texts(form, number).iter().enumerate() {
                    survey.asked += 1;
                    match catch_unwind(AssertUnwindSafe(|| answer::<E>(&walk, form, text))) {
                        Ok(allowed) => {
                            asked.push(index as u32);
                            wrong += usize::from(allowed != self.corpus.hosts[number].allowed[index]);
                        }
                        Err(_) => survey.panics += 1,
                    }
                }
                survey.wrong += wrong;
                survey.wrong_hosts += usize::from(wrong > 0);
            }
            all.push(asked);
        }
        self.asked[form as usize] = all;
        survey
    }

    fn time_prepare(&self) -> Vec<f64> {
        let budget =
            if E::PREPARE_ONCE { TimeBudget { passes: 1, ..TimeBudget::PREPARE } } else { TimeBudget::PREPARE };
        let of = |(host, ready): (&crate::corpus::Host, &Option<E::Ready>)| match ready {
            Some(_) => shortest(budget, || {
                black_box(E::prepare(black_box(host.body), black_box(self.agent)));
            }),
            None => f64::NAN,
        };
        self.corpus.hosts.iter().zip(&self.ready).map(of).collect()
    }

    fn time_hot(&self, form: AskedBy) -> Vec<f64> {
        let of = |(number, ready): (usize, &Option<E::Ready>)| {
            let items = self.items(form, number);
            let (Some(ready), false) = (ready, items.is_empty()) else { return f64::NAN };
            let walk = E::walk(ready);
            let pass = || {
                let (walk, items) = (black_box(&walk), black_box(items.as_slice()));
                let mut allowed = 0_usize;
                for text in items {
                    allowed += usize::from(answer::<E>(walk, form, text));
                }
                black_box(allowed);
            };
            shortest(TimeBudget::HOT, pass) / items.len() as f64
        };
        self.ready.iter().enumerate().map(of).collect()
    }

    fn time_shuffled(&self, form: AskedBy, order: &[(u32, u32)]) -> f64 {
        if E::EVERY > 1 {
            return f64::NAN;
        }
        let mut measured: Vec<Vec<bool>> = self.corpus.hosts.iter().map(|host| vec![false; host.urls.len()]).collect();
        for (flags, asked) in measured.iter_mut().zip(&self.asked[form as usize]) {
            for &index in asked {
                flags[index as usize] = true;
            }
        }
        let mut buffer = String::new();
        let mut entries = Vec::with_capacity(order.len());
        for &(host, index) in order {
            if measured[host as usize][index as usize] {
                let start = buffer.len() as u32;
                buffer.push_str(&self.texts(form, host as usize)[index as usize]);
                entries.push((host, start, buffer.len() as u32));
            }
        }
        let mut pack = Vec::new();
        let mut places = Vec::new();
        for ready in &self.ready {
            let program = ready.as_ref().and_then(E::program).unwrap_or_default();
            places.push((pack.len() as u32, program.len() as u32));
            pack.extend_from_slice(program);
        }
        let time = if form == AskedBy::Path && !pack.is_empty() {
            shortest(TimeBudget::WHOLE, || {
                let mut allowed = 0_usize;
                for &(host, start, end) in black_box(entries.as_slice()) {
                    let (at, len) = places[host as usize];
                    let program = &pack[at as usize..][..len as usize];
                    allowed += usize::from(E::packed(program, &buffer[start as usize..end as usize]));
                }
                black_box(allowed);
            })
        } else {
            let walks: Vec<Option<E::Walk<'_>>> = self.ready.iter().map(|ready| ready.as_ref().map(E::walk)).collect();
            shortest(TimeBudget::WHOLE, || {
                let mut allowed = 0_usize;
                for &(host, start, end) in black_box(entries.as_slice()) {
                    if let Some(walk) = &walks[host as usize] {
                        allowed += usize::from(answer::<E>(walk, form, &buffer[start as usize..end as usize]));
                    }
                }
                black_box(allowed);
            })
        };
        time / entries.len() as f64
    }

    fn time_load(&self, trusted: bool) -> f64 {
        let known = self.stored.first().is_some_and(|stored| !trusted || E::trust(stored).is_some());
        if !known {
            return f64::NAN;
        }
        let time = |load: fn(&[u8]) -> bool| {
            shortest(TimeBudget::WHOLE, || {
                let mut loaded = 0_usize;
                for stored in black_box(self.stored.as_slice()) {
                    loaded += usize::from(load(stored));
                }
                black_box(loaded);
            })
        };
        if trusted { time(|stored| E::trust(stored) == Some(true)) } else { time(E::load) }
    }
}
