//! Addresses of the caller: what is read from them, and what is handed over.
#![expect(unsafe_code, reason = "an address of another language is a promise that no type can check")]

use crate::mistake::Mistake;
use crate::object::{Answer, Object};

/// Where a call writes what it answers.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Reply {
    /// The address of bytes or of an object; 0 if there is none.
    start: *mut u8,
    /// The number of bytes.
    len: usize,
    /// Of a mistake about one of several URLs, which one it is, from 0.
    index: u32,
}

/// Allocates bytes for the caller. Returns null if there is no memory left.
pub(crate) fn alloc(len: usize) -> *mut u8 {
    let mut bytes: Vec<u8> = Vec::new();
    if bytes.try_reserve_exact(len.max(1)).is_err() {
        return std::ptr::null_mut();
    }
    bytes.resize(len.max(1), 0);
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Frees bytes.
///
/// # Safety
/// `start` is null, or came from [`alloc`] or a reply with this `len`, and was not freed.
pub(crate) unsafe fn free(start: *mut u8, len: usize) {
    if !start.is_null() {
        // SAFETY: the caller has it from `alloc` or `reply`, which both made it of a boxed slice of this length.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, len.max(1))) });
    }
}

/// Returns the bytes at an address.
///
/// # Safety
/// `len` bytes from `start` on stay as they are for `'a`.
pub(crate) unsafe fn bytes<'a>(start: *const u8, len: usize) -> &'a [u8] {
    if start.is_null() || len == 0 {
        return &[];
    }
    // SAFETY: the caller promises that the bytes are there.
    unsafe { std::slice::from_raw_parts(start, len) }
}

/// Returns the bytes at an address, to be written.
///
/// # Safety
/// `len` bytes from `start` on belong to this call alone for `'a`.
#[cfg(feature = "matching")]
pub(crate) unsafe fn room<'a>(start: *mut u8, len: usize) -> &'a mut [u8] {
    if start.is_null() || len == 0 {
        return &mut [];
    }
    // SAFETY: the caller promises that the bytes are there, and nobody else's.
    unsafe { std::slice::from_raw_parts_mut(start, len) }
}

/// Returns the object at an address.
///
/// # Safety
/// `object` is null, or came from a reply and was not dropped.
pub(crate) unsafe fn object<'a>(object: *const Object) -> Result<&'a Object, Mistake> {
    // SAFETY: the caller has it from `reply`, which made it of a box.
    unsafe { object.as_ref() }.ok_or_else(|| Mistake::call("there is no object at address 0"))
}

/// Drops an object.
///
/// # Safety
/// As [`object`].
pub(crate) unsafe fn drop_object(object: *mut Object) {
    if !object.is_null() {
        // SAFETY: the caller has it from `reply`, which made it of a box.
        drop(unsafe { Box::from_raw(object) });
    }
}

/// Hands an answer, or a message, to the caller. Returns the number of the call.
///
/// # Safety
/// `to` is null, or the address of a [`Reply`] that belongs to this call alone.
#[inline]
pub(crate) unsafe fn reply(to: *mut Reply, answer: Result<Answer, Mistake>) -> i32 {
    let (number, start, len, index) = match answer {
        // The usual answer leaves the reply as it is.
        Ok(Answer::Number(number)) => return number,
        Ok(Answer::Object(object)) => (0, Box::into_raw(Box::new(object)).cast(), 0, 0),
        #[cfg(any(feature = "matching", feature = "page"))]
        Ok(Answer::Bytes(bytes)) => {
            let (start, len) = handed_over(bytes);
            (0, start, len, 0)
        }
        Err(Mistake { kind, message, index }) => {
            let (start, len) = handed_over(message.into_bytes());
            (kind as i32, start, len, index)
        }
    };
    // SAFETY: the caller promises that the reply is there, and nobody else's.
    if let Some(to) = unsafe { to.as_mut() } {
        *to = Reply { start, len, index };
    }
    number
}

/// Returns the address and the length of bytes that the caller will free.
fn handed_over(mut bytes: Vec<u8>) -> (*mut u8, usize) {
    let len = bytes.len();
    if bytes.is_empty() {
        bytes.push(0);
    }
    (Box::into_raw(bytes.into_boxed_slice()).cast(), len)
}
