// Keys take one of four ways: into the line below (a search, a secret), through
// the past, to the program, or nowhere, which is what watching means. The
// prefix key comes first in all of them but the line.
#include "attach/attachment.h"

#include <signal.h>
#include <string.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "support/status.h"
#include "support/text.h"
#include "terminal/keys.h"
#include "terminal/mouse.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::attach {
namespace {

using std::chrono::milliseconds;

// 60 pictures a second are as many as anybody sees.
constexpr Duration kFrame = milliseconds(16);
// A terminal sends the rest of a sequence at once.
constexpr Duration kEscapePatience = milliseconds(30);
constexpr Duration kMessageTime = milliseconds(4'000);
// Between two questions about what the program waits for.
constexpr Duration kStateEvery = milliseconds(500);

constexpr std::string_view kEscape = "\x1b", kInterrupt = "\x03";
// As terminals send it: DEL, or BS where somebody has changed it.
bool IsErase(std::string_view key) { return key == "\x7f" || key == "\b"; }
bool IsEnter(std::string_view key) { return key == "\r" || key == "\n"; }

// Keys that move through the past: their cursor and keypad spellings.
struct Motion {
  std::string_view key;
  int lines;  // of a page of 100
};
constexpr int kPage = 100, kEnd = 1'000'000;
constexpr Motion kMotions[] = {
    {"\x1b[A", -1}, {"\x1bOA", -1},   {"k", -1},           {"\x1b[B", 1},
    {"\x1bOB", 1},  {"j", 1},         {"\x1b[5~", -kPage}, {"\x1b[6~", kPage},
    {" ", kPage},   {"b", -kPage},    {"\x1b[H", -kEnd},   {"\x1b[1~", -kEnd},
    {"g", -kEnd},   {"\x1b[F", kEnd}, {"\x1b[4~", kEnd},   {"G", kEnd},
};

const Motion* MotionOf(std::string_view key) {
  for (const Motion& motion : kMotions) {
    if (motion.key == key) return &motion;
  }
  return nullptr;
}

// The first word of what an observer calls itself.
std::string NameOf(const wire::LeaseInfo& lease) {
  std::string label(lease.label, strnlen(lease.label, sizeof lease.label));
  return label.substr(0, label.find(' '));
}

// Why the keyboard is no longer the person's.
std::string LossText(const watch::Watched& session) {
  if (session.held()) return NameOf(session.lease()) + " took the keyboard";
  switch (session.lease().how) {
    case wire::LeaseEnd::kIdle:
      return "the keyboard was handed back: no key was pressed for a long time";
    case wire::LeaseEnd::kTaken:
      return "another person took the keyboard";
    case wire::LeaseEnd::kGone:
      return "the keyboard was handed back: this terminal had stopped";
    default:
      return "handed back";
  }
}

void Wipe(std::string* text) {
  explicit_bzero(text->data(), text->size());
  text->clear();
}

}  // namespace

// One row a key behind the prefix.
struct Attachment::Command {
  char key;
  void (*run)(Attachment*);
};
const Attachment::Command Attachment::kCommands[] = {
    {'d', [](Attachment* a) { a->Leave("left"); }},
    {'h', [](Attachment* a) { a->Give(); }},
    {'t', [](Attachment* a) { a->Take(wire::kTakeOver); }},
    {'s', [](Attachment* a) { a->FollowSize(); }},
    {'p', [](Attachment* a) { a->ConfirmPaste(); }},
    {'k', [](Attachment* a) { a->BeginLine(true); }},
    {'/', [](Attachment* a) { a->BeginLine(false); }},
    {'[',
     [](Attachment* a) {
       a->LookAtPast(a->session_->terminal().end_line() -
                     2 * a->glass_.window().rows);
     }},
};

Attachment::Attachment(Loop* loop, watch::Watched* session,
                       OuterTerminal* outer, Options options)
    : loop_(loop),
      session_(session),
      outer_(outer),
      options_(std::move(options)),
      wants_take_(options_.take),
      paint_timer_(loop, [this] { Paint(); }),
      escape_timer_(loop,
                    [this] {
                      for (const TypedKey& key : keys_.Flush()) OnKey(key);
                    }),
      message_timer_(loop, [this] { Say(""); }),
      state_timer_(loop,
                   [this] {
                     session_->Probe();
                     state_timer_.SetAfter(kStateEvery);
                   }),
      readable_(loop, outer->fd(), FdWatch::Direction::kRead,
                Urgency::kProtocol, [this] { OnReadable(); }),
      writable_(loop, outer->fd(), FdWatch::Direction::kWrite,
                Urgency::kProtocol, [this] {
                  if (!outer_->Flush()) return Leave("the terminal is gone");
                  if (outer_->busy()) return;
                  writable_.Enable(false);
                  if (dirty_) SchedulePaint();
                }) {
  auto on = [this](int number, std::function<void()> run) {
    signals_.push_back(
        std::make_unique<SignalWatch>(loop_, number, std::move(run)));
  };
  for (int number : {SIGTERM, SIGHUP, SIGINT, SIGQUIT}) {
    on(number, [this] { Leave("left, as asked by a signal"); });
  }
  on(SIGWINCH, [this] { OnResized(); });
  on(SIGTSTP, [this] { OnStopped(); });
  on(SIGCONT, [this] { OnContinued(); });
  outer_->Enter();
  glass_.SetSize(outer_->size());
  readable_.Enable(true);
  writable_.Enable(false);
  session_->OnChange([this] { OnChange(); });
  state_timer_.SetAfter(kStateEvery);
  OnChange();
}

Attachment::~Attachment() {
  session_->OnChange(nullptr);
  Wipe(&line_);
  Wipe(&secret_);
}

void Attachment::Leave(std::string farewell) {
  if (!farewell_.empty()) return;
  farewell_ = std::move(farewell);
  RestoreSize();
  if (session_->mine()) session_->Give();
  loop_->Stop();
}

void Attachment::Say(std::string message) {
  message_ = std::move(message);
  if (!message_.empty()) message_timer_.SetAfter(kMessageTime);
  SchedulePaint();
}

// ---- Events ----

void Attachment::OnReadable() {
  char buffer[4096];
  ssize_t n = outer_->Read(buffer, sizeof buffer);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) return Leave("the terminal is gone");
  std::string_view bytes(buffer, static_cast<size_t>(n));
  for (const TypedKey& key : keys_.Feed(bytes)) OnKey(key);
  explicit_bzero(buffer, sizeof buffer);
  escape_timer_.Clear();
  if (keys_.waits()) escape_timer_.SetAfter(kEscapePatience);
}

