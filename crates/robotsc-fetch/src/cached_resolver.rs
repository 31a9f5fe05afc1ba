//! A resolver that remembers.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::future::BoxFuture;
use crate::resolve::Resolve;

/// How long an answer is remembered.
const TIME: Duration = Duration::from_secs(300);

/// The maximum number of names that are remembered.
const MAX_NAMES: usize = 200_000;

/// Remembers the answers of a resolver for five minutes, also that there is none; 200,000 at most. Clones share them.
#[derive(Debug)]
pub struct CachedResolver<R> {
    resolver: Arc<R>,
    known: Arc<Mutex<HashMap<Box<str>, Known>>>,
}

#[derive(Clone, Debug)]
struct Known {
    until: Instant,
    answer: Result<Vec<IpAddr>, Arc<str>>,
}

impl<R> Clone for CachedResolver<R> {
    fn clone(&self) -> Self {
        Self { resolver: Arc::clone(&self.resolver), known: Arc::clone(&self.known) }
    }
}

impl<R: Resolve> CachedResolver<R> {
    /// Makes a resolver that remembers.
    pub fn new(resolver: R) -> Self {
        Self { resolver: Arc::new(resolver), known: Arc::default() }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Box<str>, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, host: &str, answer: Result<Vec<IpAddr>, Arc<str>>) {
        let now = Instant::now();
        let mut known = self.known();
        if known.len() >= MAX_NAMES {
            known.retain(|_, known| known.until > now);
            if known.len() >= MAX_NAMES / 2 {
                known.clear();
            }
        }
        known.insert(host.into(), Known { until: now + TIME, answer });
    }
}

impl<R: Resolve> Resolve for CachedResolver<R> {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let known = self.known().get(host).filter(|known| known.until > Instant::now()).cloned();
            let answer = match known {
                Some(known) => known.answer,
                None => {
                    let answer = self.resolver.resolve(host).await.map_err(|error| error.to_string().into());
                    self.remember(host, answer.clone());
                    answer
                }
            };
            answer.map_err(|what| io::Error::other(what.to_string()))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[derive(Debug, Default)]
    struct Counted(AtomicU32);

    impl Resolve for Counted {
        fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
            self.0.fetch_add(1, Ordering::SeqCst);
            let answer = if host == "a.example" { Ok(vec![IpAddr::from([1, 2, 3, 4])]) } else { Err("no such name") };
            Box::pin(async move { answer.map_err(io::Error::other) })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn answers_are_remembered_for_a_while() {
        let resolver = CachedResolver::new(Counted::default());
        let asked = || resolver.resolver.0.load(Ordering::SeqCst);
        for _ in 0..3 {
            assert_eq!(resolver.clone().resolve("a.example").await.unwrap(), [IpAddr::from([1, 2, 3, 4])]);
            assert_eq!(resolver.resolve("b.example").await.unwrap_err().to_string(), "no such name");
        }
        assert_eq!(asked(), 2);
        tokio::time::advance(TIME).await;
        assert!(resolver.resolve("a.example").await.is_ok());
        assert_eq!(asked(), 3);
    }
}
