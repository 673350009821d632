// What a second look at a full-screen program costs, and that it is enough to
// know the whole screen.
//
// GLASSTTY_TABLE=1 prints what was measured, as the rows of docs/diffs.md.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "session/screen_diff.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

using Rows = std::vector<std::string>;

// A session with an agent that looks at it again and again, and checks that
// each diff leads from the screen it knew to the one that is there.
class DiffViewer {
 public:
  DiffViewer(McpClient* client, std::string name, size_t rows)
      : client_(client), name_(std::move(name)) {
    known_.resize(rows);
    Reply reply = Read("snapshot", false);
    Learn(reply);
  }

  // One more look. The program must stand still meanwhile, or the screen that
  // the diff is held against is a later one.
  void Look() {
    Reply reply;
    Reply whole;
    do {
      whole = Read("snapshot", true);
      reply = Read("diff", true);
    } while (RevisionOf(whole) != RevisionOf(reply));
    Rows earlier = known_;
    full_bytes_ += whole.text.size();
    diff_bytes_ += reply.text.size();
    last_ = reply;
    Learn(reply);
    Rows applied = known_;
    known_ = earlier;
    Learn(whole);
    EXPECT_EQ(Join(applied), Join(known_)) << "by:\n" << reply.text;
    // The next diff is against this one, or a later one that is then known.
    Learn(Read("snapshot", false));
  }

  double Share() const {
    return static_cast<double>(diff_bytes_) / static_cast<double>(full_bytes_);
  }
  const Reply& last() const { return last_; }

  void Print(const std::string& what) const {
    if (std::getenv("GLASSTTY_TABLE") == nullptr) return;
    std::printf("| %s | %zu | %zu | %.0f %% |\n", what.c_str(), full_bytes_,
                diff_bytes_, Share() * 100);
  }

 private:
  Reply Read(const std::string& mode, bool peek) {
    Reply reply = client_->Call(
        "term_read", {{"session", name_}, {"mode", mode}, {"peek", peek}});
    EXPECT_TRUE(Good(reply));
    return reply;
  }

  static Json RevisionOf(const Reply& reply) {
    return reply.meta["glasstty/revision"];
  }

  void Learn(const Reply& reply) {
    if (reply.header.find("mode=diff") != std::string::npos) {
      auto rows = ApplyDiff(known_, reply.body);
      ASSERT_TRUE(rows) << reply.text;
      known_ = *rows;
      return;
    }
    ASSERT_NE(reply.header.find("mode=snapshot"), std::string::npos);
    Rows rows = UnfoldRows(reply.body);
    rows.resize(known_.size());
    known_ = rows;
  }

  McpClient* const client_;
  const std::string name_;
  Rows known_;
  Reply last_;
  size_t full_bytes_ = 0, diff_bytes_ = 0;
};

class Diff : public ::testing::Test {
 protected:
  // Opens a program at 40x120 and waits for `text`.
  void OpenLarge(const std::string& name, const std::vector<std::string>& argv,
                 const std::string& text) {
    ASSERT_TRUE(
        Good(Open(&client_, name, argv, {{"rows", 40}, {"cols", 120}})));
    ASSERT_TRUE(SeesOnScreen(&client_, name, text));
  }

  // Five looks at a program that changes by itself, each after a change.
  double FiveLooks(const std::string& name) {
    DiffViewer viewer(&client_, name, 40);
    for (int i = 0; i < 5; ++i) {
      // The viewer has just looked, so this is the next repaint.
      client_.Call("term_wait", {{"session", name},
                                 {"until", {{"change", true}}},
                                 {"show", "match"}});
      client_.Call("term_wait", {{"session", name},
                                 {"until", {{"quiet_s", 0.2}}},
                                 {"show", "match"}});
      viewer.Look();
    }
    viewer.Print(name + ", five refreshes");
    return viewer.Share();
  }

  std::string Numbered(int lines) {
    std::string text;
    for (int i = 1; i <= lines; ++i) {
      text += "line " + std::to_string(i) + " of a file that a pager shows\n";
    }
    return folder_.Write("numbered", text);
  }

  // `keys` typed to a program that stands still, then one look.
  double AfterKeys(DiffViewer* viewer, const std::string& name,
                   const std::string& keys) {
    client_.Call("term_send", {{"session", name},
                               {"input", Json::array({keys})},
                               {"until", {{"quiet_s", 0.3}}},
                               {"mode", "history"}});
    viewer->Look();
    viewer->Print(name + ", " + keys);
    return viewer->Share();
  }

  TempDir folder_;
  McpClient client_;
};

TEST_F(Diff, FiveLooksAtHtopCostSixTenths) {
  OpenLarge("htop", {"htop", "-d", "10"}, "F10Quit");
  EXPECT_LE(FiveLooks("htop"), 0.6);
}

TEST_F(Diff, FiveLooksAtTopCostSixTenths) {
  OpenLarge("top", {"top", "-d", "1"}, "PID");
  EXPECT_LE(FiveLooks("top"), 0.6);
}

TEST_F(Diff, FiveLooksAtWatchCostSixTenths) {
  OpenLarge("watch", {"watch", "-n", "1", "date; head -30 /proc/meminfo"},
            "MemTotal");
  EXPECT_LE(FiveLooks("watch"), 0.6);
}

