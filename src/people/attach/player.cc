#include "attach/player.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "attach/status_text.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::attach {
namespace {

using std::chrono::microseconds;

constexpr double kSlowest = 1.0 / 8, kFastest = 128;
constexpr int64_t kJump_us = 5'000'000;
// The interval at which the clock in the status line is updated; it shows
// seconds.
constexpr Duration kTick = std::chrono::milliseconds(250);
// A window with fewer columns has a shorter status line.
constexpr int kNarrowPlayer = 60;

}  // namespace

// Each row is a command with its keys.
struct Player::Command {
  std::vector<std::string_view> keys;
  void (*run)(Player*);
  const char* help;  // fits a window of 40 columns; "": see another row
};
const Player::Command Player::kCommands[] = {
    {{" "}, [](Player* p) { p->TogglePause(); }, "Space   pause, go on"},
    {{"+", "=", ">"},
     [](Player* p) { p->SetSpeed(p->speed_ * 2); },
     "+ -     faster, slower"},
    {{"-", "<"}, [](Player* p) { p->SetSpeed(p->speed_ / 2); }, ""},
    {{"\x1b[D", "\x1bOD"},
     [](Player* p) { p->SeekBy(-kJump_us); },
     "arrows  5 seconds back, ahead"},
    {{"\x1b[C", "\x1bOC"}, [](Player* p) { p->SeekBy(kJump_us); }, ""},
    {{"0", "g", "\x1b[H", "\x1b[1~", "\x1bOH"},
     [](Player* p) { p->Seek(0); },
     "g G     to the beginning, the end"},
    {{"G", "\x1b[F", "\x1b[4~", "\x1bOF"},
     [](Player* p) { p->Seek(p->reel_.length_us()); },
     ""},
    {{"."}, [](Player* p) { p->Step(); }, ".       one change ahead"},
    {{"h"},
     [](Player* p) { p->stage_.glass().Pan(0, -1); },
     "h j k l move over a larger screen"},
    {{"l"}, [](Player* p) { p->stage_.glass().Pan(0, 1); }, ""},
    {{"k"}, [](Player* p) { p->stage_.glass().Pan(-1, 0); }, ""},
    {{"j"}, [](Player* p) { p->stage_.glass().Pan(1, 0); }, ""},
    {{"?"}, [](Player* p) { p->is_helping_ = true; }, "?       this list"},
    {{"q", "\x1b", "\x03"},
     [](Player* p) { p->Leave("left at " + ClockText(p->Position())); },
     "q       leave"},
};

absl::StatusOr<std::unique_ptr<Player>> Player::Start(Loop* loop,
                                                      OuterTerminal* outer,
                                                      Reel reel, double speed) {
  ASSIGN_OR_RETURN(auto terminal, reel.begin());
  return std::unique_ptr<Player>(
      new Player(loop, outer, std::move(reel), speed, std::move(terminal)));
}

Player::Player(Loop* loop, OuterTerminal* outer, Reel reel, double speed,
               std::unique_ptr<terminal::Terminal> terminal)
    : loop_(loop),
      reel_(std::move(reel)),
      terminal_(std::move(terminal)),
      since_(loop->Now()),
      speed_(std::clamp(speed, kSlowest, kFastest)),
      timer_(loop, [this] { Advance(); }),
      stage_(loop, outer,
             {.key =
                  [this](const TypedKey& key) {
                    if (key.kind == TypedKey::Kind::kKey) OnKey(key.bytes);
                  },
              .paint = [this] { return Paint(); },
              .end = [this](std::string why) { Leave(std::move(why)); },
              .stopped = [this] { Play(false); }}) {
  Advance();
}

// ---- Keys ----

void Player::OnKey(const std::string& key) {
  stage_.SchedulePaint();
  if (std::exchange(is_helping_, false)) return;
  for (const Command& command : kCommands) {
    if (std::ranges::find(command.keys, key) == command.keys.end()) continue;
    return command.run(this);
  }
}

