#!/usr/bin/env python3
"""UserPromptSubmit: keeps secrets out of prompts, and tells the model where it is."""
import json
import os
import re
import sys

event = json.load(sys.stdin)
if re.search(r"(?i)\b(password|secret)\s*[:=]", event["prompt"]):
    print(json.dumps({"decision": "block", "reason": "there is a secret in the prompt: write it without"}))
    sys.exit(0)
print("The project is " + os.path.basename(os.environ["CLAUDE_PROJECT_DIR"]) + ".")
