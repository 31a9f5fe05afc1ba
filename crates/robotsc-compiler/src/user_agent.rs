//! Known product tokens in a full `User-Agent` header.
