#include "page/secret_site.h"

#include <string.h>

#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "http/guard.h"
#include "page/answers.h"
#include "support/status.h"

namespace glasstty::page {
namespace {

// The files of this page: the path in a request, and the path among the assets.
constexpr std::pair<std::string_view, std::string_view> kSecretFiles[] = {
    {"/", "/secret.html"},
    {"/secret.css", "/secret.css"},
    {"/secret.js", "/secret.js"},
    {"/dom.js", "/dom.js"},
};

// Returns the name of the state for the page's script.
std::string_view WordOf(const SecretGrant& grant, SecretPrompt::State prompt) {
  switch (grant.life()) {
    case SecretGrant::Life::kTyped:
      return "typed";
    case SecretGrant::Life::kLeft:
      return "left";
    case SecretGrant::Life::kUnused:
    case SecretGrant::Life::kEntered:
      break;
  }
  if (prompt == SecretPrompt::State::kTyping) return "typing";
  return prompt == SecretPrompt::State::kAsks ? "asks" : "waits";
}

}  // namespace

std::string SecretSite::Link() const {
  return absl::StrFormat("http://127.0.0.1:%d/#%s", port_, grant_.token());
}

void SecretSite::HearPrompt() {
  if (prompt_->state() == SecretPrompt::State::kTyped) grant_.Typed();
  if (prompt_->state() == SecretPrompt::State::kLeft) grant_.Left();
}

void SecretSite::Handle(std::unique_ptr<http::Exchange> exchange) {
  const http::Request& request = exchange->request();
  http::Response reply;
  if (!http::IsOwnHost(request.Header("host"), port_)) {
    reply = Plain(421, "this server answers to 127.0.0.1 and localhost only");
  } else if (request.method == "GET") {
    reply = Get(request);
  } else if (request.method == "POST") {
    reply = Post(request);
  } else {
    reply = Plain(405, "GET and POST only");
  }
  AddSecurityHeaders(&reply);
  exchange->Reply(reply);
}

http::Response SecretSite::Get(const http::Request& request) const {
  for (const auto& [path, file] : kSecretFiles) {
    if (request.path == path) return AssetReply(*FindAsset(file));
  }
  return Plain(404, "there is no such page");
}

http::Response SecretSite::Post(const http::Request& request) {
  if (auto refusal = RefusalOfPost(request, port_)) return *refusal;
  auto body = ParseJson(request.body);
  if (!body.ok()) return Plain(400, Message(body.status()));
  if (request.path == "/api/enter") return Enter(*body);
  const Pass* pass = grant_.Find(KeyOf(request, port_));
  if (pass == nullptr) return Plain(401, "open the link that you were given");
  if (request.path == "/api/look") return JsonReply(Shown(*pass));
  if (request.path == "/api/secret") return Type(*body);
  return Plain(404, "there is no such action");
}

http::Response SecretSite::Enter(const Json& body) {
  auto pass = grant_.Enter(TextOf(body, "token"), loop_->Now());
  if (!pass) return Plain(403, "this link has been used or is invalid");
  Json shown = Shown(*pass);
  shown["key"] = pass->key;
  return JsonReply(shown);
}

Json SecretSite::Shown(const Pass& pass) const {
  Json shown = {{"proof", pass.proof},
                {"state", WordOf(grant_, prompt_->state())},
                {"refused", prompt_->refused()}};
  if (grant_.MayType(loop_->Now())) shown["asks"] = prompt_->Facts();
  return shown;
}

// Refuses a secret that was typed for another prompt, which the page showed
// earlier, because another program may ask by now.
http::Response SecretSite::Type(const Json& body) {
  bool asks = prompt_->state() == SecretPrompt::State::kAsks;
  if (!grant_.MayType(loop_->Now()) || !asks) {
    return Plain(409, "the program does not ask for a secret now");
  }
  const Json* seen = FindMember(body, "asks");
  if (seen == nullptr || *seen != prompt_->Facts()) {
    return Plain(409, "the program asks for something else by now");
  }
  std::string secret = TextOf(body, "text");
  prompt_->Type(secret);
  explicit_bzero(secret.data(), secret.size());
  return Done();
}

}  // namespace glasstty::page
