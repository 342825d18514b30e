"""Holds the live feed of the overview open as browsers do, and says what the database spent meanwhile.

    watch.py http://127.0.0.1:7878 postgres://postgres@127.0.0.1:5601/ten
    watch.py ... --rate 20         while as many jobs a second come and are done

The time is the sum of `total_exec_time` and `total_plan_time` of pg_stat_statements, as a share of one core, with
browsers and without in turn. Browsers only read: what is read is told apart from all else, which is the jobs' own.
"""
import argparse
import json
import subprocess
import threading
import time
import urllib.parse
from http.client import HTTPConnection

from ask import Server

FEED = "/admin/live?room=overview&up=.&home=."


def main():
    arguments = read_arguments()
    for turn in range(arguments.turns):
        for browsers in (0, arguments.browsers):
            reads, writes = measure(arguments, browsers)
            beside = f"turn {turn + 1}: {browsers:3} browsers, {arguments.rate} jobs/s"
            print(f"{beside}: {reads:.2%} of a core for reads, {writes:.2%} for writes", flush=True)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", help="of a server that was started with --dev")
    parser.add_argument("database", help="postgres://..., with pg_stat_statements")
    parser.add_argument("--browsers", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--rate", type=int, default=0, help="jobs a second meanwhile")
    parser.add_argument("--turns", type=int, default=1)
    return parser.parse_args()


def measure(arguments, browsers):
    stop = threading.Event()
    threads = [threading.Thread(target=watch, args=(arguments.url, stop), daemon=True) for _ in range(browsers)]
    threads.append(threading.Thread(target=enqueue, args=(arguments.url, arguments.rate, stop), daemon=True))
    for thread in threads:
        thread.start()
    time.sleep(3)
    before = spent(arguments.database)
    begun = time.monotonic()
    time.sleep(arguments.seconds)
    after, took = spent(arguments.database), time.monotonic() - begun
    stop.set()
    for thread in threads:
        thread.join()
    return [(last - first) / took for first, last in zip(before, after)]


def watch(url, stop):
    connection = HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
    connection.request("GET", FEED)
    answer = connection.getresponse()
    if answer.status != 200:
        raise SystemExit(f"{FEED}: {answer.status}")
    while not stop.is_set():
        answer.readline()
    connection.close()


def enqueue(url, rate, stop):
    server = Server(url)
    while rate and not stop.wait(1 / rate):
        server.json("/v1/jobs", "POST", json.dumps({"kind": "simulate", "payload": {}}))


def spent(database):
    """Seconds that the database has worked on statements that read, and on those that write."""
    writes = r"query ~* '\m(insert|update|delete)\M'"
    time_of = "coalesce(sum(total_exec_time + total_plan_time) FILTER (WHERE {}), 0) / 1000"
    words = f"SELECT {time_of.format(f'NOT {writes}')}, {time_of.format(writes)} FROM pg_stat_statements"
    told = subprocess.run(["psql", database, "-AtF", " ", "-c", words], capture_output=True, text=True, check=True).stdout
    return [float(seconds) for seconds in told.split()]


if __name__ == "__main__":
    main()
