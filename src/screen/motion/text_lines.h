// Splits what a program has printed into lines as a person would have read
// them, many times as fast as a terminal would.
//
// Good enough for counting: sequences are dropped, a carriage return begins the
// line anew, and the rest of what it wrote over is forgotten. It tells where a
// program draws screens instead (the alternate screen, or rows of its choice);
// a real terminal must be fed there. It owns the unfinished line and
// belongs to one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glasstty::motion {

class TextLines {
 public:
  struct Piece {
    enum class Kind {
      kNothing,      // all bytes were taken
      kLine,         // a whole line, without its end
      kOverwritten,  // a line that is written over next
      kBackspaced,   // the same, but only its end is written over
      kMark,         // the payload of OSC 133, such as "D;0"
      kScreens,      // draws_screens() or alternate() has changed
    };
    Kind kind = Kind::kNothing;
    std::string_view text;  // valid until the next call
  };
  // Takes bytes from the beginning of `bytes`, which may be split anywhere, up
  // to the next piece.
  Piece Next(std::string_view* bytes);
  // The output begins while the program draws on the alternate screen.
  void BeginOnScreens() { alternate_ = true; }
  // The text behind the last end of a line.
  std::string_view open_line() const { return line_; }
  bool draws_screens() const { return alternate_ || addresses_; }
  bool alternate() const { return alternate_; }

 private:
  // A program that sets the cursor's row so often draws screens.
  static constexpr int kAddresses = 4;
  static constexpr size_t kMostPending = 64 << 10;
  static constexpr size_t kMostLine = 4096;

  // Each returns how many bytes it has taken: 0 if the sequence is incomplete.
  size_t TakeSequence(std::string_view bytes);
  size_t TakeControlSequence(std::string_view bytes);
  size_t TakeString(std::string_view bytes);
  // Takes what an earlier call has left of a sequence. Returns false if all
  // bytes were needed.
  bool TakePending(std::string_view* bytes);
  void TakeText(std::string_view text);
  void TakeControl(char control);
  // The line is over, or begins anew.
  void PutLine(Piece::Kind kind);
  void SetScreens(bool alternate, bool addresses);

  std::string line_;
  std::string put_;           // what piece_ points to
  std::string pending_;       // the beginning of a sequence
  std::string joined_;        // it and what follows
  Piece piece_;               // what the call has found
  bool is_at_start_ = false;  // a carriage return was the last byte
  bool is_backing_ = false;   // a backspace was the last byte
  bool alternate_ = false, addresses_ = false;
  int row_addresses_ = 0;  // since the last prompt
};

}  // namespace glasstty::motion
