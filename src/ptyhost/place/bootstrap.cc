// The command relies on these facts. A shell runs an empty executable file as
// an empty script and succeeds, so `-s` first checks that the program is not
// empty. On a file system that is mounted noexec, starting the program fails
// with status 126. The program checks the upload itself, because not every
// busybox has cksum. `head -c` may read ahead, so the near end sends nothing
// after the upload before the next answer. If the disk is full, the rest of the
// upload must still be read.
#include "place/bootstrap.h"

#include <algorithm>

#include "base/visible.h"

namespace glasstty::place {
namespace {

// The directories for the program, best first; $X is the preferred one. The
// `echo` is needed because earlier output may not end in a newline.
constexpr std::string_view kDirectories =
    R"sh(umask 077; U=$(id -u); echo; )sh"
    R"sh(set -- "$X" "${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}" )sh"
    R"sh("$XDG_RUNTIME_DIR" "${TMPDIR:-/tmp}/glasstty-$U" )sh"
    R"sh("/var/tmp/glasstty-$U" "/dev/shm/glasstty-$U"; )sh";

// Succeeds if the directory $1 is safe, and sets $Q to its physical path. A
// directory is safe if this user owns it and nobody else may write to it,
// except a group that has the user's name. In other directories, another user
// could exchange the program between its check and its start.
constexpr std::string_view kSafe =
    R"sh(safe() { Q=$(cd -P "$1" 2>/dev/null && pwd -P) && [ -O "$Q" ] && )sh"
    R"sh(set -- $(ls -ld "$Q") && case $1 in d???????w*) false;; )sh"
    R"sh(d????w*) [ "$3" = "$4" ];; esac; }; )sh";

// $T is the token, $H the hash, and $I identifies the near end. The answers
// after the token are "need ARCH", "os SYSTEM", "noproc", "full", "damaged
// SIZE", "norun" or "nowhere".
constexpr std::string_view kScript =
    R"sh(case $(uname -sm) in "Linux x86_64") A=x86_64;; )sh"
    R"sh("Linux aarch64") A=aarch64;; *) echo "$T os $(uname -sm)"; exit 90;; )sh"
    R"sh(esac; [ -d /proc/self ] || { echo "$T noproc"; exit 96; }; )sh"
    R"sh(go() { safe "$1" && safe "$Q/glasstty" || return 1; F=$Q/holder-$H-$A; )sh"
    R"sh([ -h "$F" ] && return 1; [ -s "$F" ] && )sh"
    R"sh([ -O "$F" ] && "$F" --version >/dev/null 2>&1 && )sh"
    R"sh(exec "$F" --far "$Q/sessions" "$T" "$I"; }; )sh"
    R"sh(try() { P=; mkdir -p "$1/glasstty" 2>/dev/null && safe "$1" && )sh"
    R"sh(safe "$Q/glasstty" && chmod 700 "$Q" && P=$Q/probe-$$ && )sh"
    R"sh({ : >"$P"; } 2>/dev/null && chmod 700 "$P" && "$P" 2>/dev/null; R=$?; )sh"
    R"sh([ -n "$P" ] && rm -f "$P"; return $R; }; E=nowhere; C=95; )sh"
    R"sh(for D in "$@"; do [ -n "$D" ] && go "$D"; done; )sh"
    R"sh(for D in "$@"; do [ -n "$D" ] && try "$D" || continue; )sh"
    R"sh(echo "$T need $A"; read -r N K || exit 91; W=$Q/up-$$; )sh"
    R"sh(if head -c "$N" | { cat >"$W" || { cat >/dev/null; false; }; } )sh"
    R"sh(2>/dev/null; then chmod 700 "$W"; if [ -s "$W" ] && "$W" --check "$N" "$K"; then )sh"
    R"sh(mv -f "$W" "$Q/holder-$H-$A" && go "$D"; E=norun; C=94; )sh"
    R"sh(else echo "$T damaged $(wc -c <"$W")"; rm -f "$W"; exit 93; fi; )sh"
    R"sh(else E=full; C=92; fi; rm -f "$W"; done; echo "$T $E"; exit $C)sh";

// $T is the token. Every version of the program can clean up and report the
// result. The bootstrap command has created the directory glasstty-UID, if
// there is one.
constexpr std::string_view kCleaning =
    R"sh(for D in "$@"; do [ -n "$D" ] && safe "$D" && safe "$Q/glasstty" )sh"
    R"sh(|| continue; G=$D/glasstty; for F in "$Q"/holder-*; do )sh"
    R"sh([ -h "$F" ] && continue; [ -O "$F" ] && "$F" --clean "$G" "$T" 2>/dev/null && )sh"
    R"sh(break; done; case $D in */glasstty-"$U") rmdir "$D" 2>/dev/null;; )sh"
    R"sh(esac; done; echo "$T done")sh";

// An answer, its meaning, and a remedy.
struct Failure {
  std::string_view word;
  std::string_view meaning;
};
constexpr Failure kFailures[] = {
    {"os", "Linux on x86_64 or aarch64 is needed there, it is "},
    {"noproc", "there is no /proc there, which our program needs"},
    {"full", "there is no room there for a program of 1 MB"},
    {"damaged",
     "our program did not arrive whole; try again. Its size there: "},
    {"norun", "our program arrived there but does not run"},
    {"nowhere",
     "no directory there may hold a program: the cache, runtime and temporary "
     "directories are mounted noexec or read-only, or belong to somebody else. "
     "Set GLASSTTY_FAR_DIR to one that may"},
};

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '/';
}

// Drops all characters that are not plain, so that the text is a single word
// for every shell. This matters for the directory, which the user configures.
std::string Plain(std::string text) {
  std::erase_if(text, [](char c) { return !IsPlain(c); });
  return text;
}

}  // namespace

