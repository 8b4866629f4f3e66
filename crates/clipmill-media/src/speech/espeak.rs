//! The voices of `espeak-ng`, which speaks drafts: a robot's voice, but in many languages and without a service.

/// The program's name.
pub const PROGRAM: &str = "espeak-ng";

/// The command line that speaks a text.
pub const LINE: [&str; 7] = [PROGRAM, "-v", "{voice}", "-s", "{wordsPerMinute}", "--stdin", "--stdout"];

/// A voice, by its language, with its name in English and Chinese.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EspeakVoice {
    pub name: &'static str,
    pub title_en: &'static str,
    pub title_zh: &'static str,
}

macro_rules! voices {
    ($($name:literal $title_en:literal $title_zh:literal;)+) => {
        /// The usual voices, the default first.
        pub const VOICES: &[EspeakVoice] =
            &[$(EspeakVoice { name: $name, title_en: $title_en, title_zh: $title_zh },)+];
    };
}

voices! {
    "en-us" "English (United States)" "英语（美国）";
    "en-gb" "English (United Kingdom)" "英语（英国）";
    "cmn" "Chinese (Mandarin)" "汉语（普通话）";
    "yue" "Chinese (Cantonese)" "粤语";
    "ar" "Arabic" "阿拉伯语";
    "bg" "Bulgarian" "保加利亚语";
    "bn" "Bengali" "孟加拉语";
    "ca" "Catalan" "加泰罗尼亚语";
    "cs" "Czech" "捷克语";
    "da" "Danish" "丹麦语";
    "de" "German" "德语";
    "el" "Greek" "希腊语";
    "es" "Spanish (Spain)" "西班牙语（西班牙）";
    "es-419" "Spanish (Latin America)" "西班牙语（拉丁美洲）";
    "et" "Estonian" "爱沙尼亚语";
    "fa" "Persian" "波斯语";
    "fi" "Finnish" "芬兰语";
    "fr-fr" "French (France)" "法语（法国）";
    "gu" "Gujarati" "古吉拉特语";
    "hi" "Hindi" "印地语";
    "hr" "Croatian" "克罗地亚语";
    "hu" "Hungarian" "匈牙利语";
    "id" "Indonesian" "印度尼西亚语";
    "it" "Italian" "意大利语";
    "ja" "Japanese" "日语";
    "kn" "Kannada" "卡纳达语";
    "ko" "Korean" "韩语";
    "lt" "Lithuanian" "立陶宛语";
    "lv" "Latvian" "拉脱维亚语";
    "ml" "Malayalam" "马拉雅拉姆语";
    "mr" "Marathi" "马拉地语";
    "ms" "Malay" "马来语";
    "my" "Burmese" "缅甸语";
    "nb" "Norwegian" "挪威语";
    "ne" "Nepali" "尼泊尔语";
    "nl" "Dutch" "荷兰语";
    "pa" "Punjabi" "旁遮普语";
    "pl" "Polish" "波兰语";
    "pt" "Portuguese (Portugal)" "葡萄牙语（葡萄牙）";
    "pt-br" "Portuguese (Brazil)" "葡萄牙语（巴西）";
    "ro" "Romanian" "罗马尼亚语";
    "ru" "Russian" "俄语";
    "sk" "Slovak" "斯洛伐克语";
    "sl" "Slovenian" "斯洛文尼亚语";
    "sr" "Serbian" "塞尔维亚语";
    "sv" "Swedish" "瑞典语";
    "sw" "Swahili" "斯瓦希里语";
    "ta" "Tamil" "泰米尔语";
    "te" "Telugu" "泰卢固语";
    "th" "Thai" "泰语";
    "tr" "Turkish" "土耳其语";
    "ur" "Urdu" "乌尔都语";
    "vi" "Vietnamese" "越南语";
}

/// The voice for a text without one, by its script.
pub(super) fn voice_of(text: &str) -> &'static str {
    // Chinese characters also occur in Japanese.
    if text.chars().any(|c| matches!(c, '\u{3041}'..='\u{30ff}')) {
        return "ja";
    }
    text.chars().find_map(voice_of_letter).unwrap_or("en-us")
}

fn voice_of_letter(c: char) -> Option<&'static str> {
    Some(match c {
        'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}' => "en-us",
        '\u{370}'..='\u{3ff}' => "el",
        '\u{400}'..='\u{4ff}' => "ru",
        '\u{600}'..='\u{6ff}' => "ar",
        '\u{900}'..='\u{97f}' => "hi",
        '\u{980}'..='\u{9ff}' => "bn",
        '\u{a00}'..='\u{a7f}' => "pa",
        '\u{a80}'..='\u{aff}' => "gu",
        '\u{b80}'..='\u{bff}' => "ta",
        '\u{c00}'..='\u{c7f}' => "te",
        '\u{c80}'..='\u{cff}' => "kn",
        '\u{d00}'..='\u{d7f}' => "ml",
        '\u{e00}'..='\u{e7f}' => "th",
        '\u{1000}'..='\u{109f}' => "my",
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}' => "ko",
        '\u{4e00}'..='\u{9fff}' => "cmn",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_voice_follows_the_script() {
        for (text, voice) in [
            ("", "en-us"),
            ("123 Hello 你好", "en-us"),
            ("“你好”", "cmn"),
            ("漢字とかな", "ja"),
            ("안녕하세요", "ko"),
            ("Здравствуй", "ru"),
            ("नमस्ते", "hi"),
            ("مرحبا", "ar"),
        ] {
            assert_eq!(voice_of(text), voice, "{text}");
            assert!(VOICES.iter().any(|known| known.name == voice));
        }
    }
}
