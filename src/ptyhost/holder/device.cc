// In packet mode, each read of the master returns either the byte 0 and then
// output, or a byte of status bits and nothing else. Status comes before any
// waiting output, so a read with room for a single byte (PeekStatus) consumes
// the status and leaves the output.
#include "holder/device.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace glasstty::holder {
namespace {

// Opens the other side of a terminal by ioctl(2), which needs no path, so it
// works in any mount namespace.
UniqueFd OpenPeer(int master) {
  return UniqueFd(ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
}

// Makes erasing a character in a cooked line remove all its bytes.
void MarkUtf8(int fd) {
  termios attributes;
  if (tcgetattr(fd, &attributes) != 0) return;
  attributes.c_iflag |= IUTF8;
  tcsetattr(fd, TCSANOW, &attributes);
}

}  // namespace

bool Device::OpenTerminal(uint16_t rows, uint16_t cols) {
  terminal_ = true;
  UniqueFd master(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!master.valid() || grantpt(master.get()) != 0 ||
      unlockpt(master.get()) != 0) {
    return false;
  }
  // The three descriptors of the program keep the slave open until the program
  // runs: when the last slave is closed, the master reads as hung up.
  UniqueFd peer = OpenPeer(master.get());
  if (!peer.valid()) return false;
  for (UniqueFd& fd : child_) {
    fd.Reset(fcntl(peer.get(), F_DUPFD_CLOEXEC, 3));
    if (!fd.valid()) return false;
  }
  MarkUtf8(peer.get());
  // The cost of packet mode, one more byte in each read, is not measurable.
  int on = 1;
  struct stat info;
  if (ioctl(master.get(), TIOCPKT, &on) != 0 || fstat(peer.get(), &info) != 0) {
    return false;
  }
  identity_ = info.st_rdev;
  filesystem_ = info.st_dev;
  ours_[0] = std::move(master);
  return SetSize(rows, cols);
}

bool Device::OpenPipes() {
  terminal_ = false;
  UniqueFd* ours[] = {&input_, &ours_[0], &ours_[1]};
  for (int i = 0; i < 3; ++i) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    bool to_child = i == 0;
    child_[i].Reset(ends[to_child ? 0 : 1]);
    ours[i]->Reset(ends[to_child ? 1 : 0]);
    // Set O_NONBLOCK on our end only; it does not affect the program's end.
    if (!SetNonBlocking(ours[i]->get())) return false;
  }
  struct stat info;
  if (fstat(child_[0].get(), &info) != 0) return false;
  identity_ = info.st_ino;
  return true;
}

void Device::CloseChildSide() {
  for (UniqueFd& fd : child_) fd.Reset();
}

// Calls read(2). For a terminal, removes the first byte of a packet and skips
// packets of status. Returns the number of bytes, 0 at the end of a pipe, or -1
// with errno (EAGAIN also if `size` is 0 and output is waiting).
ssize_t Device::ReadOnce(Stream stream, char* buffer, size_t size) {
  int fd = read_fd(stream);
  if (!terminal_) return ReadSome(fd, buffer, size);
  char head = 0;
  iovec parts[2] = {{&head, 1}, {buffer, size}};
  for (;;) {
    ssize_t n = readv(fd, parts, size > 0 ? 2 : 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n;
    if (head == TIOCPKT_DATA) {
      if (n > 1) return n - 1;
      errno = EAGAIN;  // output is waiting, but `size` is 0
      return -1;
    }
    if (head & TIOCPKT_FLUSHREAD) flushed_ = true;
  }
}

Device::Filled Device::Fill(Stream stream, char* buffer, size_t size) {
  if (read_fd(stream) < 0) return {ReadEnd::kHungUp, 0};
  size_t n = 0;
  // A single read of a terminal returns at most 4 KiB.
  while (n < size) {
    ssize_t got = ReadOnce(stream, buffer + n, size - n);
    if (got > 0) {
      n += static_cast<size_t>(got);
      continue;
    }
    if (got < 0 && errno == EAGAIN) return {ReadEnd::kDrained, n};
    if (!terminal_) ours_[Index(stream)].Reset();
    return {ReadEnd::kHungUp, n};
  }
  return {ReadEnd::kFull, n};
}

bool Device::OutputIsDrained(Stream stream) {
  // Consume a pending status byte first, because poll(2) would report it as
  // input.
  pollfd query{read_fd(stream), POLLIN, 0};
  if (terminal_) PeekStatus();
  return poll(&query, 1, 0) >= 0 && (query.revents & POLLIN) == 0;
}

// A terminal accepts 16 to 42 kB of unread input. After that, the write fails
// with EAGAIN.
ssize_t Device::Write(const char* data, size_t size) {
  if (write_fd() < 0) {
    errno = EPIPE;
    return -1;
  }
  return WriteSome(write_fd(), data, size);
}

int Device::UnreadInput() {
  int unread = -1;
  if (!terminal_) {
    if (!input_.valid()) return 0;
    return ioctl(input_.get(), FIONREAD, &unread) == 0 ? unread : -1;
  }
  UniqueFd peer = OpenPeer(ours_[0].get());
  if (!peer.valid()) return -1;
  // poll() delivers bytes that are still on their way to the line discipline.
  // Without poll(), FIONREAD is wrongly 0 just after a write().
  pollfd query{peer.get(), POLLIN, 0};
  poll(&query, 1, 0);
  return ioctl(peer.get(), FIONREAD, &unread) == 0 ? unread : -1;
}

// tcgetattr(3) on the master returns the attributes of the slave.
std::optional<termios> Device::GetAttributes() const {
  termios attributes;
  if (!terminal_ || tcgetattr(ours_[0].get(), &attributes) != 0) {
    return std::nullopt;
  }
  return attributes;
}

bool Device::SetSize(uint16_t rows, uint16_t cols) {
  winsize size{rows, cols, 0, 0};
  return ioctl(ours_[0].get(), TIOCSWINSZ, &size) == 0;
}

// tcgetpgrp(3) on the master returns the group of the slave, and 0 once the
// session leader is dead.
pid_t Device::ForegroundGroup() const {
  if (!terminal_) return 0;
  pid_t group = tcgetpgrp(ours_[0].get());
  return group > 0 ? group : 0;
}

void Device::PeekStatus() { (void)ReadOnce(Stream::kOut, nullptr, 0); }

bool Device::TakeFlush() {
  if (!terminal_) return false;
  PeekStatus();
  return std::exchange(flushed_, false);
}

// The kernel then sends SIGHUP to the leader and the foreground group.
void Device::Close() {
  for (UniqueFd& fd : ours_) fd.Reset();
  input_.Reset();
}

}  // namespace glasstty::holder
