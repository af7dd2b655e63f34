"""Loads an HTTP server with wrk, and runs an nginx that answers everything with an empty 200."""

import pathlib
import re
import subprocess
import tempfile

from rabbitmq import free_ports

NGINX = """
worker_processes 1; daemon off; error_log /dev/null; pid {dir}/pid;
events {{ worker_connections 1024; }}
http {{ access_log off; keepalive_requests 100000000; client_body_temp_path {dir}/b;
  client_max_body_size 8m; proxy_temp_path {dir}/p; fastcgi_temp_path {dir}/f;
  uwsgi_temp_path {dir}/u; scgi_temp_path {dir}/s;
  server {{ listen 127.0.0.1:{port}; location / {{ return 200; }} }} }}
"""

DONE = """
done = function(summary, latency)
  io.write(string.format("RESULT %d %d %f %f %d\\n", summary.requests, summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
"""

LUA = """
local targets = {{ {targets} }}
local headers = {{ ["Authorization"] = "Bearer {key}", ["Content-Type"] = "application/json",
  ["Prefer"] = "return=minimal" }}
local requests, turn = {{}}, 0
init = function()
  for i, target in ipairs(targets) do
    requests[i] = wrk.format("POST", target, headers, [==[{body}]==])
  end
end
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
""" + DONE

# One request that never changes: wrk builds it once and runs no Lua for it.
EMPTY_LUA = """
wrk.path = "{target}"
wrk.headers["Authorization"] = "Bearer {key}"
""" + DONE


def script(targets, key, body):
    """A wrk script that posts one body to each target in turn."""
    return LUA.format(targets=", ".join(f'"{target}"' for target in targets), key=key, body=body)


def empty_script(target, key):
    """A wrk script that gets one path."""
    return EMPTY_LUA.format(target=target, key=key)


def load(url, path, connections, seconds, before=()):
    """One run of wrk: requests a second, p50 and p99 in ms, errors, requests answered.

    `before` are words before the command, as `taskset` has them.
    """
    out = subprocess.run(
        [*before, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", path, url],
        capture_output=True, text=True, check=True).stdout
    count, duration, p50, p99, errors = re.search(
        r"RESULT (\d+) (\d+) (\S+) (\S+) (\d+)", out).groups()
    return int(count) / (int(duration) / 1e6), float(p50), float(p99), int(errors), int(count)


class Nginx:
    """An nginx of one worker that answers every request with an empty 200.

    `before` are words before the command, as `taskset` has them.
    """

    def __init__(self, before=()):
        self.before = before

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="nginx-bench-")
        port, = free_ports(1)
        self.url = f"http://127.0.0.1:{port}"
        path = pathlib.Path(self.scratch.name) / "nginx.conf"
        path.write_text(NGINX.format(dir=self.scratch.name, port=port))
        self.process = subprocess.Popen(
            [*self.before, "nginx", "-c", path, "-p", self.scratch.name], stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.scratch.cleanup()
