// What real programs do at their terminal, and what a session must say of it.
//
// One row a situation: how to bring it about, what the screen shows once it is
// there, and the state. states_test.cc opens each row; docs/states.md lists
// them for readers and is held to this table.
#pragma once

#include <string>
#include <vector>

#include "e2e/ordinary_user.h"

namespace glasstty::testing {

struct Situation {
  // Typed once what stood before is on the screen; "" types nothing.
  struct Step {
    std::string keys;
    // On the screen then. Not part of `keys`, whose echo comes too early.
    std::string shown;
  };

  const char* program;
  const char* doing;
  // {dir}: the folder it runs in; {port}: a TCP port where somebody listens and
  // never says a word.
  std::vector<std::string> argv;
  std::vector<Step> steps;
  const char* state;     // as term_list shows it, without the bracket
  const char* evidence;  // kernel, guess, or shell: its own marks
  User user = User::kSame;

  std::string Name() const { return std::string(program) + " " + doing; }
};

struct SituationGroup {
  const char* name;
  std::vector<Situation> rows;
};

// In the order of the document.
const std::vector<SituationGroup>& SituationGroups();
std::vector<Situation> Situations();  // of all groups

// docs/states.md, whole.
std::string StatesDocument();

}  // namespace glasstty::testing