void Player::Leave(std::string farewell) {
  farewell_ = std::move(farewell);
  loop_->Stop();
}

void Player::TogglePause() {
  if (AtEnd()) {
    Seek(0);
    return Play(true);
  }
  Play(!plays_);
}

void Player::Play(bool plays) {
  position_ = Position();
  since_ = loop_->Now();
  plays_ = plays;
  Advance();
}

void Player::SetSpeed(double speed) {
  position_ = Position();
  since_ = loop_->Now();
  speed_ = std::clamp(speed, kSlowest, kFastest);
  Advance();
}

// The terminal cannot go back, so for an earlier moment the recording is played
// from the beginning.
void Player::Seek(int64_t us) {
  us = std::clamp<int64_t>(us, 0, reel_.length_us());
  if (us < Position()) {
    auto again = reel_.begin();
    if (!again.ok()) return Leave(Message(again.status()));
    terminal_ = *std::move(again);
    next_ = 0;
  }
  position_ = us;
  since_ = loop_->Now();
  // After going back from the end, continue to play.
  Feed(us);
  Advance();
}

void Player::Step() {
  Play(false);
  if (!AtEnd()) Seek(reel_.events[next_].us);
}

// ---- The recording's time ----

int64_t Player::Position() const {
  if (!plays_) return position_;
  auto passed =
      std::chrono::duration_cast<microseconds>(loop_->Now() - since_).count();
  double played = static_cast<double>(passed) * speed_;
  return std::min(position_ + static_cast<int64_t>(played), reel_.length_us());
}

void Player::Feed(int64_t until_us) {
  for (; !AtEnd() && reel_.events[next_].us <= until_us; ++next_) {
    const record::CastEvent& event = reel_.events[next_];
    if (event.type == record::CastEvent::Type::kOutput) {
      terminal_->Feed(event.data);
    } else if (event.type == record::CastEvent::Type::kResize) {
      // Ignore sizes that a terminal cannot have.
      (void)terminal_->Resize(event.size);
    }
    terminal_->TakeEvents();
  }
}

// Feeds the events that are due, and sets the timer for the next one.
void Player::Advance() {
  Feed(Position());
  stage_.SchedulePaint();
  if (!plays_ || AtEnd()) return timer_.Clear();
  double wait = static_cast<double>(reel_.events[next_].us - Position());
  Duration due = microseconds(static_cast<int64_t>(wait / speed_) + 1);
  timer_.SetAfter(std::min(due, kTick));
}

// ---- The picture ----

std::string Player::Paint() {
  StatusLine status{.text = StatusText()};
  Glass& glass = stage_.glass();
  return is_helping_ ? glass.ShowPage(HelpLines(), status)
                     : glass.ShowLive(*terminal_, false, status, loop_->Now());
}

std::vector<std::string> Player::HelpLines() const {
  std::vector<std::string> lines;
  for (const Command& command : kCommands) {
    if (*command.help != '\0') lines.push_back(command.help);
  }
  return lines;
}

std::string Player::StatusText() const {
  if (is_helping_) return " any key goes back";
  std::string time = ClockText(Position()) + "/" + ClockText(reel_.length_us());
  std::string state = AtEnd() ? "the end" : plays_ ? "plays" : "paused";
  std::string text = absl::StrFormat("%s  %s  x%g", state, time, speed_);
  bool is_narrow = stage_.glass().window().cols < kNarrowPlayer;
  if (is_narrow) return " " + text + "  q quits  ? keys";
  const char* space = AtEnd() ? "again" : plays_ ? "pauses" : "goes on";
  text += absl::StrFormat("  Space %s  + - speed  q quits  ? keys", space);
  return FirstThatFits(stage_.glass().window().cols,
                       {" " + reel_.name + "  " + text, " " + text});
}

}  // namespace glasstty::attach
