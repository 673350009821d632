#!/usr/bin/env bash
# Expected: ssh-keygen leaves a private key that only its owner can read, whatever was there before; that is what it
# does for a new file, under any umask.
# What happens: if the file exists and "Overwrite (y/n)?" is answered with y, the new key is written into the old
# file, and its mode stays: after a placeholder, a copy, or a checkout of mode 0644 the new private key can be read by
# everybody. ssh-keygen says that all is well, with status 0, and the ssh of the same package then refuses to use the
# key ("bad permissions"). Seen with OpenSSH 9.2p1.
# Why it matters: who answers the question for somebody else, because it is known and harmless, has to look at the
# mode afterwards, or remove the file first; the question's text names only the loss of the old key.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download openssh-client=1:9.2p1-2+deb12u10 >apt.log 2>&1) ||
  { echo "Debian serves openssh 1:9.2p1-2+deb12u10 no more; that of Debian 12 in November 2026 is meant."; exit 1; }
dpkg-deb -x "$dir"/openssh-client_*.deb "$dir"
"$dir/usr/bin/ssh" -V 2>&1

cat >"$dir/drive.py" <<'PY'
import os, pty, re, sys

keygen, key = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    os.umask(0o077)
    os.execv(keygen, [keygen, "-q", "-t", "ed25519", "-N", "", "-f", key])
seen = b""
while not re.search(rb"Overwrite \(y/n\)\? ", seen):
    seen += os.read(terminal, 4096)
os.write(terminal, b"y\n")
try:
    while True:
        seen += os.read(terminal, 4096)
except OSError:
    pass  # it has ended
print(seen.decode().replace("\r", "").strip())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
PY
key=$dir/id_new
"$dir/usr/bin/ssh-keygen" -q -t ed25519 -N '' -f "$key"
new=$(stat -c %a "$key")
rm "$key" "$key.pub"
echo "a placeholder" >"$key"
chmod 644 "$key"
python3 "$dir/drive.py" "$dir/usr/bin/ssh-keygen" "$key"
over=$(stat -c %a "$key")
used=$("$dir/usr/bin/ssh-keygen" -y -f "$key" 2>&1 || true)
echo "mode of a new key: $new; of one over a file of mode 644: $over"
echo "$used" | grep -E 'too open|bad permissions' || true
if [ "$new $over" != "600 644" ] || ! grep -q "bad permissions" <<<"$used"; then
  echo "different: the old file's mode is not kept"
  exit 1
fi
