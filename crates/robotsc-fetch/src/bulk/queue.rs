//! Which fetch may start next: a queue that keeps to a pace by domain and by address.
//!
//! ```text
//! a.shop.example  1.2.3.4   domain shop.example is free, 1.2.3.4 is free: starts
//! b.shop.example  1.2.3.5   shop.example has a fetch: waits for it, and for the interval
//! news.example    1.2.3.4   the domain is free, 1.2.3.4 is not: its domain waits at the address
//! ```
//!
//! Origins wait in the queue of their domain. A domain with origins is in exactly one place: among those that are
//! ready, at a timer, at an address that is busy, or nowhere while it has all the fetches that it may have. So each
//! start costs a bounded number of steps, however many origins wait. Time is passed in.
//!
//! A limiter of rates alone (such as the crate governor) says whether a key may go on now, and not which of a million
//! waiting origins can: asking each in turn is what this queue is there to avoid.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::pace::BulkLimits;
use super::target::Target;

/// A request that waits for its turn.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) work: Work,
    pub(crate) key: Key,
}

impl Job {
    fn is_given_up(&self) -> bool {
        matches!(&self.work, Work::Follow(go) if go.is_closed())
    }
}

/// What starts when its turn comes.
#[derive(Debug)]
pub(crate) enum Work {
    /// A fetch.
    Start(Target),
    /// A fetch goes on after a redirect.
    Follow(oneshot::Sender<()>),
}

/// What limits a request.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    domain: Arc<str>,
    address: Option<IpAddr>,
}

impl Key {
    /// Makes a key. Of a host that is an address, or that the public suffix list does not know, the host is the domain.
    pub(crate) fn new(host: &str, address: Option<IpAddr>) -> Self {
        // `shop.example.` is the same site.
        let host = host.strip_suffix('.').unwrap_or(host);
        let is_name = !host.starts_with('[') && host.parse::<IpAddr>().is_err();
        let domain = psl::domain_str(host).filter(|_| is_name).unwrap_or(host).into();
        Self { domain, address }
    }
}

/// What one domain or one address has under way.
#[derive(Debug)]
struct Usage {
    in_flight: usize,
    next_at: Instant,
}

impl Usage {
    fn start(&mut self, now: Instant, interval: Duration) {
        self.in_flight += 1;
        self.next_at = now + interval;
    }
}

#[derive(Debug)]
struct Domain {
    usage: Usage,
    /// Redirects that lead here: they go first, since their fetches have begun.
    follows: VecDeque<Job>,
    jobs: VecDeque<Job>,
    /// Whether it is ready, at a timer or at an address.
    is_placed: bool,
}

impl Domain {
    fn first(&self) -> Option<&Job> {
        self.follows.front().or_else(|| self.jobs.front())
    }

    /// Forgets redirects that were waited for too long, and returns their number. The oldest come first.
    fn forget_given_up(&mut self) -> usize {
        let before = self.follows.len();
        while self.follows.front().is_some_and(Job::is_given_up) {
            self.follows.pop_front();
        }
        before - self.follows.len()
    }

    fn pop_first(&mut self) -> Option<Job> {
        self.follows.pop_front().or_else(|| self.jobs.pop_front())
    }
}

#[derive(Debug)]
struct Address {
    usage: Usage,
    /// Domains whose next origin is at this address.
    domains: VecDeque<Arc<str>>,
}

/// What a timer is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Timer {
    Domain(Arc<str>),
    Address(IpAddr),
}

/// Fetches that wait for their turn.
#[derive(Debug)]
pub(crate) struct Queue {
    pace: BulkLimits,
    domains: HashMap<Arc<str>, Domain>,
    addresses: HashMap<IpAddr, Address>,
    /// With the address that woke a domain, if one did.
    ready: VecDeque<(Arc<str>, Option<IpAddr>)>,
    timers: BinaryHeap<Reverse<(Instant, Timer)>>,
    waiting: usize,
}

