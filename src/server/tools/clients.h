// The clients of a server: what each has read, its default session, the
// sessions that it opened, and the sessions that its calls use.
//
// Sessions belong to all clients; the state kept here belongs to one. A client
// is a connection, or a name that many short connections share, one for each
// call (`recurring`, as from a shell). A client that has ended may come back on
// another connection, as when an editor reloads its window: it is the same if
// its name and directory are, and if its parent process is, or has ended.
// Borrows the manager, which must outlive it. Must itself outlive all calls.
// Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lookout/event_log.h"
#include "mcp/tool.h"
#include "motion/memory.h"
#include "session/session_manager.h"
#include "tools/handed_over.h"
#include "view/reader.h"

namespace glasstty {

// The facts that a client has been told about other people's and machines'
// effects on a session.
struct Told {
  session::Visits visits;  // visits of people at the keyboard
  uint64_t absences = 0;   // Life::Absence::number
  // Events::Repair::number, counted separately for replies of term_run,
  // because its caller needs to know why the previous command ended as it did.
  uint64_t repairs = 0;
  uint64_t repairs_at_run = 0;
  uint64_t lost = 0;  // Output::lost_before
};

// Records what a client has been told of what a session does, by replies and by
// hooks (tools/hook.cc). The key says which question or command it was, so that
// the same news is not told twice.
struct ToldState {
  struct News {
    session::Activity activity;
    uint64_t key;

    bool operator==(const News&) const = default;
  };
  std::optional<News> shown;  // by the last reply
  std::optional<News> said;   // by a hook, and not shown to be over since
  uint64_t watch = 0;         // the number of the last process that watches it
};

// The session of commands that name none. The first command opens it, even if
// the caller names it, so that no other call has to come before.
inline constexpr char kDefaultSession[] = "main";

class Clients {
 public:
  // At most this many recurring clients are remembered.
  static constexpr size_t kMostRecurring = 64;

  explicit Clients(session::SessionManager* manager) : manager_(manager) {}
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;

  // Returns what this client has read of the session; the mark is created when
  // it is first asked for. The reference is valid until the mark is set, the
  // client leaves or the session is forgotten.
  const view::ReaderMark& MarkOf(const mcp::ToolCall& call,
                                 const session::Session& session);
  // Does nothing if the connection has ended.
  void SetMark(uint64_t connection, const std::string& session_id,
               view::ReaderMark mark);
  size_t mark_count() const;
  // Returns what this client's waits have made it used to.
  const std::shared_ptr<motion::Memory>& MemoryOf(
      const mcp::ToolCall& call, const session::Session& session);
  // Returns what this client has been told of people at the session's keyboard.
  // The reference is valid as long as that of MarkOf.
  const Told& ToldOf(const mcp::ToolCall& call,
                     const session::Session& session);
  void SetTold(uint64_t connection, const std::string& session_id,
               const Told& told);

  // Sets the settings of clients that have none of their own, and a function
  // that reads those from what a client inherits and from its directory. It may
  // add to the inheritance.
  using ReadSettings = std::function<ClientSettings(
      record::Inheritance* inherited, const std::string& directory)>;
  void SetSettings(ClientSettings standard, ReadSettings read);
  // Returns what a connection has handed over. The reference is valid until the
  // connection ends or the next call of this function.
  const HandedOver& HandedOverBy(uint64_t connection,
                                 const mcp::RequestContext& context);
  const ClientSettings& SettingsOf(const mcp::ToolCall& call) {
    return HandedOverBy(call).settings;
  }
  // Returns what the sessions that this client opens inherit; null: what the
  // server has.
  std::shared_ptr<const record::Inheritance> InheritanceOf(
      const mcp::ToolCall& call) {
    return HandedOverBy(call).inheritance;
  }

  // While there are other clients, one client may have three quarters of the
  // maximum number of sessions. Error: it has that many.
  absl::Status CheckShare(const mcp::ToolCall& call);
  // Records that the call opened this session. The session ends with the
  // client, unless it is kept or another client uses it.
  void Opened(const mcp::ToolCall& call, const session::Session& session);
  // Records that the call uses this session until the call ends. Looking at it
  // changes nothing about whose it is.
  void Use(mcp::ToolCall* call, const session::Session& session);
  // Records that the call types into the session: this client inherits it when
  // its owner has left.
  void Adopt(const mcp::ToolCall& call, const session::Session& session);
  // Returns what identifies the client when it comes back.
  static record::Opener OpenerOf(const mcp::RequestContext& context);
  // Tells the client once that its sessions are still there; mostly empty.
  std::string TakeGreeting(const mcp::ToolCall& call);

