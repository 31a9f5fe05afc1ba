//! Policy packs: the policies of millions of origins in one mapped file.