void Attachment::OnChange() {
  bool mine = session_->mine();
  if (session_->can_type() && std::exchange(wants_take_, false)) {
    Take(options_.steal ? uint64_t{wire::kTakeOver} : 0);
  }
  if (mine && !was_mine_) {
    taking_ = false;
    message_.clear();
    if (!secret_.empty()) {
      session_->TypeSecret(secret_);
      Wipe(&secret_);
    } else if (options_.resize) {
      FollowSize();
    }
  }
  if (!mine && was_mine_) {
    size_before_.reset();
    paste_.clear();
    Say(LossText(*session_));
  }
  if (!mine && taking_ && session_->held()) {
    taking_ = false;
    Wipe(&secret_);
    Say(NameOf(session_->lease()) + " has the keyboard; " +
        options_.prefix_name + " t takes it over");
  }
  was_mine_ = mine;
  if (!session_->refused().empty()) {
    taking_ = taking_ && mine;
    message_ = session_->refused();
    message_timer_.SetAfter(kMessageTime);
  }
  if (session_->asked() != asked_) {
    asked_ = session_->asked();
    bell_ = !asked_.empty();
  }
  SchedulePaint();
}

void Attachment::OnResized() {
  glass_.SetSize(outer_->size());
  if (size_before_ && session_->mine()) session_->Resize(glass_.window());
  SchedulePaint();
}

// The shell gets its terminal as it was, and the agent its keyboard.
void Attachment::OnStopped() {
  Give();
  outer_->Leave();
  raise(SIGSTOP);
}

// Also after a SIGSTOP, of which nobody hears: the shell has changed the
// terminal meanwhile.
void Attachment::OnContinued() {
  outer_->Enter();
  OnResized();
}

// ---- Keys ----

