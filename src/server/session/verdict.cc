#include "session/verdict.h"

#include <algorithm>
#include <utility>

#include "base/visible.h"
#include "support/status.h"
#include "wire/session_files.h"

namespace glasstty::session {

bool Verdict::exited() const {
  const Life::Exit* exit = parts_.life.exit();
  if (exit == nullptr) return false;
  bool read = parts_.output.feed().consumed() >= exit->offset &&
              (!parts_.errors ||
               parts_.errors->feed()->consumed() >= exit->errors_offset);
  return read || !IsReadable();
}

bool Verdict::holder_lost() const {
  return parts_.life.phase() == Life::Phase::kLost &&
         (parts_.AllDrained() || !IsReadable());
}

std::string Verdict::WhyLost() const {
  constexpr size_t kMostWords = 200;
  std::string why;
  ReadFileAt(parts_.folder.Open()->get(), wire::kLostName, kMostWords, &why);
  return ShowOnOneLine(why);
}

bool Verdict::IsReadable() const {
  return parts_.output.IsReadable() &&
         (!parts_.errors || parts_.errors->IsReadable());
}

std::string Verdict::LogTrouble() const {
  absl::Status trouble = parts_.output.feed().trouble();
  if (trouble.ok() && parts_.errors) trouble = parts_.errors->feed()->trouble();
  if (trouble.ok()) return "";
  std::string programs = finished() ? "" : "its programs keep running; ";
  return absl::StrFormat(
      "its log cannot be read: %s; %swhat it printed is missing here until it "
      "can be, which is tried again and again",
      Message(trouble), programs);
}

const terminal::ProgramStatus* Verdict::ReportedStatus() const {
  const terminal::Terminal& terminal = parts_.output.terminal();
  bool is_gone =
      finished() ||
      terminal.status_reports() <= parts_.events.status_forgotten() ||
      IsCertainPrompt(LastState());
  return is_gone ? nullptr : terminal.program_status();
}

Look Verdict::IsFrameWhole() const {
  Time limit = parts_.events.frame_began() + kFrameLimit;
  bool drawing = parts_.output.terminal().modes().synchronized &&
                 parts_.loop->Now() < limit && !finished();
  return Look(!drawing, drawing ? limit : Time::max());
}

uint64_t Verdict::row_addresses() const {
  return parts_.output.terminal().row_addresses() -
         parts_.input.prompt().addresses_at_prompt();
}

bool Verdict::AddressesRows() const {
  // A mere `clear` addresses one row.
  constexpr uint64_t kManyRows = 4;
  constexpr int64_t kTextBelow = 4;
  bool may_edit_line = parts_.output.terminal().cursor().visible &&
                       parts_.output.terminal().end_line() -
                               parts_.output.terminal().cursor_line() <=
                           kTextBelow;
  return row_addresses() >= (may_edit_line ? kManyRows : 1);
}

bool Verdict::DrawsScreens() const {
  return parts_.output.terminal().modes().alternate_screen || AddressesRows();
}

// Output that is not fed yet ends the quiet time, and so does input, because a
// program that was quiet before the input may not have answered yet.
Duration Verdict::QuietFor() const {
  if (parts_.output.HasUnfed()) return Duration::zero();
  return parts_.loop->Now() -
         std::max(parts_.output.last_output(), parts_.input.typing().at);
}

// Returns the file name of the session's shell.
std::string Verdict::ShellName() const {
  const std::string& path = parts_.origin.program.argv[0];
  return path.substr(path.rfind('/') + 1);
}

ShellView Verdict::ViewOfShell() const {
  ShellView view;
  view.phase = parts_.events.commands().phase();
  view.run_ended = parts_.input.prompt().run_ended();
  const record::CommandBlock* running = parts_.events.commands().running();
  view.reads = running != nullptr && MayReadLines(running->text);
  return view;
}

// If a process in another session also reads the terminal, the program may have
// been interrupted, and probes must continue until that process is gone.
bool Verdict::IsAtShownPrompt() const {
  const wire::ProbeAnswer* last = parts_.questions.prober().last();
  bool has_other = last != nullptr && last->outside_pid != 0;
  return parts_.input.prompt().at_fresh_prompt() && !parts_.output.HasUnfed() &&
         !has_other;
}

std::optional<SessionState> Verdict::settled_state() const {
  if (finished()) {
    return SessionState{Activity::kExited, Evidence::kKernel, ""};
  }
  // The shell's own report needs no probe.
  if (IsAtShownPrompt()) {
    return SessionState{Activity::kPrompt, Evidence::kShell, ShellName()};
  }
  const wire::ProbeAnswer* answer = parts_.questions.prober().fresh();
  // An answer describes the moment at which the log ended at its offset. Until
  // that offset has been fed, the screen is older than the answer, and a reply
  // would say "prompt" beside a screen without one.
  bool seen_all = answer != nullptr && parts_.AllDrained() &&
                  parts_.output.feed().consumed() >= answer->offset;
  if (!seen_all || !answer->settled) return std::nullopt;
  return JudgeProbe(*answer, QuietFor(), ViewOfShell(),
                    parts_.output.TextBeforeCursor());
}

SessionState Verdict::LastState() const {
  if (finished()) return {Activity::kExited, Evidence::kKernel, ""};
  if (parts_.input.prompt().at_fresh_prompt()) {
    return {Activity::kPrompt, Evidence::kShell, ShellName()};
  }
  const wire::ProbeAnswer* answer = parts_.questions.prober().last();
  if (answer == nullptr) return JudgeQuiet(QuietFor());
  wire::ProbeAnswer judged = *answer;
  // An answer from before the last output or input is stale.
  if (parts_.questions.prober().current() == nullptr) judged.settled = 0;
  return JudgeProbe(judged, QuietFor(), ViewOfShell(),
                    parts_.output.TextBeforeCursor());
}

}  // namespace glasstty::session
