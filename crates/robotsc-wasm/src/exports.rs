//! The calls, by their names. Each reads what its addresses hold, asks, and replies.
#![expect(unsafe_code, reason = "a name that others link is a promise that there is one of it")]
// The crate's page says what holds for the addresses of every call.
#![allow(clippy::missing_safety_doc)]

#[cfg(feature = "analysis")]
use crate::analysis;
#[cfg(feature = "cache")]
use crate::cache;
#[cfg(feature = "matching")]
use crate::matching;
use crate::memory::{self, Reply};
use crate::mistake::Mistake;
use crate::object::{Answer, Object};
#[cfg(feature = "page")]
use crate::page;
use crate::programs;

/// Returns the number of this interface: it changes if a call does.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn robotsc_interface() -> i32 {
    1
}

/// Allocates bytes for arguments. Returns 0 if there is no memory left.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn robotsc_alloc(len: usize) -> *mut u8 {
    memory::alloc(len)
}

/// Frees bytes, from `robotsc_alloc` or of a reply.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_free(start: *mut u8, len: usize) {
    // SAFETY: as the caller promises.
    unsafe { memory::free(start, len) }
}

/// Drops an object.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_drop(object: *mut Object) {
    // SAFETY: as the caller promises.
    unsafe { memory::drop_object(object) }
}

