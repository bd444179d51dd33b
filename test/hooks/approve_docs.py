#!/usr/bin/env python3
"""PreToolUse for Read: documentation needs no question; secrets are refused; the rest goes the usual way."""
import json
import sys

event = json.load(sys.stdin)
path = event["tool_input"].get("file_path", "")
decision = "allow" if path.endswith(".md") else "deny" if ".env" in path else None
if decision:
    print(json.dumps({
        "hookSpecificOutput": {
            "hookEventName": event["hook_event_name"],
            "permissionDecision": decision,
            "permissionDecisionReason": f"{path} is {'documentation' if decision == 'allow' else 'secret'}",
        },
        "suppressOutput": True,
    }))
