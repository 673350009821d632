// The routes of the page on which a person types one secret.
//
// Serves the page's own files to everybody. A browser that the link admitted
// gets the facts about the prompt (secret_prompt.h) and may send one secret
// while SecretGrant permits it; there are no other routes. Owns the grant;
// borrows the prompt and the loop, which must outlive it. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "http/server.h"
#include "page/secret_grant.h"
#include "page/secret_prompt.h"
#include "support/json.h"
#include "support/loop.h"

namespace glasstty::page {

class SecretSite {
 public:
  SecretSite(Loop* loop, SecretPrompt* prompt)
      : loop_(loop), prompt_(prompt), grant_(loop->Now()) {}

  // Sets the port of the server. Must be called before the first request.
  void SetPort(uint16_t port) { port_ = port; }
  void Handle(std::unique_ptr<http::Exchange> exchange);
  // Returns the address that admits one visitor, once.
  std::string Link() const;
  const SecretGrant& grant() const { return grant_; }
  // Must be called when the prompt's state has changed.
  void HearPrompt();

 private:
  http::Response Get(const http::Request& request) const;
  http::Response Post(const http::Request& request);
  http::Response Enter(const Json& body);
  http::Response Type(const Json& body);
  // Returns the content of the page, without facts about the session once
  // typing is no longer permitted.
  Json Shown(const Pass& pass) const;

  Loop* const loop_;
  SecretPrompt* const prompt_;
  SecretGrant grant_;
  uint16_t port_ = 0;
};

}  // namespace glasstty::page
