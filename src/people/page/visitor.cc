#include "page/visitor.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "http/guard.h"
#include "observe/screen_json.h"
#include "page/palette.h"
#include "record/recording.h"
#include "support/status.h"

namespace glasstty::page {
namespace {

using std::chrono::milliseconds;

constexpr Duration kFrameGap = milliseconds(33);
// The time from a change of the screen to a query of what the program waits
// for.
constexpr Duration kProbeGap = milliseconds(150);
// The interval of writes to an idle stream: a proxy may consider a silent
// stream dead, and only writing reveals that a stream is dead.
constexpr Duration kIdleProbe = std::chrono::seconds(2);
// At most kShownOfLine bytes of a found line are shown, from kShownBefore bytes
// before the match on, because a line may be a megabyte long.
constexpr size_t kShownBefore = 80;
constexpr size_t kShownOfLine = 400;
// The maximum number of rows above the screen in one answer, and of columns in
// a row (terminal::CheckSize).
constexpr int64_t kMostRows = 500;
constexpr int kMostColumns = 1000;

bool LookTheSame(const terminal::SnapshotRow& a,
                 const terminal::SnapshotRow& b) {
  return a.text == b.text && a.styles == b.styles && a.joints == b.joints &&
         a.wrapped == b.wrapped;
}

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
                 std::unique_ptr<http::ResponseStream> stream, Json welcome,
                 std::function<void()> gone)
    : loop_(loop),
      list_(list),
      stream_(std::move(stream)),
      id_(http::NewSecret()),
      gallery_(loop, list, [this] { Changed(); }),
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
  welcome["t"] = "hello";
  welcome["page"] = id_;
  welcome["palette"] = PaletteJson();
  Send(welcome);
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
  peek_.reset();
  trace_.reset();
  in_past_ = false;
  shown_.reset();
  facts_ = Json();
  ASSIGN_OR_RETURN(watched_,
                   watch::Watched::Open(loop_, std::move(recorded), "view"));
  session_ = session;
  trace_ = std::make_unique<Trace>(watched_.get());
  watched_->OnChange([this] { Changed(); });
  Changed();
  return absl::OkStatus();
}

void Visitor::ShowMoment(std::optional<double> seconds) {
  if (!watched_) return;
  // The rows of an earlier moment have other numbers, so send all rows.
  if (in_past_ != seconds.has_value()) shown_.reset();
  in_past_ = seconds.has_value();
  if (!in_past_) return Changed();
  if (!past_) past_ = std::make_unique<watch::Past>(loop_, watched_.get());
  past_ready_ = false;
  past_->Show(*seconds, [this] {
    past_ready_ = true;
    Changed();
  });
}

void Visitor::Peek(double seconds) {
  if (!watched_) return;
  if (!peek_) peek_ = std::make_unique<watch::Past>(loop_, watched_.get());
  peek_->Show(seconds, [this] {
    Json screen =
        observe::ScreenJson(nullptr, observe::TakeFrame(peek_->terminal()));
    screen["t"] = "peek";
    Send(screen);
  });
}

Json Visitor::Length() {
  if (!watched_) return {{"length", 0}, {"age", 0}};
  if (!past_) past_ = std::make_unique<watch::Past>(loop_, watched_.get());
  return {{"length", past_->Length()}, {"age", past_->Age()}};
}

Json Visitor::Find(const std::string& text, size_t most) const {
  Json found = Json::array();
  if (!watched_ || text.empty()) return found;
  const terminal::Terminal& terminal = this->terminal();
  std::vector<terminal::Line> lines =
      terminal.Lines(terminal.first_line(), terminal.end_line());
  std::string wanted = absl::AsciiStrToLower(text);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (found.size() == most) break;
    size_t at = absl::AsciiStrToLower(line->text).find(wanted);
    if (at == std::string::npos) continue;
    found.push_back({{"row", terminal.RowOf(line->number)},
                     {"text", Around(line->text, at)}});
  }
  return found;
}

Json Visitor::RowsAbove(int64_t from, int64_t to) const {
  Json above = {{"from", from}, {"rows", Json::array()}};
  bool ready = watched_ && (!in_past_ || past_ready_);
  if (!ready) return above;
  from = std::max(from, terminal().first_row());
  to = std::min(to, from + kMostRows);
  above["from"] = from;
  above["wrapped"] = Json::array();
  for (const terminal::SnapshotRow& row : terminal().RowsAbove(from, to)) {
    if (row.wrapped) above["wrapped"].push_back(from);
    above["rows"].push_back(observe::RowJson(row, kMostColumns));
    ++from;
  }
  return above;
}