impl Queue {
    pub(crate) fn new(pace: BulkLimits) -> Self {
        Self {
            pace,
            domains: HashMap::new(),
            addresses: HashMap::new(),
            ready: VecDeque::new(),
            timers: BinaryHeap::new(),
            waiting: 0,
        }
    }

    /// Returns the number of fetches that wait.
    pub(crate) const fn len(&self) -> usize {
        self.waiting
    }

    /// Returns when [`next`](Self::next) may return something that it does not return now, if no fetch ends before.
    pub(crate) fn wake(&self) -> Option<Instant> {
        self.timers.peek().map(|Reverse((at, _))| *at)
    }

    /// Adds a request. One that follows a redirect comes before those of its domain that have not begun.
    pub(crate) fn push(&mut self, job: Job) {
        let name = Arc::clone(&job.key.domain);
        let domain = self.domains.entry(Arc::clone(&name)).or_insert_with(|| Domain {
            // A time in the past: it is free.
            usage: Usage { in_flight: 0, next_at: Instant::now() },
            follows: VecDeque::new(),
            jobs: VecDeque::new(),
            is_placed: false,
        });
        match job.work {
            Work::Start(_) => domain.jobs.push_back(job),
            Work::Follow(_) => domain.follows.push_back(job),
        }
        self.waiting += 1;
        if !domain.is_placed && domain.usage.in_flight < self.pace.per_domain {
            domain.is_placed = true;
            self.ready.push_back((name, None));
        }
    }

    /// Returns a fetch that may start now, and takes it for started.
    pub(crate) fn next(&mut self, now: Instant) -> Option<Job> {
        self.ring(now);
        while let Some((name, woken_by)) = self.ready.pop_front() {
            let (job, tried) = self.start(name, now);
            // The first origin of a domain can change while it waits. Then the next domain gets the place that it was
            // woken for.
            if let Some(ip) = woken_by
                && tried != woken_by
            {
                self.free_address(ip, now);
            }
            if job.is_some() {
                return job;
            }
        }
        None
    }

    /// Starts the first fetch of a domain if it may start; else places the domain where it waits. Also returns the
    /// address that it started or waits at.
    fn start(&mut self, name: Arc<str>, now: Instant) -> (Option<Job>, Option<IpAddr>) {
        let Some(domain) = self.domains.get_mut(&name) else { return (None, None) };
        domain.is_placed = false;
        self.waiting -= domain.forget_given_up();
        let Some(ip) = domain.first().map(|job| job.key.address) else {
            if domain.usage.in_flight == 0 {
                self.domains.remove(&name);
            }
            return (None, None);
        };
        if domain.usage.in_flight >= self.pace.per_domain {
            return (None, None);
        }
        domain.is_placed = true;
        if now < domain.usage.next_at {
            self.timers.push(Reverse((domain.usage.next_at, Timer::Domain(name))));
            return (None, None);
        }
        if let Some(ip) = ip {
            let address = self
                .addresses
                .entry(ip)
                .or_insert_with(|| Address { usage: Usage { in_flight: 0, next_at: now }, domains: VecDeque::new() });
            if address.usage.in_flight >= self.pace.per_address || now < address.usage.next_at {
                // If it is free but for the interval, its timer is set.
                address.domains.push_back(name);
                return (None, Some(ip));
            }
            address.usage.start(now, self.pace.address_interval);
            self.timers.push(Reverse((address.usage.next_at, Timer::Address(ip))));
        }
        domain.usage.start(now, self.pace.domain_interval);
        let job = domain.pop_first();
        self.waiting -= usize::from(job.is_some());
        // The timer also forgets a domain that has nothing left.
        self.timers.push(Reverse((domain.usage.next_at, Timer::Domain(name))));
        (job, ip)
    }

