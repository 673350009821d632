#include "bridge/endpoint.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "bridge/post.h"
#include "http/guard.h"
#include "mcp/request_context.h"
#include "support/status.h"
#include "wire/introduction.h"

namespace glasstty::bridge {
namespace {

constexpr char kPath[] = "/mcp";
// The revision that a legacy client without a session is assumed to use (MCP
// 2025-06-18, "Protocol Version Header").
constexpr char kOldestOverHttp[] = "2025-03-26";

void Refuse(http::Exchange* exchange, const Refusal& refusal,
            const Json& id = Json()) {
  exchange->Reply({.status = refusal.status,
                   .type = "application/json",
                   .body = DumpJson(mcp::MakeError(id, refusal.error))});
}

// Clients interpret status 401 as a request to log in. They look for a login
// page at the paths of OAuth (RFC 8414, 9728 and 7591), and show the answer.
bool IsForLogin(const std::string& path) {
  constexpr std::string_view kPaths[] = {"/register", "/authorize", "/token"};
  return path.find("/.well-known/") != std::string::npos ||
         std::find(std::begin(kPaths), std::end(kPaths), path) !=
             std::end(kPaths);
}

http::Response NotHere(const std::string& path) {
  if (!IsForLogin(path)) {
    return {.status = 404, .body = "glasstty is at the path /mcp\n"};
  }
  constexpr char kText[] =
      "glasstty has no log-in: give the client the header Authorization: "
      "Bearer TOKEN. `glasstty serve --http` says where the token is; if the "
      "client sends the header already, the token in it is wrong";
  return {.status = 404,
          .type = "application/json",
          .body = DumpJson(Json{{"error", "invalid_request"},
                                {"error_description", kText}})};
}

constexpr char kSessionEnded[] =
    "this session has ended; begin a new one (initialize)";

constexpr char kSubscribe[] = "resources/subscribe";
constexpr char kUnsubscribe[] = "resources/unsubscribe";

// Returns true if a request changes a setting of the client, which must be
// repeated on later connections.
bool IsAgreement(const std::string& method) {
  return method == "logging/setLevel" || method == kSubscribe ||
         method == kUnsubscribe;
}

// Returns what a request settles. A subscription and its end have the same
// subject.
std::string SubjectOf(const mcp::RpcMessage& message) {
  bool undoes = message.method == kUnsubscribe;
  std::string subject = undoes ? kSubscribe : message.method;
  const Json* uri = FindMember(message.params, "uri");
  if (uri != nullptr) subject += " " + AsString(*uri).value_or("");
  return subject;
}

// Omits `_meta`, which concerns only the one request.
std::string AsAgreement(const mcp::RpcMessage& message) {
  Json params = message.params;
  if (params.is_object()) params.erase("_meta");
  return DumpJson(Json{{"jsonrpc", "2.0"},
                       {"id", kAgreedId},
                       {"method", message.method},
                       {"params", std::move(params)}});
}

// Returns an `initialize` for a client that has given only its revision, or not
// even that.
std::string PlainInitialize(std::string revision) {
  if (revision.empty()) revision = kOldestOverHttp;
  mcp::RpcMessage message;
  message.method = "initialize";
  message.params = {{"protocolVersion", revision},
                    {"capabilities", Json::object()},
                    {"clientInfo", {{"name", "http"}, {"version", ""}}}};
  return AsAgreement(message);
}

}  // namespace

Endpoint::Endpoint(Loop* loop, EndpointOptions options, Connect connect)
    : loop_(loop),
      options_(std::move(options)),
      connect_(std::move(connect)),
      sweep_timer_(loop, [this] { Sweep(); }),
      silence_timer_(loop, [this] { EndSilentSessions(); }) {}

Endpoint::~Endpoint() = default;

// ---- checking the sender

// Returns false for a page of another site, even if the site has made its own
// host name resolve to this server.
bool Endpoint::IsOurs(const http::Request& request) const {
  auto is_ours = [this](std::string_view host) {
    return http::IsOwnHost(host, port_) ||
           (!options_.address.empty() &&
            http::IsHostOf(options_.address, host, port_));
  };
  constexpr std::string_view kScheme = "http://";
  std::string origin = request.Header("origin");
  return is_ours(request.Header("host")) &&
         (origin.empty() || (origin.starts_with(kScheme) &&
                             is_ours(origin.substr(kScheme.size()))));
}

bool Endpoint::MayAsk(const http::Request& request) const {
  if (options_.token.empty()) return true;
  constexpr std::string_view kScheme = "bearer ";
  std::string given = request.Header("authorization");
  if (given.size() < kScheme.size()) return false;
  std::string scheme = absl::AsciiStrToLower(given.substr(0, kScheme.size()));
  return scheme == kScheme &&
         http::SameSecret(given.substr(kScheme.size()), options_.token);
}

void Endpoint::Handle(std::unique_ptr<http::Exchange> exchange) {
  const http::Request& request = exchange->request();
  if (request.path != kPath) {
    return exchange->Reply(NotHere(request.path));
  }
  if (!IsOurs(request)) {
    return exchange->Reply(
        {.status = 403,
         .body = "Host and Origin must name this machine's own address\n"});
  }
  if (!MayAsk(request)) {
    return exchange->Reply(
        {.status = 401,
         .body = "Send the header Authorization: Bearer TOKEN; `glasstty serve "
                 "--http` says where the token is\n",
         .headers = {{"WWW-Authenticate", "Bearer"}}});
  }
  auto used = std::find(session_order_.begin(), session_order_.end(),
                        request.Header(kSessionHeader));
  if (used != session_order_.end()) {
    session_order_.splice(session_order_.end(), session_order_, used);
  }
  if (request.method == "POST") return TakePost(std::move(exchange));
  if (auto refusal = CheckVersion(request)) {
    return Refuse(exchange.get(), *refusal);
  }
  ClientRef session = SessionOf(request);
  if (request.method == "GET" && session != nullptr) {
    return Listen(std::move(exchange), std::move(session));
  }
  if (request.method == "DELETE" && session != nullptr) {
    EndSession(request.Header(kSessionHeader));
    return exchange->Reply({.status = 204});
  }
  bool may_have_session = request.method == "GET" || request.method == "DELETE";
  if (may_have_session && NamesEndedSession(request)) {
    return exchange->Reply({.status = 404, .body = kSessionEnded});
  }
  exchange->Reply({.status = 405, .headers = {{"Allow", "POST"}}});
}

void Endpoint::Close() {
  posts_.clear();
  over_.clear();
  asked_.clear();
}

// ---- handling messages

void Endpoint::TakePost(std::unique_ptr<http::Exchange> exchange) {
  const http::Request& request = exchange->request();
  std::string type = absl::AsciiStrToLower(request.Header("content-type"));
  type = type.substr(0, type.find_first_of("; "));
  if (type != "application/json") {
    return exchange->Reply(
        {.status = 415, .body = "Content-Type must be application/json\n"});
  }
  auto json = ParseJson(request.body);
  if (!json.ok()) {
    return Refuse(exchange.get(),
                  {400, {mcp::kParseError, Message(json.status()), Json()}});
  }
  // The client's JSON may have several lines, but the server needs one.
  std::string line = DumpJson(*json);
  bool is_batch = json->is_array();
  auto refusal = CheckVersion(request);
  if (is_batch && refusal) return Refuse(exchange.get(), *refusal);
  if (is_batch && NamesEndedSession(request)) {
    return exchange->Reply({.status = 404, .body = kSessionEnded});
  }
  if (is_batch && SessionOf(request) != nullptr) {
    return TakeBatch(std::move(exchange), *json, line);
  }
  mcp::RpcMessage message;
  mcp::RpcError error;
  if (!mcp::ReadMessage(*std::move(json), &message, &error)) {
    return Refuse(exchange.get(), {400, error}, message.id);
  }
  TakeMessage(std::move(exchange), std::move(message), line);
}

// A batch of notifications and answers needs no connection of its own. The
// server gets all other batches, and answers invalid ones with an error.
void Endpoint::TakeBatch(std::unique_ptr<http::Exchange> exchange,
                         const Json& batch, const std::string& line) {
  std::vector<std::pair<mcp::RpcMessage, std::string>> others;
  for (const Json& json : batch) {
    mcp::RpcMessage message;
    mcp::RpcError error;
    if (!mcp::ReadMessage(json, &message, &error) ||
        message.kind == mcp::RpcMessage::Kind::kRequest) {
      break;
    }
    others.emplace_back(std::move(message), DumpJson(json));
  }
  if (batch.empty() || others.size() < batch.size()) {
    ClientRef session = SessionOf(exchange->request());
    Post* post =
        Begin(std::move(exchange), std::move(session), mcp::Era::kLegacy);
    if (post != nullptr) post->SendBatch(line);
    return;
  }
  for (const auto& [message, text] : others) {
    TakeOther(exchange->request(), message, text);
  }
  exchange->Reply({.status = 202});
}

void Endpoint::TakeMessage(std::unique_ptr<http::Exchange> exchange,
                           mcp::RpcMessage message, const std::string& line) {
  const http::Request& request = exchange->request();
  mcp::Era era = EraOf(request, message);
  bool is_late = era == mcp::Era::kLegacy && message.method != "initialize";
  auto unknown = is_late ? CheckVersion(request) : std::nullopt;
  if (unknown) return Refuse(exchange.get(), *unknown, message.id);
  if (message.kind != mcp::RpcMessage::Kind::kRequest) {
    if (NamesEndedSession(request)) {
      return exchange->Reply({.status = 404, .body = kSessionEnded});
    }
    TakeOther(request, message, line);
    return exchange->Reply({.status = 202});
  }
  if (era == mcp::Era::kModern) {
    if (auto refusal = CheckHeaders(request, message)) {
      return Refuse(exchange.get(), *refusal, message.id);
    }
  } else if (NamesEndedSession(request)) {
    mcp::RpcError gone = {mcp::kInvalidRequest, kSessionEnded, Json()};
    return Refuse(exchange.get(), {404, gone}, message.id);
  }
  ClientRef client = ClientFor(request, message, era);
  Post* post = Begin(std::move(exchange), std::move(client), era);
  if (post != nullptr) post->Send(std::move(message), line);
}

// Handles notifications, and answers to requests of the server.
void Endpoint::TakeOther(const http::Request& request,
                         const mcp::RpcMessage& message,
                         const std::string& line) {
  if (message.kind == mcp::RpcMessage::Kind::kResponse) {
    auto asked = asked_.find(AsString(message.id).value_or(""));
    if (asked == asked_.end()) return;
    auto [post, id] = asked->second;
    if (HasSession(post->client()) && SessionOf(request) != post->client()) {
      return;
    }
    asked_.erase(asked);
    auto answer = ParseJson(line);
    (*answer)["id"] = id;
    return post->Tell(DumpJson(*answer));
  }
  if (message.method != "notifications/cancelled") return;
  ClientRef client = SessionOf(request);
  const Json* id = FindMember(message.params, "requestId");
  if (client == nullptr || id == nullptr) return;
  for (const auto& post : posts_) {
    if (post->client() == client && post->message().id == *id) {
      return post->Cancel();
    }
  }
}

void Endpoint::Listen(std::unique_ptr<http::Exchange> exchange,
                      ClientRef client) {
  if (exchange->request().Header("accept").find("text/event-stream") ==
      std::string::npos) {
    return exchange->Reply(
        {.status = 406, .body = "Accept must name text/event-stream\n"});
  }
  Post* post = Begin(std::move(exchange), std::move(client), mcp::Era::kLegacy);
  if (post != nullptr) post->Listen();
}

Post* Endpoint::Begin(std::unique_ptr<http::Exchange> exchange,
                      ClientRef client, mcp::Era era) {
  auto unavailable = [&exchange](const char* why) {
    exchange->Reply(
        {.status = 503, .body = why, .headers = {{"Retry-After", "1"}}});
    return nullptr;
  };
  if (posts_.size() >= kMostRequests) {
    return unavailable("too many requests are under way\n");
  }
  UniqueFd server = connect_(true);
  if (!server.valid()) {
    return unavailable("the shared glasstty server cannot be started\n");
  }
  posts_.push_back(std::make_unique<Post>(
      this, std::move(exchange), std::move(client), era, std::move(server)));
  return posts_.back().get();
}

// ---- finding the client

bool Endpoint::NamesEndedSession(const http::Request& request) const {
  return !request.Header(kSessionHeader).empty() &&
         SessionOf(request) == nullptr;
}

Endpoint::ClientRef Endpoint::SessionOf(const http::Request& request) const {
  auto found = sessions_.find(request.Header(kSessionHeader));
  return found == sessions_.end() ? nullptr : found->second;
}

bool Endpoint::HasSession(const ClientRef& client) const {
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [&](const auto& own) { return own.second == client; });
}

