//! What receives the content of a pack: bytes that are known by their hash.

/// The hash that content is known by, half of BLAKE3. An attacker who finds a collision gains nothing, since both
/// contents are his.
pub(crate) type Hash = [u8; 16];

pub(crate) fn hash(bytes: &[u8]) -> Hash {
    let hash = blake3::hash(bytes);
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    half
}

/// Receives content that is named by its hash.
pub(crate) trait Sink {
    type Error;
    fn program(&mut self, hash: Hash, bytes: &[u8]) -> Result<(), Self::Error>;
    fn list(&mut self, hash: Hash, bytes: &[u8]) -> Result<(), Self::Error>;
    fn policy(&mut self, hash: Hash, stub: &[u8]) -> Result<(), Self::Error>;
    fn preferences(&mut self, hash: Hash, bytes: &[u8]) -> Result<(), Self::Error>;
}
