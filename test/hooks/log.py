#!/usr/bin/env python3
"""Any event: one line each in a log."""
import json
import sys

event = json.load(sys.stdin)
detail = next((str(event[key]) for key in ("error", "message", "compact_summary", "last_assistant_message", "reason", "source") if key in event), "")
with open("log", "a") as log:
    log.write(f"{event['hook_event_name']} {event.get('tool_name', '-')} {detail}".strip() + "\n")
