#!/usr/bin/env python3
"""Whether a compaction lost something, by a program that shares no code with xmem and reads docs/FORMAT.md only.

Arguments: a folder with copies of the logs as they were, the store's folder.

Every line that was there must be in the backup, byte for byte. Every entry that was there must be in the live store, in
its own line or in one that covers it, once; and what it knew must be there too: attempts, tags, notes, advice, sessions,
steps, answers, occurrences. What is no entry must be in the quarantine. Prints what was counted; exits with 1 and what is
missing otherwise.
"""
import json
import sys
from collections import Counter
from pathlib import Path

before, store = Path(sys.argv[1]), Path(sys.argv[2])
LOGS = ["failures.jsonl", "successes.jsonl"]
problems = []


def lines(file):
    return file.read_bytes().split(b"\n")[:-1] if file.exists() else []


def entry(line):
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def texts(entry, name):
    value = entry.get(name)
    return set() if value is None else {value} if isinstance(value, str) else set(value)


def require(condition, what):
    if not condition:
        problems.append(what)


def knows(holder, old):
    """What of an old line its holder does not know."""
    for name in ("tried_also", "tags", "answers"):
        yield from ((name, text) for text in texts(old, name) - texts(holder, name))
    if old.get("session_id") is not None and old["session_id"] not in texts(holder, "sessions"):
        yield "session_id", old["session_id"]
    if old.get("notes"):
        said = ("\n" + (holder.get("notes") or "") + "\n")
        if "\n" + old["notes"] + "\n" not in said:
            yield "notes", old["notes"]
    advice = texts(holder, "pattern_avoid") | texts(holder, "further_advice")
    yield from (("pattern_avoid", text) for text in texts(old, "pattern_avoid") - advice)
    steps = texts(holder, "key_steps") | texts(holder, "further_steps")
    yield from (("key_steps", text) for text in texts(old, "key_steps") - steps)
    if old.get("critical_params"):
        params = [holder.get("critical_params")] + [json.loads(text) for text in holder.get("further_params", [])]
        if old["critical_params"] not in params:
            yield "critical_params", old["critical_params"]
    if old.get("block_level") == "critical" and holder.get("block_level") != "critical":
        yield "block_level", "critical"


backups = sorted(folder for folder in (store / "data/backup").iterdir() if folder.is_dir())
require(len(backups) == 1, f"{len(backups)} backups")
quarantine = b"".join(file.read_bytes() for file in sorted((store / ".xmem/quarantine").glob("*")))
archives = sorted((store / "data/archive").glob("*"))
originals = dropped = merged = broken = archived = 0
for log in LOGS:
    old = lines(before / log)
    backed = Counter(line for folder in backups for line in lines(folder / log))
    for line, count in Counter(old).items():
        require(backed[line] >= count, f"{log}: not in the backup: {line[:200]!r}")
    hot = lines(store / "data" / log)
    cold = [line for file in archives if file.name.startswith(log.split(".")[0] + "-") for line in lines(file)]
    live = set(hot) | set(cold)
    archived += len(cold)
    holders = {}
    occurrences = 0
    for line in live:
        value = entry(line)
        require(value is not None, f"{log}: a live line is broken: {line[:200]!r}")
        if value is not None and "target" not in value:
            covers = value.get("covers", [])
            occurrences += value.get("occurrences", 1) if covers else 1
            merged += 1 if covers else 0
            for number in [value["id"], *covers]:
                require(number not in holders, f"{log}: {number} is in two live lines")
                holders[number] = value
    entries = 0
    for line in old:
        value = entry(line)
        if value is None:
            broken += 1
            require(line in quarantine, f"{log}: neither an entry nor in the quarantine: {line[:200]!r}")
            continue
        originals += 1
        if "target" in value:
            require(line in live, f"{log}: what was said of an entry is gone: {line[:200]!r}")
            continue
        entries += 1
        holder = holders.get(value["id"])
        require(holder is not None, f"{log}: {value['id']} is gone")
        if holder is not None and line not in live:
            dropped += 0 if holder["id"] == value["id"] else 1
            for name, text in knows(holder, value):
                problems.append(f"{log}: {name} {text!r} of {value['id']} is not in {holder['id']}")
    require(occurrences == entries, f"{log}: {entries} occurrences before, {occurrences} after")
print(
    f"{originals} entries before; {dropped} are part of others now, in {merged} lines; {archived} lines in archives; "
    f"{broken} broken lines in the quarantine; {len(problems)} problems"
)
for problem in problems[:20]:
    print(problem)
sys.exit(1 if problems else 0)
