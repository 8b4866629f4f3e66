#!/usr/bin/env python3
"""Transcribes a WAV file with Whisper: a program for `speech.transcribe_command`.

Usage: transcribe.py MODEL FILE

MODEL is a folder with a Whisper model for CTranslate2. Prints JSON with the text and the times of its words in seconds.
Needs the package faster-whisper, and no network.
"""

import json
import os
import sys

from faster_whisper import WhisperModel


def main() -> None:
    folder, path = sys.argv[1:]
    model = WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=os.cpu_count() or 1)
    segments, _ = model.transcribe(path, word_timestamps=True, condition_on_previous_text=False)
    words, texts = [], []
    for segment in segments:
        texts.append(segment.text.strip())
        for word in segment.words or []:
            words.append({"start": round(word.start, 3), "end": round(word.end, 3), "text": word.word.strip()})
    json.dump({"text": " ".join(texts), "words": words}, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main()
