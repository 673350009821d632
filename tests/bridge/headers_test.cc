#include "bridge/headers.h"

#include <gtest/gtest.h>

#include <string>

namespace glasstty::bridge {
namespace {

constexpr char kVersion[] = "2026-07-28";

mcp::RpcMessage Modern(const std::string& method,
                       Json params = Json::object()) {
  params["_meta"] = {
      {"io.modelcontextprotocol/protocolVersion", kVersion},
      {"io.modelcontextprotocol/clientCapabilities", Json::object()},
      {"io.modelcontextprotocol/clientInfo", {{"name", "codex"}}}};
  mcp::RpcMessage message;
  message.id = 1;
  message.method = method;
  message.params = std::move(params);
  return message;
}

http::Request With(std::map<std::string, std::string> headers) {
  http::Request request;
  request.headers = std::move(headers);
  return request;
}

int CodeOf(const http::Request& request, const mcp::RpcMessage& message) {
  auto refusal = CheckHeaders(request, message);
  return refusal ? refusal->error.code : 0;
}

TEST(Headers, TheEraIsThatOfTheEnvelopeOrOfTheHeader) {
  mcp::RpcMessage plain;
  EXPECT_EQ(EraOf(With({}), Modern("tools/list")), mcp::Era::kModern);
  EXPECT_EQ(EraOf(With({}), plain), mcp::Era::kLegacy);
  EXPECT_EQ(EraOf(With({{"mcp-protocol-version", kVersion}}), plain),
            mcp::Era::kModern);
  EXPECT_EQ(EraOf(With({{"mcp-protocol-version", "2025-06-18"}}), plain),
            mcp::Era::kLegacy);
  EXPECT_EQ(EraOf(With({{"mcp-protocol-version", "1999-01-01"}}), plain),
            mcp::Era::kLegacy);
}

TEST(Headers, MayNameAKnownVersionOrNone) {
  EXPECT_FALSE(CheckVersion(With({})));
  for (const char* known : {kVersion, "2025-06-18", " 2024-11-05\t"}) {
    EXPECT_FALSE(CheckVersion(With({{"mcp-protocol-version", known}})));
  }
  for (const char* unknown : {"", "1999-01-01", "2025-06-18x", "latest"}) {
    auto refusal = CheckVersion(With({{"mcp-protocol-version", unknown}}));
    ASSERT_TRUE(refusal) << unknown;
    EXPECT_EQ(refusal->status, 400);
    EXPECT_EQ(refusal->error.code, mcp::kInvalidRequest);
  }
}

TEST(Headers, MustRepeatVersionMethodAndName) {
  mcp::RpcMessage call = Modern("tools/call", {{"name", "term_run"}});
  std::map<std::string, std::string> good = {{"mcp-protocol-version", kVersion},
                                             {"mcp-method", "tools/call"},
                                             {"mcp-name", " term_run\t"}};
  EXPECT_EQ(CodeOf(With(good), call), 0);
  for (const auto& [name, value] : good) {
    auto bad = good;
    bad[name] = value + "x";
    EXPECT_EQ(CodeOf(With(bad), call), mcp::kHeaderMismatch) << name;
    bad.erase(name);
    EXPECT_EQ(CodeOf(With(bad), call), mcp::kHeaderMismatch) << name;
  }
  // Values do not ignore case.
  good["mcp-method"] = "Tools/Call";
  EXPECT_EQ(CodeOf(With(good), call), mcp::kHeaderMismatch);
}

TEST(Headers, TheNameOfATaskIsItsId) {
  for (const char* method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    mcp::RpcMessage message = Modern(method, {{"taskId", "4f2a"}});
    std::map<std::string, std::string> headers = {
        {"mcp-protocol-version", kVersion}, {"mcp-method", method}};
    EXPECT_EQ(CodeOf(With(headers), message), mcp::kHeaderMismatch) << method;
    headers["mcp-name"] = "4f2a";
    EXPECT_EQ(CodeOf(With(headers), message), 0) << method;
  }
}

TEST(Headers, ANameThatNoHeaderHoldsComesAsBase64) {
  mcp::RpcMessage read = Modern("resources/read", {{"uri", "term://é/screen"}});
  std::map<std::string, std::string> headers = {
      {"mcp-protocol-version", kVersion}, {"mcp-method", "resources/read"}};
  headers["mcp-name"] = "=?base64?dGVybTovL8OpL3NjcmVlbg==?=";
  EXPECT_EQ(CodeOf(With(headers), read), 0);
  for (const char* other : {"=?base64?dGVybQ==?=",
                            "=?base64?"
                            "?=",
                            "=?base64?=", "=?base64?***?="}) {
    headers["mcp-name"] = other;
    EXPECT_EQ(CodeOf(With(headers), read), mcp::kHeaderMismatch) << other;
  }
}

TEST(Headers, AnEnvelopeMustBeWholeAndKnown) {
  http::Request request =
      With({{"mcp-protocol-version", kVersion}, {"mcp-method", "tools/list"}});
  mcp::RpcMessage none;
  none.method = "tools/list";
  EXPECT_EQ(CodeOf(request, none), mcp::kInvalidParams);
  mcp::RpcMessage half = Modern("tools/list");
  half.params["_meta"].erase("io.modelcontextprotocol/clientCapabilities");
  EXPECT_EQ(CodeOf(request, half), mcp::kInvalidParams);
  mcp::RpcMessage unknown = Modern("tools/list");
  unknown.params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2031";
  request.headers["mcp-protocol-version"] = "2031";
  EXPECT_EQ(CodeOf(request, unknown), mcp::kUnsupportedVersion);
}

TEST(Headers, AnAnswerHasTheStatusOfItsError) {
  auto failed = [](int code) { return mcp::MakeError(1, {code, "", Json()}); };
  EXPECT_EQ(StatusOf(mcp::MakeReply(1, Json::object()), mcp::Era::kModern),
            200);
  EXPECT_EQ(StatusOf(failed(mcp::kMethodNotFound), mcp::Era::kModern), 404);
  EXPECT_EQ(StatusOf(failed(mcp::kMethodNotFound), mcp::Era::kLegacy), 200);
  EXPECT_EQ(StatusOf(failed(mcp::kInvalidParams), mcp::Era::kModern), 200);
  for (int code : {mcp::kParseError, mcp::kInvalidRequest, mcp::kHeaderMismatch,
                   mcp::kMissingCapability, mcp::kUnsupportedVersion}) {
    EXPECT_EQ(StatusOf(failed(code), mcp::Era::kModern), 400) << code;
  }
}

TEST(Headers, TheClientIsNamedByItsEnvelope) {
  EXPECT_EQ(ClientOf(Modern("tools/list")), "codex");
  EXPECT_EQ(ClientOf(mcp::RpcMessage()), "");
}

}  // namespace
}  // namespace glasstty::bridge
