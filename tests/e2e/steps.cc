#include "e2e/steps.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "base/fd.h"
#include "testing/system.h"

namespace glasstty::testing {

Reply Open(McpClient* client, const std::string& name,
           const std::vector<std::string>& argv, const Json& more) {
  Json arguments = {{"name", name}, {"argv", argv}, {"rows", 24}, {"cols", 80}};
  arguments.update(more);
  return client->Call("term_open", arguments);
}

Reply RunIn(McpClient* client, const std::string& session,
            const std::string& command) {
  return client->Call("term_run", {{"session", session}, {"command", command}});
}

Reply Keys(McpClient* client, const std::string& name,
           const std::string& input) {
  return client->Call("term_send",
                      {{"session", name}, {"input", Json::array({input})}});
}

std::vector<std::string> UnfoldRows(const std::string& body) {
  std::vector<std::string> rows;
  for (std::string& line : Lines(body)) {
    int blank = 0, end = 0;
    if (std::sscanf(line.c_str(), "(%d blank rows)%n", &blank, &end) == 1 &&
        end == static_cast<int>(line.size())) {
      rows.resize(rows.size() + blank);
      continue;
    }
    if (std::sscanf(line.c_str(), "(the same row %d more times)%n", &blank,
                    &end) == 1 &&
        end == static_cast<int>(line.size()) && !rows.empty()) {
      rows.resize(rows.size() + blank, std::string(rows.back()));
      continue;
    }
    line.resize(line.find_last_not_of(' ') + 1);
    rows.push_back(std::move(line));
  }
  while (!rows.empty() && rows.back().empty()) rows.pop_back();
  return rows;
}

std::vector<std::string> Screen(McpClient* client, const std::string& name) {
  Reply reply = client->Call(
      "term_read", {{"session", name}, {"mode", "snapshot"}, {"peek", true}});
  return UnfoldRows(reply.is_error ? reply.text : reply.body);
}

std::string Join(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) text += "|" + row + "\n";
  return text;
}

std::vector<std::string> FilesWith(const std::string& folder,
                                   const std::string& text) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error)) continue;
    std::string path = entry.path();
    if (ReadWholeFile(path).find(text) != std::string::npos) {
      found.push_back(path);
    }
  }
  return found;
}

::testing::AssertionResult Good(const Reply& reply) {
  if (!reply.is_error) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << reply.text;
}

bool IsInstalled(const std::string& program) {
  return RunCommand({"sh", "-c", "command -v \"$1\"", "sh", program}).status ==
         0;
}

int FreePort() {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (bind(fd.get(), any, size) != 0) return 0;
  getsockname(fd.get(), any, &size);
  return ntohs(address.sin_port);
}

std::string NumberedLines(int lines) {
  std::string text;
  for (int i = 1; i <= lines; ++i) {
    text += "line " + std::to_string(i) + " of the file\n";
  }
  return text;
}

::testing::AssertionResult Shows(const Reply& reply, const std::string& text) {
  if (reply.text.find(text) != std::string::npos) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "'" << text << "' is not in:\n"
                                       << reply.text;
}

::testing::AssertionResult SeesOnScreen(McpClient* client,
                                        const std::string& name,
                                        const std::string& text) {
  std::string screen;
  bool seen = Eventually(Seconds(20), [&] {
    screen = Join(Screen(client, name));
    return screen.find(text) != std::string::npos;
  });
  if (seen) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "'" << text << "' is not on the screen:\n"
         << screen;
}

int SendAgentLines(McpClient* client, const std::string& number, size_t extra) {
  std::string line = "say a" + number + std::string(extra, 'a') + " end\n";
  return client->SendCall("term_send",
                          {{"session", "main"},
                           {"input", {{{"text", line}}, {{"text", line}}}},
                           {"until", {{"state", "prompt"}}}});
}

int ExpectWholeLines(const std::string& file, int rounds) {
  int of_agent = 0, of_person = 0;
  for (const std::string& line : Lines(ReadWholeFile(file))) {
    bool whole =
        std::regex_match(line, std::regex("a[0-9]+a* end|p[0-9]+p* end"));
    EXPECT_TRUE(whole) << line;
    (line[0] == 'a' ? of_agent : of_person) += 1;
  }
  EXPECT_EQ(of_person, rounds);
  // The agent is waited for in each third of them.
  EXPECT_GE(of_agent, rounds / 3);
  return of_agent;
}

double Slowness() {
#if defined(GLASSTTY_SANITIZES_ADDRESS) || defined(GLASSTTY_SANITIZES_THREAD)
  return 4;
#else
  return 1;
#endif
}

}  // namespace glasstty::testing
