// Decides which settings that a program has left changed in the terminal are
// repaired when a shell is back at its prompt.
//
// A program that is killed cannot undo its settings, and a shell does not do it
// either. A table (recovery.cc) has a row for everything that outlives a
// program, with its name for readers. Pure functions over values; the
// interpreter provides the values and applies them (interpreter_recovery.cc).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "terminal/charsets.h"
#include "terminal/modes.h"
#include "terminal/pen.h"

namespace glasstty::terminal {

// The keyboard flags that programs have requested on one screen, in kitty's
// keyboard protocol.
struct KittyLevels {
  int flags = 0;                   // in force
  std::array<int, 8> pushed = {};  // lower levels, oldest first
  int depth = 0;

  // Drops the oldest level if the stack is full.
  void Push(int new_flags);
  // There are no flags below the lowest level.
  void Pop(int count);
  bool operator==(const KittyLevels&) const = default;
};

// Everything that a program can set and that affects how later output looks or
// what keys send.
struct Settings {
  Modes modes;
  Charsets charsets;
  Pen pen;
  // Only a part of the screen scrolls.
  bool margins = false;
  std::vector<bool> tab_stops;  // by column
  // There is text below the cursor, which would remain among later output.
  bool above_text = false;
  KittyLevels kitty;  // of the primary screen

  bool operator==(const Settings&) const = default;
};

// The moments at which a shell lets us examine what its command has left.
enum class RecoveryMoment {
  kCommandBegins,  // no command may begin with garbled output
  // The command has ended, and a line editor may already have applied its own
  // settings.
  kPromptDrawn,
  kCommandEnded,  // it has ended, and nothing has been set since
};

struct Recovery {
  Settings wanted;
  std::vector<std::string> repaired;  // names, in the order of the table
};

// `began` are the settings with which the command began; nullopt: unknown, so
// only settings that no prompt wants are repaired.
Recovery Recover(RecoveryMoment moment, const Settings& now,
                 const std::optional<Settings>& began);

}  // namespace glasstty::terminal
