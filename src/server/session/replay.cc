#include "session/replay.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "support/status.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// Returns 0 if the first kept offset cannot be determined now. Missing bytes at
// the beginning then show as a hole.
uint64_t FirstKept(const LogFeed& feed) { return feed.FirstKept().value_or(0); }

}  // namespace

// Reads all size changes, because the terminal begins with the first size.
absl::StatusOr<Replay::Left> Replay::Inspect(int directory, bool dead) {
  Replay::Left left;
  auto end = wire::LogEnd(directory, "out");
  auto errors_end = wire::LogEnd(directory, "err");
  if (!end || !errors_end) return ErrnoStatus("read", "its directory");
  left.end = *end;
  left.errors_end = *errors_end;
  if (auto mark = wire::ReadMarkFile(directory)) {
    left.read_to = *mark;
  }
  // Without the sizes, the screen would be wrong.
  auto events = wire::ReadEvents(directory);
  if (!events) return ErrnoStatus("read", wire::kEventsName);
  for (const wire::EventRecord& event : *events) {
    if (event.type != wire::EventType::kResize) continue;
    terminal::Size size{static_cast<int>(event.a), static_cast<int>(event.b)};
    left.resizes.emplace_back(event.offset, size);
  }
  // The file exists only during a replay, or if a server has died during one.
  struct stat info;
  if (fstatat(directory, wire::kAdoptingName, &info, AT_SYMLINK_NOFOLLOW) ==
      0) {
    left.failed_replays =
        static_cast<int>(std::min<off_t>(info.st_size, Replay::kMostReplays));
  }
  left.dead = dead;
  if (!dead) return left;
  // A holder that ends normally removes its socket after the last process.
  left.end_told = faccessat(directory, wire::kControlName, F_OK,
                            AT_SYMLINK_NOFOLLOW) != 0 &&
                  errno == ENOENT;
  if (auto record = wire::ReadExit(directory)) {
    left.exit_status = record->status;
    // The log may be longer, because output may follow the exit. It may also be
    // shorter, if the disk lost its end, which then shows as a hole.
    left.end = std::max(left.end, record->offset);
  }
  return left;
}

// The replay begins once its end is known: from the holder's Welcome, or here
// if there is no holder.
void Replay::Prepare(const Left& left) {
  parts_.output.SetReplayEnd(~uint64_t{0});
  left_end_ = left.end;
  failed_replays_ = left.failed_replays;
  parts_.output.terminal()->MuteReplies(true);
  for (const auto& [offset, size] : left.resizes) {
    parts_.output.feed()->AddResize(offset, size);
  }
  sizes_ = left.resizes.size();
  // A mark counts lines, so it can be set only when the feed reaches its
  // offset.
  parts_.output.feed()->CallAt(left.read_to.offset, [this] {
    parts_.output.InheritMark();
    parts_.events.ForgetRepairs(parts_.output.inherited_mark().offset);
  });
  if (parts_.errors) {
    parts_.errors->SetReplayEnd(~uint64_t{0});
    parts_.errors->feed()->CallAt(left.read_to.errors_offset,
                                  [this] { parts_.errors->InheritMark(); });
  }
  if (!left.dead) return;  // continued by the holder's Welcome
  // Without a holder, the files are the only source.
  if (left.exit_status) {
    parts_.SetExit({left.end, left.errors_end, *left.exit_status});
  }
  parts_.output.feed()->EndWithFiles();
  if (parts_.errors) parts_.errors->feed()->EndWithFiles();
  Begin(std::max(left.end, parts_.output.feed()->end()));
}

// If the feed has already passed several sizes, only the last one matters.
void Replay::LookForSizes() {
  LogFeed* feed = parts_.output.feed();
  auto left = Inspect(parts_.directory->get(), /*dead=*/false);
  if (!left.ok()) return;
  for (; sizes_ < left->resizes.size(); ++sizes_) {
    const auto& [offset, size] = left->resizes[sizes_];
    bool is_last = sizes_ + 1 == left->resizes.size();
    if (is_last || offset >= feed->consumed()) feed->AddResize(offset, size);
  }
}

