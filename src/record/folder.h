// A session's directory, which is open only while somebody needs it.
//
// A live session keeps it open all the time. Ended sessions do not, because
// many of them stay readable; a reader opens the directory for as long as it
// reads. Borrows the parent's descriptor, which must outlive it.
// Single-threaded.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/fd.h"

namespace glasstty::record {

class Folder {
 public:
  // Keeps the directory open. Never null.
  using Hold = std::shared_ptr<const UniqueFd>;

  // `name` in the directory `parent`.
  Folder(int parent, std::string name)
      : parent_(parent), name_(std::move(name)) {}

  // One descriptor for all who hold it at a time; it is invalid, with errno,
  // when the directory cannot be opened.
  Hold Open() const;

 private:
  const int parent_;
  const std::string name_;
  mutable std::weak_ptr<const UniqueFd> open_;
};

}  // namespace glasstty::record