    /// Takes a fetch for ended.
    pub(crate) fn finish(&mut self, key: &Key, now: Instant) {
        if let Some(ip) = key.address
            && let Some(address) = self.addresses.get_mut(&ip)
        {
            address.usage.in_flight -= 1;
            self.free_address(ip, now);
        }
        if let Some(domain) = self.domains.get_mut(&key.domain) {
            domain.usage.in_flight -= 1;
            if domain.is_placed {
                // Its timer goes on with it, or forgets it.
            } else if domain.first().is_some() {
                domain.is_placed = true;
                self.ready.push_back((Arc::clone(&key.domain), None));
            } else if domain.usage.in_flight == 0 {
                self.domains.remove(&key.domain);
            }
        }
    }

    /// Handles the timers that are due.
    fn ring(&mut self, now: Instant) {
        while self.timers.peek().is_some_and(|Reverse((at, _))| *at <= now) {
            let Some(Reverse((_, timer))) = self.timers.pop() else { return };
            match timer {
                Timer::Address(ip) => self.free_address(ip, now),
                Timer::Domain(name) => {
                    let Some(domain) = self.domains.get_mut(&name) else { continue };
                    if domain.first().is_none() {
                        domain.is_placed = false;
                        if domain.usage.in_flight == 0 {
                            self.domains.remove(&name);
                        }
                    } else {
                        self.ready.push_back((name, None));
                    }
                }
            }
        }
    }

