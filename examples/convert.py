#!/usr/bin/env python3
"""Converts a local file to MP4: convert.py IN OUT

Environment: TELECINE_URL, TELECINE_CLIENT_ID, TELECINE_CLIENT_SECRET. Needs requests.
"""

import os
import sys
import time
import uuid

import requests

API = os.environ.get("TELECINE_URL", "http://127.0.0.1:8080")


class Telecine:
    """A client that obtains tokens as needed, and waits while the service is busy or away."""

    def __init__(self, client_id, client_secret):
        self.credentials = {"clientId": client_id, "clientSecret": client_secret}
        self.session = requests.Session()

    def call(self, method, path, tries=5, **options):
        """Sends a request that may be sent twice. Raises SystemExit with what to send instead."""
        for attempt in range(1, tries + 1):
            try:
                reply = self.session.request(method, API + path, timeout=60, **options)
            except (requests.ConnectionError, requests.Timeout):
                if attempt == tries:
                    raise
                time.sleep(attempt)
                continue
            if reply.status_code == 401 and path != "/api/auth/token" and attempt < tries:
                self.login()
            elif reply.status_code in (429, 503) and attempt < tries:
                time.sleep(float(reply.headers.get("retry-after", attempt)))
            elif reply.ok:
                return reply
            else:
                sys.exit(explain(reply))
        raise AssertionError("unreachable")

    def login(self):
        tokens = self.call("POST", "/api/auth/token", json=self.credentials).json()
        self.session.headers["authorization"] = "Bearer " + tokens["accessToken"]


def explain(reply):
    """An error reply is a problem document: what is wrong, and for each field what to send instead."""
    if not reply.headers.get("content-type", "").startswith("application/problem+json"):
        return f"{reply.status_code} {reply.reason}"
    problem = reply.json()
    fields = [f"  {e['field']}: {e['message']} {e.get('fix', '')}" for e in problem.get("errors", [])]
    return "\n".join([problem["detail"], *fields])


def main(source, target):
    telecine = Telecine(os.environ["TELECINE_CLIENT_ID"], os.environ["TELECINE_CLIENT_SECRET"])
    telecine.login()
    key = str(uuid.uuid4())
    folder = f"examples/{key}"

    with open(source, "rb") as file:
        # Not repeated: the file would begin in its middle. Large files go better by tus, for example with tusclient.
        telecine.call("PUT", f"/api/files/{folder}/in", data=file, tries=1)

    request = {
        "input": f"{folder}/in",
        "output": f"{folder}/out.mp4",
        "parameters": {"c:v": "libx264", "preset": "veryfast", "c:a": "aac"},
    }
    # With the same key, a repeated request returns the same job.
    job = telecine.call("POST", "/api/conversion", json=request, headers={"idempotency-key": key}).json()

    path = f"/api/conversion/{job['jobId']}"
    while job["status"] in ("PENDING", "PROCESSING"):
        # The reply comes when the job changes, at the latest after 20 s.
        job = telecine.call("GET", path, headers={"prefer": "wait=20; until=change"}).json()
        print(job["status"], job.get("progress", 0), "%", file=sys.stderr)
    if job["status"] != "COMPLETED":
        error = job.get("error", {})
        sys.exit(f"{error.get('message', job['message'])} {error.get('fix', '')}")

    with telecine.call("GET", f"{path}/output", stream=True) as reply, open(f"{target}.part", "wb") as file:
        for chunk in reply.iter_content(1 << 20):
            file.write(chunk)
        # Older versions of requests end without an error when the connection breaks.
        if file.tell() != int(reply.headers["content-length"]):
            sys.exit(f"The download was cut. What arrived is in {target}.part; run this again.")
    os.replace(f"{target}.part", target)


if __name__ == "__main__":
    main(*sys.argv[1:])
