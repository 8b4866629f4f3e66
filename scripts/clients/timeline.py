"""An output as a project for an editing program, read by OpenTimelineIO: every cut is where the request puts it, within
one frame."""

import io
import json
import sys
import tempfile
import time
import urllib.request
import zipfile
from pathlib import Path

import opentimelineio as otio

FPS = 30
# In-points, and lengths of clips in seconds; clips overlap by half a second.
CLIPS = [(0.5, 2.0), (1.0, 1.5), (0.25, 2.5)]
OVERLAP = 0.5
CAPTIONS = [(0.5, 1.5, "First"), (2.0, 3.0, "Second")]


def expect(true, what):
    if not true:
        raise SystemExit(f"failed: {what}")


def near(found, expected, what):
    expect(abs(found - expected) <= 1 / FPS + 1e-6, f"{what}: {found:.4f} s, not {expected:.4f} s")


class Service:
    def __init__(self, base, key):
        self.base, self.key = base, key

    def call(self, method, path, body=None, form="application/json"):
        headers = {"X-API-Key": self.key, "Content-Type": form}
        request = urllib.request.Request(self.base + path, body, headers, method=method)
        with urllib.request.urlopen(request) as response:
            return response.read()

    def data(self, method, path, body=None):
        content = None if body is None else json.dumps(body).encode()
        return json.loads(self.call(method, path, content))["data"]


def submit(service, samples):
    def upload(name):
        path = f"/open-api/v1/uploads?fileName={name}"
        return json.loads(service.call("POST", path, (samples / name).read_bytes(), "application/octet-stream"))["data"]["url"]

    city, speech, logo = upload("city.mp4"), upload("speech.wav"), upload("logo.png")
    videos = [{"url": city, "from": start, "to": start + length} for start, length in CLIPS]
    options = {
        "fps": FPS,
        "preset": "draft",
        "transition": {"names": ["fade"], "duration": OVERLAP},
        "backgroundMusic": {"url": speech, "volume": 40, "fadeIn": 0.5, "fadeOut": 1},
        "subtitle": {"cues": [{"start": start, "end": end, "text": text} for start, end, text in CAPTIONS]},
        "overlays": [
            {"type": "image", "url": logo, "start": 1},
            {"type": "text", "text": "Sale", "end": 2},
        ],
    }
    body = {"taskType": "baseVideoMix", "params": {"videoList": [{"videos": videos}], "options": options}}
    return service.data("POST", "/open-api/v1/video-process/submit", body)["taskNo"]


def check(timeline, folder):
    [clips, logo, text] = timeline.video_tracks()
    length = sum(length for _, length in CLIPS) - OVERLAP * (len(CLIPS) - 1)
    near(timeline.duration().to_seconds(), length, "the length")
    # Each cut is in the middle of an overlap.
    begin = 0.0
    shown = [item for item in clips if isinstance(item, otio.schema.Clip)]
    expect(len(shown) == len(CLIPS), "the number of clips")
    for number, (clip, (start, seconds)) in enumerate(zip(shown, CLIPS)):
        before = OVERLAP / 2 if number > 0 else 0
        after = OVERLAP / 2 if number < len(CLIPS) - 1 else 0
        place = clip.range_in_parent()
        near(place.start_time.to_seconds(), begin + before, f"cut {number}")
        near(clip.source_range.start_time.to_seconds(), start + before, f"in-point {number}")
        near(clip.source_range.duration.to_seconds(), seconds - before - after, f"length {number}")
        begin += seconds - OVERLAP
    transitions = [item for item in clips if isinstance(item, otio.schema.Transition)]
    expect([one.transition_type for one in transitions] == ["SMPTE_Dissolve"] * 2, "transitions")
    for one in transitions:
        near((one.in_offset + one.out_offset).to_seconds(), OVERLAP, "a transition")
    # The library checks that clips have enough frames for their transitions.
    otio.algorithms.track_with_expanded_transitions(clips)

    near(logo.range_of_child_at_index(1).start_time.to_seconds(), 1, "the logo")
    expect(text[0].media_reference.parameters["text"] == "Sale", "the text")
    markers = [(marker.name, marker.marked_range) for marker in timeline.tracks.markers]
    expect([name for name, _ in markers] == [text for _, _, text in CAPTIONS], "captions")
    for (start, end, _), (name, place) in zip(CAPTIONS, markers):
        near(place.start_time.to_seconds(), start, f"caption {name}")
        near(place.end_time_exclusive().to_seconds(), end, f"end of caption {name}")

    names = [track.name for track in timeline.audio_tracks()]
    expect(names == ["Clips", "Clips", "Music"] or names == ["Music"], f"audio tracks: {names}")
    music = timeline.audio_tracks()[-1]
    expect(isinstance(music[0], otio.schema.Transition) and isinstance(music[-1], otio.schema.Transition), "fades")
    near(music[0].out_offset.to_seconds(), 0.5, "the fade-in")
    near(music.duration().to_seconds(), length, "the music")
    [level] = music[1].effects
    expect(level.metadata["clipmill"]["gain"] == 0.4, "the volume")

    for clip in timeline.find_clips():
        reference = clip.media_reference
        if isinstance(reference, otio.schema.ExternalReference):
            expect((folder / reference.target_url).is_file(), f"{reference.target_url} is in the archive")
        else:
            expect(isinstance(reference, otio.schema.GeneratorReference), f"{clip.name} has media")
    expect((folder / "captions.srt").read_text().count("-->") == len(CAPTIONS), "captions.srt")


def main(base, key, samples):
    service = Service(base, key)
    task_no = submit(service, Path(samples))
    while (task := service.data("GET", f"/open-api/v1/video-process/status/{task_no}"))["status"] == 0:
        time.sleep(0.2)
    expect(task["status"] in (1, 2, 3), f"the task is {task['statusName']}: {task['errorMsg']}")
    archive = service.call("GET", f"/open-api/v1/video-process/timeline/{task_no}/1?format=otio")
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(io.BytesIO(archive)).extractall(folder)
        timeline = otio.adapters.read_from_file(str(Path(folder) / "timeline.otio"))
        check(timeline, Path(folder))
        # What the library writes is what it read.
        again = otio.adapters.read_from_string(otio.adapters.write_to_string(timeline, "otio_json"), "otio_json")
        expect(again.is_equivalent_to(timeline), "the round trip")
    print(f"OpenTimelineIO {otio.__version__}: {task_no}, {len(archive)} bytes, every cut within a frame")


main(*sys.argv[1:])
