//! Files that pages need to be seen, where well-known systems have them.

use super::pattern_names::is_common_word;
use crate::text::part::find;

/// The kinds of files that a folder has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinds {
    All,
    Code,
    CodeAndFonts,
    Media,
    Scripts,
    Styles,
    Fonts,
    /// The path is that of an image, and has no ending.
    Image,
}

impl Kinds {
    /// Returns the endings of these files.
    pub(super) const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::All => &[
                ".css", ".js", ".mjs", ".woff2", ".ttf", ".otf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp",
                ".avif", ".ico",
            ],
            Self::Code => &[".css", ".js"],
            Self::CodeAndFonts => &[".css", ".js", ".mjs", ".woff2", ".ttf"],
            Self::Media => &[".woff2", ".ttf", ".otf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"],
            Self::Scripts => &[".js", ".mjs"],
            Self::Styles => &[".css"],
            Self::Fonts => &[".woff2", ".ttf", ".otf"],
            Self::Image => &[""],
        }
    }

    /// Returns what files with an ending are called.
    pub(super) fn name(ending: &str) -> &'static str {
        match ending {
            ".css" => "styles",
            ".js" | ".mjs" => "scripts",
            ".woff2" | ".ttf" | ".otf" => "fonts",
            _ => "images",
        }
    }
}

/// Files as well-known systems have them: a path without its ending, and the kinds that are there.
pub(super) const RESOURCES: [(&[u8], Kinds); 78] = [
    // Frameworks.
    (b"/_next/static/x", Kinds::All),
    (b"/_next/static/chunks/x", Kinds::Code),
    (b"/_next/static/css/x", Kinds::Styles),
    (b"/_next/static/media/x", Kinds::Media),
    (b"/_next/image?url=x", Kinds::Image),
    (b"/_nuxt/x", Kinds::All),
    (b"/_ipx/x", Kinds::All),
    (b"/_app/immutable/x", Kinds::All),
    (b"/_astro/x", Kinds::All),
    (b"/build/assets/x", Kinds::All),
    (b"/build/x", Kinds::All),
    (b"/packs/js/x", Kinds::All),
    (b"/packs/css/x", Kinds::Styles),
    (b"/bundles/x/x", Kinds::All),
    (b"/dist/x", Kinds::All),
    (b"/assets/x", Kinds::All),
    (b"/static/x", Kinds::All),
    // Systems for pages and shops.
    (b"/wp-includes/js/x", Kinds::All),
    (b"/wp-includes/css/x", Kinds::Styles),
    (b"/wp-content/themes/x/x", Kinds::All),
    (b"/wp-content/plugins/x/x", Kinds::Code),
    (b"/wp-content/cache/x/x", Kinds::Code),
    (b"/bitrix/js/x", Kinds::Scripts),
    (b"/bitrix/templates/x/x", Kinds::All),
    (b"/templates/x/css/x", Kinds::Styles),
    (b"/templates/x/js/x", Kinds::Scripts),
    (b"/media/system/css/x", Kinds::Styles),
    (b"/media/system/js/x", Kinds::Scripts),
    (b"/media/vendor/x/js/x", Kinds::Scripts),
    (b"/core/misc/x", Kinds::Code),
    (b"/core/themes/x/css/x", Kinds::Styles),
    (b"/modules/x/x", Kinds::Code),
    (b"/sites/default/files/css/x", Kinds::Styles),
    (b"/sites/default/files/js/x", Kinds::Scripts),
    (b"/sites/all/themes/x/x", Kinds::Code),
    (b"/sites/all/modules/x/x", Kinds::Code),
    (b"/themes/x/x", Kinds::All),
    (b"/skin/x", Kinds::All),
    (b"/pub/static/x", Kinds::All),
    (b"/cdn/shop/t/1/assets/x", Kinds::All),
    (b"/typo3conf/ext/x/Resources/Public/x", Kinds::All),
    (b"/typo3temp/assets/x", Kinds::Code),
    (b"/etc.clientlibs/x/clientlibs/x", Kinds::Code),
    (b"/etc/designs/x/x", Kinds::Code),
    (b"/wp-includes/blocks/x/x", Kinds::Styles),
    (b"/wp-content/et-cache/x/x", Kinds::Code),
    (b"/wp-content/litespeed/css/x", Kinds::Styles),
    (b"/wp-content/litespeed/js/x", Kinds::Scripts),
    (b"/wp-content/cache/autoptimize/css/x", Kinds::Styles),
    (b"/wp-content/cache/autoptimize/js/x", Kinds::Scripts),
    (b"/wp-content/cache/wp-rocket/x", Kinds::Code),
    (b"/wp-content/cache/min/1/x", Kinds::Code),
    (b"/wp-content/uploads/elementor/css/x", Kinds::Styles),
    (b"/wp-content/plugins/elementor/assets/css/x", Kinds::Styles),
    (b"/skin/frontend/x/x", Kinds::All),
    (b"/static/frontend/x/x", Kinds::All),
    (b"/catalog/view/javascript/x", Kinds::Scripts),
    (b"/catalog/view/theme/x/stylesheet/x", Kinds::Styles),
    (b"/user/themes/x/x", Kinds::All),
    (b"/webjars/x/x", Kinds::Code),
    (b"/livewire/x", Kinds::Scripts),
    (b"/_framework/x", Kinds::Scripts),
    (b"/_fonts/x", Kinds::Fonts),
    // Folders by kind.
    (b"/css/x", Kinds::Styles),
    (b"/CSS/x", Kinds::Styles),
    (b"/styles/x", Kinds::Styles),
    (b"/Styles/x", Kinds::Styles),
    (b"/Content/x", Kinds::Styles),
    (b"/stylesheets/x", Kinds::Styles),
    (b"/js/x", Kinds::Scripts),
    (b"/JS/x", Kinds::Scripts),
    (b"/scripts/x", Kinds::Scripts),
    (b"/Scripts/x", Kinds::Scripts),
    (b"/javascripts/x", Kinds::Scripts),
    (b"/Assets/x", Kinds::All),
    (b"/Static/x", Kinds::All),
    (b"/fonts/x", Kinds::Fonts),
    (b"/webfonts/x", Kinds::Fonts),
];

