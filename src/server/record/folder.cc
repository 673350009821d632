#include "record/folder.h"

#include <fcntl.h>

namespace glasstty::record {

Folder::Hold Folder::Open() const {
  Hold hold = open_.lock();
  if (hold != nullptr) return hold;
  UniqueFd fd(openat(parent_, name_.c_str(),
                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  hold = std::make_shared<const UniqueFd>(std::move(fd));
  // A failed attempt is not cached, because the directory may exist the next
  // time.
  if (hold->valid()) open_ = hold;
  return hold;
}

}  // namespace glasstty::record
