"""Draws rates as bars, with P as a mark, into an SVG file. No dependencies."""

# The series of compare.py, with their names for readers.
SERIES = [
    ("core", "glasstty, core alone", "#1b6ca8"),
    ("whole", "glasstty, whole server", "#6fb1dd"),
    ("xterm", "@xterm/headless", "#c9a227"),
    ("ghostty", "ghostty's engine", "#8f6bb3"),
    ("tmux", "tmux, whole", "#7d8a8c"),
]
LEFT, TOP, WIDTH, BAR, GAP = 110, 60, 560, 10, 12


def text(x, y, size, words):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}">{words}</text>'


def rect(x, y, width, height, color):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" fill="{color}"/>')


def draw(path, table):
    """Draws `table`: workload -> engine -> MB/s; P is 'bare', if it exists."""
    series = [s for s in SERIES if any(r.get(s[0]) for r in table.values())]
    most = max(row.get(key) or 0 for row in table.values()
               for key in ["bare"] + [s[0] for s in series])
    group = len(series) * BAR + GAP
    height = TOP + group * len(table) + 10
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" '
        f'height="{height}" font-family="sans-serif" fill="#333">',
        rect(0, 0, LEFT + WIDTH + 60, height, "white"),
        text(10, 18, 13, "Output at 40x120, MB/s; red: P, a bare "
             "pseudoterminal whose reader drops all"),
    ]
    x = 10
    for _, title, color in series:
        out += [rect(x, 30, 10, 10, color), text(x + 14, 39, 10, title)]
        x += 30 + 6 * len(title)
    y = TOP
    for name, row in table.items():
        out.append(text(10, y + group / 2 - 2, 11, name))
        if row.get("bare"):
            mark = LEFT + WIDTH * row["bare"] / most
            out.append(rect(mark, y - 2, 1.5, group - GAP + 4, "#c33"))
        for key, _, color in series:
            rate = row.get(key) or 0
            width = WIDTH * rate / most
            out += [rect(LEFT, y, width, BAR - 1, color),
                    text(LEFT + width + 4, y + BAR - 2, 9,
                         f"{rate:.0f}" if rate else "fails")]
            y += BAR
        y += GAP
    out.append("</svg>")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("\n".join(out) + "\n")
