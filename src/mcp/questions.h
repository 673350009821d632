// Questions that clients have not answered yet, in both eras.
//
// Legacy: a request from the server is open on a connection until its response
// comes or it is withdrawn. Modern: no request is open. The call has ended, and
// what is needed to continue it is kept as a round, under a key of 128 random
// bits that the client returns as `requestState`. A key is valid once, for the
// same principal and the same call, and for a limited time, so it does not have
// to be signed.
// Handlers use mcp/ask.h. Owned by the server; loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include "base/clock.h"
#include "support/json.h"
#include "support/loop.h"

namespace glasstty::mcp {

class Questions {
 public:
  // How long a person may think.
  static constexpr Duration kPatience = std::chrono::minutes(10);
  // Rounds beyond this push out the oldest: a client that never answers costs
  // no more memory than this.
  static constexpr size_t kMaxRounds = 64;
  static constexpr size_t kMaxRoundBytes = 8 << 20;

  // `send` queues a message for a connection; false when that is gone.
  using Send = std::function<bool(uint64_t connection, const Json& message)>;
  // Gets the result, or null when the client has answered with an error.
  using Answered = std::function<void(const Json* result)>;

  Questions(Loop* loop, Send send);

  // ---- legacy

  // Sends a request to the client and returns its id. `answered` is called at
  // most once, from Receive.
  std::string Put(uint64_t connection, const std::string& method, Json params,
                  Answered answered);
  // Tells the client that its answer is no longer needed. Nothing for an id
  // that was answered.
  void Withdraw(const std::string& id);
  // A response; ignored when it answers nothing that this connection was asked.
  void Receive(uint64_t connection, const Json& id, const Json* result);

  // ---- modern

  // Keeps what was answered so far (an object by key) about `subject`, which
  // names the principal and the call. Returns the requestState.
  std::string Keep(std::string subject, Json answers);
  // Takes the round back into `*answers`. False when there is none of that
  // state, or it was about something else, or its time has passed.
  bool Take(const std::string& state, const std::string& subject,
            Json* answers);

  size_t open() const { return asked_.size(); }
  size_t kept() const { return rounds_.size(); }

 private:
  struct Asked {
    uint64_t connection;
    Answered answered;
  };
  struct Round {
    std::string state;
    std::string subject;
    Json answers;
    Time expires;
    size_t bytes;  // about
  };

  Loop* const loop_;  // borrowed
  const Send send_;
  // State.
  uint64_t last_id_ = 0;
  std::map<std::string, Asked> asked_;
  std::deque<Round> rounds_;  // oldest first
  size_t round_bytes_ = 0;
};

}  // namespace glasstty::mcp
