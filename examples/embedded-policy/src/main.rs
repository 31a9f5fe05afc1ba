//! Asks the policies that were compiled into this program. Nothing is read, parsed or allocated to answer.

use robotsc_runtime::embed::NotPlain;

// `EVERYWHERE`, `OUR_SHOPS` and `SETS`: see build.rs.
include!(concat!(env!("OUT_DIR"), "/rule_sets.rs"));

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let examples = ["https://shop.example/mugs", "https://shop.example/cart/help", "https://other.example/cart"];
    let urls: Vec<&str> = if given.is_empty() { examples.to_vec() } else { given.iter().map(String::as_str).collect() };
    for url in urls {
        match objection("ShopBot", url) {
            Ok(None) => println!("fetch\t{url}"),
            Ok(Some(reason)) => println!("leave\t{url}\t{reason}"),
            Err(error) => eprintln!("error\t{url}\t{error}"),
        }
    }
}

/// Asks the policy that fits a URL's origin most closely: our shops have one of their own, which stands for all they say.
fn objection(agent: &str, url: &str) -> Result<Option<String>, NotPlain> {
    let Some(set) = SETS.for_url(url.as_bytes())?.next() else { return Ok(None) };
    let answer = set.verdict_url(agent, url.as_bytes())?;
    Ok(answer.filter(|answer| !answer.verdict.is_allow()).map(|answer| match answer.rule {
        Some(rule) => format!("{}: {}:{}: {}", set.name(), rule.file, rule.line, rule.name.unwrap_or(rule.text)),
        None => set.name().to_owned(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_by_name_and_by_origin() {
        assert!(EVERYWHERE.is_allowed("ShopBot", b"/mugs"));
        assert!(!EVERYWHERE.is_allowed("ShopBot", b"/checkout/"));
        assert!(OUR_SHOPS.is_allowed("ShopBot", b"/prices/") && !OUR_SHOPS.is_allowed("OtherBot", b"/prices/"));
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
