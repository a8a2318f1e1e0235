#!/usr/bin/env python3
"""Records a command in a terminal of 80 columns as an SVG that plays once and ends with the last screen.

    scripts/recording.py docs/images/demo.svg tanren match --a base --b base,quiescence_see=off --nodes 400 --sprt 0,40
    scripts/recording.py --still --mark PASSED,Games,Pairs,LLR docs/src/images/output.svg tanren match …
    TANREN_LANG=ja scripts/recording.py --still docs/images/demo.ja.svg tanren match --a base --b base,quiescence_see=off --nodes 400 --sprt 0,40
    scripts/recording.py --still --shown tanren docs/src/images/menu.svg sh -c 'tanren </dev/null'
    scripts/recording.py --still docs/src/images/doctor.svg tanren doctor
    scripts/recording.py --still docs/src/images/engines.svg tanren engines list

With TANREN_LANG=ja the last three are docs/src/images/menu.ja.svg, docs/src/images/doctor.ja.svg and docs/src/images/engines.ja.svg.
The picture follows the reader's light or dark theme. `--still` keeps the last screen alone, `--mark` numbers the lines that begin
with these words.
"""

import argparse
import fcntl
import html
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unicodedata

COLUMNS, ROWS = 80, 60
CELL, LINE, PAD = 8.4, 20, 14
COLOURS = {"31": "red", "91": "red", "32": "green", "92": "green", "33": "yellow", "93": "yellow", "34": "blue", "94": "blue", "36": "cyan", "96": "cyan"}
STYLE = """
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1b1f24;white-space:pre}
.wide{font-size:16px}.page{fill:#fdfdfb;stroke:#dbdbd5}.bold{font-weight:700}.dim{fill:#565f69}.green{fill:#0a6a4b}.red{fill:#ab330b}.yellow{fill:#735000}
.blue{fill:#1d5fa6}.cyan{fill:#146a78}.mark{fill:#1d5fa6}.number{fill:#fff;font-weight:700;text-anchor:middle;font-size:12px}
@media(prefers-color-scheme:dark){text{fill:#e8eaed}.page{fill:#0f1113;stroke:#343a41}.dim{fill:#a6aeb8}.green{fill:#55cb9d}
.red{fill:#ff9e78}.yellow{fill:#efc355}.blue{fill:#7ab8f5}.cyan{fill:#67cbd8}.mark{fill:#7ab8f5}.number{fill:#0b1a29}}
"""


def is_wide(symbol):
    return symbol != "" and unicodedata.east_asian_width(symbol) in "WF"


class Screen:
    """What a terminal shows: rows of (symbol, classes); a wide symbol has an empty one after it."""

    def __init__(self):
        self.rows, self.row, self.column, self.classes = [[]], 0, 0, ()

    def feed(self, text):
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b.|.", text, re.S):
            if part.startswith("\x1b["):
                self.control(part[2:-1], part[-1])
            elif part == "\r":
                self.column = 0
            elif part == "\n":
                self.row += 1
                self.rows += [[] for _ in range(self.row + 1 - len(self.rows))]
            elif part.isprintable():
                cells = [part, ""] if is_wide(part) else [part]
                if self.column + len(cells) > COLUMNS:
                    self.feed("\r\n")
                row = self.rows[self.row]
                row += [(" ", ())] * (self.column + len(cells) - len(row))
                row[self.column : self.column + len(cells)] = [(cell, self.classes) for cell in cells]
                self.column += len(cells)

    def control(self, numbers, letter):
        count = int(numbers) if numbers.isdigit() else 1
        if letter == "m":
            for number in numbers.split(";"):
                new = {"1": "bold", "2": "dim"}.get(number) or COLOURS.get(number)
                self.classes = () if number in ("", "0") else self.classes + ((new,) if new else ())
        elif letter == "K":
            del self.rows[self.row][self.column if numbers in ("", "0") else 0 :]
        elif letter == "J":
            del self.rows[self.row][self.column :], self.rows[self.row + 1 :]
        elif letter == "A":
            self.row = max(0, self.row - count)
        elif letter == "B":
            self.row += count
        elif letter == "G":
            self.column = count - 1

    def lines(self):
        lines = [list(row) for row in self.rows]
        while lines and not "".join(symbol for symbol, _ in lines[-1]).strip():
            lines.pop()
        return lines


