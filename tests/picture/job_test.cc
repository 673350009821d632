// Tests jobs that are encoded and decoded.
#include "picture/job.h"

#include <gtest/gtest.h>

#include "jobs.h"

namespace glasstty::picture {
namespace {

// Compares only what is drawn of a frame.
void ExpectSameDrawing(const Job& a, const Job& b) {
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.frame.size, b.frame.size);
  EXPECT_EQ(a.frame.cursor.row, b.frame.cursor.row);
  EXPECT_EQ(a.frame.cursor.col, b.frame.cursor.col);
  EXPECT_EQ(a.frame.cursor.visible, b.frame.cursor.visible);
  EXPECT_EQ(a.frame.modes.cursor_style, b.frame.modes.cursor_style);
  EXPECT_EQ(a.frame.modes.reverse_screen, b.frame.modes.reverse_screen);
  ASSERT_EQ(a.frame.rows.size(), b.frame.rows.size());
  for (size_t row = 0; row < a.frame.rows.size(); ++row) {
    EXPECT_EQ(a.frame.rows[row].text, b.frame.rows[row].text);
    EXPECT_EQ(a.frame.rows[row].styles, b.frame.rows[row].styles);
  }
}

TEST(Job, SurvivesTheWayToTheProgramThatDraws) {
  Job job = JobAfter(
      {4, 20},
      "\x1b[1;31mred\x1b[m plain \x1b[48;2;1;2;3m漢\r\n\n\x1b[3 q\x1b[?5h",
      {.font = "Some Font", .px = 12, .max_edge = 1568, .light = true});
  auto decoded = DecodeJob(EncodeJob(job));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  ExpectSameDrawing(*decoded, job);
}

TEST(Job, KeepsALineOfTextALine) {
  Job job = JobAfter({2, 20}, "");
  job.frame.rows[0].text = "one\ntwo";
  job.options.font = "a\nb";
  auto decoded = DecodeJob(EncodeJob(job));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->frame.rows[0].text, "one two");
  EXPECT_EQ(decoded->options.font, "a b");
}

TEST(Job, IsRefusedWhereverItIsCut) {
  std::string bytes = EncodeJob(JobAfter({3, 20}, "\x1b[1mbold"));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeJob(bytes.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(DecodeJob(bytes + "x").ok());
}

TEST(Job, IsRefusedWithNumbersThatNoScreenHas) {
  auto with = [](std::string_view head, std::string_view styles) {
    return DecodeJob("glasstty-picture 1\n" + std::string(head) + "\n\ntext\n" +
                     std::string(styles) + "\n\n\n")
        .status();
  };
  EXPECT_TRUE(with("2 20 0 0 1 0 0 0 0 0", "0 1 0 0 1").ok());
  for (const char* head :
       {"2 20 2 0 1 0 0 0 0 0", "2 20 0 20 1 0 0 0 0 0", "2 20 0 0 2 0 0 0 0 0",
        "99999 9999 0 0 1 0 0 0 0 0", "2 20 0 0 1 7 0 0 0 0",
        "2 20 0 0 1 0 0 0 65 0", "2 20 -1 0 1 0 0 0 0 0", "2 20", "x"}) {
    EXPECT_FALSE(with(head, "").ok()) << head;
  }
  for (const char* styles :
       {"20 1 0 0 1", "19 2 0 0 1", "0 0 0 0 1", "0 1 0 0 65536", "0 1 0 0",
        "0 1 4294967296 0 1"}) {
    EXPECT_FALSE(with("2 20 0 0 1 0 0 0 0 0", styles).ok()) << styles;
  }
}

}  // namespace
}  // namespace glasstty::picture
