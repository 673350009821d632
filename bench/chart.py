"""Draws rates as bars, relative to P, into an SVG file. No dependencies."""

# Series of compare.py, with what a reader sees of them.
SERIES = [
    ("core", "glasstty, core alone", "#1b6ca8"),
    ("whole", "glasstty, whole server", "#6fb1dd"),
    ("xterm", "@xterm/headless", "#c9a227"),
    ("ghostty", "ghostty's engine", "#8f6bb3"),
    ("tmux", "tmux, whole", "#7d8a8c"),
]
MOST = 3.0  # times P; longer bars are cut and say so
LEFT, TOP, WIDTH, BAR, GAP = 110, 60, 560, 10, 12


def bar(x, y, width, color, label):
    return (f'<rect x="{x}" y="{y}" width="{width:.1f}" height="{BAR - 1}" '
            f'fill="{color}"/><text x="{x + width + 4:.1f}" y="{y + BAR - 2}" '
            f'font-size="9">{label}</text>')


def draw(path, table):
    """`table`: workload -> engine -> MB/s, with 'bare' as P."""
    series = [s for s in SERIES if any(r.get(s[0]) for r in table.values())]
    group = len(series) * BAR + GAP
    height = TOP + group * len(table) + 20
    one = LEFT + WIDTH / MOST
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" '
        f'height="{height}" font-family="sans-serif" fill="#333">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="10" y="18" font-size="13">Rate of output at 40x120, '
        'relative to P, a bare pseudoterminal whose reader drops all</text>',
    ]
    x = 10
    for _, title, color in series:
        out.append(f'<rect x="{x}" y="30" width="10" height="10" '
                   f'fill="{color}"/><text x="{x + 14}" y="39" '
                   f'font-size="10">{title}</text>')
        x += 30 + 6 * len(title)
    y = TOP
    for name, row in table.items():
        out.append(f'<text x="10" y="{y + group / 2 - 2:.0f}" '
                   f'font-size="11">{name}</text>')
        for key, _, color in series:
            ratio = (row.get(key) or 0) / row["bare"]
            width = min(ratio, MOST) * WIDTH / MOST
            label = f"{ratio:.2f}" if row.get(key) else "fails"
            out.append(bar(LEFT, y, width, color, label))
            y += BAR
        y += GAP
    out.append(f'<line x1="{one:.1f}" y1="{TOP - 8}" x2="{one:.1f}" '
               f'y2="{y}" stroke="#c33" stroke-dasharray="3,3"/>'
               f'<text x="{one + 3:.1f}" y="{TOP - 3}" font-size="10" '
               f'fill="#c33">P</text>')
    out.append("</svg>")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("\n".join(out) + "\n")
