// Defines the table. Waiting is proved in 20 looks, so a program that draws by
// itself (top, watch) is told to do so rarely.
//
// The text that a command prints must differ from its own echo: in `'Go''on?'`
// the echo has quotes in the middle, and the prompt does not. Programs that
// print nothing follow an `echo up`, printed by the shell that then becomes
// them.
#include "e2e/states_table.h"

#include <utility>

namespace glasstty::testing {
namespace {

using Argv = std::vector<std::string>;
using Steps = std::vector<Situation::Step>;

using Rows = std::vector<Situation>;

// ---- Ways to begin ----

// Returns a shell that says that it is there and becomes `command`.
Argv Up(const std::string& command) {
  return {"sh", "-c", "echo up; exec " + command};
}
Argv Sh(const std::string& script) { return {"sh", "-c", script}; }
Argv Python(const std::string& code) {
  return {"/usr/bin/python3", "-c", code};
}
// Returns a program named ssh, raw and waiting for both ends, as ssh is.
Argv Ssh(const std::string& far_text) {
  return {"{dir}/ssh", "-c",
          "import os, select, socket, tty\ntty.setraw(0)\n"
          "ends = socket.socketpair()\nos.write(1, b'" +
              far_text +
              "')\n"
              "select.select([0, ends[0]], [], [])"};
}

Steps Shows(const std::string& text) { return {{"", text}}; }

// Types a line at the prompt of a shell, and gives what it shows.
Steps Types(const std::string& keys, const std::string& shown) {
  return {{"", "$"}, {keys, shown}};
}

const Argv& Bash() {
  static const Argv argv = {"bash", "--norc", "-i"};
  return argv;
}
const Argv& Vim() {
  static const Argv argv = {"vim", "--clean", "-n", "file"};
  return argv;
}

// ---- What is expected ----

Situation Prompt(const char* program, const char* doing, Argv argv,
                 Steps steps) {
  return {program,          doing,    std::move(argv),
          std::move(steps), "prompt", "kernel"};
}
// For a shell that marks its prompts itself.
Situation MarkedPrompt(const char* program, const char* doing, Argv argv,
                       Steps steps) {
  return {program, doing, std::move(argv), std::move(steps), "prompt", "shell"};
}
Situation Input(const char* program, const char* doing, Argv argv,
                Steps steps) {
  return {program, doing, std::move(argv), std::move(steps), "input", "kernel"};
}
Situation Guessed(const char* program, const char* doing, Argv argv,
                  Steps steps) {
  return {program, doing, std::move(argv), std::move(steps), "input", "guess"};
}
Situation GuessedPrompt(const char* program, const char* doing, Argv argv,
                        Steps steps) {
  return {program, doing, std::move(argv), std::move(steps), "prompt", "guess"};
}
Situation Busy(const char* program, const char* doing, Argv argv, Steps steps) {
  return {program, doing, std::move(argv), std::move(steps), "busy", "kernel"};
}
Situation Secret(const char* program, const char* doing, Argv argv,
                 Steps steps) {
  return {program,          doing,    std::move(argv),
          std::move(steps), "secret", "kernel"};
}
// A program with more rights than its user may not be looked into.
Situation Waking(Situation row) {
  row.wakes = true;
  return row;
}

Situation SecretOfUser(const char* program, const char* doing, Argv argv,
                       Steps steps) {
  return {program,  doing,   std::move(argv), std::move(steps),
          "secret", "guess", User::kOrdinary};
}

// ---- The rows, group by group ----

Rows Shells() {
  return {
      MarkedPrompt("bash", "at its prompt", Bash(), Shows("$")),
      Prompt("bash", "at its prompt, started by another program",
             {"env", "bash", "--norc", "-i"}, Shows("$")),
      MarkedPrompt("zsh", "at its prompt", {"zsh"}, Shows("$")),
      Prompt("zsh", "at its prompt, with flags", {"zsh", "-f"}, Shows("$")),
      MarkedPrompt("fish", "at its prompt", {"fish"}, Shows("Welcome")),
      Prompt("fish", "at its prompt, with flags",
             {"fish", "--no-config", "-C",
              "function fish_prompt; echo -n '$ '; end"},
             Shows("$")),
      Prompt("dash", "at its prompt", {"dash", "-i"}, Shows("$")),
      Prompt("sh", "at its prompt", {"sh"}, Shows("$")),
      Prompt("mksh", "at its prompt", {"env", "PS1=at# ", "mksh"},
             Shows("at#")),
      Prompt("busybox", "`busybox sh` at its prompt", {"busybox", "sh"},
             Shows("$")),
      Input("bash", "in the middle of a quoted string (PS2)", Bash(),
            Types("echo 'one<Enter>", "\n|>")),
      MarkedPrompt("bash", "searching its history (^R)", Bash(),
                   Types("<C-r>", "reverse-i-search")),
      Input("bash", "`read -e`", Bash(),
            Types("read -e -p 'Go''on? ' x<Enter>", "Goon?")),
      Input("bash", "`read -p`", Bash(),
            Types("read -p 'Go''on? ' x<Enter>", "Goon?")),
      Input("bash", "`read -t 100 -p`", Bash(),
            Types("read -t 100 -p 'Go''on? ' x<Enter>", "Goon?")),
      Input("bash", "`select`", Bash(),
            Types("select x in red blue; do break; done<Enter>", "#?")),
      Input("bash", "script with `read -e`",
            {"bash", "-c", "read -e -p 'Name: ' x"}, Shows("Name:")),
      Input("bash", "script with `read -p`",
            {"bash", "-c", "read -p 'Do you want to continue? [Y/n] ' x"},
            Shows("[Y/n]")),
      Input("sh", "script with `read`",
            Sh("printf 'Configuration file changed. Keep it? '; read x"),
            Shows("Keep it?")),
      Input("zsh", "`read`", {"zsh", "-f"},
            Types("read 'x?Go''on? '<Enter>", "Goon?")),
      Input("mksh", "script with `read`", {"mksh", "-c", "read 'x?Name: '"},
            Shows("Name:")),
      Input("busybox", "script with `read`",
            {"busybox", "sh", "-c", "read -p 'Name: ' x"}, Shows("Name:")),
      MarkedPrompt("bash", "after ^Z: `cat` is stopped", Bash(),
                   // Before its program runs, bash would ignore the key.
                   {{"", "$"},
                    {"sh -c \"echo u''p; exec cat\"<Enter>", "up"},
                    {"<C-z>", "Stopped"}}),
      MarkedPrompt("bash", "with a sleeping job in the background", Bash(),
                   Types("sleep 100 &<Enter>", "[1]")),
      Busy("bash", "runs `sleep` while a job in the background wants input",
           Bash(), Types("cat & echo u''p; sleep 100<Enter>", "up")),
      Busy("bash", "`wait`", Bash(),
           Types("sleep 100 & echo u''p; wait<Enter>", "up")),
      Busy("bash", "computes in a loop", Bash(),
           Types("echo u''p; while :; do :; done<Enter>", "up")),
      Busy("bash", "`read` from a pipe that nobody writes", Bash(),
           Types("mkfifo p; echo u''p; read x <lt>> p<Enter>", "up")),
  };
}

Rows Repls() {
  return {
      Input("python3", "at its prompt", {"/usr/bin/python3", "-q"},
            Shows(">>>")),
      Input("python3", "in the middle of a block", {"/usr/bin/python3", "-q"},
            {{"", ">>>"}, {"if 1:<Enter>", "..."}}),
      Input("python3", "`input()`", Python("input('Name: ')"), Shows("Name:")),
      Input(
          "python3", "`input()` beside a thread that sleeps",
          Python("import threading, time\nthreading.Thread(target=time.sleep, "
                 "args=(100,), daemon=True).start()\ninput('Name: ')"),
          Shows("Name:")),
      Input("python3", "asyncio reads the terminal",
            Python("import asyncio, sys\nasync def main():\n"
                   " asyncio.get_running_loop().add_reader(0, print)\n"
                   " print('Name:', flush=True)\n await asyncio.sleep(100)\n"
                   "asyncio.run(main())"),
            Shows("Name:")),
      Input(
          "python3", "curses waits for a key",
          Python("import curses\ncurses.wrapper(lambda s: (s.addstr('Press'), "
                 "s.getch()))"),
          Shows("Press")),
      Busy("python3", "curses sleeps",
           Python("import curses, time\ncurses.wrapper(lambda s: "
                  "(s.addstr('Wait'), s.refresh(), time.sleep(100)))"),
           Shows("Wait")),
      Busy("python3", "prompt runs a sleeping child",
           {"/usr/bin/python3", "-q"},
           {{"", ">>>"},
            {"import os; print('u''p', flush=True); _ = os.system('sleep 100')"
             "<Enter>",
             "up"}}),
      Input("node", "at its prompt", {"node"}, Shows("\n|>")),
      Busy("node", "waits for a timer",
           {"node", "-e", "setTimeout(() => {}, 1e5); console.log('up')"},
           Shows("up")),
      Input(
          "node", "readline asks",
          {"node", "-e",
           "require('readline').createInterface(process.stdin, process.stdout)"
           ".question('Name: ', () => {})"},
          Shows("Name:")),
      Input("perl", "`perl -de1`", {"perl", "-de1"}, Shows("DB<1>")),
      Input("perl", "reads a line",
            {"perl", "-e", "$| = 1; print 'Name: '; <STDIN>"}, Shows("Name:")),
      Input("lua", "at its prompt", {"lua5.4"}, Shows("\n|>")),
      Input("tclsh", "at its prompt", {"tclsh"}, Shows("%")),
      Input("bc", "waits for a line", {"bc"}, Shows("warranty")),
      Input("sqlite3", "at its prompt", {"sqlite3"}, Shows("sqlite>")),
      Input("sqlite3", "in the middle of a statement", {"sqlite3"},
            {{"", "sqlite>"}, {"select<Enter>", "...>"}}),
      Busy("sqlite3", "computes", {"sqlite3"},
           {{"", "sqlite>"},
            {"select 'u'||'p'; with recursive c(x) as (select 1 union all "
             "select "
             "x+1 from c) select max(x) from c;<Enter>",
             "\n|up"}}),
      Input("gdb", "at its prompt", {"gdb", "-q"}, Shows("(gdb)")),
      Input("gdb", "runs `cat`",
            {"gdb", "-q", "-nx", "-ex", "set startup-with-shell off", "-ex",
             "run", "--args", "cat", "-", "first"},
            {{"", "Starting program"}, {"x<Enter>", "\n|x"}}),
      Busy("gdb", "runs `sleep`",
           {"gdb", "-q", "-nx", "-ex", "set startup-with-shell off", "-ex",
            "run", "--args", "sh", "up"},
           Shows("\n|up")),
  };
}

Rows Editors() {
  return {
      Input("vim", "normal mode", Vim(), Shows("line 1 of")),
      Input("vim", "insert mode", Vim(),
            {{"", "line 1 of"}, {"i", "-- INSERT --"}}),
      Input("vim", "command line", Vim(),
            {{"", "line 1 of"}, {":set num", "set num"}}),
      Input("vim", "after a command: Press ENTER", Vim(),
            {{"", "line 1 of"}, {":!echo u''p<Enter>", "Press ENTER"}}),
      Input("nano", "edits", {"nano", "--ignorercfiles", "file"},
            Shows("GNU nano")),
      Input("ed", "waits for a command", {"ed", "-p*", "file"}, Shows("*")),
      Input("busybox", "`busybox vi`", {"busybox", "vi", "file"},
            Shows("line 1 of")),
      Input("mc", "edits (`mc -e`)", {"mc", "-e", "-u", "file"},
            Shows("line 1 of")),
      Input("git", "`git commit` in its editor",
            {"git", "-c", "core.editor=vim --clean -n", "commit"},
            Shows("Please enter the commit")),
      Input("less", "shows a file", {"less", "file"}, Shows("line 1 of")),
      Input("less", "shows what a program still prints", Sh("yes | less"),
            Shows("\n|:")),
      Input("more", "between two pages", {"more", "file"}, Shows("--More--")),
      Input("most", "shows a file", {"most", "file"}, Shows("line 1 of")),
      Input("man", "shows a page in its pager",
            {"man", "-P", "less", "-l", "page.1"}, Shows("PAGE(1)")),
      Input("git", "`git log` in its pager",
            {"env", "GIT_PAGER=less", "LESS=R", "git", "log"}, Shows("(END)")),
  };
}

Rows Menus() {
  return {
      Input("whiptail", "menu",
            {"whiptail", "--menu", "Choose one", "12", "40", "2", "a", "Alpha",
             "b", "Beta"},
            Shows("Choose one")),
      Input("dialog", "question",
            {"dialog", "--yesno", "Choose one", "8", "40"},
            Shows("Choose one")),
      Input("mc", "shows its panels", {"mc", "-u", "-b"}, Shows("10Quit")),
      Input("mc", "shows its panels, a shell behind them", {"mc", "-b"},
            Shows("10Quit")),
      Prompt("mc", "shows the shell behind its panels (^O)", {"mc", "-b"},
             {{"", "10Quit"}, {"<C-o>echo u''p<Enter>", "\n|up"}}),
      Input("fzf", "filters a list", Sh("seq 10 | fzf"), Shows("10/10")),
      Input("htop", "between two updates", {"htop", "-d", "1000"},
            Shows("F10")),
      Input("top", "between two updates", {"top", "-d", "100"}, Shows("PID")),
      Busy("watch", "between two updates", {"watch", "-n", "100", "echo up"},
           Shows("up")),
      Input("git", "`git add -p` asks", {"git", "add", "-p"},
            Shows("Stage this hunk")),
      Input("rm", "`rm -i` asks", {"rm", "-i", "file"}, Shows("remove")),
      Input("xargs", "`xargs -p` asks", Sh("echo a | xargs -p echo"),
            Shows("?...")),
  };
}

Rows Secrets() {
  return {
      SecretOfUser("sudo", "asks for a password",
                   {"sudo", "-k", "-p", "Yours: ", "true"}, Shows("Yours:")),
      SecretOfUser("su", "asks for a password", {"su"}, Shows("Password:")),
      SecretOfUser("passwd", "asks for the old password", {"passwd"},
                   Shows("urrent")),
      Secret("ssh-keygen", "asks for a passphrase",
             {"ssh-keygen", "-t", "ed25519", "-f", "key"}, Shows("passphrase")),
      Secret("openssl", "asks for a passphrase",
             {"openssl", "genpkey", "-algorithm", "ed25519", "-aes256"},
             Shows("pass phrase:")),
      Secret("zip", "`zip -e` asks for a password",
             {"zip", "-e", "{dir}/new.zip", "file"}, Shows("password:")),
      Secret("7z", "`7z a -p` asks for a password",
             {"7z", "a", "-p", "{dir}/new.7z", "file"}, Shows("echoed):")),
      Secret("htpasswd", "asks for a password, with ISIG off",
             {"htpasswd", "-n", "user"}, Shows("password:")),
      Secret("python3", "`getpass`",
             Python("import getpass\ngetpass.getpass()"), Shows("Password:")),
      Secret("bash", "`read -s`", Bash(),
             Types("read -s -p 'Pass''word: ' x<Enter>", "Password:")),
      Secret("zsh", "`read -s`", {"zsh", "-f"},
             Types("read -s 'x?Pass''word: '<Enter>", "Password:")),
      Secret("sh", "script with `stty -echo`",
             Sh("stty -echo; printf 'Password: '; read x"), Shows("Password:")),
  };
}

Rows Filters() {
  return {
      Input("cat", "reads the terminal", Up("cat"), Shows("up")),
      Input("cat", "reads the terminal into a file", Up("cat > new"),
            Shows("up")),
      Input("cat", "reads the terminal for `sort`", Sh("echo up; cat | sort"),
            Shows("up")),
      Input("cat", "reads the terminal for a sleeper",
            Sh("echo up; cat | sleep 100"), Shows("up")),
      Input("xargs", "`xargs -o cat`",
            Sh("echo | xargs -o sh -c 'echo up; exec cat'"), Shows("up")),
      Input("timeout", "`timeout --foreground 100 cat`",
            Up("timeout --foreground 100 cat"), Shows("up")),
      Input("strace", "`strace cat`", Up("strace -o /dev/null cat"),
            Shows("up")),
      Busy("tail", "`tail -f`", {"tail", "-f", "file"}, Shows("line 100 of")),
      Busy("cat", "waits for a sleeper", Sh("echo up; sleep 100 | cat"),
           Shows("up")),
  };
}

Rows Workers() {
  return {
      Busy("sleep", "sleeps", Up("sleep 100"), Shows("up")),
      Busy("sh", "script waits for `sleep`",
           Sh("echo up; sleep 100; echo done"), Shows("up")),
      Busy("python3", "sleeps",
           Python("import time; print('up', flush=True); time.sleep(100)"),
           Shows("up")),
      Busy("sha256sum", "computes", Up("sha256sum /dev/zero"), Shows("up")),
      Busy("yes", "writes to /dev/null", Up("yes > /dev/null"), Shows("up")),
      Busy("sh", "has stopped itself", Sh("echo up; kill -STOP $$"),
           Shows("up")),
      Busy("python3", "waits for a socket",
           Python("import socket; print('up', flush=True); "
                  "ends = socket.socketpair(); ends[0].recv(1)"),
           Shows("up")),
      Busy("curl", "waits for a silent server",
           Up("curl -s http://127.0.0.1:{port}/"), Shows("up")),
      Busy("nc", "waits for a connection", Up("nc -lU socket"), Shows("up")),
      Busy("flock", "waits for a lock",
           Sh("flock lock sh -c 'echo up; exec flock lock true'"), Shows("up")),
  };
}

Rows Nested() {
  return {
      Prompt("script", "runs bash",
             {"script", "-q", "-c", "bash --norc -i", "/dev/null"},
             Shows("bash-")),
      Input("script", "runs `cat`",
            {"script", "-q", "-c", "echo up; exec cat", "/dev/null"},
            Shows("up")),
      Prompt("script", "runs `busybox sh`",
             {"script", "-q", "-c", "busybox sh", "/dev/null"},
             Shows("built-in")),
      Busy("script", "runs `sleep`",
           {"script", "-q", "-c", "echo up; exec sleep 100", "/dev/null"},
           Shows("up")),
      Secret("script", "runs `read -s`",
             {"script", "-q", "-c", "bash -c \"read -s -p 'Password: ' x\"",
              "/dev/null"},
             Shows("Password:")),
      Busy("script", "runs script, which runs `sleep`",
           {"script", "-q", "-c",
            "script -q -c 'echo up; exec sleep 100' /dev/null", "/dev/null"},
           Shows("up")),
      Input("expect", "`interact` with `cat`",
            {"expect", "-c", "spawn sh -c {echo u''p; exec cat}; interact"},
            Shows("\n|up")),
      Busy("expect", "waits for its program",
           {"expect", "-c",
            "set timeout 100; spawn sh -c {echo u''p; exec sleep 100}; expect "
            "x"},
           Shows("\n|up")),
      Prompt("python3", "`pty.spawn` runs bash",
             Python("import pty; pty.spawn(['bash', '--norc'])"), Shows("$")),
      Secret("python3", "`pty.spawn` runs a program that asks for a password",
             Python("import pty; pty.spawn(['sh', 'asks'])"),
             Shows("Password:")),
      Busy("python3", "`pty.spawn` runs `sleep`",
           Python("import pty; pty.spawn(['sh', 'up'])"), Shows("up")),
      Input("script", "runs vim",
            {"script", "-q", "-c", "vim --clean -n file", "/dev/null"},
            Shows("line 1 of")),
      Input("script", "runs nvim, which shows `:terminal bash`",
            {"script", "-q", "-c", "nvim --clean -c 'terminal bash --norc'",
             "/dev/null"},
            Shows("bash-")),
      Prompt("socat", "passes raw keys on to bash",
             {"socat", "-,raw,echo=0",
              "exec:bash --norc -i,pty,setsid,ctty,stderr"},
             Shows("$")),
      Input("socat", "lets the terminal show a password",
            {"socat", "-", "exec:sh asks,pty,setsid,ctty"}, Shows("Password:")),
      Waking(Input("rlwrap", "runs `cat`",
                   {"rlwrap", "sh", "-c", "echo up; exec cat"}, Shows("up"))),
      Waking(Secret("rlwrap", "runs a program that asks for a password",
                    {"rlwrap", "sh", "asks"}, Shows("Password:"))),
      Busy("rlwrap", "runs `sleep`", {"rlwrap", "sh", "up"}, Shows("up")),
      Guessed("tmux", "client, a shell inside",
              {"tmux", "-L", "states-{port}", "-f", "/dev/null", "new-session",
               "bash --norc -i"},
              Shows("bash-")),
      Input("unbuffer", "`unbuffer -p cat`, before a question",
            {"unbuffer", "-p", "sh", "-c", "echo up; exec cat"}, Shows("up")),
      GuessedPrompt("setsid", "runs bash in a session of its own",
                    {"setsid", "-w", "bash", "--norc", "-i"}, Shows("$")),
      Input("setsid", "runs `cat` in a session of its own",
            {"setsid", "-w", "sh", "-c", "echo up; cat; true"}, Shows("up")),
      Secret("setsid", "runs a program that asks for a password",
             {"setsid", "-w", "sh", "asks"}, Shows("Password:")),
      Busy("timeout", "runs `cat` in the background of a script",
           {"sh", "-c", "echo up; timeout 100 cat; true"}, Shows("up")),
      Guessed("nc", "connected to a silent server", Up("nc 127.0.0.1 {port}"),
              Shows("up")),
      Guessed("socat", "raw, connected to a silent server",
              Up("socat -,raw,echo=0 tcp:127.0.0.1:{port}"), Shows("up")),
      GuessedPrompt("socat", "a shell at the far end of a serial line",
                    {"sh", "-c",
                     "socat pty,raw,echo=0,link=line "
                     "'exec:bash --norc -i,pty,setsid,ctty,stderr,sane' & "
                     "until [ -e line ]; do :; done; "
                     "exec socat -,raw,echo=0 ./line"},
                    Shows("$")),
      GuessedPrompt("ssh", "(a stand-in) at the far end's prompt", Ssh("far$ "),
                    Shows("far$")),
      Guessed("ssh", "(a stand-in) at a question of the far end",
              Ssh("Go on? "), Shows("Go on?")),
  };
}

// Besides their terminal they wait for other things, which cannot be told
// apart.
Rows Loops() {
  const std::string reads =
      "require('readline').createInterface(process.stdin, process.stdout);"
      "console.log('up');";
  return {
      Input("node", "waits for a timer while it reads lines",
            {"node", "-e", reads + "setTimeout(() => {}, 1e5)"}, Shows("up")),
      Input("node", "waits for a child while it reads lines",
            {"node", "-e",
             reads + "require('child_process').spawn('sleep', ['100'])"},
            Shows("up")),
      Busy("node", "waits for a timer, has stopped reading lines",
           {"node", "-e",
            reads + "process.stdin.pause(); setTimeout(() => {}, 1e5)"},
           Shows("up")),
      Busy("node", "computes while it has lines to read",
           {"node", "-e", reads + "for (;;);"}, Shows("up")),
  };
}

// They take the keys themselves, whatever runs in the terminal inside.
Rows Windows() {
  return {
      Input("nvim", "shows `:terminal bash`",
            {"nvim", "--clean", "-c", "terminal bash --norc"}, Shows("bash-")),
      Input("nvim", "edits beside `:terminal bash`",
            {"nvim", "--clean", "file", "-c", "split | terminal bash --norc",
             "-c", "wincmd p"},
            Shows("bash-")),
      Input("nvim", "edits beside `:terminal` with `sleep`",
            {"nvim", "--clean", "file", "-c", "split | terminal sh starts",
             "-c", "wincmd p"},
            Shows("started")),
      Input("nvim", "a program inside asks for a password",
            {"nvim", "--clean", "-c", "terminal sh asks"}, Shows("Password:")),
      Input("vim", "shows `:terminal bash`",
            {"vim", "--clean", "-c", "terminal bash --norc"}, Shows("$")),
      Input("vim", "shows `:terminal` with `sleep`",
            {"vim", "--clean", "-c", "terminal sh starts"}, Shows("started")),
      Input("emacs", "`M-x shell`, whose terminal has no echo",
            {"emacs", "-nw", "-Q", "--eval",
             "(progn (setq explicit-shell-file-name \"/bin/sh\") (shell))"},
            Shows("$")),
      Input("emacs", "shows `M-x ansi-term`",
            {"emacs", "-nw", "-Q", "--eval", "(ansi-term \"/bin/sh\")"},
            Shows("\n|$")),
      Input("emacs", "compiles",
            {"emacs", "-nw", "-Q", "--eval", "(compile \"sh starts\")"},
            Shows("started")),
      Input("mcedit", "edits, a shell behind it", {"mcedit", "file"},
            Shows("line 1 of")),
      Input("cgdb", "at its prompt", {"cgdb", "--", "-q"}, Shows("(gdb)")),
      Input("python3", "asks beside a program that asks for a password",
            Python("import os, pty, sys\n"
                   "pid, master = pty.fork()\n"
                   "if pid == 0: os.execvp('sh', ['sh', 'asks'])\n"
                   "os.read(master, 99)\ninput('Name: ')"),
            Shows("Name:")),
      Input("python3", "shows a password that a program inside asks for",
            Python("import os, pty, select\n"
                   "pid, master = pty.fork()\n"
                   "if pid == 0: os.execvp('sh', ['sh', 'asks'])\n"
                   "os.write(1, os.read(master, 99))\n"
                   "select.select([0, master], [], [])"),
            Shows("Password:")),
  };
}

constexpr char kIntroduction[] =
    R"(# The states of a session

This page is generated from the table in `tests/e2e/states_table.cc`; do not
edit it. Each row is a real program that a test opens and asks for its state 20
times. Every answer must be the one given here.

`prompt` means that a shell waits for a command, `input` that a program waits
for input, `secret` that it waits for input without showing what is typed, and
`busy` that it does not wait for input. The evidence is `shell` if the shell's
own marks say so, `kernel` if the state of the program's threads and terminal
does, and `guess` if the kernel cannot tell and the program is merely silent.

A program may run another one in a terminal of its own. A relay such as `script`
or `sudo` leaves the keys to the program inside, so the state is that program's.
A relay is known by its name, or by this: it waits for both terminals in one
call, its own is raw in both directions, and the one inside has the same size or
none. Everything else takes the keys for itself, so the state is its own: that
of an editor with a shell in a window is `input`, never `prompt` or `secret`.
What a terminal echoes is never `secret`.

A program in raw mode that passes keys on to a serial line or to another machine
(tio, cu, picocom, socat, dtach, mosh) is judged by what the far end shows, and
that is a `guess`. It is known by its name, or by what it has open: another
terminal to read from, or, in the call in which it waits for the terminal, a
socket of another program and nothing else.

Programs with an event loop (node, bun, libuv, tokio, asyncio, Go) read
keys also while they work, because the loop polls the terminal together with
timers, sockets and children. While such a program computes in the thread of its
loop it is `busy`; while it waits for a network, a child or another thread, it
looks just as it does when it waits for a key, so it is `input`. An agent's
composer that waits for its model is `input`, and so are build tools that take
keys while they build. Go's loop runs in threads of its own, so a Go program
that has a read of the terminal under way is `input` even while it computes.
Wait for what such a program shows (`until` with `text` or `gone`), not for its
state. A program that has not asked for keys yet, or has stopped asking (node
after `stdin.pause()`), is `busy`.

Known wrong answers are listed in [known_edges.md](known_edges.md).
)";

}  // namespace

