// Runs calls, which are requests whose handler is a coroutine, from StartCall
// to FinishCall.
//
// A call that must ask the client (mcp/ask.h) sleeps in the legacy era. In the
// modern era it ends with its questions, which AskInstead sends as the answer.
// The client sends the request again with its answers and the state, from which
// TakeRound restores the earlier answers.
#include <utility>

#include "mcp/methods.h"
#include "mcp/server.h"

namespace glasstty::mcp {
namespace {

// The client adds these to a request that it repeats.
constexpr char kAnswers[] = "inputResponses";
constexpr char kState[] = "requestState";

// Identifies the principal and the call, because a round is valid for nothing
// else. Uses the whole text, because a digest would have to be
// cryptographically secure.
std::string SubjectOf(const Request& request) {
  Json params = request.params;
  for (const char* member : {kAnswers, kState, "_meta"}) params.erase(member);
  std::string subject = request.context.principal;
  subject += '\n';
  subject += request.method->name;
  subject += '\n';
  return subject + DumpJson(params);
}

}  // namespace

void Server::StartCall(Request* request, const CallHandler& handler,
                       std::optional<Duration> patience) {
  RoundAnswers answers;
  if (request->context.era() == Era::kModern && !TakeRound(request, &answers)) {
    return Fail(request, {kInvalidParams,
                          "requestState is unknown, used up or too old, or "
                          "belongs to another call; call again without it",
                          Json()});
  }
  if (patience && HasTasks(request->context)) {
    request->handler = handler;
    request->patience = std::make_unique<Timer>(
        loop_, [this, request] { BecomeTask(request); });
    request->patience->SetAfter(*patience);
  }
  RunCall(request, handler, std::move(answers));
}

void Server::RunCall(Request* request, const CallHandler& handler,
                     RoundAnswers answers) {
  request->call = std::make_unique<ToolCall>(
      loop_, request->context, request->connection,
      [this, request](std::string_view method, Json params) {
        Notify(*request, method, std::move(params));
      },
      &questions_, std::move(answers), request->patience != nullptr);
  // A handler that never waits ends within this call, and so does `request`.
  Start(handler(request->call.get()), [this, request](CallOutcome outcome) {
    FinishCall(request, std::move(outcome));
  });
}

// If there is a state, accepts only answers to questions that were asked.
// Returns false if the state is not valid for this request.
bool Server::TakeRound(Request* request, RoundAnswers* answers) {
  static const Json* const kNone = new Json(Json::object());
  const Json* brought = FindMember(request->params, kAnswers);
  if (brought == nullptr || !brought->is_object()) brought = kNone;
  const Json* state = FindMember(request->params, kState);
  if (state == nullptr) {
    answers->volunteered = *brought;
    return true;
  }
  if (!state->is_string() ||
      !questions_.Take(state->get_ref<const std::string&>(),
                       SubjectOf(*request), &answers->asked)) {
    return false;
  }
  for (auto item = brought->begin(); item != brought->end(); ++item) {
    auto asked = answers->asked.find(item.key());
    if (asked != answers->asked.end()) asked.value() = item.value();
  }
  return true;
}

void Server::AskInstead(Request* request) {
  ToolCall* call = request->call.get();
  // The values are null until the answers come.
  Json& answers = call->answers().asked;
  for (auto item = call->wanted().begin(); item != call->wanted().end();
       ++item) {
    answers[item.key()] = Json();
  }
  Json result = {{"resultType", "input_required"}};
  result["inputRequests"] = std::move(call->wanted());
  result[kState] = questions_.Keep(SubjectOf(*request), std::move(answers));
  Answer(request, std::move(result));
}

void Server::FinishCall(Request* request, CallOutcome outcome) {
  if (request->silent) {
    // The result of a cancelled call is dropped, and on_sent is not called, so
    // the next call that reads starts where this one did.
    Take(request);
  } else if (request->task != nullptr) {
    FinishTask(request, std::move(outcome));
  } else if (!request->call->wanted().empty()) {
    AskInstead(request);
  } else if (outcome.error) {
    Fail(request, *std::move(outcome.error));
  } else {
    Answer(request, std::move(outcome.result), std::move(outcome.on_sent));
  }
  if (idle() && on_idle_) on_idle_();
}

// If the client does not read, the notification is dropped instead of queued,
// because the next report of progress replaces it.
void Server::Notify(const Request& request, std::string_view method,
                    Json params) {
  bool is_mute = request.silent || request.task != nullptr;
  if (is_mute || IsCongested(request.connection)) return;
  Send(request.connection, MakeNotification(method, std::move(params)));
}

void Server::Cancel(Connection* connection, const Json& id) {
  auto found = connection->requests.find(RequestKey(id));
  if (found != connection->requests.end()) return Silence(found->second);
  subscriptions_.EndListen(connection->id, id);
}

// Sends nothing more for `request` and cancels its handler. The request stays
// in requests_ until the handler has ended, because the handler's frame borrows
// the call.
void Server::Silence(Request* request) {
  request->silent = true;
  FindConnection(request->connection)->requests.erase(RequestKey(request->id));
  if (auto batch = std::exchange(request->batch, nullptr)) {
    --batch->open;
    Flush(request->connection, batch.get());
  }
  // Cancel last, because this may end the handler, and with it the request.
  request->call->cancellation()->Cancel();
}

// The caller keeps the request until the reply is built, because the reply
// needs the request's id and era.
std::unique_ptr<Request> Server::Take(Request* request) {
  auto found = requests_.find(request);
  auto owned = std::move(found->second);
  requests_.erase(found);
  Connection* connection = FindConnection(owned->connection);
  // The id of a silent request or a task is free already; another request may
  // use it now.
  if (connection != nullptr && !owned->silent && owned->task == nullptr) {
    connection->requests.erase(RequestKey(owned->id));
  }
  return owned;
}

// Ends and answers all subscriptions/listen requests; nothing else answers
// them.
void Server::CloseListens() {
  for (const auto& [connection, id] : subscriptions_.TakeListens()) {
    Json result = {{"resultType", "complete"}};
    result["_meta"]["io.modelcontextprotocol/subscriptionId"] = id;
    Send(connection, MakeReply(id, std::move(result)));
  }
}

}  // namespace glasstty::mcp
