#include "cli/shared_call.h"

#include <signal.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "cli/share.h"
#include "record/state_dir.h"
#include "support/encodings.h"
#include "support/signals.h"
#include "support/status.h"
#include "tools/clients.h"
#include "wire/introduction.h"
#include "wire/shared_server.h"

namespace glasstty {
namespace {

// The number of servers in a row that may end before they have read a call.
constexpr int kMostServers = 8;
// To this, shells add the number of the signal that ended a program.
constexpr int kKilled = 128;

// Returns a request of the modern era, which needs no handshake. The token
// allows long waits; the progress that it causes is not shown. Earlier servers
// ignore glasstty/shell, and answer with text alone.
std::string RequestLine(const std::string& tool, const Json& arguments) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
         tool + R"(","arguments":)" + DumpJson(arguments) +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{},)"
         R"("progressToken":1,"glasstty/shell":true}}})"
         "\n";
}

// Sends all lines; returns false with errno if the server is gone. That must
// not end this process, which then asks the next server.
bool SendLines(const UniqueFd& server, std::string_view lines) {
  while (!lines.empty()) {
    ssize_t n = send(server.get(), lines.data(), lines.size(), MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) lines.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

// Returns the message that answers the request. Error: the server is gone;
// `was_read` says whether it had read the request.
absl::StatusOr<Json> AwaitAnswer(int fd, bool* was_read) {
  std::string lines;
  std::vector<char> buffer(64 << 10);
  bool was_polite = false;
  while (true) {
    ssize_t n = ReadSome(fd, buffer.data(), buffer.size());
    // ECONNRESET: the server had not accepted the connection, or not read
    // everything.
    *was_read = n >= 0 || errno != ECONNRESET;
    if (n < 0) return ErrnoStatus("read from", "the shared server");
    if (n == 0) {
      return Unavailable("%s",
                         was_polite ? wire::kStoppedText : wire::kDiedText);
    }
    size_t begin = 0;
    // A long line comes in many pieces, so only the new one is searched.
    size_t scanned = lines.size();
    lines.append(buffer.data(), static_cast<size_t>(n));
    for (size_t end; (end = lines.find('\n', scanned)) != std::string::npos;) {
      std::string line = lines.substr(begin, end - begin);
      was_polite = was_polite || line == wire::kClosingLine;
      ASSIGN_OR_RETURN(Json message, ParseJson(line));
      // An error without an id is an answer, too: the server is full.
      bool is_answer = message.contains("result") || message.contains("error");
      if (is_answer) return message;
      begin = scanned = end + 1;
    }
    lines.erase(0, begin);
  }
}

// A server has not begun a request that it has not read, so the request is sent
// to the next server.
absl::StatusOr<Json> Ask(const std::string& lines) {
  absl::Status lost;
  for (int i = 0; i < kMostServers; ++i) {
    ASSIGN_OR_RETURN(UniqueFd server, JoinServer());
    bool was_read = false;
    if (!SendLines(server, lines)) {
      lost = ErrnoStatus("write to", "the shared server");
      continue;
    }
    auto answer = AwaitAnswer(server.get(), &was_read);
    if (answer.ok() || was_read) return answer;
    lost = answer.status();
  }
  return lost;
}

// Returns the string at `key`, or null.
const std::string* TextAt(const Json& object, std::string_view key) {
  const Json* value = FindMember(object, key);
  bool is_text = value != nullptr && value->is_string();
  return is_text ? &value->get_ref<const std::string&>() : nullptr;
}

// Takes over the texts of the result's blocks, and a picture.
void TakeContent(const Json& result, CallAnswer* answer) {
  const Json* content = FindMember(result, "content");
  for (size_t i = 0; content != nullptr && i < content->size(); ++i) {
    const Json& block = (*content)[i];
    if (const std::string* data = TextAt(block, "data")) {
      answer->picture = DecodeBytes(*data, Encoding::kBase64).value_or("");
      continue;
    }
    const std::string* text = TextAt(block, "text");
    answer->text += text != nullptr ? *text : DumpJson(block);
    if (!answer->text.ends_with('\n')) answer->text += '\n';
  }
}

// A code is a number; a signal is a text such as "signal=TERM".
std::optional<int> ReadExit(const Json& exit) {
  if (exit.is_number_integer()) return static_cast<int>(exit.get<int64_t>());
  if (!exit.is_string()) return std::nullopt;
  const std::string& text = exit.get_ref<const std::string&>();
  for (int signal = 1; signal < NSIG; ++signal) {
    std::string name = "signal=" + SignalName(signal);
    if (text == name || text.starts_with(name + " ")) return kKilled + signal;
  }
  return std::nullopt;
}

CallAnswer ReadAnswer(const Json& message) {
  CallAnswer answer;
  const Json* result = FindMember(message, "result");
  if (result == nullptr) {
    const Json* error = FindMember(message, "error");
    const std::string* why = TextAt(*error, "message");
    return {.text = (why == nullptr ? "" : *why) + "\n", .refused = true};
  }
  TakeContent(*result, &answer);
  const Json* failed = FindMember(*result, "isError");
  answer.refused = failed != nullptr && *failed == true;
  const Json* structured = FindMember(*result, "structuredContent");
  if (structured != nullptr) answer.structured = *structured;
  const Json* meta = FindMember(*result, "_meta");
  if (meta == nullptr) return answer;
  const std::string* reason = TextAt(*meta, "glasstty/reason");
  if (reason != nullptr) answer.reason = *reason;
  const Json* held = FindMember(*meta, "glasstty/held");
  answer.held = held == nullptr || *held != false;
  const std::string* failure = TextAt(*meta, "glasstty/error");
  if (failure != nullptr) answer.failure = *failure;
  const Json* exit = FindMember(*meta, "glasstty/exit");
  if (exit != nullptr) answer.exit = ReadExit(*exit);
  const Json* last = FindMember(*meta, "glasstty/last_exit");
  if (last != nullptr) answer.last_exit = ReadExit(*last);
  return answer;
}

// All calls under the same name are one client: each reading continues where
// the last one ended.
std::string OwnName() {
  const char* name = std::getenv("GLASSTTY_CLIENT");
  return name == nullptr || *name == '\0' ? "shell" : name;
}

}  // namespace

absl::StatusOr<CallAnswer> CallTool(const mcp::Tool& tool,
                                    const Json& arguments) {
  ASSIGN_OR_RETURN(Json message, Ask(wire::OwnIntroductionLine(OwnName()) +
                                     RequestLine(tool.name, arguments)));
  return ReadAnswer(message);
}

absl::StatusOr<CallAnswer> CallForAgent(const std::string& tool,
                                        const Json& arguments) {
  ASSIGN_OR_RETURN(std::string base, record::StateDir::Place());
  UniqueFd server = wire::ConnectServer(base);
  if (!server.valid()) return ErrnoStatus("connect to", base + "/serve/socket");
  std::string lines = wire::BriefIntroductionLine(Clients::kHookName) +
                      RequestLine(tool, arguments);
  if (!SendLines(server, lines)) {
    return ErrnoStatus("write to", "the shared server");
  }
  bool was_read = false;
  ASSIGN_OR_RETURN(Json message, AwaitAnswer(server.get(), &was_read));
  return ReadAnswer(message);
}

}  // namespace glasstty
