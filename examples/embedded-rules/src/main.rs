//! Checks URLs against the rule sets that were compiled into this program. A check reads, parses and allocates nothing.

use std::error::Error;

use robotsc_runtime::AgentName;

// Defines `EVERYWHERE`, `OUR_SHOPS` and `SETS`: see build.rs.
include!(concat!(env!("OUT_DIR"), "/rule_sets.rs"));

fn main() {
    let mut urls: Vec<String> = std::env::args().skip(1).collect();
    if urls.is_empty() {
        let examples = ["https://shop.example/mugs", "https://shop.example/cart/help", "https://other.example/cart"];
        urls.extend(examples.map(str::to_owned));
    }
    for url in &urls {
        match objection("ShopBot", url) {
            Ok(None) => println!("fetch\t{url}"),
            Ok(Some(reason)) => println!("leave\t{url}\t{reason}"),
            Err(error) => eprintln!("error\t{url}\t{error}"),
        }
    }
}

/// Returns why an agent must not fetch a URL, or `None` if it can.
///
/// The rule set that fits the URL's origin most closely decides: our shops have one of their own.
///
/// # Errors
/// `AgentError` if the agent's name is not valid; `NotPlain` if the URL must be normalized first.
fn objection(agent: &str, url: &str) -> Result<Option<String>, Box<dyn Error>> {
    let agent = AgentName::new(agent)?;
    let Some(set) = SETS.for_url(url.as_bytes())?.next() else { return Ok(None) };
    let answer = set.verdict_url(agent, url.as_bytes())?;
    Ok(answer.filter(|answer| !answer.verdict.is_allow()).map(|answer| match answer.rule {
        Some(rule) => format!("{}: {}:{}: {}", set.name(), rule.file, rule.line, rule.name.unwrap_or(rule.text)),
        None => set.name().to_owned(),
    }))
}

#[cfg(test)]
mod tests {
    use robotsc_runtime::UrlPath;
    use robotsc_runtime::embed::Set;

    use super::*;

    fn in_form<'p>(set: Set<'_>, path: &'p [u8]) -> UrlPath<'p> {
        UrlPath::new(path, set.path_form()).unwrap()
    }

    #[test]
    fn rule_sets_by_name_and_by_origin() {
        let [ours, other] = ["ShopBot", "OtherBot"].map(|name| AgentName::new(name).unwrap());
        let [mugs, checkout] = [b"/mugs".as_slice(), b"/checkout/"].map(|path| in_form(EVERYWHERE, path));
        assert_eq!(EVERYWHERE.is_allowed(ours, mugs), Ok(true));
        assert_eq!(EVERYWHERE.is_allowed(ours, checkout), Ok(false));
        let prices = in_form(OUR_SHOPS, b"/prices/");
        assert_eq!(OUR_SHOPS.is_allowed(ours, prices), Ok(true));
        assert_eq!(OUR_SHOPS.is_allowed(other, prices), Ok(false));
        let names = |url: &'static [u8]| SETS.for_url(url).unwrap().map(|set| set.name()).collect::<Vec<_>>();
        assert_eq!(names(b"https://de.shop.example/"), ["our-shops", "everywhere"]);
        assert_eq!(names(b"https://other.example/"), ["everywhere"]);
    }

    #[test]
    fn an_objection_names_its_rule() {
        assert_eq!(objection("ShopBot", "https://shop.example/cart/help").unwrap(), None);
        let said = objection("ShopBot", "https://other.example/cart").unwrap().unwrap();
        assert!(said.starts_with("everywhere: shop.ron:") && said.ends_with(": cart"), "{said}");
    }
}
