#!/usr/bin/env python3
"""Mutates what strangers send and looks for panics, hangs and exits without a message.

    scripts/mutate.py [SECONDS] [SEED]      default 600 and 1; TANREN names the program (target/debug/tanren)

Ledgers, queues, specifications, game records, CSV files, answers of an engine and HTTP requests. Every command must end within 20 s
(60 s with an engine, whose timeouts add up) with exit code 0 to 3 and, if that is not 0, with a message. The server must answer its page
after every request. Prints one line a finding with the folder that has its file, then how many cases each kind had. Exit code 1 if there
is a finding.
"""

import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
TANREN = os.path.abspath(os.environ.get("TANREN", REPOSITORY / "target/debug/tanren"))
ENGINE = Path(TANREN).with_name("tanren-engine")
DEADLINE_S = 20
WORDS = [b"-1", b"0", b"9999999999999999999", b"1e308", b"nan", b"\x00", b"\xff\xfe", b"\n", b"'", b'"', b"[[", b"]]", b"=", b"(" * 500,
         "鍛錬\u202e".encode(), b"%s", b"../../x", b"\r\n\r\n", b"1-0", b"mate", b"info", b"bestmove", b"A" * 70_000]

PROXY = '''#!/usr/bin/env python3
import os, random, subprocess, sys, threading
child = subprocess.Popen([{engine!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def forward():
    for line in sys.stdin.buffer:
        try:
            child.stdin.write(line); child.stdin.flush()
        except OSError:
            return
    child.stdin.close()
threading.Thread(target=forward, daemon=True).start()
sys.path.insert(0, {scripts!r})
from mutate import mutated
chance = random.Random({seed})
for line in child.stdout:
    if chance.random() < 0.03:
        line = mutated(line, chance)
    try:
        sys.stdout.buffer.write(line); sys.stdout.buffer.flush()
    except OSError:
        break
child.kill()
'''


def mutated(data, chance):
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice([1, 4, 30, 300]))
        match chance.randrange(6):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                data[at:end] = b""
            case 2:
                data[at:at] = data[at:end]
            case 3:
                data[at:at] = chance.choice(WORDS)
            case 4:
                data[at:end] = chance.choice(WORDS)
            case 5:
                data[at:end] = chance.randbytes(end - at)
    return bytes(data)


