#include "motion/line_tally.h"

#include <algorithm>

#include "base/utf8.h"
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
  AddProgress(line, seconds, false);
}

void LineTally::AddOverwritten(std::string_view line, double seconds) {
  line = TrimLineEnd(line);
  if (!line.empty()) AddProgress(line, seconds, true);
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

// Many lines in a row have the same text before the number.
LineTally::Progress* LineTally::FindProgress(std::string_view before,
                                             const Reading& reading) {
  bool is_last = last_progress_ < progress_.size() && before == last_before_ &&
                 progress_[last_progress_].form == reading.form;
  if (is_last) return &progress_[last_progress_];
  std::string label = ShapeOf(before, Ignore::kNames);
  auto known = std::find_if(
      progress_.begin(), progress_.end(), [&](const Progress& progress) {
        return progress.form == reading.form && progress.label == label;
      });
  if (known == progress_.end()) {
    if (progress_.size() >= kMostProgress) return nullptr;
    Progress progress;
    progress.label = std::move(label);
    progress.form = reading.form;
    progress_.push_back(std::move(progress));
    known = progress_.end() - 1;
  }
  last_before_ = std::string(before);
  last_progress_ = static_cast<size_t>(known - progress_.begin());
  return &*known;
}

void LineTally::AddProgress(std::string_view line, double seconds,
                            bool may_be_size) {
  auto reading = ReadProgress(line);
  if (!reading || (reading->form == Reading::Form::kSize && !may_be_size)) {
    return;
  }
  Progress* progress = FindProgress(line.substr(0, reading->begin), *reading);
  if (progress == nullptr) return;
  if (progress->series.empty()) {
    progress->first_s = seconds;
    progress->first = reading->value;
  }
  progress->last_s = seconds;
  if (!progress->series.empty() && reading->value < progress->series.value()) {
    ++progress->falls;
  }
  progress->series.Add(seconds, reading->value, reading->total);
}

}  // namespace glasstty::motion
