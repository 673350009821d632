#include "terminal/recovery.h"

#include <algorithm>
#include <utility>

namespace glasstty::terminal {
namespace {

enum class Rule {
  // The setting garbles all output, so no prompt needs it. It is always reset.
  kNever,
  // The setting is restored to its value at the beginning of the command, which
  // a person may have chosen in a start-up file or in the prompt.
  kAsBefore,
  // Like kAsBefore, but line editors change the setting for themselves before
  // they draw the prompt, and may reset it before or after the mark at which a
  // command begins. So it is restored only before the editor starts
  // (kCommandEnded), and not if it has the value of a new terminal.
  kOfLineEditors,
};

struct Row {
  const char* name;
  Rule rule;
  bool (*differs)(const Settings& a, const Settings& b);
  void (*take)(Settings* to, const Settings& from);
};

template <auto Member>
constexpr Row Of(const char* name, Rule rule) {
  return {
      name, rule,
      [](const Settings& a, const Settings& b) {
        return !(a.*Member == b.*Member);
      },
      [](Settings* to, const Settings& from) { to->*Member = from.*Member; }};
}

template <auto Mode>
constexpr Row OfMode(const char* name, Rule rule) {
  return {name, rule,
          [](const Settings& a, const Settings& b) {
            return a.modes.*Mode != b.modes.*Mode;
          },
          [](Settings* to, const Settings& from) {
            to->modes.*Mode = from.modes.*Mode;
          }};
}

constexpr Row kMouse = {"mouse reports", Rule::kAsBefore,
                        [](const Settings& a, const Settings& b) {
                          return a.modes.mouse != b.modes.mouse ||
                                 a.modes.mouse_encoding !=
                                     b.modes.mouse_encoding;
                        },
                        [](Settings* to, const Settings& from) {
                          to->modes.mouse = from.modes.mouse;
                          to->modes.mouse_encoding = from.modes.mouse_encoding;
                        }};

// If a program that has pushed flags dies, the pushed levels remain, too.
constexpr Row kKitty = {
    "kitty keyboard", Rule::kOfLineEditors,
    [](const Settings& a, const Settings& b) { return a.kitty != b.kitty; },
    [](Settings* to, const Settings& from) { to->kitty = from.kitty; }};

constexpr Row kModifiedKeys = {
    "modified keys", Rule::kOfLineEditors,
    [](const Settings& a, const Settings& b) {
      return a.modes.modify_other_keys != b.modes.modify_other_keys ||
             a.modes.format_other_keys != b.modes.format_other_keys;
    },
    [](Settings* to, const Settings& from) {
      to->modes.modify_other_keys = from.modes.modify_other_keys;
      to->modes.format_other_keys = from.modes.format_other_keys;
    }};

constexpr Row kRows[] = {
    OfMode<&Modes::alternate_screen>("alternate screen", Rule::kNever),
    OfMode<&Modes::autowrap>("autowrap", Rule::kNever),
    OfMode<&Modes::origin>("origin mode", Rule::kNever),
    Of<&Settings::margins>("margins", Rule::kNever),
    OfMode<&Modes::side_margins>("side margins", Rule::kNever),
    OfMode<&Modes::insert>("insert mode", Rule::kNever),
    OfMode<&Modes::newline>("newline mode", Rule::kNever),
    OfMode<&Modes::reverse_wrap>("reverse wrap", Rule::kNever),
    OfMode<&Modes::synchronized>("synchronized output", Rule::kNever),
    Of<&Settings::charsets>("character set", Rule::kNever),
    Of<&Settings::pen>("colours", Rule::kAsBefore),
    Of<&Settings::tab_stops>("tab stops", Rule::kAsBefore),
    OfMode<&Modes::reverse_screen>("reverse video", Rule::kAsBefore),
    OfMode<&Modes::cursor_visible>("cursor visibility", Rule::kAsBefore),
    OfMode<&Modes::cursor_blink>("cursor blinking", Rule::kOfLineEditors),
    OfMode<&Modes::cursor_style>("cursor style", Rule::kOfLineEditors),
    // A list of completions is text below the cursor, too.
    Of<&Settings::above_text>("cursor position", Rule::kOfLineEditors),
    kMouse,
    OfMode<&Modes::clusters>("grapheme clusters", Rule::kAsBefore),
    OfMode<&Modes::focus_reports>("focus reports", Rule::kAsBefore),
    OfMode<&Modes::bracketed_paste>("bracketed paste", Rule::kOfLineEditors),
    OfMode<&Modes::application_cursor>("cursor keys", Rule::kOfLineEditors),
    OfMode<&Modes::application_keypad>("keypad", Rule::kOfLineEditors),
    kModifiedKeys,
    kKitty,
};

bool IsDue(Rule rule, RecoveryMoment moment, bool knows_began) {
  switch (rule) {
    case Rule::kNever:
      return true;
    case Rule::kAsBefore:
      return knows_began && moment != RecoveryMoment::kCommandBegins;
    case Rule::kOfLineEditors:
      return knows_began && moment == RecoveryMoment::kCommandEnded;
  }
  return false;
}

}  // namespace

void KittyLevels::Push(int new_flags) {
  if (depth == static_cast<int>(pushed.size())) {
    std::shift_left(pushed.begin(), pushed.end(), 1);
    --depth;
  }
  pushed[static_cast<size_t>(depth++)] = flags;
  flags = new_flags;
}

void KittyLevels::Pop(int count) {
  for (int i = 0; i < count && *this != KittyLevels(); ++i) {
    flags =
        depth > 0 ? std::exchange(pushed[static_cast<size_t>(--depth)], 0) : 0;
  }
}

Recovery Recover(RecoveryMoment moment, const Settings& now,
                 const std::optional<Settings>& began) {
  Recovery recovery{now, {}};
  const Settings fresh;
  for (const Row& row : kRows) {
    if (!IsDue(row.rule, moment, began.has_value())) continue;
    const Settings& wanted = row.rule == Rule::kNever ? fresh : *began;
    if (!row.differs(now, wanted)) continue;
    bool is_of_editor = row.rule == Rule::kOfLineEditors;
    if (is_of_editor && !row.differs(now, fresh)) continue;
    row.take(&recovery.wanted, wanted);
    recovery.repaired.emplace_back(row.name);
  }
  return recovery;
}

}  // namespace glasstty::terminal
