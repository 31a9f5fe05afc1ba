//! Origins: scheme, host and port, in one canonical form.
