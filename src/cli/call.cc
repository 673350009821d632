// `glasstty call` and its short forms: one tool call on the shared server, for
// people and for agents that have only a shell.
//
// The exit status is that of the command for `run`; else 0 done, 1 refused or
// failed, 2 wrongly called, 3 no server, 124 not in time.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "cli/call_arguments.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/share.h"
#include "support/loop.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "wire/shared_server.h"

namespace glasstty {
namespace {

constexpr int kFailed = 1;
constexpr int kMisused = 2;
constexpr int kNoServer = 3;
// As timeout(1) has it.
constexpr int kTimedOut = 124;
// So many may end one after the other before they have read a call.
constexpr int kMostServers = 8;

// One command and the tool that it calls.
struct Form {
  const char* command;
  const char* tool;
  WordRules rules;
};

const std::vector<Form>& Forms() {
  static const auto* forms = new std::vector<Form>{
      {"run", "term_run", {.rest = "command", .stops_at_word = true}},
      {"open", "term_open", {.rest = "command", .stops_at_word = true}},
      {"send",
       "term_send",
       {.names = {"session"}, .rest = "input", .rest_is_list = true}},
      {"wait", "term_wait", {.names = {"session"}, .inner = "until"}},
      {"read", "term_read", {.names = {"session"}}},
      {"search", "term_search", {.names = {"regex", "session"}}},
      {"list", "term_list", {.names = {"session"}}},
      {"close", "term_close", {.names = {"session"}}},
  };
  return *forms;
}

// The tables of the tools; their handlers are another process's business.
class Tables {
 public:
  // Null when there is none. "run" is term_run.
  const mcp::Tool* Find(const std::string& name) const {
    for (const mcp::Tool& tool : tools_) {
      if (tool.name == name || tool.name == "term_" + name) return &tool;
    }
    return nullptr;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const mcp::Tool& tool : tools_) names.push_back(tool.name);
    return names;
  }

 private:
  MonotonicClock clock_;
  Loop loop_{&clock_};
  session::SessionManager manager_{&loop_, {}};
  Workbench bench_{&loop_, &manager_};
  const std::vector<mcp::Tool> tools_ = AllTools(&bench_);
};

// A request of the modern era, which needs no handshake. The token allows long
// waits; what is told by it is not shown.
std::string RequestLine(const mcp::Tool& tool, const Json& arguments) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
         tool.name + R"(","arguments":)" + DumpJson(arguments) +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{},)"
         R"("progressToken":1}}})"
         "\n";
}

// The message that answers the request. Error: the server has gone; `was_read`:
// it had read the request.
absl::StatusOr<Json> AwaitAnswer(int fd, bool* was_read) {
  std::string lines;
  std::vector<char> buffer(64 << 10);
  while (true) {
    ssize_t n = ReadSome(fd, buffer.data(), buffer.size());
    // ECONNRESET: it had not accepted the connection, or not read all of it.
    *was_read = n >= 0 || errno != ECONNRESET;
    if (n < 0) return ErrnoStatus("read from", "the shared server");
    if (n == 0) {
      return Unavailable(
          "the shared server ended during the call; sessions keep running: "
          "`glasstty list` shows them");
    }
    size_t begin = 0;
    lines.append(buffer.data(), static_cast<size_t>(n));
    for (size_t end; (end = lines.find('\n', begin)) != std::string::npos;) {
      ASSIGN_OR_RETURN(Json message,
                       ParseJson(lines.substr(begin, end - begin)));
      // Also an error without an id: that the server is full.
      bool is_answer = message.contains("result") || message.contains("error");
      if (is_answer) return message;
      begin = end + 1;
    }
    lines.erase(0, begin);
  }
}

// What a server has not read it has not begun, so the next one is asked.
absl::StatusOr<Json> Ask(const std::string& lines) {
  absl::Status lost;
  for (int i = 0; i < kMostServers; ++i) {
    ASSIGN_OR_RETURN(UniqueFd server, JoinServer());
    bool was_read = false;
    if (!WriteAll(server.get(), lines)) {
      lost = ErrnoStatus("write to", "the shared server");
      continue;
    }
    auto answer = AwaitAnswer(server.get(), &was_read);
    if (answer.ok() || was_read) return answer;
    lost = answer.status();
  }
  return lost;
}

// The string at `key`; null when there is none.
const std::string* TextAt(const Json& object, std::string_view key) {
  const Json* value = FindMember(object, key);
  bool is_text = value != nullptr && value->is_string();
  return is_text ? &value->get_ref<const std::string&>() : nullptr;
}