void Attachment::OnKey(const TypedKey& key) {
  bool is_key = key.kind == TypedKey::Kind::kKey;
  if (asking_ != Asking::kNothing) return OnLineKey(key);
  if (std::exchange(prefixed_, false)) {
    if (is_key) OnCommandKey(key.bytes);
    return;
  }
  if (is_key && key.bytes == options_.prefix) {
    prefixed_ = true;
    return SchedulePaint();
  }
  if (past_) {
    if (is_key) OnPastKey(key.bytes);
    return;
  }
  if (session_->mine()) return OnTypedKey(key);
  // What is typed before the answer would reach the program out of turn.
  if (taking_) return;
  if (is_key) OnWatchingKey(key.bytes);
}

void Attachment::OnCommandKey(const std::string& key) {
  SchedulePaint();
  if (key == options_.prefix) {
    if (session_->mine()) session_->Type(key);
    return;
  }
  for (const Command& command : kCommands) {
    if (key.size() == 1 && key[0] == command.key) return command.run(this);
  }
  const char* c = options_.prefix_name.c_str();
  Say(
      absl::StrFormat("after %s: d leave, h hand back, t take over, s my "
                      "size, k secret, [ scroll, / search",
                      c));
}

void Attachment::OnWatchingKey(const std::string& key) {
  if (session_->exited()) return Leave("left");
  if (IsEnter(key) && !options_.read_only) return Take(0);
  const Motion* motion = MotionOf(key);
  bool is_letter = key.size() == 1;
  if (motion != nullptr && !is_letter && motion->lines < 0) {
    LookAtPast(session_->terminal().end_line() - glass_.window().rows);
    return OnPastKey(key);
  }
  if (key == "/") return BeginLine(false);
  Say(absl::StrFormat("[watching; %s%s d leaves]",
                      options_.read_only ? "" : "Enter takes the keyboard, ",
                      options_.prefix_name));
}

void Attachment::OnTypedKey(const TypedKey& key) {
  switch (key.kind) {
    case TypedKey::Kind::kKey:
      return session_->Type(key.bytes);
    case TypedKey::Kind::kPaste:
      return OnPaste(key.bytes);
    case TypedKey::Kind::kMouse:
      return OnMouse(key);
  }
}

// As the program has asked for it, and where it is on the session's screen.
void Attachment::OnMouse(const TypedKey& key) {
  constexpr int kShiftBit = 4, kAltBit = 8, kControlBit = 16, kMoveBit = 32;
  constexpr int kWheelBit = 64;
  terminal::MouseEvent event;
  int low = key.button & 3;
  event.button =
      key.button & kWheelBit
          ? static_cast<terminal::MouseButton>(
                static_cast<int>(terminal::MouseButton::kWheelUp) + low)
          : static_cast<terminal::MouseButton>(low);
  if (key.release) event.action = terminal::MouseAction::kRelease;
  if (key.button & kMoveBit) event.action = terminal::MouseAction::kMove;
  if (key.button & kShiftBit) event.modifiers |= terminal::kShift;
  if (key.button & kAltBit) event.modifiers |= terminal::kAlt;
  if (key.button & kControlBit) event.modifiers |= terminal::kControl;
  event.row = key.row + glass_.corner().row;
  event.col = key.col + glass_.corner().col;
  terminal::Size size = session_->terminal().size();
  bool is_inside = event.row < size.rows && event.col < size.cols &&
                   key.row < glass_.window().rows;
  if (!is_inside) return;
  auto bytes = terminal::EncodeMouse(event, session_->terminal().modes());
  if (bytes.ok() && !bytes->empty()) session_->Point(*bytes);
}

// Where the program has not asked for brackets, each line would run.
void Attachment::OnPaste(const std::string& text) {
  const terminal::Modes& modes = session_->terminal().modes();
  auto lines = std::count(text.begin(), text.end(), '\n') +
               std::count(text.begin(), text.end(), '\r');
  if (lines == 0 || modes.bracketed_paste) {
    return session_->Type(terminal::EncodePaste(text, modes));
  }
  paste_ = text;
  Say(absl::StrFormat("this paste has %d lines, which would run: %s p types it",
                      lines + 1, options_.prefix_name));
}

void Attachment::ConfirmPaste() {
  if (session_->mine() && !paste_.empty()) {
    session_->Type(terminal::EncodePaste(paste_, session_->terminal().modes()));
  }
  paste_.clear();
}

