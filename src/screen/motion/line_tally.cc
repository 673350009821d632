#include "motion/line_tally.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "motion/letters.h"
#include "motion/shape.h"
#include "support/text.h"

namespace glasstty::motion {

void LineTally::AddLine(std::string_view line, double seconds) {
  ++lines_;
  line = TrimLineEnd(line);
  if (line.empty()) return AddToFailure(line, Weight::kNone, seconds);
  LineKinds::Added added = kinds_.Add(line);
  if (added.kind >= times_.size()) {
    times_.resize(added.kind + 1);
    times_[added.kind] = {seconds, seconds, lines_};
  }
  times_[added.kind].last_s = seconds;
  AddToFailure(line, kinds_.kinds()[added.kind].weight, seconds);
  AddProgress(line, seconds, 0, false);
}

void LineTally::AddOverwritten(std::string_view line, double seconds,
                               int place) {
  line = TrimLineEnd(line);
  if (!line.empty()) AddProgress(line, seconds, place, true);
}

void LineTally::AddToFailure(std::string_view line, Weight weight,
                             double seconds) {
  std::string cut(Utf8Prefix(line, kMostLineBytes));
  if (!failure_) {
    if (weight != Weight::kFailure) return;
    failure_ = Failure{seconds, lines_, {std::move(cut)}};
    return;
  }
  bool follows = lines_ < failure_->line + static_cast<int64_t>(kFollowing);
  if (follows) failure_->text.push_back(std::move(cut));
}

namespace {

std::string MakeLabel(std::string_view before) {
  std::string label;
  for (const std::string& word : Split(ShapeOf(before, Ignore::kNames), ' ')) {
    auto is_letter = [](char c) { return IsLetter(c) || IsHigh(c); };
    auto begin = std::find_if(word.begin(), word.end(), is_letter);
    auto end = std::find_if(word.rbegin(), word.rend(), is_letter).base();
    // Single letters are units, or failures among the dots of a test run.
    bool is_word = end - begin > 1 && word.find('/') == std::string::npos;
    if (!is_word) continue;
    if (!label.empty()) label += ' ';
    label.append(begin, end);
  }
  return label;
}

bool IsRising(const LineTally::Progress& progress) {
  return progress.series.count() >= 3 &&
         progress.falls * 10 <= progress.series.count() &&
         progress.series.value() > progress.first;
}

bool IsMoreTelling(const LineTally::Progress& a, const LineTally::Progress& b) {
  // A total allows an estimate of the end, so it outweighs many rises.
  constexpr int64_t kOutweighs = 10;
  bool a_ends = a.series.total().has_value();
  bool b_ends = b.series.total().has_value();
  return a.rises * (a_ends ? kOutweighs : 1) >
         b.rises * (b_ends ? kOutweighs : 1);
}

}  // namespace

// Caches labels, because most lines begin like others.
const std::string& LineTally::LabelOf(std::string_view before) {
  constexpr size_t kMostLabels = 256;
  if (labels_.size() >= kMostLabels) labels_.clear();
  auto [at, is_new] = labels_.try_emplace(std::string(before));
  if (is_new) at->second = MakeLabel(before);
  return at->second;
}

LineTally::Progress* LineTally::ProgressOf(const Progress& wanted) {
  auto known = std::find_if(
      progress_.begin(), progress_.end(), [&](const Progress& progress) {
        return progress.form == wanted.form && progress.place == wanted.place &&
               progress.index == wanted.index &&
               progress.label == wanted.label && progress.line == wanted.line;
      });
  if (known != progress_.end()) return &*known;
  if (progress_.size() >= kMostProgress) return nullptr;
  return &progress_.emplace_back(wanted);
}

void LineTally::AddProgress(std::string_view line, double seconds, int place,
                            bool may_be_size) {
  Progress wanted;
  wanted.place = place;
  std::vector<Reading> readings = ReadAllProgress(line);
  if (readings.empty()) return;
  wanted.line = LabelOf(line.substr(0, readings[0].begin));
  std::vector<std::pair<Reading::Form, std::string>> before;
  for (const Reading& reading : readings) {
    bool is_size = reading.form == Reading::Form::kSize && !reading.total;
    if (reading.form == Reading::Form::kCount || (is_size && !may_be_size)) {
      continue;
    }
    wanted.label = LabelOf(line.substr(0, reading.begin));
    wanted.form = reading.form;
    auto self = std::pair(wanted.form, wanted.label);
    wanted.index = std::count(before.begin(), before.end(), self);
    before.push_back(std::move(self));
    Progress* progress = ProgressOf(wanted);
    if (progress == nullptr) continue;
    CountChange(progress, reading.value, seconds);
    progress->last_s = seconds;
    progress->series.Add(seconds, reading.value, reading.total);
  }
}

void LineTally::CountChange(Progress* progress, double value, double seconds) {
  if (progress->series.empty()) {
    progress->first_s = progress->changed_s = seconds;
    progress->first = value;
    return;
  }
  double before = progress->series.value();
  if (value == before) return;
  ++(value > before ? progress->rises : progress->falls);
  double pause_s = seconds - progress->changed_s;
  if (pause_s > progress->pause_s) {
    progress->pause_s = pause_s;
    progress->pause_began_s = progress->changed_s;
  }
  progress->changed_s = seconds;
}

std::vector<const LineTally::Progress*> LineTally::FindProgress() const {
  std::vector<const Progress*> found;
  for (const Progress& progress : progress_) {
    if (!IsRising(progress)) continue;
    auto same =
        std::find_if(found.begin(), found.end(), [&](const auto* other) {
          return other->line == progress.line && other->place == progress.place;
        });
    if (same == found.end()) {
      found.push_back(&progress);
    } else if (IsMoreTelling(progress, **same)) {
      *same = &progress;
    }
  }
  return found;
}

}  // namespace glasstty::motion
