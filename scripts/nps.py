#!/usr/bin/env python3
"""Nodes a second, depth in a second and time to a depth of UCI engines, position by position in turn.

    scripts/nps.py [--movetime MS] [--depth D] NAME=COMMAND[,OPTION=VALUE...] ...

The positions are 20 of openings/chess-nodes.epd, evenly spread. Each engine searches a position before the next position comes, so that what else
the machine does falls on all of them. Printed are medians over positions with the quartiles.
"""
import argparse
import pathlib
import statistics
import subprocess
import time


class Engine:
    def __init__(self, text):
        self.name, rest = text.split("=", 1)
        command, *options = rest.split(",")
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("uci")
        self.wait("uciok")
        for option in options:
            key, value = option.split("=", 1)
            self.say(f"setoption name {key} value {value}")
        self.ready()
        self.speeds, self.depths, self.times = [], [], []

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def wait(self, word):
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"{self.name} ended")
            lines.append(line.split())
            if lines[-1][:1] == [word]:
                return lines

    def ready(self):
        self.say("isready")
        self.wait("readyok")

    def search(self, fen, limit):
        """The last depth and nodes that were told, and the seconds it took."""
        self.say("ucinewgame")
        self.ready()
        self.say(f"position fen {fen}")
        begin = time.monotonic()
        self.say(f"go {limit}")
        lines = self.wait("bestmove")
        seconds = time.monotonic() - begin
        depth, nodes = 0, 0
        for words in lines:
            if words[:1] == ["info"] and "nodes" in words:
                nodes = max(nodes, int(words[words.index("nodes") + 1]))
                if "depth" in words and "pv" in words:
                    depth = max(depth, int(words[words.index("depth") + 1]))
        return depth, nodes, seconds


def spread(values):
    if len(values) < 2:
        return f"{values[0]:g}"
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:,.3g} [{low:,.3g}, {high:,.3g}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--movetime", type=int, default=1000)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("engines", nargs="+")
    arguments = parser.parse_args()
    suite = pathlib.Path(__file__).parent.parent / "openings" / "chess-nodes.epd"
    fens = [line.split(";")[0].strip() for line in suite.read_text().splitlines() if line.strip() and not line.startswith("#")]
    fens = [" ".join((fen.split() + ["0", "1"])[:6]) for fen in fens][:: max(1, len(fens) // 20)][:20]
    engines = [Engine(text) for text in arguments.engines]
    for fen in fens:
        for engine in engines:
            depth, nodes, seconds = engine.search(fen, f"movetime {arguments.movetime}")
            engine.speeds.append(nodes / seconds / 1e6)
            engine.depths.append(depth)
            engine.times.append(engine.search(fen, f"depth {arguments.depth}")[2])
    print(f"| engine | M nodes/s | depth in {arguments.movetime} ms | seconds to depth {arguments.depth} |\n|---|---|---|---|")
    for engine in engines:
        print(f"| {engine.name} | {spread(engine.speeds)} | {spread(engine.depths)} | {spread(engine.times)} |")
        engine.say("quit")


main()
