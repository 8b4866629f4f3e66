import sys
_, secret, message_id, timestamp, signature, path = sys.argv
with open(path, "rb") as file:
    verify(secret, {"webhook-id": message_id, "webhook-timestamp": timestamp, "webhook-signature": signature}, file.read())