  // ---- names. On disk and for people they are unique: when two agents open
  // "server", one of the sessions is "server-2". Each agent calls its own
  // "server"; those of others it must name in full, such as
  // "claude-code/server". Shells and clients without a relay use the unique
  // names.

  // Returns the unique name of the session that the client calls `name`, or
  // `name` itself if there is none. Error: it is another client's; the message
  // has the full name.
  absl::StatusOr<std::string> Resolve(const mcp::ToolCall& call,
                                      const std::string& name);
  // Returns how replies to this client name the session.
  std::string NameFor(const mcp::ToolCall& call,
                      const session::Session& session);
  // Returns the unique name for a session that the client opens as `name`.
  std::string ChooseName(const mcp::ToolCall& call, const std::string& name);
  // Records that the client calls this session of its own `name`.
  void SetCalled(const session::Session& session, const std::string& name);
  // Returns whether an agent must leave the session alone unless it is named.
  bool IsOthers(const mcp::ToolCall& call, const session::Session& session);
  // Returns whether it must be named in full. Those of a person's shell need
  // not, because they are opened to be lent to agents; but every agent has a
  // "main" of its own.
  bool NeedsFullName(const mcp::ToolCall& call,
                     const session::Session& session);

  // Returns the name of the session that this client means when it names none:
  // "main", or "main-2" if "main" belongs to another client and this one uses
  // unique names. In that case, the first call sets `*note` to say so.
  std::string DefaultSession(const mcp::ToolCall& call, std::string* note);
  // Returns the only live session that does not belong to another client, or
  // null if there are several or none.
  session::SessionRef OnlyOwn(const mcp::ToolCall& call);

  // ---- hooks: short connections by which an agent's client asks on behalf of
  // the agent (clients_hooks.cc). They adopt and open nothing.

  // The name under which processes that were started by hooks introduce
  // themselves.
  static constexpr char kHookName[] = "hook";
  // Lets the connection of a hook speak for the agent that both it and the
  // agent's own connection descend from. Any other connection speaks for
  // itself. Returns false if there is no such agent.
  bool FindAgent(const mcp::ToolCall& call);
  // The reference is valid until the client leaves or the session is forgotten.
  ToldState* StateOf(const mcp::ToolCall& call,
                     const session::Session& session);
  // Records that the client has got a reply that shows this.
  void SetShown(uint64_t connection, const std::string& session_id,
                const ToldState::News& news);
  // Returns the sessions that this client has opened, live or not.
  std::vector<session::SessionRef> OwnOf(const mcp::ToolCall& call);
  // Returns true if a call of this client uses the session now.
  bool IsUsing(const mcp::ToolCall& call, const session::Session& session);
  // Returns true the first time that the client asks.
  bool TakeHint(const mcp::ToolCall& call);

  // ---- events (tools/event_replies.h, clients_events.cc)

  // Returns the name under which it is kept what the client has been told: the
  // same after a restart of the server, if the client can come back.
  std::string ReaderName(const mcp::ToolCall& call);
  bool IsOwn(const mcp::ToolCall& call, const session::Session& session);
  // The client asks for events, so replies name those of its sessions.
  void SetAsksForEvents(const mcp::ToolCall& call) { Of(call)->asks = true; }
  bool AsksForEvents(const mcp::ToolCall& call) { return Of(call)->asks; }
  // Returns whether a reply has shown the client what the event says.
  bool HasSeen(const mcp::ToolCall& call, const session::Session& session,
               const lookout::Event& event);
  // The same for any client.
  bool HasAnySeen(const session::Session& session,
                  const lookout::Event& event) const;

  // Describes in words what other clients do with the session; empty if there
  // are none.
  struct Others {
    std::string opened_by;
    std::vector<std::string> typing;   // type, or wait for their turn to type
    std::vector<std::string> waiting;  // have any other call running
  };
  Others OthersAt(const mcp::ToolCall& call,
                  const session::Session& session) const;

