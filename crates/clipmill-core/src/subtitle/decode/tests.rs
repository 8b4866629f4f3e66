use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GB18030, IBM866, ISO_8859_5, KOI8_U, SHIFT_JIS, WINDOWS_874, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
};

use super::*;

const TEXT: &str = "1\r\n00:00:01,000 --> 00:00:02,000\r\n你好,世界\r\n";

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let unit = |u: u16| if big { u.to_be_bytes() } else { u.to_le_bytes() };
    text.encode_utf16().flat_map(unit).collect()
}

#[test]
fn utf_32_is_refused() {
    let little: Vec<u8> = TEXT.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    assert!(decode(&[&[0xff, 0xfe, 0, 0], little.as_slice()].concat()).is_err());
}

#[test]
fn every_documented_encoding_is_read() {
    let (gb, _, _) = GB18030.encode(TEXT);
    let marked = format!("\u{feff}{TEXT}");
    let cases: [(&str, Vec<u8>); 7] = [
        ("utf-8", TEXT.into()),
        ("utf-8 with a mark", marked.clone().into()),
        ("utf-16le with a mark", utf16(&marked, false)),
        ("utf-16be with a mark", utf16(&marked, true)),
        ("utf-16le", utf16(TEXT, false)),
        ("utf-16be", utf16(TEXT, true)),
        ("gb18030", gb.into_owned()),
    ];
    for (name, bytes) in cases {
        assert_eq!(decode(&bytes), Ok(TEXT.to_owned()), "{name}");
    }
}

#[test]
fn short_chinese_words_and_four_byte_characters_are_gb18030() {
    for word in ["谢谢观看", "我们走吧。", "café 咖啡很好喝，我们走吧", "🎬开始了吗", "我们㐀㑇走吧"]
    {
        let text = format!("00:00:01,000 --> 00:00:02,000\n{word}\n");
        let (bytes, _, _) = GB18030.encode(&text);
        assert_eq!(decode(&bytes), Ok(text));
    }
}

#[test]
fn western_text_is_not_mistaken_for_chinese() {
    let bytes = b"00:00:01,000 --> 00:00:02,000\nUn caf\xe9 cr\xe8me, s'il vous pla\xeet\n";
    assert!(decode(bytes).unwrap().contains("Un café crème"));
}

#[test]
fn damaged_text_names_the_line() {
    let check = |bytes: &[u8], line: usize| assert_eq!(decode(bytes).unwrap_err().line, line);
    check(b"\xef\xbb\xbf1\n2\n\xff\xff\n", 3);
    check(b"1\n2\n\xff\xff\xff\n", 3);
    check(b"\xff\xfe1\0\n\0\x00\xd8", 2);
}

fn encoded(encoding: &'static Encoding, text: &str) -> (String, Vec<u8>) {
    let text = format!("1\n00:00:01,000 --> 00:00:02,000\n{text}\n");
    let (bytes, _, lacks) = encoding.encode(&text);
    assert!(!lacks, "{text}");
    (text.clone(), bytes.into_owned())
}

#[test]
fn encodings_of_east_asia_are_distinguished() {
    for (encoding, texts) in [
        (BIG5, ["繁體中文字幕，測試許功蓋", "大家好，歡迎來到我的頻道", "他說他不知道這件事情的經過"]),
        (SHIFT_JIS, ["こんにちは、世界。表示", "行こう！", "カメラ"]),
        (EUC_JP, ["こんにちは、世界。表示", "ありがとう", "二行目の字幕です"]),
        (EUC_KR, ["안녕하세요 세계", "감사합니다", "똠방각하 펲시콜라"]),
        (ISO_2022_JP, ["こんにちは", "東京", "はい"]),
        (GB18030, ["今天我们来聊一聊如何做出好看的短视频", "谢谢观看", "這是繁體中文的字幕"]),
    ] {
        for text in texts {
            let (text, bytes) = encoded(encoding, text);
            assert_eq!(decode(&bytes), Ok(text), "{}", encoding.name());
        }
    }
}

