#!/bin/bash
# Whether two runs have the same records, byte for byte, and the same document except for what depends on the machine.
#   same_run.sh A B     compares A.json with B.json, and A.records.jsonl with B.records.jsonl
cmp "$1.records.jsonl" "$2.records.jsonl" || exit 1
python3 - "$1.json" "$2.json" <<'PYTHON'
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
for document in (a, b):
    for key in ("started", "seconds", "machine", "timing"):
        document.pop(key, None)
sys.exit(a != b)
PYTHON