// A client without a session is identified by its name: two clients with the
// same name share their read marks, unless their URLs give them different names
// (?client=).
Endpoint::ClientRef Endpoint::ClientFor(const http::Request& request,
                                        const mcp::RpcMessage& message,
                                        mcp::Era era) {
  if (ClientRef session = SessionOf(request);
      session != nullptr && era == mcp::Era::kLegacy) {
    return session;
  }
  auto client = std::make_shared<HttpClient>();
  if (message.method == "initialize") {
    const Json* info = FindMember(message.params, "clientInfo");
    client->name = absl::StrFormat(
        "%s over HTTP #%d", info == nullptr ? "client" : mcp::ClientName(*info),
        ++last_client_);
    return client;
  }
  std::string name = ClientOf(message);
  auto named = request.query.find("client");
  if (named != request.query.end()) name = named->second;
  client->name = (name.empty() ? "client" : name) + " over HTTP";
  if (era == mcp::Era::kLegacy) {
    client->agreements.push_back(
        {"initialize", PlainInitialize(VersionOf(request))});
  }
  return client;
}

void Endpoint::Agreed(Post* post, const Json& answer) {
  const mcp::RpcMessage& message = post->message();
  if (FindMember(answer, "result") == nullptr || !IsAgreement(message.method)) {
    return;
  }
  // Keep only the last agreement on a subject. Drop subscriptions that have
  // ended.
  std::string subject = SubjectOf(message);
  auto* agreements = &post->client()->agreements;
  std::erase_if(*agreements, [&subject](const auto& earlier) {
    return earlier.subject == subject;
  });
  if (message.method != kUnsubscribe &&
      agreements->size() < HttpClient::kMostAgreements) {
    agreements->push_back({subject, AsAgreement(message)});
  }
  for (const auto& other : posts_) {
    if (other->listens() && other->client() == post->client()) {
      other->Tell(AsAgreement(message));
    }
  }
}

