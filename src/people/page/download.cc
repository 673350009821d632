#include "page/download.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "support/check.h"
#include "support/status.h"

namespace glasstty::page {
namespace {

constexpr size_t kPiece = 64 << 10;
// The descriptors of the producer's two pipes.
constexpr int kFileFd = 3, kComplaintFd = 4;

struct Pipe {
  UniqueFd read, write;
};

Pipe NewPipe() {
  int ends[2];
  // Without descriptors for a pipe, the page could not work at all.
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// Closes all other descriptors, because connections of browsers must not stay
// open while the producer runs.
[[noreturn]] void RunProducer(const Pipe& file, const Pipe& complaint,
                              const Download::Produce& produce) {
  // Move both above the two target descriptors first, so that neither
  // overwrites the other.
  int file_fd = fcntl(file.write.get(), F_DUPFD, kComplaintFd + 1);
  int complaint_fd = fcntl(complaint.write.get(), F_DUPFD, kComplaintFd + 1);
  if (dup2(file_fd, kFileFd) < 0 || dup2(complaint_fd, kComplaintFd) < 0) {
    _exit(1);
  }
  close_range(kComplaintFd + 1, ~0U, 0);
  for (int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_DFL);
  absl::Status status = produce(kFileFd);
  if (!status.ok()) WriteAll(kComplaintFd, Message(status) + "\n");
  _exit(0);
}

}  // namespace

Download::Download(Loop* loop, std::unique_ptr<http::Exchange> exchange,
                   http::Response head, const Produce& produce,
                   std::function<void()> over)
    : exchange_(std::move(exchange)),
      head_(std::move(head)),
      over_(std::move(over)),
      readable_([&] {
        Pipe file = NewPipe(), complaint = NewPipe();
        producer_ = fork();
        if (producer_ == 0) RunProducer(file, complaint, produce);
        file_ = std::move(file.read);
        complaint_ = std::move(complaint.read);
        SetNonBlocking(file_.get());
        return FdWatch(loop, file_.get(), FdWatch::Direction::kRead,
                       Urgency::kBulk, [this] { Read(); });
      }()) {
  exchange_->OnGone([this] { End(); });
  readable_.Enable(true);
}

Download::~Download() {
  if (producer_ <= 0) return;
  kill(producer_, SIGKILL);
  waitpid(producer_, nullptr, 0);
}

void Download::Read() {
  std::array<char, kPiece> piece;
  ssize_t n = ReadSome(file_.get(), piece.data(), piece.size());
  if (n < 0 && errno == EAGAIN) return;
  if (n > 0) return Take({piece.data(), static_cast<size_t>(n)});
  if (stream_ == nullptr) {
    std::array<char, 1024> why;
    ssize_t said = ReadSome(complaint_.get(), why.data(), why.size());
    exchange_->Reply(
        {.status = 500,
         .body = said > 0 ? std::string(why.data(), static_cast<size_t>(said))
                          : "it could not be made\n"});
  }
  End();
}

void Download::Take(std::string_view bytes) {
  if (stream_ == nullptr) {
    stream_ = exchange_->Stream(head_);
    stream_->OnChange([this] {
      if (stream_->closed()) return End();
      readable_.Enable(stream_->idle());
    });
  }
  stream_->Send(bytes);
  readable_.Enable(stream_->idle());
}

// Calls a copy, because the function may destroy this object.
void Download::End() {
  readable_.Enable(false);
  auto over = over_;
  over();
}

}  // namespace glasstty::page
