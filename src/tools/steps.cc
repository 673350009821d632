// One object is one step: exactly one member names what to do (a row of kSteps)
// and others may only modify it. The whole list is turned into steps before any
// is typed, so that a slip in the last one has no half-done effect, and every
// message says where the slip is and what may stand there instead.
#include "tools/steps.h"

#include <cstdlib>
#include <string>
#include <utility>

#include "mcp/schema.h"
#include "support/home.h"
#include "support/signals.h"
#include "support/status.h"
#include "support/text.h"
#include "support/user_file.h"
#include "tools/until_args.h"

namespace glasstty {

using typing::Gesture;

namespace {

// Bytes; a file that is longer was probably named by mistake.
constexpr size_t kMaxSecret = 4096;
// Below the 60 s after which clients give a call up. `until` is the better
// wait.
constexpr double kMaxPause_s = 30;
// When the step names no timeout_s of its own.
constexpr double kUntilPatience_s = 10;
// Programs tell at most three clicks apart.
constexpr int64_t kMaxClicks = 3;
constexpr int64_t kMaxTurns = 100;

// In the order of MouseButton.
constexpr const char* kButtons[] = {"left", "middle", "right"};

// Fills `step` from the member `value` of the step object `object` (which may
// hold `force` and the like). False when the value is not of the shape that
// the row says; an error for everything else that is wrong with it.
using Fill = absl::StatusOr<bool> (*)(const Json& value, const Json& object,
                                      typing::Step* step);

// A member that makes a step.
struct StepRow {
  const char* name;
  // What the value must be, for the message.
  const char* expected;
  Fill fill;
};

// False unless it is literally true.
bool IsForced(const Json& object) {
  const Json* force = FindMember(object, "force");
  return force != nullptr && AsBool(*force).value_or(false);
}

// Literal: no key notation inside, newlines are Enter.
absl::StatusOr<bool> FillText(const Json& value, const Json&,
                              typing::Step* step) {
  auto text = AsString(value);
  if (!text) return false;
  step->kind = typing::Step::Kind::kText;
  step->text = *std::move(text);
  return true;
}

// A paste differs from text only in how it is typed.
absl::StatusOr<bool> FillPaste(const Json& value, const Json& object,
                               typing::Step* step) {
  ASSIGN_OR_RETURN(bool filled, FillText(value, object, step));
  step->kind = typing::Step::Kind::kPaste;
  return filled;
}

// A single key by name; the angle brackets of the notation may be there.
absl::StatusOr<bool> FillKey(const Json& value, const Json&,
                             typing::Step* step) {
  auto name = AsString(value);
  if (!name) return false;
  std::string_view key = *name;
  if (key.size() > 2 && key.starts_with("<") && key.ends_with(">")) {
    key = key.substr(1, key.size() - 2);
  }
  ASSIGN_OR_RETURN(step->key, terminal::ParseKey(key));
  step->kind = typing::Step::Kind::kKey;
  return true;
}

absl::StatusOr<bool> FillSecret(const Json& value, const Json& object,
                                typing::Step* step) {
  ASSIGN_OR_RETURN(bool filled, FillText(value, object, step));
  step->kind = typing::Step::Kind::kSecret;
  step->force = IsForced(object);
  return filled;
}

// The server's own environment: set by the user where the client starts it, so
// the model never sees the value.
absl::StatusOr<bool> FillSecretEnv(const Json& value, const Json& object,
                                   typing::Step* step) {
  auto name = AsString(value);
  if (!name) return false;
  const char* secret = std::getenv(name->c_str());
  if (secret == nullptr) {
    return NotFound("the server has no environment variable '%s'", *name);
  }
  return FillSecret(Json(secret), object, step);
}

// Read at the call, by the server and not by the session.
absl::StatusOr<bool> FillSecretFile(const Json& value, const Json& object,
                                    typing::Step* step) {
  auto path = AsString(value);
  if (!path) return false;
  ASSIGN_OR_RETURN(*path, ExpandHome(*path));
  auto file = ReadUserFile(*path, kMaxSecret);
  if (absl::IsNotFound(file.status()) && !path->starts_with('/')) {
    return NotFound(
        "there is no file '%s' where the server runs; give its full path, or "
        "one that begins with '~'",
        *path);
  }
  ASSIGN_OR_RETURN(std::string secret, std::move(file));
  // Editors and echo end a file with a newline, which is not part of the
  // password.
  while (!secret.empty() && (secret.back() == '\n' || secret.back() == '\r')) {
    secret.pop_back();
  }
  return FillSecret(Json(secret), object, step);
}

absl::StatusOr<bool> FillResize(const Json& value, const Json&,
                                typing::Step* step) {
  std::optional<int64_t> rows, cols;
  if (value.is_array() && value.size() == 2) {
    rows = AsInteger(value[0]);
    cols = AsInteger(value[1]);
  }
  // Only that they fit an int; CheckSize knows the limits and says them.
  bool sane = rows && cols && *rows >= 0 && *rows <= 100'000 && *cols >= 0 &&
              *cols <= 100'000;
  if (!sane) return false;
  step->size = {static_cast<int>(*rows), static_cast<int>(*cols)};
  step->kind = typing::Step::Kind::kResize;
  RETURN_IF_ERROR(terminal::CheckSize(step->size));
  return true;
}

// False for {"eof": false}, which would be a step that does nothing.
absl::StatusOr<bool> FillEof(const Json& value, const Json&,
                             typing::Step* step) {
  if (!AsBool(value).value_or(false)) return false;
  step->kind = typing::Step::Kind::kEof;
  return true;
}

// "INT", "SIGINT" or "2"; goes to the foreground group.
absl::StatusOr<bool> FillSignal(const Json& value, const Json&,
                                typing::Step* step) {
  auto name = AsString(value);
  if (!name) return false;
  ASSIGN_OR_RETURN(step->number, ParseSignal(*name));
  step->kind = typing::Step::Kind::kSignal;
  return true;
}

// For programs that drop input while they start; nothing tells when they stop.
absl::StatusOr<bool> FillPause(const Json& value, const Json&,
                               typing::Step* step) {
  auto s = AsNumber(value);
  if (!s || *s < 0 || *s > kMaxPause_s) return false;
  step->kind = typing::Step::Kind::kPause;
  step->seconds = *s;
  return true;
}

// The same conditions as the argument `until`, checked by the same table.
absl::StatusOr<bool> FillUntil(const Json& value, const Json& object,
                               typing::Step* step) {
  UntilArgs args;
  RETURN_IF_ERROR(mcp::ParseMembers(
      value, mcp::ArgPlace{"term_send", "input.until"}, &args));
  step->until = std::move(args);
  // Compiled to find mistakes now; the wait compiles it again for itself.
  RETURN_IF_ERROR(waits::UntilCheck::Compile(step->until).status());
  step->kind = typing::Step::Kind::kUntil;
  step->seconds = kUntilPatience_s;
  if (const Json* timeout = FindMember(object, "timeout_s")) {
    auto s = AsNumber(*timeout);
    if (!s || *s < 0 || *s > 45) {
      return InvalidArgument("\"timeout_s\" must be from 0 to 45");
    }
    step->seconds = *s;
  }
  return true;
}

// [row, col] as agents count, or a text. False for anything else.
bool ReadSpot(const Json& value, typing::Spot* spot) {
  if (auto text = AsString(value)) {
    spot->kind = typing::Spot::Kind::kText;
    spot->text = *std::move(text);
    return !spot->text.empty();
  }
  if (!value.is_array() || value.size() != 2) return false;
  auto row = AsInteger(value[0]), col = AsInteger(value[1]);
  // Only that they fit an int: the size of the screen is known when typing.
  bool sane = row && col && *row >= 1 && *row <= 100'000 && *col >= 1 &&
              *col <= 100'000;
  if (!sane) return false;
  spot->kind = typing::Spot::Kind::kCell;
  spot->cell = {static_cast<int>(*row) - 1, static_cast<int>(*col) - 1};
  return true;
}

// The members "button" and "count" beside a click or a drag.
absl::Status ReadButton(const Json& object, Gesture* gesture) {
  if (const Json* button = FindMember(object, "button")) {
    std::string name = AsString(*button).value_or("");
    size_t i = 0;
    while (i < std::size(kButtons) && name != kButtons[i]) ++i;
    if (i == std::size(kButtons)) {
      return InvalidArgument("\"button\" must be left, middle or right");
    }
    gesture->button = static_cast<terminal::MouseButton>(i);
  }
  if (const Json* count = FindMember(object, "count")) {
    int64_t times = AsInteger(*count).value_or(0);
    if (times < 1 || times > kMaxClicks) {
      return InvalidArgument("\"count\" must be from 1 to %d", kMaxClicks);
    }
    gesture->times = static_cast<int>(times);
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> FillClick(const Json& value, const Json& object,
                               typing::Step* step) {
  step->kind = typing::Step::Kind::kMouse;
  step->gesture.kind = Gesture::Kind::kClick;
  if (!ReadSpot(value, &step->gesture.from)) return false;
  RETURN_IF_ERROR(ReadButton(object, &step->gesture));
  return true;
}

// Negative goes up, towards the beginning of the text.
absl::StatusOr<bool> FillScroll(const Json& value, const Json& object,
                                typing::Step* step) {
  auto turns = AsInteger(value);
  if (!turns || *turns == 0 || std::abs(*turns) > kMaxTurns) return false;
  step->kind = typing::Step::Kind::kMouse;
  Gesture& gesture = step->gesture;
  gesture.kind = Gesture::Kind::kScroll;
  gesture.button = *turns < 0 ? terminal::MouseButton::kWheelUp
                              : terminal::MouseButton::kWheelDown;
  gesture.times = static_cast<int>(std::abs(*turns));
  const Json* at = FindMember(object, "at");
  if (at != nullptr && !ReadSpot(*at, &gesture.from)) {
    return InvalidArgument("\"at\" must be [row, col] or a text");
  }
  return true;
}

absl::StatusOr<bool> FillDrag(const Json& value, const Json& object,
                              typing::Step* step) {
  step->kind = typing::Step::Kind::kMouse;
  Gesture& gesture = step->gesture;
  gesture.kind = Gesture::Kind::kDrag;
  bool ends = value.is_array() && value.size() == 2 &&
              ReadSpot(value[0], &gesture.from) &&
              ReadSpot(value[1], &gesture.to);
  if (!ends) return false;
  RETURN_IF_ERROR(ReadButton(object, &gesture));
  return true;
}

// Numbered by ParseSteps, which knows where it stands. False for false, which
// would be a step that does nothing.
absl::StatusOr<bool> FillShow(const Json& value, const Json&,
                              typing::Step* step) {
  if (!AsBool(value).value_or(false)) return false;
  step->kind = typing::Step::Kind::kShow;
  return true;
}

// A new kind of step is a row here, a kind in typing/input.h and a row there.
constexpr StepRow kSteps[] = {
    {"text", "a string", FillText},
    {"paste", "a string", FillPaste},
    {"key", "a key name such as \"Enter\" or \"C-c\"", FillKey},
    {"secret", "a string", FillSecret},
    {"secret_env", "the name of an environment variable of the server",
     FillSecretEnv},
    {"secret_file", "the path of a file", FillSecretFile},
    {"resize", "[rows, cols]", FillResize},
    {"eof", "true", FillEof},
    {"signal", "a signal name such as \"INT\"", FillSignal},
    {"pause_s", "seconds from 0 to 30", FillPause},
    {"until", "an object of conditions", FillUntil},
    {"click", "a text on the screen or [row, col]", FillClick},
    {"scroll", "turns of the wheel, negative is up, at most 100", FillScroll},
    {"drag", "two ends, each [row, col] or a text", FillDrag},
    {"show", "true", FillShow},
};
// Members that go with one of the above.
constexpr const char* kModifiers[] = {"force", "timeout_s", "button", "count",
                                      "at"};

// For messages, in the order of the table.
std::vector<std::string> StepNames() {
  std::vector<std::string> names;
  for (const StepRow& row : kSteps) names.emplace_back(row.name);
  return names;
}

// Null when there is none.
const StepRow* FindRow(std::string_view name) {
  for (const StepRow& row : kSteps) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

bool IsModifier(std::string_view name) {
  for (const char* modifier : kModifiers) {
    if (name == modifier) return true;
  }
  return false;
}

// Error: no step, two steps, an unknown member, or a value of the wrong shape.
// A secret's value is in no message.
absl::StatusOr<typing::Step> ParseObject(const Json& object) {
  typing::Step step;
  const StepRow* kind = nullptr;
  for (const auto& item : object.items()) {
    if (IsModifier(item.key())) continue;
    const StepRow* row = FindRow(item.key());
    if (row == nullptr) {
      return InvalidArgument("no step \"%s\"%s (there are: %s)", item.key(),
                             DidYouMean(item.key(), StepNames()),
                             Join(StepNames(), ", "));
    }
    // JSON objects have no order that a client must keep, so two steps in one
    // object could not be told which comes first.
    if (kind != nullptr) {
      return InvalidArgument(
          "\"%s\" and \"%s\" are two steps: give each its "
          "own object",
          kind->name, row->name);
    }
    kind = row;
    ASSIGN_OR_RETURN(bool filled, row->fill(item.value(), object, &step));
    if (!filled) {
      return InvalidArgument("\"%s\" must be %s", row->name, row->expected);
    }
  }
  if (kind == nullptr) {
    return InvalidArgument("an empty step; give one of: %s",
                           Join(StepNames(), ", "));
  }
  return step;
}

// "ihello<Esc>" becomes a text and a key. Error: a token that looks like a key
// and is none, with the nearest names.
absl::Status AppendNotation(const std::string& text,
                            std::vector<typing::Step>* steps) {
  ASSIGN_OR_RETURN(std::vector<terminal::InputPiece> pieces,
                   terminal::ParseNotation(text));
  for (terminal::InputPiece& piece : pieces) {
    typing::Step step;
    step.kind =
        piece.is_key ? typing::Step::Kind::kKey : typing::Step::Kind::kText;
    step.key = piece.key;
    step.text = std::move(piece.text);
    steps->push_back(std::move(step));
  }
  return absl::OkStatus();
}

// In a list a plain string may hold keys; {"text": ...} is literal.
absl::Status AppendStep(const Json& item, std::vector<typing::Step>* steps) {
  if (auto text = AsString(item)) return AppendNotation(*text, steps);
  if (!item.is_object()) {
    return InvalidArgument("a step is a string or an object");
  }
  ASSIGN_OR_RETURN(typing::Step step, ParseObject(item));
  steps->push_back(std::move(step));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<typing::Step>> ParseSteps(std::string_view tool,
                                                     std::string_view argument,
                                                     const Json& input) {
  std::vector<typing::Step> steps;
  if (auto text = AsString(input)) {
    typing::Step step;
    step.text = *std::move(text);
    // An empty string is allowed: with `enter` it presses Enter.
    if (!step.text.empty()) steps.push_back(std::move(step));
    return steps;
  }
  if (!input.is_array()) {
    return InvalidArgument("%s: '%s' must be a string or a list", tool,
                           argument);
  }
  for (size_t i = 0; i < input.size(); ++i) {
    absl::Status status = AppendStep(input[i], &steps);
    if (!status.ok()) {
      return InvalidArgument("%s: %s[%d]: %s; nothing was typed", tool,
                             argument, i, Message(status));
    }
    bool shows =
        !steps.empty() && steps.back().kind == typing::Step::Kind::kShow;
    if (shows) steps.back().number = static_cast<int>(i + 1);
  }
  return steps;
}

}  // namespace glasstty
