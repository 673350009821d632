#include "mcp/jsonrpc.h"

#include <utility>

#include "support/status.h"

namespace glasstty::mcp {
namespace {

// Fills `error` and returns false, for `return Invalid(...)`.
bool Invalid(int code, std::string why, RpcError* error) {
  *error = {code, std::move(why), Json()};
  return false;
}

// Redacted replaces the values of these members: texts for password prompts,
// environments (which contain keys) and credentials.
constexpr std::string_view kSecretMembers[] = {"secret", "env",
                                               "Authorization"};

void Redact(Json* value) {
  if (value->is_array()) {
    for (Json& item : *value) Redact(&item);
  }
  if (!value->is_object()) return;
  for (auto item = value->begin(); item != value->end(); ++item) {
    bool secret = false;
    for (std::string_view name : kSecretMembers) secret |= item.key() == name;
    if (secret) {
      item.value() = "<redacted>";
    } else {
      Redact(&item.value());
    }
  }
}

}  // namespace

// MCP restricts JSON-RPC here: null and fractions are not allowed as ids.
bool IsValidId(const Json& id) {
  return id.is_string() || id.is_number_integer();
}

// Reads the id first, so that every later error can include it.
bool ReadMessage(Json json, RpcMessage* message, RpcError* error) {
  if (!json.is_object()) {
    return Invalid(kInvalidRequest, "a message is a JSON object", error);
  }
  const Json* id = FindMember(json, "id");
  if (id != nullptr) {
    if (!IsValidId(*id)) {
      return Invalid(kInvalidRequest,
                     "id must be a string or an integer of 64 bits", error);
    }
    message->id = *id;
  }
  const Json* version = FindMember(json, "jsonrpc");
  if (version == nullptr || *version != "2.0") {
    return Invalid(kInvalidRequest, "jsonrpc must be \"2.0\"", error);
  }
  // A message without a method is the answer to a question of the server; a
  // member `error` counts as no result.
  auto method = json.find("method");
  if (method == json.end()) {
    message->kind = RpcMessage::Kind::kResponse;
    auto result = json.find("result");
    if (result != json.end()) message->result = std::move(*result);
    bool answers = message->result.has_value() || json.contains("error");
    if (id != nullptr && answers) return true;
    return Invalid(kInvalidRequest, "method is missing", error);
  }
  if (!method->is_string()) {
    return Invalid(kInvalidRequest, "method must be a string", error);
  }
  message->kind = id == nullptr ? RpcMessage::Kind::kNotification
                                : RpcMessage::Kind::kRequest;
  message->method = std::move(method->get_ref<std::string&>());
  auto params = json.find("params");
  if (params == json.end()) return true;
  if (params->is_object()) {
    message->params = std::move(*params);
    return true;
  }
  // A notification is never answered, not even an invalid one.
  if (id == nullptr) return true;
  return Invalid(kInvalidParams, "params must be an object", error);
}

Json MakeReply(const Json& id, Json result) {
  Json reply = {{"jsonrpc", "2.0"}, {"id", id}};
  reply["result"] = std::move(result);
  return reply;
}

Json MakeError(const Json& id, RpcError error) {
  Json reply = {{"jsonrpc", "2.0"}};
  // JSON-RPC uses null for an id that could not be read; MCP's schema does not
  // allow null, so the id is omitted.
  if (!id.is_null()) reply["id"] = id;
  reply["error"] = {{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) reply["error"]["data"] = std::move(error.data);
  return reply;
}

Json MakeNotification(std::string_view method, Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"method", std::string(method)}};
  message["params"] = std::move(params);
  return message;
}

// Replaces values at any depth, based only on the member's name.
std::string Redacted(const Json& message) {
  Json copy = message;
  Redact(&copy);
  return DumpJson(copy);
}

}  // namespace glasstty::mcp