std::string BootstrapLine(const BootstrapOptions& options) {
  return "T=" + Plain(options.token) + "; H=" + Plain(options.hash) +
         "; I=" + Plain(options.near_id) + "; X=" + Plain(options.directory) +
         "; " + std::string(kDirectories) + std::string(kSafe) +
         std::string(kScript);
}

std::string CleaningLine(const std::string& token,
                         const std::string& directory) {
  return "T=" + Plain(token) + "; X=" + Plain(directory) + "; " +
         std::string(kDirectories) + std::string(kSafe) +
         std::string(kCleaning);
}

BootstrapNews TakeBootstrapNews(const std::string& token, std::string* said) {
  // Two lines may arrive in one piece, and one line in several.
  constexpr size_t kMostNoise = 64 << 10;
  for (;;) {
    size_t at = said->find(token);
    if (at == std::string::npos) {
      // The token may be split between two pieces.
      if (said->size() > kMostNoise)
        said->erase(0, said->size() - token.size());
      return {};
    }
    size_t end = said->find('\n', at);
    if (end == std::string::npos) {
      if (said->size() - at > kMostNoise) said->erase(0, at + token.size());
      return {};
    }
    // A shell that echoes the command prints the token, too, but not at the
    // beginning of a line.
    bool begins = at == 0 || (*said)[at - 1] == '\n';
    std::string line = said->substr(at + token.size(), end - at - token.size());
    said->erase(0, end + 1);
    if (!begins) continue;
    while (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) return {BootstrapNews::Kind::kReady, ""};
    line.erase(0, 1);
    std::string word = line.substr(0, line.find(' '));
    std::string rest = line.substr(std::min(word.size() + 1, line.size()));
    if (word == "need") return {BootstrapNews::Kind::kNeeds, rest};
    if (!rest.empty()) rest = QuotedUnlessPlain(rest);
    for (const Failure& failure : kFailures) {
      if (word != failure.word) continue;
      return {BootstrapNews::Kind::kFailed,
              std::string(failure.meaning) + rest};
    }
  }
}

}  // namespace glasstty::place
