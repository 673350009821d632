// Lists what real programs do at their terminal, and what a session must say
// about it.
//
// Each situation is a row: how to bring it about, what the screen shows once it
// is there, and the state. states_test.cc opens each row; docs/states.md lists
// them for readers and is compared with this table.
#pragma once

#include <string>
#include <vector>

#include "e2e/ordinary_user.h"

namespace glasstty::testing {

struct Situation {
  // Typed once the previous text is on the screen; "" types nothing.
  struct Step {
    std::string keys;
    // Then on the screen. Not part of `keys`, whose echo comes too early.
    std::string shown;
  };

  const char* program;
  const char* doing;
  // {dir} is the folder in which it runs; {port} is a TCP port where somebody
  // listens and never says a word.
  std::vector<std::string> argv;
  std::vector<Step> steps;
  const char* state;     // as term_list shows it, without the bracket
  const char* evidence;  // kernel, guess, or shell, which means its own marks
  User user = User::kSame;
  // It wakes every few milliseconds although there is nothing to do, and may be
  // seen at it.
  bool wakes = false;

  std::string Name() const { return std::string(program) + " " + doing; }
};

struct SituationGroup {
  const char* name;
  std::vector<Situation> rows;
};

// In the order of the document.
const std::vector<SituationGroup>& SituationGroups();
std::vector<Situation> Situations();  // of all groups

// Returns the whole of docs/states.md.
std::string StatesDocument();

}  // namespace glasstty::testing
