// Asks a client's user to type the secret that a program wants, on a page of
// this machine to which the client shows a link. The secret reaches neither the
// client nor this server: the page sends it to the session's holder.
//
//   SecretAsking asking(bench, call, session);
//   if (co_await asking.Begin(ask)) { ... co_await asking.Await(...) ... }
//
// In newer revisions of MCP (mcp::Era::kModern), a question to the user ends
// the call, and the client repeats the call once the user has answered; the
// page stays open in between. So only a call that changes nothing may ask:
// term_wait.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "mcp/ask.h"
#include "mcp/tool.h"
#include "session/secret_page.h"
#include "session/session.h"
#include "support/task.h"
#include "waits/waiting.h"

namespace glasstty {

class Workbench;

// The pages, at most one for each session. The workbench owns this object. Loop
// thread only.
class SecretPages {
 public:
  // The maximum number of pages, each of which is a process.
  static constexpr size_t kMost = 8;

  struct Asked {
    std::unique_ptr<session::SecretPage> page;
    std::string id;      // identifies the question
    uint64_t turns = 0;  // turns of people at the keyboard before the question
    int questions = 0;   // running calls that ask with this page
    bool is_opened = false;  // the user has agreed to open the page
    // The log's offset when the user declined or dismissed the question, so
    // that the user is not asked again for the same prompt.
    std::optional<uint64_t> unwanted_at;
    std::function<void()> complete;  // reports the page's end to the client
  };

  explicit SecretPages(Loop* loop) : loop_(loop) {}

  Asked& Of(const session::Session& session) {
    return by_session_[session.origin().id];
  }
  // Starts a page, which replaces the session's last one. Returns false if it
  // cannot be started, or kMost pages are open.
  bool Open(const session::SessionRef& session);
  void ForgetSession(const std::string& id) { by_session_.erase(id); }

 private:
  bool HasRoom();
  void Hear(const std::string& id, session::Session* session);

  Loop* const loop_;  // borrowed
  uint64_t last_id_ = 0;
  std::map<std::string, Asked> by_session_;  // by the session's id
};

class SecretAsking {
 public:
  // Borrows the bench and the call.
  SecretAsking(Workbench* bench, mcp::ToolCall* call,
               session::SessionRef session);
  ~SecretAsking();
  SecretAsking(const SecretAsking&) = delete;
  SecretAsking& operator=(const SecretAsking&) = delete;

  // Asks the user, unless the question is already open or answered. Asks only
  // if the program wants a secret, no person has the keyboard, the client can
  // show links, and its user may have a browser and has not declined for this
  // prompt. `ask` is the agent's request. Returns false if there is no question
  // to wait for; then the caller waits as usual.
  Task<bool> Begin(std::string ask);
  // The functions below REQUIRE that Begin has returned true. is_later returns
  // true if the call must return now; its result is dropped.
  bool is_later() const {
    return question_.answer() == mcp::LinkAnswer::kLater;
  }
  // Waits until a person has been at the keyboard since the question, or until
  // it is clear that nobody will use the page. `waiting` waits for a person.
  Task<waits::Result> Await(waits::Caller caller, waits::Waiting* waiting,
                            Time deadline);
  // Returns a note on the outcome of the question, given the result of Await;
  // "" if the reply shows it anyway.
  std::string Note(const waits::Result& result) const;

 private:
  SecretPages::Asked& asked() const;
  // Counts this call among those that ask with the session's page, until Leave.
  void Join();
  // Closes the page of a question that was withdrawn or refused, because nobody
  // can open it, unless another call asks with the same page. Any other page
  // stays: the user may need it, or the browser shows how it ended.
  void Leave();
  mcp::Link MakeLink(const std::string& ask) const;
  bool IsWanted() const;
  // Returns the word for the reason why the question has ended; "": it has not
  // ended.
  std::string_view EndWord() const;

  Workbench* const bench_;
  mcp::ToolCall* const call_;
  const session::SessionRef session_;
  mcp::LinkQuestion question_;
  bool is_asked_ = false;
  std::string joined_;  // the id of the question that Join has joined
};

}  // namespace glasstty
