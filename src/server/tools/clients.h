// The clients of a server: what each has read, its default session, the
// sessions that it opened, and the sessions that its calls use.
//
// All clients share the sessions; the state kept here is separate for each
// client. A client is either one connection or, if it is `recurring` (as from a
// shell), a name that many short connections with one call each share. A client
// that has ended may return on another connection, for example when an editor
// reloads its window. It counts as the same client if its name, directory and
// processes are the same. A new process counts, too, if the old one has ended,
// and the parent of the old one has ended or is also the parent of the new one.
// Borrows the manager, which must outlive this object. This object must outlive
// all calls. Loop thread only.
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

// The events of a session that were reported to a client: visits of people,
// lost connections, repairs, lost output.
struct Told {
  session::Visits visits;  // visits of people at the keyboard
  uint64_t absences = 0;   // Contact::Absence::number
  // Events::Repair::number, counted separately for replies of term_run, whose
  // caller needs to know why the previous command ended as it did.
  uint64_t repairs = 0;
  uint64_t repairs_at_run = 0;
  uint64_t lost = 0;  // Output::lost_before
};

// The news of a session that replies and hooks (tools/hook.cc) have reported to
// a client. News::key identifies the question or the command, so that nothing
// is reported twice.
struct ToldState {
  struct News {
    session::Activity activity;
    uint64_t key;

    bool operator==(const News&) const = default;
  };
  std::optional<News> shown;  // by the last reply
  std::optional<News> said;   // by a hook; unset once a reply has shown other
                              // news
  // The number of the latest `glasstty hook wake` process that waits for news.
  uint64_t watch = 0;
};

// The name of the default session, in which a command runs if it names no
// session. The first such command opens it, so no earlier call is needed.
inline constexpr char kDefaultSession[] = "main";

class Clients {
 public:
  // At most this many recurring clients without a connection are remembered.
  static constexpr size_t kMostRecurring = 64;

  explicit Clients(session::SessionManager* manager) : manager_(manager) {}
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;

  // Returns this client's read mark in the session, and creates it if needed.
  // The reference is valid until the mark is set, the client leaves or the
  // session is forgotten.
  const view::ReaderMark& MarkOf(const mcp::ToolCall& call,
                                 const session::Session& session);
  // Does nothing if the connection has ended.
  void SetMark(uint64_t connection, const std::string& session_id,
               view::ReaderMark mark);
  size_t mark_count() const;
  // Returns the mark for the next server, of which only the offsets count: what
  // the owner and all clients that have typed into the session have read or, if
  // there is no such client, what all clients with a mark have read. nullopt:
  // no client has a mark.
  std::optional<record::ReadMark> LeastMark(
      const session::Session& session) const;
  // Returns the memory of the lines and rows that this client's waits in the
  // session have shown.
  const std::shared_ptr<motion::Memory>& MemoryOf(
      const mcp::ToolCall& call, const session::Session& session);
  // Returns the events of the session that were reported to this client. The
  // reference is valid as long as the one from MarkOf.
  const Told& ToldOf(const mcp::ToolCall& call,
                     const session::Session& session);
  void SetTold(uint64_t connection, const std::string& session_id,
               const Told& told);

  // Sets the settings of clients that have none of their own, and a function
  // that reads a client's settings from its inheritance and its directory. The
  // function may add to the inheritance.
  using ReadSettings = std::function<ClientSettings(
      record::Inheritance* inherited, const std::string& directory)>;
  void SetSettings(ClientSettings standard, ReadSettings read);
  // Returns the data that a connection has handed over. The reference is valid
  // until the connection ends.
  const HandedOver& HandedOverBy(uint64_t connection,
                                 const mcp::RequestContext& context);
  const ClientSettings& SettingsOf(const mcp::ToolCall& call) {
    return HandedOverBy(call).settings;
  }
  // Returns what this client's new sessions inherit (record/inheritance.h);
  // null: the same as from the server itself.
  std::shared_ptr<const record::Inheritance> InheritanceOf(
      const mcp::ToolCall& call) {
    return HandedOverBy(call).inheritance;
  }

