"""For tests of programs that use this package: a handler without a server, and a real server on a scratch file.

```python
run = baton.testing.run(resize, Resize(7), cursor={"after": 100})
assert run.verdict.word == "accepted" and run.jobs == []

with baton.testing.server() as server:
    app = baton.App(server.url)
```
"""

from baton.testing.run import Checkpoint, Run, arun, run
from baton.testing.server import NoServer, Server, server, server_binary

__all__ = ["Checkpoint", "NoServer", "Run", "Server", "arun", "run", "server", "server_binary"]
