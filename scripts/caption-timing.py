#!/usr/bin/env python3
"""Makes voices with known times for the tests of caption timing, with espeak-ng, and joins read sentences (Debian:
libespeak-ng1, pocketsphinx-testdata, python3).

    scripts/caption-timing.py FOLDER
    VOICES=FOLDER cargo test -p clipmill-media --lib voices -- --ignored

The first command writes a WAV file and a JSON file for each voice, the second searches them for pauses and writes
crates/clipmill-core/src/subtitle/alignment/voices.json.
"""

import ctypes
import json
import sys
import wave
from pathlib import Path

TEXTS = {
    "en": [
        "Every morning the harbour wakes before the city does. Fishermen unload crates of silver mackerel, and gulls "
        "circle above the pier. By eight o'clock the market is crowded! Have you ever tasted bread straight from a "
        "wood-fired oven? It changes how you think about breakfast. Our guide, a retired sailor named Tom, told us "
        "that the tower was built in 1874. He laughed. Then he pointed at the clouds, which were moving fast, and "
        "said that we should hurry. We did not listen, of course. Half an hour later the whole street was under water.",
        "Three things make a good short video. First, a hook in the opening second. Second, sound that people want to "
        "hear again. Third, a reason to stay until the end. Most creators forget the last one, because it is "
        "difficult, slow and not much fun. But it is the only one that counts.",
    ],
    "cmn": [
        "清晨的港口比城市醒得更早。渔民们卸下一箱箱银色的鲭鱼，海鸥在码头上空盘旋。到了八点，市场里已经挤满了人！"
        "你尝过刚从柴火炉里拿出来的面包吗？它会改变你对早餐的看法。我们的向导是一位退休的水手，他告诉我们，"
        "这座塔建于一百五十年前。他笑了。然后他指着快速移动的云，说我们应该赶快走。我们当然没有听。"
        "半个小时以后，整条街都被水淹没了。",
        "一个好的短视频需要三样东西。第一，开头一秒就要抓住观众。第二，声音要让人想再听一遍。第三，要有看到最后的理由。"
        "大多数创作者都忘记了最后一点，因为它很难，很慢，也不太有趣。但只有它才是最重要的。",
    ],
    "es": [
        "Cada mañana el puerto despierta antes que la ciudad. Los pescadores descargan cajas de caballa plateada, y las "
        "gaviotas vuelan sobre el muelle. A las ocho el mercado está lleno de gente. ¿Has probado alguna vez el pan "
        "recién salido de un horno de leña? Cambia la forma de pensar en el desayuno. Nuestro guía, un marinero "
        "jubilado llamado Tomás, nos contó que la torre tiene ciento cincuenta años. Se rió. Luego señaló las nubes, "
        "que se movían deprisa, y dijo que debíamos darnos prisa. No le hicimos caso, por supuesto. Media hora después "
        "toda la calle estaba bajo el agua.",
        "Tres cosas hacen un buen vídeo corto. Primero, un gancho en el primer segundo. Segundo, un sonido que la gente "
        "quiera oír otra vez. Tercero, una razón para quedarse hasta el final. La mayoría olvida la última, porque es "
        "difícil, lenta y poco divertida. Pero es la única que importa.",
    ],
    "ar": [
        "كل صباح يستيقظ الميناء قبل المدينة. ينزل الصيادون صناديق السمك الفضي، وتحوم النوارس فوق الرصيف. في الساعة "
        "الثامنة يمتلئ السوق بالناس. هل ذقت يوما خبزا خرج للتو من فرن الحطب؟ إنه يغير طريقة تفكيرك في الفطور. دليلنا "
        "بحار متقاعد اسمه سالم، وقد أخبرنا أن البرج بني قبل مئة وخمسين عاما. ضحك كثيرا. ثم أشار إلى الغيوم، التي كانت "
        "تتحرك بسرعة، وقال إن علينا أن نسرع. لم نستمع إليه طبعا. بعد نصف ساعة كان الشارع كله تحت الماء.",
    ],
    "hi": [
        "हर सुबह बंदरगाह शहर से पहले जागता है। मछुआरे चाँदी जैसी मछलियों की पेटियाँ उतारते हैं, और समुद्री पक्षी घाट के ऊपर "
        "चक्कर लगाते हैं। आठ बजे तक बाज़ार लोगों से भर जाता है। क्या आपने कभी लकड़ी के तंदूर से निकली ताज़ी रोटी खाई है? यह नाश्ते "
        "के बारे में आपकी सोच बदल देती है। हमारे गाइड, जो एक सेवानिवृत्त नाविक हैं, ने बताया कि यह मीनार बहुत पुरानी है। वे हँसे। "
        "फिर उन्होंने बादलों की ओर इशारा किया, जो तेज़ी से चल रहे थे, और कहा कि हमें जल्दी करनी चाहिए। हमने उनकी बात नहीं सुनी। "
        "आधे घंटे बाद पूरी सड़क पानी में डूब गई।",
    ],
}
READ_TEXT = (
    "And Mister John Dashwood had then leisure to consider how much there might be prudently in his power to do for "
    "them. He was not an ill-disposed young man. Unless to be rather cold-hearted and rather selfish is to be "
    "ill-disposed. Had he married a more amiable woman, he might have been made still more respectable than he was. He "
    "might even have been made amiable himself."
)
READ_FILES = "/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-{:04}.wav"
READ_NUMBERS = (870, 880, 890, 920, 930)
# Where the sentences start in the joined files, read from a spectrogram, in milliseconds.
READ_STARTS = (220, 7370, 10380, 15670, 21740)
# Words a minute.
SPEEDS = (150, 200)