  // While there are other connections, one client may own at most three
  // quarters of the maximum number of sessions. Error: it owns that many live
  // sessions already.
  absl::Status CheckShare(const mcp::ToolCall& call);
  // Records that the call opened this session, so that this client owns it. The
  // session ends when the client has left for good, unless the session is kept
  // or another client has typed into it.
  void Opened(const mcp::ToolCall& call, const session::Session& session);
  // Records that the call uses this session until the call ends. This does not
  // change the session's owner.
  void Use(mcp::ToolCall* call, const session::Session& session);
  // Records that the call types into the session. This client may become the
  // owner when the present owner leaves for good, unless the session is kept.
  void Adopt(const mcp::ToolCall& call, const session::Session& session);
  // Returns the data that identify the client when it returns.
  static record::Opener OpenerOf(const mcp::RequestContext& context);
  // Returns a note that lists the live sessions of a client that has returned,
  // or "". Returns it only once.
  std::string TakeGreeting(const mcp::ToolCall& call);

  // ---- names. On disk and for people, names are unique: when two agents open
  // "server", one of the sessions is "server-2". Each agent calls its own
  // session "server", and names others' sessions in full, such as
  // "claude-code/server". Shells, and clients that do not name their parent
  // process when they connect, use the unique names.

  // Returns the unique name of the session that the client calls `name`, or
  // `name` itself if there is none. Error: only another client has a session of
  // that name; the message contains the full name.
  absl::StatusOr<std::string> Resolve(const mcp::ToolCall& call,
                                      const std::string& name);
  // Returns how replies to this client name the session.
  std::string NameFor(const mcp::ToolCall& call,
                      const session::Session& session);
  // Returns the unique name for a session that the client opens as `name`.
  std::string ChooseName(const mcp::ToolCall& call, const std::string& name);
  // Records that the owner of this session calls it `name`.
  void SetCalled(const session::Session& session, const std::string& name);
  // Returns whether this client is an agent and the session is another
  // client's, so that the agent must leave it alone unless the call names it.
  bool IsOthers(const mcp::ToolCall& call, const session::Session& session);
  // Returns whether this client must name the session in full. Sessions that a
  // person has opened from a shell are meant to be lent to agents. They need no
  // full name, unless they are called "main" (or "main-2" and so on), like the
  // default sessions of agents.
  bool NeedsFullName(const mcp::ToolCall& call,
                     const session::Session& session);

  // Returns the name of this client's default session: "main", or "main-2" and
  // so on if another client has "main" and this one uses unique names. In that
  // case, the first call sets `*note` to explain this.
  std::string DefaultSession(const mcp::ToolCall& call, std::string* note);
  // Returns the only live session that no other client owns, or null if there
  // are several or none.
  session::SessionRef OnlyOwn(const mcp::ToolCall& call);

  // ---- hooks: short connections by which an agent's client sends requests on
  // behalf of the agent (clients_hooks.cc). They neither open sessions nor
  // type.

  // The name under which processes that were started by hooks introduce
  // themselves.
  static constexpr char kHookName[] = "hook";
  // Lets a hook's connection act for its agent: the client that descends from
  // the same agent process as the hook. Returns false if there is no such
  // client. For any other connection, which acts for itself, returns true.
  bool FindAgent(const mcp::ToolCall& call);
  // Returns the news of the session that this client has been told. The pointer
  // is valid until the client leaves or the session is forgotten.
  ToldState* StateOf(const mcp::ToolCall& call,
                     const session::Session& session);
  // Records that a reply that shows `news` has been sent to the client.
  void SetShown(uint64_t connection, const std::string& session_id,
                const ToldState::News& news);
  // Returns the sessions that this client owns, live or not.
  std::vector<session::SessionRef> OwnOf(const mcp::ToolCall& call);
  // Returns true if a running call of this client uses the session.
  bool IsUsing(const mcp::ToolCall& call, const session::Session& session);
  // Returns true only once for each client, which then gets the hint that a
  // command needs a terminal (shell_hint.h).
  bool TakeHint(const mcp::ToolCall& call);

  // ---- events (tools/event_replies.h, clients_events.cc)

  // Returns the name under which the events that were reported to the client
  // are recorded. If the client can return, a restart of the server does not
  // change this name.
  std::string ReaderName(const mcp::ToolCall& call);
  bool IsOwn(const mcp::ToolCall& call, const session::Session& session);
  // Records that the client asks for events, so that replies name the events of
  // its sessions.
  void SetAsksForEvents(const mcp::ToolCall& call) { Of(call)->asks = true; }
  bool AsksForEvents(const mcp::ToolCall& call) { return Of(call)->asks; }
  // Returns whether a reply has already shown the client the facts of the
  // event.
  bool HasSeen(const mcp::ToolCall& call, const session::Session& session,
               const lookout::Event& event);
  // Like HasSeen, for any client.
  bool HasAnySeen(const session::Session& session,
                  const lookout::Event& event) const;