// The first change after a pause is shown at once.
void Visitor::Changed() {
  if (!frame_.armed()) {
    frame_.Set(std::max(loop_->Now(), last_frame_ + kFrameGap));
  }
}

const terminal::Terminal& Visitor::terminal() const {
  return in_past_ ? past_->terminal() : watched_->terminal();
}

observe::Frame Visitor::FrameNow() const {
  return observe::TakeFrame(terminal());
}

// A row may have changed before it left the screen, so it is compared with the
// page's copy of it.
Json Visitor::FollowRows() {
  Json left = Json::object();
  const terminal::Terminal& now = terminal();
  int64_t moved = now.top_row() - shown_top_;
  if (!shown_ || moved == 0) return left;
  auto rows = static_cast<int64_t>(shown_->rows.size());
  bool is_same_screen = !shown_->modes.alternate_screen &&
                        !now.modes().alternate_screen &&
                        shown_->size == now.size();
  if (moved < 0 || !is_same_screen) {
    shown_.reset();
    return left;
  }
  int64_t gone = std::min(moved, rows);
  int64_t first = std::max(shown_top_, now.first_row());
  left = RowsAbove(first, shown_top_ + gone);
  std::vector<terminal::SnapshotRow> above =
      now.RowsAbove(first, shown_top_ + gone);
  for (size_t i = 0; i < above.size(); ++i) {
    auto before = static_cast<size_t>(first - shown_top_) + i;
    if (LookTheSame(above[i], shown_->rows[before])) left["rows"][i] = nullptr;
  }
  auto begin = shown_->rows.begin();
  shown_->rows.erase(begin, begin + gone);
  shown_->rows.resize(static_cast<size_t>(rows));
  // Force a message even if the new screen looks like the old one.
  shown_->cursor.row = -1;
  return left;
}

void Visitor::SendScreen() {
  const terminal::Terminal& now = terminal();
  // After a switch of screens, send the whole screen.
  bool is_other =
      shown_ && shown_->modes.alternate_screen != now.modes().alternate_screen;
  if (is_other) shown_.reset();
  Json left = FollowRows();
  observe::Frame frame = FrameNow();
  Json screen = observe::ScreenJson(shown_ ? &*shown_ : nullptr, frame);
  shown_ = std::move(frame);
  shown_top_ = now.top_row();
  if (screen.empty()) return;
  if (!left.empty()) screen["left"] = std::move(left);
  screen["top"] = shown_top_;
  screen["first"] = now.first_row();
  screen["alternate"] = now.modes().alternate_screen;
  Send(screen);
  if (!in_past_) probe_.Set(loop_->Now() + kProbeGap);
}

// Sends nothing while the browser is still receiving the last frame; OnChange
// of the stream then calls this again.
void Visitor::SendFrame() {
  if (!stream_->idle() || stream_->closed()) return;
  if (list_due_) {
    Send({{"t", "list"},
          {"now_ms", WallMilliseconds()},
          {"sessions", list_->json()}});
  }
  list_due_ = false;
  last_frame_ = loop_->Now();
  if (Json screens = gallery_.TakeChanges(); !screens.empty()) {
    Send({{"t", "thumbnails"}, {"screens", std::move(screens)}});
  }
  if (!watched_) return;
  bool ready = in_past_ ? past_ready_ : watched_->caught_up() || shown_;
  if (ready) SendScreen();
  SendFacts();
}

std::string PromptOf(const watch::Watched& session) {
  if (session.state().activity != session::Activity::kSecret) return "";
  const terminal::Terminal& terminal = session.terminal();
  return absl::StrFormat("%d:%d", terminal.cursor_line(),
                         terminal.cursor_line_bytes());
}

void Visitor::SendFacts() {
  const watch::Watched& session = *watched_;
  session::SessionState state = session.state();
  Json facts = {{"t", "facts"},
                {"id", session_},
                {"name", session.origin().name},
                {"state", session::ActivityName(state.activity)},
                {"program", state.program},
                {"title", session.terminal().title()},
                {"can_type", session.can_type()},
                {"away", session.away()},
                {"held", session.held()},
                {"mine", session.mine()},
                {"holder", session.held() ? session.lease().label : ""},
                {"asked", session.asked()},
                {"refused", session.refused()},
                {"past", in_past_}};
  facts["prompt"] = PromptOf(session);
  if (session.exited())
    facts["exit"] = session::ExitText(session.exit_status());
  if (facts == facts_) return;
  Send(facts);
  facts_ = std::move(facts);
}

}  // namespace glasstty::page
