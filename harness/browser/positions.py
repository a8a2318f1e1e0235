#!/usr/bin/env python3
"""Every position of the games in a report.html, by a library that is not ours: python-chess or cshogi.

In: the page. Out: JSON on stdout, by number of the game the list of its positions, the opening first.
"""
import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
games = json.loads(re.search(r'id="games-data">(.*?)</script>', page, re.S).group(1))
positions = {}
for row in games["rows"]:
    moves = row["m"].split()
    if games["game"] == "chess":
        import chess

        # Rights by files are those of Chess960.
        is_960 = not set(row["p"].split()[2]) <= set("KQkq-")
        board = chess.Board(row["p"], chess960=is_960)
        # Every double step is noted, as the page does; which capture is legal is not the board's question.
        text = lambda: board.shredder_fen(en_passant="fen") if is_960 else board.fen(en_passant="fen")
    else:
        import cshogi

        board = cshogi.Board(sfen=row["p"])
        text = lambda: board.sfen()
    seen = [text()]
    for move in moves:
        board.push_uci(move) if games["game"] == "chess" else board.push_usi(move)
        seen.append(text())
    positions[row["n"]] = seen
json.dump(positions, sys.stdout)
