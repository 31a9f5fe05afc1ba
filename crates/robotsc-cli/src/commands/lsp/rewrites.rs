//! What `set` writes, as rewrites of an open file: the policy of the project or of the block that the file has, else a
//! few that people ask for most.

use std::path::Path;

use robotsc_answers::set::{Block, Declaration, Options, set};
use robotsc_lsp::Rewrite;

/// The policy that robotsc.toml declares.
const PROJECT: &str = "project";
/// The policy that the block declares.
const BLOCK: &str = "block";
/// The policies that a file without a block is offered: what each denies, and whom that is about.
const OFFERED: [(&str, &[&str], &str); 2] = [
    ("deny-training", &["ai-training"], "Deny crawlers for AI training"),
    ("deny-ai", &["ai-training", "ai-search"], "Deny crawlers for AI training and AI search"),
];

/// Returns the rewrites that a file of a folder is offered.
pub(super) fn offered(folder: Option<&Path>, text: &str) -> Vec<Rewrite> {
    let one = |name: &str, title: &str| Rewrite { name: name.to_owned(), title: format!("{title} (robotsc set)") };
    match (declared(folder), Block::find(text.as_bytes())) {
        // Lint reports a robotsc.toml that cannot be read, and marks without a partner.
        (Err(_), _) | (_, Err(_)) => Vec::new(),
        (Ok(Some(_)), Ok(_)) => vec![one(PROJECT, "Write the policy of robotsc.toml")],
        (Ok(None), Ok(Some(_))) => vec![one(BLOCK, "Renew the policy of the block")],
        (Ok(None), Ok(None)) => OFFERED.iter().map(|(name, _, title)| one(name, title)).collect(),
    }
}

/// Returns the text after a rewrite.
///
/// # Errors
/// As `robotsc set`, or if the file has changed so that the rewrite is not offered any more.
pub(super) fn made(folder: Option<&Path>, text: &str, name: &str) -> Result<String, String> {
    let refused = |cause: &dyn std::fmt::Display| format!("cannot set: {cause}");
    let block = Block::find(text.as_bytes()).map_err(|refusal| refused(&refusal))?;
    let declaration = match name {
        PROJECT => declared(folder)?,
        BLOCK => block.map(|block| block.declaration),
        name => OFFERED.iter().find(|(offered, ..)| *offered == name).map(|(_, deny, _)| Declaration {
            deny: deny.iter().map(|&purpose| purpose.to_owned()).collect(),
            ..Declaration::default()
        }),
    };
    let declaration = declaration.ok_or_else(|| refused(&"the file has changed: choose the action again"))?;
    let after = set(text.as_bytes(), &declaration, Options::default()).map_err(|refusal| refused(&refusal))?;
    String::from_utf8(after.body).map_err(|_| refused(&"the result is no UTF-8"))
}

/// Returns the policy that the project of a folder declares; `None` if there is none.
fn declared(folder: Option<&Path>) -> Result<Option<Declaration>, String> {
    let Some(folder) = folder else { return Ok(None) };
    Ok(super::config(folder)?.and_then(|config| Some(config.tables.set.as_ref()?.get_ref().declaration())))
}
