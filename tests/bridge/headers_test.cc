#include "bridge/headers.h"

#include <gtest/gtest.h>

#include <string>

namespace glasstty {
namespace {

constexpr char kVersion[] = "2026-07-28";

RpcMessage Modern(const std::string& method, Json params = Json::object()) {
  params["_meta"] = {
      {"io.modelcontextprotocol/protocolVersion", kVersion},
      {"io.modelcontextprotocol/clientCapabilities", Json::object()},
      {"io.modelcontextprotocol/clientInfo", {{"name", "codex"}}}};
  RpcMessage message;
  message.id = 1;
  message.method = method;
  message.params = std::move(params);
  return message;
}

HttpRequest With(std::map<std::string, std::string> headers) {
  HttpRequest request;
  request.headers = std::move(headers);
  return request;
}

int CodeOf(const HttpRequest& request, const RpcMessage& message) {
  auto refusal = CheckHeaders(request, message);
  return refusal ? refusal->error.code : 0;
}

TEST(Headers, TheEraIsThatOfTheEnvelopeOrOfTheHeader) {
  RpcMessage plain;
  EXPECT_EQ(EraOf(With({}), Modern("tools/list")), Era::kModern);
  EXPECT_EQ(EraOf(With({}), plain), Era::kLegacy);
  EXPECT_EQ(EraOf(With({{"mcp-protocol-version", kVersion}}), plain),
            Era::kModern);
  EXPECT_EQ(EraOf(With({{"mcp-protocol-version", "2025-06-18"}}), plain),
            Era::kLegacy);
  EXPECT_EQ(EraOf(With({{"mcp-protocol-version", "1999-01-01"}}), plain),
            Era::kLegacy);
}

TEST(Headers, MustRepeatVersionMethodAndName) {
  RpcMessage call = Modern("tools/call", {{"name", "term_run"}});
  std::map<std::string, std::string> good = {{"mcp-protocol-version", kVersion},
                                             {"mcp-method", "tools/call"},
                                             {"mcp-name", " term_run\t"}};
  EXPECT_EQ(CodeOf(With(good), call), 0);
  for (const auto& [name, value] : good) {
    auto bad = good;
    bad[name] = value + "x";
    EXPECT_EQ(CodeOf(With(bad), call), kHeaderMismatch) << name;
    bad.erase(name);
    EXPECT_EQ(CodeOf(With(bad), call), kHeaderMismatch) << name;
  }
  // Values do not ignore case.
  good["mcp-method"] = "Tools/Call";
  EXPECT_EQ(CodeOf(With(good), call), kHeaderMismatch);
}

TEST(Headers, ANameThatNoHeaderHoldsComesAsBase64) {
  RpcMessage read = Modern("resources/read", {{"uri", "term://é/screen"}});
  std::map<std::string, std::string> headers = {
      {"mcp-protocol-version", kVersion}, {"mcp-method", "resources/read"}};
  headers["mcp-name"] = "=?base64?dGVybTovL8OpL3NjcmVlbg==?=";
  EXPECT_EQ(CodeOf(With(headers), read), 0);
  for (const char* other : {"=?base64?dGVybQ==?=",
                            "=?base64?"
                            "?=",
                            "=?base64?=", "=?base64?***?="}) {
    headers["mcp-name"] = other;
    EXPECT_EQ(CodeOf(With(headers), read), kHeaderMismatch) << other;
  }
}

TEST(Headers, AnEnvelopeMustBeWholeAndKnown) {
  HttpRequest request =
      With({{"mcp-protocol-version", kVersion}, {"mcp-method", "tools/list"}});
  RpcMessage none;
  none.method = "tools/list";
  EXPECT_EQ(CodeOf(request, none), kInvalidParams);
  RpcMessage half = Modern("tools/list");
  half.params["_meta"].erase("io.modelcontextprotocol/clientCapabilities");
  EXPECT_EQ(CodeOf(request, half), kInvalidParams);
  RpcMessage unknown = Modern("tools/list");
  unknown.params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2031";
  request.headers["mcp-protocol-version"] = "2031";
  EXPECT_EQ(CodeOf(request, unknown), kUnsupportedVersion);
}

TEST(Headers, AnAnswerHasTheStatusOfItsError) {
  auto failed = [](int code) { return MakeError(1, {code, "", Json()}); };
  EXPECT_EQ(StatusOf(MakeReply(1, Json::object()), Era::kModern), 200);
  EXPECT_EQ(StatusOf(failed(kMethodNotFound), Era::kModern), 404);
  EXPECT_EQ(StatusOf(failed(kMethodNotFound), Era::kLegacy), 200);
  EXPECT_EQ(StatusOf(failed(kInvalidParams), Era::kModern), 200);
  for (int code : {kParseError, kInvalidRequest, kHeaderMismatch,
                   kMissingCapability, kUnsupportedVersion}) {
    EXPECT_EQ(StatusOf(failed(code), Era::kModern), 400) << code;
  }
}

TEST(Headers, TheClientIsNamedByItsEnvelope) {
  EXPECT_EQ(ClientOf(Modern("tools/list")), "codex");
  EXPECT_EQ(ClientOf(RpcMessage()), "");
}

}  // namespace
}  // namespace glasstty
