// The handlers of the methods and the table of them, kMethods, at the end.
//
// A handler looks at request->params, which is an object, and calls Answer or
// Fail once; after that the request is gone. It needs no case for the eras
// where only the decoration differs: Server::Answer adds that. Results list
// what works today and nothing else.
#include "mcp/methods.h"

#include <string>
#include <utility>
#include <vector>

#include "mcp/jsonrpc.h"
#include "mcp/request.h"
#include "mcp/server.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// Names from clients come back in messages no longer than this.
constexpr size_t kMaxEcho = 60;

RpcError BadParams(std::string message) {
  return {kInvalidParams, std::move(message), Json()};
}

// The string at params.`key`, or null.
const std::string* StringParam(const Json& params, std::string_view key) {
  const Json* value = FindMember(params, key);
  if (value == nullptr || !value->is_string()) return nullptr;
  return &value->get_ref<const std::string&>();
}

// ---- introductions

// Only what works is advertised: clients ask for all that is.
Json Capabilities(Era era) {
  Json capabilities = {{"tools", Json::object()}};
  // We send no log messages; clients of this era still set a level.
  if (era == Era::kLegacy) capabilities["logging"] = Json::object();
  return capabilities;
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
  Json server_info = {{"name", own.name}, {"version", own.version}};
  if (revision->titles && !own.title.empty()) server_info["title"] = own.title;
  Json result = {{"protocolVersion", std::string(revision->name)},
                 {"capabilities", Capabilities(Era::kLegacy)},
                 {"serverInfo", std::move(server_info)}};
  if (!own.instructions.empty()) result["instructions"] = own.instructions;
  server->Answer(request, std::move(result));
}

// What `initialize` says, for the modern era; nothing is remembered.
void Discover(Server* server, Request* request) {
  Json result = {{"supportedVersions", ModernRevisionNames()},
                 {"capabilities", Capabilities(Era::kModern)}};
  const std::string& instructions = server->info().instructions;
  if (!instructions.empty()) result["instructions"] = instructions;
  server->Answer(request, std::move(result));
}

void Ping(Server* server, Request* request) {
  server->Answer(request, Json::object());
}

// Kept for push notifications; log messages themselves are never sent.
void SetLogLevel(Server* server, Request* request) {
  static const auto* levels =
      new std::vector<std::string>{"debug", "info",     "notice", "warning",
                                   "error", "critical", "alert",  "emergency"};
  const std::string* level = StringParam(request->params, "level");
  for (const std::string& known : *levels) {
    if (level == nullptr || *level != known) continue;
    server->FindConnection(request->connection)->log_level = *level;
    server->Answer(request, Json::object());
    return;
  }
  server->Fail(request,
               BadParams("level must be one of " + Join(*levels, ", ")));
}

// ---- lists, each on one page

// False, and `request` has failed, when it asks for another page.
bool IsFirstPage(Server* server, Request* request) {
  if (!request->params.contains("cursor")) return true;
  server->Fail(request, BadParams("unknown cursor: the list has one page"));
  return false;
}

// In their fixed order; the same for every caller of one revision.
void ListTools(Server* server, Request* request) {
  if (!IsFirstPage(server, request)) return;
  Json tools = Json::array();
  for (const Tool& tool : server->tools()) {
    tools.push_back(DescribeTool(tool, *request->context.revision));
  }
  server->Answer(request, {{"tools", std::move(tools)}});
}

// A list that is empty for now. Clients ask for it at their start whether it
// is advertised or not, and show an error as a broken server.
template <const char* kMember>
void ListNothing(Server* server, Request* request) {
  if (!IsFirstPage(server, request)) return;
  server->Answer(request, {{kMember, Json::array()}});
}
constexpr char kResources[] = "resources";
constexpr char kTemplates[] = "resourceTemplates";
constexpr char kPrompts[] = "prompts";

// ---- tools

