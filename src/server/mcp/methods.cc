// Contains the table of the methods (kMethods), the handlers of introductions,
// pings and the log level, and the handlers of notifications. The other
// handlers are in separate files (handlers.h).
#include "mcp/methods.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mcp/handlers.h"
#include "mcp/jsonrpc.h"
#include "mcp/request.h"
#include "mcp/server.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::mcp {
namespace {

// The limit in bytes for a path or a name; a longer one is ignored.
constexpr size_t kMaxIntroduction = 4096;

// ---- introductions

// Advertises only what exists, because clients ask for everything that is
// advertised.
Json Capabilities(const Server& server, const Revision& revision) {
  const Catalog& catalog = server.catalog();
  Json capabilities = Json::object();
  if (!catalog.tools.empty()) capabilities["tools"] = Json::object();
  if (!catalog.resources.empty()) {
    capabilities["resources"] = {{"subscribe", true}};
  }
  if (!catalog.prompts.empty()) capabilities["prompts"] = Json::object();
  bool completes = !catalog.resources.empty() || !catalog.prompts.empty();
  if (completes && revision.completions) {
    capabilities["completions"] = Json::object();
  }
  for (const std::string& list : server.info().changing_lists) {
    capabilities[list]["listChanged"] = true;
  }
  bool has_tasks =
      revision.era == Era::kModern &&
      std::any_of(catalog.tools.begin(), catalog.tools.end(),
                  [](const Tool& tool) { return tool.patience.has_value(); });
  if (has_tasks) {
    capabilities["extensions"][kTasksExtension] = Json::object();
  }
  // Clients of this era set a log level even if nothing is ever logged.
  if (revision.era == Era::kLegacy) capabilities["logging"] = Json::object();
  return capabilities;
}

// Describes this server, limited to what `revision` can express.
Json Introduction(const ServerInfo& info, const Revision& revision) {
  Json own = {{"name", info.name}, {"version", info.version}};
  if (revision.titles && !info.title.empty()) own["title"] = info.title;
  if (!revision.icons) return own;
  if (!info.description.empty()) own["description"] = info.description;
  if (!info.icons.is_null()) own["icons"] = info.icons;
  return own;
}

// Exchanges descriptions under a legacy revision. A client may send
// `initialize` at any time and repeatedly, for instance when it falls back
// after server/discover.
void Initialize(Server* server, Request* request) {
  const std::string* asked = StringParam(request->params, "protocolVersion");
  Connection* connection = server->FindConnection(request->connection);
  if (request->batch != nullptr) {
    server->Fail(request, {kInvalidRequest,
                           "initialize cannot be part of a batch", Json()});
    return;
  }
  if (asked == nullptr) {
    server->Fail(request, BadParams("protocolVersion must be a string"));
    return;
  }
  // An unknown revision is not an error: the client decides whether it accepts
  // our answer.
  const Revision* revision = FindRevision(*asked);
  if (revision == nullptr || revision->era != Era::kLegacy) {
    revision = NewestLegacyRevision();
  }
  RequestContext& legacy = connection->legacy;
  legacy.revision = revision;
  const Json* capabilities = FindMember(request->params, "capabilities");
  legacy.client_capabilities =
      capabilities != nullptr && capabilities->is_object() ? *capabilities
                                                           : Json::object();
  const Json* info = FindMember(request->params, "clientInfo");
  legacy.client_info = info == nullptr ? "" : ClientName(*info);

  const ServerInfo& own = server->info();
  Json result = {{"protocolVersion", std::string(revision->name)},
                 {"capabilities", Capabilities(*server, *revision)},
                 {"serverInfo", Introduction(own, *revision)}};
  if (!own.instructions.empty()) result["instructions"] = own.instructions;
  server->Answer(request, std::move(result));
}

// Answers like `initialize`, for the modern era, but keeps no state.
void Discover(Server* server, Request* request) {
  const Revision& revision = *request->context.revision;
  Json result = {{"supportedVersions", ModernRevisionNames()},
                 {"capabilities", Capabilities(*server, revision)}};
  const std::string& instructions = server->info().instructions;
  if (!instructions.empty()) result["instructions"] = instructions;
  // Every result names the server; only this one contains the full description.
  result["_meta"][kServerInfoKey] = Introduction(server->info(), revision);
  server->Answer(request, std::move(result));
}

void Ping(Server* server, Request* request) {
  server->Answer(request, Json::object());
}

void SetLogLevel(Server* server, Request* request) {
  const std::string* level = StringParam(request->params, "level");
  if (level == nullptr || !LogLevelRank(*level)) {
    std::vector<std::string> levels(std::begin(kLogLevels),
                                    std::end(kLogLevels));
    return server->Fail(
        request, BadParams("level must be one of " + Join(levels, ", ")));
  }
  server->FindConnection(request->connection)->legacy.log_level = *level;
  server->Answer(request, Json::object());
}

constexpr Method kMethods[] = {
    // The columns are name, legacy, modern, caching, handler.
    {"initialize", true, false, Caching::kNone, Initialize},
    {"ping", true, false, Caching::kNone, Ping},
    {"logging/setLevel", true, false, Caching::kNone, SetLogLevel},
    {"server/discover", false, true, Caching::kFixed, Discover},
    {"tools/list", true, true, Caching::kOfClient, ListTools},
    {"tools/call", true, true, Caching::kNone, CallTool},
    {"resources/list", true, true, Caching::kFixed, ListResources},
    {"resources/templates/list", true, true, Caching::kFixed,
     ListResourceTemplates},
    {"resources/read", true, true, Caching::kLive, ReadResource},
    {"resources/subscribe", true, false, Caching::kNone, Subscribe},
    {"resources/unsubscribe", true, false, Caching::kNone, Unsubscribe},
    {"subscriptions/listen", false, true, Caching::kNone, Listen},
    {"prompts/list", true, true, Caching::kFixed, ListPrompts},
    {"prompts/get", true, true, Caching::kNone, GetPrompt},
    {"completion/complete", true, true, Caching::kNone, Complete},
    {"tasks/get", false, true, Caching::kNone, GetTask},
    {"tasks/update", false, true, Caching::kNone, UpdateTask},
    {"tasks/cancel", false, true, Caching::kNone, CancelTask},
};

// ---- notifications

// A cancellation is never answered, even if it names no running call, because
// the call's reply may have been sent at the same time.
void Cancelled(Server* server, Connection* connection, const Json& params) {
  const Json* id = FindMember(params, "requestId");
  if (id != nullptr) server->Cancel(connection, *id);
}

// A relay, a command line or glasstty-http sends this notification before its
// first request, to identify the client that it represents. It is not part of
// the protocol. Missing or invalid values count as unknown.
void Introduced(Server*, Connection* connection, const Json& params) {
  auto text = [&params](std::string_view key) -> std::string {
    const std::string* value = StringParam(params, key);
    return value == nullptr || value->size() > kMaxIntroduction ? "" : *value;
  };
  connection->legacy.recurring = text("name");
  connection->legacy.directory = text("directory");
  connection->legacy.introduction = std::make_shared<const Json>(params);
}

// glasstty-http sends this for a client that has ended its session over HTTP.
void SaidGoodbye(Server* server, Connection*, const Json& params) {
  const std::string* name = StringParam(params, "name");
  if (name != nullptr && !name->empty()) server->Goodbye(*name);
}

// Marks the client's known roots as out of date.
void RootsChanged(Server*, Connection* connection, const Json&) {
  ++connection->legacy.roots_changes;
}

struct Notification {
  std::string_view name;
  void (*handle)(Server*, Connection*, const Json& params);
};
// The table serves both eras. notifications/initialized needs no row, because
// it has no effect.
constexpr Notification kNotifications[] = {
    {"notifications/cancelled", Cancelled},
    {"notifications/roots/list_changed", RootsChanged},
    {"notifications/glasstty/client", Introduced},
    {"notifications/glasstty/goodbye", SaidGoodbye},
};

}  // namespace

const Method* FindMethod(std::string_view name, Era era) {
  for (const Method& method : kMethods) {
    bool known = era == Era::kLegacy ? method.legacy : method.modern;
    if (known && method.name == name) return &method;
  }
  return nullptr;
}

void HandleNotification(Server* server, Connection* connection,
                        const RpcMessage& message) {
  for (const Notification& known : kNotifications) {
    if (known.name != message.method) continue;
    known.handle(server, connection, message.params);
  }
}

}  // namespace glasstty::mcp
