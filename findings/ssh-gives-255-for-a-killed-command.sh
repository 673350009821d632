#!/usr/bin/env bash
# Expected: `ssh host command` ends with the command's status, so with 137 for a command that was killed by SIGKILL,
# as a local shell says; 255 means that ssh itself failed (its manual: "or with 255 if an error occurred"), and trying
# again is harmless.
# What happens: for a command that dies by a signal, ssh says 255 as well, and prints nothing. The server does send
# the signal's name, for which the protocol has a message (exit-signal); the client receives it and makes nothing of
# it. One more shell in between gives 137: `ssh host 'command; exit $?'`. Seen with OpenSSH 9.2p1.
# Why it matters: tools and scripts take 255 for a lost connection and repeat the command (Ansible says UNREACHABLE).
# A job that ran out of memory half-way is then run twice; who starts commands over ssh has to look for the
# connection's own error text before he tries again.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download openssh-client=1:9.2p1-2+deb12u10 openssh-server=1:9.2p1-2+deb12u10 libwrap0=7.6.q-32 \
  >apt.log 2>&1) ||
  { echo "Debian serves openssh 1:9.2p1-2+deb12u10 no more; that of Debian 12 in November 2026 is meant."; exit 1; }
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir"; done
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
if [ "$(id -u)" = 0 ] && ! { getent passwd sshd && [ -d /run/sshd ]; } >/dev/null; then
  echo "As root, sshd wants its own user and /run/sshd: run this as an ordinary user, or install openssh-server."
  exit 1
fi
"$dir/usr/bin/ssh" -V 2>&1

"$dir/usr/bin/ssh-keygen" -q -t ed25519 -N '' -f "$dir/host"
"$dir/usr/bin/ssh-keygen" -q -t ed25519 -N '' -f "$dir/user"
cat >"$dir/sshd_config" <<CONFIG
HostKey $dir/host
AuthorizedKeysFile $dir/user.pub
StrictModes no
UsePAM no
PidFile none
CONFIG
# The server talks through a pipe, so no port is opened.
far() {
  local status=0
  "$dir/usr/bin/ssh" -F none -i "$dir/user" -o BatchMode=yes -o StrictHostKeyChecking=no \
    -o UserKnownHostsFile="$dir/known" -o LogLevel="${level:-ERROR}" \
    -o ProxyCommand="${server:-$dir/usr/sbin/sshd -i -f $dir/sshd_config 2>/dev/null}" "$@" </dev/null || status=$?
  echo "status $status"
}
failed=0
check() {
  printf '%-44s %s\n' "$1" "$2"
  [ "$2" = "$3" ] || { echo "different: expected $3"; failed=1; }
}
user=$(id -un)
check "exit 3" "$(far "$user@host" 'exit 3')" "status 3"
killed="sh -c 'kill -KILL \$\$'"
check "exec $killed" "$(far "$user@host" "exec $killed")" "status 255"
check "the message for it" "$(level=DEBUG1 far "$user@host" "exec $killed" 2>&1 | grep -o 'rtype exit-[a-z]*')" \
  "rtype exit-signal"
check "$killed; exit \$?" "$(far "$user@host" "$killed; exit \$?" 2>/dev/null)" "status 137"
check "a connection that fails" "$(server=false far "$user@host" true 2>/dev/null)" "status 255"
exit $failed
