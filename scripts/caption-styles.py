#!/usr/bin/env python3
"""Renders the named caption styles: a moving preview of each (NAME.webp) and one image of all of them (sheet.jpg).

    scripts/caption-styles.py PROGRAM docs/images/captions

With --sheets it renders every style on bright, dark and busy footage in several sizes instead, to inspect them:

    scripts/caption-styles.py PROGRAM FOLDER --sheets

PROGRAM is a built clipmill. Look at the images before you commit them. Needs ffmpeg with libwebp.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
STYLES = ["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]
WORDS = "Your words move with the voice"
TEXTS = [
    "Every morning the harbour wakes before the city does, and fishermen unload.",
    "清晨的港口比城市醒得更早，渔民们卸下一箱箱鲭鱼。",
    "مرحبا بكم في مدينة iPhone الجميلة 😀",
]
SIZES = ["1080:1920", "1920:1080", "1080:1080", "720:1280"]
FRAMES = [3, 25, 70, 93, 115, 160, 182, 205, 250]
SECONDS = 2.4
STILL = 1.2


def ffmpeg(*args):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, args)], check=True)


def render(program, folder, name, preset, videos, size, cues):
    """Renders one video and returns its file."""
    subtitle = {"cues": cues, "style": {"preset": preset}}
    options = {"resolution": size, "resolutionMode": "crop", "originalVolume": 0, "subtitle": subtitle}
    params = {"seed": 1, "videoList": [{"videos": videos}], "options": options}
    request = folder / f"{name}.json"
    request.write_text(json.dumps({"taskType": "baseVideoMix", "params": params}))
    subprocess.run([program, "render", request, "--out", folder / name], check=True)
    return next((folder / name).glob("*.mp4"))


def stack(files, target, layout, *options):
    inputs = [word for file in files for word in ("-i", file)]
    ffmpeg(*inputs, "-filter_complex", f"xstack=inputs={len(files)}:layout={layout}", *options, target)


def previews(program, target, folder):
    stills = []
    for name in STYLES:
        cue = {"start": 0.1, "end": SECONDS, "text": WORDS}
        image = {"url": str(SAMPLES / "picture.jpg"), "duration": SECONDS + 0.2}
        video = render(program, folder, name, name, [image], "1080:1080", [cue])
        # Noise of the encoder would make the still background move.
        small = "hqdn3d=0:0:12:12,fps=15,scale=240:-2:flags=lanczos"
        # The loop begins in the middle, because pages show its first frame as a still image.
        loop = f"split[a][b];[a]trim=start={STILL},setpts=PTS-STARTPTS[a];[b]trim=end={STILL}[b];[a][b]concat"
        encoder = ["-c:v", "libwebp_anim", "-quality", 50, "-compression_level", 6]
        ffmpeg("-i", video, "-vf", f"{small},{loop}", "-loop", 0, *encoder, target / f"{name}.webp")
        stills.append(folder / f"{name}.png")
        ffmpeg("-ss", STILL, "-i", video, "-frames:v", 1, "-vf", "scale=360:-2", stills[-1])
    layout = "|".join(f"{i % 5 * 360}_{i // 5 * 360}" for i in range(len(stills)))
    stack(stills, target / "sheet.jpg", layout, "-q:v", 5)


def sheets(program, target, folder):
    grounds = {"bright": "0xF4F4EE", "dark": "0x101014"}
    for name, color in grounds.items():
        source = f"color=c={color}:s=640x640:r=30:d=4"
        ffmpeg("-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p", folder / f"{name}.mp4")
    clips = [folder / "bright.mp4", folder / "dark.mp4", SAMPLES / "city.mp4"]
    videos = [{"url": str(clip), "to": 3} for clip in clips]
    cues = [{"start": 3 * i, "end": 3 * i + 3, "text": text} for i, text in enumerate(TEXTS)]
    for size in SIZES:
        rows = []
        for style in STYLES:
            name = f"{style}-{size.replace(':', 'x')}"
            video = render(program, folder, name, style, videos, size, cues)
            rows.append(folder / f"{name}.png")
            selected = "+".join(f"eq(n\\,{frame})" for frame in FRAMES)
            tiles = f"select={selected},scale=-2:300,tile={len(FRAMES)}x1"
            ffmpeg("-i", video, "-vf", tiles, "-frames:v", 1, rows[-1])
        layout = "|".join(f"0_{i * 300}" for i in range(len(rows)))
        stack(rows, target / f"{size.replace(':', 'x')}.png", layout)


def main():
    program, target = sys.argv[1], Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        make = sheets if "--sheets" in sys.argv else previews
        make(program, target, Path(folder))


main()