/// A wrong guess would draw other characters.
#[test]
fn ambiguous_short_text_is_read_correctly_or_rejected() {
    for (encoding, text) in [
        (BIG5, "你好"),
        (BIG5, "中文"),
        (BIG5, "好"),
        (BIG5, "謝謝觀看"),
        (GB18030, "无法读取画面尺寸"),
        (SHIFT_JIS, "東京"),
        (EUC_KR, "똠"),
    ] {
        let (text, bytes) = encoded(encoding, text);
        assert!(decode(&bytes).is_ok_and(|read| read == text) || decode(&bytes).is_err(), "{text}");
    }
}

#[test]
fn text_with_one_byte_per_character_is_read() {
    for (encoding, text) in [
        (WINDOWS_1251, "Привет, мир\nВторая строка титров"),
        (WINDOWS_1252, "Ça va être l’été\nDeuxième réplique, à côté"),
        (WINDOWS_1252, "Das schöne Mädchen für Köln und München"),
        (WINDOWS_1252, "I don’t know, it’s “fine”"),
        (WINDOWS_1252, "¿Qué pasa, señor? ¡Mañana!"),
    ] {
        let (text, bytes) = encoded(encoding, text);
        assert_eq!(decode(&bytes), Ok(text));
    }
}

#[test]
fn damaged_text_is_refused_and_not_read_in_another_encoding() {
    let chinese = "今天我们来聊一聊如何做出好看的短视频\n".repeat(4);
    for (encoding, text) in [
        (UTF_8, chinese.clone()),
        (UTF_8, "简体中文字幕".to_owned()),
        (UTF_8, "Ça va être l’été à côté".to_owned()),
        (GB18030, chinese),
        (BIG5, "繁體中文字幕，測試許功蓋的\n".repeat(6)),
        (SHIFT_JIS, "こんにちは、世界。表示\n".repeat(6)),
        (EUC_KR, "한국어 자막은 띄어쓰기가 있어서\n".repeat(6)),
    ] {
        let (_, mut bytes) = encoded(encoding, &text);
        let last = bytes.iter().rposition(|b| !b.is_ascii()).unwrap();
        bytes.remove(last);
        assert!(decode(&bytes).is_err(), "{}: {:?}", encoding.name(), decode(&bytes));
    }
}

