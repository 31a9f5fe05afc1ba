//! The command, which the wheel carries.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command ``robotsc`` in this process, and returns its exit code.
///
/// The wheel's console script and ``python -m robotsc`` call it. It reads standard input and writes standard output
/// and standard error of the process, not ``sys.stdout``. It can be called again. After ``census``, ``fetch`` or
/// ``filter`` Ctrl-C ends the process without a ``KeyboardInterrupt``: in a program of your own, start
/// ``python -m robotsc`` in its place.
///
/// Args:
///     arguments: The command line, the name of the program first.
///
/// Returns:
///     0 if all is allowed or nothing was found, 1 if something is disallowed or was found, 2 after an error.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| robotsc_cli::run(arguments))
}
