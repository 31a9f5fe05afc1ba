//! Programs: bytes that are validated once, and then walked.

use robotsc_runtime::url::PlainUrl;
use robotsc_runtime::{PathForm, Program, UrlPath};

use crate::mistake::{Kind, Mistake};
use crate::object::{Answer, Object};

/// Validates the bytes of a program.
pub(crate) fn load(bytes: &[u8]) -> Result<Answer, Mistake> {
    Program::from_bytes(bytes)?;
    Ok(Answer::Object(Object::Program(bytes.to_vec())))
}

/// Reports whether a path, or a plain URL, is allowed. Its path has to be in the form of the program. A path that
/// starts with two slashes needs a host before it.
pub(crate) fn allowed(object: &Object, url: &[u8]) -> Result<Answer, Mistake> {
    // It was validated by `load`.
    let program = Program::from_trusted(object.program()?)?;
    let form = program.path_form();
    let path = match PlainUrl::split(url) {
        Some(url) => url.normalized_path(form).ok_or_else(|| {
            Mistake::new(Kind::Url, format_args!("the path is not in the form that the program compares: {form}"))
        })?,
        None => UrlPath::new(url, form)?,
    };
    Ok(program.verdict(path)?.is_allow().into())
}

/// Returns the form of the paths that a program compares: 0 is that of Google's dialects.
pub(crate) fn path_form(object: &Object) -> Result<Answer, Mistake> {
    Ok(Answer::Number(match Program::from_trusted(object.program()?)?.path_form() {
        PathForm::Escaped => 0,
        PathForm::Canonical { query_reserved: false } => 1,
        PathForm::Canonical { query_reserved: true } => 2,
    }))
}