void Replay::BeginWithStored() {
  if (!parts_.output.awaits_replay()) return;
  auto end = wire::LogEnd(parts_.directory->get(), "out");
  Begin(std::max(left_end_, end.value_or(0)));
}

// Lines keep their numbers, even if the log no longer has all of them.
void Replay::Begin(uint64_t end) {
  parts_.output.SetReplayEnd(end);
  BeginErrors();
  StartLog(end);
  parts_.output.feed()->SetEnd(end);
  // Until the replay is over, the next server must assume that this log may
  // crash the emulator. The first piece is fed in a later turn.
  if (parts_.output.replaying() && !parts_.is_guest) {
    std::string tries(static_cast<size_t>(failed_replays_) + 1, '.');
    ReplaceFileAt(parts_.directory->get(), wire::kAdoptingName, tries);
  }
  // The replay ends between two bytes, because replies to the first live byte
  // must not be muted.
  parts_.output.feed()->CallAt(end, [this] { End(); });
}

// If the log has lost its beginning, the terminal restores its state at the
// first kept byte, and lines keep their numbers.
void Replay::StartLog(uint64_t end) {
  record::LogStart start;
  // After too many crashes, the terminal begins blank at the end of the log.
  if (failed_replays_ >= kMostReplays) {
    start.offset = start.lost = end;
  } else {
    start = record::FindLogStart(parts_.directory->get());
  }
  bool is_known = start.state && start.state->offset == start.offset;
  // If no state fits, the archive has the line numbers, from some offset on.
  if (!is_known) {
    uint64_t first = start.offset;
    parts_.output.history()->Restore(&first);
    start.lost += first - start.offset;
    start.offset = first;
  }
  bool restored = parts_.output.feed()->StartFrom(start);
  if (is_known) parts_.output.history()->RestoreAt(start.offset);
  if (restored &&
      parts_.events.commands()->RestoreState(start.state->commands)) {
    parts_.Marked(/*is_live=*/false);
  }
  // Without a terminal, nothing is missing, because the archive has all lines.
  parts_.output.BeginWithout(
      parts_.origin.program.pipe ? 0 : parts_.output.feed()->lost());
}

void Replay::SaveState(uint64_t offset) {
  int directory = parts_.directory->get();
  // During a replay, the state may have been saved by an earlier server.
  if (offset == 0 || record::HasSavedState(directory, offset)) return;
  // If the disk is full, the state is not saved, and the next server reports
  // that parts of the screen may be missing.
  (void)record::WriteSavedState(
      directory, {.offset = offset,
                  .lost = parts_.output.undrawn(),
                  .terminal = parts_.output.terminal()->SaveState(),
                  .commands = parts_.events.commands()->SaveState()});
}

// A separate stderr contains only lines, so it has no state and no queries.
void Replay::BeginErrors() {
  if (!parts_.errors) return;
  // The holder announces bytes that arrive meanwhile.
  uint64_t end = wire::LogEnd(parts_.directory->get(), "err").value_or(0);
  end = std::max(end, parts_.errors->feed()->end());
  bool skip = failed_replays_ >= kMostReplays;
  uint64_t first = skip ? end : FirstKept(*parts_.errors->feed());
  parts_.errors->history()->Restore(&first);
  if (first > parts_.errors->feed()->consumed())
    parts_.errors->feed()->StartAt(first);
  parts_.errors->SetReplayEnd(end);
  parts_.errors->feed()->SetEnd(end);
  parts_.errors->feed()->CallAt(
      end, [this] { parts_.errors->history()->EndRestore(); });
}

// From here on, the owner's server answers the program's queries again.
void Replay::End() {
  // Takes the events of the last piece; everything after it is live.
  parts_.TakeEvents(/*is_live=*/false);
  parts_.output.SetReplayEnd(0);
  parts_.output.terminal()->MuteReplies(parts_.is_guest);
  parts_.output.history()->EndRestore();
  parts_.input.prompt()->Replayed();
  // The file stays if the log must not be replayed by later servers, either.
  if (failed_replays_ < kMostReplays && !parts_.is_guest) {
    unlinkat(parts_.folder.Open()->get(), wire::kAdoptingName, 0);
  }
}

}  // namespace glasstty::session
