//! The macro `include_policy!`.
