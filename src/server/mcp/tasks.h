// Tasks: calls that have lasted longer than their tool's patience, according to
// the extension io.modelcontextprotocol/tasks of revision 2026-07-28.
//
// A client that has declared the extension is answered with a task, and polls
// its state until it is over. This object keeps that state: the status, the
// result, and the open questions to the user. The server owns this object, runs
// the calls and reports their outcome to it (server_tasks.cc). A task can be
// found only by its principal, with an id of 128 random bits. A task is kept
// for at most an hour after it was last polled; if its call still runs then,
// the call is cancelled. Loop thread only.
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

// Returns the capabilities that a client must declare to use tasks.
Json TasksCapability();
// Returns whether the client has declared these capabilities with this request.
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
  uint64_t connection = 0;  // the connection of the call; it may be closed
  Status status = Status::kWorking;
  Time created{};
  Time expires{};
  std::string created_at, updated_at;  // as in ISO 8601
  // The call's request, while the call runs or waits for input; the server owns
  // it.
  Request* request = nullptr;
  // While the task waits for input: the unanswered questions, by key, and the
  // answers so far.
  Json wanted = Json::object();
  Json answers = Json::object();
  // Set once the task is over. `is_seen`: the client has received the outcome.
  Json result;
  size_t bytes = 0;  // the size of the result
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
  // Above these limits, tasks that are over are removed, the least recently
  // polled one first.
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
  // Returns the members of a task that a client sees, and extends the task's
  // life. `whole`: includes the result, the error or the questions.
  Json Describe(TaskState* task, bool whole);
  // Removes all tasks, or those of a connection.
  void Clear();
  void ClearOf(uint64_t connection);
  // Return whether a task of this connection, or any task at all, is_needed().
  bool Needs(uint64_t connection) const;
  bool NeedAny() const;

 private:
  using Place = std::map<std::string, TaskState>::iterator;

  // The size of all results.
  size_t Bytes() const;
  void Drop(Place place);
  void DropIf(const std::function<bool(const TaskState&)>& is_dropped);
  // Returns false if no task except `spared` is over.
  bool DropOldest(const TaskState* spared);
  void DropExpired();

  Loop* const loop_;  // borrowed
  const std::function<void(TaskState*)> forget_;
  // State.
  std::map<std::string, TaskState> tasks_;  // by id
  Timer expiry_;
};

}  // namespace glasstty::mcp
