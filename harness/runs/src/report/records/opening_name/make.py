"""Makes names.tsv.gz of the five tables of lichess-org/chess-openings.

    pip install chess
    python make.py a.tsv b.tsv c.tsv d.tsv e.tsv

A line a position, in the order of the positions: EPD, ECO, name, parted by tabs; the square of an en passant capture stands there only
if the capture is legal.
"""

import csv
import gzip
import io
import sys

import chess.pgn

rows = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
            board = chess.pgn.read_game(io.StringIO(row["pgn"])).end().board()
            rows.append("\t".join([board.epd(), row["eco"], row["name"]]) + "\n")
with open("names.tsv.gz", "wb") as output:
    output.write(gzip.compress("".join(sorted(rows)).encode(), 9, mtime=0))
