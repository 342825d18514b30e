"""What payloads say, as a service: `service.py WORKER...` becomes `WORKER... --http URL`, and serves it until that has ended.

    service.py baton worker --kind conformance
"""

from __future__ import annotations

import json
import os
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from orders import obey


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        job = {
            "id": self.headers["baton-job-id"],
            "idempotency_key": self.headers["idempotency-key"],
            "payload": json.loads(self.rfile.read(int(self.headers["content-length"]))),
            "cursor": json.loads(self.headers.get("baton-cursor", "null")),
        }
        try:
            self.tell(obey(job, lambda move: self.tell({"checkpoint": move})))
            self.send_response(204)
            self.end_headers()
        except OSError:
            # The worker hears it no more: the job was canceled, or is another worker's now.
            self.close_connection = True

    def tell(self, line: dict[str, Any]) -> dict[str, Any]:
        """Says a line to the worker of this job; what it answers."""
        with urllib.request.urlopen(self.headers["baton-control"], json.dumps(line).encode()) as answer:
            heard: dict[str, Any] = json.load(answer)
            return heard

    def log_message(self, format: str, *args: Any) -> None:
        pass


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A worker that is killed leaves its connections in the middle of anything."""


def serve(server: QuietServer, worker: int) -> None:
    """Until the worker has ended, which holds the other end of this pipe."""
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.read(worker, 1)
    os._exit(0)


def main(command: list[str]) -> None:
    server = QuietServer(("127.0.0.1", 0), Service)
    ours, workers = os.pipe()
    if os.fork() == 0:
        os.close(workers)
        serve(server, ours)
    server.socket.close()
    os.set_inheritable(workers, True)
    os.execvp(command[0], [*command, "--http", f"http://127.0.0.1:{server.server_address[1]}/"])


if __name__ == "__main__":
    main(sys.argv[1:])
