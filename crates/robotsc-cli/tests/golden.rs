//! What each command prints, as transcripts: the real binary, its output and its exit code. `TRYCMD=overwrite` writes
//! them anew.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cmd/*.md");
}
