#include "motion/screen_tally.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "motion/shape.h"

namespace glasstty::motion {

void ScreenTally::Add(const terminal::Snapshot& screen, double seconds) {
  motion_.Take(screen, Time(std::chrono::duration_cast<Duration>(
                           std::chrono::duration<double>(seconds))));
  TakeMatters(seconds);
  Frame frame;
  frame.seconds = seconds;
  std::unordered_set<std::string> shapes;
  for (const terminal::SnapshotRow& row : screen.rows) {
    frame.rows.push_back(row.text);
    std::string shape = ShapeOf(row.text);
    if (shape.empty()) continue;
    if (!shapes_.contains(shape)) ++frame.changed;
    shapes.insert(std::move(shape));
  }
  shapes_ = std::move(shapes);
  if (++samples_ == 1) {
    first_ = frame;
  } else {
    Choose(frame);
  }
  last_ = std::move(frame);
}

void ScreenTally::TakeMatters(double seconds) {
  Time now(std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(seconds)));
  while (auto change = motion_.Matters(now)) {
    // Skip switches of screens and drawings on a blank screen.
    if (change->text.empty() || change->is_first) continue;
    ++matters_ever_;
    if (matters_.size() >= kMostMatters) matters_.pop_back();
    matters_.push_back({seconds, std::move(change->text)});
  }
}

void ScreenTally::Choose(Frame frame) {
  constexpr size_t kChosen = kFrames - 2;
  if (frame.changed == 0) return;
  auto least = std::min_element(
      chosen_.begin(), chosen_.end(),
      [](const Frame& a, const Frame& b) { return a.changed < b.changed; });
  if (chosen_.size() < kChosen) {
    chosen_.push_back(std::move(frame));
  } else if (least->changed < frame.changed) {
    *least = std::move(frame);
  }
}

std::vector<ScreenTally::Frame> ScreenTally::Frames() const {
  std::vector<Frame> frames;
  if (samples_ == 0) return frames;
  frames.push_back(first_);
  frames.insert(frames.end(), chosen_.begin(), chosen_.end());
  std::sort(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) {
    return a.seconds < b.seconds;
  });
  if (last_.seconds > frames.back().seconds) frames.push_back(last_);
  return frames;
}

std::string SqueezeRow(const std::string& row) {
  std::string squeezed;
  size_t run = 0;
  for (char c : row) {
    run = !squeezed.empty() && squeezed.back() == c ? run + 1 : 1;
    bool is_bar = c == '|' || c == '=' || c == '#' || c == '-' || c == '.' ||
                  c == '_' || c == '*';
    size_t most = c == ' ' ? 2 : is_bar ? 3 : ~size_t{0};
    if (run <= most) squeezed += c;
  }
  size_t begin = squeezed.find_first_not_of(' ');
  return begin == std::string::npos ? "" : squeezed.substr(begin);
}

}  // namespace glasstty::motion
