#!/usr/bin/env python3
"""PreToolUse for Bash: refuses commands that match a table of patterns."""
import json
import re
import sys

PATTERNS = [
    (r"^grep\b(?!.*\|)", "use rg, it is faster"),
    (r"\brm\s+-[a-z]*r", "nothing is removed with all that is below it"),
]

try:
    event = json.load(sys.stdin)
except json.JSONDecodeError as error:
    print(f"no JSON: {error}", file=sys.stderr)
    sys.exit(1)

if event.get("tool_name") != "Bash":
    sys.exit(0)
command = event.get("tool_input", {}).get("command", "")
issues = [message for pattern, message in PATTERNS if re.search(pattern, command)]
for message in issues:
    print(f"- {message}", file=sys.stderr)
sys.exit(2 if issues else 0)
