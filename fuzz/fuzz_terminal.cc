// Tests the whole terminal as its owner sees it: whatever is fed, the picture
// is complete, and whatever a reader was told is unchanged since its last look
// really is.
#include <map>
#include <string>

#include "input.h"
#include "require.h"
#include "terminal/terminal.h"

namespace glasstty {
namespace {

class Reader {
 public:
  explicit Reader(terminal::Terminal* terminal) : terminal_(terminal) {}

  void Look() {
    LookAtScreen();
    LookAtLines();
    terminal_->TakeEvents();
    Require(terminal_->TakeReplies().size() <= 4096);
  }

 private:
  void LookAtScreen() {
    terminal::Snapshot now = terminal_->TakeSnapshot(seen_.revision);
    Require(now.rows.size() == static_cast<size_t>(now.size.rows));
    Require(now.cursor.row >= 0 && now.cursor.row < now.size.rows);
    Require(now.cursor.col >= 0 && now.cursor.col < now.size.cols);
    bool is_comparable = now.size == seen_.size;
    for (size_t i = 0; is_comparable && i < now.rows.size(); ++i) {
      if (now.rows[i].changed) continue;
      Require(now.rows[i].text == seen_.rows[i].text);
      Require(now.rows[i].styles == seen_.rows[i].styles);
    }
    bool looks_the_same = is_comparable && now.cursor == seen_.cursor &&
                          now.alternate == seen_.alternate;
    if (now.revision == seen_.revision) Require(looks_the_same);
    seen_ = std::move(now);
  }

  void LookAtLines() {
    int64_t first = terminal_->first_line(), end = terminal_->end_line();
    Require(first >= 0 && first <= end);
    Require(terminal_->cursor_line() >= 0 && terminal_->cursor_line() < end);
    std::map<int64_t, std::string> now;
    int64_t expected = first;
    for (const terminal::Line& line : terminal_->Lines(first, end)) {
      Require(line.number == expected++);
      auto before = lines_.find(line.number);
      // The beginning of a line may be evicted without a change.
      bool may_be_cut = line.number == first;
      if (before != lines_.end() && before->second != line.text &&
          !may_be_cut) {
        Require(line.revision > lines_revision_);
      }
      now[line.number] = line.text;
    }
    Require(expected == end);
    lines_ = std::move(now);
    lines_revision_ = terminal_->lines_revision();
  }

  terminal::Terminal* const terminal_;
  terminal::Snapshot seen_;
  std::map<int64_t, std::string> lines_;
  uint64_t lines_revision_ = 0;
};

}  // namespace
}  // namespace glasstty

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using glasstty::Require;
  using glasstty::terminal::Terminal;
  glasstty::FuzzInput input(data, size);
  Terminal::Options options;
  options.size = input.size();
  options.scrollback_rows = 30;
  options.nonce = "n";
  auto terminal = Terminal::Create(options);
  Require(terminal.ok());
  glasstty::Reader reader(terminal->get());
  input.Play([&](std::string_view bytes) { (*terminal)->Feed(bytes); },
             [&](glasstty::terminal::Size to) {
               Require((*terminal)->Resize(to).ok());
             },
             [&] { reader.Look(); });
  reader.Look();
  return 0;
}