// ---- The keyboard and the size ----

void Attachment::Take(uint64_t flags) {
  if (options_.read_only) return Say("attached with -r, which only watches");
  if (!session_->can_type()) return Say("nothing can be typed here");
  past_.reset();
  if (session_->mine()) return;
  taking_ = true;
  session_->Take(flags);
}

void Attachment::Give() {
  RestoreSize();
  if (session_->mine()) session_->Give();
}

void Attachment::FollowSize() {
  if (!session_->mine()) return Say("take the keyboard first");
  if (!size_before_) size_before_ = session_->terminal().size();
  session_->Resize(glass_.window());
}

void Attachment::RestoreSize() {
  if (size_before_ && session_->mine() && !session_->exited()) {
    session_->Resize(*size_before_);
  }
  size_before_.reset();
}

// ---- The line below ----

void Attachment::BeginLine(bool secret) {
  if (secret && (options_.read_only || !session_->can_type())) {
    return Say("nothing can be typed here");
  }
  asking_ = secret ? Asking::kSecret : Asking::kSearch;
  Wipe(&line_);
  // Growing would leave copies of a secret behind.
  line_.reserve(wire::kMaxPayload);
  SchedulePaint();
}

void Attachment::OnLineKey(const TypedKey& key) {
  SchedulePaint();
  bool is_paste = key.kind == TypedKey::Kind::kPaste;
  if (key.kind == TypedKey::Kind::kMouse) return;
  if (!is_paste && (key.bytes == kEscape || key.bytes == kInterrupt)) {
    asking_ = Asking::kNothing;
    return Wipe(&line_);
  }
  if (!is_paste && IsEnter(key.bytes)) return EndLine();
  if (!is_paste && IsErase(key.bytes)) {
    // A whole character.
    while (!line_.empty() && (line_.back() & 0xC0) == 0x80) line_.pop_back();
    if (!line_.empty()) line_.pop_back();
    return;
  }
  bool is_control = key.bytes.empty() || (key.bytes[0] & 0xE0) == 0;
  bool fits = line_.size() + key.bytes.size() < wire::kMaxPayload;
  if (!is_control && fits) line_ += key.bytes;
}

// The secret is typed at once if the keyboard is ours; else it is taken for
// this one write.
void Attachment::EndLine() {
  Asking asking = std::exchange(asking_, Asking::kNothing);
  if (asking == Asking::kSearch) {
    auto pattern = Pattern::Compile(line_);
    found_ = pattern.ok() ? *pattern : Pattern::Literal(line_);
    if (line_.empty()) found_.reset();
    Wipe(&line_);
    return Search(true);
  }
  if (session_->mine()) {
    line_ += '\r';
    session_->TypeSecret(line_);
    return Wipe(&line_);
  }
  secret_.reserve(wire::kMaxPayload);
  secret_ = line_;
  secret_ += '\r';
  Wipe(&line_);
  Take(wire::kTakeOnce);
}

// ---- The past ----

// False where nothing has left the screen.
bool Attachment::LookAtPast(int64_t first) {
  const terminal::Terminal& terminal = session_->terminal();
  int64_t last = terminal.end_line() - glass_.window().rows;
  past_ = std::clamp(first, terminal.first_line(),
                     std::max(last, terminal.first_line()));
  SchedulePaint();
  return *past_ < last;
}

void Attachment::OnPastKey(const std::string& key) {
  const Motion* motion = MotionOf(key);
  if (motion != nullptr) {
    int page = std::max(glass_.window().rows - 1, 1);
    int lines = motion->lines;
    if (lines == kPage || lines == -kPage) lines = lines / kPage * page;
    // Beyond the last page is the present.
    bool is_past = LookAtPast(*past_ + lines);
    if (lines > 0 && !is_past) past_.reset();
    return;
  }
  if (key == "/") return BeginLine(false);
  if (key == "n") return Search(true);
  if (key == "N") return Search(false);
  bool leaves = key == "q" || key == kEscape || key == kInterrupt;
  if (leaves || IsEnter(key)) past_.reset();
  SchedulePaint();
}

