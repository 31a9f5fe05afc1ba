//! Many URLs at once: splits them all, then looks all their origins up, then answers.
//!
//! ```text
//! URL                         origin     path
//! https://shop.example/cart   0          /cart
//! https://shop.example/?q=1   0          /?q=1      as before: found by the first bytes alone
//! HTTPS://News.example#top    1          /          read by the slow reader
//! mailto:me@shop.example      an error
//! ```
//!
//! The memory loads of a step do not wait for one another, so a processor has many under way at once. Both
//! [`Frontier::verdicts`](crate::frontier::Frontier::verdicts) and the command's `filter` are made of this.
//!
//! Nearly every URL is plain: it is borrowed, and so are its origin and its path. What the others need is kept aside,
//! so that little is stored for a plain one.

use std::borrow::Cow;

use robotsc_compiler::Dialect;
use robotsc_runtime::url::PlainUrl;
use robotsc_runtime::{PathForm, UrlPath};

use crate::origin::{self, OriginError};

/// Answers for origins, many at once.
pub trait OriginLookup<'p> {
    /// What is computed from the name of an origin alone, such as its hash, and what a look-up keeps there.
    type Place;
    /// What counts for an origin.
    type Policy;

    /// Returns the dialect that URLs are read under.
    fn dialect(&self) -> &Dialect;

    /// Returns what is known from a canonical origin alone, while URLs are still split.
    fn place(&self, origin: &[u8]) -> Self::Place;

    /// Sets the [policy](BatchOrigin::policy) of each origin. The first can have one from the batch before.
    fn look_up(&'p self, origins: &mut [BatchOrigin<'_, Self::Place, Self::Policy>]);
}

/// An origin of a batch.
#[derive(Clone, Debug)]
pub struct BatchOrigin<'u, L, P> {
    name: Cow<'u, [u8]>,
    /// What [`OriginLookup::place`] returned.
    pub place: L,
    /// What counts for it; `None` until it was [looked up](OriginLookup::look_up).
    pub policy: Option<P>,
}

impl<L, P> BatchOrigin<'_, L, P> {
    /// Returns the canonical origin, such as `https://shop.example`.
    #[inline]
    pub fn name(&self) -> &[u8] {
        &self.name
    }
}

/// URLs that are answered together.
///
/// ```
/// use std::collections::HashMap;
///
/// use robotsc::Dialect;
/// use robotsc::origin::{Batch, BatchOrigin, OriginLookup};
///
/// /// The number of URLs that were crawled of each origin.
/// struct Crawled(HashMap<Vec<u8>, u64>);
///
/// impl<'p> OriginLookup<'p> for Crawled {
///     type Place = ();
///     type Policy = u64;
///
///     fn dialect(&self) -> &Dialect {
///         &Dialect::GOOGLE
///     }
///
///     fn place(&self, _: &[u8]) {}
///
///     fn look_up(&'p self, origins: &mut [BatchOrigin<'_, (), u64>]) {
///         for origin in origins {
///             origin.policy = Some(self.0.get(origin.name()).copied().unwrap_or(0));
///         }
///     }
/// }
///
/// let crawled = Crawled(HashMap::from([(b"https://shop.example".to_vec(), 7)]));
/// let mut batch = Batch::new(&crawled);
/// batch.push(b"https://shop.example/cart");
/// batch.push(b"HTTPS://Shop.example:443/%63");
/// batch.push(b"mailto:me@shop.example");
/// batch.look_up();
/// let found: Vec<_> = batch
///     .urls()
///     .map(|url| {
///         let (origin, path) = url.split?;
///         Ok::<_, robotsc::origin::OriginError>((origin.policy, path.as_bytes().to_vec()))
///     })
///     .collect();
/// assert_eq!(found[0], Ok((Some(7), b"/cart".to_vec())));
/// assert_eq!(found[1], Ok((Some(7), b"/%63".to_vec())));
/// assert!(found[2].is_err());
/// ```
#[derive(Debug)]
pub struct Batch<'u, 'p, P: OriginLookup<'p>> {
    policies: &'p P,
    /// The form that paths must have.
    form: PathForm,
    urls: Vec<Url<'u>>,
    slow: Vec<Slow<'u>>,
    /// The first may be the last of the batch before.
    origins: Vec<BatchOrigin<'u, P::Place, P::Policy>>,
    /// The plain URL before, whose origin is the last of `origins`.
    last: Option<PlainUrl<'u>>,
}

/// A URL and what was found in it.
#[derive(Debug)]
struct Url<'u> {
    url: &'u [u8],
    path: &'u [u8],
    /// The number of its origin; from [`SLOW`] on, the number of the slow URL, and then the others are empty.
    origin: u32,
}

/// Above all numbers of origins.
const SLOW: u32 = 1 << 31;

/// A URL of which not all is borrowed, or that is an error.
#[derive(Debug)]
struct Slow<'u> {
    url: Cow<'u, [u8]>,
    split: Result<(Cow<'u, [u8]>, u32), OriginError>,
}

