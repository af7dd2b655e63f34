"""Requests that schemathesis makes of docs/openapi.json get answers that it describes, and bad ones are refused."""

import os
import random
import re
import subprocess
import sys

import pytest
from support.server import Customer

# By this seed a run is repeated; each run has another.
SEED = int(os.environ.get("FRONTDESK_SCHEMATHESIS_SEED") or random.SystemRandom().randrange(1 << 31))
# Seconds for the requests of one caller, and requests of one operation.
LONGEST, MOST = 16, 6
# At most so many runs, each with the next seed.
RUNS = 4
# Streams do not end, a session is to last, the pages are files that read no parameter, and it cannot write lines of JSON.
EXCLUDED = ["streamEvents", "openLive", "openPhoneLive", "signOut", "importLines"]
# How it judges. A batch answers for each message by itself. 413, 414: what breaks a rule may have too many bytes too.
JUDGING = """
[checks]
enabled = false
not_a_server_error.enabled = true
status_code_conformance.enabled = true
content_type_conformance.enabled = true
response_headers_conformance.enabled = true
response_schema_conformance.enabled = true
unsupported_method.enabled = true
allow_header_conformance.enabled = true
missing_required_header.enabled = true

[checks.negative_data_rejection]
enabled = true
expected-statuses = ["400", "401", "403", "404", "405", "409", "410", "412", "413", "414", "415", "422", "429", "503"]

[[operations]]
include-operation-id = "sendBatch"
checks.negative_data_rejection.enabled = false

[[operations]]
include-operation-id = "useMCP"
checks.negative_data_rejection.enabled = false

[parameters]
"path.business" = "%(business)s"
"path.conversation" = "%(conversation)s"

[auth.openapi.%(scheme)s]
%(credential)s
"""


@pytest.mark.parametrize("caller", ["key", "owner"])
def test_every_answer_is_described_and_what_is_not_described_is_refused(server, owner, sandbox, caller, tmp_path):
    first = Customer(server, sandbox["id"]).say("Is my order ready?")["message"]
    scheme, credential = {
        "key": lambda: ("key", f'bearer = "{server.make_key(sandbox["id"])}"'),
        "owner": lambda: ("session", f'api_key = "{owner.cookies["fd"]}"')}[caller]()
    settings = tmp_path / "schemathesis.toml"
    settings.write_text(JUDGING % {
        "business": sandbox["id"], "conversation": first["conversation"], "scheme": scheme, "credential": credential})
    count = 0
    # On a busy machine one run makes few requests in its time.
    for seed in range(SEED, SEED + RUNS):
        words = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(settings),
                 "run", server.url + "/api/openapi.json", "--seed", str(seed), "--max-time", str(LONGEST),
                 "--max-examples", str(MOST), "--phases", "fuzzing", "--no-shrink", "--continue-on-failure",
                 "--suppress-health-check", "all", "--warnings", "off", "--no-color",
                 "--exclude-tag", "pages", "--header", f"Origin: {server.url}"]
        for name in EXCLUDED:
            words += ["--exclude-operation-id", name]
        ran = subprocess.run(words, capture_output=True, timeout=LONGEST + 60, cwd=tmp_path)
        said = ran.stdout.decode(errors="replace")
        # The body of a found request may have a million characters.
        said = "\n".join(line[:400] for line in said.splitlines())
        made = int((re.findall(r"(\d+) generated", said) or ["0"])[-1])
        print(f"note: schemathesis as {caller}: {made} requests; FRONTDESK_SCHEMATHESIS_SEED={seed} repeats them")
        assert ran.returncode == 0, said[-12_000:]
        count += made
        if count > 20:
            break
    assert count > 20, said[-4_000:]
