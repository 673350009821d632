#include "cli/call_output.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "cli/print.h"
#include "cli/shell_words.h"
#include "tools/clients.h"

namespace glasstty {
namespace {

// Returns the session to which hints without a session refer.
std::string SessionOf(const Call& call) {
  const Json* session = FindMember(call.words.arguments, "session");
  if (session != nullptr && session->is_string()) {
    return session->get<std::string>();
  }
  return call.tool->name == "term_run" ? kDefaultSession : "";
}

// Translates the notes of one session's facts, and leaves out what only this
// program needs.
void ToShell(Json* facts) {
  if (!facts->is_object()) return;
  facts->erase("about");
  std::string session;
  if (const Json* name = FindMember(*facts, "session")) {
    session = AsString(*name).value_or("");
  }
  for (const char* key : {"notes", "error"}) {
    if (!facts->contains(key)) continue;
    Json& value = (*facts)[key];
    if (value.is_string()) value = InShellWords(value, session);
    for (Json& note : value) {
      if (note.is_string()) note = InShellWords(note, session);
    }
  }
  if (facts->contains("sessions")) {
    for (Json& each : (*facts)["sessions"]) ToShell(&each);
  }
}

void PrintFacts(const CallAnswer& answer) {
  Json facts = answer.structured;
  if (facts.is_null()) facts = {{"text", answer.text}};
  ToShell(&facts);
  Print("%s\n", DumpJson(facts));
}

// Adds a newline on a terminal if the last line has none.
void PrintOutput(const std::string& output) {
  PrintShown(stdout, output);
  bool is_open = !output.empty() && !output.ends_with('\n');
  if (is_open && isatty(STDOUT_FILENO) != 0) Print("\n");
}

// Prints the output of one session, and on stderr the notes about it.
void PrintPart(const Call& call, std::string about, const Json& facts) {
  if (!about.ends_with('\n')) about += '\n';
  if (!call.Has("q")) {
    PrintShown(stderr, InShellWords(about, SessionOf(call)));
  }
  auto text = [&facts](const char* key) {
    const Json* value = FindMember(facts, key);
    return value == nullptr ? "" : AsString(*value).value_or("");
  };
  // Between the lines, a search says what it has left out.
  bool lists = call.tool->name == "term_search";
  PrintOutput(lists ? ListInShellWords(text("text"), SessionOf(call))
                    : text("text"));
  PrintShown(stderr, text("errors"));
  std::fflush(nullptr);
}

// Refuses to write the bytes of a picture to a terminal.
void PrintPicture(const std::string& png) {
  if (isatty(STDOUT_FILENO) != 0) {
    return PrintError("the picture is a PNG: send stdout to a file\n");
  }
  PrintBytes(png);
}

// The part that is output in an answer without facts.
enum class Output { kAll, kBelowHeader, kNone };
Output OutputIn(const mcp::Tool& tool) {
  if (tool.name == "term_list") return Output::kAll;
  // Each line of term_close is about a session.
  return tool.name == "term_close" ? Output::kNone : Output::kBelowHeader;
}

void PrintText(const Call& call, const CallAnswer& answer) {
  Output output = OutputIn(*call.tool);
  size_t begin = 0;
  if (output == Output::kNone) begin = answer.text.size();
  if (output == Output::kBelowHeader) begin = answer.text.find('\n') + 1;
  std::string session = SessionOf(call);
  if (!call.Has("q")) {
    PrintShown(stderr, InShellWords(answer.text.substr(0, begin), session));
  }
  const std::string body = answer.text.substr(begin);
  bool lists = output == Output::kAll || call.tool->name == "term_search";
  PrintShown(stdout, lists ? ListInShellWords(body, session) : body);
}

}  // namespace

void PrintAnswer(const Call& call, const CallAnswer& answer) {
  if (answer.refused) {
    if (call.Has("q")) return;
    std::string text = answer.failure == "INVALID_ARGUMENT"
                           ? RefusalInShellWords(answer.text, *call.tool,
                                                 *call.rules, SessionOf(call))
                           : InShellWords(answer.text, SessionOf(call));
    return PrintShown(stderr, text);
  }
  if (call.Has("json")) return PrintFacts(answer);
  const Json* sessions = FindMember(answer.structured, "sessions");
  if (sessions != nullptr && call.tool->name == "term_read") {
    for (const Json& each : *sessions) {
      PrintPart(call, AsString(each["about"]).value_or(""), each);
    }
    return;
  }
  if (!answer.picture.empty()) return PrintPicture(answer.picture);
  bool is_apart = FindMember(answer.structured, "text") != nullptr;
  if (is_apart) return PrintPart(call, answer.text, answer.structured);
  PrintText(call, answer);
}

}  // namespace glasstty
