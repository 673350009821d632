#include "far/near_observers.h"

#include <algorithm>
#include <utility>

#include "wire/messages.h"

namespace glasstty::far {

void NearObservers::Accept(bool welcome) {
  UniqueFd fd = listener_.Accept();
  if (!fd.valid() || !welcome) return;
  auto place = std::find(all_.begin(), all_.end(), nullptr);
  if (place == all_.end()) {
    wire::SendMessage(fd.get(), wire::Busy{});
    return;
  }
  *place = std::make_unique<holder::Connection>(std::move(fd));
  (*place)->SetGreeted();
}

holder::Connection* NearObservers::at(size_t part) const {
  return part >= 1 && part <= all_.size() ? all_[part - 1].get() : nullptr;
}

void NearObservers::Drop(size_t part) {
  if (part >= 1 && part <= all_.size()) all_[part - 1].reset();
}

void NearObservers::DropAll() {
  for (auto& observer : all_) observer.reset();
}

}  // namespace glasstty::far
