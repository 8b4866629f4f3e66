use serde_json::json;

use super::*;

const FILENAME: &str = "/params/videoList/0/filename";

#[track_caller]
fn message(url: &str, policy: &Policy) -> Option<String> {
    let body = with(&bodies::dedup(), FILENAME, json!(url));
    match parse(body.to_string().as_bytes(), policy) {
        Ok(accepted) => {
            assert!(accepted.request.inputs().iter().any(|input| input.url == url), "kept as given");
            None
        }
        Err(RequestError::Invalid { errors, .. }) => {
            assert_eq!((errors.len(), errors[0].path.as_str()), (1, FILENAME));
            Some(errors[0].message.english().to_owned())
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn hostile_urls_are_rejected() {
    let scheme = |name: &str| {
        format!("must be an http://, https://, upload:// or result:// URL; `{name}:` is not accepted")
    };
    let no_url = || "must be an http://, https://, upload:// or result:// URL".to_owned();
    let upload = || "must be an upload:// URL exactly as the upload call returned it".to_owned();
    let result = || {
        let form = "result://, the number of the task, a slash, and the number of the item";
        format!("must name an output: {form}")
    };
    let user = || "must not contain a user name or password".to_owned();
    let cases = [
        ("file:///etc/passwd", scheme("file")),
        ("FILE:/etc/passwd", scheme("file")),
        ("concat:a.mp4|b.mp4", scheme("concat")),
        ("subfile,,start,0,end,9,,:/etc/passwd", scheme("subfile,,start,0,end,9,,")),
        ("data:video/mp4;base64,AAAA", scheme("data")),
        ("javascript:alert(1)", scheme("javascript")),
        ("pipe:0", scheme("pipe")),
        ("s3://bucket/key", scheme("s3")),
        ("ftp://example.com/a.mp4", scheme("ftp")),
        ("-i", no_url()),
        ("/etc/passwd", no_url()),
        ("//example.com/a.mp4", no_url()),
        ("../a.mp4", no_url()),
        ("http:example.com/a", "must have `//` after the scheme".into()),
        ("http:/example.com/a", "must have `//` after the scheme".into()),
        ("http:a://example.com/", "must have `//` after the scheme".into()),
        ("http://", "must name a host".into()),
        ("https:///a.mp4", "must name a host".into()),
        ("http://?a", "must name a host".into()),
        ("http://user:secret@example.com/a", user()),
        ("http://user@example.com/a", user()),
        ("http://@example.com/a", user()),
        ("http://example.com\\@other.example/a", "must not contain a backslash".into()),
        ("http://a b/", "is not a valid URL: invalid international domain name".into()),
        ("http://example.com:99999/", "is not a valid URL: invalid port number".into()),
        ("http://[::1/", "is not a valid URL: invalid IPv6 address".into()),
        (" http://example.com/", "must not begin or end with white space".into()),
        ("http://example.com/a\r\nHost: x", "must not contain control characters or line breaks".into()),
        ("http://example.com/\u{0}", "must not contain control characters or line breaks".into()),
        ("http://example.com/\u{85}", "must not contain control characters or line breaks".into()),
        ("result://", result()),
        ("result://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB", result()),
        ("result://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/0", result()),
        ("result://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1/..", result()),
        ("result://../1", result()),
        ("RESULT://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1", result()),
        ("upload://", upload()),
        ("upload://a/b", upload()),
        ("upload://../x", upload()),
        ("upload:abc", upload()),
        ("UPLOAD://abc", upload()),
        ("upload://ä", upload()),
    ];
    for (url, expected) in cases {
        assert_eq!(message(url, &Policy::default()).as_deref(), Some(expected.as_str()), "{url}");
    }
    assert_eq!(message(&format!("upload://{}", "a".repeat(65)), &Policy::default()), Some(upload()));
}

#[test]
fn ordinary_urls_are_unchanged() {
    let upload = format!("upload://{}", "a".repeat(64));
    let urls = [
        "http://example.com",
        "HTTPS://Example.com/A.mp4?X-Sig=a%2Fb&y=:@#t",
        "https://例え.example/映像.mp4",
        "http://example.com/a@b.mp4",
        "http://[2001:db8::1]:8080/a",
        &upload,
        "result://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/200",
    ];
    for url in urls {
        assert_eq!(message(url, &Policy::default()), None, "{url}");
    }
}

#[test]
fn the_command_line_accepts_files() {
    let local = Policy { allow_local_paths: true, ..Policy::default() };
    for path in
        ["a.mp4", "./a:b.mp4", "/x/y z.mp4", "../映像.mp4", "file:///x/a.mp4", "https://example.com/a"]
    {
        assert_eq!(message(path, &local), None, "{path}");
    }
    for path in [
        "concat:a|b",
        "a:b.mp4",
        "result://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1",
        "-i",
        "file:a.mp4",
        "file://",
        "http:a",
        "data:,x",
        "subfile,,:/etc/passwd",
    ] {
        assert!(message(path, &local).is_some(), "{path}");
    }
}

#[test]
fn the_command_line_has_no_results() {
    let local = Policy { allow_local_paths: true, ..Policy::default() };
    let refused = message("result://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1", &local);
    assert_eq!(
        refused.as_deref(),
        Some("results exist on a server only; download the file and give its path")
    );
}

#[test]
fn a_callback_is_never_a_file_or_an_upload() {
    let local = Policy { allow_local_paths: true, ..Policy::default() };
    for url in ["upload://abc", "result://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1", "file:///x", "a.mp4"] {
        let body = with(&bodies::base(), "/callbackUrl", json!(url));
        assert!(
            matches!(parse(body.to_string().as_bytes(), &local), Err(RequestError::Invalid { .. })),
            "{url}"
        );
    }
}
