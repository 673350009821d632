// What a wait or an Escape answers with is a screen that the program has
// finished: the same that stands there a while later.
//
// GLASSTTY_SETTLED_TRIES=200 tries each program so often; the medians that it
// prints are those of bench/README.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

int Tries() {
  const char* tries = std::getenv("GLASSTTY_SETTLED_TRIES");
  return tries != nullptr ? std::atoi(tries) : 6;
}

struct Try {
  Json input;
  Json until;  // null: the default
};

struct Program {
  const char* name;
  // Run by sh in a directory with a file of 2,000 lines, "lines".
  const char* command;
  const char* ready;  // on its first screen
  // What is typed the i-th time.
  std::function<Try(int)> next;
  // A monitor's numbers change by themselves: only the outline is compared.
  bool outline = false;
};

std::string Number(const char* before, int i, const char* behind = "") {
  return before + std::to_string(i) + behind;
}

const Program kPrograms[] = {
    {"vimEscape", "vim --clean -n lines", "line 1",
     [](int i) {
       return Try{{Number("ohello ", i, "<Esc>")}, nullptr};
     }},
    {"vimText", "vim --clean -n lines", "line 1",
     [](int i) {
       return Try{{Number(":", i + 30, "<Enter>zt")},
                  {{"text", Number("line ", i + 31)}}};
     }},
    {"less", "less lines", "line 1",
     [](int i) {
       return Try{{Number("", 30 * i + 30, "g")},
                  {{"text", Number("line ", 30 * i + 31)}}};
     }},
    {"whiptail",
     "i=0; while :; do whiptail --menu \"Choose $i.\" 20 60 10 a Alpha b Beta "
     "c Gamma d Delta e Epsilon f Zeta g Eta h Theta; i=$((i+1)); done",
     "Choose 0.",
     [](int i) {
       return Try{{"<Enter>"}, {{"text", Number("Choose ", i + 1, ".")}}};
     }},
    {"mc", "mc -u", "lines",
     [](int i) {
       return i % 2 == 0 ? Try{{"<F9><Down>"}, {{"text", "Quick view"}}}
                         : Try{{"<Esc><Esc>"}, {{"gone", "Quick view"}}};
     }},
    {"htop", "htop -d 100", "F10",
     [](int i) {
       return i % 2 == 0 ? Try{{"<F9>"}, {{"text", "Send signal"}}}
                         : Try{{"<Esc>"}, {{"gone", "Send signal"}}};
     },
     true},
};

// The rows of the screen; of a monitor without figures and with the left of its
// lists only.
std::string Picture(const Program& program, const Reply& reply) {
  size_t cursor = reply.header.find(" cursor=");
  std::string picture =
      reply.header.substr(cursor, reply.header.find(' ', cursor + 1) - cursor);
  std::vector<std::string> rows = UnfoldRows(reply.body);
  for (size_t i = 0; i < rows.size(); ++i) {
    bool is_list = program.outline && i + 1 < rows.size();
    if (program.outline && i < 6) continue;  // meters
    std::string row = is_list ? rows[i].substr(0, 14) : rows[i];
    // A process list is sorted anew.
    bool is_process = is_list && row.find(" SIG") == std::string::npos &&
                      row.find("signal") == std::string::npos &&
                      row.find("PID") == std::string::npos;
    if (!is_process) picture += "\n" + row;
  }
  return picture;
}

class Settled : public ::testing::TestWithParam<Program> {};

TEST_P(Settled, ScreenIsTheAnswer) {
  const Program& program = GetParam();
  McpClient client;
  TempDir folder;
  std::string text;
  for (int i = 1; i <= 7'000; ++i) text += Number("line ", i, "\n");
  folder.Write("lines", text);
  ASSERT_TRUE(Good(
      Open(&client, "it", {"sh", "-c", program.command},
           {{"cwd", folder.path()}, {"until", {{"text", program.ready}}}})));
  std::vector<double> ms;
  int half_drawn = 0;
  for (int i = 0; i < Tries(); ++i) {
    Try next = program.next(i);
    Json call = {{"session", "it"},
                 {"input", next.input},
                 {"mode", "snapshot"},
                 {"timeout_s", 20}};
    if (!next.until.is_null()) call["until"] = next.until;
    auto begin = std::chrono::steady_clock::now();
    Reply reply = client.Call("term_send", call);
    ms.push_back(std::chrono::duration<double, std::milli>(
                     std::chrono::steady_clock::now() - begin)
                     .count());
    ASSERT_TRUE(Good(reply));
    ASSERT_EQ(reply.text.find("reason=timeout"), std::string::npos)
        << reply.text;
    client.Call(
        "term_wait",
        {{"session", "it"}, {"until", {{"quiet_s", 0.2}}}, {"timeout_s", 5}});
    Reply later =
        client.Call("term_read", {{"session", "it"}, {"mode", "snapshot"}});
    if (Picture(program, reply) == Picture(program, later)) continue;
    ++half_drawn;
    ADD_FAILURE() << "try " << i << "\n" << reply.text << "\n" << later.text;
  }
  std::sort(ms.begin(), ms.end());
  std::printf("%s: %d of %d half drawn, median %.1f ms\n", program.name,
              half_drawn, Tries(), ms[ms.size() / 2]);
}

INSTANTIATE_TEST_SUITE_P(All, Settled, ::testing::ValuesIn(kPrograms),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace glasstty::testing
