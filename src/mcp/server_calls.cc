// Running calls: requests whose handler is a coroutine, from StartCall to
// FinishCall, and what may happen to them in between.
//
// A call that must ask the client (mcp/ask.h) sleeps in the legacy era. In the
// modern one it ends with what it wants to know, AskInstead answers with that,
// and the client sends the request again with the answers and the state that
// TakeRound turns back into what was known before.
#include <utility>

#include "mcp/methods.h"
#include "mcp/server.h"

namespace glasstty::mcp {
namespace {

// What the client adds to a request that it repeats.
constexpr char kAnswers[] = "inputResponses";
constexpr char kState[] = "requestState";

// Whose call it is and which: a round is good for nothing else. The whole text
// rather than a digest, which would have to be a good one.
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

void Server::StartCall(Request* request, const CallHandler& handler) {
  RoundAnswers answers;
  if (request->context.era() == Era::kModern && !TakeRound(request, &answers)) {
    return Fail(request, {kInvalidParams,
                          "requestState is unknown, used up or too old, or "
                          "belongs to another call; call again without it",
                          Json()});
  }
  request->call = std::make_unique<ToolCall>(
      loop_, request->context, request->connection,
      [this, request](std::string_view method, Json params) {
        Notify(*request, method, std::move(params));
      },
      &questions_, std::move(answers));
  // A handler that never waits ends within this call, and `request` with it.
  Start(handler(request->call.get()), [this, request](CallOutcome outcome) {
    FinishCall(request, std::move(outcome));
  });
}

// Of answers with a state, those are taken that were asked for.
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
  // Null until an answer comes.
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
    // Cancelled: what it found is dropped, and on_sent is not called, so the
    // next reading starts where this one did.
    Take(request);
  } else if (!request->call->wanted().empty()) {
    AskInstead(request);
  } else if (outcome.error) {
    Fail(request, *std::move(outcome.error));
  } else {
    Answer(request, std::move(outcome.result), std::move(outcome.on_sent));
  }
  if (idle() && on_idle_) on_idle_();
}

// Dropped rather than queued for a client that does not read: the next one
// says the same with a later time.
void Server::Notify(const Request& request, std::string_view method,
                    Json params) {
  if (request.silent || IsCongested(request.connection)) return;
  Send(request.connection, MakeNotification(method, std::move(params)));
}

void Server::Cancel(Connection* connection, const Json& id) {
  auto found = connection->requests.find(RequestKey(id));
  if (found != connection->requests.end()) return Silence(found->second);
  subscriptions_.EndListen(connection->id, id);
}

// Nothing more is sent for `request`; its handler is told to stop. It stays in
// requests_ until the handler has ended, for its frame borrows the call.
void Server::Silence(Request* request) {
  request->silent = true;
  FindConnection(request->connection)->requests.erase(RequestKey(request->id));
  if (auto batch = std::exchange(request->batch, nullptr)) {
    --batch->open;
    Flush(request->connection, batch.get());
  }
  // Last: this may end the handler, and with it the request.
  request->call->cancellation()->Cancel();
}

// The caller holds it until the reply is made, for the ids and the era are in
// it.
std::unique_ptr<Request> Server::Take(Request* request) {
  auto found = requests_.find(request);
  auto owned = std::move(found->second);
  requests_.erase(found);
  Connection* connection = FindConnection(owned->connection);
  // Silence has taken a silent one's id out; by now it may be another's.
  if (connection != nullptr && !owned->silent) {
    connection->requests.erase(RequestKey(owned->id));
  }
  return owned;
}

// The one case in which a subscription is answered: the server ends it.
void Server::CloseListens() {
  for (const auto& [connection, id] : subscriptions_.TakeListens()) {
    Json result = {{"resultType", "complete"}};
    result["_meta"]["io.modelcontextprotocol/subscriptionId"] = id;
    Send(connection, MakeReply(id, std::move(result)));
  }
}

}  // namespace glasstty::mcp
