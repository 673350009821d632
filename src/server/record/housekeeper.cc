#include "record/housekeeper.h"

#include <ctime>
#include <optional>
#include <utility>
#include <vector>

namespace glasstty::record {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;
// Without a live session, only the age of the ended ones matters.
constexpr Duration kEveryIdle = std::chrono::minutes(10);
// A holder may write to a session that is already in `ended`, but not for long.
constexpr Duration kSettled = std::chrono::minutes(1);

int64_t WallNs() { return int64_t{std::time(nullptr)} * kNsPerSecond; }

}  // namespace

Housekeeper::Housekeeper(Loop* loop, StateDir* state_dir, uint64_t cap,
                         std::function<bool()> make_room)
    : loop_(loop),
      state_dir_(state_dir),
      cap_(cap),
      make_room_(std::move(make_room)),
      work_(loop, Urgency::kFeed, [this] { return Slice(); }),
      timer_(loop, [this] { BeginRound(); }) {}

void Housekeeper::Start() { BeginRound(); }

void Housekeeper::Opened() {
  if (std::exchange(is_idle_, false)) timer_.SetAfter(kEvery);
}

void Housekeeper::Added(const std::string& id) {
  auto live = live_.find(id);
  if (live != live_.end()) {
    live_bytes_ -= live->second;
    live_.erase(live);
  }
  ended_ids_.push_back(id);
  work_.Schedule();
}

// Forgets sessions that others have deleted, and notes those that they have
// added.
void Housekeeper::BeginRound() {
  auto listed = state_dir_->ListEnded();
  // If the directory cannot be listed now, the known sessions are assumed to
  // exist.
  std::vector<std::string> ended;
  if (listed.ok()) {
    ended = *std::move(listed);
    std::set<std::string> there(ended.begin(), ended.end());
    std::vector<std::string> gone;
    for (const auto& [id, entry] : ended_) {
      if (!there.contains(id)) gone.push_back(id);
    }
    for (const std::string& id : gone) Drop(id);
  }
  for (const std::string& id : ended) {
    auto known = ended_.find(id);
    bool settled = known != ended_.end() &&
                   loop_->Now() - known->second.seen_at > kSettled;
    if (!settled) ended_ids_.push_back(id);
  }
  auto live = state_dir_->List();
  if (live.ok()) {
    live_.clear();
    live_bytes_ = 0;
    live_ids_ = {live->begin(), live->end()};
  }
  work_.Schedule();
}

bool Housekeeper::Slice() {
  Time stop = MonotonicNow() + Loop::kBudget;
  while (Step()) {
    if (MonotonicNow() >= stop) return true;
  }
  if (!timer_.armed()) {
    is_idle_ = live_.empty();
    timer_.SetAfter(is_idle_ ? kEveryIdle : kEvery);
  }
  return false;
}

// Handles one directory. Returns false if everything is within the limits, or
// cannot be brought within them.
bool Housekeeper::Step() {
  if (!ended_ids_.empty()) {
    MeasureEnded(ended_ids_.front());
    ended_ids_.pop_front();
    return true;
  }
  if (!live_ids_.empty()) {
    MeasureLive(live_ids_.front());
    live_ids_.pop_front();
    return true;
  }
  if (!IsOverLimit()) return false;
  // Sessions that make_room moves into `ended` come back through Added.
  if (order_.empty()) return make_room_();
  std::string oldest = order_.begin()->second;
  state_dir_->RemoveEnded(oldest);
  Drop(oldest);
  return true;
}

bool Housekeeper::IsOverLimit() const {
  if (bytes() > cap_ || order_.size() > kMostKept) return true;
  if (order_.empty()) return false;
  int64_t longest = std::chrono::nanoseconds(kLongestKept).count();
  return WallNs() - order_.begin()->first > longest;
}

void Housekeeper::MeasureEnded(const std::string& id) {
  auto known = ended_.find(id);
  Time seen_at = known == ended_.end() ? loop_->Now() : known->second.seen_at;
  Drop(id);
  auto usage = state_dir_->MeasureEnded(id);
  // Another server has deleted it already.
  if (!usage) return;
  ended_[id] = {usage->changed_ns, usage->bytes, seen_at};
  order_.emplace(usage->changed_ns, id);
  ended_bytes_ += usage->bytes;
}

void Housekeeper::MeasureLive(const std::string& id) {
  if (state_dir_->RemoveUnfinished(id)) return;
  auto usage = state_dir_->Measure(id);
  if (!usage) return;
  live_[id] = usage->bytes;
  live_bytes_ += usage->bytes;
}

void Housekeeper::Drop(const std::string& id) {
  auto known = ended_.find(id);
  if (known == ended_.end()) return;
  order_.erase({known->second.at_ns, id});
  ended_bytes_ -= known->second.bytes;
  ended_.erase(known);
}

}  // namespace glasstty::record
