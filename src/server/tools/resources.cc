// Each resource of a session is a row of kViews: the read mode that reads it,
// and the number that changes with it.
//
// Changes are polled rather than announced: notifications to subscribers are
// rate-limited anyway, comparing a few numbers costs nothing, and polling also
// notices what no session could announce, such as another session that takes
// its name.
#include "tools/resources.h"

#include <charconv>
#include <chrono>
#include <utility>

#include "base/visible.h"
#include "session/streams.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/reply.h"
#include "tools/session_words.h"

namespace glasstty {

using session::SessionManager;
using session::SessionRef;

namespace {

// This is half of the shortest time between two notifications
// (Subscriptions::kInterval), so a change is reported within three quarters of
// a second.
constexpr Duration kLookInterval = std::chrono::milliseconds(250);
// The number of lines of history that are read; usually more than fit into the
// hard limit of characters.
constexpr int64_t kHistoryLines = 10'000;
// At most this many command numbers are suggested; the protocol allows no more
// in a completion.
constexpr int64_t kCommands = 100;

// A kind of resource below term://{session}/.
struct View {
  const char* path;  // after the name; may contain {n}
  const char* name;
  const char* title;
  const char* description;
  view::ReadMode mode;
  // Increases with every change.
  uint64_t (*version)(const session::Session&);
};
constexpr View kViews[] = {
    {"screen", "screen", "Screen",
     "What a person would see now, after a line with the state.",
     view::ReadMode::kSnapshot,
     [](const session::Session& s) {
       return s.output().terminal().revision();
     }},
    {"log", "log", "Raw log", "The last bytes that were printed, escaped.",
     view::ReadMode::kRaw,
     [](const session::Session& s) { return s.output().feed().consumed(); }},
    {"history", "history", "History",
     "The lines printed so far, at most the last 48,000 characters.",
     view::ReadMode::kHistory, session::LinesRevision},
    {"command/{n}", "command", "Output of a command",
     "What the n-th command of a shell printed; -1 is the last.",
     view::ReadMode::kCommand,
     [](const session::Session& s) {
       return s.output().terminal().lines_revision();
     }},
};

// Returns the session of that name, or null. Unlike Workbench::FindSession, it
// does not count as use of the session and does not wait.
SessionRef FindByName(const SessionManager& manager, const std::string& name) {
  for (const SessionRef& session : manager.All()) {
    if (session->name() == name) return session;
  }
  return nullptr;
}

// Returns a line such as "[main] prompt bash /home/me/app".
std::string IndexLine(const session::Session& session) {
  std::string program = session.verdict().LastState().program;
  if (program.empty()) program = session.origin().program.argv[0];
  return absl::StrFormat("[%s] %s %s %s%s", session.name(), StateWord(session),
                         QuotedUnlessPlain(program), CurrentDirectory(session),
                         session::IsReplaying(session) ? kReadingNote : "");
}

std::string Index(const SessionManager& manager) {
  std::vector<std::string> lines;
  for (const SessionRef& session : manager.All()) {
    lines.push_back(IndexLine(*session));
  }
  for (const auto& elsewhere : manager.guests().elsewhere()) {
    lines.push_back(absl::StrFormat("[%s] open in another server",
                                    manager.guests().NameOf(elsewhere)));
  }
  for (const auto& left : manager.left().all()) {
    lines.push_back(
        absl::StrFormat("[%s] left: %s", left.name, DescribeLeft(left)));
  }
  // The text is never empty, because clients show it as it is.
  if (lines.empty()) return "no sessions; term_open starts one";
  return Join(lines, "\n");
}

Task<absl::StatusOr<mcp::ResourceContents>> ReadIndex(Workbench* bench,
                                                      mcp::ToolCall* call) {
  if (absl::Status s = bench->manager()->Prepare(); !s.ok()) co_return s;
  bench->manager()->left()->Adopt();
  co_await bench->AwaitReplays(call, bench->manager()->All(),
                               Workbench::kListPatience);
  mcp::ResourceContents contents;
  contents.text = Index(*bench->manager());
  co_return contents;
}

// Parses the number in a URI; returns nullopt if it is invalid.
std::optional<int64_t> ReadNumber(const std::string& text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

// `variables` is moved into the frame.
Task<absl::StatusOr<mcp::ResourceContents>> ReadView(
    Workbench* bench, const View* view, mcp::ToolCall* call,
    mcp::UriVariables variables) {
  // The URI has the unique name, but FindSession expects this client's name.
  std::string name = variables["session"];
  if (SessionRef named = FindByName(*bench->manager(), name)) {
    name = bench->clients()->NameFor(*call, *named);
  }
  ASSIGN_OR_CO_RETURN(SessionRef session,
                      co_await bench->FindSession(call, name));
  view::ReadRequest request;
  request.mode = view->mode;
  request.limits = {.max_lines = 0, .truncate = view::Truncate::kTail};
  request.from_line = -kHistoryLines;
  request.lines = kHistoryLines;
  if (view->mode == view::ReadMode::kCommand) {
    auto number = ReadNumber(variables["n"]);
    // Find() also accepts -1, for the last command. It fails for old commands,
    // whose output is no longer known.
    bool known =
        number && session->events().commands().Find(*number) != nullptr;
    if (!known) {
      co_return NotFound("no command '%s' in session '%s': %d are known",
                         variables["n"], name,
                         session->events().commands().blocks().size());
    }
    request.command = *number;
  }
  Reply reply(session);
  view::ReadResult read =
      view::ReadSession(*session, bench->MarkOf(*call, *session), request);
  mcp::ResourceContents contents;
  contents.text = "\n" + read.body;
  reply.SetRead(std::move(read));
  // The header includes facts of the reading, so it is built after SetRead.
  contents.text.insert(0, reply.Header());
  co_return contents;
}

std::vector<std::string> CompleteCommand(const SessionManager& manager,
                                         const std::string& typed,
                                         const std::string& name) {
  std::vector<std::string> numbers;
  SessionRef session = FindByName(manager, name);
  if (session == nullptr) return numbers;
  int64_t last = session->events().commands().started();
  for (int64_t n = last; n > std::max<int64_t>(0, last - kCommands); --n) {
    std::string number = absl::StrFormat("%d", n);
    if (number.substr(0, typed.size()) == typed) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

std::vector<std::string> CompleteSession(Workbench* bench,
                                         const std::string& typed) {
  std::vector<std::string> names;
  if (!bench->manager()->Prepare().ok()) return names;
  for (const SessionRef& session : bench->manager()->All()) {
    const std::string& name = session->name();
    if (name.substr(0, typed.size()) == typed) names.push_back(name);
  }
  return names;
}

SessionResources::SessionResources(Workbench* bench)
    : bench_(bench), timer_(bench->loop(), [this] { LookAtAll(); }) {}

std::vector<mcp::Resource> SessionResources::Rows() {
  std::vector<mcp::Resource> rows;
  Workbench* bench = bench_;
  mcp::Resource index;
  index.uri = "term://sessions";
  index.name = "sessions";
  index.title = "Terminals";
  index.description = "The sessions and their states, one per line.";
  index.read = [bench](mcp::ToolCall* call, const mcp::UriVariables&) {
    return ReadIndex(bench, call);
  };
  index.watch = [this](const mcp::UriVariables&,
                       std::function<void()> changed) {
    return Watch([this] { return Index(*bench_->manager()); },
                 std::move(changed));
  };
  rows.push_back(std::move(index));

  for (const View& view : kViews) {
    mcp::Resource row;
    row.uri = absl::StrFormat("term://{session}/%s", view.path);
    row.name = view.name;
    row.title = view.title;
    row.description = view.description;
    const View* v = &view;
    row.read = [bench, v](mcp::ToolCall* call, mcp::UriVariables variables) {
      return ReadView(bench, v, call, std::move(variables));
    };
    row.watch = [this, v](const mcp::UriVariables& variables,
                          std::function<void()> changed) -> mcp::Watching {
      std::string name = variables.at("session");
      SessionManager* manager = bench_->manager();
      bool there =
          manager->Prepare().ok() && FindByName(*manager, name) != nullptr;
      if (!there) return nullptr;
      // The id distinguishes sessions of the same name, and the state is
      // included because it has no revision.
      return Watch(
          [manager, v, name] {
            SessionRef session = FindByName(*manager, name);
            if (session == nullptr) return std::string("gone");
            return absl::StrFormat("%s %d %s", session->origin().id,
                                   v->version(*session), StateWord(*session));
          },
          std::move(changed));
    };
    row.complete["session"] = [bench](const std::string& typed,
                                      const mcp::StringMap&) {
      return CompleteSession(bench, typed);
    };
    rows.push_back(std::move(row));
  }
  // The last view is the one with {n}.
  rows.back().complete["n"] = [bench](const std::string& typed,
                                      const mcp::StringMap& others) {
    auto session = others.find("session");
    return CompleteCommand(*bench->manager(), typed,
                           session == others.end() ? "" : session->second);
  };
  return rows;
}

// The result removes its look from the list when its last copy is destroyed.
mcp::Watching SessionResources::Watch(Fingerprint fingerprint,
                                      std::function<void()> changed) {
  std::string now = fingerprint();
  auto look = looks_.insert(looks_.end(), {std::move(fingerprint),
                                           std::move(now), std::move(changed)});
  if (!timer_.armed()) timer_.SetAfter(kLookInterval);
  return {this, [look](void* self) {
            static_cast<SessionResources*>(self)->looks_.erase(look);
          }};
}

void SessionResources::LookAtAll() {
  for (Look& look : looks_) {
    std::string now = look.fingerprint();
    if (std::exchange(look.last, now) != now) look.changed();
  }
  if (!looks_.empty()) timer_.SetAfter(kLookInterval);
}

}  // namespace glasstty
