#!/usr/bin/env python3
"""Fits what the chess engine's scores are worth in wins, draws and losses: engine/src/protocol/wdl.rs.

    tanren match --game chess --a base --b base,continuation=off --nodes 5000 --pairs 600 --seed 77 --out DIR --pgn games.pgn
    python3 -m pip install chess scipy && scripts/fit_wdl.py games.pgn

In: a PGN with scores, as tanren writes it. Out: the five numbers; how those of one half of the pairs do on the other.
"""
import re
import sys

import chess
import chess.pgn
import numpy
from scipy.optimize import minimize
from scipy.special import expit

SCORE = re.compile(r"([+-]\d+\.\d+)/\d+")
BOOTSTRAPS = 200


def rows(path):
    """Pair, score in centipawns, pieces, and 1, 0 or -1 for whoever is to move, for every move with a score."""
    with open(path) as file:
        while game := chess.pgn.read_game(file):
            white = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game.headers["Result"])
            if white is None:
                continue
            pair = (int(game.headers["Round"].split(".")[0]) - 1) // 2
            for node in game.mainline():
                if found := SCORE.search(node.comment):
                    board = node.parent.board()
                    result = white if board.turn == chess.WHITE else -white
                    yield pair, 100 * float(found[1]), chess.popcount(board.occupied), result


def chances(numbers, score, pieces):
    """Win and loss."""
    a, b = (numbers[i] + numbers[i + 1] * pieces / 32 for i in (0, 2))
    score = numbers[4] * numpy.arcsinh(score / numbers[4])
    return expit((score - a) / b), expit((-score - a) / b)


def loss(numbers, score, pieces, result):
    """Minus the mean logarithm of the likelihood."""
    win, lose = chances(numbers, score, pieces)
    if numpy.any(win + lose > 1 + 1e-9):
        return 1e9
    said = numpy.select([result > 0, result < 0], [win, lose], 1 - win - lose)
    return -numpy.mean(numpy.log(numpy.maximum(said, 1e-9)))


def fit(score, pieces, result):
    """The five numbers."""
    found = minimize(
        loss,
        [250.0, -200.0, 120.0, 20.0, 350.0],
        args=(score, pieces, result),
        method="Nelder-Mead",
        options={"maxiter": 4000, "xatol": 0.01, "fatol": 1e-9},
    )
    return found.x


def main():
    """Fits, and compares with what happened: each half of the pairs by the numbers of the other."""
    pair, score, pieces, result = (numpy.array(column) for column in zip(*rows(sys.argv[1])))
    numbers = [round(float(number), 1) for number in fit(score, pieces, result)]
    print("a, a by pieces / 32, b, b by pieces / 32, bend:", numbers)
    win, lose = numpy.zeros(len(pair)), numpy.zeros(len(pair))
    for half in (0, 1):
        held, fitted = pair % 2 == half, pair % 2 != half
        numbers = fit(score[fitted], pieces[fitted], result[fitted])
        win[held], lose[held] = chances(numbers, score[held], pieces[held])
    said = numpy.select([result > 0, result < 0], [win, lose], 1 - win - lose)
    blind = numpy.select([result > 0, result < 0], [numpy.mean(result > 0), numpy.mean(result < 0)], numpy.mean(result == 0))
    print(f"pairs {len(set(pair))}, moves {len(pair)}; nats a move: {-numpy.mean(numpy.log(said)):.4f}, "
          f"without a score {-numpy.mean(numpy.log(blind)):.4f}")
    expected = win + (1 - win - lose) / 2
    happened = (result + 1) / 2
    print("said,happened,low,high,moves,pairs")
    rng = numpy.random.default_rng(1)
    for low in numpy.arange(0, 1, 0.1):
        chosen = (expected >= low) & (expected < low + 0.1)
        if not chosen.any():
            continue
        names, place = numpy.unique(pair[chosen], return_inverse=True)
        total = numpy.bincount(place, happened[chosen])
        count = numpy.bincount(place)
        draws = rng.integers(0, len(names), (BOOTSTRAPS, len(names)))
        ends = numpy.percentile(total[draws].sum(1) / count[draws].sum(1), [2.5, 97.5])
        print(f"{expected[chosen].mean():.3f},{happened[chosen].mean():.3f},{ends[0]:.3f},{ends[1]:.3f},{chosen.sum()},{len(names)}")


if __name__ == "__main__":
    main()
