// Sessions and asciicasts contain their sizes and times. A plain file of bytes
// contains neither, so output that was drawn for several sizes is correct for
// only one of them.
#include "cli/recorded_screen.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "cli/options.h"
#include "record/cast.h"
#include "record/recording.h"
#include "support/log.h"
#include "support/status.h"

namespace glasstty {

using record::CastEvent;
using terminal::Size;
using terminal::Terminal;

namespace {

// Playing stops at whichever limit is reached first.
struct Moment {
  uint64_t to = UINT64_MAX;   // after this many bytes of output
  int64_t at_us = INT64_MAX;  // this time after the beginning
};

// Error: a flag is not a number, or is out of bounds.
absl::StatusOr<Moment> ParseMoment(const Options& options) {
  Moment moment;
  char* rest = nullptr;
  if (options.Has("to")) {
    // A number beyond the end means all output.
    std::string text = options.Get("to");
    moment.to = std::strtoull(text.c_str(), nullptr, 10);
    bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
    if (text.empty() || !is_number) {
      return InvalidArgument("--to '%s': give a number of bytes", text);
    }
  }
  if (options.Has("at")) {
    std::string text = options.Get("at");
    double seconds = std::strtod(text.c_str(), &rest);
    if (text.empty() || *rest != '\0' || !(seconds >= 0 && seconds < 1e9)) {
      return InvalidArgument("--at '%s': give seconds since the beginning",
                             text);
    }
    moment.at_us = std::llround(seconds * 1e6);
  }
  return moment;
}

// Plays a recording up to a moment.
class Screen {
 public:
  explicit Screen(Moment moment) : moment_(moment) {}

  // `nonce` is the one in the shell's marks, if it is known.
  void Begin(Size size, const std::string& nonce = "") {
    auto terminal = Terminal::Create({.size = size, .nonce = nonce});
    status_ = terminal.status();
    if (terminal.ok()) terminal_ = *std::move(terminal);
  }
  // Begins a recording whose first output has been lost.
  void Begin(Size size, const std::string& nonce,
             const record::LogStart& start) {
    fed_ = start.offset;
    Begin(size, nonce);
    if (!status_.ok() || !start.state) return;
    absl::Status restored = terminal_->RestoreState(start.state->terminal);
    if (!restored.ok()) Warn("the saved screen: %s", Message(restored));
    terminal_->SkipTo(start.offset);
    // A change of size at exactly this offset came after the bytes before it.
    status_ = terminal_->Resize(size);
  }

  // Returns false if the moment is reached, or cannot be. A change of size at
  // exactly the wanted byte came after that byte.
  bool Play(const CastEvent& event) {
    if (!status_.ok() || event.us > moment_.at_us || fed_ >= moment_.to) {
      return false;
    }
    if (event.type == CastEvent::Type::kResize) {
      status_ = terminal_->Resize(event.size);
    } else if (event.type == CastEvent::Type::kOutput) {
      size_t size = event.data.size();
      size = std::min<uint64_t>(size, moment_.to - fed_);
      terminal_->Feed(std::string_view(event.data).substr(0, size));
      fed_ += size;
    }
    return status_.ok();
  }

  // Error: no terminal can have this size.
  absl::StatusOr<std::unique_ptr<Terminal>> Take() {
    RETURN_IF_ERROR(status_);
    if (terminal_ == nullptr) return NotFound("the recording has no screen");
    return std::move(terminal_);
  }

 private:
  const Moment moment_;
  std::unique_ptr<Terminal> terminal_;
  absl::Status status_;
  uint64_t fed_ = 0;
};

// The default is the size of a VT100; sessions begin with 40x120.
absl::StatusOr<Size> SizeOfBytes(const Options& options) {
  if (options.Has("at")) {
    return InvalidArgument("--at: a file of plain bytes has no times");
  }
  if (!options.Has("size")) return Size{24, 80};
  return ParseSize(options.Get("size"));
}

// Error: the arguments are invalid (InvalidArgument), or the file cannot be
// read or played.
absl::Status PlayFile(const std::string& path, const Options& options,
                      Screen* screen) {
  ASSIGN_OR_RETURN(std::string text, ReadInput(path));
  ASSIGN_OR_RETURN(bool is_cast, record::LooksLikeCast(text));
  if (is_cast) {
    ASSIGN_OR_RETURN(record::CastReading reading, ReadingOf(options, path));
    return record::ReadCast(
        text, reading,
        [screen](const record::CastHeader& header) {
          screen->Begin(header.size);
        },
        [screen](const CastEvent& event) { return screen->Play(event); });
  }
  ASSIGN_OR_RETURN(Size size, SizeOfBytes(options));
  screen->Begin(size);
  CastEvent all;
  all.data = std::move(text);
  screen->Play(all);
  return absl::OkStatus();
}

absl::Status PlaySession(const std::string& name, Screen* screen) {
  ASSIGN_OR_RETURN(record::RecordedSession session, record::FindRecorded(name));
  auto begin = [&](const record::RecordedBegin& recorded) {
    const record::LogStart& start = recorded.start;
    screen->Begin(recorded.header.size, session.origin.nonce, start);
    if (start.lost == 0) return;
    Warn(
        "%d bytes before byte %d are gone from the log: parts of the screen "
        "may be missing",
        start.lost, start.offset);
  };
  return record::PlayRecorded(
      session, {}, begin,
      [screen](const CastEvent& event) { return screen->Play(event); });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Terminal>> PlayOperand(const Options& options) {
  if (options.operands.size() != 1) {
    return InvalidArgument("give one file or session");
  }
  ASSIGN_OR_RETURN(Moment moment, ParseMoment(options));
  Screen screen(moment);
  const std::string& source = options.operands[0];
  RETURN_IF_ERROR(IsFile(source) ? PlayFile(source, options, &screen)
                                 : PlaySession(source, &screen));
  return screen.Take();
}

}  // namespace glasstty
