#include "session/place_link.h"

#include <cerrno>
#include <utility>

#include "base/visible.h"
#include "support/status.h"
#include "wire/launch.h"

namespace glasstty::session {

PlaceLink::PlaceLink(Loop* loop, place::Place place, UniqueFd socket)
    : place_(std::move(place)),
      socket_(std::move(socket)),
      watch_(loop, socket_.get(), FdWatch::Direction::kRead, Urgency::kProtocol,
             [this] { Read(); }) {}

void PlaceLink::Read() {
  wire::ReceivedPlaceMessage message;
  while (wire::ReceivePlaceMessage(socket_.get(), &message)) {
    if (message.type != wire::PlaceMessage::kStatus) continue;
    wire::PlaceStatus status;
    if (!wire::DecodeStatus(message.payload, &status)) continue;
    status_ = std::move(status);
    status_.failure = ShowOnOneLine(status_.failure);
    if (!status_.hello.empty()) wire::DecodeHello(status_.hello, &hello_);
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

absl::StatusOr<UniqueFd> PlaceLink::Start(int directory,
                                          const wire::OpenInfo& info) {
  return HandOver(wire::PlaceMessage::kStart, directory, info);
}

absl::StatusOr<UniqueFd> PlaceLink::Resume(int directory,
                                           const wire::OpenInfo& info) {
  return HandOver(wire::PlaceMessage::kResume, directory, info);
}

absl::StatusOr<UniqueFd> PlaceLink::HandOver(wire::PlaceMessage how,
                                             int directory,
                                             const wire::OpenInfo& info) {
  wire::StartDescriptors start;
  if (!wire::MakeStart(directory, wire::EncodeOpen(info), &start)) {
    return ErrnoStatus("prepare", "the session");
  }
  if (!wire::SendPlaceMessage(socket_.get(), how, {},
                              {start.theirs.get(), directory, start.spec.get(),
                               start.lock.get()})) {
    return ErrnoStatus("send to", "the connection of " + place_.text);
  }
  return std::move(start.ours);
}

void PlaceLink::Retry() {
  wire::SendPlaceMessage(socket_.get(), wire::PlaceMessage::kRetry);
}

}  // namespace glasstty::session
