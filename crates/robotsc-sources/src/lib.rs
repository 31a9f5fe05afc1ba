//! Reads robots.txt captures from directories, manifests, tar and WARC files.
