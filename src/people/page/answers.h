// The parts that the servers of both pages share: checks of the sender of a
// request, and parts of an answer. Pure functions.
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
// Adds the headers that every answer has.
void AddSecurityHeaders(http::Response* reply);

// Returns the key of a pass that the page's script has sent; "" if there is
// none, or if another page has sent the request.
std::string KeyOf(const http::Request& request, uint16_t port);
// Returns the error for a request that the page's own script cannot have made;
// nullopt for other requests.
std::optional<http::Response> RefusalOfPost(const http::Request& request,
                                            uint16_t port);

// Returns a member that is a string, or "".
std::string TextOf(const Json& body, std::string_view key);

}  // namespace glasstty::page
