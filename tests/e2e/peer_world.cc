#include "e2e/peer_world.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

namespace fs = std::filesystem;

// Each asks for its password as the original does: on the terminal, with the
// echo off.
constexpr char kSsh[] = R"(#!/bin/sh
printf "%s's password: " "$1"
stty -echo; IFS= read -r password; stty echo; echo
[ "$password" = my_secret_pass ] || exit 255
echo 'Welcome to Ubuntu 22.04 LTS'
PS1='deploy@web-server:~$ ' exec bash --norc --noprofile -i
)";

constexpr char kSudo[] = R"(#!/bin/sh
printf '[sudo] password for deploy: '
stty -echo; IFS= read -r password; stty echo; echo
[ "$password" = deploy_password ] && exec "$@"
)";

constexpr char kSystemctl[] = R"(#!/bin/sh
echo "$1ed $2"
)";

constexpr char kPing[] = R"(#!/bin/sh
echo "PING $3 56(84) bytes of data."
for i in 1 2 3 4 5; do echo "64 bytes from $3: icmp_seq=$i"; done
echo '5 packets transmitted, 5 received, 0% packet loss'
)";

// The tests of the project fail the first time.
constexpr char kNpm[] = R"sh(#!/bin/sh
case "$*" in
"run dev") exec python3 server.py ;;
"run build") echo 'vite building'; echo 'Build complete in 0.3s' ;;
test)
  echo run >> runs
  [ "$(wc -l < runs)" -gt 1 ] || { echo '1 failing'; exit 1; }
  echo 'all passing' ;;
esac
)sh";

constexpr char kServer[] = R"(import signal, socket
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
port = server.getsockname()[1]
print("Local: http://localhost:%d/" % port)
print("listening on port %d" % port, flush=True)
signal.pause()
)";

constexpr char kOpenclaw[] = R"(import curses

def main(screen):
    curses.curs_set(0)
    rows, at, chosen = ["Model", "Channels", "Skills"], 0, ""
    while True:
        screen.erase()
        screen.addstr(0, 0, "openclaw configure")
        for i, row in enumerate(rows):
            screen.addstr(2 + i, 2, row, curses.A_REVERSE if i == at else 0)
        screen.addstr(6, 0, chosen)
        key = screen.getch()
        if key == curses.KEY_DOWN:
            at += 1
        elif key == 10:
            chosen = "chosen: " + rows[at]
        elif key == 9:
            chosen += ", next page"

curses.wrapper(main)
)";

// The first commit has another README.md than the 119 after it.
constexpr char kHistory[] = R"(
export GIT_CONFIG_GLOBAL=/dev/null
git init -q -b main
git config user.name agent
git config user.email agent@example.com
commit() {
  printf 'commit refs/heads/main\ncommitter agent <agent@example.com> %s +0000\n' $((1700000000 + $1))
  printf 'data <<.\n%s\n.\n' "$2"
}
readme() { printf 'M 644 inline README.md\ndata <<.\n# The app\n\n%s\n.\n' "$1"; }
{
  commit 0 first; readme 'old text'
  commit 1 second; readme 'new text'
  for i in $(seq 0 117); do commit $((i + 2)) "step $i"; done
} | git fast-import --quiet
git reset -q --hard
)";

// Returns the repository, which is made only once.
const std::string& History() {
  static const TempDir folder;
  static const CommandResult made =
      RunCommand({"sh", "-ec", "cd " + folder.path() + kHistory});
  EXPECT_EQ(made.status, 0) << made.output;
  return folder.path();
}

}  // namespace

PeerWorld::PeerWorld() : before_(fs::current_path()) {
  WriteProgram("ssh", kSsh);
  WriteProgram("sudo", kSudo);
  WriteProgram("systemctl", kSystemctl);
  WriteProgram("ping", kPing);
  WriteProgram("npm", kNpm);
  project_.Write("server.py", kServer);
  project_.Write("openclaw.py", kOpenclaw);
  fs::copy(History(), project_.path(), fs::copy_options::recursive);
  fs::current_path(project_.path());
  places_ = {
      {"/tmp/", files_.path() + "/"},
      {"/var/log/syslog",
       files_.Write("syslog", "Apr 25 10:30:00 web-server sshd[1]: started\n")},
      {"/path/to/my-web-app", project_.path()},
      {"8080", std::to_string(FreePort())},
  };
}

PeerWorld::~PeerWorld() { fs::current_path(before_); }

void PeerWorld::WriteProgram(const std::string& name, const std::string& text) {
  fs::permissions(programs_.Write(name, text), fs::perms::owner_all);
}

ServerOptions PeerWorld::Options() const {
  ServerOptions options;
  options.environment = DefaultEnvironment(home_.path());
  for (std::string& variable : options.environment) {
    if (variable.starts_with("PATH=")) {
      variable.insert(5, programs_.path() + ":");
    }
  }
  options.extra_environment = {"DEPLOY_PASSWORD=deploy_password"};
  return options;
}

std::string PeerWorld::Localize(std::string text) const {
  for (const auto& [theirs, here] : places_) {
    for (size_t at = text.find(theirs); at != std::string::npos;
         at = text.find(theirs, at + here.size())) {
      text.replace(at, theirs.size(), here);
    }
  }
  return text;
}

}  // namespace glasstty::testing
