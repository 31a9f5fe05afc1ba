//! Tests of what is written about options: the list of docs/command.md, and the options that messages name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;

use crate::cli::Cli;

/// The long options of each command, `pack build` and the like among them, without those of all commands.
fn options() -> BTreeMap<String, BTreeSet<String>> {
    let mut options = BTreeMap::new();
    let mut add = |name: String, command: &clap::Command| {
        let long = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(clap::Arg::get_long);
        options.insert(name, long.map(|long| format!("--{long}")).collect::<BTreeSet<_>>());
    };
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        for sub in command.get_subcommands() {
            add(format!("{name} {}", sub.get_name()), sub);
        }
        if !command.has_subcommands() {
            add(name.to_owned(), command);
        }
    }
    options
}

/// The options of docs/command.md, each with its commands.
fn documented() -> BTreeMap<String, String> {
    let page = include_str!("../../../../docs/command.md");
    let list = page.split("## ").find(|part| part.starts_with("Options that mean")).expect("a list");
    let items = list.split("\n- `").skip(1).filter_map(|item| {
        let item = item.split("\n\n").next()?.replace("\n  ", " ");
        let name = item.split(['`', ' ']).next()?.to_owned();
        let commands = item.rsplit_once(" *")?.1.trim_end().strip_suffix('*')?.to_owned();
        Some((name, commands))
    });
    items.collect()
}

