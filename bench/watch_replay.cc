// Plays a recording to a session beside one way of waiting, on a manual clock:
// what bench/watching.py does in real time with the server as a whole.
//
// stdin has a JSON value in each line: the way, as {"rows", "cols", "until",
// "watch"}, then events, as [second, kind, data]. The kinds are those of an
// asciicast, "reads" (from now on the program waits for input) and "end" (of
// the recording). stdout is one wake in each line: [second, what the reply
// says]. At its end stands the number of waits.
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "lookout/sentry.h"
#include "support/check.h"
#include "support/json.h"
#include "testing/fake_holder.h"
#include "view/reader.h"
#include "waits/waiting.h"

namespace glasstty {
namespace {

constexpr Duration kStep = std::chrono::milliseconds(250);

absl::StatusOr<waits::Until> ParseUntil(const Json& json) {
  waits::Until until;
  if (const Json* change = FindMember(json, "change")) {
    until.change = change->is_string() ? waits::ChangeIs::kMeaningful
                                       : waits::ChangeIs::kAny;
  }
  if (const Json* regex = FindMember(json, "regex")) {
    until.regex = AsString(*regex);
  }
  if (const Json* still = FindMember(json, "still_s")) {
    until.still_s = AsNumber(*still);
  }
  if (const Json* quiet = FindMember(json, "quiet_s")) {
    until.quiet_s = AsNumber(*quiet);
  }
  return until;
}

class Replay {
 public:
  explicit Replay(const Json& way)
      : session_(holder_.Open({static_cast<int>(*AsInteger(way["rows"])),
                               static_cast<int>(*AsInteger(way["cols"]))})) {
    if (FindMember(way["until"], "event") != nullptr) {
      Lookout(way["watch"]);
    } else {
      until_ = *ParseUntil(way["until"]);
      Wait(until_);
    }
  }

  // Returns false once nobody waits any more.
  bool Take(const Json& event) {
    // In whole milliseconds: a timer that is due within the microsecond would
    // keep the loop busy for ever.
    Go(begin_ +
       std::chrono::milliseconds(std::llround(1000 * *AsNumber(event[0]))));
    std::string kind = *AsString(event[1]);
    if (kind == "end" || is_over_) return false;
    if (kind == "reads") holder_.Answer(wire::Waiting::kRead);
    if (kind == "o") {
      holder_.Answer(wire::Waiting::kRunning);
      holder_.Print(*AsString(event[2]));
    }
    if (kind == "x") holder_.Exit(std::stoi(*AsString(event[2])) << 8);
    Look();
    return true;
  }
  int waits() const { return waits_; }

 private:
  void Lookout(const Json& watches) {
    around_.question = [this](const session::Session&) {
      lookout::Surroundings::Question question;
      question.key = holder_.end();
      question.text = "asks";
      return std::optional(question);
    };
    around_.is_known = [](const auto&, const auto&) { return false; };
    around_.parse = ParseUntil;
    around_.tell = [this](const auto&, const lookout::Event* event) {
      if (event != nullptr) Wake(event->watch, event->text);
      ++waits_;
    };
    sentry_.emplace(session_, &around_);
    for (const auto& [name, until] : watches.items()) {
      CHECK(sentry_->SetWatch(name, until).ok());
    }
  }

  void Wait(waits::Until until) {
    auto waiting = waits::Waiting::Compile(std::move(until));
    waits::From from{.baseline = view::WaitFrom(mark_)};
    bool alternate = session_->output().terminal().modes().alternate_screen;
    bool is_there =
        mark_.screen != nullptr && mark_.screen->alternate == alternate;
    if (is_there) from.shown = mark_.screen->rows;
    from.memory = memory_;
    waiting_.emplace(*std::move(waiting));
    waiting_->Begin(session_, std::move(from));
    look_ = waiting_->Start(Time::max());
    ++waits_;
  }

  // Lets time pass.
  void Go(Time to) {
    while (holder_.clock()->Now() < to && !is_over_) {
      Time now = holder_.clock()->Now();
      Time next = std::max(again_, now + std::chrono::milliseconds(1));
      holder_.Advance(std::min({to, next, now + kStep}) - now);
      if (again_ <= holder_.clock()->Now()) Look();
    }
  }

  // Goes on with the next wait as long as one is met.
  void Look() {
    while (waiting_ && !is_over_) {
      glasstty::Look look = look_();
      again_ = look.again;
      if (!look.met()) return;
      std::string word(look.reason->word);
      Wake(word, look.reason->detail);
      if (word == "change") memory_->Tell(look.reason->detail);
      is_over_ = session_->verdict().exited();
      view::ReadRequest request;
      request.limits = {.max_lines = 10, .truncate = view::Truncate::kTail};
      mark_ = view::ReadSession(*session_, mark_, request).mark;
      waits::Until next = until_;
      if (word == "quiet") next = {.change = waits::ChangeIs::kAny};
      Wait(std::move(next));
    }
  }

  void Wake(const std::string& word, const std::string& text) {
    double second =
        std::chrono::duration<double>(holder_.clock()->Now() - begin_).count();
    std::cout << DumpJson({second, word + ": " + text}) << '\n';
  }

  FakeHolder holder_;
  session::SessionRef session_;
  const Time begin_ = holder_.clock()->Now();
  view::ReaderMark mark_;
  std::shared_ptr<motion::Memory> memory_ = std::make_shared<motion::Memory>();
  waits::Until until_;
  std::optional<waits::Waiting> waiting_;
  Predicate look_;
  Time again_ = Time::max();
  lookout::Surroundings around_;
  std::optional<lookout::Sentry> sentry_;
  bool is_over_ = false;
  int waits_ = 0;
};

void Run() {
  std::optional<Replay> replay;
  for (std::string line; std::getline(std::cin, line);) {
    auto json = ParseJson(line);
    CHECK(json.ok());
    if (!replay) {
      replay.emplace(*json);
    } else if (!replay->Take(*json)) {
      break;
    }
  }
  std::cout << replay->waits() << '\n';
}

}  // namespace
}  // namespace glasstty

int main() { glasstty::Run(); }
