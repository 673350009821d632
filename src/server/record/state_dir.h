// The directory in which sessions keep their files, and the list of sessions in
// it.
//
//   BASE/<id>/        a session that is alive, or whose server died
//   BASE/ended/<id>/  one that was ended properly; only its log is of interest,
//                     until it is deleted (record/housekeeper.h)
//
// BASE is $GLASSTTY_STATE_DIR if that is set, else the first usable one of
// $XDG_STATE_HOME/glasstty, ~/.local/state/glasstty, and glasstty-UID in the
// temporary directory. BASE and the directories in it are created with mode
// 0700, whatever the umask. An existing directory is left unchanged, and
// refused if anybody else could change it. Owns the descriptors. Loop thread
// only.
//
// A server shows the others which sessions it owns by locks on ranges of the
// file BASE/claims, a byte for each session (fcntl_locking(2), "Open file
// description locks"). A single descriptor suffices for any number of sessions,
// and the locks vanish with the process.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "record/folder.h"

namespace glasstty::record {

// Returns 128 random bits as 32 lower-case hex digits.
absl::StatusOr<std::string> RandomId();

class StateDir {
 public:
  // Creates whatever is missing. Error: no usable directory could be created.
  static absl::StatusOr<StateDir> Open();
  // Like Open for code that only reads: changes nothing. Error: NotFound if the
  // directory does not exist yet.
  static absl::StatusOr<StateDir> OpenToLook();
  // Returns the path that Open would use; changes nothing. Error: there is no
  // such path.
  static absl::StatusOr<std::string> Place();

  // Returns false if BASE, or one of `ended` and `claims` in it, was deleted or
  // replaced since it was opened, for instance by a script that cleans caches.
  bool IsThere() const;
  // Creates whatever is missing of BASE again, where Open would create it, and
  // keeps all claims. Folders that were opened before keep the deleted
  // directory. Error: no usable directory could be created.
  absl::Status Renew();

  // Creates an empty session directory; returns its random name, the session's
  // id.
  absl::StatusOr<std::string> Create();
  // Returns the ids of the sessions that were not ended properly, unsorted.
  // Error: the directory cannot be read.
  absl::StatusOr<std::vector<std::string>> List() const;
  // Like List, for sessions that were ended properly.
  absl::StatusOr<std::vector<std::string>> ListEnded() const;
  // Opens the folder of a session that was not ended properly. The folder
  // borrows from this object. Error: the directory does not exist, belongs to
  // somebody else, is writable by others, or is not writable by us.
  absl::StatusOr<Folder> OpenSession(const std::string& id) const;
  // Returns the path of a session, live or ended; absolute if BASE is.
  std::string PathOf(const std::string& id) const;

  // Claims the session for this server, until Disclaim or the end of this
  // object. Returns false if another server owns it, or if the lock cannot be
  // taken.
  bool Claim(const std::string& id);
  void Disclaim(const std::string& id);

  // Moves a session that was ended properly into `ended`; its log is kept.
  void MoveToEnded(const std::string& id);
  // Deletes the directory of a session in which nothing ever ran.
  void Remove(const std::string& id);

  struct Usage {
    uint64_t bytes = 0;
    // When a file was last created or removed in the directory, in nanoseconds
    // since 1970. For an ended session, this is close to its end.
    int64_t changed_ns = 0;
  };
  // Returns how much a session takes on disk, or nullopt if it does not exist.
  std::optional<Usage> Measure(const std::string& id) const;
  std::optional<Usage> MeasureEnded(const std::string& id) const;
  void RemoveEnded(const std::string& id);
  // Deletes the directory if a server died while creating it; otherwise returns
  // false.
  bool RemoveUnfinished(const std::string& id);

  const std::string& path() const { return path_; }

 private:
  StateDir(std::string path, UniqueFd base, UniqueFd ended, UniqueFd claims);
  // Locks all claimed sessions in `claims_`.
  void LockClaimed();

  std::string path_;
  UniqueFd base_;
  UniqueFd ended_;
  UniqueFd claims_;
  std::set<std::string> claimed_;  // the ids of the sessions that we own
  // Deleted directories, which the folders of their sessions borrow.
  std::vector<UniqueFd> former_;
};

}  // namespace glasstty::record