def record(command):
    """Screens with the second at which each came."""
    main, worker = pty.openpty()
    fcntl.ioctl(worker, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = dict(os.environ, TERM="xterm-256color", COLUMNS=str(COLUMNS))
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(command, stdin=worker, stdout=worker, stderr=worker, env=environment, close_fds=True)
    os.close(worker)
    screen, screens, start, left = Screen(), [], time.monotonic(), b""
    while True:
        if select.select([main], [], [], 0.1)[0]:
            try:
                read = os.read(main, 65536)
            except OSError:
                read = b""
            if not read:
                break
            text = (left + read).decode("utf-8", "ignore")
            left = b"" if (left + read).decode("utf-8", "replace")[-1:] != "\ufffd" else (left + read)[-3:]
            screen.feed(text)
            screens.append((time.monotonic() - start, screen.lines()))
    if process.wait():
        raise SystemExit(f"exit code {process.returncode}: {' '.join(command)}")
    return screens


def drawn(lines, top):
    """Runs of one style, each stretched to its cells whatever font the reader has."""
    for index, line in enumerate(lines):
        at = 0
        while at < len(line):
            end = at
            while end < len(line) and line[end][1] == line[at][1] and (line[end][0] == "" or is_wide(line[end][0]) == is_wide(line[at][0])):
                end += 1
            text = "".join(symbol for symbol, _ in line[at:end])
            if text.strip():
                left = at + len(text) - len(text.lstrip())
                text = text.strip()
                cells = 2 * len(text) if is_wide(text[0]) else len(text)
                classes = line[at][1] + (("wide",) if is_wide(text[0]) else ())
                classes = f' class="{" ".join(classes)}"' if classes else ""
                y = top + PAD + LINE * index + 15
                yield (
                    f'<text x="{PAD + CELL * left:.1f}" y="{y}" textLength="{CELL * cells:.1f}"{classes}>'
                    f"{html.escape(text)}</text>"
                )
            at = end


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--still", action="store_true")
    parser.add_argument("--mark", default="")
    parser.add_argument("--shown", help="the command line to show, if another than the one that is run")
    parser.add_argument("to")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    shown = arguments.shown or " ".join(arguments.command)
    words, typed = shown.split(), ["$"]
    for word in words:
        if len(typed[-1]) + len(word) > COLUMNS - 4:
            typed[-1] += " \\"
            typed.append("   ")
        typed[-1] += " " + word
    prompt = [[(symbol, ("bold",)) for symbol in line] for line in typed]
    frames = [(0.0, prompt)] + [(second + 1, prompt + lines) for second, lines in record(arguments.command)]
    # Two screens a second are enough, the last one always.
    kept = [frame for index, frame in enumerate(frames) if index + 1 == len(frames) or int(frame[0] * 2) != int(frames[index + 1][0] * 2)]
    if arguments.still:
        kept = kept[-1:]
    height = max(len(lines) for _, lines in kept) * LINE + 2 * PAD
    width = round(COLUMNS * CELL + 2 * PAD)
    last, seconds = height * (len(kept) - 1), max(kept[-1][0], 1)
    keys = "".join(f"{100 * second / seconds:.2f}%{{transform:translateY({-height * index}px)}}" for index, (second, _) in enumerate(kept))
    body = "\n".join(text for index, (_, lines) in enumerate(kept) for text in drawn(lines, height * index))
    marks = ""
    for number, mark in enumerate(filter(None, arguments.mark.split(",")), 1):
        row = next(index for index, line in enumerate(kept[-1][1]) if "".join(symbol for symbol, _ in line).strip().startswith(mark))
        y = PAD + LINE * row + 10
        marks += f'\n<circle class="mark" cx="{width + 14}" cy="{y}" r="9"/><text class="number" x="{width + 14}" y="{y + 4}">{number}</text>'
    whole = width + (28 if marks else 0)
    moving = "" if arguments.still else (
        f".film{{transform:translateY({-last}px);animation:film {seconds:.1f}s step-end 1}}@keyframes film{{{keys}}}"
        "@media(prefers-reduced-motion:reduce){.film{animation:none}}"
    )
    with open(arguments.to, "w", encoding="utf-8") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {height}" width="{whole}" height="{height}">\n'
            f"<title>{html.escape(shown)}</title>\n<style>{STYLE}{moving}</style>\n"
            f'<rect class="page" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="9"/>\n'
            f'<svg width="{width}" height="{height}"><g class="film">\n{body}\n</g></svg>{marks}\n</svg>\n'
        )


if __name__ == "__main__":
    main()