  // Names the other clients that have opened the session or use it now, by
  // their labels.
  struct Others {
    std::string opened_by;
    std::vector<std::string> typing;   // those that type or wait to type
    std::vector<std::string> waiting;  // those with any other running call
  };
  Others OthersAt(const mcp::ToolCall& call,
                  const session::Session& session) const;

  // Sets how long the sessions of a client that may return are kept for it;
  // zero: not at all.
  void SetPatience(Duration patience) { patience_ = patience; }
  // Call when the connection has ended. Returns the sessions that must be
  // closed now: their client cannot return or is not waited for, no other
  // client has typed into them, and they are not kept.
  std::vector<session::SessionRef> Leave(uint64_t connection, Time now);
  // Call when the recurring client of this name will not return. Returns the
  // sessions that must be closed.
  std::vector<session::SessionRef> LeaveForGood(const std::string& recurring);
  // Returns the sessions that must be closed because their client has not
  // returned in time.
  std::vector<session::SessionRef> ForgetAway(Time now);
  // Returns when to call ForgetAway next; Time::max(): never.
  Time NextForget() const;
  // Finds the owners of sessions that an earlier server has left.
  void Recall(Time now);
  void ForgetSession(const std::string& id);

 private:
  struct Client {
    std::string label;      // such as "codex 0.169 #2"
    std::string handle;     // before the '/' of full names; unique
    std::string recurring;  // "": the client is one connection
    std::map<std::string, view::ReaderMark> marks;  // by session id
    std::map<std::string, Told> told;               // by session id
    // By session id.
    std::map<std::string, std::shared_ptr<motion::Memory>> memories;
    std::map<std::string, ToldState> states;  // by session id
    std::set<std::string> used;    // ids of sessions into which it typed
    std::string default_session;   // a name; "" before it is needed
    record::Opener opener;         // without a parent, the client cannot return
    std::optional<Time> left;      // when the client left, if it may return
    bool has_returned = false;     // TakeGreeting must still greet the client
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
  // Returns true if the client has left and its process is gone.
  static bool IsAway(const Client& client);
  // Returns when to forget the client, or to look again whether its process is
  // still there. REQUIRES: Client::left is set.
  Time ForgetTime(const Client& client) const;
  bool OwnsAny(const Client& client) const;
  static bool HasSeen(const Client& client, const session::Session& session,
                      const lookout::Event& event);

  const HandedOver& HandedOverBy(const mcp::ToolCall& call);
  Client* Of(const mcp::ToolCall& call);
  const Client* Look(const mcp::ToolCall& call) const;
  Client* OfRecurring(const std::string& name);
  // Returns the client that left and has returned as `opener`, or null. Marks
  // it as returned.
  Client* OfReturning(const record::Opener& opener);
  // Deletes the client and gives up its sessions. Returns those of the sessions
  // that must be closed.
  std::vector<session::SessionRef> Remove(Client* client);
  // Deletes the client, which owns no session any more.
  void Drop(const Client* client);
  bool IsTaken(const std::string& name, const Client* but) const;
  static bool HasOwnNames(const Client& client) {
    return client.opener.parent > 0;
  }
  void RecallName(const session::Session& session);
  void SetHandle(Client* client, const std::string& name);
  // Returns the name that the session's owner uses.
  const std::string& ShortName(const session::Session& session) const;
  std::string FullName(const session::Session& session) const;
  const Client* OwnerOf(const session::Session& session) const;
  const Client* AnotherUser(const std::string& session_id,
                            const Client* but) const;

  session::SessionManager* const manager_;  // borrowed
  std::list<Client> clients_;
  std::map<uint64_t, Client*> by_connection_;
  // The agents for which the connections of hooks act.
  std::map<uint64_t, Client*> guests_;
  // Used for clients that hand nothing over.
  HandedOver standard_;
  ReadSettings read_settings_;
  // By connection, because a recurring client may hand over different data on
  // each connection.
  std::map<uint64_t, HandedOver> handed_over_;
  std::map<std::string, const Client*> owners_;  // by session id
  // Ids of sessions whose owner is known or was searched for.
  std::set<std::string> known_;
  // Names that owners use instead of the unique ones, by session id.
  std::map<std::string, std::string> called_;
  std::list<UseOf> uses_;
  Duration patience_{};
  // Stands in for clients that have left while their calls still run.
  Client gone_;
};

}  // namespace glasstty
