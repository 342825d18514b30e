"""Where PostgreSQL's programs are: Debian keeps each version in a folder of its own, away from the path."""
import glob
import os
import shutil


def postgres_program(name):
    def version(path):
        return int(path.split("/")[4]) if path.split("/")[4].isdigit() else 0

    debians = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), key=version)
    found = debians[-1] if debians else shutil.which(name)
    if not found or not os.access(found, os.X_OK):
        raise SystemExit(f"`{name}` is not installed: `apt-get install postgresql` brings it")
    return found
