// Taking over a session that another server left.
//
// Its log is fed from the first kept byte, with the recorded resizes and with
// replies muted: the program had its answers. Where the old reader had stopped,
// a call in the feed takes the mark. While this goes on a file `adopting`
// exists, with a byte for each server that has begun. If the log brings
// kMostReplays of them down, the next ones show the session without replaying.
// The replay is over at the offset that was the end when the holder greeted us;
// a session without a holder is replayed up to the end of its log and is ended
// from the beginning.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "session/session.h"
#include "wire/session_files.h"

namespace glasstty::session {
// The size changes: all of them, from the first, for the terminal is made with
// the original size.
Session::Adopted InspectLeft(int directory, bool dead) {
  Session::Adopted adopted;
  if (auto mark = wire::ReadMarkFile(directory)) {
    adopted.read_to = mark->offset;
  }
  for (const wire::EventRecord& event : wire::ReadEvents(directory)) {
    if (event.type != wire::EventType::kResize) continue;
    terminal::Size size{static_cast<int>(event.a), static_cast<int>(event.b)};
    adopted.resizes.emplace_back(event.offset, size);
  }
  // Found only if a server died between the start and the end of a replay.
  struct stat info;
  if (fstatat(directory, wire::kAdoptingName, &info, AT_SYMLINK_NOFOLLOW) ==
      0) {
    adopted.failed_replays =
        static_cast<int>(std::min<off_t>(info.st_size, Session::kMostReplays));
  }
  adopted.dead = dead;
  if (!dead) return adopted;
  adopted.end = wire::LogEnd(directory, "out");
  adopted.errors_end = wire::LogEnd(directory, "err");
  if (auto record = wire::ReadExit(directory)) {
    adopted.exit_status = record->status;
    // The tail may have been printed after the exit; or the disk lost the end
    // of the log, which then shows as a hole.
    adopted.end = std::max(adopted.end, record->offset);
  }
  return adopted;
}

// The replay begins when its end is known: from the holder's Welcome, or here
// when no holder lives.
void Session::Adopt(const Adopted& adopted) {
  replay_end_ = ~uint64_t{0};
  failed_replays_ = adopted.failed_replays;
  terminal_->MuteReplies(true);
  for (const auto& [offset, size] : adopted.resizes) {
    feed_.AddResize(offset, size);
  }
  // The marks count lines, so a mark can only be taken when the feed is there.
  feed_.CallAt(adopted.read_to,
               [this] { inherited_mark_ = record::MarkNow(*terminal_); });
  if (!adopted.dead) return;  // the holder's Welcome goes on
  // Without a holder, the files are all there is.
  if (adopted.exit_status) {
    SetExit({adopted.end, adopted.errors_end, *adopted.exit_status});
  }
  BeginReplay(adopted.end);
  MarkEnded();
}

// Lines keep their numbers though the log may no longer have all of them.
void Session::BeginReplay(uint64_t end) {
  replay_end_ = end;
  BeginErrorReplay();
  bool skip = failed_replays_ >= kMostReplays;
  // The terminal begins blank at the end of the log; what follows is shown.
  uint64_t first = skip ? end : feed_.first_kept();
  history_.Restore(&first);
  if (first > feed_.consumed()) feed_.StartAt(first);
  feed_.SetEnd(end);
  // Until it is through, the next server must take this log for one that may
  // bring the emulator down. The first piece is fed in a later turn.
  if (replaying()) {
    std::string tries(static_cast<size_t>(failed_replays_) + 1, '.');
    ReplaceFileAt(directory_->get(), wire::kAdoptingName, tries);
  }
  // Between two bytes: the answer to the first live one must not be muted.
  feed_.CallAt(end, [this] { EndReplay(); });
}

// Errors are lines only, so nobody waits for them.
void Session::BeginErrorReplay() {
  if (!errors_) return;
  uint64_t end = wire::LogEnd(directory_->get(), "err");
  bool skip = failed_replays_ >= kMostReplays;
  uint64_t first = skip ? end : errors_->feed.first_kept();
  errors_->history.Restore(&first);
  if (first > errors_->feed.consumed()) errors_->feed.StartAt(first);
  errors_->feed.SetEnd(end);
  errors_->feed.CallAt(end, [this] { errors_->history.EndRestore(); });
}

// From here on the program's questions are answered again.
void Session::EndReplay() {
  // Those of the last piece: behind it, what comes is live.
  TakeEvents(/*is_live=*/false);
  replay_end_ = 0;
  terminal_->MuteReplies(false);
  history_.EndRestore();
  prompt_.Replayed();
  // A log that is not to be replayed stays so for the servers to come.
  if (failed_replays_ < kMostReplays) {
    unlinkat(OpenDirectory()->get(), wire::kAdoptingName, 0);
  }
}

void Session::PersistMark(uint64_t offset) {
  if (std::exchange(persisted_mark_, offset) == offset) return;
  record::Folder::Hold directory = OpenDirectory();
  UniqueFd file(openat(directory->get(), wire::kMarkName,
                       O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  // In place, once a reply: a crash of this process cannot tear 8 bytes.
  wire::MarkRecord record{offset};
  // Lost marks show text twice, never not at all.
  (void)!pwrite(file.get(), &record, sizeof record, 0);
}

}  // namespace glasstty::session