/// Returns names as the list has them.
fn listed<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_list_of_options_is_true() {
    let options = options();
    let mut commands_of: BTreeMap<&str, BTreeSet<&String>> = BTreeMap::new();
    for (command, own) in &options {
        for option in own {
            commands_of.entry(option).or_default().insert(command);
        }
    }
    let documented = documented();
    let mut wrong = Vec::new();
    for (option, commands) in &documented {
        let real =
            commands_of.get(option.as_str()).map(|commands| listed(commands.iter().copied())).unwrap_or_default();
        if real != *commands {
            wrong.push(format!("{option}: the page says {commands}, and the commands are {real}"));
        }
    }
    // What several families of commands have is on the page.
    for (option, commands) in &commands_of {
        let families: BTreeSet<&str> = commands.iter().map(|name| name.split(' ').next().unwrap_or_default()).collect();
        if families.len() > 1 && !documented.contains_key(*option) {
            wrong.push(format!("{option}: not on the page: {}", listed(commands.iter().copied())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An option of one name has one kind of value.
#[test]
fn an_option_of_one_name_takes_one_kind_of_value() {
    let mut values: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let command = Cli::command();
    for command in
        command.get_subcommands().flat_map(|command| std::iter::once(command).chain(command.get_subcommands()))
    {
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
            let value = value.map(|names| names.iter().map(|name| name.to_string()).collect::<Vec<_>>().join(" "));
            if let Some(long) = arg.get_long() {
                values
                    .entry(long.to_owned())
                    .or_default()
                    .insert(value.unwrap_or_default(), command.get_name().to_owned());
            }
        }
    }
    // What is written differs, and so does what fails; `conform` asks for the option by its cases, and where several
    // agents are answered for, `--agent` takes lists of them, too.
    let known = ["output", "emit", "pack", "fail-on", "raw-url", "agent"];
    values.retain(|name, values| values.len() > 1 && !known.contains(&name.as_str()));
    assert!(values.is_empty(), "{values:?}");
}

/// Files of several commands, and these commands. What is said only after an option was given is not listed.
const SHARED: [(&str, &[&str], &[&str]); 13] = [
    ("lists/sitemap", &["matrix", "lint"], &[]),
    ("lists/urls.rs", &["check", "diff", "matrix", "lint"], &[]),
    ("lists/", &["check", "diff", "matrix", "lint", "filter"], &["--agent-column"]),
    ("io/file_kind.rs", &["check", "explain", "diff", "matrix", "inspect", "compile", "set", "fmt"], &[]),
    ("io/source.rs", &["set", "fmt"], &[]),
    ("io/in_order.rs", &["census", "diff", "filter"], &[]),
    ("io/network.rs", &["check", "explain", "diff", "matrix", "inspect", "lint", "fmt", "fetch", "serve"], &[]),
    (
        "io/contents.rs",
        &["check", "explain", "diff", "matrix", "inspect", "compile"],
        &["--header", "--chain", "--as-written", "--agent"],
    ),
    ("command_line/crawlers.rs", &["check", "explain"], &[]),
    ("command_line/config.rs", &["lint", "set", "test"], &[]),
    ("command_line/options.rs", &["check", "diff", "matrix", "lint"], &["--header"]),
    ("command_line/rule_sets.rs", &["check", "explain"], &[]),
    ("command_line/time.rs", &["filter", "pack build", "pack update", "pack get"], &[]),
];

/// Every option that a message or a hint names is one of the command that says it; an option of another command is
/// named with it: `robotsc agents --header`.
#[test]
fn messages_name_options_of_their_command() {
    let options = options();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut found = 0;
    for file in files_of(&root) {
        let name = file.strip_prefix(&root).expect("a file of the folder").to_string_lossy().replace('\\', "/");
        let source = fs::read_to_string(&file).expect("a source");
        let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let (commands, exempt) = commands_of_file(&name, &options);
        for literal in literals(source) {
            for (at, option) in options_in(&literal) {
                found += 1;
                let named = owner(&literal[..at], &options);
                let has = |command: &String| options.get(command).is_some_and(|own| own.contains(option));
                let is_right = match &named {
                    Some(command) => has(command),
                    None => exempt.contains(&option) || (!commands.is_empty() && commands.iter().all(has)),
                };
                // Of all commands, and of cargo.
                if !is_right && !["--help", "--features"].contains(&option) {
                    wrong.push(format!(
                        "{name}: {option} is no option of {}: {literal}",
                        named.unwrap_or_else(|| listed(&commands))
                    ));
                }
            }
        }
    }
    // The libraries speak to more than the command.
    for library in ["answers", "sources", "fetch", "frontier", "analysis", "build", "compiler", "lsp"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(format!("robotsc-{library}")).join("src");
        for file in files_of(&root) {
            let source = fs::read_to_string(&file).expect("a source");
            let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            for literal in literals(source) {
                for (at, option) in options_in(&literal) {
                    found += 1;
                    let named = owner(&literal[..at], &options);
                    let is_right = named.as_ref().is_some_and(|command| options[command].contains(option));
                    // Said after the option was given.
                    if !is_right && literal != "cannot use --header" {
                        wrong.push(format!("{}: {option} without its command: {literal}", file.display()));
                    }
                }
            }
        }
    }
    assert!(found > 100, "{found} options are named");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same of help: of the command, of its options, and of what follows.
#[test]
fn help_names_options_of_its_command() {
    let options = options();
    let mut wrong = Vec::new();
    let mut check = |name: &str, command: &clap::Command| {
        let text = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string).unwrap_or_default();
        let mut texts = vec![text(command.get_about()), text(command.get_long_about()), text(command.get_after_help())];
        let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
        texts.extend(args.map(|arg| text(arg.get_long_help().or(arg.get_help()))));
        for line in texts.iter().flat_map(|text| text.lines()) {
            for (at, option) in options_in(line) {
                let named = owner(&line[..at], &options).unwrap_or_else(|| name.to_owned());
                if !options.get(&named).is_some_and(|own| own.contains(option)) && option != "--help" {
                    wrong.push(format!("{name}: {option} is no option of {named}: {line}"));
                }
            }
        }
    };
    for command in Cli::command().get_subcommands().filter(|command| !command.has_subcommands()) {
        check(command.get_name(), command);
    }
    for sub in Cli::command().find_subcommand("pack").expect("a command").get_subcommands() {
        check(&format!("pack {}", sub.get_name()), sub);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the commands that say what is in a file, and the options that are named only after they were given.
fn commands_of_file(
    name: &str,
    options: &BTreeMap<String, BTreeSet<String>>,
) -> (Vec<String>, &'static [&'static str]) {
    if let Some(rest) = name.strip_prefix("commands/") {
        let command = rest.split(['/', '.']).next().unwrap_or_default();
        let file = rest.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
        let own = options.keys().filter(|known| known.split(' ').next() == Some(command));
        // What builds packs is in one file.
        let writes = ["pack build", "pack update", "pack merge"];
        let own: Vec<String> = match (command, file) {
            ("pack", "args") => Vec::new(),
            ("pack", "build" | "skipped") => writes.map(str::to_owned).to_vec(),
            ("pack", sub) => vec![format!("pack {sub}")],
            _ => own.cloned().collect(),
        };
        // The help of the whole command names options of its parts.
        let exempt: &[&str] = if (command, file) == ("pack", "args") { &["--strict", "--output"] } else { &[] };
        return (own, exempt);
    }
    let shared = SHARED.iter().find(|(file, ..)| name.starts_with(file));
    shared.map_or((Vec::new(), &[]), |(_, commands, exempt)| {
        (commands.iter().map(|name| (*name).to_owned()).collect(), exempt)
    })
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(files_of(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !matches!(path.file_stem().and_then(|name| name.to_str()), Some("tests" | "option_names"))
        {
            files.push(path);
        }
    }
    files.sort_unstable();
    files
}

/// Returns the string literals of a source, without its comments. What an attribute says is in a literal, too.
fn literals(source: &str) -> Vec<String> {
    let code: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect();
    let mut literals = Vec::new();
    let mut chars = code.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '\'' {
            // A character, such as '"', or a lifetime.
            if chars.next_if_eq(&'\\').is_some() || chars.peek() == Some(&'"') {
                chars.next();
            }
            continue;
        }
        if char != '"' {
            continue;
        }
        let mut literal = String::new();
        while let Some(char) = chars.next() {
            match char {
                '"' => break,
                '\\' => match chars.next() {
                    Some('\n') => while chars.next_if(|char| char.is_whitespace()).is_some() {},
                    Some('n') => literal.push('\n'),
                    Some(other) => literal.push(other),
                    None => break,
                },
                char => literal.push(char),
            }
        }
        literals.push(literal);
    }
    literals
}

/// Returns the options that a text names, each with its place.
fn options_in(text: &str) -> Vec<(usize, &str)> {
    let mut options = Vec::new();
    for (at, _) in text.match_indices("--") {
        let is_start = !text[..at].ends_with(|char: char| char.is_ascii_alphanumeric() || char == '-');
        let name =
            text[at + 2..].split(|char: char| !char.is_ascii_lowercase() && char != '-').next().unwrap_or_default();
        if is_start && name.len() > 1 && !name.starts_with('-') {
            options.push((at, &text[at..at + 2 + name.trim_end_matches('-').len()]));
        }
    }
    options
}

/// Returns the command that a text names before an option: `robotsc pack build … --now`.
fn owner(before: &str, options: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    let start = before.rfind("robotsc ")?;
    let call = &before[start + "robotsc ".len()..];
    if call.contains(['\'', '`', '\n']) && !call.contains("FooBot") {
        return None;
    }
    let mut words = call.split(' ');
    let (one, two) = (words.next()?, words.next().unwrap_or_default());
    let names = [format!("{one} {two}"), one.to_owned()];
    names.into_iter().find(|name| options.contains_key(name))
}