// From what is shown, towards the older lines or the newer ones.
void Attachment::Search(bool older) {
  if (!found_) return Say("nothing to search for: / begins a search");
  const terminal::Terminal& terminal = session_->terminal();
  int64_t at = past_.value_or(terminal.end_line());
  int64_t step = older ? -1 : 1;
  for (int64_t line = at + step;
       line >= terminal.first_line() && line < terminal.end_line();
       line += step) {
    for (const terminal::Line& candidate : terminal.Lines(line, line + 1)) {
      if (!found_->Find(candidate.text)) continue;
      past_ = line;
      return SchedulePaint();
    }
  }
  Say("not found");
}

// ---- The picture ----

void Attachment::SchedulePaint() {
  dirty_ = true;
  if (outer_->busy()) return writable_.Enable(true);
  if (!paint_timer_.armed()) paint_timer_.Set(painted_ + kFrame);
}

// A terminal that is slow gets fewer pictures, each of the present.
void Attachment::Paint() {
  if (!farewell_.empty()) return;
  dirty_ = false;
  painted_ = loop_->Now();
  StatusLine status{StatusText(), std::exchange(bell_, false)};
  const terminal::Terminal& terminal = session_->terminal();
  outer_->Write(past_ ? glass_.ShowPast(terminal, *past_, found_, status)
                      : glass_.ShowLive(terminal, session_->mine(), status));
  if (outer_->busy()) writable_.Enable(true);
}

std::string Attachment::StatusText() const {
  std::string name = " " + session_->origin().name + "  ";
  if (asking_ == Asking::kSearch) return name + "/" + line_;
  if (asking_ == Asking::kSecret) {
    return name + "secret, typed unseen: " + std::string(line_.size(), '*');
  }
  if (prefixed_) return name + options_.prefix_name + " -";
  if (!message_.empty()) return name + message_;
  if (past_) {
    return name + absl::StrFormat(
                      "line %d of %d  / search  n older  N newer  q "
                      "back to now",
                      *past_ + 1, session_->terminal().end_line());
  }
  std::string text = name + Standing();
  terminal::Size size = session_->terminal().size(), window = glass_.window();
  if (size.rows > window.rows || size.cols > window.cols) {
    text += absl::StrFormat("  %dx%d, yours is %dx%d", size.rows, size.cols,
                            window.rows, window.cols);
  }
  return text;
}

// What the session does, who has the keyboard, and the way on.
std::string Attachment::Standing() const {
  const char* prefix = options_.prefix_name.c_str();
  if (session_->exited()) {
    return absl::StrFormat("exited %s  any key leaves",
                           session::ExitText(session_->exit_status()));
  }
  bool is_secret = session_->state().activity == session::Activity::kSecret;
  std::string text(session::ActivityName(session_->state().activity));
  std::string ask = asked_.empty() ? "" : "  the agent asks: " + asked_;
  if (session_->mine()) {
    return absl::StrFormat(
        "%s  you have the keyboard | %s h hand back  %s d leave%s", text,
        prefix, prefix, ask);
  }
  if (!session_->can_type()) {
    bool is_gone = wire::HolderIsDead(session_->directory());
    bool is_away = is_gone && wire::IsElsewhere(session_->directory());
    return absl::StrFormat(
        "%s  watching%s  %s d leaves", text,
        !session_->caught_up() ? ""
        : is_away              ? ": there is no connection to its machine"
        : is_gone              ? ": its holder is gone, and the program with it"
                  : ": this session's holder is too old to take over",
        prefix);
  }
  if (session_->held()) {
    return absl::StrFormat("%s  %s has the keyboard  %s t takes it over%s",
                           text, NameOf(session_->lease()), prefix, ask);
  }
  if (options_.read_only) {
    return absl::StrFormat("%s  watching (-r)  %s d leaves%s", text, prefix,
                           ask);
  }
  // The way to do what is asked comes first: the line may be cut.
  if (is_secret) {
    return absl::StrFormat(
        "%s  %s k types it unseen, Enter takes the keyboard%s", text, prefix,
        ask);
  }
  if (!ask.empty()) {
    return absl::StrFormat("%s  Enter takes the keyboard%s", text, ask);
  }
  return absl::StrFormat("%s  watching: Enter takes the keyboard, %s d leaves",
                         text, prefix);
}

}  // namespace glasstty::attach
