#!/usr/bin/env python3
"""Renders the named caption styles: a moving preview of each (docs/images/captions/NAME.webp), and contact sheets.

    scripts/caption-styles.py PROGRAM FOLDER           previews and a sheet of all styles into FOLDER
    scripts/caption-styles.py PROGRAM FOLDER --sheets  sheets of every style on bright, dark and busy footage in several sizes

PROGRAM is a built clipmill. Look at the images before you commit them. Needs ffmpeg with libwebp.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
STYLES = ["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]
WORDS = "Your words move with the voice"
LONG = "Every morning the harbour wakes before the city does, and fishermen unload crates of silver mackerel."
CHINESE = "清晨的港口比城市醒得更早，渔民们卸下一箱箱银色的鲭鱼。"
SIZES = ["1080:1920", "1920:1080", "1080:1080", "720:1280"]
SECONDS = 2.4
PREVIEW_WIDTH = 240


def run(*args):
    subprocess.run([str(arg) for arg in args], check=True)


def render(program, folder, name, style, clip, size, cues):
    """Renders one video and returns its file."""
    options = {"resolution": size, "resolutionMode": "crop", "originalVolume": 0, "subtitle": {"cues": cues, "style": style}}
    end = cues[-1]["end"] + 0.2
    body = {
        "taskType": "baseVideoMix",
        "params": {"seed": 1, "videoList": [{"videos": [{"url": str(clip), "duration": end}], "totalDuration": end}], "options": options},
    }
    request = folder / f"{name}.json"
    request.write_text(json.dumps(body))
    output = folder / name
    run(program, "render", request, "--out", output)
    return next(output.glob("*.mp4"))


def previews(program, target):
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in STYLES:
            cue = {"start": 0.1, "end": SECONDS, "text": WORDS}
            video = render(program, folder, name, {"preset": name}, SAMPLES / "picture.jpg", "1080:1080", [cue])
            # Noise of the encoder would make the still background move.
            run("ffmpeg", "-v", "error", "-y", "-i", video, "-vf", f"hqdn3d=0:0:12:12,fps=15,scale={PREVIEW_WIDTH}:-2:flags=lanczos", "-loop", 0,
                "-c:v", "libwebp_anim", "-quality", 50, "-compression_level", 6, target / f"{name}.webp")
            run("ffmpeg", "-v", "error", "-y", "-ss", 1.2, "-i", video, "-frames:v", 1, "-vf", "scale=360:-2", folder / f"{name}.png")
        inputs = [word for name in STYLES for word in ("-i", folder / f"{name}.png")]
        layout = "|".join(f"{i % 5 * 360}_{i // 5 * 360}" for i in range(len(STYLES)))
        run("ffmpeg", "-v", "error", "-y", *inputs, "-filter_complex", f"xstack=inputs={len(STYLES)}:layout={layout}", "-q:v", 5,
            target / "sheet.jpg")


def sheets(program, target):
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, source in [("bright", "color=c=0xF4F4EE:s=640x640:r=30:d=12"), ("dark", "color=c=0x101014:s=640x640:r=30:d=12")]:
            run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p", folder / f"{name}.mp4")
        clips = [folder / "bright.mp4", folder / "dark.mp4", SAMPLES / "city.mp4"]
        cues = [{"start": 0, "end": 3, "text": LONG}, {"start": 3, "end": 5, "text": CHINESE}, {"start": 5, "end": 5.8, "text": "Gönül שלום"}]
        for style in STYLES:
            for size in SIZES:
                rows = []
                for clip in clips:
                    name = f"{style}-{size.replace(':', 'x')}-{clip.stem}"
                    video = render(program, folder, name, {"preset": style}, clip, size, cues)
                    row = folder / f"{name}.png"
                    times = "+".join(f"eq(n\\,{n})" for n in (4, 22, 50, 85, 97, 125, 165))
                    run("ffmpeg", "-v", "error", "-y", "-i", video, "-vf", f"select={times},scale=-2:360,tile=7x1", "-frames:v", 1, row)
                    rows.append(row)
                inputs = [word for row in rows for word in ("-i", row)]
                run("ffmpeg", "-v", "error", "-y", *inputs, "-filter_complex", f"vstack=inputs={len(rows)}", "-q:v", 3,
                    target / f"{style}-{size.replace(':', 'x')}.jpg")


def main():
    program, target = sys.argv[1], Path(sys.argv[2])
    (sheets if "--sheets" in sys.argv else previews)(program, target)


main()