const std::vector<SituationGroup>& SituationGroups() {
  static const std::vector<SituationGroup> groups = {
      {"Shells", Shells()},
      {"Interpreters and debuggers", Repls()},
      {"Editors and pagers", Editors()},
      {"Menus, monitors, questions", Menus()},
      {"Passwords", Secrets()},
      {"Programs that read a line or a file", Filters()},
      {"Sleeping, computing, waiting for others", Workers()},
      {"Terminals inside terminals, far ends", Nested()},
      {"Editors and others with a terminal in a window", Windows()},
      {"Programs that always poll", Loops()},
  };
  return groups;
}

std::vector<Situation> Situations() {
  std::vector<Situation> all;
  for (const SituationGroup& group : SituationGroups()) {
    all.insert(all.end(), group.rows.begin(), group.rows.end());
  }
  return all;
}

std::string StatesDocument() {
  std::string text = kIntroduction;
  for (const SituationGroup& group : SituationGroups()) {
    text += std::string("\n## ") + group.name +
            "\n\n| program | situation | state | evidence |\n"
            "|---|---|---|---|\n";
    for (const Situation& row : group.rows) {
      text += std::string("| ") + row.program + " | " + row.doing + " | `" +
              row.state + "` | " + row.evidence + " |\n";
    }
  }
  return text;
}

}  // namespace glasstty::testing
