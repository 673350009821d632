#include "page/answers.h"

#include <utility>
#include <vector>

#include "http/guard.h"

namespace glasstty::page {
namespace {

// Allows no content of other sites, no frames around the page and no inline
// code. Inline styles are allowed for the colours and positions of cells.
constexpr char kPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'";

}  // namespace

http::Response Plain(int status, const std::string& text) {
  return {.status = status, .body = text + "\n"};
}

http::Response JsonReply(const Json& json) {
  return {.type = "application/json", .body = DumpJson(json)};
}

http::Response Done() { return JsonReply(Json::object()); }

http::Response AssetReply(const Asset& asset) {
  return {.type = std::string(asset.type), .body = std::string(asset.content)};
}

void AddSecurityHeaders(http::Response* reply) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{
           {"Content-Security-Policy", kPolicy},
           {"X-Content-Type-Options", "nosniff"},
           {"Referrer-Policy", "no-referrer"},
           {"Cross-Origin-Opener-Policy", "same-origin"},
           {"Cross-Origin-Resource-Policy", "same-origin"},
           {"Cache-Control", "no-store"}}) {
    reply->headers.emplace_back(name, value);
  }
}

// A request with an Authorization header is from the page's own script: a page
// of another site would need permission first (CORS), which is refused. The
// other checks protect the page even if the sender has the key.
std::string KeyOf(const http::Request& request, uint16_t port) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string site = request.Header("sec-fetch-site");
  const std::string origin = request.Header("origin");
  bool elsewhere = (!site.empty() && site != "same-origin") ||
                   (!origin.empty() && !http::IsOwnOrigin(origin, port));
  std::string given = request.Header("authorization");
  if (elsewhere || !given.starts_with(kScheme)) return "";
  return given.substr(kScheme.size());
}

// A request that changes something must be from the server's own page, and must
// not be one that any page can make without permission (CORS, "simple
// requests").
std::optional<http::Response> RefusalOfPost(const http::Request& request,
                                            uint16_t port) {
  if (!http::IsOwnOrigin(request.Header("origin"), port)) {
    return Plain(403, "requests from other pages are refused");
  }
  if (request.Header("content-type") != "application/json") {
    return Plain(415, "the body must be application/json");
  }
  return std::nullopt;
}

std::string TextOf(const Json& body, std::string_view key) {
  const Json* value = FindMember(body, key);
  return value == nullptr ? "" : AsString(*value).value_or("");
}

}  // namespace glasstty::page
