// Turns calls into tasks and answers clients' requests about them (tasks.h).
//
// A call of a tool with a patience becomes a task once it has run that long:
// its request is answered with the task, and the handler continues. If the
// handler has questions for the client, it is run again with the answers, as
// for a repeated request.
//
// A handler may rely on its connection as long as it is not cancelled. So when
// a connection ends, the tasks of a client that cannot return are cancelled.
// For a client that opens a connection for each request, OnDisconnect's
// function is called only once the tasks of a connection are over and seen.
#include <utility>

#include "mcp/handlers.h"
#include "mcp/methods.h"
#include "mcp/server.h"

namespace glasstty::mcp {

using TaskStatus = TaskState::Status;

void Server::BecomeTask(Request* request) {
  if (request->silent) return;
  TaskState* task = tasks_.Add(request, request->context, request->connection);
  // Too many tasks: the client continues to wait, as it would without tasks.
  if (task == nullptr) return;
  request->task = task;
  FindConnection(request->connection)->requests.erase(RequestKey(request->id));
  Json result = {{"resultType", "task"}};
  result.update(tasks_.Describe(task, false));
  ReplyTo(*request, std::move(result), nullptr);
  request->batch.reset();
}

void Server::FinishTask(Request* request, CallOutcome outcome) {
  TaskState* task = request->task;
  Json wanted = std::move(request->call->wanted());
  if (!wanted.empty()) {
    task->answers = std::move(request->call->answers().asked);
    task->wanted = std::move(wanted);
    return tasks_.Become(task, TaskStatus::kInputRequired);
  }
  task->request = nullptr;
  if (outcome.error) {
    task->error = std::move(outcome.error);
    tasks_.Become(task, TaskStatus::kFailed);
  } else {
    task->on_sent = std::move(outcome.on_sent);
    tasks_.Complete(task, std::move(outcome.result));
  }
  Take(request);
}

void Server::CancelTask(TaskState* task) {
  if (task->is_over()) return;
  bool is_parked = task->status == TaskStatus::kInputRequired;
  Request* request = std::exchange(task->request, nullptr);
  tasks_.Become(task, TaskStatus::kCancelled);
  request->silent = true;
  request->task = nullptr;
  if (is_parked) {
    Take(request);
  } else {
    request->call->cancellation()->Cancel();
  }
  // The client asked for this end, so it counts as seen.
  See(task);
}

void Server::See(TaskState* task) {
  if (std::exchange(task->is_seen, true)) return;
  task->on_sent = nullptr;
  uint64_t connection = task->connection;
  bool is_end = !connections_.contains(connection) && !tasks_.Needs(connection);
  if (is_end && ended_) ended_(connection);
}

void Server::ForgetTask(TaskState* task) {
  CancelTask(task);
  See(task);
}

// Accepts only answers to open questions.
void Server::UpdateTask(TaskState* task, const Json& answers) {
  if (task->status != TaskStatus::kInputRequired) return;
  for (auto item = answers.begin(); item != answers.end(); ++item) {
    if (task->wanted.erase(item.key()) > 0) {
      task->answers[item.key()] = item.value();
    }
  }
  if (!task->wanted.empty()) return;
  tasks_.Become(task, TaskStatus::kWorking);
  // The handler asks again if these answers are not sufficient.
  RunCall(task->request, task->request->handler,
          {.asked = std::exchange(task->answers, Json::object())});
}

namespace {

// Returns the task that a request names. If there is none, fails the request
// and returns null.
TaskState* TaskFor(Server* server, Request* request) {
  if (!HasTasks(request->context)) {
    server->Fail(request,
                 {kMissingCapability,
                  "tasks need an extension that the client has not declared",
                  Json{{"requiredCapabilities", TasksCapability()}}});
    return nullptr;
  }
  const std::string* id = StringParam(request->params, "taskId");
  TaskState* task =
      id == nullptr ? nullptr
                    : server->tasks()->Find(*id, request->context.principal);
  if (task == nullptr) {
    server->Fail(request,
                 BadParams("there is no such task, or no longer: it was not "
                           "asked for in an hour, or the server was restarted; "
                           "what it has started may still run"));
  }
  return task;
}

}  // namespace

void GetTask(Server* server, Request* request) {
  TaskState* task = TaskFor(server, request);
  if (task == nullptr) return;
  // Only the first reply that shows the result marks it as read.
  auto on_sent = std::exchange(task->on_sent, nullptr);
  server->Answer(request, server->tasks()->Describe(task, true),
                 std::move(on_sent));
  if (task->is_over()) server->See(task);
}

void UpdateTask(Server* server, Request* request) {
  TaskState* task = TaskFor(server, request);
  if (task == nullptr) return;
  const Json* answers = FindMember(request->params, "inputResponses");
  if (answers == nullptr || !answers->is_object()) {
    return server->Fail(request, BadParams("inputResponses must be an object"));
  }
  Json copy = *answers;
  server->Answer(request, Json::object());
  server->UpdateTask(task, copy);
}

void CancelTask(Server* server, Request* request) {
  TaskState* task = TaskFor(server, request);
  if (task == nullptr) return;
  server->Answer(request, Json::object());
  server->CancelTask(task);
}

}  // namespace glasstty::mcp
