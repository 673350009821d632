// Each run of one background becomes a rectangle, each run of one style a
// <text>, and each hand-drawn character a path.
#include "picture/svg.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "observe/cells.h"
#include "picture/shapes.h"
#include "picture/theme.h"

namespace glasstty::picture {
namespace {

// Escapes the characters that XML reserves, and replaces those that it cannot
// represent, such as the controls on the screens of pipes.
std::string Escape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    char32_t c = TakeUtf8(&text);
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE ||
               c == 0xFFFF) {
      AppendUtf8(kReplacement, &out);
    } else {
      AppendUtf8(c, &out);
    }
  }
  return out;
}

std::string Hex(Rgb color) { return absl::StrFormat("#%06x", color); }

// Builds one document. Cells have whole pixels here as well, so that rectangles
// join.
class SvgArtist {
 public:
  SvgArtist(const observe::Frame& frame, const Options& options)
      : frame_(frame),
        theme_(options.light, frame.modes.reverse_screen),
        px_(options.px != 0 ? options.px : 14),
        // These are approximately the proportions of DejaVu Sans Mono.
        cell_{std::max(2, (px_ * 602 + 500) / 1000),
              std::max(4, (px_ * 1200 + 999) / 1000)},
        baseline_((px_ * 928 + 999) / 1000),
        font_(options.font.empty() ? "DejaVu Sans Mono, Menlo, Consolas"
                                   : options.font) {}

  std::string Draw() {
    int width = frame_.size.cols * cell_.width;
    int height = frame_.size.rows * cell_.height;
    out_ = absl::StrFormat(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"0 0 %d %d\" font-family=\"%s, monospace\" font-size=\"%d\" "
        "shape-rendering=\"crispEdges\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
        width, height, width, height, Escape(font_), px_,
        Hex(theme_.background()));
    size_t rows =
        std::min(frame_.rows.size(), static_cast<size_t>(frame_.size.rows));
    for (size_t row = 0; row < rows; ++row) DrawRow(static_cast<int>(row));
    return out_ + "</svg>\n";
  }

 private:
  // The text of one <text> element and the style of its cells. The text is
  // fitted to its columns, whatever the viewer's font is.
  struct Run {
    int col = 0;
    int cols = 0;
    Look look;
    uint16_t attributes = 0;
    std::string text;
  };

  void DrawRow(int row);
  // Each of these adds elements to the document.
  void AddText(const Run& run, int row);
  void AddShape(char32_t c, int row, int col, Rgb color);
  void AddRect(int x, int y, int width, int height, Rgb color) {
    out_ += absl::StrFormat(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x,
        y, width, height, Hex(color));
  }
  void AddCursor(int row, int columns);
  Look LookAt(const observe::PaintRow& cells, int row, int col,
              int width) const;

  // Borrowed.
  const observe::Frame& frame_;
  // Constant.
  const Theme theme_;
  const int px_;
  const CellSize cell_;
  const int baseline_;
  const std::string font_;
  // The document so far.
  std::string out_;
};

// Returns true if the text must be a run of its own, because its width depends
// on the font, or because it is drawn by hand.
bool StandsAlone(std::string_view text) {
  std::string_view rest = text;
  return text.size() != 1 || HasShape(TakeUtf8(&rest));
}

// Returns the same colours as Artist::LookAt (draw.cc).
Look SvgArtist::LookAt(const observe::PaintRow& cells, int row, int col,
                       int width) const {
  const observe::PaintCell& cell = cells[static_cast<size_t>(col)];
  Look look = theme_.LookOf(cell.style, cell.text);
  bool is_at = ShapeOfCursor(frame_) == CursorShape::kBlock &&
               row == frame_.cursor.row && frame_.cursor.col >= col &&
               frame_.cursor.col < col + width;
  return is_at ? UnderCursor(look) : look;
}

