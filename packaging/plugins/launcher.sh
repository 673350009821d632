#!/bin/sh
# Starts glasstty: the installed program, or else the npm package @VERSION@.
self=$(readlink -f "$0")
plugin=$(dirname "$(dirname "$self")")

# Some clients start servers in the plugin's folder. Sessions belong in the
# project, where the client itself works.
case $(pwd -P)/ in
  "$plugin"/*) cd -P "${CLAUDE_PROJECT_DIR:-/proc/$PPID/cwd}" 2>/dev/null || cd "${HOME:-/}" || exit ;;
esac

# A program that is older than the plugin may not know the hook, and its
# complaint would reach the agent.
start() {
  program=$1
  shift
  if [ "$1" = hook ]; then
    case $("$program" hook --help 2>/dev/null) in *"$2"*) ;; *) exit 0 ;; esac
  fi
  exec "$program" "$@"
}

# Clients put the bin/ of plugins into PATH: another launcher is not the program.
IFS=:
for folder in $PATH "${HOME:-}/.local/bin" /usr/local/bin /usr/bin; do
  unset IFS
  program=$folder/glasstty
  [ -f "$program" ] && [ -x "$program" ] && [ ! -d "$folder/../skills/@SKILL@" ] && start "$program" "$@"
done
unset IFS
if command -v npx >/dev/null 2>&1; then exec npx -y "glasstty@@VERSION@" "$@"; fi

problem='glasstty is not installed, and neither is npx: see https://github.com/glasstty/glasstty'
case "$*" in
  'hook start'*) echo "$problem. Until then, its tools (term_run and others) are missing; tell the user." ;;
  hook*) ;;
  *)
    echo "$problem" >&2
    exit 127
    ;;
esac
