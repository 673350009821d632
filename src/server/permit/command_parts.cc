#include "permit/command_parts.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>

#include "gate/rules.h"
#include "gate/shell_reader.h"
#include "gate/starts.h"
#include "support/text.h"

namespace glasstty::permit {
namespace {

using gate::Piped;
using gate::Word;
using gate::Words;

// The limits of one Splitter; people write far less.
constexpr size_t kMostText = 64 << 10;
constexpr size_t kMostTexts = 50;
constexpr size_t kMostParts = 500;

// The maximum number of commands that other commands start directly, without a
// text for a shell.
constexpr size_t kMostStarted = 100;

constexpr char kSets[] = "it sets variables";

Part::Words PlainWords(const Words& words) {
  Part::Words plain;
  plain.reserve(words.size());
  for (const Word& word : words) plain.push_back(word.text);
  return plain;
}

// Returns whether a redirection to `target` changes no file.
bool IsHarmlessTarget(const std::string& op, const std::string& target) {
  bool is_descriptor =
      op.ends_with("&") &&
      (target == "-" ||
       target.find_first_not_of("0123456789") == std::string::npos);
  return is_descriptor || target == "/dev/null";
}

// Returns false for a program such as uv that needs a subcommand to start a
// command, if that subcommand is missing.
bool StartsInner(const Words& words) {
  return !gate::IsIn("subcommand", gate::BaseName(words[0].text)) ||
         gate::IsIn("inside", words[1].text);
}

// Splits one text or command, and what it starts. Each object is used once.
class Splitter {
 public:
  Splitter() {
    // With IFS, one word can become two: rm$IFS-rf.
    state_.variables["IFS"].word = Word::Of(" ", gate::Mark::kLive);
    // Some shells run the text after a "#".
    state_.comments = false;
  }

  void AddText(std::string text, Piped input = {}) {
    if (texts_.size() + read_ >= kMostTexts || text.size() > kMostText) {
      return Doubt("it is too long");
    }
    // At "+=", the reader removes the variable from its state instead of
    // updating it, so the check in Take would miss it.
    if (text.find("+=") != std::string::npos) Doubt(kSets);
    texts_.push_back({std::move(text), std::move(input), origin_});
  }

  void AddCommand(const Words& whole, const Piped& input) {
    if (whole.empty()) return;
    if (parts_.parts.size() == kMostParts) return Doubt("it is too long");
    Part part;
    part.starter = origin_.starter;
    part.spelled = origin_.spelled;
    part.guess = origin_.guess;
    part.words = PlainWords(whole);
    part.certain =
        std::all_of(whole.begin(), whole.end(), std::mem_fn(&Word::IsKnown)) &&
        part.words[0].find(' ') == std::string::npos;
    bool is_redirection =
        whole.size() == 2 && part.words[0].find('>') != std::string::npos &&
        part.words[0].find_first_not_of("0123456789<>&|") == std::string::npos;
    if (is_redirection) {
      part.redirects = true;
      if (IsHarmlessTarget(part.words[0], part.words[1])) return;
      parts_.parts.push_back(std::move(part));
      return;
    }
    bool takes_input = false;
    Words inner = gate::Unwrap(whole, &takes_input);
    if (takes_input) Doubt("xargs gets its arguments from a program");
    AddDisguise(whole, &part);
    bool is_wrapped = inner.size() != whole.size();
    if (is_wrapped) AddDisguise(inner, &part, true);
    parts_.parts.push_back(std::move(part));
    if (is_wrapped && !inner.empty() && StartsInner(whole)) {
      size_t spelled = whole.size() - inner.size() + 1;
      AddStarted(
          {.words = std::move(inner), .input = input, .spelled = spelled},
          whole, LastPart());
    } else {
      AddStarts(is_wrapped ? inner : whole, input);
    }
  }

  CommandParts Take() {
    for (; !texts_.empty(); ++read_) {
      Text next = std::move(texts_.front());
      texts_.pop_front();
      origin_ = std::move(next.origin);
      // Assignments of a guess do not count outside of it.
      gate::ShellState state = state_;
      Read(next.text, next.input, origin_.guess ? &state : &state_);
    }
    // An assignment may change what a program does: PATH, LD_PRELOAD.
    origin_ = {};
    if (state_.variables.size() > 1) Doubt(kSets);
    if (state_.too_deep) Doubt("it is nested too deep");
    return std::move(parts_);
  }

 private:
  // The command that starts a text; see Part.
  struct Origin {
    int starter = -1;
    std::string spelled;
    bool guess = false;
  };
  struct Text {
    std::string text;
    Piped input;
    Origin origin;
  };

  static void AddDisguise(const Words& words, Part* part, bool plain = false) {
    if (words.empty()) return;
    Part::Words disguised = PlainWords(words);
    std::string name = gate::BaseName(disguised[0]);
    if (plain) part->disguised.push_back(disguised);
    if (name == disguised[0]) return;
    disguised[0] = std::move(name);
    part->disguised.push_back(std::move(disguised));
  }

  void AddStarts(const Words& words, const Piped& input) {
    gate::Starts starts = gate::StartsOf(words, input);
    if (starts.unknown) Doubt("a program in it runs others that are not known");
    int starter = LastPart();
    for (gate::Started& started : starts.list) {
      AddStarted(std::move(started), words, starter);
    }
  }

  int LastPart() const { return static_cast<int>(parts_.parts.size()) - 1; }

  // `by` is the command of the part `starter`, perhaps without its wrapper.
  void AddStarted(gate::Started started, const Words& by, int starter) {
    Origin outer = origin_;
    origin_.starter = starter;
    origin_.guess |= started.guess;
    Words spelled(by.begin(), by.begin() + static_cast<long>(started.spelled));
    origin_.spelled = gate::TextOf(spelled);
    if (started.words.empty()) {
      AddText(std::move(started.text), std::move(started.input));
    } else if (started_++ < kMostStarted) {
      AddCommand(started.words, started.input);
    } else {
      Doubt("it is too long");
    }
    origin_ = std::move(outer);
  }

  void Read(const std::string& text, const Piped& input,
            gate::ShellState* state) {
    gate::ShellReader::Run run = [this](gate::SimpleCommand* command) {
      AddCommand(command->words, command->input);
      return Piped::Unknown();
    };
    gate::ShellReader reader(text, state, &run, input);
    reader.Read();
    if (reader.unfinished()) Doubt("it is not complete");
    for (const std::string& here : reader.here_texts()) {
      gate::ShellReader inner(here, state, &run);
      inner.ReadHereText();
    }
  }

  // Keeps the first doubt; a guess raises none.
  void Doubt(const char* why) {
    if (parts_.doubt.empty() && !origin_.guess) parts_.doubt = why;
  }

  gate::ShellState state_;
  std::deque<Text> texts_;
  size_t read_ = 0, started_ = 0;
  // The origin of the text or command that is being read.
  Origin origin_;
  CommandParts parts_;
};

}  // namespace

std::string Part::text() const { return TextOf(words); }

std::string TextOf(const Part::Words& words) { return Join(words, " "); }

CommandParts PartsOfText(std::string_view text) {
  Splitter splitter;
  splitter.AddText(std::string(text));
  return splitter.Take();
}

CommandParts PartsOfArguments(const std::vector<std::string>& argv) {
  Words words;
  for (const std::string& word : argv) words.push_back(Word::Of(word));
  Splitter splitter;
  splitter.AddCommand(words, {});
  return splitter.Take();
}

}  // namespace glasstty::permit