    /// If an address is free, lets the next domain that waits for it try again, or forgets an address that nothing is
    /// at. Before the end of its interval, the timer will do so.
    fn free_address(&mut self, ip: IpAddr, now: Instant) {
        let Some(address) = self.addresses.get_mut(&ip) else { return };
        if address.usage.in_flight >= self.pace.per_address || now < address.usage.next_at {
            return;
        }
        match address.domains.pop_front() {
            Some(name) => self.ready.push_back((name, Some(ip))),
            None if address.usage.in_flight == 0 => drop(self.addresses.remove(&ip)),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use robotsc_frontier::origin::Origin;

    use super::*;

    #[test]
    fn domains_are_registrable_ones() {
        for (host, domain) in [
            ("www.shop.example", "shop.example"),
            ("a.b.shop.co.uk", "shop.co.uk"),
            ("me.github.io", "me.github.io"),
            ("www.shop.example.", "shop.example"),
            ("localhost", "localhost"),
            ("localhost.", "localhost"),
            ("93.184.216.34", "93.184.216.34"),
            ("[2606:2800::1]", "[2606:2800::1]"),
        ] {
            assert_eq!(&*Key::new(host, None).domain, domain);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever waits, arrives late, is redirected or gives up: the limits are kept, everything gets its turn, and
        /// nothing is lost.
        #[test]
        fn the_pace_is_kept(
            jobs in prop::collection::vec(a_job(), 0..60),
            per_domain in 1..3_usize,
            per_address in 1..3_usize,
            domain_interval in 0..20_u64,
            address_interval in 0..20_u64,
            in_flight in 1..10_usize,
        ) {
            let pace = BulkLimits {
                in_flight,
                per_domain,
                domain_interval: Duration::from_millis(domain_interval),
                per_address,
                address_interval: Duration::from_millis(address_interval),
                ..BulkLimits::default()
            };
            let mut queue = Queue::new(pace);
            let mut now = Instant::now();
            let mut arrivals: Vec<_> = jobs.iter().map(|job| (now + millis(job.arrives), job)).collect();
            // Fetches by their number, until when and where they are.
            let mut open: Vec<(Instant, Key, usize, bool)> = Vec::new();
            // Fetches that wait to follow a redirect, and until when.
            let mut follows: Vec<(Instant, oneshot::Receiver<()>, usize)> = Vec::new();
            let mut last_domain: HashMap<Arc<str>, Instant> = HashMap::new();
            let mut last_address: HashMap<IpAddr, Instant> = HashMap::new();
            let (mut started, mut followed, mut given_up) = (0, 0, 0);
            loop {
                let before = follows.len();
                follows.retain(|(until, ..)| *until > now);
                given_up += before - follows.len();
                for (_, job) in arrivals.extract_if(.., |(at, _)| *at <= now) {
                    let number = jobs.iter().position(|other| std::ptr::eq(other, job)).unwrap();
                    let origin: Origin = format!("http://h{number}.d{}.example", job.at.0).parse().unwrap();
                    queue.push(Job { key: key(origin.host(), job.at), work: Work::Start(origin.into()) });
                }
                while open.len() < in_flight && let Some(Job { work, key }) = queue.next(now) {
                    let same = |other: &&(Instant, Key, usize, bool)| other.1.domain == key.domain;
                    prop_assert!(open.iter().filter(same).count() < per_domain);
                    if let Some(last) = last_domain.insert(Arc::clone(&key.domain), now) {
                        prop_assert!(now - last >= pace.domain_interval);
                    }
                    if let Some(address) = key.address {
                        let same = |other: &&(Instant, Key, usize, bool)| other.1.address == Some(address);
                        prop_assert!(open.iter().filter(same).count() < per_address);
                        if let Some(last) = last_address.insert(address, now) {
                            prop_assert!(now - last >= pace.address_interval);
                        }
                    }
                    let (number, is_start) = match work {
                        Work::Start(Target { origin, .. }) => {
                            started += 1;
                            (origin.host()[1..].split('.').next().unwrap().parse().unwrap(), true)
                        }
                        Work::Follow(go) => {
                            prop_assert!(go.send(()).is_ok(), "what gave up is forgotten");
                            followed += 1;
                            let place = follows.iter_mut().position(|(_, turn, _)| turn.try_recv().is_ok()).unwrap();
                            (follows.swap_remove(place).2, false)
                        }
                    };
                    open.push((now + millis(jobs[number].takes), key, number, is_start));
                }
                // The next event: a fetch that ends, one that arrives, or a timer if a fetch could start.
                let events = open.iter().map(|(end, ..)| *end).chain(arrivals.iter().map(|(at, _)| *at));
                let wake = queue.wake().filter(|_| open.len() < in_flight);
                let Some(next) = events.chain(wake).min() else { break };
                now = now.max(next);
                for (_, held, number, is_start) in open.extract_if(.., |(end, ..)| *end <= now) {
                    queue.finish(&held, now);
                    if is_start && let Some((at, patience)) = jobs[number].redirect {
                        let (go, turn) = oneshot::channel();
                        follows.push((now + millis(patience), turn, number));
                        queue.push(Job { work: Work::Follow(go), key: key(&format!("to.d{}.example", at.0), at) });
                    }
                }
            }
            let redirects = jobs.iter().filter(|job| job.redirect.is_some()).count();
            prop_assert_eq!((started, followed + given_up, queue.len()), (jobs.len(), redirects, 0));
            prop_assert!(queue.next(now + Duration::from_secs(1)).is_none());
            prop_assert!(queue.domains.is_empty() && queue.addresses.is_empty(), "{:?}", queue);
        }
    }

    /// The number of a domain, and of an address.
    type Place = (u32, Option<u8>);

    /// A fetch of the property test, with times in milliseconds.
    #[derive(Clone, Debug)]
    struct Planned {
        at: Place,
        arrives: u64,
        takes: u64,
        /// Where it is redirected, and how long it waits for its turn there.
        redirect: Option<(Place, u64)>,
    }

    fn a_job() -> impl Strategy<Value = Planned> {
        let place = || (0..6_u32, prop::option::of(0..4_u8));
        (place(), prop_oneof![Just(0), 0..200_u64], 1..40_u64, prop::option::of((place(), 1..300_u64)))
            .prop_map(|(at, arrives, takes, redirect)| Planned { at, arrives, takes, redirect })
    }

    fn key(host: &str, at: Place) -> Key {
        Key::new(host, at.1.map(|last| IpAddr::from([93, 0, 0, last])))
    }

    fn millis(number: u64) -> Duration {
        Duration::from_millis(number)
    }
}
