// A session's directory, which is open only while somebody needs it.
//
// A live session keeps it open all the time. Ended sessions do not, because
// many of them stay readable; a reader opens the directory for as long as it
// reads. Borrows the parent's descriptor, which must outlive the folder.
// Single-threaded.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/fd.h"

namespace glasstty::record {

class Folder {
 public:
  // The directory stays open as long as a copy of this exists. Never null.
  using Hold = std::shared_ptr<const UniqueFd>;

  // The folder is called `name` in the directory `parent`.
  Folder(int parent, std::string name)
      : parent_(parent), name_(std::move(name)) {}

  // Returns a descriptor, which all concurrent holders share. It is invalid,
  // and errno is set, if the directory cannot be opened.
  Hold Open() const;

 private:
  const int parent_;
  const std::string name_;
  mutable std::weak_ptr<const UniqueFd> open_;
};

}  // namespace glasstty::record
