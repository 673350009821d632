#include "page/visitor.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "http/guard.h"
#include "observe/screen_json.h"
#include "record/recording.h"
#include "support/status.h"

namespace glasstty::page {
namespace {

using std::chrono::milliseconds;

constexpr Duration kFrameGap = milliseconds(33);
// After output or a key: what does the program wait for now?
constexpr Duration kProbeGap = milliseconds(150);
// A browser behind a proxy would take a silent stream for a dead one, and a
// dead one is noticed by writing only.
constexpr Duration kIdleProbe = std::chrono::seconds(2);
// Of a line that was found, in bytes: a line can be a megabyte.
constexpr size_t kShownBefore = 80;
constexpr size_t kShownOfLine = 400;

std::string Around(std::string_view line, size_t at) {
  size_t skipped =
      Utf8Prefix(line, at > kShownBefore ? at - kShownBefore : 0).size();
  line.remove_prefix(skipped);
  std::string_view shown = Utf8Prefix(line, kShownOfLine);
  return absl::StrFormat("%s%s%s", skipped > 0 ? "\u2026" : "", shown,
                         shown.size() < line.size() ? "\u2026" : "");
}

}  // namespace

Visitor::Visitor(Loop* loop, const SessionList* list,
                 std::unique_ptr<http::ResponseStream> stream,
                 std::function<void()> gone)
    : loop_(loop),
      list_(list),
      stream_(std::move(stream)),
      id_(http::NewSecret()),
      frame_(loop, [this] { SendFrame(); }),
      probe_(loop,
             [this] {
               if (watched_) watched_->Probe();
               Send({{"t", "alive"}});
               probe_.SetAfter(kIdleProbe);
             }),
      last_frame_(loop->Now() - kFrameGap) {
  stream_->OnChange([this, gone = std::move(gone)] {
    if (stream_->closed()) return gone();
    frame_.Set(std::max(loop_->Now(), last_frame_ + kFrameGap));
  });
  Send({{"t", "hello"}, {"page", id_}});
  probe_.SetAfter(kIdleProbe);
}

Visitor::~Visitor() = default;

void Visitor::Send(const Json& message) {
  stream_->Send(DumpJson(message) + "\n");
}

void Visitor::TellList() {
  list_due_ = true;
  Changed();
}

absl::Status Visitor::Watch(const std::string& session) {
  std::string path = list_->PathOf(session);
  if (path.empty()) return NotFound("there is no session %s", session);
  ASSIGN_OR_RETURN(record::RecordedSession recorded,
                   record::FindRecorded(path));
  past_.reset();
  in_past_ = false;
  shown_.reset();
  facts_ = Json();
  ASSIGN_OR_RETURN(watched_,
                   watch::Watched::Open(loop_, std::move(recorded), "view"));
  watched_->OnChange([this] { Changed(); });
  Changed();
  return absl::OkStatus();
}

void Visitor::ShowMoment(std::optional<double> seconds) {
  if (!watched_) return;
  in_past_ = seconds.has_value();
  if (!in_past_) return Changed();
  if (!past_) past_ = std::make_unique<watch::Past>(loop_, watched_.get());
  past_ready_ = false;
  past_->Show(*seconds, [this] {
    past_ready_ = true;
    Changed();
  });
}

double Visitor::Length() {
  if (!watched_) return 0;
  if (!past_) past_ = std::make_unique<watch::Past>(loop_, watched_.get());
  return past_->Length();
}

Json Visitor::Find(const std::string& text, size_t most) const {
  Json found = Json::array();
  if (!watched_ || text.empty()) return found;
  const terminal::Terminal& terminal = watched_->terminal();
  std::vector<terminal::Line> lines =
      terminal.Lines(terminal.first_line(), terminal.end_line());
  std::string wanted = absl::AsciiStrToLower(text);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (found.size() == most) break;
    size_t at = absl::AsciiStrToLower(line->text).find(wanted);
    if (at == std::string::npos) continue;
    found.push_back({{"line", line->number}, {"text", Around(line->text, at)}});
  }
  return found;
}

// The first change after a pause is shown at once.
void Visitor::Changed() {
  if (!frame_.armed()) {
    frame_.Set(std::max(loop_->Now(), last_frame_ + kFrameGap));
  }
}

observe::Frame Visitor::FrameNow() const {
  return observe::TakeFrame(in_past_ ? past_->terminal()
                                     : watched_->terminal());
}

// While the browser takes the last one, its end brings us back.
void Visitor::SendFrame() {
  if (!stream_->idle() || stream_->closed()) return;
  if (list_due_) Send({{"t", "list"}, {"sessions", list_->json()}});
  list_due_ = false;
  if (!watched_) return;
  last_frame_ = loop_->Now();
  bool ready = in_past_ ? past_ready_ : watched_->caught_up() || shown_;
  if (ready) {
    observe::Frame now = FrameNow();
    Json screen = observe::ScreenJson(shown_ ? &*shown_ : nullptr, now);
    if (!screen.empty()) {
      Send(screen);
      if (!in_past_) {
        probe_.Set(loop_->Now() + kProbeGap);
      }
    }
    shown_ = std::move(now);
  }
  SendFacts();
}

void Visitor::SendFacts() {
  const watch::Watched& session = *watched_;
  session::SessionState state = session.state();
  Json facts = {{"t", "facts"},
                {"id", session.origin().id},
                {"name", session.origin().name},
                {"state", session::ActivityName(state.activity)},
                {"program", state.program},
                {"title", session.terminal().title()},
                {"can_type", session.can_type()},
                {"held", session.held()},
                {"mine", session.mine()},
                {"holder", session.held() ? session.lease().label : ""},
                {"asked", session.asked()},
                {"refused", session.refused()},
                {"past", in_past_}};
  if (session.exited())
    facts["exit"] = session::ExitText(session.exit_status());
  if (facts == facts_) return;
  Send(facts);
  facts_ = std::move(facts);
}

}  // namespace glasstty::page
