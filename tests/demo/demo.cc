// ./dev demo: bash, vim and htop driven through the real server, each screen
// shown as an agent sees it.
//
// A client like any other: it starts `glasstty mcp`, sends tool calls over
// stdio, and checks what comes back. Any surprise makes it exit 1.
//
//   demo [PATH OF glasstty]
#include <cstdio>
#include <cstdlib>
#include <string>

#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// Counts code points, which is the width for what the demo shows.
size_t Width(const std::string& text) {
  size_t width = 0;
  for (char c : text) width += (c & 0xC0) != 0x80;
  return width;
}

std::string Rule(const char* left, size_t width, const char* right) {
  std::string rule = left;
  for (size_t i = 0; i < width + 2; ++i) rule += "─";
  return rule + right;
}

// Drives one server and counts what was expected.
class Demo {
 public:
  explicit Demo(const std::string& binary) : client_({.binary = binary}) {}

  // Returns the exit status for main.
  int Run();

 private:
  void Bash();
  void Vim();
  void Htop();
  void End();

  void Title(const std::string& text) {
    std::printf("\n\033[1m%s\033[0m\n", text.c_str());
  }
  Reply Call(const std::string& tool, const Json& arguments);
  void Expect(bool good, const std::string& what);
  void ExpectShown(const Reply& reply, const std::string& text) {
    Expect(reply.body.find(text) != std::string::npos, "shows " + text);
  }

  TempDir folder_;
  McpClient client_;
  std::string htop_screen_;
  int surprises_ = 0;
};

Reply Demo::Call(const std::string& tool, const Json& arguments) {
  std::printf("\n-> %s %s\n", tool.c_str(), DumpJson(arguments).c_str());
  Reply reply = client_.Call(tool, arguments);
  size_t width = 78;
  for (const std::string& line : Lines(reply.text)) {
    width = std::max(width, Width(line));
  }
  std::printf("%s\n", Rule("╭", width, "╮").c_str());
  for (const std::string& line : Lines(reply.text)) {
    std::string blank(width - Width(line), ' ');
    std::printf("│ %s%s │\n", line.c_str(), blank.c_str());
  }
  std::printf("%s\n", Rule("╰", width, "╯").c_str());
  Expect(!reply.is_error, "is no error");
  return reply;
}

void Demo::Expect(bool good, const std::string& what) {
  if (good) {
    std::printf("   ok: %s\n", what.c_str());
  } else {
    std::printf("   \033[31mWRONG\033[0m: not so: %s\n", what.c_str());
    ++surprises_;
  }
}

void Demo::Bash() {
  Title("1. A shell");
  Reply reply = Call("term_open", {{"name", "main"},
                                   {"argv", {"bash", "--norc"}},
                                   {"cwd", folder_.path()},
                                   {"env", {{"PS1", "$ "}}},
                                   {"rows", 24},
                                   {"cols", 80}});
  Expect(reply.header.rfind("[main] ", 0) == 0, "the header names the session");
  ExpectShown(reply, "$");

  reply = Call("term_send", {{"session", "main"},
                             {"input", "echo the answer is $((6 * 7))"},
                             {"enter", true}});
  ExpectShown(reply, "the answer is 42");
}

void Demo::Vim() {
  Title("2. vim, a full-screen editor");
  Reply reply =
      Call("term_send", {{"session", "main"},
                         {"input", {"vim --clean -n notes.txt<Enter>"}},
                         {"timeout_s", 20}});
  ExpectShown(reply, "~");
  ExpectShown(reply, "\"notes.txt\" [New]");

  Call("term_send", {{"session", "main"}, {"input", {"iwritten by an agent"}}});
  reply = Call("term_read", {{"session", "main"}, {"mode", "snapshot"}});
  ExpectShown(reply, "written by an agent");
  ExpectShown(reply, "-- INSERT --");

  Call("term_send", {{"session", "main"},
                     {"input", {"<Esc>", ":wq<Enter>"}},
                     {"until", {{"state", "prompt"}}},
                     {"timeout_s", 20}});
  reply = Call("term_read", {{"session", "main"}, {"mode", "snapshot"}});
  ExpectShown(reply, "the answer is 42");
  Expect(reply.body.find("~") == std::string::npos,
         "vim is gone, what was there before is back");
  Expect(ReadWholeFile(folder_.Join("notes.txt")) == "written by an agent\n",
         "the file holds the line");
}

void Demo::Htop() {
  Title("3. htop, which repaints itself");
  Reply reply = Call("term_open", {{"name", "htop"},
                                   {"argv", {"htop", "-d", "5"}},
                                   {"rows", 24},
                                   {"cols", 80},
                                   {"until", {{"text", "F10Quit"}}},
                                   {"timeout_s", 20}});
  ExpectShown(reply, "Load average:");
  ExpectShown(reply, "Tasks:");
  ExpectShown(reply, "PID");
  htop_screen_ = reply.body;

  reply = Call("term_wait", {{"session", "htop"},
                             {"until", {{"change", true}}},
                             {"timeout_s", 20},
                             {"show", "match"}});
  Expect(reply.header.find("reason=change") != std::string::npos,
         "it changed by itself");
  // A repaint takes several writes; between two repaints htop is quiet.
  reply = Call("term_wait", {{"session", "htop"},
                             {"until", {{"quiet_s", 0.2}}},
                             {"timeout_s", 20},
                             {"mode", "snapshot"}});
  ExpectShown(reply, "Load average:");
  ExpectShown(reply, "Tasks:");
  ExpectShown(reply, "F10Quit");
  Expect(reply.body != htop_screen_, "the second look is not the first");
}

void Demo::End() {
  Title("4. The end");
  Reply reply = Call("term_list", Json::object());
  Expect(reply.text.find("main") != std::string::npos &&
             reply.text.find("htop") != std::string::npos,
         "both sessions are listed");
  Call("term_close", {{"session", "htop"}});
  client_.CloseStdin();
  std::optional<int> status = client_.WaitForExit(Seconds(5));
  Expect(status == 0, "the server ends when its client goes");
  std::vector<ProcessRow> left = ProcessesWith(client_.mark());
  Expect(left.empty(), "no process is left" + Describe(left));
  Expect(client_.garbage().empty(), "stdout carried nothing but JSON");
}

int Demo::Run() {
  Bash();
  Vim();
  Htop();
  End();
  if (surprises_ == 0) {
    std::printf("\nAll as expected.\n");
    return 0;
  }
  std::printf("\n%d things were not as expected.\n%s", surprises_,
              client_.stderr_text().c_str());
  return 1;
}

}  // namespace
}  // namespace glasstty::testing

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return glasstty::testing::Demo(argc > 1 ? argv[1] : "").Run();
}
