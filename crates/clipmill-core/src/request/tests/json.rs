use super::super::json::{MAX_DEPTH, MAX_VALUES};
use super::*;

#[track_caller]
fn syntax(body: &[u8]) -> (usize, usize, String) {
    match parse(body, &Policy::default()) {
        Err(RequestError::Syntax { line, column, message }) => (line, column, message.english().to_owned()),
        other => panic!("no syntax error: {other:?}"),
    }
}

#[test]
fn syntax_errors_have_line_and_column() {
    let check = |body: &[u8], line, column, message: &str| {
        assert_eq!(syntax(body), (line, column, message.to_owned()), "{}", String::from_utf8_lossy(body));
    };
    check(b"", 1, 1, "the JSON text ends too early (EOF while parsing a value)");
    check(b"{\"a\":", 1, 5, "the JSON text ends too early (EOF while parsing a value)");
    check(b"{\n  \"a\": 1,\n}", 3, 1, "trailing comma");
    check(b"{} x", 1, 4, "trailing characters");
    check(b"{\"a\": NaN}", 1, 7, "expected value");
    check(b"{\"a\": 1e400}", 1, 11, "number out of range");
    check(b"{\"a\": \"\\ud800\"}", 1, 14, "unexpected end of hex escape");
    check(b"{\"a\": \"\xff\"}", 1, 8, "invalid unicode code point");
    check(b"{\"a\": \"x\ny\"}", 2, 1, "control character (\\u0000-\\u001F) found while parsing a string");
}

#[test]
fn duplicate_keys_are_rejected_at_any_depth() {
    let (line, _, message) = syntax(b"{\"a\": [\n{\"b\": 1, \"c\": 2,\n \"b\": 1}]}");
    assert_eq!((line, message.as_str()), (3, "the key \"b\" appears twice in one object"));
    // The same key written with an escape, and a key so long that it would fill the response.
    assert_eq!(syntax(br#"{"a": 1, "\u0061": 2}"#).2, "the key \"a\" appears twice in one object");
    let long = "k".repeat(1 << 20);
    assert!(syntax(format!("{{\"{long}\":1,\"{long}\":1}}").as_bytes()).2.len() < 200);
}

#[test]
fn nesting_ends_at_32_levels() {
    let nested = |depth: usize| format!("{{\"x\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    let at_limit = parse(nested(MAX_DEPTH).as_bytes(), &Policy::default());
    assert!(matches!(at_limit, Err(RequestError::Invalid { .. })), "{at_limit:?}");
    let message = "nested deeper than 32 levels";
    for depth in [MAX_DEPTH + 1, 127, 128, 129, 1000] {
        let (line, column, found) = syntax(nested(depth).as_bytes());
        assert_eq!((line, found.as_str()), (1, message), "depth {depth}");
        // The error is at the bracket that is one too deep, or after it if the parser had read ahead.
        assert!((5 + MAX_DEPTH..=6 + MAX_DEPTH).contains(&column), "column {column} at depth {depth}");
    }
    assert_eq!(syntax(&vec![b'['; 33 << 20]).2, message);
    assert_eq!(syntax("{\"a\":".repeat(1000).as_bytes()).2, message);
}

#[test]
fn the_number_of_values_is_bounded() {
    let body = format!("[{}0]", "0,".repeat(MAX_VALUES));
    assert_eq!(syntax(body.as_bytes()).2, "more than 500000 values in one body");
}

#[test]
fn a_body_that_is_not_an_object_is_an_invalid_field() {
    for body in ["[]", "5", "\"text\"", "true", "[{}]"] {
        let Err(RequestError::Invalid { errors, .. }) = parse(body.as_bytes(), &Policy::default()) else {
            panic!("{body}")
        };
        assert_eq!((errors[0].path.as_str(), errors[0].message.english()), ("", "must be an object"));
    }
    let Err(RequestError::Invalid { errors, .. }) = parse(b"null", &Policy::default()) else { panic!() };
    assert_eq!(errors.len(), 1);
}

#[test]
fn a_byte_order_mark_is_accepted() {
    let body = format!("\u{feff}{}", bodies::base());
    assert!(parse(body.as_bytes(), &Policy::default()).is_ok());
}