TEST_F(Diff, OneLineDownInAPagerCostsATenth) {
  OpenLarge("less", {"less", Numbered(500)}, "line 39 of");
  DiffViewer viewer(&client_, "less", 40);
  EXPECT_LE(AfterKeys(&viewer, "less", "j"), 0.1);
  EXPECT_EQ(viewer.last().body.substr(0, 24), "rows 2-39 moved up 1\n39|");
}

TEST_F(Diff, CursorMovesInAnEditorCostATenth) {
  OpenLarge("vim", {"vim", "--clean", "-n", Numbered(500)}, "line 39 of");
  DiffViewer viewer(&client_, "vim", 40);
  EXPECT_LE(AfterKeys(&viewer, "vim", "jjj"), 0.1);
  EXPECT_TRUE(Shows(viewer.last(), "cursor=4:1"));
}

TEST_F(Diff, AnUnchangedScreenIsTheHeaderAlone) {
  OpenLarge("vim", {"vim", "--clean", "-n", Numbered(500)}, "line 39 of");
  DiffViewer viewer(&client_, "vim", 40);
  viewer.Look();
  viewer.Print("vim, unchanged");
  EXPECT_EQ(viewer.last().body, "");
  EXPECT_TRUE(Shows(viewer.last(), "(unchanged since "));
  EXPECT_LE(viewer.last().text.size(), 100u);
}

TEST_F(Diff, TypingIntoAnEditorShowsTheRowThatChanged) {
  OpenLarge("vim", {"vim", "--clean", "-n", Numbered(500)}, "line 39 of");
  ASSERT_TRUE(Shows(Keys(&client_, "vim", "i"), "-- INSERT --"));
  Reply reply = Keys(&client_, "vim", "hello <Esc>");
  EXPECT_TRUE(Shows(reply, "mode=diff"));
  EXPECT_TRUE(Shows(reply, "hello line 1 of"));
  EXPECT_EQ(reply.text.find("line 2 of"), std::string::npos) << reply.text;
}

// ---- what they point at

TEST_F(Diff, AMenuSaysWhichEntryIsSelected) {
  OpenLarge("menu",
            {"whiptail", "--menu", "Which?", "15", "50", "4", "a", "Alpha", "b",
             "Beta", "c", "Gamma", "d", "Delta"},
            "Delta");
  Reply reply = Keys(&client_, "menu", "<Down>");
  EXPECT_TRUE(Shows(reply, "focus=\"b Beta\""));
  // The text is the same: only the entry moves.
  reply = Keys(&client_, "menu", "<Down>");
  EXPECT_TRUE(Shows(reply, "focus=\"c Gamma\""));
  EXPECT_TRUE(Shows(reply, "(unchanged since "));
  EXPECT_EQ(reply.body, "");
}

TEST_F(Diff, AFileManagerSaysWhereItsCursorBarIs) {
  folder_.Write("first.txt", "");
  folder_.Write("second.txt", "");
  ASSERT_TRUE(Good(
      Open(&client_, "mc", {"mc", "-u", "-b"}, {{"cwd", folder_.path()}})));
  ASSERT_TRUE(SeesOnScreen(&client_, "mc", "second.txt"));
  Reply reply = Keys(&client_, "mc", "<Down>");
  EXPECT_TRUE(Shows(reply, "first.txt"));
  EXPECT_NE(reply.header.find("first.txt"), std::string::npos) << reply.text;
  reply = Keys(&client_, "mc", "<Down>");
  EXPECT_NE(reply.header.find("second.txt"), std::string::npos) << reply.text;
}

TEST_F(Diff, AnEditorSaysWhatIsMarked) {
  OpenLarge("vim", {"vim", "--clean", "-n", Numbered(500)}, "line 39 of");
  Reply reply = Keys(&client_, "vim", "jwve");
  // The cell under the cursor is not drawn as marked.
  EXPECT_TRUE(Shows(reply, "focus=\"2 o\""));
}

TEST_F(Diff, HtopSaysWhichProcessIsSelected) {
  // In the order of their numbers it comes before htop, whose own command line
  // passes the filter too.
  ASSERT_TRUE(Good(Open(&client_, "one", {"sleep", "86399"})));
  OpenLarge("htop", {"htop", "-d", "10", "-F", "sleep 86399"}, "sleep 86399");
  Keys(&client_, "htop", "N<Home>");
  Reply reply;
  EXPECT_TRUE(Eventually(Seconds(10), [&] {
    reply = client_.Call("term_read", {{"session", "htop"}});
    return reply.header.find("0:00.00 sle") != std::string::npos;
  })) << reply.text;
}

TEST_F(Diff, AShellPointsAtNothing) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"bash", "--norc"})));
  Keys(&client_, "main", "printf '\\033[7mreverse\\033[m\\n'<Enter>");
  Reply reply = client_.Call("term_read", {{"mode", "snapshot"}});
  EXPECT_TRUE(Shows(reply, "reverse"));
  EXPECT_EQ(reply.header.find("focus"), std::string::npos) << reply.text;
}

}  // namespace
}  // namespace glasstty::testing