/// A file in any folder: rules name its ending.
pub(super) const ANYWHERE: (&[u8], Kinds) = (b"/x/x", Kinds::CodeAndFonts);

/// Such files as build systems name them.
pub(super) const BUILT: [(&[u8], Kinds); 3] =
    [(b"/x/x.min", Kinds::Code), (b"/x/x.bundle", Kinds::Code), (b"/x/x.chunk", Kinds::Code)];

/// Returns a folder of scripts, styles or fonts within others, as a rule for it alone names it, and a file there.
///
/// Pages for administrators are not searched.
pub(super) fn folder_within(value: &[u8]) -> Option<(Vec<u8>, Kinds)> {
    let folder = value.strip_suffix(b"*").unwrap_or(value);
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    let last = folder.rsplit(|byte| *byte == b'/').next()?;
    let kinds = match last {
        b"js" | b"javascript" | b"javascripts" => Kinds::Scripts,
        // Drupal has images there, in folders by the style of an image.
        b"styles" if folder.ends_with(b"/files/styles") => return None,
        b"css" | b"styles" | b"stylesheets" => Kinds::Styles,
        b"fonts" => Kinds::Fonts,
        _ => return None,
    };
    let is_searched = !folder.to_ascii_lowercase().windows(5).any(|window| window == b"admin");
    let is_path = folder.starts_with(b"/") && !folder.windows(2).any(|two| two == b"//");
    let is_path = is_path && !folder.iter().any(|byte| matches!(byte, b'*' | b'$' | b'%' | b'?'));
    (is_searched && is_path && folder.iter().filter(|byte| **byte == b'/').count() > 1)
        .then(|| ([folder, b"/x"].concat(), kinds))
}

/// Returns files of a system in a folder of its own that a rule for a part of it is for: `/blog/wp-includes/`.
pub(super) fn files_within(value: &[u8]) -> Vec<(Vec<u8>, Kinds)> {
    let folder = value.strip_suffix(b"*").unwrap_or(value);
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    if folder.iter().any(|byte| b"*$%?".contains(byte)) {
        return Vec::new();
    }
    let own = find(folder, b"/wp-").filter(|at| *at > 0 && !folder[..*at].ends_with(b"/"));
    let Some((before, own)) = own.map(|at| folder.split_at(at)) else { return Vec::new() };
    let is_below = |path: &[u8]| path.strip_prefix(own).is_some_and(|rest| rest.starts_with(b"/"));
    let is_own = |path: &[u8]| is_below(path) && (!is_common_word(path) || is_common_word(&[own, b"/"].concat()));
    let files = RESOURCES.iter().filter(|(path, _)| is_own(path));
    files.map(|(path, kinds)| ([before, path].concat(), *kinds)).collect()
}

/// A file that a page needs and that a rule blocks.
pub(super) struct PageFile {
    pub(super) path: Vec<u8>,
    pub(super) ending: &'static str,
}
