"""Checks the records of a run with the parsers of cshogi (shogi) and python-chess (chess).

    pip install cshogi chess
    tanren report DIR --records csa,kif,kifu   (or pgn)
    python harness/tests/check_records.py DIR

Every game must be read, every move must be legal, and the moves must end with those of games.sfen (or games.fen): those of a book stand
before them.
"""

import re
import sys
from pathlib import Path

# How each notation names the end of a game by each reason of games.csv, where there is one name.
ENDS = {
    "no_legal_move": "%TSUMI",
    "resignation": "%TORYO",
    "declaration": "%KACHI",
    "repetition": "%SENNICHITE",
    "time_loss": "%TIME_UP",
    "max_plies": "%JISHOGI",
}


def fail(message):
    sys.exit(f"check_records: {message}")


def played(line):
    """The position and the moves of a line of games.sfen."""
    position, _, moves = line.partition(" moves")
    return position.split(" ", 1)[1], moves.split()


def same_position(one, two):
    """Whether two SFENs say the same, in whatever order their hands are."""
    import cshogi

    return cshogi.Board(sfen=one).sfen().split()[:3] == cshogi.Board(sfen=two).sfen().split()[:3]


def usi_moves(sfen, moves):
    """Moves as integers of cshogi in USI notation, each tested for legality."""
    import cshogi

    board = cshogi.Board(sfen=sfen)
    for move in moves:
        if not board.is_legal(move):
            fail(f"illegal move {cshogi.move_to_usi(move)} at {board.sfen()}")
        board.push(move)
    return [cshogi.move_to_usi(move) for move in moves]


def is_played(start, made, sfen, moves):
    """Whether the moves from `start` end with `moves` from `sfen`."""
    import cshogi

    book = made[: len(made) - len(moves)]
    board = cshogi.Board(sfen=start)
    for move in book:
        board.push_usi(move)
    return same_position(board.sfen(), sfen) and made[len(book) :] == moves


def check_csa(path, lines, reasons):
    from cshogi import CSA

    games = CSA.Parser.parse_file(str(path))
    if len(games) != len(lines):
        fail(f"{path}: {len(games)} games instead of {len(lines)}")
    for number, (game, line, reason) in enumerate(zip(games, lines, reasons), 1):
        sfen, moves = played(line)
        if not is_played(game.sfen, usi_moves(game.sfen, game.moves), sfen, moves):
            fail(f"{path}: game {number} is not the one played")
        if game.endgame != ENDS.get(reason, game.endgame):
            fail(f"{path}: game {number} ends by {game.endgame} instead of {reason}")
    return len(games)


def check_kif(folder, lines):
    import cshogi
    from cshogi import KIF

    for number, line in enumerate(lines, 1):
        sfen, moves = played(line)
        suffix = folder.name
        encoding = "utf-8" if suffix == "kifu" else "shift_jis"
        text = (folder / f"{number:06}.{suffix}").read_text(encoding=encoding)
        # The parser knows no diagrams: it is given the position instead, and the diagram is compared by its own reading.
        has_diagram = "手合割：その他" in text
        text = re.sub(r"手合割：.*\n", "", text)
        start = sfen if has_diagram else cshogi.STARTING_SFEN
        KIF.Board = lambda: cshogi.Board(sfen=start)
        game = KIF.Parser.parse_str(text)
        if not is_played(start, usi_moves(start, game.moves), sfen, moves):
            fail(f"{folder}: game {number} is not the one played")
    return len(lines)


def check_pgn(path, lines):
    import chess.pgn

    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(lines, 1):
            fen, moves = played(line)
            game = chess.pgn.read_game(file)
            if game is None or game.errors:
                fail(f"{path}: game {number}: {game and game.errors}")
            made = list(game.mainline_moves())
            board = game.board()
            for move in made[: len(made) - len(moves)]:
                board.push(move)
            # Only where a pawn may be taken in passing is its square told.
            same = board.epd() == chess.Board(fen, chess960=board.chess960).epd()
            if not same or [move.uci() for move in made[len(made) - len(moves) :]] != moves:
                fail(f"{path}: game {number} is not the one played")
        if chess.pgn.read_game(file) is not None:
            fail(f"{path}: more games than were played")
    return len(lines)


def main(folder):
    lines_file = next(path for path in (folder / "games.sfen", folder / "games.fen") if path.exists())
    lines = lines_file.read_text().splitlines()
    rows = [row.split(",") for row in (folder / "games.csv").read_text().splitlines()]
    reasons = [row[rows[0].index("reason")] for row in rows[1:]]
    checked = {}
    if (folder / "games.csa").exists():
        checked["csa"] = check_csa(folder / "games.csa", lines, reasons)
    for name in ("kif", "kifu"):
        if (folder / name).is_dir():
            checked[name] = check_kif(folder / name, lines)
    if (folder / "games.pgn").exists():
        checked["pgn"] = check_pgn(folder / "games.pgn", lines)
    wanted = ("csa", "kif", "kifu") if lines_file.suffix == ".sfen" else ("pgn",)
    for name in wanted:
        if checked.get(name) != len(lines):
            fail(f"{name}: {checked.get(name, 0)} of {len(lines)} games; make them with tanren report DIR --records {','.join(wanted)}")
    print(", ".join(f"{name}: {games} games" for name, games in checked.items()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
