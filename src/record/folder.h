// A session's directory, open while somebody needs it.
//
// A live session holds it all the time; one that has ended holds nothing, for
// many of them stay readable, and whoever reads one opens it for as long as
// that takes. Borrows the parent's descriptor, which must outlive it. Single
// thread.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/fd.h"

namespace glasstty {

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

}  // namespace glasstty
