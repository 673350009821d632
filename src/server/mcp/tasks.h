// Tasks: calls that have outlasted their client's patience, by the extension
// io.modelcontextprotocol/tasks of revision 2026-07-28.
//
// A client that has declared the extension is answered with a task, and asks
// for its state until it is over. This object keeps what it asks for: the
// status, the result, and what is asked of its user meanwhile. The server owns
// it, runs the calls and says what becomes of them (server_tasks.cc). A task
// can be found by its principal only, under a key of 128 random bits. It is
// kept for an hour after it was last asked for; if its call still runs then, it
// is cancelled. Loop thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "mcp/jsonrpc.h"
#include "mcp/request_context.h"
#include "support/json.h"
#include "support/loop.h"

namespace glasstty::mcp {

struct Request;

inline constexpr char kTasksExtension[] = "io.modelcontextprotocol/tasks";

// Returns what a client must declare to use tasks, as capabilities.
Json TasksCapability();
// Returns whether the client has declared it with this request.
bool HasTasks(const RequestContext& context);

struct TaskState {
  enum class Status {
    kWorking,
    kInputRequired,
    kCompleted,
    kFailed,
    kCancelled
  };

  std::string id;
  std::string principal;
  uint64_t connection = 0;  // of the call; it may have ended
  Status status = Status::kWorking;
  Time created{};
  Time expires{};
  std::string created_at, updated_at;  // as in ISO 8601
  // The call, while it runs or waits for input; the server owns it.
  Request* request = nullptr;
  // While it waits for input: the questions without an answer, by key, and the
  // answers so far.
  Json wanted = Json::object();
  Json answers = Json::object();
  // Once it is over. It is seen when the client has been told how it ended.
  Json result;
  size_t bytes = 0;  // of the result
  std::optional<RpcError> error;
  bool is_seen = false;
  // Called when the result is sent for the first time.
  std::function<void()> on_sent;

  bool is_over() const { return status >= Status::kCompleted; }
  bool is_needed() const { return !is_over() || !is_seen; }
};

class Tasks {
 public:
  static constexpr Duration kKept = std::chrono::hours(1);
  static constexpr Duration kPoll = std::chrono::milliseconds(500);
  // Above these limits, a task that is over makes room: the one that was last
  // asked for the longest time ago.
  static constexpr size_t kMost = 128;
  static constexpr size_t kMostBytes = 32 << 20;

  // `forget` is called for each task before it is removed.
  Tasks(Loop* loop, std::function<void(TaskState*)> forget);

  // Returns a new task for a call, or null if too many calls run as tasks.
  TaskState* Add(Request* request, const RequestContext& context,
                 uint64_t connection);
  // Returns null if the principal has no such task.
  TaskState* Find(const std::string& id, const std::string& principal);
  void Become(TaskState* task, TaskState::Status status);
  void Complete(TaskState* task, Json result);
  // Returns the members of a task that a client sees, and keeps it for longer.
  // `whole`: with its result, error or questions.
  Json Describe(TaskState* task, bool whole);
  // Removes all tasks, or those of a connection.
  void Clear();
  void ClearOf(uint64_t connection);
  // Returns whether a task of this connection is still needed, or of any.
  bool Needs(uint64_t connection) const;
  bool NeedAny() const;

 private:
  using Place = std::map<std::string, TaskState>::iterator;

  // The size of all results.
  size_t Bytes() const;
  void Drop(Place place);
  void DropIf(const std::function<bool(const TaskState&)>& is_dropped);
  // Returns false if no other task than `spared` is over.
  bool DropOldest(const TaskState* spared);
  void DropExpired();

  Loop* const loop_;  // borrowed
  const std::function<void(TaskState*)> forget_;
  // State.
  std::map<std::string, TaskState> tasks_;  // by id
  Timer expiry_;
};

}  // namespace glasstty::mcp
