//! The one origin that the URLs of a matcher's batch are of.

use robotsc::origin::Origin;

/// The origin of the first URL of a batch, when the robots.txt was parsed without one.
///
/// A robots.txt is that of one origin. Which one is not known here, but URLs of two origins cannot both be of it.
#[derive(Debug, Default)]
pub(crate) struct Site(Option<First>);

#[derive(Debug)]
struct First {
    /// The origin as it was written, so that most URLs need a comparison alone.
    written: Vec<u8>,
    origin: Origin,
}

impl Site {
    /// Checks that a URL is of the origin of the URLs before. Paths, and what is no URL, pass.
    ///
    /// # Errors
    /// Names both origins.
    #[inline]
    pub(crate) fn check(&mut self, url: &[u8]) -> Result<(), String> {
        if url.first() == Some(&b'/') {
            return Ok(());
        }
        if let Some(first) = &self.0
            && let Some(after) = url.strip_prefix(&*first.written)
            && matches!(after.first(), None | Some(b'/' | b'?' | b'#'))
        {
            return Ok(());
        }
        self.check_origin(url)
    }

    #[inline(never)]
    fn check_origin(&mut self, url: &[u8]) -> Result<(), String> {
        let Ok(origin) = Origin::of_url(url) else { return Ok(()) };
        match &self.0 {
            None => {
                self.0 = Some(First { written: written(url).to_vec(), origin });
                Ok(())
            }
            Some(first) if first.origin == origin => Ok(()),
            Some(first) => Err(format!(
                "it is of the origin {origin}, and URLs before it are of {}: a matcher answers for the site of its \
                 robots.txt, a Pack for many",
                first.origin
            )),
        }
    }
}

/// Returns the beginning of a URL up to the path.
fn written(url: &[u8]) -> &[u8] {
    let start = url.windows(3).position(|part| part == b"://").map_or(0, |at| at + 3);
    let end = url[start..].iter().position(|byte| matches!(byte, b'/' | b'?' | b'#' | b'\\'));
    &url[..end.map_or(url.len(), |end| start + end)]
}
