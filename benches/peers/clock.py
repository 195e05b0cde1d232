"""Runs a command; prints its seconds, reading and writing of files included, and its peak memory as JSON."""

import json
import resource
import subprocess
import sys
import time

begin = time.perf_counter()
code = subprocess.run(sys.argv[1:]).returncode
seconds = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(json.dumps({"seconds": seconds, "peak_bytes": peak}))
sys.exit(code)
