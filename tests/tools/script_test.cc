// fixtures/waits and fixtures/reads: what a wait sees and what a look shows,
// step by step, with a session whose program does what the script says.
//
//   # comment
//   print TEXT          the program prints (base/escape.h)
//   waits read|poll|no  the program waits for input in that way, or works
//   advance SECONDS     time passes, which a screen needs to settle
//   exit STATUS
//   until JSON          a wait begins
//   -> WORD DETAIL      what it says now; "-> ..." while it goes on
//   read JSON           a look, with the arguments of a mode
//   = TEXT              a line that it shows, all of them in order
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/escape.h"
#include "support/status.h"
#include "testing/fake_holder.h"
#include "testing/source_tree.h"
#include "tools/output_args.h"
#include "tools/until_args.h"
#include "view/reader.h"
#include "waits/waiting.h"

namespace glasstty {
namespace {

template <class Args>
Args Arguments(std::string_view json) {
  Args args;
  auto value = ParseJson(json);
  EXPECT_TRUE(value.ok()) << value.status();
  absl::Status status = mcp::ParseMembers(*value, {"script", ""}, &args);
  EXPECT_TRUE(status.ok()) << status;
  return args;
}

class Script {
 public:
  void Run(const std::string& path) {
    std::ifstream file(path);
    ASSERT_TRUE(file.is_open());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      SCOPED_TRACE(absl::StrFormat("line %d: %s", number, line));
      if (line.empty() || line[0] == '#') continue;
      size_t space = std::min(line.find(' '), line.size());
      std::string word = line.substr(0, space);
      if (word != "=") EndOfShown();
      auto step = kSteps.find(word);
      ASSERT_NE(step, kSteps.end()) << "no such step";
      step->second(this, line.substr(std::min(space + 1, line.size())));
    }
    EndOfShown();
  }

 private:
  using Step = std::function<void(Script*, const std::string&)>;
  static const std::map<std::string, Step> kSteps;

  void Waits(const std::string& how) {
    static const std::map<std::string, wire::Waiting> kHow = {
        {"read", wire::Waiting::kRead},
        {"poll", wire::Waiting::kPoll},
        {"no", wire::Waiting::kSleepOther}};
    holder_.Answer(kHow.at(how));
  }

  void Until(const std::string& json) {
    auto waiting = waits::Waiting::Compile(Arguments<UntilArgs>(json));
    ASSERT_TRUE(waiting.ok()) << waiting.status();
    waiting_.emplace(*std::move(waiting));
    waiting_->Begin(session_, {record::MarkNow(session_->output().terminal())});
    look_ = waiting_->Start(Time::max());
  }

  void Says(const std::string& expected) {
    ASSERT_TRUE(waiting_) << "no wait has begun";
    // The holder may have been asked, and its answer may not be there yet.
    holder_.loop()->RunReady();
    std::optional<Reason> reason = look_().reason;
    std::string said = "...";
    if (reason) said = std::string(reason->word);
    // The detail of "still" is a time of day.
    bool has_detail =
        reason && !reason->detail.empty() && reason->word != "still";
    if (has_detail) said += " " + reason->detail;
    EXPECT_EQ(said, expected);
  }

  void Read(const std::string& json) {
    view::ReadRequest request = Arguments<OutputArgs>(json).ToRequest();
    view::ReadResult result = view::ReadSession(*session_, mark_, request);
    mark_ = result.mark;
    shown_.clear();
    std::string_view rest = result.body;
    while (!rest.empty()) {
      size_t end = std::min(rest.find('\n'), rest.size());
      shown_.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void Shows(const std::string& expected) {
    ASSERT_FALSE(shown_.empty()) << "nothing more is shown";
    EXPECT_EQ(EscapeBytes(shown_.front()), expected);
    shown_.erase(shown_.begin());
  }
  void EndOfShown() {
    for (const std::string& line : shown_) ADD_FAILURE() << "also: " << line;
    shown_.clear();
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({6, 40});
  std::optional<waits::Waiting> waiting_;
  Predicate look_;
  view::ReaderMark mark_;
  std::vector<std::string> shown_;  // and not expected yet
};

const std::map<std::string, Script::Step> Script::kSteps = {
    {"print",
     [](Script* s, const std::string& text) {
       s->holder_.Print(UnescapeBytes(text));
     }},
    {"advance",
     [](Script* s, const std::string& seconds) {
       s->holder_.Advance(FromSeconds(std::stod(seconds)));
     }},
    {"exit",
     [](Script* s, const std::string& status) {
       s->holder_.Exit(std::stoi(status) << 8);
     }},
    {"waits", &Script::Waits},
    {"until", &Script::Until},
    {"->", &Script::Says},
    {"read", &Script::Read},
    {"=", &Script::Shows},
};

class Scripts : public testing::TestWithParam<std::string> {};

TEST_P(Scripts, GoesAsItSays) {
  Script script;
  script.Run(SourcePath("fixtures/" + GetParam()));
}

std::vector<std::string> AllScripts() {
  std::vector<std::string> names;
  for (std::string folder : {"waits/", "reads/"}) {
    for (const auto& entry : std::filesystem::directory_iterator(
             SourcePath("fixtures/" + folder))) {
      names.push_back(folder + entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Scripts, testing::ValuesIn(AllScripts()),
                         [](const auto& script) {
                           std::string name = script.param;
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return !isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace glasstty
