//! Generates Rust text, and the files beside it, from declared rule sets.
//!
//! The text holds what people read: names, agents, origins. Programs and tables are bytes, in files of their own or as
//! literals: a large array of numbers takes the Rust compiler seconds, bytes take no time.

mod blobs;
mod names;
mod set;

use std::path::PathBuf;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use self::blobs::Blobs;
use self::names::Names;
use self::set::SetWriter;
use crate::compile::{CompileSetError, CompiledSet};
use crate::error::{Error, ErrorKind};
use crate::limits::BuildLimits;
use crate::model::DeclaredSet;

/// Where programs and tables lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BytesIn {
    /// In files beside the text.
    Beside,
    /// In the text.
    Inside,
}

/// What the text is like.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) module: Option<String>,
    pub(crate) visibility: String,
    pub(crate) runtime: String,
    pub(crate) names_rules: bool,
    pub(crate) bytes: BytesIn,
    /// The bytes of the text's file name before the dot; files beside it start with it.
    pub(crate) stem: String,
    /// Files that the compiler is to watch, since a macro cannot say so otherwise.
    pub(crate) tracked: Vec<PathBuf>,
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Its name, without a directory.
    pub name: String,
    /// What is in it.
    pub contents: Vec<u8>,
}

/// Why code could not be generated.
#[derive(Debug)]
pub(crate) enum GenerateError {
    Set(CompileSetError),
    /// A setting that is no Rust: which, what it holds.
    Setting(&'static str, String),
    /// A `file_name` that is not the name of a file, without its ending.
    FileName(String),
}

impl From<GenerateError> for Error {
    fn from(error: GenerateError) -> Self {
        let kind = match &error {
            GenerateError::Set(error) if error.is_limit_exceeded() => ErrorKind::Limit,
            GenerateError::Set(_) => ErrorKind::RuleSets,
            GenerateError::Setting(..) | GenerateError::FileName(_) => ErrorKind::Setting,
        };
        Self::new(kind, error)
    }
}

impl std::fmt::Display for GenerateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Set(error) => error.fmt(f),
            Self::Setting(name, text) => write!(f, "the setting {name} is not valid Rust: {text:?}"),
            Self::FileName(text) => write!(
                f,
                "the setting file_name is not the name of a file: {text:?}: it has letters, digits, `_`, `-` and `.`, \
                 starts with none of the last two, and leaves out `.rs`; `out_dir` names the directory"
            ),
        }
    }
}

/// The text as tokens.
#[derive(Debug)]
pub(crate) struct GeneratedText {
    pub(crate) items: TokenStream,
    /// The name of each set, and of its static.
    pub(crate) names: Vec<(String, Ident)>,
    /// The files beside the text.
    pub(crate) files: Vec<GeneratedFile>,
}

/// The text as tokens, and the files beside it.
pub(crate) fn tokens(
    sets: &[DeclaredSet],
    style: &Style,
    limits: &BuildLimits,
) -> Result<GeneratedText, GenerateError> {
    let runtime: syn::Path = parse("runtime_path", &style.runtime)?;
    let visibility: syn::Visibility = parse("visibility", &style.visibility)?;
    // A module has them once, for all that is in it.
    let (of_module, of_item) = match style.module {
        Some(_) => (attributes(), TokenStream::new()),
        None => (TokenStream::new(), attributes()),
    };
    let mut blobs = Blobs::new(style);
    let mut names = Names::default();
    let mut items = TokenStream::new();
    let mut statics: Vec<(String, Ident)> = Vec::new();
    for declared in sets {
        let compiled = CompiledSet::build(declared, style.names_rules, limits).map_err(GenerateError::Set)?;
        let names = names.of(&declared.name);
        let writer = SetWriter::new(&compiled, &names, &runtime, &mut blobs);
        items.extend(writer.items(&of_item, &visibility));
        statics.push((declared.name.clone(), names.constant));
    }
    let tracked = style.tracked.iter().map(|file| {
        let file = file.display().to_string();
        quote! { const _: &[u8] = ::core::include_bytes!(#file); }
    });
    let constants = statics.iter().map(|(_, constant)| constant);
    let items = quote! {
        #(#tracked)*

        /// All rule sets.
        #of_item
        #visibility static SETS: #runtime::embed::Sets<'static> = #runtime::embed::Sets::new(&[#(&#constants),*]);

        #items
    };
    let items = match &style.module {
        None => items,
        Some(name) => {
            let _: syn::Ident = parse("module", name)?;
            let name = format_ident!("{name}");
            quote! {
                /// Rule sets.
                #of_module
                #visibility mod #name { #items }
            }
        }
    };
    Ok(GeneratedText { items, names: statics, files: blobs.files() })
}

/// Returns the attributes by which generated items stay as they are and pass the lints of any package: whoever includes
/// them can be strict about unused and unreachable items, and about style.
fn attributes() -> TokenStream {
    quote! {
        #[rustfmt::skip]
        #[allow(clippy::all, clippy::pedantic, dead_code, unreachable_pub, reason = "generated code")]
    }
}

/// The text, formatted, under its header; the first of the files. The others lie beside it.
pub(crate) fn files(
    sets: &[DeclaredSet],
    inputs: &[String],
    style: &Style,
    limits: &BuildLimits,
) -> Result<Vec<GeneratedFile>, GenerateError> {
    check_file_name(&style.stem)?;
    let GeneratedText { items: tokens, mut files, .. } = tokens(sets, style, limits)?;
    // The tokens are items, so that this holds; were they not, the text as it stands tells more than an error here.
    let text = syn::parse2(tokens.clone()).map_or_else(|_| tokens.to_string(), |file| prettyplease::unparse(&file));
    let contents = format!("{}\n{text}", header(inputs)).into_bytes();
    files.insert(0, GeneratedFile { name: format!("{}.rs", style.stem), contents });
    Ok(files)
}

/// Refuses what is no name of a file: with a separator, the file would lie elsewhere.
fn check_file_name(name: &str) -> Result<(), GenerateError> {
    let is_name = name.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.'))
        && name.starts_with(|first: char| first.is_alphanumeric() || first == '_')
        && !name.ends_with('.')
        && !name.to_ascii_lowercase().ends_with(".rs");
    if is_name { Ok(()) } else { Err(GenerateError::FileName(name.to_owned())) }
}

/// How generated text starts.
pub(crate) const HEADER: &str = "// @generated by robotsc-build";

fn header(inputs: &[String]) -> String {
    let mut header = format!("{HEADER} {}", env!("CARGO_PKG_VERSION"));
    match inputs {
        [] => header.push('\n'),
        [input] => header.push_str(&format!(" from {}\n", one_line(input))),
        inputs => {
            header.push_str(" from\n");
            inputs.iter().for_each(|input| header.push_str(&format!("//   {}\n", one_line(input))));
        }
    }
    header
}

/// A file's name as it may stand in a comment.
fn one_line(name: &str) -> String {
    name.chars().map(|char| if char.is_control() { '?' } else { char }).collect()
}

fn parse<T: syn::parse::Parse>(setting: &'static str, text: &str) -> Result<T, GenerateError> {
    syn::parse_str(text).map_err(|_| GenerateError::Setting(setting, text.to_owned()))
}
