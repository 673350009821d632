#include "tools/status_facts.h"

#include <utility>

#include "base/visible.h"
#include "terminal/program_status.h"

namespace glasstty {
namespace {

// The limit for the text that a program reports about itself; the JSON contains
// all of it.
constexpr size_t kStatusCharacters = 200;

}  // namespace

std::string StatusSays(const session::Session& session) {
  const terminal::ProgramStatus* status = session.verdict().ReportedStatus();
  if (status == nullptr) return "";
  const std::string& text =
      status->message.empty() ? status->title : status->message;
  if (text.empty()) return "";
  std::string who = status->app.empty() ? "it" : Quoted(status->app);
  return who + " says " + Quoted(text, kStatusCharacters);
}

Json StatusJson(const session::Session& session) {
  const terminal::ProgramStatus* status = session.verdict().ReportedStatus();
  if (status == nullptr) return nullptr;
  auto name = [](auto value, auto& names) {
    return std::string(names[static_cast<size_t>(value)]);
  };
  Json json = {{"state", name(status->state, terminal::kProgramStateNames)}};
  std::string kind = name(status->blocked_by, terminal::kBlockedByNames);
  for (const auto& [key, text] : {std::pair("kind", kind),
                                  {"app", status->app},
                                  {"message", status->message},
                                  {"title", status->title}}) {
    if (!text.empty()) json[key] = text;
  }
  if (status->progress) json["progress"] = *status->progress;
  return json;
}

}  // namespace glasstty
