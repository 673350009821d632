// Tests the gate: no text may crash it or take long, and typed text never
// becomes longer.
#include <string>
#include <string_view>

#include "gate/gate.h"
#include "gate/typed_line.h"
#include "require.h"

namespace glasstty {
namespace {

void Play(std::string_view text) {
  static const gate::Gate* const gate =
      new gate::Gate({gate::Mode::kStrict, {}});
  const gate::PathContext place = {"/home/me", "/home/me/project"};
  gate::Verdict verdict = gate->JudgeShell(text, place);
  if (verdict.finding)
    Require(!gate::Objection(verdict, gate::Mode::kOn).empty());
  (void)gate->JudgeShell(text, place, true);
  (void)gate->JudgeSqlClient(text, place);
  (void)gate->JudgeArguments({"ssh", "web"}, place, std::string(text));
  (void)gate->JudgeArguments({"python3"}, place, std::string(text));
  gate::TypedLine typed;
  for (const gate::TypedLine::Entered& line : typed.Type(text)) {
    Require(line.text.size() <= text.size());
  }
  Require(typed.text().size() <= text.size());
}

}  // namespace
}  // namespace glasstty

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  glasstty::Play({reinterpret_cast<const char*>(data), size});
  return 0;
}
