#include "session/session_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "base/file_replacement.h"
#include "base/own_file.h"
#include "support/status.h"
#include "wire/messages.h"
#include "wire/session_files.h"

namespace glasstty::session {

absl::Status SessionFiles::Put(const std::string& name,
                               const std::string& content) {
  if (parts_.origin.place.empty()) {
    // Removes the old file first, because ext4 writes a replacement to the disk
    // at once (mount option auto_da_alloc), which takes long.
    record::Folder::Hold directory = parts_.folder.Open();
    unlinkat(directory->get(), name.c_str(), 0);
    if (ReplaceFileAt(directory->get(), name, content)) {
      return absl::OkStatus();
    }
    return ErrnoStatus("write", name);
  }
  // Leaves room for the name in each packet.
  constexpr size_t kPiece = wire::kMaxPayload - 64;
  for (size_t at = 0; at < content.size(); at += kPiece) {
    std::string_view piece = std::string_view(content).substr(at, kPiece);
    parts_.link.Send(wire::File{at, content.size(), name, piece});
  }
  return absl::OkStatus();
}

void SessionFiles::Drop(const std::string& name) {
  if (parts_.origin.place.empty()) {
    unlinkat(parts_.folder.Open()->get(), name.c_str(), 0);
  } else {
    parts_.link.Send(wire::File{.name = name});
  }
}

bool SessionFiles::TakeTerminalNote() {
  if (!parts_.origin.place.empty()) return false;
  record::Folder::Hold directory = parts_.folder.Open();
  UniqueFd note(openat(directory->get(), wire::kTerminalNoteName,
                       O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  bool is_there =
      note.valid() && fstat(note.get(), &info) == 0 && info.st_size > 0;
  return is_there && ftruncate(note.get(), 0) == 0;
}

void SessionFiles::PersistMark(const record::ReadMark& mark) {
  wire::MarkRecord record{mark.offset, mark.errors.offset};
  if (std::exchange(persisted_mark_, record) == record) return;
  if (parts_.is_guest) return;
  record::Folder::Hold directory = parts_.folder.Open();
  UniqueFd file =
      OpenOwnFileAt(directory->get(), wire::kMarkName, O_WRONLY | O_CREAT);
  // The mark is written in place, because a crash of this process cannot tear
  // 16 bytes. If the mark is lost, text is shown twice, but never omitted.
  (void)!pwrite(file.get(), &record, sizeof record, 0);
}

}  // namespace glasstty::session