std::string Endpoint::BeginSession(Post* post) {
  constexpr char kInitialized[] = "notifications/initialized";
  auto* agreements = &post->client()->agreements;
  agreements->clear();
  agreements->push_back({"initialize", AsAgreement(post->message())});
  agreements->push_back({kInitialized, DumpJson(mcp::MakeNotification(
                                           kInitialized, Json::object()))});
  auto silent =
      std::count_if(sessions_.begin(), sessions_.end(),
                    [this](const auto& own) { return !IsBusy(own.second); });
  if (sessions_.size() >= kMostSessions ||
      silent >= static_cast<int64_t>(kMostSilent)) {
    EndSession(LeastUsed());
  }
  std::string id = http::NewSecret();
  sessions_[id] = post->client();
  session_order_.push_back(id);
  return id;
}

bool Endpoint::IsBusy(const ClientRef& client) const {
  return std::any_of(posts_.begin(), posts_.end(), [&](const auto& post) {
    return post->client() == client && !over_.contains(post.get());
  });
}

// Prefers sessions without requests in progress.
std::string Endpoint::LeastUsed() const {
  for (const std::string& id : session_order_) {
    if (!IsBusy(sessions_.at(id))) return id;
  }
  return session_order_.front();
}

void Endpoint::EndSession(const std::string& id) {
  ClientRef client = sessions_[id];
  sessions_.erase(id);
  session_order_.remove(id);
  for (const auto& post : posts_) {
    if (post->client() == client) post->Cancel();
  }
  // Without a server, nothing has to be closed: the sessions of a dead server
  // end unless another server is started within minutes.
  UniqueFd server = connect_(false);
  if (server.valid()) {
    (void)WriteAll(server.get(), wire::GoodbyeLine(client->name));
  }
}

