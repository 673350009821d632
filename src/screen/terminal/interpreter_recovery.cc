// Handles the marks with which a shell reports that it is at its prompt or runs
// a command, and the repairs at these moments (recovery.h).
//
// The repair happens when the mark is executed, so the mark's position refers
// to the repaired screen, and a replay of the log has the same result. A mark
// begins with ESC, which ends a sequence that a program left unfinished.
//
// Two kinds of marks are trusted: those with the nonce, and numbered marks at
// the end of a typed line (option `run`). Numbers are not verified, because a
// program that prints such marks could just as well reset the modes itself.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/text.h"
#include "terminal/interpreter.h"

namespace glasstty::terminal {
namespace {

using Type = TerminalEvent::Type;

}  // namespace

// The relevant content of a shell's mark.
struct Interpreter::ShellMark {
  char letter = 0;
  bool is_ours = false;       // the mark carries the nonce
  bool is_of_prompt = false;  // part of a prompt: a line editor may have begun
  // The shell itself has restored its terminal driver's settings.
  bool is_tty_repaired = false;
  bool counts_glyphs = false;  // the line editor counts columns by glyph
  std::string_view run;        // the number of the typed line
};

Interpreter::ShellMark Interpreter::ParseMark(std::string_view text) const {
  ShellMark mark;
  for (bool is_first = true; !text.empty(); is_first = false) {
    std::string_view field = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
    if (is_first && field.size() == 1) mark.letter = field[0];
    if (field.starts_with("aid=")) {
      mark.is_ours = !nonce_.empty() && field.substr(4) == nonce_;
    } else if (field.starts_with("run=") || field.starts_with("RUN=")) {
      // A program may have left the terminal in upper case (stty olcuc).
      mark.run = field.substr(4);
    } else if (field == "at=prompt") {
      mark.is_of_prompt = true;
    } else if (field == "columns=glyphs") {
      mark.counts_glyphs = true;
    } else if (field == "left=tty") {
      mark.is_tty_repaired = true;
    }
  }
  return mark;
}

// `text` is the mark's text. A command between numbered marks may run in a
// nested shell, a command of the session's shell. It has then ended at the
// latest when the session's shell prints its next mark.
void Interpreter::RecoverAt(std::string_view text) {
  ShellMark mark = ParseMark(text);
  if (mark.is_ours) RecoverAtOwnMark(mark);
  if (!mark.is_ours && !mark.run.empty()) RecoverAtTypedMark(mark);
  bool is_proven = mark.is_ours || (!run_.empty() && mark.run == run_);
  if (mark.is_tty_repaired && is_proven) Emit(Type::kRepaired, "tty modes");
  if (mark.letter != 'C' || modes_.alternate_screen) return;
  // Each program requests its own flags for the alternate screen.
  kitty_[1] = {};
  if (mark.is_ours || !mark.run.empty()) WipeRemains();
}

// readline wraps a line that fills its row by printing a blank into the next
// row, and redraws a part of such a line there. The output begins in that row,
// so the remains would be mixed with it, and a tab over them would not be
// recorded.
void Interpreter::WipeRemains() {
  Place at = cursor_.position();
  if (at.col == 0 && grid_->row(at.row).used > 0) {
    cursor_.EraseInLine(0, /*selective=*/false);
  }
}

void Interpreter::RecoverAtTypedMark(const ShellMark& mark) {
  if (mark.letter == 'C') {
    // There may have been no mark for the end of the previous command.
    Settings before = CurrentSettings();
    before.above_text = false;
    Repair(RecoveryMoment::kCommandEnded, std::move(before));
    run_ = mark.run;
    run_began_ = CurrentSettings();
  } else if (mark.letter == 'D' && mark.run == run_) {
    Repair(RecoveryMoment::kCommandEnded, std::exchange(run_began_, {}));
    run_.clear();
  }
}

// The first D after a command precedes everything that the shell prints itself,
// unless that D is part of a prompt. While the line editor runs, the prompt may
// be drawn any number of times, and the editor's settings must be kept. But a
// shell that has lost its hooks has no marks except those in its prompt.
void Interpreter::RecoverAtOwnMark(const ShellMark& mark) {
  at_prompt_ = mark.letter != 'C';
  prompt_counts_glyphs_ = mark.counts_glyphs;
  if (mark.letter == 'C') {
    Repair(RecoveryMoment::kCommandBegins, std::nullopt);
    began_ = CurrentSettings();
  } else if (mark.letter == 'D' && !mark.is_of_prompt) {
    Repair(RecoveryMoment::kCommandEnded, std::exchange(began_, {}));
  } else if (mark.letter == 'D' || (mark.letter == 'A' && began_)) {
    Repair(RecoveryMoment::kPromptDrawn, began_);
  } else if (mark.letter == 'B') {
    began_.reset();
  }
  if (mark.letter != 'P') run_.clear();
}

Settings Interpreter::CurrentSettings() const {
  Settings now;
  now.modes = modes_;
  now.charsets = charsets_;
  now.pen = pen_;
  now.margins = cursor_.has_margins();
  now.tab_stops = cursor_.tab_stops();
  now.above_text =
      !grid_->alternate() && grid_->TextRows() > cursor_.position().row + 1;
  now.kitty = kitty_[0];
  return now;
}

void Interpreter::Repair(RecoveryMoment moment, std::optional<Settings> began) {
  // The output of a pipe is not that of a shell.
  if (uses_newlines_) return;
  // The screen may have another width than when the command began.
  if (began) cursor_.FitTabStops(&began->tab_stops);
  Settings now = CurrentSettings();
  Recovery recovery = Recover(moment, now, began);
  bool was_cut = cut_end_ != 0 && cut_end_ == string_begin_ + 1;
  if (was_cut) recovery.repaired.emplace_back("unfinished sequence");
  if (recovery.repaired.empty()) return;
  if (recovery.wanted != now) Apply(recovery.wanted);
  Emit(Type::kRepaired, Join(recovery.repaired, ", "));
}

// Removes the margins first, so that rows from the alternate screen scroll as
// lines do.
void Interpreter::Apply(const Settings& wanted) {
  charsets_ = wanted.charsets;
  kitty_[0] = wanted.kitty;
  if (!wanted.margins) cursor_.ForgetMargins();
  cursor_.SetTabStops(wanted.tab_stops);
  SetPen(wanted.pen);
  if (modes_.synchronized != wanted.modes.synchronized) {
    Emit(Type::kSync, "", wanted.modes.synchronized);
  }
  bool leaves = modes_.alternate_screen && !wanted.modes.alternate_screen;
  KeepModes(wanted.modes);
  modes_ = wanted.modes;
  cursor_.SetModes(modes_);
  ShowKittyFlags();
  if (leaves) {
    LeaveWithLines();
    Emit(Type::kAlternate);
  } else if (!wanted.above_text) {
    GoBelowText();
  }
}

// Text that was printed on the alternate screen after a program died, above all
// a shell's message, would be lost with that screen, so its content becomes
// lines. Positions on it are meaningless on the primary screen, so the cursor
// moves after those lines.
void Interpreter::LeaveWithLines() {
  constexpr int kAlternateScreen = 1047;
  std::vector<Row> rows;
  Place end = cursor_.position();
  bool wraps = cursor_.pending_wrap();
  end.row += grid_->TakeAlternate(&rows);
  state_layer_.SetMode(kAlternateScreen, false);
  grid_->LeaveAlternate();
  cursor_.Restore({grid_->primary_cursor(), false});
  GoBelowText();
  // The text of the last row ends at the cursor.
  bool is_last = !rows.empty() && end.row == std::ssize(rows) - 1 &&
                 end.col + (wraps ? 1 : 0) >= rows.back().used;
  cursor_.PutRows(std::move(rows));
  // Move the cursor back to its position after that text.
  if (is_last) cursor_.Restore({{cursor_.position().row - 1, end.col}, wraps});
}

void Interpreter::GoBelowText() {
  int rows = grid_->TextRows();
  if (rows <= cursor_.position().row + 1) return;
  cursor_.Restore({{rows - 1, 0}, false});
  cursor_.NextLine();
}

}  // namespace glasstty::terminal
