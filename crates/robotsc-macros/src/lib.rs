//! The macro `include_rules!`: declared rule sets compiled where they are used, without a build script.
#![forbid(unsafe_code)]

use std::path::Path;

use proc_macro::TokenStream;
use proc_macro2::Span;
use quote::quote;
use robotsc_build::include::{Included, include};
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Token};

/// Compiles a file or a folder of rule sets into the binary.
///
/// Returns a `&'static robotsc::embed::Sets<'static>`, or, with the name of a set as a second argument, that set, a
/// `&'static robotsc::embed::Set<'static>`.
///
/// The path is relative to the package's `Cargo.toml`. If a file changes that was read, cargo compiles the macro call
/// again. It does not notice a file that is added to a folder, since macros cannot watch folders: if you add files
/// often, use `robotsc-build` in a build script.
///
/// An error in a rule set is a compiler error, with the file, the line and the column. Warnings are written to standard
/// error.
///
/// ```ignore
/// use robotsc::AgentName;
/// use robotsc::embed::{Set, Sets};
///
/// static RULE_SETS: &Sets<'static> = robotsc::include_rules!("rules");
/// static HYGIENE: &Set<'static> = robotsc::include_rules!("rules", "crawl-hygiene");
///
/// let path = robotsc::url::url_path("https://shop.example/cart?sid=1", HYGIENE.path_form())?;
/// assert!(!HYGIENE.is_allowed(AgentName::new("FooBot")?, path.as_path())?);
/// ```
#[proc_macro]
pub fn include_rules(input: TokenStream) -> TokenStream {
    let arguments = syn::parse_macro_input!(input as Arguments);
    match expand(&arguments) {
        Ok(tokens) => tokens.into(),
        Err(error) => error.into_compile_error().into(),
    }
}

struct Arguments {
    path: LitStr,
    set: Option<LitStr>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Self { path: input.parse()?, set: None };
        let comma: Option<Token![,]> = input.parse()?;
        if comma.is_some() && !input.is_empty() {
            arguments.set = Some(input.parse()?);
            let _: Option<Token![,]> = input.parse()?;
        }
        Ok(arguments)
    }
}

fn expand(arguments: &Arguments) -> syn::Result<proc_macro2::TokenStream> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| {
        syn::Error::new(Span::call_site(), "CARGO_MANIFEST_DIR is not set: the path is relative to a package")
    })?;
    let path = Path::new(&package).join(arguments.path.value());
    let Included { items, names, warnings } =
        include(&path, "::robotsc").map_err(|error| syn::Error::new(arguments.path.span(), error))?;
    // A macro has no other way to warn; cargo shows what its compiler writes here.
    for warning in &warnings {
        eprintln!("warning: {}", warning.one_line());
    }
    let Some(set) = &arguments.set else {
        return Ok(quote! { { #items &SETS } });
    };
    let wanted = set.value();
    let Some((_, constant)) = names.iter().find(|(name, _)| *name == wanted) else {
        let known: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!("no rule set `{wanted}` in {}: there are {}", arguments.path.value(), known.join(", "));
        return Err(syn::Error::new(set.span(), message));
    };
    Ok(quote! { { #items &#constant } })
}