/// Captions in many languages, with the encodings that they are written in.
const CAPTIONS: &[(&[&Encoding], &[&str])] = &[
    (
        &[GB18030],
        &[
            "今天我们来聊一聊如何做出好看的短视频",
            "大家好，欢迎来到我的频道，别忘了点赞和关注。",
            "你知道吗？他其实早就离开这座城市了……",
            "这款面膜补水效果特别好，敏感肌也可以放心使用",
            "老板，来一碗牛肉面，多放点辣椒！",
            "第二天早上，雨终于停了，孩子们跑到院子里玩",
            "把鸡蛋打散，加入少许盐和葱花，倒进热锅里",
            "无法读取画面尺寸，请重新上传文件",
            "限时优惠，全场满三百减五十，赶快下单吧",
            "妈妈说过，遇到困难的时候不要害怕，要勇敢面对",
        ],
    ),
    (
        &[BIG5, GB18030],
        &[
            "大家好，歡迎來到我的頻道，記得訂閱喔",
            "他說他不知道這件事情的經過",
            "今天要跟各位分享三個簡單的料理方法",
            "我們明天早上八點在車站前面見面吧！",
            "這間咖啡廳的氣氛真的很舒服",
            "謝謝觀看，我們下次再見",
            "請問最近的捷運站要怎麼走？",
        ],
    ),
    (
        &[SHIFT_JIS, EUC_JP],
        &[
            "こんにちは、世界。今日はいい天気ですね。",
            "東京の新しいカフェを紹介します",
            "チャンネル登録と高評価をよろしくお願いします！",
            "彼は何も言わずに部屋を出て行った",
            "ちょっと待って、それは私のカメラです",
            "明日の朝、駅で会いましょう",
            "ありがとうございました",
        ],
    ),
    (
        &[EUC_KR],
        &[
            "안녕하세요, 오늘도 제 채널을 찾아 주셔서 감사합니다",
            "그 사람은 아무 말도 하지 않고 나가 버렸어요",
            "내일 아침 여덟 시에 역 앞에서 만나자",
            "이 커피는 정말 맛있네요",
            "구독과 좋아요 부탁드립니다!",
            "비가 그치고 아이들이 마당에서 놀았다",
            "한국어 자막은 띄어쓰기가 있어서 읽기 쉽다",
        ],
    ),
    (
        &[WINDOWS_1251, KOI8_U, ISO_8859_5, IBM866],
        &[
            "Привет, мир! Это мой новый канал.",
            "Он ушёл, не сказав ни слова",
            "Завтра утром встретимся у вокзала",
            "Спасибо за просмотр, до новых встреч",
            "КОНЕЦ ПЕРВОЙ СЕРИИ",
            "Мама, я больше так не буду",
            "Сколько стоит этот билет?",
        ],
    ),
    (
        &[WINDOWS_1252],
        &[
            "Ça va être l’été, on part à la mer avec les élèves",
            "Das schöne Mädchen fährt für drei Tage nach Köln",
            "¿Qué pasa, señor? ¡Mañana será otro día!",
            "Não sei o que você está fazendo aqui, irmão",
            "Perché non è più venuto? Così è la vita",
            "Jag vet inte vad du säger, men det är så här",
            "Det er ikke så godt på øen, når sæsonen er forbi",
            "I don’t know, it’s “fine” – a naïve café idea",
        ],
    ),
    (
        &[WINDOWS_1250],
        &[
            "Cześć, będę gotowy później, dziękuję",
            "Dobrý večer, už je příliš pozdě",
            "A rövid történet végén elköszönt tőle",
        ],
    ),
    (&[WINDOWS_1253], &["Καλημέρα σας, τι κάνετε σήμερα;", "Δεν ξέρω πού πήγε ο αδελφός μου"]),
    (&[WINDOWS_1254], &["Günaydın, bugün hava çok güzel değil mi?", "Şimdi ne yapacağız, söyle bakalım"]),
    (&[WINDOWS_1255], &["שלום לכולם, ברוכים הבאים לערוץ שלי", "הוא יצא בלי לומר מילה"]),
    (&[WINDOWS_1256], &["مرحبا بكم في قناتي الجديدة", "لا أعرف أين ذهب أخي"]),
    (&[WINDOWS_874], &["สวัสดีครับ ยินดีต้อนรับสู่ช่องของผม", "พรุ่งนี้เช้าเจอกันที่สถานี"]),
];

/// Every prefix of every caption is read correctly, or rejected.
#[test]
fn no_caption_is_read_in_another_encoding() {
    for (encodings, captions) in CAPTIONS {
        for (encoding, caption) in encodings.iter().flat_map(|e| captions.iter().map(move |c| (*e, *c))) {
            let ends = caption.char_indices().map(|(at, c)| at + c.len_utf8());
            for beginning in ends.map(|end| &caption[..end]).filter(|text| !text.is_ascii()) {
                let (text, bytes) = encoded(encoding, beginning);
                if std::str::from_utf8(&bytes).is_ok() {
                    continue; // A single character may be valid UTF-8 by chance.
                }
                let read = decode(&bytes);
                let characters = beginning.chars().filter(|c| !c.is_ascii()).count();
                let least = if encoding.is_single_byte() { 20 } else { 8 };
                match read {
                    Ok(read) => assert_eq!(read, text, "{}", encoding.name()),
                    Err(_) => assert!(characters < least, "{}: {beginning} is refused", encoding.name()),
                }
            }
        }
    }
}
