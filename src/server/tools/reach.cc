#include "tools/reach.h"

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {

using session::ReachedPlace;

namespace {

// This is below the time-outs of MCP clients; connecting continues after it.
constexpr Duration kPatience = std::chrono::seconds(40);
constexpr int64_t kLastLines = 3;
// The pause between attempts, in which the relay process of an earlier
// connection may end.
constexpr Duration kAttemptGap = std::chrono::milliseconds(50);
constexpr int kMostAttempts = 40;

// Returns the last output of the client (such as ssh), without the line that we
// print when the client ends.
std::string LastWords(const session::Session& client) {
  const terminal::Terminal& terminal = client.output().terminal();
  std::vector<std::string> words;
  for (const terminal::Line& line :
       terminal.Lines(terminal.first_line(), terminal.end_line())) {
    std::string text(TrimTrailingBlanks(TrimLineEnd(line.text)));
    bool ours = text.starts_with("[") && text.ends_with("]");
    if (!text.empty() && !ours) words.push_back(std::move(text));
  }
  auto excess = std::ssize(words) - kLastLines;
  if (excess > 0) words.erase(words.begin(), words.begin() + excess);
  return Join(words, " / ");
}

std::string EndedText(int status) {
  if (status < 0) return "";
  return WIFSIGNALED(status)
             ? absl::StrFormat("was ended by signal %d", WTERMSIG(status))
             : absl::StrFormat("ended with %d", WEXITSTATUS(status));
}

absl::Status WhyNot(const ReachedPlace& reached) {
  const place::Place& place = reached.link->place();
  const wire::PlaceStatus& status = reached.link->status();
  if (!status.failure.empty()) {
    return Unavailable("on %s: %s", place.text, status.failure);
  }
  std::string words = LastWords(*reached.client);
  int code = status.client_status;
  // Shells end with 127 if a program does not exist, and so do we. A message
  // with "sh: " comes from a shell on the other machine, and is quoted below.
  if (code >= 0 && WIFEXITED(code) && WEXITSTATUS(code) == 127 &&
      words.find("sh: ") == std::string::npos) {
    return NotFound("on %s: %s", place.text,
                    words.empty() ? "there is no sh" : Quoted(words));
  }
  return Unavailable("on %s: %s %s before our program ran there%s%s",
                     place.text, place.client[0], EndedText(code),
                     words.empty() ? "" : ": ",
                     words.empty() ? "" : Quoted(words));
}

bool IsOver(const ReachedPlace& reached) {
  return reached.link->gone() || reached.client->finished() ||
         reached.link->status().state == wire::PlaceState::kFailed;
}

// A relay that an earlier server left may be about to end, together with its
// client.
bool WasEnding(const ReachedPlace& reached) {
  bool ended = reached.link->gone() || reached.client->finished();
  return ended && reached.link->status().state != wire::PlaceState::kFailed;
}

// Returns a status with the client's question and how to answer it.
absl::Status Asked(const ReachedPlace& reached) {
  const std::string& client = reached.client->name();
  return FailedPrecondition(
      "on %s: its client asks in session '%s'; answer with term_send "
      "session=%s "
      "(a secret by secret_env or secret_file), then call again. It asks: %s",
      reached.link->place().text, client, client,
      Quoted(LastWords(*reached.client)));
}

// Waits until the place is connected, the client asks or has ended, or
// `deadline`. Returns true if the client waits for somebody's answer.
Task<bool> AwaitPlace(mcp::ToolCall* call, const ReachedPlace* reached,
                      Time deadline) {
  session::Session* client = reached->client.get();
  bool asks = false;
  auto interest = client->questions().Keep(session::Interest::kState);
  Predicate settled = [reached, &asks, client] {
    // If another call has replaced the link, this one is gone.
    const session::PlaceLink& link = *reached->link;
    if (link.up() || link.gone() || client->finished()) return Look(true);
    // When the state is known, everything that the client has printed has been
    // read.
    auto state = client->verdict().settled_state();
    if (state && IsOver(*reached)) return Look(true);
    bool waits = state && (state->activity == session::Activity::kSecret ||
                           state->activity == session::Activity::kInput);
    // Our own program on the other machine also reads its input before it has
    // answered. At a question, unlike then, the cursor is after text in its
    // row.
    asks = waits && client->output().terminal().cursor().col > 0;
    return Look(asks);
  };
  co_await client->WaitFor(settled, deadline, call->cancellation());
  co_return asks;
}

}  // namespace

absl::StatusOr<place::Place> PlaceOfArgument(const Json& on) {
  place::Place place;
  std::string error;
  bool good = false;
  for (const Json& word : on.is_array() ? on : Json::array({on})) {
    RETURN_IF_ERROR(mcp::CheckNoNul({"on", ""}, AsString(word).value_or("")));
  }
  if (on.is_string()) {
    good = place::ParsePlace(AsString(on).value_or(""), &place, &error);
  } else if (on.is_array()) {
    std::vector<std::string> words;
    for (const Json& word : on) words.push_back(AsString(word).value_or(""));
    good = place::PlaceOfPrefix(words, &place, &error);
  } else {
    error = "on: give a text such as \"ssh:HOST\", or an array of words";
  }
  if (!good) return InvalidArgument("%s", error);
  return place;
}

Task<absl::StatusOr<session::PlaceLink*>> ReachPlace(Workbench* bench,
                                                     mcp::ToolCall* call,
                                                     place::Place place,
                                                     Time deadline) {
  absl::Status ready = bench->manager()->KeepStateDir();
  if (!ready.ok()) co_return ready;
  deadline = std::min(deadline, bench->loop()->Now() + kPatience);
  Predicate never = [] { return Look(false); };
  std::vector<WaiterList*> nobody;
  for (int attempt = 1; attempt <= kMostAttempts; ++attempt) {
    auto reached = bench->manager()->remote()->Reach(
        place, bench->clients()->InheritanceOf(*call));
    if (reached.ok()) {
      ReachedPlace there = *reached;
      bool asks = co_await AwaitPlace(call, &there, deadline);
      if (there.link->up()) co_return there.link.get();
      if (asks) co_return Asked(there);
      if (IsOver(there) && !WasEnding(there)) co_return WhyNot(there);
      // The connection may have failed and been restarted since the last check.
      if (bench->loop()->Now() >= deadline) break;
    } else if (attempt == kMostAttempts) {
      co_return reached.status();
    }
    co_await Wait(bench->loop(), nobody, never,
                  bench->loop()->Now() + kAttemptGap, call->cancellation());
  }
  co_return Unavailable(
      "on %s: still connecting, in session '@%s': call again, or look at it "
      "with term_read",
      place.text, place.name);
}

}  // namespace glasstty
