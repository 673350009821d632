// Sections are written in the order of their importance for a reader. Each gets
// the space that the earlier ones have left, but at most its share.
#include "motion/digest.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "motion/shape.h"
#include "support/local_time.h"
#include "support/text.h"

namespace glasstty::motion {
namespace {

constexpr size_t kLineBytes = 110;
constexpr size_t kFailureBytes = 160;

std::string Clip(std::string_view text, size_t bytes) {
  int64_t invisible = 0;
  std::string shown = ShowInvisible(CleanText(text), &invisible);
  if (shown.size() <= bytes) return shown;
  return std::string(Utf8Prefix(shown, bytes - 3)) + "\u2026";
}

std::string Grouped(int64_t number) {
  std::string digits = absl::StrFormat("%d", number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

class DigestText {
 public:
  DigestText(const Digest& digest, const Digest::About& about)
      : digest_(digest), about_(about) {}

  std::string Write() {
    Head();
    Commands();
    Events();
    Matters();
    Failure();
    Progress();
    Kinds();
    Frames();
    Tail();
    return std::move(out_);
  }

 private:
  // A heading and lines below it.
  struct Section {
    std::string title;
    std::vector<std::string> lines;
  };
  // Writes as many lines as fit into `share` bytes and into the remaining
  // space.
  void Put(const Section& section, size_t share) {
    if (section.lines.empty()) return;
    // Reserve room for the last line, and for a note about the lines left out.
    constexpr size_t kReserve = 130;
    size_t left =
        Digest::kMostBytes - std::min(Digest::kMostBytes, out_.size());
    size_t room = std::min(share, left - std::min(left, kReserve));
    std::string text = section.title + "\n";
    size_t shown = 0;
    for (const std::string& line : section.lines) {
      if (text.size() + line.size() + 3 > room) break;
      text += "  " + line + "\n";
      ++shown;
    }
    if (shown == 0) return;
    if (shown < section.lines.size()) {
      text +=
          absl::StrFormat("  \u2026 %d more\n", section.lines.size() - shown);
    }
    out_ += text;
  }

  // Returns the local time of day.
  std::string Clock(double seconds) const {
    auto ms = static_cast<int64_t>(seconds * 1000);
    return ClockText(about_.started_ms + ms, about_.zone_s);
  }

  void Head() {
    double took = about_.end_s - about_.begin_s;
    out_ = absl::StrFormat("%s to %s (%s): ", Clock(about_.begin_s),
                           Clock(about_.end_s), DurationText(took));
    std::vector<std::string> facts;
    int64_t lines = digest_.lines_.lines();
    if (lines > 0 || digest_.screens_.samples() == 0) {
      facts.push_back(Grouped(lines) + (lines == 1 ? " line" : " lines"));
    }
    if (digest_.screens_.samples() > 0) facts.push_back("screens");
    facts.push_back(Grouped(static_cast<int64_t>(about_.bytes)) + " bytes");
    if (about_.lost > 0) {
      facts.push_back(Grouped(static_cast<int64_t>(about_.lost)) +
                      " bytes are lost");
    }
    if (about_.error_bytes > 0) {
      facts.push_back(Grouped(static_cast<int64_t>(about_.error_bytes)) +
                      " bytes of stderr are left out");
    }
    facts.push_back(about_.end.empty() ? "it runs" : about_.end);
    out_ += Join(facts, ", ") + "\n";
  }

  static std::string CommandText(const Digest::Command& command, double now_s) {
    std::string state = "running";
    if (command.end_s) state = "ended";
    if (command.status) state = absl::StrFormat("exit=%d", *command.status);
    double took = command.end_s.value_or(now_s) - command.begin_s;
    return absl::StrFormat("%s %s  %s", state, DurationText(took),
                           Clip(command.text, kLineBytes - 30));
  }

  // Prefers failed, running and long commands, and shows them in order.
  void Commands() {
    constexpr size_t kMost = 6;
    std::vector<const Digest::Command*> chosen;
    for (const Digest::Command& command : digest_.commands_) {
      chosen.push_back(&command);
    }
    auto rank = [this](const Digest::Command* command) {
      double took = command->end_s.value_or(about_.end_s) - command->begin_s;
      bool failed = command->status.value_or(0) != 0;
      return std::pair(failed || !command->end_s, took);
    };
    std::stable_sort(
        chosen.begin(), chosen.end(),
        [&rank](const auto* a, const auto* b) { return rank(a) > rank(b); });
    if (chosen.size() > kMost) chosen.resize(kMost);
    std::sort(chosen.begin(), chosen.end());
    Section section;
    auto failed = std::count_if(
        digest_.commands_.begin(), digest_.commands_.end(),
        [](const auto& command) { return command.status.value_or(0) != 0; });
    section.title = absl::StrFormat("commands: %d, %d failed",
                                    digest_.commands_ever_, failed);
    for (const Digest::Command* command : chosen) {
      section.lines.push_back(Clock(command->begin_s) + " " +
                              CommandText(*command, about_.end_s));
    }
    Put(section, 500);
  }

  // Shows the last events, because earlier ones have led to them.
  void Events() {
    constexpr ptrdiff_t kMost = 5;
    Section section;
    section.title = absl::StrFormat("events: %d", digest_.events_.size());
    const auto& events = digest_.events_;
    auto from = events.end() - std::min(std::ssize(events), kMost);
    for (auto event = from; event != events.end(); ++event) {
      section.lines.push_back(Clock(event->seconds) + " " +
                              Clip(event->text, kLineBytes - 20));
    }
    Put(section, 450);
  }

  void Matters() {
    Section section;
    section.title = absl::StrFormat("what mattered on the screen: %d changes",
                                    digest_.screens_.matters_ever());
    for (const ScreenTally::Matter& matter : digest_.screens_.matters()) {
      section.lines.push_back(Clock(matter.seconds) + " " +
                              Clip(SqueezeRow(matter.text), kLineBytes - 20));
    }
    Put(section, 600);
  }

  void Failure() {
    const auto& failure = digest_.lines_.first_failure();
    if (!failure) return;
    Section section;
    section.title =
        absl::StrFormat("first failure, %s, line %s:", Clock(failure->seconds),
                        Grouped(failure->line));
    size_t bytes = 2 * kFailureBytes;
    for (const std::string& line : failure->text) {
      section.lines.push_back(Clip(line, bytes));
      bytes = kLineBytes;
    }
    Put(section, 700);
  }

  // Describes a bar that was drawn again and again without progress until its
  // program ended; otherwise returns "".
  std::string StoodText(const LineTally::Progress& progress,
                        double came_s) const {
    constexpr double kLongEnough_s = 10;
    double stood_s = progress.last_s - came_s;
    if (about_.end.empty() || stood_s < kLongEnough_s) return "";
    return ", and then unchanged for " + DurationText(stood_s);
  }

  // Describes the longest pause, if it was much longer than a usual step;
  // otherwise returns "".
  std::string PauseText(const LineTally::Progress& progress,
                        double took_s) const {
    constexpr double kLongEnough_s = 30;
    constexpr double kSteps = 20;
    auto steps = static_cast<double>(progress.rises + progress.falls);
    bool is_long = progress.pause_s >= kLongEnough_s &&
                   progress.pause_s * steps >= kSteps * took_s;
    if (!is_long) return "";
    return ", paused for " + DurationText(progress.pause_s) + " from " +
           Clock(progress.pause_began_s);
  }

  void Progress() {
    Section section;
    section.title = "progress:";
    std::vector<const LineTally::Progress*> chosen =
        digest_.lines_.FindProgress();
    std::stable_sort(chosen.begin(), chosen.end(),
                     [](const auto* a, const auto* b) {
                       return a->series.count() > b->series.count();
                     });
    if (chosen.size() > 4) chosen.resize(4);
    for (const LineTally::Progress* progress : chosen) {
      double came_s = progress->series.EstimateAt(about_.end_s).value_s;
      double took_s = came_s - progress->first_s;
      std::string stood =
          PauseText(*progress, took_s) + StoodText(*progress, came_s);
      // If the program has ended, do not estimate when it will be done.
      std::string reached =
          about_.end.empty()
              ? Describe(progress->series, progress->form, about_.end_s)
              : ReachedText(progress->series, progress->form);
      std::string label = Clip(progress->label, 40);
      section.lines.push_back(absl::StrFormat(
          "%s%sfrom %s to %s in %s%s", label, label.empty() ? "" : ": ",
          ValueText(progress->first, progress->form), reached,
          DurationText(took_s), stood));
    }
    Put(section, 420);
  }

  // Shows failures, warnings and questions first, then others by frequency.
  void Kinds() {
    const auto& kinds = digest_.lines_.kinds();
    std::vector<size_t> order;
    for (size_t i = 0; i < kinds.size(); ++i) order.push_back(i);
    auto rank = [&kinds](size_t i) {
      int weight =
          IsHeavy(kinds[i].weight) ? static_cast<int>(kinds[i].weight) : 0;
      return std::pair(weight, kinds[i].count);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&rank](size_t a, size_t b) { return rank(a) > rank(b); });
    Section section;
    section.title = absl::StrFormat("kinds of lines: %d", kinds.size());
    for (size_t i : order) section.lines.push_back(KindText(i));
    Put(section, 900);
  }

  std::string KindText(size_t index) const {
    const LineKinds::Kind& kind = digest_.lines_.kinds()[index];
    const LineTally::Times& times = digest_.lines_.times()[index];
    const char* weight = kind.weight == Weight::kFailure   ? "failure "
                         : kind.weight == Weight::kWarning ? "warning "
                                                           : "";
    std::string when = Clock(times.first_s);
    if (kind.count > 1) when += "\u2013" + Clock(times.last_s);
    // Show the first line of a heavy kind, because its details matter.
    bool is_heavy = IsHeavy(kind.weight);
    bool is_one = kind.count == 1 || is_heavy || kind.Text().empty();
    std::string text = is_one ? kind.first : kind.Text();
    return absl::StrFormat(
        "%sx %s%s  %s", Grouped(kind.count), weight, when,
        Clip(TrimBlanks(text), is_heavy ? kLineBytes : kLineBytes - 36));
  }

  // Shows of each frame the rows whose words were not in the previous one.
  void Frames() {
    std::unordered_set<std::string> before;
    for (const ScreenTally::Frame& frame : digest_.screens_.Frames()) {
      Section section;
      section.title = absl::StrFormat("screen at %s:", Clock(frame.seconds));
      std::unordered_set<std::string> now;
      for (size_t row = 0; row < frame.rows.size(); ++row) {
        std::string shape = ShapeOf(frame.rows[row]);
        if (shape.empty()) continue;
        if (!before.contains(shape)) {
          section.lines.push_back(absl::StrFormat(
              "%d| %s", row + 1, Clip(SqueezeRow(frame.rows[row]), 76)));
        }
        now.insert(std::move(shape));
      }
      before = std::move(now);
      Put(section, 380);
    }
  }

  void Tail() {
    if (about_.open_line.empty()) return;
    out_ += "last line: " + Clip(about_.open_line, 100) + "\n";
  }

  const Digest& digest_;
  const Digest::About& about_;
  std::string out_;
};

void Digest::AddScreen(const terminal::Snapshot& screen, double seconds) {
  screens_.Add(screen, seconds);
  int place = 0;
  for (const terminal::SnapshotRow& row : screen.rows) {
    lines_.AddOverwritten(row.text, seconds, ++place);
  }
}

void Digest::AddEvent(std::string_view text, double seconds) {
  events_.push_back({std::string(text), seconds});
}

void Digest::BeginCommand(std::string_view text, double seconds) {
  ++commands_ever_;
  if (commands_.size() >= kMostCommands) commands_.erase(commands_.begin());
  commands_.push_back({std::string(text), seconds, {}, {}});
}

void Digest::EndCommand(std::optional<int> status, double seconds) {
  if (commands_.empty() || commands_.back().end_s) return;
  commands_.back().end_s = seconds;
  commands_.back().status = status;
}

void Digest::ForgetCommand() {
  if (commands_.empty() || commands_.back().end_s) return;
  commands_.pop_back();
  --commands_ever_;
}

std::string Digest::Text(const About& about) const {
  return DigestText(*this, about).Write();
}

}  // namespace glasstty::motion
