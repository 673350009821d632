// The clients of a server: what each has read, its default session, the
// sessions that it opened, and the sessions that its calls use.
//
// Sessions belong to all clients; what is kept here belongs to one. A client is
// a connection, or a name that is shared by many connections, one for each call
// (`recurring`, as from a shell). Borrows the manager. Loop thread only;
// outlives all calls.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "mcp/tool.h"
#include "session/session_manager.h"
#include "view/reader.h"

namespace glasstty {

// What a client knows of what others have done to a session.
struct Told {
  session::Visits visits;  // by people at the keyboard
  uint64_t absences = 0;   // SessionView::Absence::number
};

class Clients {
 public:
  // Of those that come back, so many are remembered.
  static constexpr size_t kMostRecurring = 64;

  explicit Clients(session::SessionManager* manager) : manager_(manager) {}
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;

  // What this client has read of the session; made at the first look. The
  // reference holds until the mark is set, the client has left or the session
  // is forgotten.
  const view::ReaderMark& MarkOf(const mcp::ToolCall& call,
                                 const session::Session& session);
  // Nothing where the connection has ended.
  void SetMark(uint64_t connection, const std::string& session_id,
               view::ReaderMark mark);
  size_t mark_count() const;
  // What this client has been told of people at the session's keyboard. The
  // reference holds as that of MarkOf.
  const Told& ToldOf(const mcp::ToolCall& call,
                     const session::Session& session);
  void SetTold(uint64_t connection, const std::string& session_id,
               const Told& told);

  // While there are other clients, one may have three quarters of the sessions
  // that there can be. Error: it has them.
  absl::Status CheckShare(const mcp::ToolCall& call);
  // The call opened this session: it ends with the client, unless kept or in
  // use by another.
  void Opened(const mcp::ToolCall& call, const session::Session& session);
  // The call is about this session, until it ends.
  void Use(mcp::ToolCall* call, const session::Session& session);

  // The name of the session that this client means when it names none:
  // "main", or "main-2" where "main" is another client's. `*note` then says so,
  // once.
  std::string DefaultSession(const mcp::ToolCall& call, std::string* note);
  // The only live session that is not another client's; null when there are
  // several, or none.
  session::SessionRef OnlyOwn(const mcp::ToolCall& call);

  // What others than this client have to do with the session, in words; empty
  // where it is alone.
  struct Others {
    std::string opened_by;
    std::vector<std::string> typing;   // types, or waits for its turn to type
    std::vector<std::string> waiting;  // any other call
  };
  Others OthersAt(const mcp::ToolCall& call,
                  const session::Session& session) const;

  // The connection has ended. Returns the sessions that nobody else uses and
  // that must be closed.
  std::vector<session::SessionRef> Leave(uint64_t connection);
  void ForgetSession(const std::string& id);

 private:
  struct Client {
    std::string label;                              // "codex 0.169 #2"
    std::string recurring;                          // "" for one connection
    std::map<std::string, view::ReaderMark> marks;  // by session id
    std::map<std::string, Told> told;               // likewise
    std::set<std::string> used;   // ids of sessions that its calls were about
    std::string default_session;  // a name; "" before it is needed
  };
  // One running call about one session.
  struct UseOf {
    const Client* client;
    std::string session_id;
    const void* caller;  // as TypingTurn knows it
  };

  Client* Of(const mcp::ToolCall& call);
  const Client* Look(const mcp::ToolCall& call) const;
  Client* OfRecurring(const std::string& name);
  bool IsTaken(const std::string& name, const Client* but) const;
  const Client* OwnerOf(const session::Session& session) const;
  const Client* AnotherUser(const std::string& session_id,
                            const Client* but) const;

  session::SessionManager* const manager_;  // borrowed
  std::list<Client> clients_;
  std::map<uint64_t, Client*> by_connection_;
  std::map<std::string, const Client*> owners_;  // by session id
  std::list<UseOf> uses_;
  // Stands for clients that have left while their calls still run.
  Client gone_;
};

}  // namespace glasstty
