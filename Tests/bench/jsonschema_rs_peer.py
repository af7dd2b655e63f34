"""jsonschema-rs's verdict on each parsed payload: nanoseconds of CPU a verdict."""

import json
import pathlib
import sys
import time

import jsonschema_rs

folder, seconds = pathlib.Path(sys.argv[1]), float(sys.argv[2])
for name in sys.argv[3:]:
    schema = json.loads((folder / f"{name}.schema.json").read_text())
    # Its linear-time pattern engine, like ours; the other one is no faster here.
    validator = jsonschema_rs.Draft202012Validator(
        schema, validate_formats=True, pattern_options=jsonschema_rs.RegexOptions())
    value = json.loads((folder / f"{name}.json").read_bytes())
    if not validator.is_valid(value):
        sys.exit(f"{name} is invalid")
    done, batch, spent, is_valid = 0, 16, 0.0, validator.is_valid
    while spent < seconds:
        start = time.thread_time()
        for _ in range(batch):
            is_valid(value)
        spent += time.thread_time() - start
        done += batch
        if spent < seconds / 10:
            batch *= 2
    print(f"jsonschema-rs {name} {spent / done * 1e9:.1f}")
