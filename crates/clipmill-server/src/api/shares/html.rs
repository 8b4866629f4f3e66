//! The markup of shared pages. Texts of the owner are escaped; texts of viewers are added by the script, as text.

use clipmill_core::request::SharePage;

use super::link::{Video, name};
use crate::context::{Language, current_language};

/// The page; `at` is its own path.
pub(super) fn page(at: &str, page: &SharePage, videos: &[Video]) -> String {
    let (no_title, download, all, no_script) = match current_language() {
        Language::English => {
            ("Shared videos", "Download", "Download all", "Turn on JavaScript to pick videos and comment.")
        }
        Language::Chinese => ("分享的视频", "下载", "全部下载", "启用 JavaScript 后即可选片和留言。"),
    };
    let title = escaped(page.title.as_deref().unwrap_or(no_title));
    let message = page.message.as_deref().map(escaped);
    let message =
        message.map(|text| format!("<p class=\"message\" dir=\"auto\">{text}</p>")).unwrap_or_default();
    let all = match videos {
        [_] => String::new(),
        _ => format!("<a class=\"button\" href=\"{at}/all.zip\" download>{all} ({})</a>", videos.len()),
    };
    let items: String = (1..).zip(videos).map(|(number, video)| item(at, number, video, download)).collect();
    let (data, script) = if page.feedback {
        (format!(" data-feedback=\"{at}\""), "<script src=\"/s/share.js\" defer></script>")
    } else {
        (String::new(), "")
    };
    let no_script =
        if page.feedback { format!("<noscript><p>{no_script}</p></noscript>") } else { String::new() };
    let body = format!(
        "<main{data}><h1 dir=\"auto\">{title}</h1>{message}<div class=\"all\">{all}</div>{no_script}\
         <ul class=\"videos\">{items}</ul></main>"
    );
    whole(&title, script, &body)
}

fn item(at: &str, number: usize, Video { item, result }: &Video, download: &str) -> String {
    let name = name(*item);
    let poster = result.cover.as_ref().map(|_| format!(" poster=\"{at}/{name}.jpg\"")).unwrap_or_default();
    // With several tasks, the same number would appear more than once.
    let number = item.place.map_or(item.item_no.to_string(), |_| number.to_string());
    let (label, colon) = match current_language() {
        Language::English => (format!("Video {number}"), ": "),
        Language::Chinese => (format!("视频 {number}"), "："),
    };
    let (width, height) = (result.width, result.height);
    let seconds = result.duration_ms.div_ceil(1000);
    format!(
        "<li data-item=\"{name}\" data-label=\"{label}\"><video controls playsinline preload=\"none\" width=\"{width}\" \
         height=\"{height}\" aria-label=\"{label}\"{poster} src=\"{at}/{name}.mp4\"></video>\
         <div class=\"bar\"><span>{number} · {}:{:02}</span>\
         <a class=\"button\" href=\"{at}/{name}.mp4?download=1\" download aria-label=\"{download}{colon}{label}\">{download}</a>\
         </div></li>",
        seconds / 60,
        seconds % 60
    )
}

pub(super) fn not_found() -> String {
    let (title, text) = match current_language() {
        Language::English => ("Not shared any more", "This link has ended, or never led to anything."),
        Language::Chinese => ("分享已结束", "该链接已失效，或不存在。"),
    };
    whole(title, "", &format!("<main><h1>{title}</h1><p>{text}</p></main>"))
}

fn whole(title: &str, script: &str, body: &str) -> String {
    let language = match current_language() {
        Language::English => "en",
        Language::Chinese => "zh",
    };
    format!(
        "<!doctype html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex,nofollow\"><title>{title}</title>\
         <link rel=\"stylesheet\" href=\"/s/share.css\">{script}</head><body>{body}</body></html>"
    )
}

/// The text as HTML shows it, in elements and in quoted attributes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_owner_are_never_markup() {
        let page = SharePage {
            title: Some("<img src=x onerror=a>".to_owned()),
            message: Some("\"'&</p><script>b</script>".to_owned()),
            feedback: false,
        };
        let html = super::page("/s/7/x", &page, &[]);
        assert!(!html.contains("<img") && !html.contains("<script"), "{html}");
        assert!(html.contains("<title>&lt;img src=x onerror=a&gt;</title>"), "{html}");
        assert!(html.contains("&quot;&#39;&amp;&lt;/p&gt;&lt;script&gt;b"), "{html}");
    }
}
