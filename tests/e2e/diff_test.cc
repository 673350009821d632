// Measures the cost of a second look at a full-screen program, and checks that
// it is enough to know the whole screen.
//
// GLASSTTY_UPDATE=1 writes the measurements into the table of docs/diffs.md.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/source_tree.h"
#include "view/screen_diff.h"

namespace glasstty::testing {
namespace {

using Rows = std::vector<std::string>;

// A session with an agent that looks at it repeatedly, and checks that each
// diff leads from the screen that it knew to the present one.
class DiffViewer {
 public:
  DiffViewer(McpClient* client, std::string name, size_t rows)
      : client_(client), name_(std::move(name)) {
    known_.resize(rows);
    Reply reply = Read("snapshot", false);
    Learn(reply);
  }

  // Looks once more. The program must stand still meanwhile, or the diff is
  // compared with a later screen.
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
    // The next diff is relative to this screen, or to a later one that is then
    // known.
    Learn(Read("snapshot", false));
  }

  double Share() const {
    return static_cast<double>(diff_bytes_) / static_cast<double>(full_bytes_);
  }
  const Reply& last() const { return last_; }

  // Returns a row of the table.
  std::string Measured(const std::string& what) const {
    return absl::StrFormat("| %s | %d | %d | %.0f %% |\n", what, full_bytes_,
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
      auto rows = view::ApplyDiff(known_, reply.body);
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

  std::string Numbered(int lines) {
    std::string text;
    for (int i = 1; i <= lines; ++i) {
      text += "line " + std::to_string(i) + " of a file that a pager shows\n";
    }
    return folder_.Write("numbered", text);
  }

  TempDir folder_;
  McpClient client_;
};

// ---- the cost of a look, by program: the table of docs/diffs.md

struct LooksRow {
  const char* what;
  // A shell command; `numbered` is a file of 500 lines.
  const char* command;
  const char* ready;  // on the screen when the program is there
  // Typed before each look; empty if the program changes by itself.
  std::vector<const char*> keys;
  double most;  // share of the snapshots' bytes
};
const LooksRow kLooks[] = {
    {"htop, five refreshes",
     "htop -d 10 -s PID",
     "F10Quit",
     {"", "", "", "", ""},
     .6},
    {"top, five refreshes",
     "top -d 1 -o -PID",
     "PID",
     {"", "", "", "", ""},
     .6},
    {"watch, five refreshes",
     "watch -n 1 'date; head -30 /proc/meminfo'",
     "MemTotal",
     {"", "", "", "", ""},
     .6},
    {"less, one line down", "less numbered", "line 39 of", {"j"}, .1},
    {"less, five lines down one by one",
     "less numbered",
     "line 39 of",
     {"j", "j", "j", "j", "j"},
     .1},
    {"vim, three rows down",
     "vim --clean -n numbered",
     "line 39 of",
     {"jjj"},
     .1},
    {"vim, a word typed",
     "vim --clean -n numbered",
     "line 39 of",
     {"ihello<Esc>"},
     .2},
    {"nano, two rows down and a word",
     "nano numbered",
     "line 30 of",
     {"<Down*2>", "hello"},
     .2},
    {"man, half a page down", "man bash", "GNU Bash", {"d"}, 1},
    {"mc, three entries down",
     "mc -u -b /etc",
     "Quit",
     {"<Down>", "<Down>", "<Down>"},
     .4},
    {"whiptail, the next entry",
     "whiptail --menu Which 15 50 4 a Alpha b Beta c Gamma d Delta",
     "Delta",
     {"<Down>", "<Down>"},
     .4},
    {"dialog, the next entry",
     "dialog --menu Which 15 50 4 a Alpha b Beta c Gamma d Delta",
     "Delta",
     {"<Down>", "<Down>"},
     .4},
    {"fzf, two letters typed", "fzf < numbered", "500/500", {"4", "2"}, .8},
    {"tmux, a command in a pane",
     "tmux -L %s -f /dev/null new 'sh -i'",
     "[0]",
     {"echo $((6*7))<Enter>"},
     // Its clock may have advanced.
     .8},
};

std::string* table = new std::string;

class DiffTable : public Diff, public ::testing::WithParamInterface<LooksRow> {
 protected:
  // Waits for the next repaint of a program that changes by itself, or for the
  // effect of keys.
  void Provoke(const std::string& keys) {
    if (keys.empty()) {
      client_.Call("term_wait", {{"session", "program"},
                                 {"until", {{"change", true}}},
                                 {"show", "match"}});
    } else {
      client_.Call("term_send", {{"session", "program"},
                                 {"input", Json::array({keys})},
                                 {"until", {{"change", true}}},
                                 {"mode", "history"}});
    }
    client_.Call("term_wait", {{"session", "program"},
                               {"until", {{"quiet_s", 0.25}}},
                               {"timeout_s", 3},
                               {"show", "match"}});
  }

  static void TearDownTestSuite() {
    const char* update = std::getenv("GLASSTTY_UPDATE");
    if (update == nullptr || table->empty()) return;
    constexpr char kBegin[] = "|---|---|---|---|\n";
    std::string path = SourcePath("docs/diffs.md");
    std::string text = ReadWholeFile(path);
    size_t begin = text.find(kBegin) + sizeof kBegin - 1;
    size_t end = text.find("\n\n", begin) + 1;
    std::ofstream(path) << text.replace(begin, end - begin, *table);
  }
};

TEST_P(DiffTable, LooksCostLittleAndTellAll) {
  const LooksRow& row = GetParam();
  Numbered(500);
  std::string command = row.command;
  // Use a separate tmux server.
  if (size_t at = command.find("%s"); at != std::string::npos) {
    command.replace(at, 2,
                    folder_.path().substr(folder_.path().rfind('/') + 1));
  }
  ASSERT_TRUE(Good(client_.Call("term_open", {{"name", "program"},
                                              {"argv", {"sh", "-c", command}},
                                              {"cwd", folder_.path()},
                                              {"rows", 40},
                                              {"cols", 120}})));
  ASSERT_TRUE(SeesOnScreen(&client_, "program", row.ready));
  DiffViewer viewer(&client_, "program", 40);
  for (const char* keys : row.keys) {
    Provoke(keys);
    viewer.Look();
  }
  EXPECT_LE(viewer.Share(), row.most) << viewer.Measured(row.what);
  *table += viewer.Measured(row.what);
  std::string docs = ReadWholeFile(SourcePath("docs/diffs.md"));
  EXPECT_NE(docs.find(std::string("| ") + row.what + " | "), std::string::npos)
      << row.what
      << " is missing in docs/diffs.md; GLASSTTY_UPDATE=1 writes it";
}
INSTANTIATE_TEST_SUITE_P(All, DiffTable, ::testing::ValuesIn(kLooks),
                         [](const auto& row) {
                           std::string name = row.param.what;
                           std::erase_if(name, [](char c) {
                             return std::isalnum(c) == 0;
                           });
                           return name;
                         });

TEST_F(Diff, ALineDownInAPagerIsAMoveAndOneRow) {
  OpenLarge("less", {"less", Numbered(500)}, "line 39 of");
  client_.Call("term_read", {{"mode", "snapshot"}});
  Reply reply = Keys(&client_, "less", "j");
  EXPECT_EQ(reply.body.substr(0, 24), "rows 2-39 moved up 1\n39|");
}

TEST_F(Diff, AMenuThatDoesNotUseTheAlternateScreenIsShownWholeAtFirst) {
  Reply reply = Open(
      &client_, "menu",
      {"sh", "-c", "TERM=vt220 dialog --menu Which 15 50 4 a Alpha b Beta"},
      {{"until", {{"text", "Beta"}}}});
  EXPECT_TRUE(Shows(reply, "mode=snapshot(addresses rows)"));
}

TEST_F(Diff, TopIsKnownForWhatItIsWhenOnlyItsClockMoves) {
  OpenLarge("top", {"top", "-d", "1", "-p", "1"}, "PID");
  Reply reply = client_.Call("term_read");
  for (int i = 0; i < 3; ++i) {
    client_.Call("term_wait",
                 {{"until", {{"change", true}}}, {"show", "match"}});
    reply = client_.Call("term_read");
    EXPECT_TRUE(Shows(reply, "mode=")) << i;
  }
}

TEST_F(Diff, AnUnchangedScreenIsTheHeaderAlone) {
  OpenLarge("vim", {"vim", "--clean", "-n", Numbered(500)}, "line 39 of");
  DiffViewer viewer(&client_, "vim", 40);
  viewer.Look();
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

// ---- the focus

TEST_F(Diff, AMenuSaysWhichEntryIsSelected) {
  OpenLarge("menu",
            {"whiptail", "--menu", "Which?", "15", "50", "4", "a", "Alpha", "b",
             "Beta", "c", "Gamma", "d", "Delta"},
            "Delta");
  Reply reply = Keys(&client_, "menu", "<Down>");
  EXPECT_TRUE(Shows(reply, "focus=\"b Beta\""));
  // The text is the same, and only the entry moves.
  reply = Keys(&client_, "menu", "<Down>");
  EXPECT_TRUE(Shows(reply, "focus=\"c Gamma\""));
  EXPECT_TRUE(Shows(reply, "(colours changed in rows "));
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
  for (const char* seconds : {"86398", "86399"}) {
    ASSERT_TRUE(
        Good(Open(&client_, seconds, {"sleep", seconds}, {{"timeout_s", 0}})));
  }
  OpenLarge("htop", {"htop", "-d", "10"}, "Load average");
  // A filter that is typed is not in htop's own command line, which would pass
  // it.
  Keys(&client_, "htop", "<F4>sleep 8639<Enter><Home>");
  Reply reply;
  auto is_selected = [&](const std::string& command) {
    return Eventually(Seconds(10), [&] {
      reply = client_.Call("term_read", {{"session", "htop"}});
      return reply.header.find("focus=") != std::string::npos &&
             reply.header.find(" " + command + "\"") != std::string::npos;
    });
  };
  // Nobody knows which of them has the smaller number.
  bool is_first = is_selected("sleep 86398");
  EXPECT_TRUE(is_first || is_selected("sleep 86399")) << reply.text;
  Keys(&client_, "htop", "<Down>");
  EXPECT_TRUE(is_selected(is_first ? "sleep 86399" : "sleep 86398"))
      << reply.text;
}

TEST_F(Diff, FollowsAScreenThatACommandHasShown) {
  Reply reply = client_.Call("term_run", {{"command", "vim --clean -n fresh"}});
  EXPECT_TRUE(Shows(reply, "mode=snapshot"));
  EXPECT_TRUE(Shows(reply, "rows of ~)"));
  EXPECT_TRUE(Shows(reply, "it waits for input: term_send"));
  reply = Keys(&client_, "main", "ihi");
  EXPECT_TRUE(Shows(reply, "mode=diff"));
  EXPECT_TRUE(Shows(reply, "\n1| hi"));
}

TEST_F(Diff, AShellPointsAtNothing) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"bash", "--norc"})));
  Keys(&client_, "main", "printf '\\033[7mreverse\\033[m\\n'<Enter>");
  Reply reply = client_.Call("term_read", {{"mode", "snapshot"}});
  EXPECT_TRUE(Shows(reply, "reverse"));
  EXPECT_EQ(reply.header.find("focus"), std::string::npos) << reply.text;
}

