// The order of the checks matters: first the requested host (so that DNS
// rebinding gains nothing), then the sender, then the path.
#include "page/site.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "http/guard.h"
#include "page/answers.h"
#include "page/assets.h"
#include "page/files.h"
#include "support/json.h"
#include "support/status.h"
#include "terminal/keys.h"
#include "terminal/mouse.h"

namespace glasstty::page {
namespace {

constexpr size_t kMostDownloads = 4;
constexpr size_t kMostVisitors = 16;
constexpr size_t kMostFound = 200;
std::optional<int> NumberOf(const Json& body, std::string_view key) {
  const Json* value = FindMember(body, key);
  auto number = value == nullptr ? std::nullopt : AsInteger(*value);
  if (!number || *number < 0 || *number > 10'000) return std::nullopt;
  return static_cast<int>(*number);
}

// Encodes {"key": "C-c"} or {"text": "abc"} for the program's modes.
absl::StatusOr<std::string> BytesOf(const Json& key,
                                    const terminal::Modes& modes) {
  std::string name = TextOf(key, "key");
  if (name.empty()) return terminal::EncodeText(TextOf(key, "text"), modes);
  ASSIGN_OR_RETURN(terminal::Key parsed, terminal::ParseKey(name));
  return terminal::EncodeKey(parsed, modes);
}

}  // namespace

Site::Site(Loop* loop, SiteOptions options)
    : loop_(loop), options_(options), list_(loop, [this] {
        for (auto& [id, visitor] : visitors_) visitor->TellList();
      }) {}

Site::~Site() = default;

std::string Site::NewLink() {
  return absl::StrFormat("http://127.0.0.1:%d/#%s", port_, access_.NewLink());
}

void Site::Handle(std::unique_ptr<http::Exchange> exchange) {
  const http::Request& request = exchange->request();
  http::Response reply;
  if (!http::IsOwnHost(request.Header("host"), port_)) {
    reply = Plain(421, "this server answers to 127.0.0.1 and localhost only");
  } else if (request.method == "GET" && request.path == "/api/stream" &&
             IsAdmitted(request)) {
    return OpenStream(exchange.get());
  } else if (request.method == "GET" && GiveFile(&exchange)) {
    return;
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

const Pass* Site::PassOf(const http::Request& request) const {
  return access_.Find(KeyOf(request, port_));
}

http::Response Site::Get(const http::Request& request) {
  if (const Asset* asset = FindAsset(request.path)) return AssetReply(*asset);
  if (!IsAdmitted(request)) {
    return Plain(401, "open a link that `glasstty view` has printed");
  }
  return Plain(404, "there is no such page");
}

http::Response Site::Post(const http::Request& request) {
  if (auto refusal = RefusalOfPost(request, port_)) return *refusal;
  if (request.path == "/api/enter") return Enter(request);
  if (!IsAdmitted(request)) {
    return Plain(401, "open a link that `glasstty view` has printed");
  }
  auto body = ParseJson(request.body);
  if (!body.ok()) return Plain(400, Message(body.status()));
  for (const ActionRow* row = kActions; row->path != nullptr; ++row) {
    if (request.path != row->path) continue;
    if (row->types && options_.read_only) {
      return Plain(403, "this page is read-only");
    }
    Visitor* visitor = FindVisitor(TextOf(*body, "page"));
    if (visitor == nullptr) return Plain(409, "this page is not open");
    // A person may have chosen another session while keys for this one were in
    // transit.
    std::string meant = TextOf(*body, "session");
    if (row->types && !meant.empty() && meant != visitor->session()) {
      return Plain(409, "the page shows another session by now");
    }
    return (this->*row->run)(visitor, *body);
  }
  return Plain(404, "there is no such action");
}

http::Response Site::Enter(const http::Request& request) {
  auto body = ParseJson(request.body);
  auto pass = body.ok() ? access_.Enter(TextOf(*body, "token")) : std::nullopt;
  if (!pass) {
    return Plain(403,
                 "this link has been used or is invalid; "
                 "`glasstty view --new-link` prints another");
  }
  return JsonReply({{"key", pass->key}, {"proof", pass->proof}});
}

// The visitor is removed later, because it must not be destroyed in a callback
// of its own stream.
void Site::OpenStream(http::Exchange* exchange) {
  if (visitors_.size() >= kMostVisitors) {
    http::Response full = Plain(503, "too many pages are open; close one");
    AddSecurityHeaders(&full);
    return exchange->Reply(full);
  }
  Json welcome = {{"proof", PassOf(exchange->request())->proof},
                  {"read_only", options_.read_only}};
  http::Response head = {.type = "application/x-ndjson"};
  AddSecurityHeaders(&head);
  auto id = std::make_shared<std::string>();
  auto visitor = std::make_unique<Visitor>(
      loop_, &list_, exchange->Stream(head), welcome,
      [this, id] { loop_->Post([this, id] { visitors_.erase(*id); }); });
  *id = visitor->id();
  visitor->TellList();
  visitors_[*id] = std::move(visitor);
  list_.SetWanted(true);
}

// ---- files to save

bool Site::GiveFile(std::unique_ptr<http::Exchange>* exchange) {
  const http::Request& request = (*exchange)->request();
  const PageFile* file = FindPageFile(request.path);
  if (file == nullptr || !IsAdmitted(request)) return false;
  auto page = request.query.find("page");
  Visitor* visitor =
      page == request.query.end() ? nullptr : FindVisitor(page->second);
  bool shows = visitor != nullptr && visitor->watched() != nullptr;
  if (!shows || downloads_.size() >= kMostDownloads) {
    http::Response refused = shows
                                 ? Plain(503, "too many files are being made")
                                 : Plain(409, "nothing is shown on this page");
    AddSecurityHeaders(&refused);
    (*exchange)->Reply(refused);
    return true;
  }
  http::Response head = {.type = file->type};
  AddSecurityHeaders(&head);
  head.headers.emplace_back(
      "Content-Disposition",
      absl::StrFormat("attachment; filename=\"%s\"",
                      FileName(visitor->watched()->origin().name, *file)));
  Download::Produce produce = file->producer(*visitor, request);
  auto place = downloads_.insert(downloads_.end(), nullptr);
  *place = std::make_unique<Download>(
      loop_, std::move(*exchange), head, produce, [this, place] {
        loop_->Post([this, place] { downloads_.erase(place); });
      });
  return true;
}

Visitor* Site::FindVisitor(const std::string& id) {
  auto found = visitors_.find(id);
  return found == visitors_.end() ? nullptr : found->second.get();
}

// ---- requests of the page

http::Response Site::Watch(Visitor* visitor, const Json& body) {
  absl::Status status = visitor->Watch(TextOf(body, "session"));
  return status.ok() ? Done() : Plain(404, Message(status));
}

http::Response Site::Overview(Visitor* visitor, const Json& body) {
  const Json* ids = FindMember(body, "sessions");
  if (ids == nullptr || !ids->is_array()) return Plain(400, "no sessions");
  std::vector<std::string> sessions;
  for (const Json& id : *ids) sessions.push_back(AsString(id).value_or(""));
  visitor->ShowThumbnails(sessions);
  return Done();
}

http::Response Site::Moment(Visitor* visitor, const Json& body) {
  const Json* at = FindMember(body, "at");
  visitor->ShowMoment(at == nullptr ? std::nullopt : AsNumber(*at));
  return JsonReply(visitor->Length());
}

http::Response Site::Peek(Visitor* visitor, const Json& body) {
  const Json* at = FindMember(body, "at");
  auto seconds = at == nullptr ? std::nullopt : AsNumber(*at);
  if (!seconds) return Plain(400, "at is a number of seconds");
  visitor->Peek(*seconds);
  return Done();
}

http::Response Site::TraceOf(Visitor* visitor, const Json&) {
  if (visitor->trace() == nullptr) return Plain(409, "nothing is shown");
  return JsonReply(visitor->trace()->json());
}

http::Response Site::Output(Visitor* visitor, const Json& body) {
  const Json* number = FindMember(body, "number");
  auto command = number == nullptr ? std::nullopt : AsInteger(*number);
  if (!command || visitor->trace() == nullptr) {
    return Plain(409, "there is no such command");
  }
  return JsonReply({{"text", visitor->trace()->OutputOf(*command)}});
}

http::Response Site::Find(Visitor* visitor, const Json& body) {
  return JsonReply(
      {{"found", visitor->Find(TextOf(body, "text"), kMostFound)}});
}

http::Response Site::History(Visitor* visitor, const Json& body) {
  const Json* from = FindMember(body, "from");
  const Json* to = FindMember(body, "to");
  auto first = from == nullptr ? std::nullopt : AsInteger(*from);
  auto last = to == nullptr ? std::nullopt : AsInteger(*to);
  if (!first || !last) return Plain(400, "from and to are numbers of rows");
  return JsonReply(visitor->RowsAbove(*first, *last));
}

http::Response Site::Take(Visitor* visitor, const Json& body) {
  const Json* over = FindMember(body, "over");
  bool also_from_others = over != nullptr && AsBool(*over).value_or(false);
  if (visitor->watched() == nullptr) return Plain(409, "nothing is shown");
  visitor->watched()->Take(also_from_others ? uint64_t{wire::kTakeOver} : 0);
  return Done();
}

http::Response Site::Give(Visitor* visitor, const Json&) {
  if (visitor->watched() != nullptr) visitor->watched()->Give();
  return Done();
}

// Types all keys, or none if one of them is invalid.
http::Response Site::Keys(Visitor* visitor, const Json& body) {
  watch::Watched* watched = visitor->watched();
  const Json* keys = FindMember(body, "keys");
  if (watched == nullptr || !watched->mine()) {
    return Plain(409, "take the keyboard first");
  }
  if (keys == nullptr || !keys->is_array()) return Plain(400, "no keys");
  std::string bytes;
  for (const Json& key : *keys) {
    auto encoded = BytesOf(key, watched->terminal().modes());
    if (!encoded.ok()) return Plain(400, Message(encoded.status()));
    bytes += *encoded;
  }
  if (!bytes.empty()) watched->Type(bytes);
  return Done();
}

http::Response Site::Paste(Visitor* visitor, const Json& body) {
  watch::Watched* watched = visitor->watched();
  if (watched == nullptr || !watched->mine()) {
    return Plain(409, "take the keyboard first");
  }
  std::string bytes =
      terminal::EncodePaste(TextOf(body, "text"), watched->terminal().modes());
  if (!bytes.empty()) watched->Type(bytes);
  return Done();
}

// Takes the keyboard for one line. When the line is typed, the holder checks
// again whether the terminal hides it.
http::Response Site::Secret(Visitor* visitor, const Json& body) {
  watch::Watched* watched = visitor->watched();
  if (watched == nullptr) return Plain(409, "nothing is shown");
  if (TextOf(body, "prompt") != PromptOf(*watched)) {
    return Plain(409, "the program asks for something else by now");
  }
  if (!watched->mine()) watched->Take(wire::kTakeOnce);
  std::string secret = TextOf(body, "text") + "\r";
  watched->TypeSecret(secret);
  secret.assign(secret.size(), '\0');
  return Done();
}

http::Response Site::Mouse(Visitor* visitor, const Json& body) {
  static constexpr std::pair<std::string_view, terminal::MouseAction> kMoves[] =
      {{"press", terminal::MouseAction::kPress},
       {"release", terminal::MouseAction::kRelease},
       {"move", terminal::MouseAction::kMove}};
  watch::Watched* watched = visitor->watched();
  if (watched == nullptr || !watched->mine()) {
    return Plain(409, "take the keyboard first");
  }
  terminal::MouseEvent event;
  std::string action = TextOf(body, "action");
  for (auto [name, value] : kMoves) {
    if (action == name) event.action = value;
  }
  event.button = static_cast<terminal::MouseButton>(
      std::min(NumberOf(body, "button").value_or(0),
               static_cast<int>(terminal::MouseButton::kWheelRight)));
  event.row = NumberOf(body, "row").value_or(0);
  event.col = NumberOf(body, "col").value_or(0);
  event.modifiers =
      static_cast<uint8_t>(NumberOf(body, "modifiers").value_or(0) & 7);
  auto bytes = terminal::EncodeMouse(event, watched->terminal().modes());
  if (bytes.ok() && !bytes->empty()) watched->Point(*bytes);
  return Done();
}

http::Response Site::Resize(Visitor* visitor, const Json& body) {
  auto rows = NumberOf(body, "rows"), cols = NumberOf(body, "cols");
  watch::Watched* watched = visitor->watched();
  if (watched == nullptr || !watched->mine()) {
    return Plain(409, "take the keyboard first");
  }
  if (!rows || !cols) return Plain(400, "rows and cols are needed");
  watched->Resize({*rows, *cols});
  return Done();
}

const Site::ActionRow Site::kActions[] = {
    {"/api/watch", false, &Site::Watch},
    {"/api/overview", false, &Site::Overview},
    {"/api/moment", false, &Site::Moment},
    {"/api/peek", false, &Site::Peek},
    {"/api/trace", false, &Site::TraceOf},
    {"/api/output", false, &Site::Output},
    {"/api/find", false, &Site::Find},
    {"/api/history", false, &Site::History},
    {"/api/take", true, &Site::Take},
    {"/api/give", true, &Site::Give},
    {"/api/keys", true, &Site::Keys},
    {"/api/paste", true, &Site::Paste},
    {"/api/secret", true, &Site::Secret},
    {"/api/mouse", true, &Site::Mouse},
    {"/api/resize", true, &Site::Resize},
    {nullptr, false, nullptr},
};

}  // namespace glasstty::page
