#!/usr/bin/env python3
"""Draws the picture of README.md from the table of a study: scripts/ablation_picture.py ABLATION.csv docs/src/images/ablation.svg

The rows that are significant by Holm's correction, and those of null move, late move reductions and soppo.
"""

import csv
import html
import sys

ALWAYS = ("null_move", "lmr", "soppo")
WIDTH, LEFT, RIGHT, LINE, TOP = 760, 210, 20, 26, 34
STYLE = """
text{font:13px system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1b1f24}.dim{fill:#565f69}.page{fill:#fdfdfb;stroke:#dbdbd5}
line{stroke:#dbdbd5}.zero{stroke:#565f69}.worth{stroke:#1d5fa6;fill:#1d5fa6;stroke-width:2}.costs{stroke:#b35c00;fill:#b35c00;stroke-width:2}
.open{stroke:#565f69;fill:#fdfdfb;stroke-width:2}
@media(prefers-color-scheme:dark){text{fill:#e8eaed}.dim{fill:#a6aeb8}.page{fill:#131518;stroke:#343a41}line{stroke:#343a41}.zero{stroke:#a6aeb8}
.worth{stroke:#7ab8f5;fill:#7ab8f5}.costs{stroke:#f0a04b;fill:#f0a04b}.open{stroke:#a6aeb8;fill:#131518}}
"""


def main():
    table, to = sys.argv[1:]
    with open(table, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["elo"] and (float(row["p_holm"]) <= 0.05 or row["technique"] in ALWAYS)]
    rows.sort(key=lambda row: -float(row["elo"]))
    least = min(float(row["elo_low"]) for row in rows) - 10
    most = max(float(row["elo_high"]) for row in rows) + 10
    x = lambda elo: LEFT + (WIDTH - LEFT - RIGHT) * (elo - least) / (most - least)
    height = TOP + LINE * len(rows) + 48
    parts = [f'<rect class="page" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="9"/>']
    parts.append('<text class="dim" x="14" y="22">changed setting</text>')
    parts.append(f'<text class="dim" x="{x(0) + 6:.0f}" y="22">Elo that the engine loses by the change, 95 % CI; filled: significant</text>')
    bottom = TOP + LINE * len(rows)
    for elo in range(int(least // 100 * 100), int(most) + 1, 100):
        if elo >= least:
            parts.append(f'<line{" class=zero" if elo == 0 else ""} x1="{x(elo):.1f}" x2="{x(elo):.1f}" y1="{TOP}" y2="{bottom}"/>'.replace("=zero", '="zero"'))
            name = f"{elo:+d}" if elo else "0"
            parts.append(f'<text class="dim" x="{x(elo):.1f}" y="{bottom + 18}" text-anchor="middle">{name}</text>')
    for index, row in enumerate(rows):
        y = TOP + LINE * index + LINE / 2
        elo, low, high = (float(row[name]) for name in ("elo", "elo_low", "elo_high"))
        kind = "open" if float(row["p_holm"]) > 0.05 else "worth" if elo > 0 else "costs"
        parts.append(f'<text x="14" y="{y + 4}">{html.escape(row["technique"])}={html.escape(row["setting"])}</text>')
        parts.append(f'<line class="{kind}" x1="{x(low):.1f}" x2="{x(high):.1f}" y1="{y}" y2="{y}"/><circle class="{kind}" cx="{x(elo):.1f}" cy="{y}" r="4.5"/>')
    parts.append(f'<text class="dim" x="14" y="{bottom + 38}">{html.escape(table)}</text>')
    with open(to, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">\n<style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    main()
