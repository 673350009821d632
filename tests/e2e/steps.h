// Words that the end-to-end tests share: open, look, wait.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/mcp_client.h"

namespace glasstty::testing {

// Calls term_open with a size of 24x80. `more` has further arguments.
Reply Open(McpClient* client, const std::string& name,
           const std::vector<std::string>& argv,
           const Json& more = Json::object());

// Calls term_run.
Reply RunIn(McpClient* client, const std::string& session,
            const std::string& command);

// Calls term_send; `input` is in key notation.
Reply Keys(McpClient* client, const std::string& name,
           const std::string& input);

// Returns the screen now, one string for each row, with folded blank rows
// unfolded, and without trailing blanks and blank rows at the end.
std::vector<std::string> Screen(McpClient* client, const std::string& name);
std::vector<std::string> UnfoldRows(const std::string& body);
std::string Join(const std::vector<std::string>& rows);

// Returns the files below `folder` that contain `text`.
std::vector<std::string> FilesWith(const std::string& folder,
                                   const std::string& text);

// Returns true if a program of this name is in PATH.
bool IsInstalled(const std::string& program);

// Returns a TCP port that is free now, or 0 if there is none. If somebody else
// takes it before its use, the test fails with that reason.
int FreePort();

// Returns "line 1 of the file" and so on.
std::string NumberedLines(int lines);

// Returns true if the call was no error; shows the reply otherwise.
::testing::AssertionResult Good(const Reply& reply);
// Returns true if `text` is in the reply; shows it otherwise.
::testing::AssertionResult Shows(const Reply& reply, const std::string& text);
// Waits until `text` is on the screen.
::testing::AssertionResult SeesOnScreen(McpClient* client,
                                        const std::string& name,
                                        const std::string& text);

// For tests in which an agent and a person type whole lines in turns. Sends two
// equal lines of the agent without waiting for the call, whose number it
// returns; `extra` makes them longer.
int SendAgentLines(McpClient* client, const std::string& number, size_t extra);
// Checks that each line of the file is wholly the agent's or wholly the
// person's, and that there are `rounds` of the person and some of the agent.
// Returns how many of the agent there are.
int ExpectWholeLines(const std::string& file, int rounds);

// Sanitized programs take several times as long, so limits that are part of a
// promise are multiplied by this.
double Slowness();

}  // namespace glasstty::testing
