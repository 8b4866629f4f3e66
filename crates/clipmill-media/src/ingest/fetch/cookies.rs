//! Cookies of one download: some servers set one by a redirect and expect it at the redirect's target.
//!
//! The rules of RFC 6265 apply, with two exceptions. A cookie returns only to the host that set it, whatever its
//! `Domain` states, so no list of public suffixes is needed. A cookie that was set over https is never sent over http.

use cookie_store::{Cookie, CookieDomain, CookieStore, RawCookie};
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use url::Url;

/// Further cookies, and larger ones, are ignored.
const MAX_COOKIES: usize = 20;
const MAX_BYTES: usize = 4096;

#[derive(Default)]
pub struct Cookies(CookieStore);

impl Cookies {
    /// Stores the cookies of a response to a request for `url`.
    pub fn store(&mut self, headers: &HeaderMap, url: &Url) {
        for cookie in headers.get_all(SET_COOKIE).iter().filter_map(|value| parse(value, url)) {
            let domain = cookie.domain.as_cow().unwrap_or_default();
            let replaces = self.0.contains(&domain, &cookie.path, cookie.name());
            if replaces || self.0.iter_unexpired().count() < MAX_COOKIES {
                // Fails for a cookie that has already expired.
                let _ = self.0.insert(cookie, url);
            }
        }
    }

    /// The `Cookie` header of a request for `url`.
    pub fn header(&self, url: &Url) -> Option<HeaderValue> {
        let mut cookies = self.0.matches(url);
        // The library sends secure cookies to this machine over http, too.
        cookies.retain(|cookie| url.scheme() == "https" || !cookie.secure().unwrap_or(false));
        cookies.sort_by_key(|cookie| (std::cmp::Reverse(cookie.path.len()), cookie.name()));
        let pairs: Vec<_> =
            cookies.iter().map(|cookie| format!("{}={}", cookie.name(), cookie.value())).collect();
        let mut header = HeaderValue::from_bytes(pairs.join("; ").as_bytes()).ok()?;
        header.set_sensitive(true);
        Some(header).filter(|header| !header.is_empty())
    }
}

/// Reads a `Set-Cookie` header; `None` if the cookie is invalid, too large or for another domain.
fn parse(value: &HeaderValue, url: &Url) -> Option<Cookie<'static>> {
    let mut raw = RawCookie::parse(std::str::from_utf8(value.as_bytes()).ok()?).ok()?;
    if raw.name().len() + raw.value().len() > MAX_BYTES {
        return None;
    }
    if url.scheme() == "https" {
        raw.set_secure(true);
    }
    let mut cookie = Cookie::try_from_raw_cookie(&raw, url).ok()?;
    cookie.domain = CookieDomain::host_only(url).ok()?;
    Some(cookie.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn cookies(from: &str, lines: &[&str]) -> Cookies {
        let mut cookies = Cookies::default();
        let headers =
            lines.iter().map(|line| (SET_COOKIE, HeaderValue::from_bytes(line.as_bytes()).unwrap()));
        cookies.store(&headers.collect(), &url(from));
        cookies
    }

    fn check(set: &str, from: &str, to: &str, expected: Option<&str>) {
        let header = cookies(from, &[set]).header(&url(to));
        let header = header.as_ref().map(|header| std::str::from_utf8(header.as_bytes()).unwrap());
        assert_eq!(header, expected, "`{set}` of {from} for {to}");
    }

    #[test]
    fn a_cookie_returns_to_its_host_only() {
        let from = "https://cdn.example.com/a/b";
        check("k=v; Path=/", from, "https://cdn.example.com/", Some("k=v"));
        check("k=v; Path=/; Domain=example.com", from, "https://cdn.example.com/", Some("k=v"));
        for host in
            ["example.com", "x.cdn.example.com", "other.example.com", "evil.com", "cdn.example.com.evil.com"]
        {
            for domain in ["", "; Domain=example.com", "; Domain=.com", "; Domain=cdn.example.com"] {
                check(&format!("k=v; Path=/{domain}"), from, &format!("https://{host}/"), None);
            }
        }
        check("k=v; Domain=evil.com", from, "https://evil.com/a/", None);
        check("k=v; Domain=evil.com", from, "https://cdn.example.com/a/", None);
        check("k=v; Path=/", "http://8.8.8.8/", "http://8.8.8.8/b", Some("k=v"));
        check("k=v; Path=/; Domain=8.8", "http://8.8.8.8/", "http://1.8.8.8/b", None);
    }

    #[test]
    fn a_cookie_of_https_is_never_sent_over_http() {
        for set in ["k=v; Path=/", "k=v; Path=/; Secure"] {
            check(set, "https://example.com/", "https://example.com/", Some("k=v"));
            check(set, "https://example.com/", "http://example.com/", None);
            check(set, "https://localhost/", "http://localhost/", None);
            check(set, "https://127.0.0.1/", "http://127.0.0.1/", None);
        }
        check("k=v", "http://example.com/", "https://example.com/", Some("k=v"));
        check("k=v; Secure", "http://example.com/", "http://example.com/", None);
    }

    #[test]
    fn paths_and_ends_are_followed() {
        let from = "https://example.com/a/b";
        check("k=v", from, "https://example.com/a/c", Some("k=v"));
        check("k=v", from, "https://example.com/ab", None);
        check("k=v; Path=/x", from, "https://example.com/x/y?z", Some("k=v"));
        check("k=v; Path=/x", from, "https://example.com/xy", None);
        check("k=v; Max-Age=0", from, from, None);
        check("k=v; Max-Age=99999999999999999999", from, from, Some("k=v"));
        check("k=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from, from, None);
        check("k=\"ü, v\"; HttpOnly; SameSite=Strict", from, from, Some("k=\"ü, v\""));
        for broken in ["", ";", "=", "k", "k=v; Domain=\u{fffd}.com", "k=v; Domain=."] {
            let _ = cookies(from, &[broken]).header(&url(from));
        }
        let several = cookies(from, &["b=1", "a=1", "long=1; Path=/a/b", "b=2", "a=; Max-Age=0"]);
        assert_eq!(several.header(&url(from)).unwrap(), "long=1; b=2");
    }

    #[test]
    fn number_and_size_are_bounded() {
        let from = "https://example.com/";
        let lines: Vec<String> = (10..40).map(|n| format!("k{n}=v")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).chain(["k10=last"]).collect();
        let header = cookies(from, &lines).header(&url(from)).unwrap();
        let header = header.to_str().unwrap();
        assert_eq!((header.split("; ").count(), header.starts_with("k10=last; ")), (20, true), "{header}");
        check(&format!("k={}", "v".repeat(4096)), from, from, None);
        let largest = format!("k={}", "v".repeat(4095));
        check(&largest, from, from, Some(&largest));
    }
}
