"""Lists the differences of two recordings of scripts/same_files.sh: python3 same_files.py OLD NEW [PREFIX...]

Exit code 1 if there is one. Compared are all files, or those whose paths begin with a prefix, byte by byte, but for what
measures time or names a place:

- CSV: the columns `time_*`.
- SQLite: what ledgers say about their runs, and which units were counted. Units hold times; what else is in them is in games.csv,
  in what `replay` says and in the records. Tables, columns and keys that only NEW has, or OLD of another format, are said once and
  are no difference.
- stdout and queue.json: times, nodes a second.
- The folder that other programs were called in, and which build of tanren-engine it was.
- Not at all: stderr, locks, write-ahead logs, the engines.
"""

import csv
import difflib
import hashlib
import re
import sqlite3
import sys
from pathlib import Path

LEFT_OUT = re.compile(r"\.(err|command)$|\.lock$|\.sqlite-(wal|shm)$|^engines/")
# Kinds of text in which a time stands, and what it looks like there.
TIMES = [
    (re.compile(r"said/.*\.out$"), re.compile(
        r"\d+(\.\d+)? (ms|s|min|h)\b( +[\d.]+[kMG]?$)?|\([\d.]+ M/s\)|\d+(\.\d+)?[kM]?(?= nodes/s)"
        r"|\"[a-z_]*(time|seconds|nodes_per_second)[a-z_]*\": ?[\d.e+-]+", re.M
    )),
    (re.compile(r"said/queue.*\.out$"), re.compile(r"\b\d\d:\d\d\b")),
    (re.compile(r"queue\.json$"), re.compile(r'"time_ms": \d+')),
]
# What was played past the end of the count depends on how fast the workers were; units hold times.
COUNTED = "WHERE number < (SELECT coalesce(max({0}), 1 << 60) FROM {1})"
# Other programs are stored with the folder that they were called in.
PLACE = re.compile(r"/[^ ,\"=]*(?=/engines/)")
DIFFERENCES_SHOWN = 8


def without_times(rows):
    kept = [at for at, name in enumerate(rows[0]) if not name.startswith("time_")] if rows else []
    return ["\t".join(row[at] for at in kept if at < len(row)) for row in rows]


def of_ledger(path):
    ledger = sqlite3.connect(path)
    found = {"": [f"user_version {ledger.execute('PRAGMA user_version').fetchone()[0]}"]}
    tables = [row[0] for row in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    counted = COUNTED.format("pairs", "counted") if "counted" in tables else COUNTED.format("CAST(value AS INTEGER)", "meta WHERE key = 'counted'")
    for table in tables:
        columns = [row[1] for row in ledger.execute(f"PRAGMA table_info({table})")]
        is_of_units = "number" in columns
        kept = ["number"] if is_of_units else columns
        if table == "tally":
            continue
        for row in ledger.execute(f"SELECT {', '.join(kept)} FROM {table} {counted if is_of_units else ''}"):
            # A row of `meta` is a key and a value.
            named = [(f"{table} {row[0]}", row[1])] if table == "meta" else [(f"{table}.{name}", value) for name, value in zip(kept, row)]
            for name, value in named:
                found.setdefault(name, []).append(value.hex() if isinstance(value, bytes) else str(value))
    ledger.close()
    return found


def ledgers(old, new, additions):
    """The lines of two ledgers by what both could have: keys of `meta` and columns, each as one text of all its rows."""
    old, new = of_ledger(old), of_ledger(new)
    for name in new.keys() - old.keys():
        additions.add(name)
        del new[name]
    if old[""] != new[""]:
        additions.add(f"{old.pop('')[0]} -> {new.pop('')[0]}")
        old = {name: old[name] for name in old.keys() & new.keys() if name != "meta checksum"}
        new = {name: new[name] for name in old}
    return [[f"{name} {value}" for name in sorted(found) for value in found[name]] for found in (old, new)]


def lines_of(path, name):
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return [data.hex()]
    if path.suffix == ".csv":
        return without_times(list(csv.reader(text.splitlines(keepends=True))))
    for kind, time in TIMES:
        if kind.search(name):
            text = time.sub("TIME", text)
    lines = text.split("\n")
    if name.startswith("said/"):
        # Columns are as wide as the times in them.
        lines = [re.sub(r" +", " ", line) if "TIME" in line else line for line in lines]
    return lines


def files_of(folder, prefixes):
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    return {
        name
        for name in names
        if not LEFT_OUT.search(name) and (not prefixes or any(name.startswith(prefix) for prefix in prefixes))
    }


def words(lines):
    return " ".join(lines).split()


def own_engines(*folders):
    """The hashes of the engines beside the two programs: a ledger names the program that played by it."""
    engines = [folder / "engines" / "tanren-engine" for folder in folders]
    return re.compile("|".join(hashlib.sha256(engine.read_bytes()).hexdigest() for engine in engines))


def main():
    old, new = Path(sys.argv[1]), Path(sys.argv[2])
    prefixes = sys.argv[3:]
    engine = own_engines(old, new)
    names_old, names_new = files_of(old, prefixes), files_of(new, prefixes)
    different, additions = 0, set()
    # What only the new program can do is no difference, but said.
    learnt = {name.removesuffix(".code") for name in names_old & names_new
              if name.endswith(".code") and (old / name).read_text() == "2\n" and (new / name).read_text() == "0\n"}
    # A command that neither program takes compares nothing. A report of no folder is meant to be refused.
    refused = {name for name in names_old & names_new if name.endswith(".code") and "report-nowhere" not in name
               and all((folder / name).read_text() == "2\n" for folder in (old, new))}
    for name in sorted(refused):
        print(f"REFUSED BY BOTH {(new / (name.removesuffix('.code') + '.command')).read_text().strip()}")
    different += len(refused)
    for name in sorted(learnt):
        command = new / (name.removesuffix(".code") + ".command")
        print(f"NOW WORKS {command.read_text().strip()}")
    for name in sorted(names_old | names_new):
        if name.removesuffix(".code").removesuffix(".out") in learnt:
            continue
        if name not in names_new:
            print(f"ONLY OLD  {name}")
        elif name not in names_old:
            print(f"ONLY NEW  {name}")
        else:
            if name.endswith(".sqlite"):
                texts = ledgers(old / name, new / name, additions)
            else:
                texts = lines_of(old / name, name), lines_of(new / name, name)
            texts = [[engine.sub("ENGINE", PLACE.sub("FOLDER", line)) for line in lines] for lines in texts]
            if texts[0] == texts[1]:
                continue
            # Where a line of the output is broken is for the width of the terminal to say.
            if name.startswith("said/") and words(texts[0]) == words(texts[1]):
                continue
            print(f"DIFFERENT {name}")
            changes = [line for line in difflib.unified_diff(*texts, n=0, lineterm="") if not line.startswith(("---", "+++", "@@"))]
            for line in changes[:DIFFERENCES_SHOWN]:
                print(f"    {line[:160]}")
            if len(changes) > DIFFERENCES_SHOWN:
                print(f"    ... and {len(changes) - DIFFERENCES_SHOWN} lines more")
        different += 1
    for addition in sorted(additions):
        print(f"IN NEW LEDGERS {addition}")
    print(f"{len(names_old | names_new)} files and outputs compared, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
