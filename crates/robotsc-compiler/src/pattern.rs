//! Path patterns in normal form.
//!
//! A normal pattern is a string of octets in which `*` is always a wildcard and `$`, as the last octet, always the anchor; every other octet stands for itself.
//! (A literal `*` cannot occur: under `google` it cannot be written, under canonical escapes it is `%2A`.)