/// Loads the bytes of a program. Replies with an object.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_program_load(program: *const u8, program_len: usize, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> { unsafe { programs::load(memory::bytes(program, program_len)) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Returns 1 if a program allows a path, or a plain URL whose path is in its form, otherwise 0.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_program_allowed(
    program: *const Object,
    path: *const u8,
    path_len: usize,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { programs::allowed(memory::object(program)?, memory::bytes(path, path_len)) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Returns the form of the paths of a program: 0 is that of Google's dialects.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_program_form(program: *const Object, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> { unsafe { programs::path_form(memory::object(program)?) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Parses a robots.txt, for all sites if the origin is empty. Replies with an object.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_parse(
    body: *const u8,
    body_len: usize,
    dialect: *const u8,
    dialect_len: usize,
    origin: *const u8,
    origin_len: usize,
    is_text: u32,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe {
            matching::parse(
                memory::bytes(body, body_len),
                memory::bytes(dialect, dialect_len),
                memory::bytes(origin, origin_len),
                is_text != 0,
            )
        }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with a crawler. `way`: 0 as documented, 1 as written, 2 chain, 3 pool, 4 others, 5 as written and obeying
/// groups that name it only. `ends` are the offsets after each name, numbers of four bytes, the lowest first.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_crawler(
    way: u32,
    names: *const u8,
    names_len: usize,
    ends: *const u8,
    ends_len: usize,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { matching::crawler(way, memory::bytes(names, names_len), memory::bytes(ends, ends_len)) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with the matcher of a crawler.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_matcher(robots: *const Object, crawler: *const Object, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { matching::matcher(memory::object(robots)?, memory::object(crawler)?) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Returns 1 if a URL is allowed, otherwise 0.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_allowed(
    matcher: *const Object,
    url: *const u8,
    url_len: usize,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { matching::allowed(memory::object(matcher)?, memory::bytes(url, url_len)) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Writes 1 for each URL that is allowed, otherwise 0. `ends` are the offsets after each URL, as those of names.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_allowed_many(
    matcher: *const Object,
    urls: *const u8,
    urls_len: usize,
    ends: *const u8,
    ends_len: usize,
    answers: *mut u8,
    answers_len: usize,
    wrong_is_disallowed: u32,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe {
            matching::allowed_many(
                memory::object(matcher)?,
                memory::bytes(urls, urls_len),
                memory::bytes(ends, ends_len),
                memory::room(answers, answers_len),
                wrong_is_disallowed != 0,
            )
        }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Returns the line of the rule that decides a URL, from 1, or 0 if there is none.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_deciding_line(
    robots: *const Object,
    matcher: *const Object,
    url: *const u8,
    url_len: usize,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe {
            matching::deciding_line(memory::object(robots)?, memory::object(matcher)?, memory::bytes(url, url_len))
        }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with the path of a URL, in the form of the dialect.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_url_path(
    robots: *const Object,
    url: *const u8,
    url_len: usize,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { matching::url_path(memory::object(robots)?, memory::bytes(url, url_len)) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Compiles the rules of a matcher. Replies with the bytes of a program.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_compile(matcher: *const Object, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> { unsafe { matching::compile(memory::object(matcher)?) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with the sitemaps of a file, one a line: those with a URL, each once, or all as written.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_sitemaps(robots: *const Object, as_written: u32, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer =
        || -> Result<Answer, Mistake> { unsafe { matching::sitemaps(memory::object(robots)?, as_written != 0) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with the hosts of a file, one a line.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_hosts(robots: *const Object, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> { unsafe { matching::hosts(memory::object(robots)?) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with the word for what a body is.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_body_kind(robots: *const Object, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> { unsafe { matching::body_kind(memory::object(robots)?) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with the crawl delay for a crawler in seconds, as text; empty if there is none.
#[cfg(feature = "matching")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_crawl_delay(
    robots: *const Object,
    crawler: *const Object,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { matching::crawl_delay(memory::object(robots)?, memory::object(crawler)?) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with the explanation of a verdict, as JSON.
#[cfg(feature = "analysis")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_explain(
    robots: *const Object,
    crawler: *const Object,
    url: *const u8,
    url_len: usize,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { analysis::explain(memory::object(robots)?, memory::object(crawler)?, memory::bytes(url, url_len)) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with what is wrong with a file, as JSON.
#[cfg(feature = "analysis")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_lint(robots: *const Object, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> { unsafe { analysis::lint(memory::object(robots)?) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with a file after its fixes, as JSON.
#[cfg(feature = "analysis")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_fix(robots: *const Object, with_unsafe: u32, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> { unsafe { analysis::fix(memory::object(robots)?, with_unsafe != 0) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with what changed from one file to another, as JSON.
#[cfg(feature = "analysis")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_diff(
    old: *const Object,
    new: *const Object,
    as_written: u32,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { analysis::diff(memory::object(old)?, memory::object(new)?, as_written != 0) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with a file after formatting, as JSON.
#[cfg(feature = "analysis")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_format(robots: *const Object, minify: u32, to: *mut Reply) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> { unsafe { analysis::format(memory::object(robots)?, minify != 0) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with what may be done with a page, as JSON.
#[cfg(feature = "analysis")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_preferences(
    robots: *const Object,
    crawler: *const Object,
    url: *const u8,
    url_len: usize,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { analysis::preferences(memory::object(robots)?, memory::object(crawler)?, memory::bytes(url, url_len)) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Answers a request of the HTTP API, `GET` if it has no body. Replies with JSON, also of what is wrong with it.
#[cfg(feature = "page")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_ask(
    path: *const u8,
    path_len: usize,
    body: *const u8,
    body_len: usize,
    has_body: u32,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe {
            let body = memory::bytes(body, body_len);
            page::ask(memory::bytes(path, path_len), (has_body != 0).then_some(body))
        }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with a cache of what is known of sites.
#[cfg(feature = "cache")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_cache(
    crawler: *const Object,
    dialect: *const u8,
    dialect_len: usize,
    memory: usize,
    is_cautious: u32,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { cache::make(memory::object(crawler)?, memory::bytes(dialect, dialect_len), memory, is_cautious != 0) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with what a cache says about a URL, in lines.
#[cfg(feature = "cache")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_cache_check(
    cache: *const Object,
    url: *const u8,
    url_len: usize,
    now: u32,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe { cache::check(memory::object(cache)?, memory::bytes(url, url_len), now) }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Replies with the crawl delay and the sitemaps of the file that a cache holds, in lines; with nothing if there is no
/// file.
#[cfg(feature = "cache")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_cache_held(
    cache: *const Object,
    url: *const u8,
    url_len: usize,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer =
        || -> Result<Answer, Mistake> { unsafe { cache::held(memory::object(cache)?, memory::bytes(url, url_len)) } };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}

/// Records how a fetch ended. Replies with nothing.
#[cfg(feature = "cache")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn robotsc_cache_record(
    cache: *const Object,
    url: *const u8,
    url_len: usize,
    headers: *const u8,
    headers_len: usize,
    body: *const u8,
    body_len: usize,
    answered: *const u8,
    answered_len: usize,
    end: u32,
    status: u32,
    redirects: u32,
    now: u32,
    to: *mut Reply,
) -> i32 {
    // SAFETY: as the caller promises, each address holds what it is passed for.
    let answer = || -> Result<Answer, Mistake> {
        unsafe {
            let ended = cache::Ended {
                end,
                status,
                redirects,
                headers: memory::bytes(headers, headers_len),
                body: memory::bytes(body, body_len),
                answered: memory::bytes(answered, answered_len),
            };
            cache::record(memory::object(cache)?, memory::bytes(url, url_len), now, &ended)
        }
    };
    // SAFETY: as above.
    unsafe { memory::reply(to, answer()) }
}
