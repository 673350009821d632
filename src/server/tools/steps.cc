// Each JSON object in the list `input` is one step: exactly one member names
// what to do (a row of kSteps), and other members only modify it. The whole
// list is converted before any step is typed, so that an error in the last one
// has no partial effect. Every message says where the error is and what is
// allowed there.
#include "tools/steps.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <string>
#include <utility>

#include "mcp/schema.h"
#include "session/environment.h"
#include "support/home.h"
#include "support/pattern.h"
#include "support/signals.h"
#include "support/status.h"
#include "support/text.h"
#include "support/user_file.h"
#include "terminal/keys.h"
#include "tools/until_args.h"

namespace glasstty {

using typing::Gesture;

namespace {

// The maximum size of a secret's file, in bytes; a longer one was probably
// named by mistake.
constexpr size_t kMaxSecret = 4096;
// This is below the 60 s after which clients give up on a call. `until` is the
// better way to wait.
constexpr double kMaxPause_s = 30;
// The time limit of an `until` without timeout_s, unless Step::latest is later.
constexpr double kUntilPatience_s = 10;
// Programs distinguish three clicks at most.
constexpr int64_t kMaxClicks = 3;
constexpr int64_t kMaxTurns = 100;

// The names have the order of MouseButton.
constexpr const char* kButtons[] = {"left", "middle", "right"};

// Fills `step` from the member `value` of the step object `object`, which may
// contain `force` and the like. Returns false if the value does not have the
// form that the row describes; returns an error for anything else that is wrong
// with it.
using Fill = absl::StatusOr<bool> (*)(const Json& value, const Json& object,
                                      typing::Step* step);

// A member that makes its object a step.
struct StepRow {
  const char* name;
  // Describes valid values, for the error message.
  const char* expected;
  Fill fill;
};

// Returns whether `force` is the literal true.
bool IsForced(const Json& object) {
  const Json* force = FindMember(object, "force");
  return force != nullptr && AsBool(*force).value_or(false);
}

// The text is literal: it has no key notation, and newlines are Enter.
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

// Accepts a single key by name, with or without the angle brackets of the
// notation.
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

// Replaces the variable's name in `step` by its value. The user sets the
// variable where the client starts glasstty, so the model never sees the value.
absl::Status TakeVariable(const record::Inheritance* inherited,
                          typing::Step* step) {
  const std::string& name = step->text;
  if (inherited == nullptr) {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) {
      return NotFound("the server has no environment variable '%s'", name);
    }
    step->text = value;
    return absl::OkStatus();
  }
  auto value = session::FindVariable(inherited->environment, name);
  if (!value) {
    return NotFound("your client has started glasstty without a variable '%s'",
                    name);
  }
  step->text = *std::move(value);
  return absl::OkStatus();
}

// The server reads the file now, with its own rights and not with those of the
// session.
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
  return FillSecret(Json(secret), object, step);
}

// Editors and `echo` end a file with a newline, which is not part of the
// password. Error: the secret has several lines; the message quotes none.
absl::Status TakeOneLine(std::string* secret) {
  while (secret->ends_with('\n') || secret->ends_with('\r')) {
    secret->pop_back();
  }
  if (secret->find_first_of("\r\n") == std::string::npos) {
    return absl::OkStatus();
  }
  return InvalidArgument(
      "a secret is one line, but this one has more: a program that asks for it "
      "reads the first, and a shell would show and run the others; let the "
      "program read it from a file");
}

absl::StatusOr<bool> FillResize(const Json& value, const Json&,
                                typing::Step* step) {
  std::optional<int64_t> rows, cols;
  if (value.is_array() && value.size() == 2) {
    rows = AsInteger(value[0]);
    cols = AsInteger(value[1]);
  }
  // This only ensures that the numbers fit into an int; CheckSize reports the
  // limits.
  bool sane = rows && cols && *rows >= 0 && *rows <= 100'000 && *cols >= 0 &&
              *cols <= 100'000;
  if (!sane) return false;
  step->size = {static_cast<int>(*rows), static_cast<int>(*cols)};
  step->kind = typing::Step::Kind::kResize;
  RETURN_IF_ERROR(terminal::CheckSize(step->size));
  return true;
}

