// `glasstty play`: plays a session or an asciicast in the person's terminal.
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "attach/outer_terminal.h"
#include "attach/player.h"
#include "attach/reel.h"
#include "base/clock.h"
#include "base/limits.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "record/cast.h"
#include "record/recording.h"
#include "support/loop.h"
#include "support/status.h"
#include "terminal/terminal.h"

namespace glasstty {
namespace {

using attach::Reel;
using terminal::Terminal;

// Longer pauses are cut to this, unless the person wants them.
constexpr double kLongestPause_s = 2;
constexpr double kMost = 1e9;

// Returns a terminal that answers no queries, because nobody would read the
// answers.
absl::StatusOr<std::unique_ptr<Terminal>> QuietTerminal(
    terminal::Size size, const std::string& nonce) {
  ASSIGN_OR_RETURN(
      auto screen,
      Terminal::Create({.size = size, .scrollback_rows = 0, .nonce = nonce}));
  screen->MuteReplies(true);
  return screen;
}

absl::StatusOr<Reel> LoadFile(const Options& options, const std::string& path) {
  ASSIGN_OR_RETURN(std::string text, ReadInput(path));
  ASSIGN_OR_RETURN(bool is_cast, record::LooksLikeCast(text));
  if (!is_cast) {
    return InvalidArgument(
        "%s is no asciicast, and other files have no times (glasstty replay "
        "shows their screen)",
        path);
  }
  ASSIGN_OR_RETURN(record::CastReading reading, ReadingOf(options, path));
  Reel reel;
  reel.name = path.substr(path.rfind('/') + 1);
  RETURN_IF_ERROR(record::ReadCast(
      text, reading,
      [&reel](const record::CastHeader& header) {
        reel.begin = [size = header.size] { return QuietTerminal(size, ""); };
      },
      [&reel](const record::CastEvent& event) {
        reel.events.push_back(event);
        return true;
      }));
  return reel;
}

absl::StatusOr<Reel> LoadSession(const std::string& name) {
  ASSIGN_OR_RETURN(record::RecordedSession session, record::FindRecorded(name));
  Reel reel;
  reel.name = session.origin.name;
  auto begin = [&](const record::RecordedBegin& recorded) {
    reel.begin = [recorded, nonce = session.origin.nonce]()
        -> absl::StatusOr<std::unique_ptr<Terminal>> {
      terminal::Size size = recorded.header.size;
      ASSIGN_OR_RETURN(auto screen, QuietTerminal(size, nonce));
      if (!recorded.start.state) return screen;
      // Without the saved screen, the recording begins with an empty one.
      (void)screen->RestoreState(recorded.start.state->terminal);
      screen->SkipTo(recorded.start.offset);
      RETURN_IF_ERROR(screen->Resize(size));
      return screen;
    };
  };
  RETURN_IF_ERROR(record::PlayRecorded(session, {}, begin,
                                       [&reel](const record::CastEvent& event) {
                                         reel.events.push_back(event);
                                         return true;
                                       }));
  return reel;
}

// Error: it is not a number, or is out of bounds.
absl::StatusOr<double> ReadNumber(const Options& options, const char* flag,
                                  double fallback) {
  if (!options.Has(flag)) return fallback;
  std::string text = options.Get(flag);
  char* rest = nullptr;
  double number = std::strtod(text.c_str(), &rest);
  bool is_good =
      !text.empty() && *rest == '\0' && number >= 0 && number < kMost;
  if (is_good) return number;
  return InvalidArgument("--%s '%s': give a number", flag, text);
}

absl::Status PlayWith(const Options& options) {
  if (options.operands.size() != 1) {
    return InvalidArgument("give one file or session");
  }
  ASSIGN_OR_RETURN(double speed, ReadNumber(options, "speed", 1));
  ASSIGN_OR_RETURN(double pause,
                   ReadNumber(options, "max-pause", kLongestPause_s));
  if (speed == 0) return InvalidArgument("--speed 0 would never end");
  const std::string& source = options.operands[0];
  ASSIGN_OR_RETURN(Reel reel, IsFile(source) ? LoadFile(options, source)
                                             : LoadSession(source));
  if (!reel.begin) return NotFound("%s has no screen", source);
  if (pause > 0) {
    attach::CutPauses(std::llround(pause * 1e6), &reel.events);
  }
  ASSIGN_OR_RETURN(auto outer, attach::OuterTerminal::Open());
  MonotonicClock clock;
  Loop loop(&clock);
  SurviveFailedWrites();
  std::string name = reel.name;
  std::string farewell;
  {
    ASSIGN_OR_RETURN(
        auto player,
        attach::Player::Start(&loop, outer.get(), std::move(reel), speed));
    loop.Run();
    farewell = player->farewell();
  }
  outer->Leave();
  Print("[%s: %s]\n", name, farewell);
  return absl::OkStatus();
}

}  // namespace

int RunPlay(const Options& options) {
  return Report(*FindCommand("play"), PlayWith(options));
}

}  // namespace glasstty
