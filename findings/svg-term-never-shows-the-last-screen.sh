#!/usr/bin/env bash
# Expected: an animated picture of a recording ends with the last screen, the one that holds the result, and shows it
# for a moment before it begins anew.
# What happens: in the pictures of svg-term the last screen is never seen. Each screen has a keyframe at its time, so
# the last one stands at 100 %, and the animation steps from one to the next (steps(1, end)) and repeats without a
# pause: what stands at 100 % lasts for no time at all. A recording of "make" that ends with its verdict shows
# everything but the verdict. Only an event behind it would help, and a recording has none, because nothing is printed
# any more. Seen with svg-term-cli 2.1.1.
# Why it matters: such pictures stand in many READMEs, and who makes one from a program that he drives has to add a
# last event that prints nothing, some seconds later, to see the end.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error svg-term-cli@2.1.1 >"$dir/npm.log" 2>&1 ||
  { cat "$dir/npm.log"; exit 1; }
echo "svg-term-cli 2.1.1, node $(node --version)"
cat >"$dir/in.cast" <<'CAST'
{"version": 2, "width": 40, "height": 4}
[1.0, "o", "$ make\r\n"]
[2.0, "o", "compiling\r\n"]
[4.0, "o", "VERDICT"]
CAST
cp "$dir/in.cast" "$dir/longer.cast"
echo '[9.0, "o", ""]' >>"$dir/longer.cast"
for name in in longer; do
  "$dir/node_modules/.bin/svg-term" --in "$dir/$name.cast" --out "$dir/$name.svg"
done

cat >"$dir/seen.py" <<'PY'
import re, sys

def seconds_of(path):
    """Returns for how many seconds of one round of the animation the text VERDICT is in the window."""
    svg = open(path).read()
    duration = float(re.search(r"animation-duration:([\d.]+)s", svg)[1])
    if not re.search(r"animation-iteration-count:infinite", svg) or "steps(1,end)" not in svg:
        sys.exit("different: it is no endless animation in steps")
    frames = []  # (share of the duration, how far the strip of screens is moved)
    for stops, moved in re.findall(r"([\d.%,a-z]+)\{transform:translateX\(-?([\d.]+)(?:px)?\)\}", svg):
        for stop in stops.split(","):
            share = {"from": 0.0, "to": 1.0}.get(stop)
            frames.append((float(stop.rstrip("%")) / 100 if share is None else share, float(moved)))
    frames.sort()
    # The strip: one nested picture for each screen, at x. The first one has none.
    strip = re.split(r"animation-timing-function", svg)[1]
    screens = {}
    for piece in re.split(r"<svg(?= x=|>)", strip)[1:]:
        at = re.match(r' x="([\d.]+)"', piece)
        screens[float(at[1]) if at else 0.0] = piece
    symbols = {name for name, text in re.findall(r'<symbol id="(\w+)">(.*?)</symbol>', svg) if "VERDICT" in text}
    def has_it(piece):
        return "VERDICT" in piece or any(f'href="#{name}"' in piece for name in symbols)
    # With steps(1, end), a screen stays from its keyframe to the next one.
    scale = 10  # the strip's unit is a tenth of the window's
    seconds, listed = 0.0, []
    for (share, moved), (until, _) in zip(frames, frames[1:] + [(1.0, 0)]):
        piece = screens.get(moved, screens.get(moved / scale, ""))
        listed.append(f"{share * duration:.1f} to {until * duration:.1f} s{' VERDICT' if has_it(piece) else ''}")
        seconds += (until - share) * duration if has_it(piece) else 0
    if not any(has_it(piece) for piece in screens.values()):
        sys.exit("different: no screen has the text")
    print("; ".join(listed))
    return seconds

plain, longer = (seconds_of(path) for path in sys.argv[1:])
print(f"the last screen is shown for {plain:.1f} s, with an empty event 5 s behind it for {longer:.1f} s")
sys.exit(plain != 0 or longer < 4)
PY
python3 "$dir/seen.py" "$dir/in.svg" "$dir/longer.svg" || { echo "different: the last screen is shown"; exit 1; }