// Each block of text; of others their JSON. Returns the first line.
std::string PrintContent(const Json& result, FILE* out) {
  std::string all;
  const Json* content = FindMember(result, "content");
  for (size_t i = 0; content != nullptr && i < content->size(); ++i) {
    const Json& block = (*content)[i];
    const std::string* text = TextAt(block, "text");
    all += text != nullptr ? *text : DumpJson(block);
    if (!all.ends_with('\n')) all += '\n';
  }
  if (out != nullptr) std::fwrite(all.data(), 1, all.size(), out);
  return all.substr(0, all.find('\n'));
}

// `header` is the first line of the reply: the rest is a program's.
int StatusOf(const mcp::Tool& tool, const Json& result,
             const std::string& header) {
  const Json* failed = FindMember(result, "isError");
  if (failed != nullptr && *failed == true) return kFailed;
  bool timed_out = header.find(" reason=timeout") != std::string::npos;
  bool runs = tool.name == "term_run";
  if (timed_out && (runs || tool.name == "term_wait")) return kTimedOut;
  const Json* meta = FindMember(result, "_meta");
  const Json* exit =
      meta == nullptr ? nullptr : FindMember(*meta, "glasstty/exit");
  bool has_status = runs && exit != nullptr && exit->is_number_integer();
  return has_status ? static_cast<int>(exit->get<int64_t>()) : 0;
}

// Who calls again under the same name is the same client: each reading goes on
// where the last one ended.
std::string OwnName() {
  const char* name = std::getenv("GLASSTTY_CLIENT");
  return name == nullptr || *name == '\0' ? "shell" : name;
}

int Call(const CommandRow& command, const mcp::Tool& tool,
         const Json& arguments, bool as_json) {
  auto answer =
      Ask(wire::IntroductionLine(wire::WorkingDirectory(), OwnName()) +
          RequestLine(tool, arguments));
  if (!answer.ok()) {
    Report(command, answer.status());
    return kNoServer;
  }
  const Json* result = FindMember(*answer, "result");
  if (result == nullptr) {
    const Json* error = FindMember(*answer, "error");
    const std::string* why = TextAt(*error, "message");
    Report(command, FailedPrecondition("%s", why == nullptr ? "" : *why));
    return kFailed;
  }
  if (as_json) std::printf("%s\n", DumpJson(*result).c_str());
  std::string header = PrintContent(*result, as_json ? nullptr : stdout);
  return StatusOf(tool, *result, header);
}

// Takes the flag out; only in front of a command's own words.
bool TakeJsonFlag(const WordRules& rules, std::vector<std::string>* words) {
  for (auto word = words->begin(); word != words->end(); ++word) {
    if (*word == "--" || (rules.stops_at_word && !word->starts_with("--"))) {
      return false;
    }
    if (*word != "--json") continue;
    words->erase(word);
    return true;
  }
  return false;
}

int CallWith(const CommandRow& command, const mcp::Tool& tool,
             const WordRules& rules, std::vector<std::string> words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    std::printf("%s: %s\n\n%s", tool.name.c_str(), tool.description.c_str(),
                DescribeArguments(tool).c_str());
    return 0;
  }
  bool as_json = TakeJsonFlag(rules, &words);
  auto arguments = ReadArguments(tool, rules, words);
  if (!arguments.ok()) {
    Report(command, arguments.status());
    return kMisused;
  }
  return Call(command, tool, *arguments, as_json);
}

}  // namespace

int RunCall(const Options& options) {
  const CommandRow& command = *FindCommand("call");
  Tables tables;
  if (options.operands.empty()) {
    return Report(command, InvalidArgument("which tool? one of: %s",
                                           Join(tables.Names(), ", ")));
  }
  std::vector<std::string> words = options.operands;
  const mcp::Tool* tool = tables.Find(words[0]);
  if (tool == nullptr) {
    return Report(command,
                  InvalidArgument("no tool '%s'%s", words[0],
                                  DidYouMean(words[0], tables.Names())));
  }
  words.erase(words.begin());
  return CallWith(command, *tool, {}, std::move(words));
}

int RunShortForm(const std::string& name, const Options& options) {
  for (const Form& form : Forms()) {
    if (name != form.command) continue;
    Tables tables;
    return CallWith(*FindCommand(name), *tables.Find(form.tool), form.rules,
                    options.operands);
  }
  return kMisused;
}

}  // namespace glasstty