void Endpoint::EndSilentSessions() {
  std::vector<std::string> silent;
  for (const auto& [id, client] : sessions_) {
    bool is_late = client->quiet_since + options_.silence <= loop_->Now();
    if (is_late && !IsBusy(client)) silent.push_back(id);
  }
  for (const std::string& id : silent) EndSession(id);
  SetSilenceTimer();
}

// Skips busy clients, because the end of their last request sets the timer.
void Endpoint::SetSilenceTimer() {
  silence_timer_.Clear();
  if (options_.silence == Duration::zero()) return;
  Time due = Time::max();
  for (const auto& [id, client] : sessions_) {
    if (IsBusy(client)) continue;
    due = std::min(due, client->quiet_since + options_.silence);
  }
  if (due != Time::max()) silence_timer_.Set(due);
}

// ---- for Post

std::string Endpoint::Ask(Post* post, const Json& id) {
  std::string ours = "glasstty-" + http::NewSecret();
  asked_[ours] = {post, id};
  return ours;
}

Json Endpoint::TakeBack(const Post* post, const Json& id) {
  for (auto asked = asked_.begin(); asked != asked_.end(); ++asked) {
    if (asked->second.first != post || asked->second.second != id) continue;
    Json ours = asked->first;
    asked_.erase(asked);
    return ours;
  }
  return id;
}

bool Endpoint::HasAsked(const Post* post) const {
  return std::any_of(asked_.begin(), asked_.end(), [post](const auto& asked) {
    return asked.second.first == post;
  });
}

void Endpoint::Remove(Post* post) {
  std::erase_if(asked_,
                [post](auto& asked) { return asked.second.first == post; });
  over_.insert(post);
  post->client()->quiet_since = loop_->Now();
  SetSilenceTimer();
  sweep_timer_.SetAfter(Duration::zero());
}

void Endpoint::Sweep() {
  posts_.remove_if(
      [this](const auto& own) { return over_.contains(own.get()); });
  over_.clear();
}

}  // namespace glasstty::bridge
