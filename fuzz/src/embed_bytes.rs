use robotsc_runtime::embed::{Dfa, Places, Prefilter};

/// Any bytes are refused as a table of an embedded rule set, or are walked to an end.
///
/// The first byte says which table, and whether its checksum is made right; what follows a line of three hyphens is
/// the path.
pub fn embed_bytes(data: &[u8]) {
    let [choice, rest @ ..] = data else { return };
    let (table, path) = crate::split(rest);
    let table = if choice & 4 == 0 { table.to_vec() } else { crate::program_bytes::sealed(table.to_vec()) };
    match choice % 4 {
        0 => {
            if let Ok(prefilter) = Prefilter::from_trusted(&table) {
                let candidates = prefilter.candidates(path);
                let _ = prefilter.always();
                if Prefilter::from_bytes(&table).is_ok() && table[3] < 128 {
                    assert_eq!(candidates >> table[3], 0, "a candidate that is no expression");
                }
            } else {
                assert!(Prefilter::from_bytes(&table).is_err());
            }
        }
        1 => match Dfa::from_trusted(&table) {
            Ok(dfa) => {
                let _ = dfa.matches(path);
            }
            Err(_) => assert!(Dfa::from_bytes(&table).is_err()),
        },
        _ => {
            let files = ["a.ron", "b.txt"];
            let places = Places::new(&files, &table);
            for number in (0..64).chain([places.len() as u32, u32::MAX]) {
                if let Some(rule) = places.get(number) {
                    assert!(files.contains(&rule.file));
                }
            }
            assert!(places.iter().take(1_000).count() <= places.len());
        }
    }
}
