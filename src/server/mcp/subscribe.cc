// Implements the methods of subscriptions; subscriptions.cc keeps the
// subscribers.
#include <string>
#include <utility>

#include "mcp/handlers.h"
#include "mcp/request.h"
#include "mcp/server.h"
#include "support/status.h"

namespace glasstty::mcp {

void Subscribe(Server* server, Request* request) {
  const std::string* uri = StringParam(request->params, "uri");
  if (uri == nullptr) {
    return server->Fail(request, BadParams("uri must be a string"));
  }
  using Begin = Subscriptions::Begin;
  switch (server->subscriptions()->Subscribe(request->connection, *uri)) {
    case Begin::kDone:
      return server->Answer(request, Json::object());
    case Begin::kUnknown:
      return server->Fail(request, {kResourceNotFound, "resource not found",
                                    Json{{"uri", *uri}}});
    case Begin::kFull:
      return server->Fail(
          request, BadParams(absl::StrFormat("more than %d subscriptions",
                                             Subscriptions::kMaxUris)));
  }
}

// Also accepts resources that no longer exist. A URI without a subscription is
// not an error, because the requested state is already reached.
void Unsubscribe(Server* server, Request* request) {
  const std::string* uri = StringParam(request->params, "uri");
  if (uri == nullptr) {
    return server->Fail(request, BadParams("uri must be a string"));
  }
  server->subscriptions()->Unsubscribe(request->connection, *uri);
  server->Answer(request, Json::object());
}

// The request stays open; only the end of the server answers it.
void Listen(Server* server, Request* request) {
  const Json* wanted = FindMember(request->params, "notifications");
  if (wanted == nullptr || !wanted->is_object()) {
    return server->Fail(request, BadParams("notifications must be an object"));
  }
  // A batch is answered as a whole, so a request that stays open would hold
  // back all other answers.
  if (request->batch != nullptr) {
    return server->Fail(
        request, {kInvalidRequest,
                  "subscriptions/listen cannot be part of a batch", Json()});
  }
  if (!server->subscriptions()->Listen(request->connection, request->id,
                                       *wanted,
                                       server->info().changing_lists)) {
    return server->Fail(
        request, BadParams(absl::StrFormat("more than %d open subscriptions",
                                           Subscriptions::kMaxListens)));
  }
  // The request is not answered now; Subscriptions keeps its id.
  server->Take(request);
}

}  // namespace glasstty::mcp