// Like top, this draws on the primary screen, which it does not clear when it
// ends.
constexpr char kMonitor[] =
    "import os, sys, termios, tty\n"
    "old = termios.tcgetattr(0)\n"
    "tty.setraw(0)\n"
    "key = 'start'\n"
    "while key != 'q':\n"
    "  rows = ['\\x1b[?25l\\x1b[H\\x1b[J'] if key == 'start' else "
    "['\\x1b[H']\n"
    "  rows += ['row %d %s \\r\\n' % (i, key) for i in range(22)]\n"
    "  os.write(1, ''.join(rows).encode() + b'last')\n"
    "  key = os.read(0, 1).decode()\n"
    "os.write(1, b'\\x1b[?25h\\r\\n')\n"
    "termios.tcsetattr(0, termios.TCSANOW, old)\n"
    "print('over')\n";

class LeftScreen : public ::testing::Test {
 protected:
  LeftScreen() {
    folder_.Write("monitor.py", kMonitor);
    Open(&client_, "main", {"bash"}, {{"cwd", folder_.path()}});
  }
  McpClient client_;
  TempDir folder_;
};

TEST_F(LeftScreen, IsNotRepeatedWhenItsProgramEnds) {
  Reply reply = client_.Call("term_send",
                             {{"session", "main"},
                              {"input", {"/usr/bin/python3 monitor.py<Enter>"}},
                              {"until", {{"text", "row 3"}}}});
  // Its first picture is a whole one, without blanks at line ends.
  EXPECT_TRUE(Shows(reply, "mode=snapshot(addresses rows)"));
  EXPECT_TRUE(Shows(reply, "row 3 start\n"));
  EXPECT_TRUE(Shows(reply, "\nlast"));
  // The picture was drawn again after it was shown, and then left.
  reply = Keys(&client_, "main", "aq");
  EXPECT_EQ(reply.body, "over") << reply.text;
  EXPECT_TRUE(Shows(reply, "its last screen is left out: mode=snapshot"));
  reply =
      client_.Call("term_read", {{"session", "main"}, {"mode", "snapshot"}});
  EXPECT_TRUE(Shows(reply, "row 3 a"));
}

TEST_F(LeftScreen, IsNotRepeatedBehindAStepThatShowedIt) {
  Reply reply =
      client_.Call("term_run", {{"session", "main"},
                                {"command", "/usr/bin/python3 monitor.py"},
                                {"input", {"a", {{"show", true}}, "bq"}},
                                {"max_lines", 6}});
  EXPECT_TRUE(Shows(reply, "[step 2] 24x80"));
  EXPECT_TRUE(Shows(reply, "row 1 a"));
  EXPECT_TRUE(Shows(reply, "rows left out]"));
  EXPECT_TRUE(Shows(reply, "over"));
  EXPECT_EQ(reply.text.find("row 1 b"), std::string::npos) << reply.text;
}

}  // namespace
}  // namespace glasstty::testing