class Cases:
    def __init__(self, folder, seed):
        self.folder, self.chance = folder, random.Random(seed)
        self.counts, self.findings = {}, 0
        # How often the server answered with each status.
        self.statuses = {}
        self.made = folder / "made"
        self.quietly("match --b plain --pairs 6 --nodes 40 --hash 1 --quiet --out match")
        self.quietly("match --game chess --b plain --pairs 4 --nodes 40 --hash 1 --quiet --out chess --pgn games.pgn")
        self.quietly("nodes --config base --config plain --depth 3 --limit-positions 4 --quiet --out nodes")
        self.quietly("report match --records csa,kif")
        (folder / "queue.toml").write_bytes(subprocess.run([TANREN, "run", "--example"], capture_output=True).stdout)

    def quietly(self, words):
        subprocess.run([TANREN, *words.split()], cwd=self.folder, capture_output=True)

    def finding(self, kind, what):
        self.findings += 1
        kept = self.folder / f"finding-{self.findings}"
        if self.made.exists():
            shutil.copytree(self.made, kept)
        print(f"{kind}: {what} ({kept})", flush=True)

    def run(self, kind, *words, deadline_s=DEADLINE_S):
        words = [str(word) for word in words]
        began = time.time()
        process = subprocess.Popen([TANREN, *words], cwd=self.made, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        try:
            _, errors = process.communicate(timeout=deadline_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return self.finding(kind, f"no end within {deadline_s} s: {' '.join(words)}")
        code = process.returncode
        if b"panicked" in errors or code not in (0, 1, 2, 3):
            self.finding(kind, f"exit code {code}: {' '.join(words)}: {errors[:300]!r}")
        elif code != 0 and not errors.strip():
            self.finding(kind, f"exit code {code} without a message: {' '.join(words)}")
        elif code in (1, 2) and len(errors) > 20_000:
            self.finding(kind, f"a message of {len(errors)} bytes after {time.time() - began:.1f} s: {' '.join(words)}")

    def file(self, source, name):
        path = self.made / name
        path.write_bytes(mutated(source.read_bytes(), self.chance))
        return path

    def ledger(self):
        run = self.chance.choice(["match", "chess", "nodes"])
        shutil.copytree(self.folder / run, self.made / "run")
        self.file(self.folder / run / "ledger.sqlite", "run/ledger.sqlite")
        self.run("ledger", *self.chance.choice([["verify", "run"], ["report", "run", "--json"], ["replay", "run", "--game", "2"]]))

    def queue(self):
        self.run("queue", "run", self.file(self.folder / "queue.toml", "queue.toml"), "--dry-run", "--out", "q")

    def specification(self):
        run = self.chance.choice(["match", "chess", "nodes"])
        self.run("specification", "run", self.file(self.folder / run / "run.toml", "run.toml"), "--dry-run")

    def records(self):
        files = [self.folder / "games.pgn", *self.folder.glob("match/**/*.csa"), *self.folder.glob("match/**/*.kif"), *(REPOSITORY / "openings").glob("*.epd")]
        source = self.chance.choice(files)
        game = "chess" if source.suffix in (".pgn", ".epd") else "shogi"
        path = self.file(source, "records" + source.suffix)
        self.run("records", "openings", "check", "--game", game, path)
        if source.suffix == ".pgn":
            self.run("records", "sprt", "--games", path)

    def table(self):
        self.run("table", "sprt", "--games", self.file(self.folder / "match/games.csv", "games.csv"))

    def engine(self):
        proxy = self.made / "proxy.py"
        proxy.write_text(PROXY.format(engine=str(ENGINE), scripts=str(REPOSITORY / "scripts"), seed=self.chance.randrange(1 << 32)))
        proxy.chmod(0o755)
        protocol, game = self.chance.choice([("usi", "shogi"), ("uci", "chess")])
        self.run("engine", "match", "--game", game, "--a", f"{protocol}:{proxy}", "--b", "plain", "--nodes", "20", "--pairs", "1",
                 "--max-plies", "30", "--stall-ms", "500", "--startup-ms", "3000", "--quiet", "--out", "faulty",
                 deadline_s=60)

    def request(self):
        server = self.server()
        path = self.chance.choice([b"/", b"/runs/match/", b"/runs/match/games", b"/fragment/match", b"/live/match/", b"/events", b"/metrics",
                                   b"/api/v1/runs", b"/api/v1/runs/match", b"/api/v1/queue", b"/api/v1/control/match/pause"])
        method, more = b"GET ", [b"Range: bytes=0-9"]
        body = b""
        if path in (b"/api/v1/queue", b"/api/v1/control/match/pause"):
            method = b"POST "
            body = b'{"name": "q", "text": "[[job]]\\nname = \\"j\\"\\ncommand = \\"match\\"\\nb = \\"plain\\"\\nnodes = 40\\npairs = 1\\n"}'
            if self.chance.random() < 0.5:
                body = mutated(body, self.chance)
            more = [b"Content-Length: %d" % len(body), b"Origin: http://127.0.0.1:%d" % self.port, b"X-Tanren: 1"]
        head = b"\r\n".join([method + path + b" HTTP/1.1", *self.known(), *more, b"", b""])
        if not body or self.chance.random() < 0.5:
            head = mutated(head, self.chance)
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as wire:
                wire.settimeout(1)
                wire.sendall(head + body)
                status = wire.recv(65536)[9:12].decode("ascii", "replace")
                self.statuses[status] = self.statuses.get(status, 0) + 1
        except OSError:
            pass
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as wire:
                wire.settimeout(10)
                wire.sendall(b"\r\n".join([b"GET / HTTP/1.1", *self.known(), b"Connection: close", b"", b""]))
                answer = wire.recv(4096)
                if not answer.startswith(b"HTTP/1.1 200"):
                    self.finding("request", f"the page is not answered: {answer[:60]!r}")
        except OSError as error:
            self.finding("request", f"the page is not answered: {error}")
        if server.poll() is not None:
            self.finding("request", f"the server ended with {server.returncode}")
            self.served = None

    def known(self):
        """What a browser that has opened the printed address sends."""
        return [b"Host: 127.0.0.1:%d" % self.port, b"Cookie: tanren_token_%d=%s" % (self.port, self.token)]

    served = None

    def server(self):
        if self.served is None:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
            command = [TANREN, "serve", "--control", "--port", str(self.port), str(self.folder)]
            self.served = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=open(self.folder / "serve.log", "ab"))
            self.token = self.served.stdout.readline().strip().partition(b"token=")[2]
        return self.served

    def one(self):
        kind = self.chance.choice([self.ledger, self.queue, self.specification, self.records, self.table, self.engine, self.request])
        shutil.rmtree(self.made, ignore_errors=True)
        self.made.mkdir()
        kind()
        self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    cases = Cases(Path(tempfile.mkdtemp(prefix="mutate-")), seed)
    end = time.time() + seconds
    try:
        while time.time() < end:
            cases.one()
    finally:
        if cases.served:
            cases.served.terminate()
            cases.served.wait()
    if cases.counts.get("request"):
        if b"panicked" in (cases.folder / "serve.log").read_bytes():
            cases.finding("request", "the server panicked: serve.log")
        if not cases.statuses.get("200"):
            cases.finding("request", "no request was understood")
        print("answers: " + ", ".join(f"{status} {count}" for status, count in sorted(cases.statuses.items())))
    print(", ".join(f"{kind} {count}" for kind, count in sorted(cases.counts.items())) + f"; {cases.findings} findings")
    sys.exit(cases.findings > 0)


if __name__ == "__main__":
    main()
