// Decides which settings of the terminal are repaired at the marks of a shell,
// because a program has left them changed.
//
// A program that is killed cannot undo its settings, and shells do not undo
// them either. A table (recovery.cc) has a row for each setting that outlives a
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
  int flags = 0;                   // currently valid
  std::array<int, 8> pushed = {};  // lower levels, oldest first
  int depth = 0;

  // Drops the oldest level if the stack is full.
  void Push(int new_flags);
  // Pops `count` levels. Below the lowest level, the flags are 0.
  void Pop(int count);
  bool operator==(const KittyLevels&) const = default;
};

// Everything that a program can set and that affects how later output looks or
// what keys send.
struct Settings {
  Modes modes;
  Charsets charsets;
  Pen pen;
  // True if only a part of the screen scrolls.
  bool margins = false;
  std::vector<bool> tab_stops;  // by column
  // True if there is text below the cursor, which would remain among later
  // output.
  bool above_text = false;
  KittyLevels kitty;  // the levels of the primary screen

  bool operator==(const Settings&) const = default;
};

// The moments at which the marks of a shell allow a repair.
enum class RecoveryMoment {
  kCommandBegins,  // before the command's output, which must not be garbled
  // The command has ended, and a line editor may already have applied its own
  // settings.
  kPromptDrawn,
  kCommandEnded,  // the command has ended, and nothing has been set since
};

struct Recovery {
  Settings wanted;
  std::vector<std::string> repaired;  // names, in the order of the table
};

// `began` are the settings at the beginning of the command. If they are unknown
// (nullopt), only settings that no prompt needs are repaired.
Recovery Recover(RecoveryMoment moment, const Settings& now,
                 const std::optional<Settings>& began);

}  // namespace glasstty::terminal
