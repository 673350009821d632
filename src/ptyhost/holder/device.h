// The descriptors between the holder and the program: a pseudoterminal or three
// pipes. Reads, writes, resizes and inspects them; decides nothing.
//
// Owns the descriptors of both sides until CloseChildSide, then only those of
// the holder's side. Nothing here blocks. The terminal runs in packet mode
// (ioctl_tty(2), TIOCPKT), which reports when typed-ahead input is flushed.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/fd.h"

namespace glasstty::holder {

enum class Stream { kOut = 0, kErr = 1 };  // kErr: pipes only

// The reason why a read ended.
enum class ReadEnd {
  kFull,     // the buffer is full; there may be more
  kDrained,  // there is nothing more at this moment
  kHungUp,   // no process has the other side open now. This is final for pipes,
             // but a terminal may be opened again (/dev/tty)
};

class Device {
 public:
  // These return false with errno on failure. The size is set at once, because
  // the program must never see a size of 0x0.
  bool OpenTerminal(uint16_t rows, uint16_t cols);
  bool OpenPipes();

  bool is_terminal() const { return terminal_; }
  // Returns the descriptor that becomes `number` (0 to 2) of the program.
  int child_fd(int number) const { return child_[number].get(); }
  // Call this only when the program has been executed, because a terminal that
  // no process has open reads as hung up.
  void CloseChildSide();

  // Descriptors for poll(2); -1 when closed.
  int read_fd(Stream stream) const { return ours_[Index(stream)].get(); }
  int write_fd() const { return terminal_ ? ours_[0].get() : input_.get(); }

  // Reads until the buffer is full or nothing more is available.
  struct Filled {
    ReadEnd end;
    size_t size;
  };
  Filled Fill(Stream stream, char* buffer, size_t size);
  // Returns true if no output is waiting. Consumes status packets, but no
  // output.
  bool OutputIsDrained(Stream stream);

  // Like write(2). EPIPE means that the input is closed.
  ssize_t Write(const char* data, size_t size);
  // Ends the program's input. Pipes only.
  void CloseInput() { input_.Reset(); }
  // Returns the number of written bytes that the program has not read yet, or
  // -1 if unknown. In canonical mode, an unfinished line does not count.
  int UnreadInput();

  // These are for terminals only. On failure, they return nullopt or false.
  std::optional<termios> GetAttributes() const;
  bool SetSize(uint16_t rows, uint16_t cols);
  // Returns the foreground process group; 0 if there is none (pipes, or the
  // session leader is dead).
  pid_t ForegroundGroup() const;
  // The device number of the terminal, or the inode of the input pipe.
  uint64_t identity() const { return identity_; }
  // The device number of the terminal's file system; 0 for pipes. Needed
  // because each instance of devpts counts its terminals from 0.
  uint64_t filesystem() const { return filesystem_; }

  // Returns true if the input was flushed since the last call (by the program,
  // or by the kernel at a signal character). Consumes status packets, but no
  // output.
  bool TakeFlush();
  // Closes the device, which hangs up the processes that still use it.
  void Close();

 private:
  static size_t Index(Stream stream) { return static_cast<size_t>(stream); }
  ssize_t ReadOnce(Stream stream, char* buffer, size_t size);
  void PeekStatus();

  // owned
  UniqueFd ours_[2];  // terminal: the master; pipes: our ends of out and err
  UniqueFd input_;    // pipes: our end of in
  UniqueFd child_[3];
  // state
  bool terminal_ = false;
  bool flushed_ = false;
  uint64_t identity_ = 0;
  uint64_t filesystem_ = 0;
};

}  // namespace glasstty::holder