AUDIO_OUTPUT_RETRIEVAL = 1
RATE = 1
CHARS_UTF8 = 1
POSITION_CHARACTER = 1
EVENT_END, EVENT_WORD, EVENT_SENTENCE = 0, 1, 2


class EventId(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", EventId),
    ]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    espeak = ctypes.CDLL("libespeak-ng.so.1")
    samples: list[bytes] = []
    events: list[tuple[int, int, int]] = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))
    def receive(wav, count, received):
        if wav and count > 0:
            samples.append(ctypes.string_at(wav, count * 2))
        index = 0
        while received[index].type != EVENT_END:
            event = received[index]
            # Positions count from 1.
            events.append((event.type, event.text_position - 1, event.audio_position))
            index += 1
        return 0

    sample_rate = espeak.espeak_Initialize(AUDIO_OUTPUT_RETRIEVAL, 0, None, 0)
    espeak.espeak_SetSynthCallback(receive)
    for language, texts in TEXTS.items():
        for number, text in enumerate(texts):
            for speed in SPEEDS:
                samples.clear()
                events.clear()
                if espeak.espeak_SetVoiceByName(language.encode()) != 0:
                    sys.exit(f"espeak-ng has no voice {language}")
                espeak.espeak_SetParameter(RATE, speed, 0)
                encoded = text.encode()
                espeak.espeak_Synth(encoded, len(encoded) + 1, 0, POSITION_CHARACTER, 0, CHARS_UTF8, None, None)
                espeak.espeak_Synchronize()
                name = f"{language}-{number}-{speed}"
                with wave.open(str(folder / f"{name}.wav"), "wb") as file:
                    file.setnchannels(1)
                    file.setsampwidth(2)
                    file.setframerate(sample_rate)
                    file.writeframes(b"".join(samples))
                words = [(at, ms) for kind, at, ms in events if kind == EVENT_WORD and at >= 0]
                times = dict(words)
                starts = [0] + [at + 1 for at, c in enumerate(text[:-1]) if c in ".!?。！？؟।"]
                starts = [at + (text[at] == " ") for at in starts]
                # Marks before a word are not part of it.
                starts = [at + (text[at] == "¿") for at in starts]
                voice = {"name": name, "text": text, "sentences": [(at, times[at]) for at in starts], "words": words}
                (folder / f"{name}.json").write_text(json.dumps(voice, ensure_ascii=False))
    read(folder)


def read(folder: Path) -> None:
    frames = []
    for number in READ_NUMBERS:
        with wave.open(READ_FILES.format(number), "rb") as file:
            parameters = file.getparams()
            frames.append(file.readframes(file.getnframes()))
    with wave.open(str(folder / "read-en.wav"), "wb") as file:
        file.setparams(parameters)
        file.writeframes(b"".join(frames))
    starts = [0] + [at + 2 for at, c in enumerate(READ_TEXT[:-1]) if c == "."]
    voice = {"name": "read-en", "text": READ_TEXT, "sentences": list(zip(starts, READ_STARTS)), "words": []}
    (folder / "read-en.json").write_text(json.dumps(voice))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
