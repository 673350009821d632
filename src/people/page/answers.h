// Contains what the servers of both pages share: who sent a request, and the
// parts of an answer. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/server.h"
#include "page/assets.h"
#include "support/json.h"

namespace glasstty::page {

http::Response Plain(int status, const std::string& text);
http::Response JsonReply(const Json& json);
http::Response Done();
http::Response AssetReply(const Asset& asset);
// Every answer has these headers.
void AddSecurityHeaders(http::Response* reply);

// Returns the key that the page's script has sent; "" if there is none, or if
// another page has sent the request.
std::string KeyOf(const http::Request& request, uint16_t port);
// Returns the answer to a request that no script of our own can have made;
// nullopt: it may be ours.
std::optional<http::Response> RefusalOfPost(const http::Request& request,
                                            uint16_t port);

// Returns a member that is a string, or "".
std::string TextOf(const Json& body, std::string_view key);

}  // namespace glasstty::page