/// A URL of a batch.
#[derive(Debug)]
pub struct BatchUrl<'b, 'u, L, P> {
    /// The URL as it was pushed.
    pub url: &'b [u8],
    /// Its origin, and its path in the form of the dialect.
    pub split: Result<(&'b BatchOrigin<'u, L, P>, UrlPath<'b>), OriginError>,
}

/// The number of URLs to take together: more than the memory loads that a processor has under way, and few enough that
/// what they loaded stays in the first-level cache.
pub const BATCH_URLS: usize = 64;

impl<'u, 'p, P: OriginLookup<'p>> Batch<'u, 'p, P> {
    /// Returns an empty batch.
    pub fn new(policies: &'p P) -> Self {
        Self {
            policies,
            form: policies.dialect().path_form(),
            urls: Vec::with_capacity(BATCH_URLS),
            slow: Vec::new(),
            origins: Vec::with_capacity(BATCH_URLS),
            last: None,
        }
    }

    /// Removes the URLs. The origin of the last one is kept: it may go on.
    pub fn clear(&mut self) {
        self.urls.clear();
        self.slow.clear();
        let kept = if self.last.is_some() { self.origins.len() - 1 } else { self.origins.len() };
        self.origins.drain(..kept);
    }

    /// Adds a URL; what is no URL, too.
    ///
    /// Cost: as [`origin::split`]; of a plain URL of the origin before, a comparison in place of the origin.
    #[inline(always)]
    pub fn push(&mut self, url: &'u [u8]) {
        self.push_looked_at(url, false);
    }

    /// Adds a URL. If `is_normalized`, the caller knows already that a path that `url` ends with is
    /// [normalized](PathForm::is_normalized) in the form of the dialect.
    #[doc(hidden)]
    #[inline(always)]
    pub fn push_looked_at(&mut self, url: &'u [u8], is_normalized: bool) {
        let after = self.last.as_ref().and_then(|last| url.strip_prefix(last.origin));
        let (path, origin) = match after {
            Some(path @ [b'/', ..]) => (path, self.origins.len() - 1),
            _ => {
                self.last = PlainUrl::split(url);
                let Some(plain) = self.last else { return self.push_unusual(url) };
                (plain.path, self.origin(plain.origin, |_| Cow::Borrowed(plain.origin)))
            }
        };
        if !(is_normalized || self.form.is_normalized(path)) {
            return self.push_unusual(url);
        }
        self.urls.push(Url { url, path, origin: origin as u32 });
    }

    /// Adds a URL whose path, or all of it, is not plain.
    #[inline(never)]
    fn push_unusual(&mut self, url: &'u [u8]) {
        let split = match origin::split(self.policies.dialect(), url) {
            Ok(split) => {
                let origin = self.origin(&split.origin, |_| split.origin.clone()) as u32;
                Ok((split.path.into_cow(), origin))
            }
            Err(error) => {
                self.last = None;
                Err(error)
            }
        };
        self.push_slow(Slow { url: Cow::Borrowed(url), split });
    }

    /// Adds a URL that is stored nowhere else.
    #[inline(never)]
    pub fn push_owned(&mut self, url: Vec<u8>) {
        let split = origin::split(self.policies.dialect(), &url).map(|split| {
            let origin = self.origin(&split.origin, |name| Cow::Owned(name.to_vec())) as u32;
            (Cow::Owned(split.path.into_cow().into_owned()), origin)
        });
        self.last = None;
        self.push_slow(Slow { url: Cow::Owned(url), split });
    }

    fn push_slow(&mut self, slow: Slow<'u>) {
        self.urls.push(Url { url: b"", path: b"", origin: SLOW + self.slow.len() as u32 });
        self.slow.push(slow);
    }

    /// Returns the number of an origin.
    #[inline]
    fn origin(&mut self, name: &[u8], keep: impl FnOnce(&[u8]) -> Cow<'u, [u8]>) -> usize {
        if self.origins.last().is_none_or(|origin| *origin.name != *name) {
            let place = self.policies.place(name);
            self.origins.push(BatchOrigin { name: keep(name), place, policy: None });
        }
        self.origins.len() - 1
    }

    /// Looks up what counts for the origins of the batch.
    #[inline]
    pub fn look_up(&mut self) {
        self.policies.look_up(&mut self.origins);
    }

    /// Returns the number of URLs.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.urls.len()
    }

    /// Reports whether there is no URL.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    /// Returns the URLs, in the order in which they were added.
    #[inline]
    pub fn urls(&self) -> impl Iterator<Item = BatchUrl<'_, 'u, P::Place, P::Policy>> {
        self.urls.iter().map(|url| {
            if url.origin < SLOW {
                let path = UrlPath::assume(url.path, self.form);
                return BatchUrl { url: url.url, split: Ok((&self.origins[url.origin as usize], path)) };
            }
            let slow = &self.slow[(url.origin - SLOW) as usize];
            let split = slow
                .split
                .as_ref()
                .map_err(|error| *error)
                .map(|(path, origin)| (&self.origins[*origin as usize], UrlPath::assume(path, self.form)));
            BatchUrl { url: &slow.url, split }
        })
    }
}
