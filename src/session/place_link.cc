#include "session/place_link.h"

#include <cerrno>
#include <utility>

#include "support/status.h"
#include "wire/launch.h"

namespace glasstty {

PlaceLink::PlaceLink(Loop* loop, Place place, UniqueFd socket)
    : loop_(loop),
      place_(std::move(place)),
      socket_(std::move(socket)),
      watch_(loop, socket_.get(), FdWatch::Direction::kRead, Urgency::kProtocol,
             [this] { Read(); }) {}

void PlaceLink::Read() {
  ReceivedPlaceMessage message;
  while (ReceivePlaceMessage(socket_.get(), &message)) {
    if (message.type != PlaceMessage::kStatus) continue;
    PlaceStatus status;
    if (!DecodeStatus(message.payload, &status)) continue;
    status_ = std::move(status);
    if (!status_.hello.empty()) DecodeHello(status_.hello, &hello_);
  }
  if (errno != EAGAIN) {
    gone_ = true;
    watch_.Enable(false);
  }
  if (changed_) changed_();
}

Surroundings PlaceLink::Around() const {
  return {hello_.environment, hello_.shell.empty() ? "/bin/sh" : hello_.shell,
          hello_.home.empty() ? "/" : hello_.home, hello_.sessions};
}

absl::StatusOr<UniqueFd> PlaceLink::Start(int directory, const OpenInfo& info) {
  return HandOver(PlaceMessage::kStart, directory, info);
}

absl::StatusOr<UniqueFd> PlaceLink::Resume(int directory,
                                           const OpenInfo& info) {
  return HandOver(PlaceMessage::kResume, directory, info);
}

absl::StatusOr<UniqueFd> PlaceLink::HandOver(PlaceMessage how, int directory,
                                             const OpenInfo& info) {
  StartDescriptors start;
  if (!MakeStart(directory, EncodeOpen(info), &start)) {
    return ErrnoStatus("prepare", "the session");
  }
  if (!SendPlaceMessage(socket_.get(), how, {},
                        {start.theirs.get(), directory, start.spec.get(),
                         start.lock.get()})) {
    return ErrnoStatus("send to", "the connection of " + place_.text);
  }
  return std::move(start.ours);
}

void PlaceLink::Retry() {
  SendPlaceMessage(socket_.get(), PlaceMessage::kRetry);
}

}  // namespace glasstty
