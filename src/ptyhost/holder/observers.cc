#include "holder/observers.h"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>

namespace glasstty::holder {
namespace {

// The maximum number of packets in the queue of an observer. Nearly all
// messages to an observer report a current state, so a longer queue means that
// the observer sends requests and does not read the answers.
constexpr size_t kMostQueued = 64;
constexpr std::chrono::seconds kHelloLimit{5};

pid_t PeerOf(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  return peer.pid;
}

}  // namespace

// Any process of the user gets a free place. It introduces itself later by
// Watch.
void Observers::Accept(Time now) {
  UniqueFd fd = listener_.Accept();
  if (!fd.valid()) return;
  auto place = std::find(observers_.begin(), observers_.end(), nullptr);
  if (place == observers_.end()) {
    wire::SendMessage(fd.get(), wire::Busy{});
    return;
  }
  pid_t pid = PeerOf(fd.get());
  *place = std::make_unique<Observer>(std::move(fd));
  (*place)->id = ++last_id_;
  (*place)->pid = pid;
  (*place)->hello_by = now + kHelloLimit;
}

void Observers::Remove(const Observer* observer) {
  for (auto& place : observers_) {
    if (place.get() == observer) place.reset();
  }
}

// Returns one observer at a time; the caller removes it and ends its turn at
// the keyboard.
const Observer* Observers::FindLost(Time now) const {
  for (const auto& observer : observers_) {
    if (observer == nullptr) continue;
    bool mute = !observer->greeted() && now >= observer->hello_by;
    if (mute || observer->queued() > kMostQueued) return observer.get();
  }
  return nullptr;
}

Time Observers::next() const {
  Time next = Time::max();
  for (const auto& observer : observers_) {
    if (observer == nullptr || observer->greeted()) continue;
    next = std::min(next, observer->hello_by);
  }
  return next;
}

// Rings no doorbell again that was not acknowledged, so an observer that does
// not read costs nothing.
void Observers::Ring(uint64_t out_end, uint64_t err_end) {
  for (auto& observer : observers_) {
    if (observer != nullptr) observer->Ring(out_end, err_end);
  }
}

void Observers::SendInline(const LogWriter& log) {
  for (auto& observer : observers_) {
    if (observer != nullptr) observer->SendInline(log);
  }
}

// Replaces all other characters, because agents see the label in a header.
std::string CleanLabel(std::string_view payload) {
  std::string label(payload.substr(0, wire::kMaxLabel));
  for (char& c : label) {
    if (c < ' ' || c > '~') c = '?';
  }
  return label;
}

}  // namespace glasstty::holder
