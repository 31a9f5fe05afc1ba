//! The commands of `docs/serve.md` do what it says. They need `curl`.

use std::process::Command;

use crate::server::start;

#[test]
fn the_commands_of_the_guide_answer_as_it_says() {
    let server = start(|_| ());
    let guide = include_str!("../../../../docs/serve.md");
    let mut commands = 0;
    for part in guide.split("```sh\n").skip(1) {
        let (command, rest) = part.split_once("```\n").unwrap();
        let expected = rest.strip_prefix("```json\n").and_then(|rest| rest.split_once("```")).unwrap().0;
        let own = command.replace("127.0.0.1:7070", &server.address.to_string());
        let ran = Command::new("sh").args(["-c", &own]).output().expect("sh");
        assert!(ran.status.success(), "{command}: {} (is curl installed?)", String::from_utf8_lossy(&ran.stderr));
        let answer = String::from_utf8(ran.stdout).unwrap();
        // The guide breaks long lines.
        assert_eq!(answer.replace('\n', ""), expected.replace('\n', ""), "{command}");
        commands += 1;
    }
    assert_eq!(commands, 3);
}
