#include "bridge/headers.h"

#include "mcp/request_context.h"
#include "support/encodings.h"
#include "support/status.h"

namespace glasstty::bridge {
namespace {

constexpr char kVersionHeader[] = "mcp-protocol-version";
constexpr char kEnvelopeVersion[] = "io.modelcontextprotocol/protocolVersion";
constexpr char kEnvelopeClient[] = "io.modelcontextprotocol/clientInfo";

const Json* InMeta(const Json& params, const char* member) {
  const Json* meta = FindMember(params, "_meta");
  return meta == nullptr ? nullptr : FindMember(*meta, member);
}

std::string Trimmed(const std::string& text) {
  constexpr char kBlanks[] = " \t";
  size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Decodes "=?base64?...?=", the form of names that a header cannot contain.
// Other values are unchanged.
std::string Decoded(std::string value) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  if (!value.starts_with(kBegin) || !value.ends_with(kEnd) ||
      value.size() < kBegin.size() + kEnd.size()) {
    return value;
  }
  size_t size = value.size() - kBegin.size() - kEnd.size();
  auto bytes = DecodeBytes(std::string_view(value).substr(kBegin.size(), size),
                           Encoding::kBase64);
  return bytes.ok() ? *bytes : value;
}

// Returns the value that the header `Mcp-Name` must have, or nullopt if the
// message needs no such header.
std::optional<std::string> NameOf(const mcp::RpcMessage& message) {
  struct Named {
    const char* method;
    const char* member;
  };
  constexpr Named kNamed[] = {
      {"tools/call", "name"},     {"prompts/get", "name"},
      {"resources/read", "uri"},  {"tasks/get", "taskId"},
      {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"}};
  for (const Named& named : kNamed) {
    if (message.method != named.method) continue;
    const Json* name = FindMember(message.params, named.member);
    if (name != nullptr) return AsString(*name).value_or("");
  }
  return std::nullopt;
}

}  // namespace

std::string VersionOf(const http::Request& request) {
  return Trimmed(request.Header(kVersionHeader));
}

mcp::Era EraOf(const http::Request& request, const mcp::RpcMessage& message) {
  if (InMeta(message.params, kEnvelopeVersion) != nullptr)
    return mcp::Era::kModern;
  const mcp::Revision* named = mcp::FindRevision(VersionOf(request));
  return named == nullptr ? mcp::Era::kLegacy : named->era;
}

std::optional<Refusal> CheckVersion(const http::Request& request) {
  std::string version = VersionOf(request);
  if (!request.headers.contains(kVersionHeader) ||
      mcp::FindRevision(version) != nullptr) {
    return std::nullopt;
  }
  return Refusal{400,
                 {mcp::kInvalidRequest,
                  absl::StrFormat("MCP-Protocol-Version: this server does not "
                                  "know version '%s'",
                                  version),
                  Json()}};
}

std::optional<Refusal> CheckHeaders(const http::Request& request,
                                    const mcp::RpcMessage& message) {
  auto refuse = [](int code, std::string why) {
    return Refusal{400, {code, std::move(why), Json()}};
  };
  const Json* version = InMeta(message.params, kEnvelopeVersion);
  if (version == nullptr) {
    return refuse(mcp::kInvalidParams,
                  absl::StrFormat("_meta needs %s", kEnvelopeVersion));
  }
  if (VersionOf(request) != AsString(*version).value_or("")) {
    return refuse(mcp::kHeaderMismatch,
                  "MCP-Protocol-Version must be the version in _meta");
  }
  Refusal refusal;
  mcp::RequestContext none, context;
  if (!mcp::ReadContext(message.params, none, &context, &refusal.error)) {
    return refusal;
  }
  if (Trimmed(request.Header("mcp-method")) != message.method) {
    return refuse(mcp::kHeaderMismatch,
                  "Mcp-Method must be the message's method");
  }
  auto name = NameOf(message);
  if (name && Decoded(Trimmed(request.Header("mcp-name"))) != *name) {
    return refuse(
        mcp::kHeaderMismatch,
        "Mcp-Name must be the name, uri or taskId in the message's params");
  }
  return std::nullopt;
}

int StatusOf(const Json& response, mcp::Era era) {
  const Json* error = FindMember(response, "error");
  if (error == nullptr) return 200;
  const Json* code = FindMember(*error, "code");
  switch (code == nullptr ? 0 : AsInteger(*code).value_or(0)) {
    case mcp::kParseError:
    case mcp::kInvalidRequest:
    case mcp::kHeaderMismatch:
    case mcp::kMissingCapability:
    case mcp::kUnsupportedVersion:
      return 400;
    case mcp::kMethodNotFound:
      return era == mcp::Era::kModern ? 404 : 200;
    default:
      return 200;
  }
}

std::string ClientOf(const mcp::RpcMessage& message) {
  const Json* info = InMeta(message.params, kEnvelopeClient);
  return info == nullptr ? "" : mcp::ClientName(*info);
}

}  // namespace glasstty::bridge
