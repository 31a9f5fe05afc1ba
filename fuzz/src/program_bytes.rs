use robotsc::program::{Effort, Limits, Output};
use robotsc::{AgentName, Compiler, Crawler, Policy, Program, RobotsTxt, UrlPath};

/// The first byte says what the rest is: bytes as they are, bytes whose checksum is made right, or a body whose
/// program is altered by what follows the line of three hyphens (place, place, value), with or without a right
/// checksum.
///
/// # Panics
/// Where reading or walking does, or where a valid program is refused.
pub fn program_bytes(data: &[u8]) {
    let [choice, rest @ ..] = data else { return };
    match choice % 4 {
        0 => read(rest),
        1 => read(&sealed(rest.to_vec())),
        _ => {
            let (body, changes) = crate::split(rest);
            let robots = RobotsTxt::parse(body);
            let small = choice & 4 != 0;
            let limits = if choice & 8 != 0 { Limits::NONE } else { Limits::default() };
            let compiler = Compiler::new()
                .effort(if small { Effort::Small } else { Effort::Fast })
                .output(if choice & 16 != 0 { Output::DecidingRule } else { Output::Verdict })
                .limits(limits);
            let program = compiler
                .compile(&robots.rule_set(&Crawler::new("a").expect("a name")))
                .map(|program| program.as_bytes().to_vec());
            let policy = compiler.compile_policy(&robots).map(|policy| policy.as_bytes().to_vec());
            for bytes in [program, policy].into_iter().flatten() {
                assert!(Program::from_bytes(&bytes).is_ok() || Policy::from_bytes(&bytes).is_ok());
                let bytes = altered(bytes, changes);
                read(&if choice % 4 == 2 { bytes } else { sealed(bytes) });
            }
        }
    }
}

fn altered(mut bytes: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(place) {
            *byte = change[2];
        }
    }
    bytes
}

/// As an enemy would: the checksum is right, what it covers need not be.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = robotsc_runtime::checksum(&bytes);
    if let Some(place) = bytes.get_mut(4..8) {
        place.copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

fn read(bytes: &[u8]) {
    let programs = [Program::from_bytes(bytes), Program::from_trusted(bytes)];
    programs.iter().flatten().for_each(walk);
    if let Ok(policy) = Policy::from_bytes(bytes) {
        for name in policy.names().take(20).chain([&b"a"[..], b"a1", b"foo-bar"]) {
            let name = AgentName::of_group(name).unwrap_or(AgentName::assume_token(name));
            if let Some(program) = policy.program(Some(name)) {
                walk(&program);
            }
        }
    }
}

fn walk(program: &Program<'_>) {
    let long = [b'a'; 500];
    for path in [&b"/"[..], b"", b"/a", b"/ab/*$?b%61", b"/\xff\x00", b"/aaaaaaaaaaaaaaaaaaaab", b"/index.html", &long]
    {
        let path = UrlPath::assume(path, program.path_form());
        let verdict = program.verdict(path);
        if let Ok(Some(deciding_rule)) = program.deciding_rule(path) {
            assert_eq!(Ok(deciding_rule.verdict), verdict);
        }
    }
    let _ = (program.parts(), program.nodes(), program.code_len(), program.rules().count());
}
