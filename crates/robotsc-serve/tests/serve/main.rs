//! Tests over a real server on a free port of this machine.

mod described;
mod documented;
mod mistakes;
mod security;
mod server;
mod set;
mod slow;
mod stream;
