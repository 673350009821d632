#!/usr/bin/env bash
# Expected: a terminal that knows no 24-bit colours ignores them, or shows the nearest of its 256.
# What happens: of `CSI 38;2;RED;GREEN;BLUE m`, GNU screen passes over the 38 alone, and obeys each of the other
# numbers as an attribute of its own: 2 is dim, 1 bold, 4 underlined, 5 blinking, 7 reverse, 30 to 47 one of the eight
# colours, and 0 takes everything back. So the dark blue 1;4;7 comes out dim, bold, underlined and reversed, the light
# grey 200;200;200 only dim, and the pure blue 0;0;200 without any mark. Seen with screen 4.9.0, which Debian 12 has.
# Why it matters: programs that are told COLORTERM=truecolor (screen hands it down from the terminal around it) look
# broken there in a way that depends on the shade. Who reads the selected entry (reverse) or a key (underlined) from
# such a screen reads a colour, and nothing in the text tells.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download screen=4.9.0-4 libutempter0=1.2.1-3 >apt.log 2>&1) ||
  { echo "Debian serves screen 4.9.0-4 no more; that of Debian 12 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export LD_LIBRARY_PATH LC_ALL=C.UTF-8 SCREENDIR=$dir/sockets
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
mkdir -m 700 "$SCREENDIR"
screen=$dir/usr/bin/screen
"$screen" --version || true  # its status is 1

cat >"$dir/drive.py" <<'PY'
import fcntl, os, pty, re, struct, sys, termios

screen = sys.argv[1]
names = {"0": "plain", "1": "bold", "2": "dim", "4": "underlined", "5": "blinking", "7": "reverse"}
text = (r"printf '\033[2J\033[H'; for c in '1;4;7' '5;33;7' '0;0;200' '200;200;200'; "
        r"do printf '<\033[0;38;2;%sm%s\033[0m>\n' $c $c; done; read x")
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.environ["TERM"] = "xterm-256color"
    os.execv(screen, [screen, "-c", "/dev/null", "-U", "sh", "-c", text])
seen = b""
while not re.search(rb"200;200;200[^>]*>", seen):
    seen += os.read(terminal, 4096)
os.write(terminal, b"\n")
try:
    while os.read(terminal, 4096):
        pass
except OSError:
    pass  # screen has ended
os.waitpid(child, 0)

failed = False
for colour, expected in [("1;4;7", "dim bold underlined reverse"), ("5;33;7", "dim blinking 33 reverse"),
                         ("0;0;200", ""), ("200;200;200", "dim")]:
    # What screen prints for the outer terminal in front of the text: its attributes, one by one.
    before = re.search(rb"<([^<>]*)" + colour.encode(), seen)[1].decode()
    got = " ".join(names.get(n, n) for n in re.findall(r"\x1b\[(\d+)m", before))
    print(f"CSI 38;2;{colour} m is shown as: {got or 'plain'}")
    failed |= set(got.split()) != set(expected.split())
sys.exit(failed)
PY
timeout 60 python3 "$dir/drive.py" "$screen" || { echo "different: the colours are not taken for attributes"; exit 1; }
