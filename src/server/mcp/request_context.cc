#include "mcp/request_context.h"

#include <iterator>
#include <utility>

#include "base/visible.h"
#include "support/status.h"

namespace glasstty::mcp {
namespace {

// The members of _meta by which each modern request conveys what `initialize`
// conveys once per connection in the legacy era.
constexpr char kVersionKey[] = "io.modelcontextprotocol/protocolVersion";
constexpr char kCapabilitiesKey[] =
    "io.modelcontextprotocol/clientCapabilities";
constexpr char kClientInfoKey[] = "io.modelcontextprotocol/clientInfo";
// The limit for a client's name and version, in code points.
constexpr size_t kMostName = 100;
constexpr char kLogLevelKey[] = "io.modelcontextprotocol/logLevel";
// True in the requests of a command line.
constexpr char kShellKey[] = "glasstty/shell";

// Fills `error` and returns false, for `return Malformed(...)`.
bool Malformed(std::string message, RpcError* error) {
  *error = {kInvalidParams, std::move(message), Json()};
  return false;
}

// Every notifications/progress echoes the token, so the rules for ids apply to
// it.
bool ReadProgressToken(const Json& meta, RequestContext* context,
                       RpcError* error) {
  context->progress_token.reset();
  const Json* token = FindMember(meta, "progressToken");
  if (token == nullptr) return true;
  if (!IsValidId(*token)) {
    return Malformed("progressToken must be a string or an integer", error);
  }
  context->progress_token = *token;
  return true;
}

// Reads the envelope of a modern request that names `version`.
bool ReadEnvelope(const Json& meta, const Json& version,
                  RequestContext* context, RpcError* error) {
  if (!version.is_string()) {
    return Malformed(absl::StrFormat("%s must be a string", kVersionKey),
                     error);
  }
  const Json* capabilities = FindMember(meta, kCapabilitiesKey);
  if (capabilities == nullptr || !capabilities->is_object()) {
    return Malformed(
        absl::StrFormat("_meta needs %s, an object", kCapabilitiesKey), error);
  }
  const Revision* revision =
      FindRevision(version.get_ref<const std::string&>());
  // A legacy revision has no envelope: the client must use `initialize`.
  if (revision == nullptr || revision->era != Era::kModern) {
    *error = {
        kUnsupportedVersion, "unsupported protocol version",
        Json{{"supported", ModernRevisionNames()}, {"requested", version}}};
    return false;
  }
  context->revision = revision;
  context->client_capabilities = *capabilities;
  const Json* info = FindMember(meta, kClientInfoKey);
  context->client_info = info == nullptr ? "" : ClientName(*info);
  const Json* level = FindMember(meta, kLogLevelKey);
  context->log_level = level == nullptr ? "" : AsString(*level).value_or("");
  return true;
}

}  // namespace

// The rank increases with severity.
std::optional<size_t> LogLevelRank(std::string_view level) {
  for (size_t rank = 0; rank < std::size(kLogLevels); ++rank) {
    if (kLogLevels[rank] == level) return rank;
  }
  return std::nullopt;
}

// Returns "" if there is neither a name nor a version.
std::string ClientName(const Json& info) {
  std::string text;
  for (const char* key : {"name", "version"}) {
    const Json* value = FindMember(info, key);
    if (value == nullptr || !value->is_string()) continue;
    if (!text.empty()) text += ' ';
    text += value->get_ref<const std::string&>();
  }
  return ShowOnOneLine(text, kMostName);
}

// `legacy` is the context from the connection's `initialize`; a modern request
// overrides it only for itself.
bool ReadContext(const Json& params, const RequestContext& legacy,
                 RequestContext* context, RpcError* error) {
  // The principal remains, because it belongs to the connection in both eras.
  *context = legacy;
  const Json* meta = FindMember(params, "_meta");
  if (meta == nullptr) return true;
  if (!meta->is_object()) return Malformed("_meta must be an object", error);
  const Json* version = FindMember(*meta, kVersionKey);
  if (version != nullptr && !ReadEnvelope(*meta, *version, context, error)) {
    return false;
  }
  const Json* at_shell = FindMember(*meta, kShellKey);
  context->at_shell = at_shell != nullptr && *at_shell == true;
  return ReadProgressToken(*meta, context, error);
}

}  // namespace glasstty::mcp
