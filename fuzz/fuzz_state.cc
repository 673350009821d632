// Damages the saved state of a terminal: a terminal must either refuse it, or
// take it over and stay a terminal that can be saved and taken over again.
#include <memory>
#include <string>
#include <string_view>

#include "input.h"
#include "require.h"
#include "terminal/terminal.h"

namespace glasstty {
namespace {

using terminal::Terminal;

std::unique_ptr<Terminal> Make(terminal::Size size) {
  auto terminal = Terminal::Create({.size = size, .scrollback_rows = 30});
  Require(terminal.ok());
  return *std::move(terminal);
}

void Use(Terminal* terminal, std::string_view bytes) {
  terminal->Feed(bytes);
  Require(terminal->Resize({3, 9}).ok());
  Require(terminal->Resize({30, 90}).ok());
  terminal->Feed(
      "\x1b\\\x1b[3b\x1b[L\x1b[P\x1b[@\n\t\x1b[2$z\x1b"
      "8\x1b[?1049l");
  terminal->Feed(bytes);
  terminal::Snapshot snapshot = terminal->TakeSnapshot();
  Require(snapshot.rows.size() == 30);
  Require(snapshot.cursor.row >= 0 && snapshot.cursor.row < 30);
  Require(snapshot.cursor.col >= 0 && snapshot.cursor.col < 90);
  terminal->Lines(terminal->first_line(), terminal->end_line());
}

}  // namespace
}  // namespace glasstty

// The last bytes say what is damaged, and how; the others are output.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using glasstty::Require;
  constexpr size_t kDamage = 9;
  if (size < kDamage) return 0;
  const uint8_t* damage = data + size - kDamage;
  glasstty::FuzzInput input(data, size - kDamage);
  auto terminal = glasstty::Make(input.size());
  std::string fed;
  input.Play(
      [&](std::string_view bytes) {
        terminal->Feed(bytes);
        fed += bytes;
      },
      [&](glasstty::terminal::Size to) { Require(terminal->Resize(to).ok()); },
      [] {});
  std::string state = terminal->SaveState();
  auto next = glasstty::Make({5, 7});
  Require(next->RestoreState(state).ok());
  Require(next->SaveState() == state);
  for (size_t i = 0; i < damage[0] % 3u; ++i) {
    const uint8_t* one = damage + 1 + 4 * i;
    size_t at = (one[0] << 16 | one[1] << 8 | one[2]) % state.size();
    state[at] = static_cast<char>(one[3]);
  }
  if (!next->RestoreState(state).ok()) return 0;
  std::string again = next->SaveState();
  auto third = glasstty::Make({5, 7});
  Require(third->RestoreState(again).ok());
  Require(third->SaveState() == again);
  glasstty::Use(next.get(), fed);
  return 0;
}