  // The time that the sessions of a client wait for its return.
  void SetPatience(Duration patience) { patience_ = patience; }
  // Call when the connection has ended. Returns the sessions that nobody else
  // uses and that wait for nobody, which must be closed.
  std::vector<session::SessionRef> Leave(uint64_t connection, Time now);
  // Call when the recurring client of this name will not come back. Returns the
  // sessions that nobody else uses.
  std::vector<session::SessionRef> LeaveForGood(const std::string& recurring);
  // Returns the sessions of clients that have not come back in time, likewise.
  std::vector<session::SessionRef> ForgetAway(Time now);
  // When that is to be called next; Time::max(): nobody is away.
  Time NextForget() const;
  // Finds the owners of sessions that an earlier server has left.
  void Recall(Time now);
  void ForgetSession(const std::string& id);

 private:
  struct Client {
    std::string label;      // such as "codex 0.169 #2"
    std::string handle;     // before the '/' of full names; unique
    std::string recurring;  // "" for one connection
    std::map<std::string, view::ReaderMark> marks;  // by session id
    std::map<std::string, Told> told;               // by session id
    // By session id.
    std::map<std::string, std::shared_ptr<motion::Memory>> memories;
    std::map<std::string, ToldState> states;  // by session id
    std::set<std::string> used;    // ids of sessions that its calls used
    std::string default_session;   // a name; "" before it is needed
    record::Opener opener;         // without a parent: it cannot come back
    std::optional<Time> left;      // it is away since then
    bool has_returned = false;     // and has not been told yet
    std::vector<pid_t> ancestors;  // the nearest first
    bool hinted = false;           // see TakeHint
    bool asks = false;             // see SetAsksForEvents
  };
  // A running call and the session that it uses.
  struct UseOf {
    const Client* client;
    std::string session_id;
    const void* caller;  // identifies the call to TypingTurn
  };

  // Returns the processes from which the client descends, the nearest first.
  static std::vector<pid_t> AncestorsOf(const mcp::RequestContext& context);
  static bool Descends(const Client& client, pid_t ancestor);
  // Returns true if it has left, and nothing is known of its return.
  static bool IsAway(const Client& client);
  bool OwnsAny(const Client& client) const;
  static bool HasSeen(const Client& client, const session::Session& session,
                      const lookout::Event& event);

  const HandedOver& HandedOverBy(const mcp::ToolCall& call);
  Client* Of(const mcp::ToolCall& call);
  const Client* Look(const mcp::ToolCall& call) const;
  Client* OfRecurring(const std::string& name);
  // Returns null if nobody is away who may be this one.
  Client* OfReturning(const record::Opener& opener);
  std::vector<session::SessionRef> Remove(Client* client);
  bool IsTaken(const std::string& name, const Client* but) const;
  static bool HasOwnNames(const Client& client) {
    return client.opener.parent > 0;
  }
  void RecallName(const session::Session& session);
  void SetHandle(Client* client, const std::string& name);
  // Returns what the session's owner calls it.
  const std::string& ShortName(const session::Session& session) const;
  std::string FullName(const session::Session& session) const;
  const Client* OwnerOf(const session::Session& session) const;
  const Client* AnotherUser(const std::string& session_id,
                            const Client* but) const;

  session::SessionManager* const manager_;  // borrowed
  std::list<Client> clients_;
  std::map<uint64_t, Client*> by_connection_;
  // The agents for which connections of hooks speak.
  std::map<uint64_t, Client*> guests_;
  // Used for clients that hand nothing over.
  HandedOver standard_;
  ReadSettings read_settings_;
  // By connection, because those of a recurring client may differ.
  std::map<uint64_t, HandedOver> handed_over_;
  std::map<std::string, const Client*> owners_;  // by session id
  // Ids of sessions whose owner has been looked for.
  std::set<std::string> known_;
  // Names that owners use instead of the unique ones, by session id.
  std::map<std::string, std::string> called_;
  std::list<UseOf> uses_;
  Duration patience_{};
  // Replaces clients that have left while their calls still run.
  Client gone_;
};

}  // namespace glasstty