// An unknown tool is the client's mistake and a protocol error; a wrong
// argument is the model's and comes back as a result that it can read.
void CallTool(Server* server, Request* request) {
  const std::string* name = StringParam(request->params, "name");
  if (name == nullptr) {
    server->Fail(request, BadParams("name must be a string"));
    return;
  }
  static const Json* const kNoArguments = new Json(Json::object());
  const Json* arguments = FindMember(request->params, "arguments");
  if (arguments == nullptr) arguments = kNoArguments;
  if (!arguments->is_object()) {
    server->Fail(request, BadParams("arguments must be an object"));
    return;
  }
  std::vector<std::string> names;
  for (const Tool& tool : server->tools()) {
    if (tool.name == *name) {
      server->StartTool(request, tool, *arguments);
      return;
    }
    names.push_back(tool.name);
  }
  std::string cut = name->substr(0, kMaxEcho);
  server->Fail(request, BadParams(absl::StrFormat("unknown tool '%s'%s", cut,
                                                  DidYouMean(cut, names))));
}

// ---- resources and prompts: there are none

// The two eras differ in the code. Never an empty list: a client could not
// tell it from an empty screen.
void ReadResource(Server* server, Request* request) {
  const std::string* uri = StringParam(request->params, "uri");
  if (uri == nullptr) {
    server->Fail(request, BadParams("uri must be a string"));
    return;
  }
  bool legacy = request->context.era() == Era::kLegacy;
  server->Fail(request, {legacy ? kResourceNotFound : kInvalidParams,
                         "resource not found", Json{{"uri", *uri}}});
}

// Both directions; with nothing to be told about, there is nothing to keep.
void Subscribe(Server* server, Request* request) {
  if (StringParam(request->params, "uri") == nullptr) {
    server->Fail(request, BadParams("uri must be a string"));
    return;
  }
  server->Answer(request, Json::object());
}

void GetPrompt(Server* server, Request* request) {
  const std::string* name = StringParam(request->params, "name");
  server->Fail(request, name == nullptr ? BadParams("name must be a string")
                                        : BadParams("unknown prompt"));
}

// Suggests nothing yet, but checks what it is asked.
void Complete(Server* server, Request* request) {
  const Json* reference = FindMember(request->params, "ref");
  const Json* argument = FindMember(request->params, "argument");
  bool valid = reference != nullptr && argument != nullptr &&
               StringParam(*reference, "type") != nullptr &&
               StringParam(*argument, "name") != nullptr &&
               StringParam(*argument, "value") != nullptr;
  if (!valid) {
    server->Fail(request, BadParams("needs ref.type, argument.name and "
                                    "argument.value, all strings"));
    return;
  }
  Json completion = {
      {"values", Json::array()}, {"total", 0}, {"hasMore", false}};
  server->Answer(request, {{"completion", std::move(completion)}});
}

constexpr Method kMethods[] = {
    // name, legacy, modern, caching, handler
    {"initialize", true, false, Caching::kNone, Initialize},
    {"ping", true, false, Caching::kNone, Ping},
    {"logging/setLevel", true, false, Caching::kNone, SetLogLevel},
    {"server/discover", false, true, Caching::kFixed, Discover},
    {"tools/list", true, true, Caching::kFixed, ListTools},
    {"tools/call", true, true, Caching::kNone, CallTool},
    {"resources/list", true, true, Caching::kFixed, ListNothing<kResources>},
    {"resources/templates/list", true, true, Caching::kFixed,
     ListNothing<kTemplates>},
    {"resources/read", true, true, Caching::kLive, ReadResource},
    {"resources/subscribe", true, false, Caching::kNone, Subscribe},
    {"resources/unsubscribe", true, false, Caching::kNone, Subscribe},
    {"prompts/list", true, true, Caching::kFixed, ListNothing<kPrompts>},
    {"prompts/get", true, true, Caching::kNone, GetPrompt},
    {"completion/complete", true, true, Caching::kNone, Complete},
};

// ---- notifications

// Never answered, also when it names no call: the reply may have crossed it.
void Cancelled(Server* server, Connection* connection, const Json& params) {
  const Json* id = FindMember(params, "requestId");
  if (id != nullptr) server->Cancel(connection, *id);
}

struct Notification {
  std::string_view name;
  void (*handle)(Server*, Connection*, const Json& params);
};
// Both eras. notifications/initialized and roots/list_changed need no row:
// there is nothing to do.
constexpr Notification kNotifications[] = {
    {"notifications/cancelled", Cancelled},
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

}  // namespace glasstty
