//! A compiled rule set as items: its `static`, and its code if it has any.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use robotsc_compiler::Output;
use robotsc_runtime::embed::{HostPattern, OriginPattern, PortPattern};
use robotsc_runtime::url::Scheme;
use robotsc_runtime::{AgentMatch, PathForm};

use super::blobs::Blobs;
use super::direct::{self, Budget};
use super::names::SetNames;
use crate::compile::CompiledSet;
use crate::compile::{CompiledGroup, Prefiltered, compiler};

/// The items of a rule set.
pub(super) fn items(
    set: &CompiledSet,
    names: &SetNames,
    attributes: &TokenStream,
    runtime: &syn::Path,
    visibility: &syn::Visibility,
    budget: &mut Budget,
    blobs: &mut Blobs,
) -> TokenStream {
    let embed = quote! { #runtime::embed };
    let CompiledSet { name, description, dialect, .. } = set;
    let (constant, module) = (&names.constant, &names.module);
    let mut functions = TokenStream::new();

    let groups: Vec<TokenStream> = (0..)
        .zip(&set.groups)
        .map(|(number, group): (u32, &CompiledGroup)| {
            let graph = compiler(Output::Verdict).graph(&group.rules).ok().flatten();
            let code = graph.and_then(|graph| {
                let function = format_ident!("group_{number}");
                direct::verdicts(&graph, &function, runtime, budget).map(|code| (function, code))
            });
            let verdict = match code {
                Some((function, code)) => {
                    functions.extend(code);
                    quote! { #embed::Matcher::Direct(#module::#function) }
                }
                None => match &group.verdict {
                    Some(bytes) => {
                        let bytes = blobs.expression(bytes, &format!("{}.{number}.verdict", names.file));
                        quote! { #embed::Matcher::Table(#embed::program(#bytes)) }
                    }
                    None => quote! { #embed::Matcher::Winner },
                },
            };
            let winner = option(group.winner.as_ref().map(|bytes| {
                let bytes = blobs.expression(bytes, &format!("{}.{number}.winner", names.file));
                quote! { #embed::program(#bytes) }
            }));
            let rules_before = Literal::u32_unsuffixed(group.rules_before);
            quote! { #embed::Group { verdict: #verdict, winner: #winner, rules_before: #rules_before } }
        })
        .collect();

    let paths = option(set.paths.as_ref().map(|paths| {
        let rules = paths.rules.rules();
        let graph = compiler(Output::Winner).graph(&paths.rules).ok().flatten();
        let number = |rank: u32| {
            rules.len().checked_sub(rank as usize).and_then(|rule| rules.get(rule)).map(|rule| rule.line - 1)
        };
        let code = graph.and_then(|graph| direct::first(&graph, &format_ident!("declared"), runtime, budget, number));
        match code {
            Some(code) => {
                functions.extend(code);
                quote! { #embed::DeclaredPaths::Direct(#module::declared) }
            }
            None => {
                let bytes = blobs.expression(&paths.winner, &format!("{}.declared", names.file));
                quote! { #embed::DeclaredPaths::Table(#embed::program(#bytes)) }
            }
        }
    }));
    let regexes: Vec<TokenStream> = set
        .regexes
        .iter()
        .map(|(rule, table)| {
            let bytes = blobs.expression(table, &format!("{}.regex.{rule}", names.file));
            let rule = Literal::u32_unsuffixed(*rule);
            quote! { #embed::DeclaredRegex { rule: #rule, dfa: #embed::Dfa::embedded(#bytes) } }
        })
        .collect();
    let prefilters: Vec<TokenStream> = (0..)
        .zip(&set.prefilters)
        .map(|(number, prefiltered): (u32, &Prefiltered)| {
            let prefilter = option(prefiltered.prefilter.as_ref().map(|prefilter| {
                let bytes = blobs.expression(prefilter, &format!("{}.prefilter.{number}", names.file));
                quote! { #embed::Prefilter::embedded(#bytes) }
            }));
            let rest = option(prefiltered.rest.as_ref().map(|table| {
                let bytes = blobs.expression(table, &format!("{}.rest.{number}", names.file));
                quote! { #embed::Dfa::embedded(#bytes) }
            }));
            let regexes = Literal::u32_unsuffixed(prefiltered.regexes);
            quote! { #embed::DeclaredPrefilter { regexes: #regexes, prefilter: #prefilter, rest: #rest } }
        })
        .collect();
    let queries = set.queries.iter().map(|(name, rule)| {
        let (name, rule) = (Literal::byte_string(name), Literal::u32_unsuffixed(*rule));
        quote! { #embed::DeclaredQuery { name: #name, rule: #rule } }
    });
    let rules = blobs.expression(&set.rules, &format!("{}.rules", names.file));
    let files = &set.files;
    let places = blobs.expression(&set.places, &format!("{}.places", names.file));

    let form = match set.form {
        PathForm::Escaped => quote! { #runtime::PathForm::Escaped },
        PathForm::Canonical { query_reserved } => {
            quote! { #runtime::PathForm::Canonical { query_reserved: #query_reserved } }
        }
    };
    let agent_match = match set.agent_match {
        AgentMatch::Exact => quote! { #runtime::AgentMatch::Exact },
        AgentMatch::LongestPrefixAtHyphen => quote! { #runtime::AgentMatch::LongestPrefixAtHyphen },
        AgentMatch::LongestPrefix => quote! { #runtime::AgentMatch::LongestPrefix },
    };
    let origins = set.origins.iter().map(|pattern| origin(pattern, runtime));
    let agents = set.agents.iter().map(|(token, group)| {
        let group = Literal::u32_unsuffixed(*group);
        quote! { #embed::Agent { token: #token, group: #group } }
    });
    let star = option(set.star.map(|star| {
        let star = Literal::u32_unsuffixed(star);
        quote! { #star }
    }));

    let documentation = documentation(set);
    let code = (!functions.is_empty()).then(|| {
        let text = format!(" The automata of the rule set `{}` as code.", one_line(name));
        quote! {
            #[doc = #text]
            #attributes
            #[allow(unused_assignments, unused_mut, unused_variables)]
            mod #module { #functions }
        }
    });
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
            declared: #embed::Declared {
                paths: #paths,
                regexes: &[#(#regexes),*],
                prefilters: &[#(#prefilters),*],
                queries: &[#(#queries),*],
                rules: #rules,
            },
            places: #embed::Places::new(&[#(#files),*], #places),
        });

        #code
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
