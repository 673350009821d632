// Where sessions keep their files, and which are there.
//
//   BASE/<id>/        a session that lives, or whose server died
//   BASE/ended/<id>/  one that was ended in order; only its log is of interest,
//                     until it has to leave (record/housekeeper.h)
//
// BASE is $GLASSTTY_STATE_DIR, else $XDG_STATE_HOME/glasstty, else
// ~/.local/state/glasstty, else glasstty-UID below the temporary directory.
// Directories that are made are 0700, whatever the umask. One that is there
// already is left as it is, and refused if anybody else could change it. Owns
// the descriptor of BASE. Loop thread only.
//
// Servers tell each other whose session is whose by locks on ranges of one
// file, a byte for each session (fcntl_locking(2), "Open file description
// locks"): they need one descriptor for any number of sessions, and go with the
// process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "record/folder.h"

namespace glasstty::record {

// 128 random bits as 32 hex digits.
absl::StatusOr<std::string> RandomId();

class StateDir {
 public:
  // Creates what is missing. Error: no place could be made.
  static absl::StatusOr<StateDir> Open();
  // The same for those who only look: changes nothing. Error: NotFound when it
  // has not been made yet.
  static absl::StatusOr<StateDir> OpenToLook();
  // The path that Open would use; changes nothing. Error: there is none.
  static absl::StatusOr<std::string> Place();

  // A new, empty session directory; returns its random name, the session's id.
  absl::StatusOr<std::string> Create();
  // Names of the sessions that were not ended in order.
  // In no order.
  std::vector<std::string> List() const;
  // Of those that were.
  std::vector<std::string> ListEnded() const;
  // Of a session that was not ended in order. Borrows from this. Error: it is
  // not there, or not ours alone.
  absl::StatusOr<Folder> OpenSession(const std::string& id) const;
  // For showing, absolute if BASE is; never opened by us.
  std::string PathOf(const std::string& id) const;

  // Says to other servers that this one has the session, until Disclaim or the
  // end of this object. False when another one has it, or where no lock can be
  // had.
  bool Claim(const std::string& id);
  void Disclaim(const std::string& id);

  // The session was ended in order: out of List, log kept.
  void MoveToEnded(const std::string& id);
  // Deletes the directory: nothing ever ran in it.
  void Remove(const std::string& id);

  struct Usage {
    uint64_t bytes = 0;
    // When a file was last made or removed in it, since 1970: for one that has
    // ended, near its end.
    int64_t changed_ns = 0;
  };
  // What a session takes on disk. nullopt: it is not there.
  std::optional<Usage> Measure(const std::string& id) const;
  std::optional<Usage> MeasureEnded(const std::string& id) const;
  void RemoveEnded(const std::string& id);
  // Deletes the directory if a server died while it made it. False if not.
  bool RemoveUnfinished(const std::string& id);

  const std::string& path() const { return path_; }

 private:
  StateDir(std::string path, UniqueFd base, UniqueFd ended, UniqueFd claims);

  std::string path_;
  UniqueFd base_;
  UniqueFd ended_;
  UniqueFd claims_;
};

}  // namespace glasstty::record
