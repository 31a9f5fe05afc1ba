//! Counts the live heap, so that what an engine holds can be said in bytes.
//!
//! The counter is a plain load and store, not an atomic addition: the bench runs on one thread, and the count must not
//! weigh on engines that allocate much.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static LIVE: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counted.
#[derive(Debug)]
pub(crate) struct Counting;

/// The bytes that are allocated now.
pub(crate) fn live() -> usize {
    LIVE.load(Relaxed)
}

/// How often something was allocated so far.
pub(crate) fn allocations() -> usize {
    ALLOCATIONS.load(Relaxed)
}

fn add(bytes: usize) {
    ALLOCATIONS.store(ALLOCATIONS.load(Relaxed).wrapping_add(1), Relaxed);
    LIVE.store(LIVE.load(Relaxed).wrapping_add(bytes), Relaxed);
}

fn sub(bytes: usize) {
    LIVE.store(LIVE.load(Relaxed).wrapping_sub(bytes), Relaxed);
}

// SAFETY: every call is passed on to `System` unchanged; the counter touches no memory of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        sub(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        sub(layout.size());
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(block, layout, size) }
    }
}
