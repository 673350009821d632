// Tests what waits promise, with real full-screen programs: news is told once,
// a text that is there is not gone, one that never was is not waited for, and a
// wait in vain costs a line.
//
// GLASSTTY_WAIT_TRIES=200 goes this often through each program.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <functional>
#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

int Tries() {
  const char* tries = std::getenv("GLASSTTY_WAIT_TRIES");
  return tries != nullptr ? std::atoi(tries) : 2;
}

struct TrustedProgram {
  const char* name;
  // Run by sh in a directory with a file of 2,000 lines, "lines".
  const char* command;
  const char* ready;
  // Returns the i-th text that comes; the keys bring it and take it away.
  std::function<std::string(int)> text;
  const char* come;
  const char* go;
};

std::string Same(const char* text) { return text; }

const TrustedProgram kTrustedPrograms[] = {
    {"vim", "vim --clean -n lines", "line 1",
     [](int) { return Same("line 707"); }, "700Gzt", "gg"},
    {"less", "less lines", "line 1", [](int) { return Same("line 707"); },
     "700g", "g"},
    {"htop", "htop -d 100", "F10", [](int) { return Same("Send signal:"); },
     "<F9>", "<Esc>"},
    {"mc", "mc -u", "lines", [](int) { return Same("Quick view"); },
     "<F9><Down>", "<Esc><Esc>"},
    {"whiptail",
     "i=0; while :; do whiptail --msgbox \"Empty.\" 9 40; whiptail --menu "
     "\"Choose $i.\" 20 60 10 a Alpha b Beta; i=$((i+1)); done",
     "Empty.", [](int i) { return "Choose " + std::to_string(i) + "."; },
     "<Enter>", "<Enter>"},
};

class TrustedWaits : public ::testing::TestWithParam<TrustedProgram> {
 protected:
  Reply Send(const char* keys, const Json& until) {
    return client_.Call("term_send", {{"session", "it"},
                                      {"input", Json::array({keys})},
                                      {"until", until},
                                      {"timeout_s", 20}});
  }
  Reply Wait(const Json& until, double seconds) {
    return client_.Call("term_wait", {{"session", "it"},
                                      {"until", until},
                                      {"show", "match"},
                                      {"timeout_s", seconds}});
  }

  McpClient client_;
};

std::string OtherCase(std::string text) {
  for (char& c : text) {
    auto byte = static_cast<unsigned char>(c);
    c = static_cast<char>(std::isupper(byte) ? std::tolower(byte)
                                             : std::toupper(byte));
  }
  return text;
}

TEST_P(TrustedWaits, TellNewsOnceAndWhatIsNot) {
  const TrustedProgram& program = GetParam();
  TempDir folder;
  std::string lines;
  for (int i = 1; i <= 2'000; ++i) lines += "line " + std::to_string(i) + "\n";
  folder.Write("lines", lines);
  ASSERT_TRUE(Good(
      Open(&client_, "it", {"sh", "-c", program.command},
           {{"cwd", folder.path()}, {"until", {{"text", program.ready}}}})));
  for (int i = 0; i < Tries(); ++i) {
    const std::string text = program.text(i);
    ASSERT_TRUE(Shows(Send(program.come, {{"text", text}}), "reason=matched"));
    // It has been shown.
    Reply again = Wait({{"text", text}}, 0.05);
    ASSERT_TRUE(Shows(again, "reason=timeout"));
    ASSERT_EQ(again.body, "");
    // Another spelling is not there either; the reply says so in one line.
    Reply vain = Wait({{"text", OtherCase(text)}}, 0.05);
    ASSERT_TRUE(Shows(vain, "reason=timeout"));
    ASSERT_EQ(vain.body, "");
    ASSERT_TRUE(Shows(vain, "near: "));
    ASSERT_TRUE(Shows(vain, text));
    ASSERT_TRUE(Shows(Wait({{"gone", text}}, 0.05), "reason=timeout"));
    // A look that takes no time sees what is there.
    ASSERT_TRUE(Shows(Wait({{"gone", text}}, 0), "reason=timeout"));

    Reply gone = Send(program.go, {{"gone", text}});
    ASSERT_TRUE(Shows(gone, "reason=gone"));
    ASSERT_EQ(gone.text.find("was not on the screen"), std::string::npos)
        << gone.text;
    ASSERT_EQ(Join(Screen(&client_, "it")).find(text), std::string::npos);
    ASSERT_TRUE(Shows(Wait({{"gone", text}}, 5), "was not on the screen"));
  }
}

INSTANTIATE_TEST_SUITE_P(All, TrustedWaits,
                         ::testing::ValuesIn(kTrustedPrograms),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace glasstty::testing
