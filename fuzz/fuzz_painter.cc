// Paints what a program does, frame by frame, onto a second terminal, which
// must then show the same; paints contain nothing but the painter's sequences.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "input.h"
#include "observe/cells.h"
#include "observe/painter.h"
#include "require.h"
#include "terminal/terminal.h"

namespace glasstty {

using terminal::Terminal;

namespace {

std::unique_ptr<Terminal> MakeTerminal(terminal::Size size) {
  Terminal::Options options;
  options.size = size;
  return std::move(*Terminal::Create(options));
}

// The only control byte is ESC.
void RequireClean(std::string_view paint) {
  for (char c : paint) {
    auto byte = static_cast<uint8_t>(c);
    Require(byte == 0x1B || byte >= 0x20);
    Require(byte != 0x7F);
  }
}

// Another terminal may give a glyph of the frame other columns than the
// program's does, and no paint can compensate for that.
bool HasSureWidths(const observe::Frame& frame) {
  for (const terminal::SnapshotRow& row : frame.rows) {
    for (const auto& cell : observe::PaintCells(row, frame.size.cols)) {
      if (!cell.text.empty() && !observe::HasSureWidth(cell.text)) return false;
    }
  }
  return true;
}

// A terminal that is fed by paints alone.
class Glass {
 public:
  explicit Glass(terminal::Size size) : terminal_(MakeTerminal(size)) {}

  void Show(observe::Frame frame) {
    if (shown_ && shown_->size != frame.size) {
      Require(terminal_->Resize(frame.size).ok());
    }
    std::string paint = observe::Paint(shown_ ? &*shown_ : nullptr, frame);
    RequireClean(paint);
    Require(paint.size() <= observe::Paint(nullptr, frame).size());
    terminal_->Feed(paint);
    Require(terminal_->TakeReplies().empty());
    observe::Frame seen = observe::TakeFrame(*terminal_);
    Require(observe::PaintedModes(seen) == observe::PaintedModes(frame));
    Require(observe::PaintedCursor(seen) == observe::PaintedCursor(frame));
    bool is_sure = HasSureWidths(frame) && (!shown_ || HasSureWidths(*shown_));
    for (size_t row = 0; is_sure && row < frame.rows.size(); ++row) {
      Require(seen.rows[row].text == frame.rows[row].text);
    }
    shown_ = std::move(frame);
  }

 private:
  std::unique_ptr<Terminal> terminal_;
  std::optional<observe::Frame> shown_;
};

}  // namespace
}  // namespace glasstty

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  glasstty::FuzzInput input(data, size);
  auto program = glasstty::MakeTerminal(input.size());
  glasstty::Glass glass(input.size());
  auto look = [&] { glass.Show(glasstty::observe::TakeFrame(*program)); };
  input.Play(
      [&](std::string_view bytes) {
        program->Feed(bytes);
        look();
      },
      [&](glasstty::terminal::Size to) {
        glasstty::Require(program->Resize(to).ok());
        look();
      },
      look);
  return 0;
}
