//! BytesIn of generated code: in files beside the text, or in the text.

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{BytesIn, GeneratedFile, Style};

/// The bytes so far, each once.
#[derive(Debug)]
pub(super) struct Blobs {
    bytes: BytesIn,
    stem: String,
    /// The name of the file with some bytes.
    known: BTreeMap<Vec<u8>, String>,
}

impl Blobs {
    pub(super) fn new(style: &Style) -> Self {
        Self { bytes: style.bytes, stem: style.stem.clone(), known: BTreeMap::new() }
    }

    /// The expression for some bytes: a `&'static [u8; N]`.
    pub(super) fn expression(&mut self, bytes: &[u8], name: &str) -> TokenStream {
        if self.bytes == BytesIn::Inside || bytes.is_empty() {
            let literal = Literal::byte_string(bytes);
            return quote! { #literal };
        }
        let name = format!("{}.{name}.bin", self.stem);
        let name = self.known.entry(bytes.to_vec()).or_insert(name);
        quote! { ::core::include_bytes!(#name) }
    }

    /// The files, by name.
    pub(super) fn files(self) -> Vec<GeneratedFile> {
        let file = |(contents, name)| GeneratedFile { name, contents };
        let mut files: Vec<_> = self.known.into_iter().map(file).collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files
    }
}
