#include "serve/guests.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/descriptors.h"
#include "mcp/jsonrpc.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/shared_server.h"

namespace glasstty::serve {
namespace {

// The number of clients that are accepted in one turn of the loop.
constexpr int kAcceptAtOnce = 16;
// The number of descriptors that a call may open briefly.
constexpr int kDescriptorsForCalls = 4;

int OpenSpare() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

}  // namespace

Guests::Guests(Loop* loop, mcp::Server* server, Listener listener)
    : loop_(loop),
      server_(server),
      listener_(std::move(listener)),
      accept_timer_(loop, [this] { acceptable_->Enable(!closed_); }) {
  Watch();
  spare_.Reset(OpenSpare());
}

void Guests::Watch() {
  acceptable_.emplace(loop_, listener_.fd(), FdWatch::Direction::kRead,
                      Urgency::kProtocol, [this] { Accept(); });
  acceptable_->Enable(true);
}

absl::Status Guests::ListenAgain(const std::string& base) {
  if (closed_) return absl::OkStatus();
  acceptable_.reset();
  absl::Status renewed = listener_.Renew(base);
  Watch();
  return renewed;
}

void Guests::Accept() {
  for (int i = 0; i < kAcceptAtOnce; ++i) {
    UniqueFd fd = listener_.Accept();
    if (fd.valid()) {
      Admit(std::move(fd));
      continue;
    }
    if (errno == EPERM) Warn("refused a connection of another user");
    bool is_short = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    if (is_short) {
      Warn("cannot accept a client: %s", Message(ErrnoStatus("accept", "it")));
      RefuseWaiting();
      // Without a pause, waiting clients would wake the loop again and again.
      acceptable_->Enable(false);
      accept_timer_.SetAfter(kAcceptPause);
    }
    if (errno == EAGAIN || is_short) return;
  }
}

void Guests::RefuseWaiting() {
  for (int i = 0; i < kAcceptAtOnce && spare_.valid(); ++i) {
    spare_.Reset();
    UniqueFd fd = listener_.Accept();
    if (fd.valid()) {
      Refuse(fd.get(), absl::StrFormat(
                           "the shared glasstty server has no descriptors left "
                           "(ulimit -n allows it %d): close sessions, or try "
                           "again later",
                           DescriptorLimit()));
    }
    bool is_last = !fd.valid();
    fd.Reset();
    spare_.Reset(OpenSpare());
    if (is_last) return;
  }
}

// A new socket accepts a line of this size at once. If writing fails, the
// client still notices the end of the connection.
void Guests::Refuse(int fd, const std::string& why) {
  std::string line =
      DumpJson(mcp::MakeError(Json(), {mcp::kInternalError, why, Json()}));
  WriteAll(fd, line + "\n");
}

void Guests::Admit(UniqueFd fd) {
  if (!spare_.valid()) spare_.Reset(OpenSpare());
  // The client's calls need descriptors, too.
  if (FreeDescriptors() < kDescriptorsForCalls) {
    return Refuse(fd.get(),
                  absl::StrFormat("the shared glasstty server has too few "
                                  "descriptors left (ulimit -n allows it %d): "
                                  "close sessions, or try again later",
                                  DescriptorLimit()));
  }
  if (guests_.size() >= kMost) {
    return Refuse(fd.get(),
                  absl::StrFormat("%d clients are connected to the shared "
                                  "glasstty server, which is the limit",
                                  kMost));
  }
  Place guest = guests_.emplace(guests_.end());
  guest->fd = std::move(fd);
  guest->farewell =
      std::make_unique<Timer>(loop_, [this, guest] { Remove(guest); });
  guest->transport = std::make_unique<mcp::StdioTransport>(
      loop_, server_, guest->fd.get(), guest->fd.get(),
      [this, guest](mcp::StdioTransport::End) { SayGoodbye(guest); });
  if (changed_) changed_();
}

// Answers for the guest may still be queued. The guest is removed by the timer
// and not here, because the caller is its transport.
void Guests::SayGoodbye(Place guest) {
  bool is_done = guest->transport->drained();
  guest->transport->OnDrained(
      [guest] { guest->farewell->SetAfter(Duration::zero()); });
  guest->farewell->SetAfter(is_done ? Duration::zero() : kFarewell);
}

void Guests::Remove(Place guest) {
  guests_.erase(guest);
  if (changed_) changed_();
}

void Guests::Close() {
  if (std::exchange(closed_, true)) return;
  acceptable_->Enable(false);
  listener_.Close();
  for (Guest& guest : guests_) {
    const mcp::Connection* connection =
        server_->FindConnection(guest.transport->connection());
    bool is_relay =
        connection != nullptr && !connection->legacy.directory.empty();
    if (is_relay) guest.transport->SendLine(std::string(wire::kClosingLine));
    guest.transport->Close();
  }
}

bool Guests::drained() const {
  return std::all_of(guests_.begin(), guests_.end(), [](const Guest& guest) {
    return guest.transport->drained();
  });
}

}  // namespace glasstty::serve