// Returns false for {"eof": false}, which would be a step that does nothing.
absl::StatusOr<bool> FillEof(const Json& value, const Json&,
                             typing::Step* step) {
  if (!AsBool(value).value_or(false)) return false;
  step->kind = typing::Step::Kind::kEof;
  return true;
}

// Accepts "INT", "SIGINT" or "2"; the signal goes to the foreground group.
absl::StatusOr<bool> FillSignal(const Json& value, const Json&,
                                typing::Step* step) {
  auto name = AsString(value);
  if (!name) return false;
  ASSIGN_OR_RETURN(step->number, ParseSignal(*name));
  step->kind = typing::Step::Kind::kSignal;
  return true;
}

// Pauses help with programs that drop input while they start: nothing shows
// when such a program begins to read.
absl::StatusOr<bool> FillPause(const Json& value, const Json&,
                               typing::Step* step) {
  auto s = AsNumber(value);
  if (!s || *s < 0 || *s > kMaxPause_s) return false;
  step->kind = typing::Step::Kind::kPause;
  step->seconds = *s;
  return true;
}

// Accepts the same conditions as the argument `until`, from the same table.
absl::StatusOr<bool> FillUntil(const Json& value, const Json& object,
                               typing::Step* step) {
  UntilArgs args;
  Json conditions = value;
  if (const Json* session = FindMember(value, "session")) {
    auto name = AsString(*session);
    if (!name || name->empty()) {
      return InvalidArgument("\"session\" in \"until\" is a session's name");
    }
    step->other_name = *std::move(name);
    conditions.erase("session");
  }
  RETURN_IF_ERROR(mcp::ParseMembers(
      conditions, mcp::ArgPlace{"term_send", "input.until"}, &args));
  step->until = std::move(args);
  // Compiled here only to find errors; the wait compiles it again.
  RETURN_IF_ERROR(waits::UntilCheck::Compile(step->until).status());
  step->kind = typing::Step::Kind::kUntil;
  step->seconds = kUntilPatience_s;
  if (const Json* timeout = FindMember(object, "timeout_s")) {
    auto s = AsNumber(*timeout);
    if (!s || *s < 0 || *s > 45) {
      return InvalidArgument("\"timeout_s\" must be from 0 to 45");
    }
    step->seconds = *s;
    step->has_own_time = true;
  }
  return true;
}

// Accepts [row, col], counted from 1, or a text. Returns false for anything
// else.
bool ReadSpot(const Json& value, typing::Spot* spot) {
  if (auto text = AsString(value)) {
    spot->kind = typing::Spot::Kind::kText;
    spot->text = *std::move(text);
    return !spot->text.empty();
  }
  if (!value.is_array() || value.size() != 2) return false;
  auto row = AsInteger(value[0]), col = AsInteger(value[1]);
  // This only ensures that the numbers fit into an int, because the size of the
  // screen is known only when typing.
  bool sane = row && col && *row >= 1 && *row <= 100'000 && *col >= 1 &&
              *col <= 100'000;
  if (!sane) return false;
  spot->kind = typing::Spot::Kind::kCell;
  spot->cell = {static_cast<int>(*row) - 1, static_cast<int>(*col) - 1};
  return true;
}

// Reads the member "mods" of any gesture: "C", "C-S" or "ctrl+shift", as in key
// notation.
absl::Status ReadHeldKeys(const Json& object, Gesture* gesture) {
  const Json* mods = FindMember(object, "mods");
  if (mods == nullptr) return absl::OkStatus();
  auto key = terminal::ParseKey(AsString(*mods).value_or("") + "-F1");
  if (!key.ok() || key->modifiers == 0) {
    return InvalidArgument(
        "\"mods\" must be of C (ctrl), M (alt) and S (shift), such as "
        "\"C-S\"");
  }
  gesture->modifiers = key->modifiers;
  return absl::OkStatus();
}

