// Implements the methods that run a handler of the catalog (tools/call,
// resources/read, prompts/get), and completion/complete.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "mcp/handlers.h"
#include "mcp/request.h"
#include "mcp/server.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::mcp {
namespace {

// The protocol limits a completion to this many values.
constexpr size_t kMaxCompletions = 100;

// Returns an error such as "unknown tool 'wiat'; did you mean wait?"
RpcError Unknown(std::string_view kind, const std::string& name,
                 const std::vector<std::string>& known) {
  std::string cut = name.substr(0, kMaxEcho);
  return BadParams(
      absl::StrFormat("unknown %s '%s'%s", kind, cut, DidYouMean(cut, known)));
}

template <class Row>
const Row* FindByName(const std::vector<Row>& rows, const std::string& name) {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

template <class Row>
std::vector<std::string> NamesOf(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

// ---- tools

// Moves `result` into the members of a tools/call result. isError is absent
// rather than false, and structuredContent is never invented, because clients
// that see it hide the text. Control characters in the text of any handler are
// replaced.
Json ContentOf(ToolResult* result) {
  Json content = Json::array();
  if (!result->text.empty() || result->more_content.empty()) {
    content.push_back(
        {{"type", "text"}, {"text", ShowControls(std::move(result->text))}});
  }
  for (Json& block : result->more_content) content.push_back(std::move(block));
  Json out = {{"content", std::move(content)}};
  if (result->structured) {
    out["structuredContent"] = *std::move(result->structured);
  }
  if (result->is_error) out["isError"] = true;
  if (!result->meta.empty()) out["_meta"] = std::move(result->meta);
  return out;
}

CallOutcome OutcomeOf(ToolResult result, const Revision& revision) {
  CallOutcome outcome;
  if (!result.failure.empty()) {
    outcome.error = RpcError{kInternalError, std::move(result.failure), Json()};
    return outcome;
  }
  outcome.on_sent = std::move(result.on_sent);
  outcome.result = DowngradeToolResult(ContentOf(&result), revision);
  return outcome;
}

// `arguments` must outlive the call. `tool` is a row of the catalog, which
// lives as long as the server.
Task<CallOutcome> RunTool(const Tool* tool, ToolCall* call,
                          const Json* arguments) {
  ToolResult result = co_await tool->handler(call, *arguments);
  co_return OutcomeOf(std::move(result), *call->context().revision);
}

// Returns the error as a result, because the model reads results and can react
// to the error.
Task<CallOutcome> Refuse(ToolCall* call, std::string why) {
  ToolResult refusal(std::move(why));
  refusal.is_error = true;
  co_return OutcomeOf(std::move(refusal), *call->context().revision);
}

// Returns the capabilities that `tool` needs and this client has not declared.
Json MissingCapabilities(const Tool& tool, const RequestContext& context) {
  Json missing = Json::object();
  for (auto need = tool.needs.begin(); need != tool.needs.end(); ++need) {
    const Json* has = FindMember(context.client_capabilities, need.key());
    // Extensions are one level deeper.
    for (auto part = need->begin(); has != nullptr && part != need->end();
         ++part) {
      if (FindMember(*has, part.key()) == nullptr) has = nullptr;
    }
    if (has == nullptr) missing[need.key()] = need.value();
  }
  return missing;
}

// ---- resources and prompts

// The eras use different codes. A missing resource is an error and not an empty
// list, which a client could not distinguish from an empty screen.
RpcError NoResource(const RequestContext& context, const std::string& uri,
                    const std::string& why) {
  bool legacy = context.era() == Era::kLegacy;
  return {legacy ? kResourceNotFound : kInvalidParams, why, Json{{"uri", uri}}};
}

Task<CallOutcome> RunRead(FoundResource found, ToolCall* call,
                          std::string uri) {
  absl::StatusOr<ResourceContents> read =
      co_await found.resource->read(call, std::move(found.variables));
  CallOutcome outcome;
  if (!read.ok()) {
    std::string why = Message(read.status());
    // The resource never existed or no longer exists: the client's view is
    // outdated, but the server works.
    bool none = absl::IsNotFound(read.status()) ||
                absl::IsFailedPrecondition(read.status());
    outcome.error = none ? NoResource(call->context(), uri, why)
                         : RpcError{kInternalError, why, Json()};
    co_return outcome;
  }
  Json contents = {{"uri", uri}, {"mimeType", found.resource->mime_type}};
  if (read->blob) {
    contents["blob"] = *std::move(read->blob);
  } else {
    contents["text"] = ShowControls(std::move(read->text));
  }
  if (!read->meta.empty()) contents["_meta"] = std::move(read->meta);
  outcome.result["contents"] = Json::array();
  outcome.result["contents"].push_back(std::move(contents));
  co_return outcome;
}

Task<CallOutcome> RunPrompt(const Prompt* prompt, ToolCall* call,
                            StringMap arguments) {
  absl::StatusOr<Json> messages =
      co_await prompt->get(call, std::move(arguments));
  CallOutcome outcome;
  if (!messages.ok()) {
    outcome.error = BadParams(Message(messages.status()));
    co_return outcome;
  }
  outcome.result["description"] = prompt->description;
  outcome.result["messages"] = *std::move(messages);
  co_return outcome;
}

// Copies the strings of `object` by name; returns false if it contains anything
// else.
bool ReadStrings(const Json* object, StringMap* strings) {
  if (object == nullptr) return true;
  if (!object->is_object()) return false;
  for (auto item = object->begin(); item != object->end(); ++item) {
    if (!item.value().is_string()) return false;
    (*strings)[item.key()] = item.value().get_ref<const std::string&>();
  }
  return true;
}

// Returns what is wrong with the arguments for `prompt`, or "".
std::string PromptMisuse(const Prompt& prompt, const StringMap& arguments) {
  for (const PromptArgument& argument : prompt.arguments) {
    if (argument.required && !arguments.contains(argument.name)) {
      return absl::StrFormat("prompt '%s' needs '%s': %s", prompt.name,
                             argument.name, argument.description);
    }
  }
  std::vector<std::string> names = NamesOf(prompt.arguments);
  for (const auto& [name, value] : arguments) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string cut = name.substr(0, kMaxEcho);
    return absl::StrFormat("prompt '%s' has no argument '%s'%s", prompt.name,
                           cut, DidYouMean(cut, names));
  }
  return "";
}

}  // namespace

// An unknown tool is the client's mistake and a protocol error; a wrong
// argument is the model's mistake and is returned as a result that it can read.
void CallTool(Server* server, Request* request) {
  const std::string* name = StringParam(request->params, "name");
  if (name == nullptr) {
    return server->Fail(request, BadParams("name must be a string"));
  }
  // This must outlive the call, as the request's own arguments do.
  static const Json* const kNoArguments = new Json(Json::object());
  const Json* arguments = FindMember(request->params, "arguments");
  if (arguments == nullptr) arguments = kNoArguments;
  if (!arguments->is_object()) {
    return server->Fail(request, BadParams("arguments must be an object"));
  }
  const std::vector<Tool>& tools = server->catalog().tools;
  const Tool* tool = FindByName(tools, *name);
  if (tool == nullptr || !server->Offers(*tool, *request)) {
    std::vector<std::string> names;
    for (const Tool& one : tools) {
      bool is_shown = !one.hidden && server->Offers(one, *request);
      if (is_shown) names.push_back(one.name);
    }
    return server->Fail(request, Unknown("tool", *name, names));
  }
  Json missing = MissingCapabilities(*tool, request->context);
  // The legacy era has no code for this, so the tool itself checks before it
  // asks (CanAskClient).
  if (!missing.empty() && request->context.era() == Era::kModern) {
    return server->Fail(
        request, {kMissingCapability,
                  tool->name + " needs a capability that the client lacks",
                  Json{{"requiredCapabilities", missing}}});
  }
  // The number includes this call.
  size_t running = server->FindConnection(request->connection)->requests.size();
  if (running > Server::kMaxWaiting + 1) {
    std::string why = absl::StrFormat(
        "%s was not started: %d calls of this client are still waiting; let "
        "some end or cancel them",
        tool->name, running - 1);
    return server->StartCall(
        request, [why](ToolCall* call) { return Refuse(call, why); });
  }
  server->StartCall(
      request,
      [tool, arguments](ToolCall* call) {
        return RunTool(tool, call, arguments);
      },
      tool->patience);
}

void ReadResource(Server* server, Request* request) {
  const std::string* uri = StringParam(request->params, "uri");
  if (uri == nullptr) {
    return server->Fail(request, BadParams("uri must be a string"));
  }
  FoundResource found = FindResource(server->catalog().resources, *uri);
  if (found.resource == nullptr) {
    return server->Fail(
        request, NoResource(request->context, *uri, "resource not found"));
  }
  // The lambda runs within StartCall; it copies what the coroutine needs into
  // the coroutine's frame.
  server->StartCall(request, [&found, uri](ToolCall* call) {
    return RunRead(found, call, *uri);
  });
}

void GetPrompt(Server* server, Request* request) {
  const std::string* name = StringParam(request->params, "name");
  if (name == nullptr) {
    return server->Fail(request, BadParams("name must be a string"));
  }
  const std::vector<Prompt>& prompts = server->catalog().prompts;
  const Prompt* prompt = FindByName(prompts, *name);
  if (prompt == nullptr) {
    return server->Fail(request, Unknown("prompt", *name, NamesOf(prompts)));
  }
  StringMap arguments;
  if (!ReadStrings(FindMember(request->params, "arguments"), &arguments)) {
    return server->Fail(request,
                        BadParams("arguments must be an object of strings"));
  }
  if (std::string misuse = PromptMisuse(*prompt, arguments); !misuse.empty()) {
    return server->Fail(request, BadParams(std::move(misuse)));
  }
  server->StartCall(request, [prompt, &arguments](ToolCall* call) {
    return RunPrompt(prompt, call, arguments);
  });
}

// ---- completion

namespace {

// Finds the completer of `argument` in the prompt or resource that `reference`
// names; null if there are no suggestions. Returns false and sets the error if
// the prompt or resource does not exist, or if `reference` is malformed.
// REQUIRES: `reference` has a "type" that is a string.
bool FindCompleter(const Catalog& catalog, const Json& reference,
                   const std::string& argument, const Completer** completer,
                   RpcError* error) {
  *completer = nullptr;
  const std::string* type = StringParam(reference, "type");
  const std::string* name = StringParam(reference, "name");
  const std::string* uri = StringParam(reference, "uri");
  if (*type == "ref/prompt" && name != nullptr) {
    const Prompt* prompt = FindByName(catalog.prompts, *name);
    if (prompt == nullptr) {
      *error = Unknown("prompt", *name, NamesOf(catalog.prompts));
      return false;
    }
    const PromptArgument* row = FindByName(prompt->arguments, argument);
    if (row != nullptr && row->complete) *completer = &row->complete;
    return true;
  }
  if (*type == "ref/resource" && uri != nullptr) {
    for (const Resource& resource : catalog.resources) {
      // Clients name the template itself, or a URI that matches it.
      if (resource.uri != *uri && !MatchUri(resource.uri, *uri)) continue;
      auto found = resource.complete.find(argument);
      if (found != resource.complete.end()) *completer = &found->second;
      return true;
    }
    *error = BadParams("unknown resource '" + uri->substr(0, kMaxEcho) + "'");
    return false;
  }
  *error = BadParams(
      "ref must be {\"type\":\"ref/prompt\",\"name\"} or "
      "{\"type\":\"ref/resource\",\"uri\"}");
  return false;
}

}  // namespace

void Complete(Server* server, Request* request) {
  const Json* reference = FindMember(request->params, "ref");
  const Json* argument = FindMember(request->params, "argument");
  bool valid = reference != nullptr && argument != nullptr &&
               StringParam(*reference, "type") != nullptr &&
               StringParam(*argument, "name") != nullptr &&
               StringParam(*argument, "value") != nullptr;
  StringMap others;
  const Json* context = FindMember(request->params, "context");
  if (context != nullptr) {
    valid &= ReadStrings(FindMember(*context, "arguments"), &others);
  }
  if (!valid) {
    return server->Fail(request, BadParams("needs ref.type, argument.name and "
                                           "argument.value, all strings"));
  }
  const Completer* completer = nullptr;
  RpcError error;
  if (!FindCompleter(server->catalog(), *reference,
                     *StringParam(*argument, "name"), &completer, &error)) {
    return server->Fail(request, std::move(error));
  }
  std::vector<std::string> values;
  if (completer != nullptr) {
    values = (*completer)(*StringParam(*argument, "value"), others);
  }
  size_t total = values.size();
  values.resize(std::min(total, kMaxCompletions));
  Json completion = {{"values", values}};
  completion["total"] = total;
  completion["hasMore"] = total > kMaxCompletions;
  server->Answer(request, {{"completion", std::move(completion)}});
}

}  // namespace glasstty::mcp
