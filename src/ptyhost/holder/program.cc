#include "holder/program.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "base/fd.h"
#include "base/terminal_size.h"
#include "holder/pending_work.h"
#include "holder/process_name.h"
#include "holder/tree.h"
#include "wire/session_files.h"

namespace glasstty::holder {
namespace {

// Returns the first group of the lineage, which may be in an inner terminal; 0
// if there is none.
pid_t GroupOf(const Verdict& verdict) {
  return verdict.lineage.empty() ? 0 : verdict.lineage.front();
}

}  // namespace

Program::Program(wire::LaunchSpec spec, int dir_fd, int start_dir)
    : spec_(std::move(spec)),
      dir_fd_(dir_fd),
      start_dir_(start_dir),
      events_(dir_fd, &clock_),
      input_log_(dir_fd),
      outputs_{Output(&device_, Stream::kOut, dir_fd, spec_.log_cap, &events_),
               Output(&device_, Stream::kErr, dir_fd, spec_.log_cap, &events_)},
      input_(&device_, &input_log_),
      rows_(spec_.rows),
      cols_(spec_.cols) {}

// ---- start and exit

bool Program::OpenLogs() {
  return events_.Open() && outputs_[0].Open() &&
         (!spec_.pipe || outputs_[1].Open()) &&
         (!spec_.record_input || input_log_.Open());
}

bool Program::FailToStart(wire::StartStage stage) {
  start_ = {0, stage, errno};
  return false;
}

bool Program::OpenDevice() {
  return spec_.pipe ? device_.OpenPipes() : device_.OpenTerminal(rows_, cols_);
}

bool Program::Start() {
  if (!OpenDevice()) return FailToStart(wire::StartStage::kPty);
  events_.Append(wire::EventType::kResize, 0, rows_, cols_);
  start_ = Spawn(
      {.spec = &spec_,
       .stdio = {device_.child_fd(0), device_.child_fd(1), device_.child_fd(2)},
       .terminal = device_.is_terminal(),
       .start_dir = start_dir_});
  device_.CloseChildSide();
  // These are large and no longer needed, and the environment may contain
  // secrets.
  spec_.argv = {};
  spec_.environment = {};
  return leader() > 0;
}

// Drains instead of waiting for a hang-up, which does not come while a
// background process has the terminal open. The program wrote everything before
// its death, so a drain that starts now reads its last byte.
void Program::SetExited(int status) {
  Drain();
  exit_status_ = status;
  exit_offset_ = out().log().end();
  input_.Close();
  events_.Append(wire::EventType::kExit, exit_offset_,
                 static_cast<uint32_t>(exit_status_));
  // The shell that was to read this file is gone.
  unlinkat(dir_fd_, wire::kEnvironmentName, 0);
  SaveExit();
}

void Program::SaveExit() {
  wire::ExitRecord record{.offset = exit_offset_, .status = exit_status_};
  bool saved = ReplaceFileAt(dir_fd_, wire::kExitName, wire::AsBytes(record));
  phase_ = saved ? Phase::kSaved : Phase::kUnsaved;
}

wire::Started Program::Started() const {
  wire::Started started{.pid = static_cast<uint64_t>(leader())};
  if (leader() <= 0) {
    started.stage = start_.stage;
    started.error = start_.error;
  }
  return started;
}

// Includes the end of the stderr log, whose last bytes are the program's, too.
wire::Exit Program::Exit() const {
  return {exit_offset_, exit_status_, spec_.pipe ? err().log().end() : 0};
}

wire::HolderInfo Program::Info() const {
  wire::HolderInfo info;
  info.first = out().log().first();
  info.end = out().log().end();
  info.exit_offset = exit_offset_;
  info.holder_pid = getpid();
  info.leader_pid = leader();
  info.exit_status = exit_status_;
  info.rows = rows_;
  info.cols = cols_;
  info.started = leader() > 0;
  info.exited = exited();
  info.tail_open = exited() && !TreeIsEmpty();
  info.pipe = spec_.pipe;
  info.last_serial = input_.last_serial();
  info.read_serial = input_.outstanding() ? 0 : input_.last_serial();
  return info;
}

// ---- output

// Reads stderr last, so that a server that gets a line of stdout also gets what
// was written to stderr just before that line.
void Program::ReadOutputs(bool hung_up) {
  if (hung_up || out().WantsRead()) outputs_[0].Pump();
  if (spec_.pipe && err().WantsRead()) outputs_[1].Pump();
  if (device_.is_terminal() && leader() > 0) terminal_note_.Look(leader());
}

void Program::Drain() {
  for (Output& output : outputs_) output.Drain();
}

void Program::Retry() {
  for (Output& output : outputs_) output.Retry();
  if (phase_ == Phase::kUnsaved) SaveExit();
}

bool Program::NeedsRetry() const {
  return phase_ == Phase::kUnsaved || input_.WantsWrite() ||
         out().NeedsRetry() || err().NeedsRetry();
}

bool Program::IsSaved() const {
  return phase_ != Phase::kUnsaved && out().log().unsaved() == 0 &&
         err().log().unsaved() == 0;
}

void Program::SetReader(bool attached, uint64_t acked_out, uint64_t acked_err) {
  outputs_[0].SetReader(attached, acked_out);
  outputs_[1].SetReader(attached && spec_.pipe, acked_err);
}

void Program::SetLogCap(uint64_t cap) {
  for (Output& output : outputs_) output.log()->SetCap(cap);
}

// ---- the terminal

// Drains first, so that output for the old size lies before the offset at which
// the new size becomes valid.
wire::Resized Program::Resize(const wire::Resize& size) {
  bool valid = IsTerminalSize(size.rows, size.cols);
  if (valid && device_.is_terminal()) outputs_[0].Drain();
  uint64_t end = out().log().end();
  if (valid) {
    rows_ = static_cast<uint16_t>(size.rows);
    cols_ = static_cast<uint16_t>(size.cols);
    if (device_.is_terminal()) device_.SetSize(rows_, cols_);
    events_.Append(wire::EventType::kResize, end, rows_, cols_);
  }
  return {end, rows_, cols_};
}

void Program::Note(wire::EventType type, bool flag) {
  if (!exited()) events_.Append(type, out().log().end(), flag ? 1 : 0);
}

// Returns false if more output may be waiting.
bool Program::DrainBeforeLook() {
  for (Output& output : outputs_) {
    bool is_used = &output == &outputs_[0] || spec_.pipe;
    if (is_used && (output.paused() || !output.Drain())) return false;
  }
  return true;
}

int Program::UnreadInput() {
  int unread = device_.UnreadInput();
  return unread < 0 ? unread : unread + static_cast<int>(input_.queued());
}

// Returns true if all input and all output have been read.
bool Program::IsSettled(int unread) {
  return unread == 0 && device_.OutputIsDrained(Stream::kOut) &&
         (!spec_.pipe || device_.OutputIsDrained(Stream::kErr));
}

// Adds the attributes of the terminal that the program waits for, if they are
// accessible.
void Program::AddAttributes(const Verdict& verdict, wire::ProbeAnswer* answer) {
  std::optional<termios> own = device_.GetAttributes();
  std::optional<InnerLook> inside = LookInside(verdict.inner);
  if (!inside && !own) return;
  const termios& attributes = inside ? inside->attributes : *own;
  if (inside) answer->settled = answer->settled && inside->unread == 0;
  answer->is_inner = inside.has_value();
  answer->canonical = (attributes.c_lflag & ICANON) != 0;
  answer->raw_output = (attributes.c_oflag & OPOST) == 0;
  answer->no_signals = (attributes.c_lflag & ISIG) == 0;
  // Input is shown if either terminal echoes it.
  answer->echo =
      (attributes.c_lflag & ECHO) != 0 || (own && (own->c_lflag & ECHO) != 0);
}

// Leaves the name empty if `pid` is 0 or the process is gone.
template <size_t N>
void CopyName(pid_t pid, char (*name)[N]) {
  if (pid > 0) ReadKnownName(pid).copy(*name, N - 1);
}

// A program that has unread input, or whose output has not been read yet, is
// not waiting for the user. So the answer is settled only if all input and
// output had been read, both before and after the examination.
wire::ProbeAnswer Program::Look(uint64_t flags, uint64_t input_ticks) {
  wire::ProbeAnswer answer;
  bool settled = DrainBeforeLook() && IsSettled(UnreadInput());
  pid_t group = device_.is_terminal() ? device_.ForegroundGroup() : leader();
  if (exited()) group = 0;
  Verdict verdict =
      LookAtForeground(group, {.terminal = device_.is_terminal(),
                               .identity = device_.identity(),
                               .filesystem = device_.filesystem()});
  if ((flags & wire::kProbeWork) && verdict.pid > 0) {
    answer.work = FindPendingWork(WalkTree(), {group, GroupOf(verdict)},
                                  verdict.pid, input_ticks);
  }
  answer.unread = UnreadInput();
  answer.settled = IsSettled(answer.unread) && settled;
  answer.offset = out().log().end();
  answer.foreground_pgrp = group;
  answer.foreground_pid = verdict.pid;
  answer.leader_pid = leader();
  answer.waiting = verdict.waiting;
  answer.active = verdict.active;
  answer.no_job_control = !verdict.job_control;
  answer.no_peer = !verdict.has_peer;
  answer.near_end = verdict.near_end;
  AddAttributes(verdict, &answer);
  answer.outside_pid = verdict.outside;
  answer.stopped_pid = verdict.stopped;
  CopyName(verdict.pid, &answer.name);
  CopyName(verdict.outside, &answer.outside_name);
  CopyName(verdict.stopped, &answer.stopped_name);
  std::copy_n(verdict.lineage.begin(),
              std::min(verdict.lineage.size(), wire::kMaxLineage),
              answer.lineage);
  return answer;
}

}  // namespace glasstty::holder
