#include "mcp/tasks.h"

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

#include "mcp/questions.h"
#include "support/status.h"

namespace glasstty::mcp {
namespace {

// Returns the time now, such as "2026-07-28T12:00:00.000Z".
std::string WallTime() {
  int64_t ms = WallMilliseconds();
  std::time_t seconds = ms / 1000;
  std::tm parts;
  gmtime_r(&seconds, &parts);
  return absl::StrFormat("%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
                         parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                         parts.tm_hour, parts.tm_min, parts.tm_sec, ms % 1000);
}

int64_t Milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration)
      .count();
}

const char* NameOf(TaskState::Status status) {
  switch (status) {
    case TaskState::Status::kWorking:
      return "working";
    case TaskState::Status::kInputRequired:
      return "input_required";
    case TaskState::Status::kCompleted:
      return "completed";
    case TaskState::Status::kFailed:
      return "failed";
    case TaskState::Status::kCancelled:
      return "cancelled";
  }
  return "";
}

}  // namespace

Json TasksCapability() {
  Json capability;
  capability["extensions"][kTasksExtension] = Json::object();
  return capability;
}

bool HasTasks(const RequestContext& context) {
  const Json* extensions =
      FindMember(context.client_capabilities, "extensions");
  return context.era() == Era::kModern && extensions != nullptr &&
         FindMember(*extensions, kTasksExtension) != nullptr;
}

Tasks::Tasks(Loop* loop, std::function<void(TaskState*)> forget)
    : loop_(loop),
      forget_(std::move(forget)),
      expiry_(loop, [this] { DropExpired(); }) {}

TaskState* Tasks::Add(Request* request, const RequestContext& context,
                      uint64_t connection) {
  if (tasks_.size() >= kMost && !DropOldest(nullptr)) return nullptr;
  std::string id = NewState();
  TaskState& task = tasks_[id];
  task.id = std::move(id);
  task.principal = context.principal;
  task.connection = connection;
  task.request = request;
  task.created = loop_->Now();
  task.created_at = task.updated_at = WallTime();
  task.expires = task.created + kKept;
  if (!expiry_.armed()) expiry_.Set(task.expires);
  return &task;
}

TaskState* Tasks::Find(const std::string& id, const std::string& principal) {
  auto found = tasks_.find(id);
  bool is_theirs =
      found != tasks_.end() && found->second.principal == principal;
  return is_theirs ? &found->second : nullptr;
}

void Tasks::Become(TaskState* task, TaskState::Status status) {
  task->status = status;
  task->updated_at = WallTime();
  if (!task->is_over()) return;
  task->wanted = Json::object();
  task->answers = Json::object();
}

void Tasks::Complete(TaskState* task, Json result) {
  task->bytes = DumpJson(result).size();
  task->result = std::move(result);
  Become(task, TaskState::Status::kCompleted);
  // The newest stays even if it alone is too large.
  while (Bytes() > kMostBytes && DropOldest(task)) continue;
}

size_t Tasks::Bytes() const {
  size_t bytes = 0;
  for (const auto& [id, task] : tasks_) bytes += task.bytes;
  return bytes;
}

Json Tasks::Describe(TaskState* task, bool whole) {
  task->expires = loop_->Now() + kKept;
  Json shown = {{"taskId", task->id},
                {"status", NameOf(task->status)},
                {"createdAt", task->created_at},
                {"lastUpdatedAt", task->updated_at},
                // Counted from the beginning of the task.
                {"ttlMs", Milliseconds(task->expires - task->created)},
                {"pollIntervalMs", Milliseconds(kPoll)}};
  if (!whole) return shown;
  if (task->status == TaskState::Status::kCompleted) {
    shown["result"] = task->result;
  }
  if (task->status == TaskState::Status::kInputRequired) {
    shown["inputRequests"] = task->wanted;
  }
  if (task->error) shown["error"] = MakeError(Json(), *task->error)["error"];
  return shown;
}

void Tasks::Clear() {
  DropIf([](const TaskState&) { return true; });
}

void Tasks::ClearOf(uint64_t connection) {
  DropIf([connection](const TaskState& task) {
    return task.connection == connection;
  });
}

bool Tasks::Needs(uint64_t connection) const {
  return std::any_of(
      tasks_.begin(), tasks_.end(), [connection](const auto& item) {
        return item.second.connection == connection && item.second.is_needed();
      });
}

bool Tasks::NeedAny() const {
  return std::any_of(tasks_.begin(), tasks_.end(),
                     [](const auto& item) { return item.second.is_needed(); });
}

void Tasks::Drop(Place place) {
  forget_(&place->second);
  tasks_.erase(place);
}

void Tasks::DropIf(const std::function<bool(const TaskState&)>& is_dropped) {
  for (Place place = tasks_.begin(); place != tasks_.end();) {
    Place here = place++;
    if (is_dropped(here->second)) Drop(here);
  }
}

bool Tasks::DropOldest(const TaskState* spared) {
  Place oldest = tasks_.end();
  for (Place place = tasks_.begin(); place != tasks_.end(); ++place) {
    const TaskState& task = place->second;
    if (!task.is_over() || &task == spared) continue;
    bool is_older =
        oldest == tasks_.end() || task.expires < oldest->second.expires;
    if (is_older) oldest = place;
  }
  if (oldest == tasks_.end()) return false;
  Drop(oldest);
  return true;
}

void Tasks::DropExpired() {
  Time now = loop_->Now();
  DropIf([now](const TaskState& task) { return task.expires <= now; });
  Time next = Time::max();
  for (const auto& [id, task] : tasks_) next = std::min(next, task.expires);
  if (!tasks_.empty()) expiry_.Set(next);
}

}  // namespace glasstty::mcp
