// Splits the output of a program into lines as a person would have read them,
// many times as fast as a terminal could.
//
// The result is good enough for counting: sequences are dropped, and text after
// a carriage return replaces the whole line, even if the text is shorter. Where
// a program draws screens instead, a real terminal must be fed. TextLines
// detects this: the program uses the alternate screen, or sets the cursor's
// row. Owns the unfinished line. Single-threaded.
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
      kLine,         // a complete line, without its end
      kOverwritten,  // a line that will be written over
      kBackspaced,   // a line of which only the end will be written over
      kMark,         // the payload of OSC 133, such as "D;0"
      kScreens,      // CSI has changed draws_screens() or alternate()
    };
    Kind kind = Kind::kNothing;
    std::string_view text;  // valid until the next call
  };
  // Takes bytes from the beginning of `bytes`, which may be split anywhere, up
  // to the next piece.
  Piece Next(std::string_view* bytes);
  // Must be called first if the output begins on the alternate screen.
  void BeginOnScreens() { alternate_ = true; }
  // The text after the last line end.
  std::string_view open_line() const { return line_; }
  bool draws_screens() const { return alternate_ || addresses_; }
  bool alternate() const { return alternate_; }

 private:
  // A program that sets the cursor's row this often draws screens.
  static constexpr int kAddresses = 4;
  static constexpr size_t kMostPending = 64 << 10;
  // A terminal, too, takes for text what follows so much of a string without an
  // end (terminal/parser.h).
  static constexpr size_t kMostString = 1 << 20;
  static constexpr size_t kMostLine = 4096;

  // These return the number of bytes that they have taken, or 0 if the sequence
  // is incomplete.
  size_t TakeSequence(std::string_view bytes);
  size_t TakeControlSequence(std::string_view bytes);
  size_t TakeString(std::string_view bytes);
  // Continues a sequence that an earlier call has left incomplete. Returns
  // false if the sequence is still incomplete.
  bool TakePending(std::string_view* bytes);
  // Skips a string that is too long to be kept, up to its end if possible.
  void SkipString(std::string_view* bytes);
  void TakeText(std::string_view text);
  void TakeControl(char control);
  // Makes the line the current piece, because it has ended or begins again;
  // drops it while the program draws screens.
  void PutLine(Piece::Kind kind);
  void SetScreens(bool alternate, bool addresses);

  std::string line_;
  std::string put_;           // the text to which piece_ points
  std::string pending_;       // the beginning of a sequence
  std::string joined_;        // pending_ with the bytes that follow
  size_t skipped_ = 0;        // the bytes of the string that is being skipped
  Piece piece_;               // the result of the current call
  bool is_at_start_ = false;  // no text has followed the last carriage return
  bool is_backing_ = false;   // no text has followed the last backspace
  bool alternate_ = false, addresses_ = false;
  int row_addresses_ = 0;  // CUP, HVP, VPA and CUU since the last prompt
};

}  // namespace glasstty::motion
