"""Requests a callback to this process and verifies it with the library of Standard Webhooks.

SECRETS: the user's secrets, the newest first; each of them must verify the message.
"""

import json
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

received = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        received.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def main(base, key, *secrets):
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    request = urllib.request.Request(
        f"{base}/open-api/v1/video-process/callbacks/test",
        data=json.dumps({"url": f"http://127.0.0.1:{server.server_port}/"}).encode(),
        headers={"X-API-Key": key, "Content-Type": "application/json"},
    )
    answer = json.load(urllib.request.urlopen(request))
    assert answer["data"]["delivered"], answer
    headers, body = received[0]
    for secret in secrets:
        message = Webhook(secret).verify(body, headers)
        assert message["type"] == "task.completed", message
    try:
        Webhook(secrets[0]).verify(body + b" ", headers)
    except WebhookVerificationError:
        print(f"python: a callback verified with {len(secrets)} secrets")
        return
    raise SystemExit("an altered message was taken for genuine")


main(*sys.argv[1:])
