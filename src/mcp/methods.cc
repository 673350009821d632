// The table of the methods, kMethods, at the end, and the handlers of those by
// which both sides introduce themselves. The others are in files of their own
// (handlers.h).
#include "mcp/methods.h"

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

// A path, or a name: more is a mistake.
constexpr size_t kMaxIntroduction = 4096;

// ---- introductions

// Only what there is: clients ask for all that is advertised.
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
  // Clients of this era set a level even where nothing is sent.
  if (revision.era == Era::kLegacy) capabilities["logging"] = Json::object();
  return capabilities;
}

// Who we are, as far as `revision` can say it.
Json Introduction(const ServerInfo& info, const Revision& revision) {
  Json own = {{"name", info.name}, {"version", info.version}};
  if (revision.titles && !info.title.empty()) own["title"] = info.title;
  if (!revision.icons) return own;
  if (!info.description.empty()) own["description"] = info.description;
  if (!info.icons.is_null()) own["icons"] = info.icons;
  return own;
}

// Says who both sides are, as of a legacy revision. May come at any time and
// again: after server/discover, when a client falls back.
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
  // Not an error: the client decides whether it can live with our answer.
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

// What `initialize` says, for the modern era; nothing is remembered.
void Discover(Server* server, Request* request) {
  const Revision& revision = *request->context.revision;
  Json result = {{"supportedVersions", ModernRevisionNames()},
                 {"capabilities", Capabilities(*server, revision)}};
  const std::string& instructions = server->info().instructions;
  if (!instructions.empty()) result["instructions"] = instructions;
  // Every result names the server; this one says all about it.
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
    // name, legacy, modern, caching, handler
    {"initialize", true, false, Caching::kNone, Initialize},
    {"ping", true, false, Caching::kNone, Ping},
    {"logging/setLevel", true, false, Caching::kNone, SetLogLevel},
    {"server/discover", false, true, Caching::kFixed, Discover},
    {"tools/list", true, true, Caching::kFixed, ListTools},
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
};

// ---- notifications

// Never answered, also when it names no call: the reply may have crossed it.
void Cancelled(Server* server, Connection* connection, const Json& params) {
  const Json* id = FindMember(params, "requestId");
  if (id != nullptr) server->Cancel(connection, *id);
}

// From a relay or a command line, before its first request: whom it speaks for.
// Not of the protocol. What is missing or no text stays unknown.
void Introduced(Server*, Connection* connection, const Json& params) {
  auto text = [&params](std::string_view key) -> std::string {
    const std::string* value = StringParam(params, key);
    return value == nullptr || value->size() > kMaxIntroduction ? "" : *value;
  };
  connection->legacy.recurring = text("name");
  connection->legacy.directory = text("directory");
}

struct Notification {
  std::string_view name;
  void (*handle)(Server*, Connection*, const Json& params);
};
// Both eras. notifications/initialized and roots/list_changed need no row:
// there is nothing to do.
constexpr Notification kNotifications[] = {
    {"notifications/cancelled", Cancelled},
    {"notifications/glasstty/client", Introduced},
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
