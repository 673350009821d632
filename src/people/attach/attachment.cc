// Keys go to the text in the status line (a search, a secret), to the view of
// the past, or to the program. While the person only watches, a few keys are
// commands, and the others show a hint. The prefix key takes precedence
// everywhere except in that text and in the list of keys, which any key closes.
#include "attach/attachment.h"

#include <string.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "attach/status_text.h"
#include "session/state.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/keys.h"
#include "terminal/mouse.h"

namespace glasstty::attach {
namespace {

using std::chrono::milliseconds;

constexpr Duration kMessageTime = milliseconds(4'000);
// The interval between two queries of what the program waits for.
constexpr Duration kStateEvery = milliseconds(500);

constexpr std::string_view kEscape = "\x1b", kInterrupt = "\x03";
// Terminals send DEL for Backspace, or BS if they are configured to do so.
bool IsErase(std::string_view key) { return key == "\x7f" || key == "\b"; }
bool IsEnter(std::string_view key) { return key == "\r" || key == "\n"; }

// Keys that move through the past, in their cursor and keypad encodings.
struct Motion {
  std::string_view key;
  int lines;  // a page counts as 100
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

// The direction of an arrow key, in its cursor or keypad encoding.
struct Direction {
  char end;
  int down;
  int right;
};
constexpr Direction kDirections[] = {
    {'A', -1, 0}, {'B', 1, 0}, {'C', 0, 1}, {'D', 0, -1}};

const Direction* DirectionOf(std::string_view key) {
  bool is_short = key.size() == 3 && key[0] == '\x1b';
  if (!is_short || (key[1] != '[' && key[1] != 'O')) return nullptr;
  for (const Direction& direction : kDirections) {
    if (direction.end == key[2]) return &direction;
  }
  return nullptr;
}

// Returns the reason why the person no longer has the keyboard, as a message.
std::string LossText(const watch::Watched& session) {
  if (session.held())
    return FirstWordOfLabel(session.lease()) + " took the keyboard";
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

// Each row is a key after the prefix.
struct Attachment::Command {
  char key;
  void (*run)(Attachment*);
  const char* help;  // fits a window of 40 columns
};
const Attachment::Command Attachment::kCommands[] = {
    {'d', [](Attachment* a) { a->Leave("left"); }, "leave"},
    {'h', [](Attachment* a) { a->Give(); }, "hand the keyboard back"},
    {'t', [](Attachment* a) { a->Take(wire::kTakeOver); },
     "take over, even from a person"},
    {'k', [](Attachment* a) { a->BeginLine(true); }, "type a secret unseen"},
    {'s', [](Attachment* a) { a->FollowSize(); }, "give the session my size"},
    {'p', [](Attachment* a) { a->ConfirmPaste(); },
     "type the paste that waits"},
    {'[',
     [](Attachment* a) {
       a->LookAtPast(a->session_->terminal().end_line() - 2 * a->Window().rows);
     },
     "go back in time (Page Up)"},
    {'/', [](Attachment* a) { a->BeginLine(false); }, "search"},
    {'?', [](Attachment* a) { a->is_helping_ = true; }, "this list"},
};

Attachment::Attachment(Loop* loop, watch::Watched* session,
                       OuterTerminal* outer, Options options)
    : loop_(loop),
      session_(session),
      outer_(outer),
      options_(std::move(options)),
      wants_take_(options_.take),
      message_timer_(loop, [this] { Say(""); }),
      state_timer_(loop,
                   [this] {
                     session_->Probe();
                     state_timer_.SetAfter(kStateEvery);
                   }),
      stage_(loop, outer,
             {.key = [this](const TypedKey& key) { OnKey(key); },
              .paint = [this] { return Paint(); },
              .end = [this](std::string why) { Leave(std::move(why)); },
              .resized = [this] { OnResized(); },
              .stopped = [this] { Give(); }}) {
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
  stage_.SchedulePaint();
}

// ---- Events ----

void Attachment::OnChange() {
  if (session_->exited() && options_.leaves_with_program) {
    return Leave("exited " + session::ExitText(session_->exit_status()));
  }
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
    } else if (options_.resize != Resize::kNever) {
      FollowSize();
    }
  }
  if (!mine && was_mine_) {
    size_before_.reset();
    paste_.clear();
    // The status line shows that the program has ended.
    if (!session_->exited()) Say(LossText(*session_));
  }
  // Nobody gets the keyboard of a program that has ended.
  if (session_->exited()) taking_ = false;
  if (!mine && taking_ && session_->held()) {
    taking_ = false;
    Say(FirstWordOfLabel(session_->lease()) + " has the keyboard; " +
        options_.prefix_name + " t takes it over");
  }
  was_mine_ = mine;
  if (!session_->refused().empty()) {
    taking_ = taking_ && mine;
    message_ = session_->refused();
    message_timer_.SetAfter(kMessageTime);
  }
  if (!taking_) Wipe(&secret_);
  if (session_->asked() != asked_) {
    asked_ = session_->asked();
    bell_ = !asked_.empty();
  }
  stage_.SchedulePaint();
}

void Attachment::OnResized() {
  if (size_before_ && session_->mine()) session_->Resize(Window());
}

// ---- Keys ----

bool Attachment::TypesToProgram() const {
  return session_->mine() && !past_ && !prefixed_ && !is_helping_ &&
         asking_ == Asking::kNothing;
}

// Keys for the program are passed on unchanged. Other keys may still arrive in
// the program's protocol, because the terminal switches protocols with a delay,
// so they are converted to plain keys.
void Attachment::OnKey(const TypedKey& typed) {
  TypedKey key = typed;
  bool is_key = key.kind == TypedKey::Kind::kKey;
  if (is_key) key.bytes = PlainKey(typed.bytes);
  bool is_ours = is_key && key.bytes == options_.prefix;
  if (TypesToProgram() && !is_ours) return OnTypedKey(typed);
  if (is_key && key.bytes.empty()) return;
  if (std::exchange(is_helping_, false)) return stage_.SchedulePaint();
  if (asking_ != Asking::kNothing) return OnLineKey(key);
  if (std::exchange(prefixed_, false)) {
    if (is_key) OnCommandKey(key.bytes);
    return;
  }
  if (is_key && key.bytes == options_.prefix) {
    prefixed_ = true;
    return stage_.SchedulePaint();
  }
  if (past_) {
    if (is_key) OnPastKey(key.bytes);
    return;
  }
  // Drop keys that are typed before the holder has answered.
  if (taking_) return;
  if (is_key) OnWatchingKey(key.bytes);
}

void Attachment::OnCommandKey(const std::string& key) {
  stage_.SchedulePaint();
  if (key == options_.prefix) {
    if (session_->mine()) session_->Type(key);
    return;
  }
  for (const Command& command : kCommands) {
    if (key.size() == 1 && key[0] == command.key) return command.run(this);
  }
  if (DirectionOf(key) != nullptr) return Pan(key);
  Say(absl::StrFormat("no such command: %s ? lists the keys",
                      options_.prefix_name));
}

std::vector<std::string> Attachment::HelpLines() const {
  std::vector<std::string> lines = {"After " + options_.prefix_name + ":"};
  for (const Command& command : kCommands) {
    lines.push_back(
        absl::StrFormat("  %c       %s", command.key, command.help));
  }
  lines.push_back("  arrows  move over a larger screen");
  // A small window has no room for all lines.
  auto rows = static_cast<size_t>(Window().rows);
  if (rows <= lines.size()) lines.erase(lines.begin());
  std::vector<std::string> watching = {"While you watch:"};
  if (!options_.read_only) watching.push_back("  Enter   take the keyboard");
  watching.insert(watching.end(),
                  {"  Page Up go back in time", "  /       search",
                   "  ?       this list", ""});
  bool has_room = lines.size() + watching.size() < rows;
  if (has_room && !session_->mine()) {
    lines.insert(lines.begin(), watching.begin(), watching.end());
  }
  return lines;
}

void Attachment::OnWatchingKey(const std::string& key) {
  if (session_->exited()) return Leave("left");
  if (IsEnter(key) && !options_.read_only) return Take(0);
  if (key == "?") {
    is_helping_ = true;
    return stage_.SchedulePaint();
  }
  if (PansWhileWatching(key)) return Pan(key);
  if (key == kEscape && IsLarger()) return Follow();
  const Motion* motion = MotionOf(key);
  bool is_letter = key.size() == 1;
  if (motion != nullptr && !is_letter && motion->lines < 0) {
    LookAtPast(session_->terminal().end_line() - Window().rows);
    return OnPastKey(key);
  }
  if (key == "/") return BeginLine(false);
  const char* prefix = options_.prefix_name.c_str();
  const char* enter = options_.read_only ? "" : "Enter takes the keyboard, ";
  const char* brief = options_.read_only ? "" : "Enter types, ";
  Say(FirstThatFits(
      Window().cols - 1,
      {absl::StrFormat("[watching; %s%s d leaves]", enter, prefix),
       absl::StrFormat("[%s%s d leaves]", brief, prefix)}));
}

void Attachment::OnTypedKey(const TypedKey& key) {
  switch (key.kind) {
    case TypedKey::Kind::kKey:
      // Show the part of the screen in which the person types.
      if (session_->terminal().cursor().visible) Follow();
      return session_->Type(key.bytes);
    case TypedKey::Kind::kPaste:
      return OnPaste(key.bytes);
    case TypedKey::Kind::kMouse:
      return OnMouse(key);
  }
}

// Encodes the event as the program requested, at its position on the session's
// screen.
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
  event.row = key.row + stage_.glass().corner().row;
  event.col = key.col + stage_.glass().corner().col;
  terminal::Size size = session_->terminal().size();
  bool is_inside =
      event.row < size.rows && event.col < size.cols && key.row < Window().rows;
  if (!is_inside) return;
  auto bytes = terminal::EncodeMouse(event, session_->terminal().modes());
  if (bytes.ok() && !bytes->empty()) session_->Point(*bytes);
}

// Without bracketed paste, the program would execute each line, so the person
// must confirm a paste of several lines.
void Attachment::OnPaste(const std::string& text) {
  const terminal::Modes& modes = session_->terminal().modes();
  auto lines = std::count(text.begin(), text.end(), '\n') +
               std::count(text.begin(), text.end(), '\r');
  if (lines == 0 || modes.bracketed_paste) {
    return session_->Type(terminal::EncodePaste(text, modes));
  }
  paste_ = text;
  const char* prefix = options_.prefix_name.c_str();
  Say(FirstThatFits(
      Window().cols - 1,
      {absl::StrFormat(
           "this paste has %d lines, which would run: %s p types it", lines + 1,
           prefix),
       absl::StrFormat("%d lines would run: %s p types them", lines + 1,
                       prefix)}));
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
  if (options_.resize == Resize::kForGood) flags |= wire::kTakeSize;
  session_->Take(flags);
}

void Attachment::Give() {
  RestoreSize();
  if (session_->mine()) session_->Give();
}

void Attachment::FollowSize() {
  if (!session_->mine()) return Say("take the keyboard first");
  if (!size_before_) size_before_ = session_->terminal().size();
  session_->Resize(Window());
}

void Attachment::RestoreSize() {
  bool is_back = options_.resize != Resize::kForGood;
  if (is_back && size_before_ && session_->mine() && !session_->exited()) {
    session_->Resize(*size_before_);
  }
  size_before_.reset();
}

// ---- A window that is smaller than the session ----

bool Attachment::IsLarger() const {
  terminal::Size size = session_->terminal().size(), window = Window();
  return size.rows > window.rows || size.cols > window.cols;
}

// Left and Right always pan. Up and Down pan if a full-screen program runs, and
// go to the past otherwise.
bool Attachment::PansWhileWatching(const std::string& key) const {
  const Direction* direction = DirectionOf(key);
  if (direction == nullptr || !IsLarger()) return false;
  return direction->right != 0 || session_->terminal().modes().alternate_screen;
}

// REQUIRES: `key` is an arrow key.
void Attachment::Pan(const std::string& key) {
  if (!IsLarger()) return Say("all of the screen is in this window");
  const Direction& direction = *DirectionOf(key);
  stage_.glass().Pan(direction.down, direction.right);
  stage_.SchedulePaint();
}

void Attachment::Follow() {
  stage_.glass().Follow();
  stage_.SchedulePaint();
}

// ---- Text in the status line ----

void Attachment::BeginLine(bool secret) {
  if (secret && (options_.read_only || !session_->can_type())) {
    return Say("nothing can be typed here");
  }
  asking_ = secret ? Asking::kSecret : Asking::kSearch;
  Wipe(&line_);
  // Growing the string would leave copies of a secret in memory.
  line_.reserve(wire::kMaxPayload);
  stage_.SchedulePaint();
}

void Attachment::OnLineKey(const TypedKey& key) {
  stage_.SchedulePaint();
  bool is_paste = key.kind == TypedKey::Kind::kPaste;
  if (key.kind == TypedKey::Kind::kMouse) return;
  if (!is_paste && (key.bytes == kEscape || key.bytes == kInterrupt)) {
    asking_ = Asking::kNothing;
    return Wipe(&line_);
  }
  if (!is_paste && IsEnter(key.bytes)) return EndLine();
  if (!is_paste && IsErase(key.bytes)) {
    // Remove a whole character.
    while (!line_.empty() && (line_.back() & 0xC0) == 0x80) line_.pop_back();
    if (!line_.empty()) line_.pop_back();
    return;
  }
  bool is_control = key.bytes.empty() || (key.bytes[0] & 0xE0) == 0;
  bool fits = line_.size() + key.bytes.size() < wire::kMaxPayload;
  if (!is_control && fits) line_ += key.bytes;
}

// A secret is typed at once if the person has the keyboard; otherwise, the
// keyboard is taken for this one write.
void Attachment::EndLine() {
  Asking asking = std::exchange(asking_, Asking::kNothing);
  if (asking == Asking::kSearch) {
    auto pattern = Pattern::Compile(line_);
    found_ = pattern.ok() ? *pattern : Pattern::Literal(line_);
    if (line_.empty()) found_.reset();
    Wipe(&line_);
    Say("");
    // Include the lines in the window in the search.
    int64_t end = session_->terminal().end_line();
    int64_t shown = past_ ? *past_ + Window().rows : end;
    return Search(true, std::min(shown, end));
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
  if (!taking_) Wipe(&secret_);
}

// ---- The past ----

// Shows the past from line `first` on. Returns false if this shows the present.
bool Attachment::LookAtPast(int64_t first) {
  const terminal::Terminal& terminal = session_->terminal();
  int64_t last = terminal.end_line() - Window().rows;
  past_ = std::clamp(first, terminal.first_line(),
                     std::max(last, terminal.first_line()));
  stage_.SchedulePaint();
  return *past_ < last;
}

void Attachment::OnPastKey(const std::string& key) {
  Say("");
  const Motion* motion = MotionOf(key);
  if (motion != nullptr) {
    int page = std::max(Window().rows - 1, 1);
    int lines = motion->lines;
    if (lines == kPage || lines == -kPage) lines = lines / kPage * page;
    // After the last page of the past, show the present.
    bool is_past = LookAtPast(*past_ + lines);
    if (lines > 0 && !is_past) past_.reset();
    return;
  }
  if (key == "/") return BeginLine(false);
  if (key == "n") return Search(true, *past_);
  if (key == "N") return Search(false, *past_);
  bool leaves = key == "q" || key == kEscape || key == kInterrupt;
  if (leaves || IsEnter(key)) past_.reset();
  stage_.SchedulePaint();
}

void Attachment::Search(bool older, int64_t from) {
  if (!found_) return Say("nothing to search for: / begins a search");
  const terminal::Terminal& terminal = session_->terminal();
  int64_t step = older ? -1 : 1;
  for (int64_t line = from + step;
       line >= terminal.first_line() && line < terminal.end_line();
       line += step) {
    for (const terminal::Line& candidate : terminal.Lines(line, line + 1)) {
      if (!found_->Find(candidate.text)) continue;
      past_ = line;
      return stage_.SchedulePaint();
    }
  }
  Say("not found");
}

}  // namespace glasstty::attach