// Draws the row's backgrounds, then its text, then a cursor that is not a
// block.
void SvgArtist::DrawRow(int row) {
  observe::PaintRow cells = observe::PaintCells(
      frame_.rows[static_cast<size_t>(row)], frame_.size.cols);
  int y = row * cell_.height;
  int cols = frame_.size.cols;
  for (int col = 0, end; col < cols; col = end) {
    int width = observe::GlyphWidth(cells, col);
    Rgb background = LookAt(cells, row, col, width).background;
    end = col + width;
    while (
        end < cols &&
        LookAt(cells, row, end, observe::GlyphWidth(cells, end)).background ==
            background) {
      end += observe::GlyphWidth(cells, end);
    }
    if (background == theme_.background()) continue;
    AddRect(col * cell_.width, y, (end - col) * cell_.width, cell_.height,
            background);
  }
  Run run;
  auto flush = [&] {
    if (run.cols > 0) AddText(run, row);
    run = Run();
  };
  for (int col = 0, width = 1; col < cols; col += width) {
    width = observe::GlyphWidth(cells, col);
    const observe::PaintCell& cell = cells[static_cast<size_t>(col)];
    Look look = LookAt(cells, row, col, width);
    bool goes_on = run.cols > 0 && look.foreground == run.look.foreground &&
                   cell.style.attributes == run.attributes &&
                   !StandsAlone(cell.text);
    if (!goes_on) flush();
    if (run.cols == 0) run = {col, 0, look, cell.style.attributes, ""};
    run.cols += width;
    run.text += cell.text;
    if (StandsAlone(cell.text)) flush();
  }
  flush();
  if (row == frame_.cursor.row) {
    AddCursor(row, observe::GlyphWidth(cells, frame_.cursor.col));
  }
}

// A hand-drawn character is a run of its own.
void SvgArtist::AddText(const Run& run, int row) {
  constexpr uint16_t kUnderline =
      terminal::kUnderlineLow | terminal::kUnderlineHigh;
  constexpr uint16_t kLines =
      kUnderline | terminal::kStrike | terminal::kOverline;
  std::string_view rest = run.text;
  char32_t first = TakeUtf8(&rest);
  if (HasShape(first))
    return AddShape(first, row, run.col, run.look.foreground);
  // Blanks are invisible unless lines are drawn on them.
  bool is_blank = run.text.find_first_not_of(' ') == std::string::npos;
  if (is_blank && (run.attributes & kLines) == 0) return;
  if ((run.attributes & terminal::kConceal) != 0) return;
  std::string lines;
  if ((run.attributes & kUnderline) != 0) lines += " underline";
  if ((run.attributes & terminal::kStrike) != 0) lines += " line-through";
  if ((run.attributes & terminal::kOverline) != 0) lines += " overline";
  std::string style;
  if ((run.attributes & terminal::kBold) != 0) style += " font-weight=\"bold\"";
  if ((run.attributes & terminal::kItalic) != 0)
    style += " font-style=\"italic\"";
  if (!lines.empty()) {
    style += absl::StrFormat(" text-decoration=\"%s\"", lines.substr(1));
  }
  out_ += absl::StrFormat(
      "<text x=\"%d\" y=\"%d\" fill=\"%s\"%s textLength=\"%d\" "
      "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">%s</text>\n",
      run.col * cell_.width, row * cell_.height + baseline_,
      Hex(run.look.foreground), style, run.cols * cell_.width,
      Escape(run.text));
}

// A shape extends beyond its cell by at most half of a thin line. Moving its
// corners clips it to the cell.
void SvgArtist::AddShape(char32_t c, int row, int col, Rgb color) {
  for (const Piece& piece : ShapeOf(c, cell_)) {
    std::string path;
    const char* command = "M";
    for (const Point& point : piece.points) {
      path += absl::StrFormat(
          "%s%.5g %.5g", command,
          col * cell_.width + std::clamp<double>(point.x, 0, cell_.width),
          row * cell_.height + std::clamp<double>(point.y, 0, cell_.height));
      command = "L";
    }
    std::string alpha;
    if (piece.alpha < 255) {
      alpha = absl::StrFormat(" fill-opacity=\"%.2f\"", piece.alpha / 255.0);
    }
    out_ += absl::StrFormat("<path d=\"%sZ\" fill=\"%s\"%s/>\n", path,
                            Hex(color), alpha);
  }
}

// A block cursor is part of the style of its cell.
void SvgArtist::AddCursor(int row, int columns) {
  CursorShape shape = ShapeOfCursor(frame_);
  int x = frame_.cursor.col * cell_.width, y = row * cell_.height;
  Rgb color = theme_.LookOf({}).foreground;
  if (shape == CursorShape::kBar) AddRect(x, y, 2, cell_.height, color);
  if (shape == CursorShape::kUnderline) {
    AddRect(x, y + cell_.height - 2, columns * cell_.width, 2, color);
  }
}

}  // namespace

std::string DrawSvg(const Job& job) {
  return SvgArtist(job.frame, job.options).Draw();
}

}  // namespace glasstty::picture
