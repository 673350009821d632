// Reads the data that a client has handed over when it connected
// (wire/introduction.h). Values and a pure function.
#pragma once

#include <memory>
#include <string>

#include "gate/gate.h"
#include "record/program_spec.h"
#include "support/json.h"
#include "terminal/snapshot.h"

namespace glasstty {

// The settings that may differ between clients (cli/settings.h).
struct ClientSettings {
  std::shared_ptr<const gate::Gate> gate;
  std::string tools = "all";
  terminal::Size size = record::ProgramSpec().size;
  // Hooks of the client's plugin may add text for the agent (tools/hook.cc).
  bool hooks = true;
};

struct HandedOver {
  // Null: the client handed over nothing, or something that cannot be read.
  std::shared_ptr<const record::Inheritance> inheritance;
  ClientSettings settings;
};

// Returns what the client's sessions inherit; null if the client handed over
// nothing, or something that cannot be read.
std::shared_ptr<record::Inheritance> ReadInheritance(const Json* introduction);

}  // namespace glasstty
