// Keeps the questions that clients have not answered yet, in both eras
// (eras.h).
//
// Legacy: a request from the server stays open on a connection until its
// response comes or it is withdrawn. Modern: no request stays open. The call
// has ended, and the answers so far are kept as a round, under a key of 128
// random bits that the client returns as `requestState`. A key is valid once,
// for the same principal and the same call, and for a limited time, so it need
// not be signed.
//
// Handlers use mcp/ask.h instead. The server owns this object. Loop thread
// only.
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

// Returns 128 random bits as lower-case hex digits. They cannot be guessed, so
// a client that returns them proves that it was asked, or that a task is its
// own.
std::string NewState();

class Questions {
 public:
  // The time that a person may take to answer.
  static constexpr Duration kPatience = std::chrono::minutes(10);
  // The maximum number and size of all rounds. Further rounds displace the
  // oldest, so a client that never answers cannot use more memory. A single
  // round may be larger.
  static constexpr size_t kMaxRounds = 64;
  static constexpr size_t kMaxRoundBytes = 8 << 20;

  // Queues a message for a connection; returns false if the connection has
  // ended.
  using Send = std::function<bool(uint64_t connection, const Json& message)>;
  // Receives the result, or null if the client has answered with an error.
  using Answered = std::function<void(const Json* result)>;

  Questions(Loop* loop, Send send);

  // ---- legacy

  // Sends a request to the client and returns its id. `answered` is called at
  // most once, from Receive.
  std::string Put(uint64_t connection, const std::string& method, Json params,
                  Answered answered);
  // Notifies the client that its answer is no longer needed. Does nothing if
  // the question was answered.
  void Withdraw(const std::string& id);
  // Notifies the client that the user is done with the page of a link that the
  // client has shown.
  void Complete(uint64_t connection, const std::string& elicitation);
  // Handles a response; ignores it unless it answers a question to this
  // connection.
  void Receive(uint64_t connection, const Json& id, const Json* result);

  // ---- modern

  // Keeps the answers so far (an object by key) for `subject`, which identifies
  // the principal and the call. Returns the requestState.
  std::string Keep(std::string subject, Json answers);
  // Moves the kept answers into `*answers`. Returns false if the state is
  // unknown, used up, expired or of another subject. Uses the state up in any
  // case.
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
    size_t bytes;  // the approximate size
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
