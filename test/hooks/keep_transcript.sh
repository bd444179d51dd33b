#!/bin/sh
# PreCompact and SessionEnd: keeps a copy of the transcript.
input=$(cat)
get() { printf '%s' "$input" | jq -r "$1"; }
mkdir -p kept
cp "$(get .transcript_path)" "kept/$(get .session_id)-$(get '.trigger // .reason').jsonl"
