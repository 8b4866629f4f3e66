"""From submission to file with the client generated from the API's description."""

import hashlib
import io
import sys
import time

import httpx
from clipmill_client import AuthenticatedClient
from clipmill_client.api.files import upload_file
from clipmill_client.api.points import get_balance
from clipmill_client.api.tasks import estimate_task, get_task, submit_task
from clipmill_client.models import BaseVideoMixRequest, ErrorAnswer
from clipmill_client.types import File


def expect(answer):
    """The data of a successful response."""
    if answer is None or isinstance(answer, ErrorAnswer):
        raise SystemExit(f"failed: {answer}")
    return answer.data


def main(base, key, sample):
    client = AuthenticatedClient(base_url=base, token=key, prefix="", auth_header_name="X-API-Key")
    with open(sample, "rb") as source:
        body = File(payload=io.BytesIO(source.read()))
    upload = expect(upload_file.sync(client=client, body=body, file_name="city.mp4"))
    request = BaseVideoMixRequest.from_dict({
        "taskType": "baseVideoMix",
        "params": {
            "videoList": [{"videos": [{"url": upload.url}], "totalDuration": 1}],
            "options": {"resolution": "720:1280", "resolutionMode": "crop"},
        },
    })
    estimate = expect(estimate_task.sync(client=client, body=request))
    task_no = expect(submit_task.sync(client=client, body=request)).task_no
    while (task := expect(get_task.sync(client=client, task_no=task_no))).status < 3:
        time.sleep(0.5)
    if task.status != 3:
        raise SystemExit(f"{task.status_name}: {task.error_msg}")
    item = task.items[0]
    content = httpx.get(item.url).content
    if hashlib.sha256(content).hexdigest() != item.sha256:
        raise SystemExit("the download is not the file that was described")
    if task.consumed_dot_count > estimate.estimated_dot_count:
        raise SystemExit("costs more than was said")
    if expect(get_balance.sync(client=client)).held != 0:
        raise SystemExit("points are still held")
    print(f"Python: {task_no}, {len(content)} bytes, {task.consumed_dot_count} points")


main(*sys.argv[1:])
