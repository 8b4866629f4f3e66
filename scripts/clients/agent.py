"""From local files to a finished video with the reference client of MCP, like an agent: on standard input and output
by `clipmill mcp`, and over HTTP by `POST /mcp`, each with the protocol's newest version and with its handshake."""

import asyncio
import base64
import contextlib
import hashlib
import json
import sys
import time
import urllib.request
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


class Agent:
    """A client that records its calls and their results."""

    def __init__(self, client):
        self.client = client

    async def call(self, name, **arguments):
        """The result of a tool: structured data, an image, or a text; a refusal is raised."""
        started = time.monotonic()
        result = await self.client.call_tool(name, arguments)
        text = "\n".join(block.text for block in result.content if block.type == "text")
        result_text = "REFUSED " + text if result.is_error else text
        if result.content[0].type == "image":
            result_text = f"[{len(result.content[0].data)} characters of {result.content[0].mime_type}] {text}"
        print(f"  {name} ({time.monotonic() - started:.1f} s): {' '.join(result_text.split())[:180]}")
        if result.is_error:
            raise Refused(text)
        if result.content[0].type == "image":
            return base64.b64decode(result.content[0].data)
        with contextlib.suppress(json.JSONDecodeError):
            return json.loads(text)
        return text

    async def refused(self, name, **arguments):
        """The text of a refusal, which is required."""
        try:
            result_text = await self.call(name, **arguments)
        except Refused as refusal:
            return str(refusal)
        raise SystemExit(f"{name} did what it must not do: {result_text}")


class Refused(Exception):
    pass


def expect(true, what):
    if not true:
        raise SystemExit(f"failed: {what}")


def short_video(files, seconds):
    """A mix with a transition, a title, music and captions."""
    return {
        "taskType": "baseVideoMix",
        "params": {
            "videoList": [{
                "videos": [
                    {"url": files["city.mp4"], "from": 0.5, "to": 2.5},
                    {"url": files["picture.jpg"], "duration": 2, "imageMotion": "zoomIn"},
                ],
                "totalDuration": seconds,
            }],
            "options": {
                "resolution": "720:720", "resolutionMode": "crop", "preset": "draft",
                "transition": {"names": ["circleopen"]},
                "overlays": [{"type": "text", "text": "Made by an agent", "place": "top"}],
                "backgroundMusic": {"url": files["speech.wav"]},
                "subtitle": {"url": files["captions.srt"]},
            },
        },
    }


async def session(client, seconds, files, folder=None):
    """All steps of an agent for one video; returns the files that it used."""
    agent = Agent(client)
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    print(f"  {client.server_info.name} {client.protocol_version}, {len(tools)} tools")
    expect(("upload_file" in tools) == (folder is not None), "files are uploaded where there are any")
    expect(tools["cancel_task"].annotations.destructive_hint, "what destroys says so")
    if folder:
        for name in ["city.mp4", "picture.jpg", "speech.wav", "captions.srt"]:
            files[name] = (await agent.call("upload_file", path=str(folder / name)))["url"]
        await agent.refused("upload_file", path="/etc/passwd")
        await agent.refused("upload_file", path=str(folder / "nothing.mp4"))
    expect((await agent.call("probe_media", url=files["city.mp4"]))["media"]["video"]["width"] == 720, "a probe")
    expect("imageMotion" in await agent.call("describe_task", taskType="baseVideoMix"), "a description")
    expect("circleopen" in await agent.call("list_catalogue", which="transitions"), "a catalogue")

    before = await agent.call("get_points")
    request = short_video(files, seconds)
    wrong = request | {"params": request["params"] | {"options": {"fps": 24, "resolutionmode": "crop"}}}
    text = await agent.refused("estimate_task", request=wrong)
    expect("/params/options/fps" in text and "25, 30, 50, 60" in text, "an error says what to change")
    price = (await agent.call("estimate_task", request=request))["points"]
    frame = await agent.call("preview_task", request=request, item=1, atSeconds=1)
    expect(frame.startswith(b"\xff\xd8"), "a frame is a JPEG")

    text = await agent.refused("submit_task", request=request, maxPoints=price - 1)
    expect(f"price ({price})" in text, "too dear")
    task = await agent.call("submit_task", request=request, maxPoints=price)
    again = await agent.call("submit_task", request=request, maxPoints=price)
    expect(again["duplicate"] and again["taskNo"] == task["taskNo"], "what is repeated is not paid again")
    state = await agent.call("wait_for_task", taskNo=task["taskNo"], seconds=50)
    while not state["ended"]:
        state = await agent.call("wait_for_task", taskNo=task["taskNo"])
    expect(state["state"] == "completed", state)
    await check_file((await agent.call("get_results", taskNo=task["taskNo"]))["items"][0], seconds)
    after = await agent.call("get_points")
    spent = before["total"] - after["total"]
    expect(spent == state["pointsPaid"] <= price and after["held"] == before["held"], f"{spent} points were paid")
    expect((await agent.call("list_tasks", pageSize=1))["list"][0]["taskNo"] == task["taskNo"], "the newest task")
    expect("40901" in await agent.refused("cancel_task", taskNo=task["taskNo"]), "it has ended")
    return files


async def check_file(item, seconds):
    content = await asyncio.to_thread(lambda: urllib.request.urlopen(item["url"]).read())
    print(f"  downloaded {len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()[:12]}…, {item['duration']} s")
    expect(len(content) == item["sizeBytes"] and content[4:8] == b"ftyp", "the downloaded file")
    expect(abs(item["duration"] - seconds) < 0.1, item)


async def main(base, key, program, samples):
    samples = Path(samples).resolve()
    local = StdioServerParameters(
        command=program, args=["mcp", "--url", base, "--files", str(samples)], env={"CLIPMILL_API_KEY": key}
    )
    files = {}
    for mode, stdio_seconds, http_seconds in [("auto", 3, 2.5), ("legacy", 2, 1.5)]:
        print(f"clipmill mcp, {mode}")
        async with Client(local, mode=mode) as client:
            files = await session(client, stdio_seconds, files, samples)
        print(f"POST /mcp, {mode}")
        headers = {"X-API-Key": key} if mode == "legacy" else {"Authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
            async with Client(streamable_http_client(f"{base}/mcp", http_client=http), mode=mode) as client:
                await session(client, http_seconds, files)


asyncio.run(main(*sys.argv[1:]))
