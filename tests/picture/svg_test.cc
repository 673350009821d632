// Tests SVG documents: what they contain, and what nobody can make them
// contain.
#include "picture/svg.h"

#include <gtest/gtest.h>

#include "jobs.h"

namespace glasstty::picture {
namespace {

bool Has(const std::string& svg, std::string_view part) {
  return svg.find(part) != std::string::npos;
}

TEST(Svg, HasTheSizeOfTheScreen) {
  std::string svg = DrawSvg(JobAfter({24, 80}, ""));
  EXPECT_TRUE(Has(svg, "width=\"640\" height=\"408\"")) << svg;
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(Svg, FitsEachRunOfTextToItsCells) {
  std::string svg =
      DrawSvg(JobAfter({2, 20}, "plain \x1b[1;31mred\x1b[m\x1b[?25l"));
  EXPECT_TRUE(Has(svg,
                  "<text x=\"0\" y=\"13\" fill=\"#d4d4d4\" textLength=\"48\" "
                  "lengthAdjust=\"spacingAndGlyphs\" "
                  "xml:space=\"preserve\">plain </text>"))
      << svg;
  EXPECT_TRUE(Has(svg,
                  "<text x=\"48\" y=\"13\" fill=\"#d85e5e\" "
                  "font-weight=\"bold\" textLength=\"24\""))
      << svg;
}

TEST(Svg, ShowsTheCursorAndBackgrounds) {
  std::string svg = DrawSvg(JobAfter({2, 20}, "\x1b[44mab"));
  EXPECT_TRUE(Has(svg,
                  "<rect x=\"0\" y=\"0\" width=\"16\" height=\"17\" "
                  "fill=\"#2472c8\"/>"));
  EXPECT_TRUE(Has(svg,
                  "<rect x=\"16\" y=\"0\" width=\"8\" height=\"17\" "
                  "fill=\"#d4d4d4\"/>"));
  std::string bar = DrawSvg(JobAfter({2, 20}, "\x1b[6 qab"));
  EXPECT_TRUE(Has(bar, "<rect x=\"16\" y=\"0\" width=\"2\" height=\"17\""));
}

TEST(Svg, DrawsLinesAsPaths) {
  std::string svg = DrawSvg(JobAfter({2, 20}, "\x1b[?25l─"));
  EXPECT_TRUE(Has(svg, "<path d=\"M0 8L")) << svg;
  EXPECT_FALSE(Has(svg, "─"));
}

TEST(Svg, KeepsConcealedTextConcealed) {
  EXPECT_FALSE(Has(DrawSvg(JobAfter({2, 20}, "\x1b[8msecret")), "secret"));
}

TEST(Svg, ShowsABlockCursorOnConcealedText) {
  std::string svg = DrawSvg(JobAfter({2, 20}, "\x1b[8mx\r"));
  EXPECT_TRUE(Has(svg, "<rect x=\"0\" y=\"0\" width=\"8\" height=\"17\""))
      << svg;
}

TEST(Svg, LetsNoTextBecomeMarkup) {
  Job job =
      JobAfter({2, 60}, "</text><script>alert(1)</script>&amp;\"'\xEF\xBF\xBE");
  job.frame.rows[1].text = std::string("a\x01\x1b]b") + '\0';
  job.options.font = "x\" onload=\"alert(1)";
  std::string svg = DrawSvg(job);
  EXPECT_FALSE(Has(svg, "<script"));
  EXPECT_FALSE(Has(svg, "\" onload"));
  EXPECT_TRUE(Has(svg, "&amp;amp;"));
  for (char c : svg) EXPECT_TRUE(c == '\n' || static_cast<uint8_t>(c) >= 0x20);
  EXPECT_FALSE(Has(svg, "\xEF\xBF\xBE"));
}

TEST(Svg, IsLightWhenAskedTo) {
  std::string svg = DrawSvg(JobAfter({2, 20}, "text", {.light = true}));
  EXPECT_TRUE(Has(svg, "height=\"100%\" fill=\"#ffffff\""));
}

}  // namespace
}  // namespace glasstty::picture
