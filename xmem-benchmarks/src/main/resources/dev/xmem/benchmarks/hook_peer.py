"""A hook in Python that reads a SQLite file: the peer of xmem-hook. Knows failures by tool and masked error line."""
import json
import re
import sqlite3
import sys

SCHEMA = """
create table failures(id integer primary key, ts real, session text, family text, action text, error text, lesson text);
create index by_family on failures(family, id);
create index by_operation on failures(action, id);
"""


def family(tool, error):
    lines = [line for line in error.split("\n") if line and not line.startswith("Exit code")]
    return tool + ":" + re.sub(r"\b\S*\d\S*\b|/\S+", "#", lines[0] if lines else "")


def create(path, count):
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    rows = ((None, i, "s%d" % i, "tool%d:error %d" % (i % 200, i % 5000), "tool%d sync" % (i % 200),
             "error: remote %d not found in the configuration file of the tool " % i * 4, "list the remotes first")
            for i in range(count))
    db.executemany("insert into failures values(?,?,?,?,?,?,?)", rows)
    known = ("git:fatal: The current branch # has no upstream branch.", "git push", "git push -u origin HEAD")
    for session in ("saturday", "sunday"):
        db.execute("insert into failures values(null,?,?,?,?,?,?)", (count, session, known[0], known[1], "", known[2]))
    db.commit()


def hook(path):
    event = json.load(sys.stdin)
    words = event["tool_input"]["command"].split()
    db = sqlite3.connect(path)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=normal")
    operation = " ".join(words[:2])
    if event["hook_event_name"] == "PreToolUse":
        where, key = "action", operation
    else:
        where, key = "family", family(words[0], event["error"])
    found = db.execute("select lesson, session from failures where %s = ? order by id desc limit 70" % where, (key,))
    rows = found.fetchall()
    if event["hook_event_name"] != "PreToolUse":
        db.execute("insert into failures values(null,0,?,?,?,?,null)",
                   (event["session_id"], key, operation, event["error"]))
        db.commit()
    lessons = [lesson for lesson, _ in rows if lesson]
    if lessons:
        text = "seen %d times: %s" % (len(rows), lessons[0])
        print(json.dumps({"hookSpecificOutput": {"hookEventName": event["hook_event_name"],
                                                 "additionalContext": text}}))


if sys.argv[1] == "create":
    create(sys.argv[2], int(sys.argv[3]))
else:
    hook(sys.argv[2])