// Reads the members "button", "count" and "mods" of a click or a drag.
absl::Status ReadButton(const Json& object, Gesture* gesture) {
  RETURN_IF_ERROR(ReadHeldKeys(object, gesture));
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

// Negative numbers scroll up, towards the beginning of the text.
absl::StatusOr<bool> FillScroll(const Json& value, const Json& object,
                                typing::Step* step) {
  auto turns = AsInteger(value);
  bool is_good =
      turns && *turns != 0 && *turns >= -kMaxTurns && *turns <= kMaxTurns;
  if (!is_good) return false;
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
  RETURN_IF_ERROR(ReadHeldKeys(object, &gesture));
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

// ParseSteps sets the step's number, because only ParseSteps knows the
// position. Returns false for the value false, which would be a step that does
// nothing.
absl::StatusOr<bool> FillShow(const Json& value, const Json&,
                              typing::Step* step) {
  step->kind = typing::Step::Kind::kShow;
  if (AsString(value) == "cursor") {
    step->rows = {0, 0};
  } else if (value.is_array() && value.size() == 2) {
    int64_t first = AsInteger(value[0]).value_or(0);
    int64_t last = AsInteger(value[1]).value_or(0);
    if (first < 1 || last < first || last > INT_MAX) return false;
    step->rows = {static_cast<int>(first), static_cast<int>(last)};
  } else {
    return AsBool(value).value_or(false);
  }
  return true;
}

// A new kind of step needs a row here, a kind in typing/input.h, and a row in
// typing/input.cc.
constexpr StepRow kSteps[] = {
    {"text", "a string", FillText},
    {"paste", "a string", FillPaste},
    {"key", "a key name such as \"Enter\" or \"C-c\"", FillKey},
    {"secret", "a string", FillSecret},
    // TakeVariable then replaces the name by the value.
    {"secret_env", "the name of an environment variable", FillSecret},
    {"secret_file", "the path of a file", FillSecretFile},
    {"resize", "[rows, cols]", FillResize},
    {"eof", "true", FillEof},
    {"signal", "a signal name such as \"INT\"", FillSignal},
    {"pause_s", "seconds from 0 to 30", FillPause},
    {"until", "an object of conditions", FillUntil},
    {"click", "a text on the screen or [row, col]", FillClick},
    {"scroll", "turns of the wheel, negative is up, at most 100", FillScroll},
    {"drag", "two ends, each [row, col] or a text", FillDrag},
    {"show", "true, [first row, last row] or \"cursor\"", FillShow},
};
// Members that modify the steps above.
constexpr const char* kModifiers[] = {"force", "timeout_s", "button",
                                      "count", "at",        "mods"};

// Returns the names for messages, in the order of the table.
std::vector<std::string> StepNames() {
  std::vector<std::string> names;
  for (const StepRow& row : kSteps) names.emplace_back(row.name);
  return names;
}

// Returns null if there is no such row.
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

// Error: no step, two steps, an unknown member, or a value of the wrong form.
// No message contains the value of a secret.
absl::StatusOr<typing::Step> ParseObject(const Json& object) {
  typing::Step step;
  const StepRow* kind = nullptr;
  for (const auto& item : object.items()) {
    if (IsModifier(item.key())) continue;
    const StepRow* row = FindRow(item.key());
    if (row == nullptr) {
      return InvalidArgument(
          "no step \"%s\"%s (there are: %s)", CutForMessage(item.key()),
          DidYouMean(item.key(), StepNames()), Join(StepNames(), ", "));
    }
    // Clients need not preserve the order of members in a JSON object, so two
    // steps in one object would have no defined order.
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

// Splits "ihello<Esc>" into a text and a key. Error: a token looks like a key
// but is not one; the message has the nearest names.
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

constexpr std::string_view kStepsAsText =
    "this is the JSON text of steps, not steps: pass the list itself, without "
    "quotes around it; to type the text as it is, use [{\"text\": ...}]";

bool IsStepObject(const Json& value) {
  if (!value.is_object()) return false;
  for (const auto& item : value.items()) {
    if (FindRow(item.key()) != nullptr) return true;
  }
  return false;
}

// Returns whether the string contains a key in angle brackets.
bool HoldsKey(const Json& value) {
  auto text = AsString(value);
  if (!text) return false;
  auto pieces = terminal::ParseNotation(*text);
  return pieces.ok() && std::any_of(pieces->begin(), pieces->end(),
                                    [](const terminal::InputPiece& piece) {
                                      return piece.is_key;
                                    });
}

// Returns whether a text contains the step of a secret in malformed JSON: with
// other quotes or none, with an extra comma, or in a code fence.
bool NamesSecret(std::string_view text) {
  static const auto* step = new Pattern(*Pattern::Compile(
      R"(\A\s*(```\w*\s*)?(\[(?s:.*))?\{((?s:.*)[,{])?\s*["'`“”‘’]?)"
      R"(secret(_env|_file)?["'`“”‘’]?\s*:)"));
  return step->Find(text).has_value();
}

// Models sometimes pass the JSON text of a list instead of the list. Typed as
// text, it would show a secret on the screen and in the log. Other JSON is
// ordinary text for a program.
bool HoldsSteps(std::string_view text) {
  // Parsing a long text takes too long for a shared server, and long texts are
  // files rather than steps.
  constexpr size_t kMostParsed = 64 << 10;
  if (text.size() > kMostParsed) return NamesSecret(text);
  auto json = ParseJson(text);
  if (!json.ok()) return NamesSecret(text);
  if (!json->is_array()) return IsStepObject(*json);
  return std::any_of(json->begin(), json->end(), [](const Json& item) {
    return IsStepObject(item) || HoldsKey(item);
  });
}

// In a list, a plain string may contain keys; {"text": ...} is literal.
absl::Status AppendStep(const Json& item, const record::Inheritance* inherited,
                        std::vector<typing::Step>* steps) {
  if (auto text = AsString(item)) {
    if (HoldsSteps(*text)) return InvalidArgument("%s", kStepsAsText);
    return AppendNotation(*text, steps);
  }
  if (!item.is_object()) {
    return InvalidArgument("a step is a string or an object");
  }
  ASSIGN_OR_RETURN(typing::Step step, ParseObject(item));
  if (FindMember(item, "secret_env") != nullptr) {
    RETURN_IF_ERROR(TakeVariable(inherited, &step));
  }
  if (step.kind == typing::Step::Kind::kSecret) {
    RETURN_IF_ERROR(TakeOneLine(&step.text));
  }
  steps->push_back(std::move(step));
  return absl::OkStatus();
}

// Refuses NUL bytes, because a shell would drop the byte and run the rest.
absl::Status CheckTypable(const mcp::ArgPlace& place, const std::string& text) {
  absl::Status status = mcp::CheckNoNul(place, text);
  if (status.ok()) return status;
  return InvalidArgument("%s, or write the key <C-Space>", Message(status));
}

}  // namespace

absl::StatusOr<std::vector<typing::Step>> ParseSteps(
    std::string_view tool, std::string_view argument, const Json& input,
    const record::Inheritance* inherited) {
  mcp::ArgPlace place{std::string(tool), std::string(argument)};
  std::vector<typing::Step> steps;
  if (auto text = AsString(input)) {
    if (HoldsSteps(*text)) {
      return InvalidArgument("%s: %s: %s; nothing was typed", tool, argument,
                             kStepsAsText);
    }
    typing::Step step;
    RETURN_IF_ERROR(CheckTypable(place, *text));
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
    const size_t before = steps.size();
    absl::Status status = AppendStep(input[i], inherited, &steps);
    if (!status.ok()) {
      return InvalidArgument("%s: %s[%d]: %s; nothing was typed", tool,
                             argument, i, Message(status));
    }
    for (size_t k = before; k < steps.size(); ++k) {
      RETURN_IF_ERROR(CheckTypable(place.Item(i), steps[k].text));
    }
    bool shows =
        steps.size() > before && steps.back().kind == typing::Step::Kind::kShow;
    if (shows) steps.back().number = static_cast<int>(i + 1);
  }
  return steps;
}

}  // namespace glasstty
