"""The lines that a server logs, as who reads them sees them."""

import subprocess

import requests
from support.binary import BINARY
from support.waiting import until


def test_a_reader_of_the_log_that_stalls_stops_no_request(tmp_path):
    process = subprocess.Popen(
        [str(BINARY), "serve", "--listen", "127.0.0.1:0", "--port-file", str(tmp_path / "port"), "--data", str(tmp_path / "data"),
         "--log-level", "debug", "--limit", "address-requests-burst=100000"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        port = until(lambda: (tmp_path / "port").exists() and (tmp_path / "port").read_text().strip(), bool)
        with requests.Session() as session:
            for _ in range(3_000):
                assert session.get(f"http://127.0.0.1:{port}/api/session", timeout=20).status_code == 401
            # Who reads again hears what was dropped.
            lines = []
            for line in process.stderr:
                lines.append(line.decode())
                if "event=log_lines_dropped count=" in lines[-1]:
                    break
            assert sum("level=debug" in line for line in lines) > 500
        process.terminate()
        rest = process.stderr.read().decode()
        assert process.wait(timeout=40) == 0
        assert "event=server_ended" in rest
    finally:
        process.kill()
        process.stderr.close()
