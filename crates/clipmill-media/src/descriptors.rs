//! Running out of file descriptors: an error of the machine, not of the file that was being opened.

use std::error::Error;
use std::io;

/// The message of the C library, also in the output of other programs.
const SIGNS: [&str; 3] = [
    "Too many open files",
    "cannot open shared object file: Error 23",
    "cannot open shared object file: Error 24",
];

/// Whether this process, or the whole system, has no descriptor left.
pub fn are_used_up(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

/// [`are_used_up`] for an error of a library, by its causes.
pub(crate) fn caused(error: &(dyn Error + 'static)) -> bool {
    let io_error = error.downcast_ref::<io::Error>();
    // An error that an `io::Error` wraps is not among its sources.
    let wrapped = io_error.and_then(io::Error::get_ref);
    io_error.is_some_and(are_used_up)
        || wrapped.is_some_and(|wrapped| caused(wrapped))
        || error.source().is_some_and(caused)
}

/// Whether a program ended because it had no descriptor left.
pub(crate) fn are_missed_in(stderr: &str) -> bool {
    SIGNS.iter().any(|sign| stderr.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_and_messages_are_recognised() {
        let error = |code| io::Error::from_raw_os_error(code);
        assert!(are_used_up(&error(libc::EMFILE)) && are_used_up(&error(libc::ENFILE)));
        assert!(!are_used_up(&error(libc::ENOENT)));
        assert!(caused(&io::Error::other(error(libc::EMFILE))));
        assert!(!caused(&io::Error::other("Too many open files")));
        assert!(are_missed_in(&format!("file:/in/x: {}", io::Error::from_raw_os_error(libc::EMFILE))));
        assert!(!are_missed_in("file:/in/x: Invalid data found when processing input"));
    }
}
