//! Files that a language server can read in the background: regular files that are not too large.
//!
//! A named pipe as robotsc.toml would never end, and no one could stop the thread that reads it.

use std::io::ErrorKind;
use std::path::Path;

use robotsc_answers::shown;

/// Checks that a file is regular and has at most `max_bytes`. A file that is missing is left to the reader.
///
/// # Errors
/// A message for a person.
pub(crate) fn check(file: &Path, max_bytes: u64) -> Result<(), String> {
    let name = || shown::bytes(file.as_os_str().as_encoded_bytes());
    match file.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("cannot read: {}: {error}", name())),
        Ok(metadata) if !metadata.is_file() => Err(format!("cannot read: {}: it is not a regular file", name())),
        Ok(metadata) if metadata.len() > max_bytes => {
            Err(format!("file too large: {}: over {max_bytes} bytes: split it", name()))
        }
        Ok(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        for (file, max_bytes, wanted) in [
            (source.as_path(), 1 << 20, None),
            (&source, 10, Some("over 10 bytes")),
            (Path::new(env!("CARGO_MANIFEST_DIR")), 1 << 20, Some("not a regular file")),
            (Path::new("no such file"), 10, None),
            #[cfg(unix)]
            (Path::new("/dev/zero"), 10, Some("not a regular file")),
        ] {
            let error = check(file, max_bytes).err();
            assert_eq!(error.is_some(), wanted.is_some(), "{}", file.display());
            assert!(error.unwrap_or_default().contains(wanted.unwrap_or_default()), "{}", file.display());
        }
    }
}
