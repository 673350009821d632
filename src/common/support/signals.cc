#include "support/signals.h"

#include <signal.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// The table uses macros, because the numbers differ between processors. The
// table is necessary because only glibc has a function for these names.
// Real-time signals have no names.
struct NamedSignal {
  int number;
  const char* name;
};
constexpr NamedSignal kNamedSignals[] = {
    {SIGHUP, "HUP"},       {SIGINT, "INT"},       {SIGQUIT, "QUIT"},
    {SIGILL, "ILL"},       {SIGTRAP, "TRAP"},     {SIGABRT, "ABRT"},
    {SIGBUS, "BUS"},       {SIGFPE, "FPE"},       {SIGKILL, "KILL"},
    {SIGUSR1, "USR1"},     {SIGSEGV, "SEGV"},     {SIGUSR2, "USR2"},
    {SIGPIPE, "PIPE"},     {SIGALRM, "ALRM"},     {SIGTERM, "TERM"},
    {SIGSTKFLT, "STKFLT"}, {SIGCHLD, "CHLD"},     {SIGCONT, "CONT"},
    {SIGSTOP, "STOP"},     {SIGTSTP, "TSTP"},     {SIGTTIN, "TTIN"},
    {SIGTTOU, "TTOU"},     {SIGURG, "URG"},       {SIGXCPU, "XCPU"},
    {SIGXFSZ, "XFSZ"},     {SIGVTALRM, "VTALRM"}, {SIGPROF, "PROF"},
    {SIGWINCH, "WINCH"},   {SIGPOLL, "POLL"},     {SIGPWR, "PWR"},
    {SIGSYS, "SYS"},
};

}  // namespace

std::string SignalName(int signal) {
  auto* row = std::find_if(
      std::begin(kNamedSignals), std::end(kNamedSignals),
      [signal](const NamedSignal& named) { return named.number == signal; });
  return row != std::end(kNamedSignals) ? row->name
                                        : absl::StrFormat("%d", signal);
}

// Digits are compared as text, so "0", "-9" and "99" are unknown names.
absl::StatusOr<int> ParseSignal(std::string_view name) {
  std::string wanted = AsciiLower(name);
  if (wanted.substr(0, 3) == "sig") wanted = wanted.substr(3);
  std::vector<std::string> names;
  for (const NamedSignal& named : kNamedSignals) {
    names.push_back(named.name);
    if (AsciiLower(named.name) == wanted ||
        absl::StrFormat("%d", named.number) == wanted) {
      return named.number;
    }
  }
  return InvalidArgument(
      "no signal '%s'%s (a name such as INT, TERM, HUP, "
      "KILL, USR1)",
      CutForMessage(name), DidYouMean(wanted, names));
}

}  // namespace glasstty
