#!/usr/bin/env python3
"""Instructions a node of the engine with its settings changed, counted by valgrind: the same on a busy machine.

    cargo build --release -p tanren-engine
    scripts/instructions.py [--game chess] [--depth 9] [--positions 8] SETTINGS...

SETTINGS are what is changed of the standard engine, as in pins=early,king_evasions=early; "base" changes nothing.
In: the positions of the suite that is built in for counting nodes. Out: CSV. What the start of the program costs is taken off.
"""
import argparse
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = ROOT / "target/release/tanren-engine"
COUNTED = re.compile(r"Collected : (\d+)")


def talk(game, settings, positions, depth):
    """Nodes and instructions of a conversation."""
    protocol = {"chess": "uci", "shogi": "usi"}[game]
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(ENGINE)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as engine:

        def say(line, until):
            engine.stdin.write(line + "\n")
            engine.stdin.flush()
            heard = []
            while not heard or not heard[-1].startswith(until):
                heard.append(engine.stdout.readline().strip())
                if not heard[-1] and engine.poll() is not None:
                    raise SystemExit(engine.stderr.read())
            return heard

        say(protocol, f"{protocol}ok")
        hash_name = {"chess": "Hash", "shogi": "USI_Hash"}[game]
        engine.stdin.write(f"setoption name {hash_name} value 16\n")
        for setting in settings:
            name, value = setting.split("=")
            value = {"on": "true", "off": "false"}.get(value, value)
            engine.stdin.write(f"setoption name {name} value {value}\n")
        refused = [line for line in say("isready", "readyok") if line.startswith("info string")]
        if refused:
            raise SystemExit(refused[0])
        nodes = 0
        for position in positions:
            say(f"{protocol}newgame\nposition {position}\nisready", "readyok")
            total = [line for line in say(f"go depth {depth}", "bestmove") if " nodes " in line][-1].split()
            nodes += int(total[total.index("nodes") + 1])
        engine.stdin.write("quit\n")
        engine.stdin.flush()
        counted = COUNTED.search(engine.communicate()[1])
    return nodes, int(counted[1])


def main():
    """Counts each of the configurations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=["chess", "shogi"], default="shogi")
    parser.add_argument("--depth", type=int, default=9)
    parser.add_argument("--positions", type=int, default=8)
    parser.add_argument("settings", nargs="+")
    asked = parser.parse_args()
    suite = {"chess": "openings/chess-nodes.epd", "shogi": "openings/shogi-nodes.sfen"}[asked.game]
    lines = [line.strip() for line in (ROOT / suite).read_text().splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")][: asked.positions]
    if asked.game == "chess":
        lines = ["fen " + " ".join(line.split()[:4]) + " 0 1" for line in lines]
    elif not lines[0].startswith(("sfen", "startpos")):
        lines = ["sfen " + line for line in lines]
    print("settings,nodes,instructions,instructions_a_node,against_first")
    first = None
    for text in asked.settings:
        settings = [] if text == "base" else text.split(",")
        _, before = talk(asked.game, settings, [], asked.depth)
        nodes, counted = talk(asked.game, settings, lines, asked.depth)
        a_node = (counted - before) / nodes
        first = first or counted - before
        print(f'"{text}",{nodes},{counted - before},{a_node:.1f},{(counted - before) / first - 1:+.4f}', flush=True)


if __name__ == "__main__":
    main()
