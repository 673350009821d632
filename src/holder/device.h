// The descriptors between the holder and the program: a pseudoterminal or three
// pipes. Reads, writes, resizes and inspects them; decides nothing.
//
// Owns both ends until CloseChildSide, then only the holder's. Nothing here
// blocks. The terminal runs in packet mode, which reports when the program
// flushes typed-ahead input.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/fd.h"

namespace glasstty::holder {

enum class Stream { kOut = 0, kErr = 1 };  // kErr: pipes only

// How a read came to its end.
enum class ReadEnd {
  kFull,     // the buffer is full; there may be more
  kDrained,  // nothing more at this moment
  kHungUp,   // nobody has the other side open now. Final for pipes; a terminal
             // may be opened again (/dev/tty)
};

class Device {
 public:
  // Both return false with errno. The size holds before the program starts:
  // it must never see 0x0.
  bool OpenTerminal(uint16_t rows, uint16_t cols);
  bool OpenPipes();

  bool is_terminal() const { return terminal_; }
  // What becomes descriptor `number` (0 to 2) of the program.
  int child_fd(int number) const { return child_[number].get(); }
  // Only after exec: a terminal whose last user has closed it reads as hung
  // up.
  void CloseChildSide();

  // For poll(2); -1 when closed.
  int read_fd(Stream stream) const { return ours_[Index(stream)].get(); }
  int write_fd() const { return terminal_ ? ours_[0].get() : input_.get(); }

  // Reads until the buffer is full or nothing more comes; adds what it read
  // to `*filled`.
  ReadEnd Fill(Stream stream, char* buffer, size_t size, size_t* filled);
  // True if no output is waiting. Reads nothing but packet status.
  bool OutputIsDrained(Stream stream);

  // As write(2). EPIPE when the input is closed.
  ssize_t Write(const char* data, size_t size);
  // Pipes only: the program reads its end of file.
  void CloseInput() { input_.Reset(); }
  // Bytes written and not yet read by the program, -1 when unknown. Only zero
  // or not zero means something: in canonical mode an unfinished line counts
  // as nothing.
  int UnreadInput();

  // Terminals only; false with errno.
  bool GetAttributes(termios* attributes) const;
  bool SetSize(uint16_t rows, uint16_t cols);
  // 0 when there is none (pipes, or the session leader is dead).
  pid_t ForegroundGroup() const;
  // Device number of the terminal; inode of the input pipe.
  uint64_t identity() const { return identity_; }

  // True once after the program has flushed its input. Looks at packet
  // status without taking output.
  bool TakeFlush();
  // Hangs up what still uses the device.
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
};

}  // namespace glasstty::holder
