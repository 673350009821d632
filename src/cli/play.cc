// Sessions and asciicasts carry their sizes and times; a plain file of bytes
// carries neither: output that was drawn for several sizes comes out right for
// one of them only.
#include "cli/play.h"

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

// Where to stop: at the first of both.
struct Moment {
  uint64_t to = UINT64_MAX;   // bytes of output
  int64_t at_us = INT64_MAX;  // since the beginning
};

// Error: not a number.
absl::StatusOr<Moment> ParseMoment(const Options& options) {
  Moment moment;
  char* rest = nullptr;
  if (options.Has("to")) {
    // Beyond the end means all of it.
    std::string text = options.Get("to");
    moment.to = std::strtoull(text.c_str(), &rest, 10);
    if (text.empty() || *rest != '\0') {
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

  // `offset`: of the first byte that will come.
  void Begin(Size size, uint64_t offset) {
    fed_ = offset;
    auto terminal = Terminal::Create({.size = size});
    status_ = terminal.status();
    if (terminal.ok()) terminal_ = *std::move(terminal);
  }

  // False when the moment is reached, or cannot be. A resize right at the
  // wanted byte came after it.
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

  // Error: a size that no terminal can have.
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

// The size of a VT100 unless told; sessions begin with 40x120.
absl::StatusOr<Size> SizeOfBytes(const Options& options) {
  if (options.Has("at")) {
    return InvalidArgument("--at: a file of plain bytes has no times");
  }
  if (!options.Has("size")) return Size{24, 80};
  return ParseSize(options.Get("size"));
}

// Error: wrongly called (InvalidArgument), or it could not be done.
absl::Status PlayFile(const std::string& path, const Options& options,
                      Screen* screen) {
  ASSIGN_OR_RETURN(std::string text, ReadInput(path));
  if (record::LooksLikeCast(text)) {
    return record::ReadCast(
        text,
        [screen](const record::CastHeader& header) {
          screen->Begin(header.size, 0);
        },
        [screen](const CastEvent& event) { return screen->Play(event); });
  }
  ASSIGN_OR_RETURN(Size size, SizeOfBytes(options));
  screen->Begin(size, 0);
  CastEvent all;
  all.data = std::move(text);
  screen->Play(all);
  return absl::OkStatus();
}

absl::Status PlaySession(const std::string& name, Screen* screen) {
  ASSIGN_OR_RETURN(record::RecordedSession session, record::FindRecorded(name));
  auto begin = [&](const record::RecordedBegin& recorded) {
    screen->Begin(recorded.header.size, recorded.offset);
    if (recorded.offset == 0) return;
    Warn(
        "the first %d bytes are gone from the log: parts of the screen may "
        "be missing",
        recorded.offset);
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
