#include "mcp/questions.h"

#include <sys/random.h>

#include <array>
#include <utility>

#include "mcp/jsonrpc.h"
#include "support/check.h"
#include "support/status.h"

namespace glasstty::mcp {

std::string NewState() {
  std::array<unsigned char, 16> bytes;
  // getrandom(2) never returns only part of up to 256 bytes, and the kernel's
  // pool is ready long before any client is.
  CHECK(getrandom(bytes.data(), bytes.size(), 0) ==
        static_cast<ssize_t>(bytes.size()));
  std::string state;
  for (unsigned char byte : bytes) state += absl::StrFormat("%02x", byte);
  return state;
}

Questions::Questions(Loop* loop, Send send)
    : loop_(loop), send_(std::move(send)) {}

// In a trace, the id is easy to distinguish from those of clients' requests.
std::string Questions::Put(uint64_t connection, const std::string& method,
                           Json params, Answered answered) {
  std::string id = absl::StrFormat("ask-%d", ++last_id_);
  asked_[id] = {connection, std::move(answered)};
  Json request = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  request["params"] = std::move(params);
  send_(connection, request);
  return id;
}

// Notifies the client, so that it can close its dialog; a later answer is
// ignored.
void Questions::Withdraw(const std::string& id) {
  auto found = asked_.find(id);
  if (found == asked_.end()) return;
  uint64_t connection = found->second.connection;
  asked_.erase(found);
  send_(connection,
        MakeNotification("notifications/cancelled", {{"requestId", id}}));
}

void Questions::Complete(uint64_t connection, const std::string& elicitation) {
  send_(connection, MakeNotification("notifications/elicitation/complete",
                                     {{"elicitationId", elicitation}}));
}

void Questions::Receive(uint64_t connection, const Json& id,
                        const Json* result) {
  if (!id.is_string()) return;
  auto found = asked_.find(id.get_ref<const std::string&>());
  // The question was withdrawn meanwhile, or another client was asked.
  if (found == asked_.end() || found->second.connection != connection) return;
  Answered answered = std::move(found->second.answered);
  // Erase it before the call, which may ask again or withdraw all questions.
  asked_.erase(found);
  answered(result);
}

std::string Questions::Keep(std::string subject, Json answers) {
  Round round;
  round.state = NewState();
  round.bytes = subject.size() + DumpJson(answers).size();
  round.subject = std::move(subject);
  round.answers = std::move(answers);
  round.expires = loop_->Now() + kPatience;
  round_bytes_ += round.bytes;
  std::string state = round.state;
  rounds_.push_back(std::move(round));
  // The newest stays even if it alone is too large, because its client is about
  // to use it.
  while (rounds_.size() > 1 &&
         (rounds_.size() > kMaxRounds || round_bytes_ > kMaxRoundBytes)) {
    round_bytes_ -= rounds_.front().bytes;
    rounds_.pop_front();
  }
  return state;
}

// A round is removed even if its subject does not match, because a state that
// somebody else has seen must become worthless.
bool Questions::Take(const std::string& state, const std::string& subject,
                     Json* answers) {
  for (auto round = rounds_.begin(); round != rounds_.end(); ++round) {
    if (round->state != state) continue;
    bool good = round->subject == subject && loop_->Now() < round->expires;
    if (good) *answers = std::move(round->answers);
    round_bytes_ -= round->bytes;
    rounds_.erase(round);
    return good;
  }
  return false;
}

}  // namespace glasstty::mcp
