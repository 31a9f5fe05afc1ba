//! A compiled rule set as an item: its `static`.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use robotsc_runtime::embed::{HostPattern, OriginPattern, PortPattern};
use robotsc_runtime::url::Scheme;
use robotsc_runtime::{AgentMatch, PathForm};

use super::blobs::Blobs;
use super::names::SetNames;
use crate::compile::{CompiledGroup, CompiledSet, Prefiltered};

/// Writes one rule set: each step is a field of its parts.
pub(super) struct SetWriter<'w> {
    set: &'w CompiledSet,
    names: &'w SetNames,
    runtime: &'w syn::Path,
    /// The path of the module `embed`.
    embed: TokenStream,
    blobs: &'w mut Blobs,
}

impl<'w> SetWriter<'w> {
    pub(super) fn new(set: &'w CompiledSet, names: &'w SetNames, runtime: &'w syn::Path, blobs: &'w mut Blobs) -> Self {
        Self { set, names, runtime, embed: quote! { #runtime::embed }, blobs }
    }

    /// Returns the `static`, with its documentation.
    pub(super) fn items(mut self, attributes: &TokenStream, visibility: &syn::Visibility) -> TokenStream {
        let CompiledSet { name, description, dialect, files, .. } = self.set;
        let constant = &self.names.constant;
        let documentation = documentation(self.set);
        let (form, agent_match) = (self.form(), self.agent_match());
        let origins = self.set.origins.iter().map(|pattern| origin(pattern, self.runtime));
        let origins: Vec<TokenStream> = origins.collect();
        let (agents, star) = (self.agents(), self.star());
        let groups = self.groups();
        let declared = self.declared();
        let places = self.blob("places", &self.set.places);
        let embed = self.embed;
        quote! {
            #(#[doc = #documentation])*
            #attributes
            #visibility static #constant: #embed::Set<'static> = #embed::Set::from_parts(#embed::Parts {
                name: #name,
                description: #description,
                dialect: #dialect,
                form: #form,
                agent_match: #agent_match,
                origins: &[#(#origins),*],
                agents: &[#(#agents),*],
                groups: &[#(#groups),*],
                star: #star,
                declared: #declared,
                places: #embed::Places::new(&[#(#files),*], #places),
            });
        }
    }

    /// Returns the expression for some bytes of the set.
    fn blob(&mut self, what: &str, bytes: &[u8]) -> TokenStream {
        self.blobs.expression(bytes, &format!("{}.{what}", self.names.file))
    }

    /// Returns the expression for a program, or for none.
    fn program(&mut self, what: &str, bytes: Option<&Vec<u8>>) -> TokenStream {
        let bytes = bytes.map(|bytes| self.blob(what, bytes));
        let embed = &self.embed;
        option(bytes.map(|bytes| quote! { #embed::program(#bytes) }))
    }

    fn form(&self) -> TokenStream {
        let runtime = self.runtime;
        match self.set.form {
            PathForm::Escaped => quote! { #runtime::PathForm::Escaped },
            PathForm::Canonical { query_reserved } => {
                quote! { #runtime::PathForm::Canonical { query_reserved: #query_reserved } }
            }
        }
    }

    fn agent_match(&self) -> TokenStream {
        let runtime = self.runtime;
        match self.set.agent_match {
            AgentMatch::Exact => quote! { #runtime::AgentMatch::Exact },
            AgentMatch::LongestPrefixAtHyphen => quote! { #runtime::AgentMatch::LongestPrefixAtHyphen },
            AgentMatch::LongestPrefix => quote! { #runtime::AgentMatch::LongestPrefix },
        }
    }

    fn agents(&self) -> Vec<TokenStream> {
        let embed = &self.embed;
        let agents = self.set.agents.iter().map(|(token, group)| {
            let group = Literal::u32_unsuffixed(*group);
            quote! { #embed::NamedAgent { token: #token, group: #group } }
        });
        agents.collect()
    }

    fn star(&self) -> TokenStream {
        option(self.set.star.map(|star| {
            let star = Literal::u32_unsuffixed(star);
            quote! { #star }
        }))
    }

    fn groups(&mut self) -> Vec<TokenStream> {
        let mut groups = Vec::with_capacity(self.set.groups.len());
        for (number, group) in self.set.groups.iter().enumerate() {
            let CompiledGroup { verdict, deciding_rule, rules_before } = group;
            let verdict = self.program(&format!("{number}.verdict"), verdict.as_ref());
            let deciding_rule = self.program(&format!("{number}.deciding_rule"), deciding_rule.as_ref());
            let rules_before = Literal::u32_unsuffixed(*rules_before);
            let embed = &self.embed;
            groups.push(quote! {
                #embed::AgentGroup { verdict: #verdict, deciding_rule: #deciding_rule, rules_before: #rules_before }
            });
        }
        groups
    }

    /// Returns the rules beyond robots.txt.
    fn declared(&mut self) -> TokenStream {
        let paths = self.program("declared", self.set.paths.as_ref());
        let (regexes, prefilters, queries) = (self.regexes(), self.prefilters(), self.queries());
        let rules = self.blob("rules", &self.set.rules);
        let embed = &self.embed;
        quote! {
            #embed::Declared {
                paths: #paths,
                regexes: &[#(#regexes),*],
                prefilters: &[#(#prefilters),*],
                queries: &[#(#queries),*],
                rules: #rules,
            }
        }
    }

    fn regexes(&mut self) -> Vec<TokenStream> {
        let mut regexes = Vec::with_capacity(self.set.regexes.len());
        for (rule, table) in &self.set.regexes {
            let bytes = self.blob(&format!("regex.{rule}"), table);
            let (embed, rule) = (&self.embed, Literal::u32_unsuffixed(*rule));
            regexes.push(quote! { #embed::DeclaredRegex { rule: #rule, dfa: #embed::Dfa::embedded(#bytes) } });
        }
        regexes
    }

    fn prefilters(&mut self) -> Vec<TokenStream> {
        let mut prefilters = Vec::with_capacity(self.set.prefilters.len());
        for (number, Prefiltered { regexes, prefilter, rest }) in self.set.prefilters.iter().enumerate() {
            let prefilter = prefilter.as_ref().map(|bytes| self.blob(&format!("prefilter.{number}"), bytes));
            let rest = rest.as_ref().map(|table| self.blob(&format!("rest.{number}"), table));
            let embed = &self.embed;
            let prefilter = option(prefilter.map(|bytes| quote! { #embed::Prefilter::embedded(#bytes) }));
            let rest = option(rest.map(|bytes| quote! { #embed::Dfa::embedded(#bytes) }));
            let regexes = Literal::u32_unsuffixed(*regexes);
            prefilters.push(quote! {
                #embed::DeclaredPrefilter { regexes: #regexes, prefilter: #prefilter, rest: #rest }
            });
        }
        prefilters
    }

    fn queries(&self) -> Vec<TokenStream> {
        let embed = &self.embed;
        let queries = self.set.queries.iter().map(|(name, rule)| {
            let (name, rule) = (Literal::byte_string(name), Literal::u32_unsuffixed(*rule));
            quote! { #embed::DeclaredQuery { name: #name, rule: #rule } }
        });
        queries.collect()
    }
}

/// What the documentation of a rule set says: its description, or its name where it has none.
fn documentation(set: &CompiledSet) -> Vec<String> {
    let text = if set.description.trim().is_empty() {
        format!("The rule set `{}`.", set.name)
    } else {
        set.description.clone()
    };
    text.lines().map(|line| format!(" {}", plain(&one_line(line.trim())))).collect()
}

/// Text in which Markdown sees nothing but text: a description is not written for rustdoc.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for char in text.chars() {
        if matches!(char, '\\' | '[' | ']' | '<' | '>' | '*' | '_' | '#' | '~' | '&' | '|') {
            plain.push('\\');
        }
        plain.push(char);
    }
    plain.replace("```", "\\`\\`\\`")
}

fn one_line(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

fn option(tokens: Option<TokenStream>) -> TokenStream {
    match tokens {
        Some(tokens) => quote! { ::core::option::Option::Some(#tokens) },
        None => quote! { ::core::option::Option::None },
    }
}

fn origin(pattern: &OriginPattern<String>, runtime: &syn::Path) -> TokenStream {
    let embed = quote! { #runtime::embed };
    let scheme = option(pattern.scheme.map(|scheme| match scheme {
        Scheme::Http => quote! { #runtime::url::Scheme::Http },
        Scheme::Https => quote! { #runtime::url::Scheme::Https },
        Scheme::Ftp => quote! { #runtime::url::Scheme::Ftp },
    }));
    let host = match &pattern.host {
        HostPattern::Any => quote! { #embed::HostPattern::Any },
        HostPattern::Exact(host) => quote! { #embed::HostPattern::Exact(#host) },
        HostPattern::Below(host) => quote! { #embed::HostPattern::Below(#host) },
    };
    let port = match pattern.port {
        PortPattern::Default => quote! { #embed::PortPattern::Default },
        PortPattern::Any => quote! { #embed::PortPattern::Any },
        PortPattern::Exact(port) => {
            let port = Literal::u16_unsuffixed(port);
            quote! { #embed::PortPattern::Exact(#port) }
        }
    };
    quote! { #embed::OriginPattern { scheme: #scheme, host: #host, port: #port } }
}
