#include "mcp/toy.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "mcp/ask.h"
#include "mcp/nap.h"

namespace glasstty::testing {
namespace {

struct EchoArgs {
  std::string text = "nothing";
  static const std::vector<mcp::Field<EchoArgs>>& Fields() {
    static const auto* fields = new std::vector<mcp::Field<EchoArgs>>{
        mcp::Optional("text", &EchoArgs::text, "What to say.")};
    return *fields;
  }
};

Task<mcp::ToolResult> Echo(ToyWorld*, mcp::ToolCall*, EchoArgs args) {
  co_return args.text;
}

struct WaitArgs {
  double seconds = 0;
  static const std::vector<mcp::Field<WaitArgs>>& Fields() {
    static const auto* fields =
        new std::vector<mcp::Field<WaitArgs>>{mcp::Required(
            "seconds", &WaitArgs::seconds, "How long.", mcp::Range{0, 3600})};
    return *fields;
  }
};

Task<mcp::ToolResult> Wait(ToyWorld* world, mcp::ToolCall* call,
                           WaitArgs args) {
  ++world->started;
  Time end =
      world->loop->Now() + std::chrono::duration_cast<Duration>(
                               std::chrono::duration<double>(args.seconds));
  bool cancelled = false;
  while (!cancelled && world->loop->Now() < end) {
    Time next =
        call->wants_progress()
            ? std::min(end, world->loop->Now() + std::chrono::milliseconds(250))
            : end;
    ++world->waiting;
    cancelled = co_await Nap(world->loop, call, next);
    --world->waiting;
    call->Progress("waiting");
  }
  mcp::ToolResult result(cancelled ? "cancelled" : "done");
  result.on_sent = [world] { ++world->marks_read; };
  co_return result;
}

struct NoArgs {
  static const std::vector<mcp::Field<NoArgs>>& Fields() {
    static const auto* fields = new std::vector<mcp::Field<NoArgs>>;
    return *fields;
  }
};

Task<mcp::ToolResult> Fail(ToyWorld*, mcp::ToolCall*, NoArgs) {
  co_return absl::NotFoundError("no session 'x'; open: main");
}

struct FloodArgs {
  int bytes = 1000;
  static const std::vector<mcp::Field<FloodArgs>>& Fields() {
    static const auto* fields = new std::vector<mcp::Field<FloodArgs>>{
        mcp::Optional("bytes", &FloodArgs::bytes, "Size.", mcp::Range{0, 1e7})};
    return *fields;
  }
};

Task<mcp::ToolResult> Flood(ToyWorld* world, mcp::ToolCall*, FloodArgs args) {
  mcp::ToolResult result(std::string(static_cast<size_t>(args.bytes), 'x'));
  result.on_sent = [world] { ++world->marks_read; };
  co_return result;
}

Task<mcp::ToolResult> Facts(ToyWorld*, mcp::ToolCall* call, NoArgs) {
  mcp::ToolResult result(std::string(call->context().version()));
  result.structured = Json{{"answer", 42}};
  result.meta["glasstty/revision"] = 7;
  result.more_content.push_back(
      {{"type", "resource_link"}, {"uri", "toy://1"}, {"name", "one"}});
  co_return result;
}

struct EraseArgs {
  std::string what;
  static const std::vector<mcp::Field<EraseArgs>>& Fields() {
    static const auto* fields = new std::vector<mcp::Field<EraseArgs>>{
        mcp::Required("what", &EraseArgs::what, "What to erase.")};
    return *fields;
  }
};

Task<mcp::ToolResult> Erase(ToyWorld* world, mcp::ToolCall* call,
                            EraseArgs args) {
  ++world->runs;
  mcp::YesOrNo question;
  question.message = "Erase " + args.what + "?";
  question.title = "Erase?";
  question.description = args.what;
  mcp::Consent consent = co_await mcp::Confirm(call, std::move(question));
  switch (consent) {
    case mcp::Consent::kYes:
      ++world->erased;
      co_return "erased " + args.what;
    case mcp::Consent::kNo:
      co_return "the user said no";
    case mcp::Consent::kDismissed:
      co_return "the user did not say";
    case mcp::Consent::kUnavailable:
      co_return "nobody to ask";
    case mcp::Consent::kLater:
      break;
  }
  co_return "dropped";
}

// Returns "First Last", each of which is asked for by itself.
Task<mcp::ToolResult> Name(ToyWorld*, mcp::ToolCall* call, NoArgs) {
  std::string name;
  for (const char* part : {"first", "last"}) {
    mcp::Form form;
    form.key = part;
    form.message = part;
    form.properties["name"] = {{"type", "string"}};
    mcp::FormAnswer answer = co_await mcp::AskUser(call, std::move(form));
    if (answer.consent == mcp::Consent::kLater) co_return mcp::ToolResult();
    name += AsString(answer.content["name"]).value_or("?") + " ";
  }
  co_return name;
}

Task<absl::StatusOr<mcp::ResourceContents>> ReadText(ToyWorld* world,
                                                     std::string name) {
  auto found = world->texts.find(name);
  if (found == world->texts.end()) {
    co_return absl::NotFoundError("no text '" + name + "'; there are: one");
  }
  mcp::ResourceContents contents;
  contents.text = found->second;
  co_return contents;
}

Task<absl::StatusOr<mcp::ResourceContents>> ReadIndex(ToyWorld* world) {
  mcp::ResourceContents contents;
  for (const auto& [name, text] : world->texts) contents.text += name + "\n";
  co_return contents;
}

std::vector<std::string> NamesThatBegin(const ToyWorld& world,
                                        const std::string& typed) {
  std::vector<std::string> names;
  for (const auto& [name, text] : world.texts) {
    if (name.substr(0, typed.size()) == typed) names.push_back(name);
  }
  return names;
}

// Stops watching when the last copy of the result is destroyed.
mcp::Watching WatchText(ToyWorld* world, const std::string& name,
                        std::function<void()> changed) {
  if (!world->texts.contains(name)) return nullptr;
  world->watched[name] = std::move(changed);
  return {world,
          [name](void* w) { static_cast<ToyWorld*>(w)->watched.erase(name); }};
}

std::vector<mcp::Resource> ToyResources(ToyWorld* world) {
  mcp::Resource index;
  index.uri = "toy://index";
  index.name = "index";
  index.title = "Index";
  index.description = "What there is.";
  index.read = [world](mcp::ToolCall*, mcp::UriVariables) {
    return ReadIndex(world);
  };
  mcp::Resource text;
  text.uri = "toy://{name}/text";
  text.name = "text";
  text.read = [world](mcp::ToolCall*, mcp::UriVariables variables) {
    return ReadText(world, variables["name"]);
  };
  text.watch = [world](const mcp::UriVariables& variables,
                       std::function<void()> changed) {
    return WatchText(world, variables.at("name"), std::move(changed));
  };
  text.complete["name"] = [world](const std::string& typed,
                                  const mcp::StringMap&) {
    return NamesThatBegin(*world, typed);
  };
  return {index, text};
}

Task<absl::StatusOr<Json>> Greet(mcp::StringMap arguments) {
  if (arguments["name"].empty()) {
    co_return absl::InvalidArgumentError("name must not be empty");
  }
  co_return Json::array({mcp::UserMessage("Greet " + arguments["name"])});
}

std::vector<mcp::Prompt> ToyPrompts(ToyWorld* world) {
  mcp::Prompt greet;
  greet.name = "greet";
  greet.title = "Greet";
  greet.description = "Greets somebody.";
  auto names = [world](const std::string& typed, const mcp::StringMap&) {
    return NamesThatBegin(*world, typed);
  };
  greet.arguments = {{"name", "Whom.", true, names}, {"mood", "How."}};
  greet.get = [](mcp::ToolCall*, mcp::StringMap arguments) {
    return Greet(std::move(arguments));
  };
  return {greet};
}

mcp::Catalog WithTools(mcp::Catalog catalog, std::vector<mcp::Tool> more) {
  for (mcp::Tool& tool : more) catalog.tools.push_back(std::move(tool));
  return catalog;
}

}  // namespace

void ToyWorld::Write(const std::string& name, const std::string& text) {
  texts[name] = text;
  if (auto found = watched.find(name); found != watched.end()) found->second();
}

bool ToyTransport::SendLine(std::string line) {
  if (broken) return false;
  auto json = ParseJson(line);
  sent.push_back(json.ok() ? *std::move(json) : Json(line));
  return true;
}

std::vector<mcp::Tool> ToyTools(ToyWorld* world) {
  mcp::Annotations read_only{true, false, true, false};
  std::vector<mcp::Tool> tools;
  tools.push_back(mcp::MakeTool<EchoArgs>(
      world, {"echo", "Echo", "Says it.", read_only, true}, Echo));
  tools.push_back(mcp::MakeTool<WaitArgs>(
      world, {"wait", "Wait", "Waits.", read_only, false}, Wait));
  tools.push_back(mcp::MakeTool<NoArgs>(
      world, {"fail", "Fail", "Fails.", {}, false}, Fail));
  tools.push_back(mcp::MakeTool<FloodArgs>(
      world, {"flood", "Flood", "Says much.", {}, false}, Flood));
  tools.push_back(mcp::MakeTool<NoArgs>(
      world, {"facts", "Facts", "Tells.", {}, false}, Facts));
  tools.push_back(
      mcp::MakeTool<EraseArgs>(world, {"erase", "Erase", "Erases."}, Erase));
  tools.push_back(
      mcp::MakeTool<NoArgs>(world, {"name", "Name", "Asks."}, Name));
  return tools;
}

mcp::Catalog ToyCatalog(ToyWorld* world) {
  return {.tools = ToyTools(world),
          .resources = ToyResources(world),
          .prompts = ToyPrompts(world)};
}

ToyServer::ToyServer(std::vector<mcp::Tool> more)
    : server(&loop, {"toy", "1.2", "Toy", "Play."},
             WithTools(ToyCatalog(&world), std::move(more))),
      connection(server.Connect(&transport)) {}

ToyServer::~ToyServer() {
  server.Shutdown();
  loop.RunReady();
}

void ToyServer::Send(std::string_view line) {
  server.Receive(connection, line);
  loop.RunReady();
}

void ToyServer::Request(const Json& id, const std::string& method,
                        Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  message["params"] = std::move(params);
  SendJson(message);
}

void ToyServer::Call(const Json& id, const std::string& tool, Json arguments,
                     Json meta) {
  Json params = {{"name", tool}, {"arguments", std::move(arguments)}};
  if (!meta.is_null()) params["_meta"] = std::move(meta);
  Request(id, "tools/call", std::move(params));
}

void ToyServer::Cancel(const Json& id) {
  SendJson(
      mcp::MakeNotification("notifications/cancelled", {{"requestId", id}}));
}

void ToyServer::Initialize(const std::string& version, Json capabilities) {
  Json params = {{"protocolVersion", version}};
  params["capabilities"] = std::move(capabilities);
  Request("init " + version, "initialize", std::move(params));
}

void ToyServer::Respond(const Json& id, Json result) {
  SendJson(mcp::MakeReply(id, std::move(result)));
}

void ToyServer::Advance(Duration by) {
  clock.Advance(by);
  loop.RunReady();
}

size_t ToyServer::CountOf(const Json& id) const {
  size_t count = 0;
  for (const Json& message : transport.sent) {
    const Json* found = FindMember(message, "id");
    count += found != nullptr && *found == id;
  }
  return count;
}

Json ToyServer::ReplyTo(const Json& id) const {
  if (CountOf(id) != 1) return Json();
  for (const Json& message : transport.sent) {
    const Json* found = FindMember(message, "id");
    if (found != nullptr && *found == id) return message;
  }
  return Json();
}

std::string ToyServer::TextOf(const Json& id) const {
  Json reply = ReplyTo(id);
  const Json* result = FindMember(reply, "result");
  if (result == nullptr) return "";
  const Json* content = FindMember(*result, "content");
  if (content == nullptr || content->empty()) return "";
  return AsString((*content)[0].value("text", Json())).value_or("");
}

int ToyServer::ErrorOf(const Json& id) const {
  int code = 0;
  for (const Json& message : transport.sent) {
    const Json* error = FindMember(message, "error");
    const Json* found = FindMember(message, "id");
    bool wanted =
        id.is_null() ? found == nullptr : found != nullptr && *found == id;
    if (wanted && error != nullptr) code = error->value("code", 0);
  }
  return code;
}

std::vector<Json> ToyServer::Notifications(std::string_view method) const {
  std::vector<Json> found;
  for (const Json& message : transport.sent) {
    const Json* name = FindMember(message, "method");
    if (name != nullptr && *name == std::string(method)) {
      found.push_back(message.value("params", Json()));
    }
  }
  return found;
}

Json Envelope(const std::string& version, Json capabilities) {
  Json meta = {{"io.modelcontextprotocol/protocolVersion", version}};
  meta["io.modelcontextprotocol/clientCapabilities"] = std::move(capabilities);
  meta["io.modelcontextprotocol/clientInfo"] = {{"name", "toy-client"},
                                                {"version", "9"}};
  return meta;
}

Json ModernParams(Json params) {
  params["_meta"] = Envelope();
  return params;
}

}  // namespace glasstty::testing
