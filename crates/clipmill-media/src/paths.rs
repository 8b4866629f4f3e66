//! File names in the form that is passed to ffmpeg.

use std::ffi::OsString;
use std::path::Path;

/// `file:` and the absolute path. Without the prefix a name such as `a:b.mp4` or `concat:x` would be interpreted as a
/// protocol and `-x.mp4` as an option; a relative path would depend on the working folder.
pub fn file_url(path: &Path) -> OsString {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut url = OsString::from("file:");
    url.push(absolute);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_become_plain_files() {
        assert_eq!(file_url(Path::new("/in/concat:a|b.mp4")), "file:/in/concat:a|b.mp4");
        assert_eq!(file_url(Path::new("/in/-x.mp4")), "file:/in/-x.mp4");
        let relative = file_url(Path::new("a:b.mp4")).into_string().unwrap();
        assert!(relative.starts_with("file:/") && relative.ends_with("/a:b.mp4"), "{relative}");
    }
}
