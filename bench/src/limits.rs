//! What the machine allows, measured by the same loops as the engines: no verdicts, only the bytes touched.

use std::hint::black_box;
use std::sync::LazyLock;

use crate::engine::{Engine, EngineKind};
use crate::split::slice_path;

/// The loop and the clock alone.
pub(crate) enum Null {}

/// One memchr for an absent byte over each path, or URL: every byte is touched.
pub(crate) enum Touch {}

/// A walk over each path through a dense table of 64 states and 256 columns: 32 KiB, which stay in L1.
pub(crate) enum TableWalk {}

/// The path of each URL, by three memchr calls.
pub(crate) enum Slice {}

impl Engine for Null {
    const NAME: &'static str = "null";
    const KIND: EngineKind = EngineKind::Limit;
    type Ready = ();
    type Walk<'r> = ();

    fn prepare(_body: &'static [u8], _agent: &str) -> Option<()> {
        Some(())
    }

    fn walk(_ready: &()) {}

    fn path(_walk: &(), path: &str) -> bool {
        !black_box(path).is_empty()
    }

    fn url(_walk: &(), url: &str) -> bool {
        !black_box(url).is_empty()
    }
}

impl Engine for Touch {
    const NAME: &'static str = "memchr";
    const KIND: EngineKind = EngineKind::Limit;
    type Ready = ();
    type Walk<'r> = ();

    /// For the rows that prepare: one memchr over the file.
    fn prepare(body: &'static [u8], _agent: &str) -> Option<()> {
        black_box(memchr::memchr(0x01, body));
        Some(())
    }

    fn walk(_ready: &()) {}

    fn path(_walk: &(), path: &str) -> bool {
        memchr::memchr(0x01, path.as_bytes()).is_none()
    }

    fn url(_walk: &(), url: &str) -> bool {
        memchr::memchr(0x01, url.as_bytes()).is_none()
    }
}

const STATES: usize = 64;

/// States are premultiplied: an entry is where the next state's row starts.
static TABLE: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut seed = 0x9E37_79B9_u32;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        (seed as usize % STATES * 256) as u16
    };
    (0..STATES * 256).map(|_| next()).collect()
});

impl Engine for TableWalk {
    const NAME: &'static str = "table-walk";
    const KIND: EngineKind = EngineKind::Limit;
    type Ready = ();
    type Walk<'r> = &'static [u16; STATES * 256];

    fn prepare(_body: &'static [u8], _agent: &str) -> Option<()> {
        Some(())
    }

    fn walk(_ready: &()) -> Self::Walk<'static> {
        TABLE.as_slice().try_into().unwrap_or(&[0; STATES * 256])
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        let mut state = 0_u16;
        for byte in path.bytes() {
            state = walk[usize::from(state | u16::from(byte)) % (STATES * 256)];
        }
        state != 0
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        Self::path(walk, url)
    }
}

impl Engine for Slice {
    const NAME: &'static str = "slice";
    const KIND: EngineKind = EngineKind::Limit;
    const TAKES_PATH: bool = false;
    type Ready = ();
    type Walk<'r> = ();

    fn prepare(_body: &'static [u8], _agent: &str) -> Option<()> {
        Some(())
    }

    fn walk(_ready: &()) {}

    fn path(_walk: &(), _path: &str) -> bool {
        true
    }

    fn url(_walk: &(), url: &str) -> bool {
        !black_box(slice_path(url.as_bytes())).is_empty()
    }
}
