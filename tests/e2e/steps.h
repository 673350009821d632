// Words that the end-to-end tests share: open, look, wait.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/mcp_client.h"

namespace glasstty::testing {

// term_open with a size of 24x80. `more` holds further arguments.
Reply Open(McpClient* client, const std::string& name,
           const std::vector<std::string>& argv,
           const Json& more = Json::object());

// term_send; `input` in key notation.
Reply Keys(McpClient* client, const std::string& name,
           const std::string& input);

// The screen now, one string a row: folded blank rows unfolded, trailing blanks
// and blank rows at the end cut.
std::vector<std::string> Screen(McpClient* client, const std::string& name);
std::vector<std::string> UnfoldRows(const std::string& body);
std::string Join(const std::vector<std::string>& rows);

// Files below `folder` that hold `text`.
std::vector<std::string> FilesWith(const std::string& folder,
                                   const std::string& text);

// True when the call was no error; shows the reply otherwise.
::testing::AssertionResult Good(const Reply& reply);
// True when `text` is in the reply; shows it otherwise.
::testing::AssertionResult Shows(const Reply& reply, const std::string& text);
// Waits until `text` stands on the screen.
::testing::AssertionResult SeesOnScreen(McpClient* client,
                                        const std::string& name,
                                        const std::string& text);

// Sanitized programs take several times as long: limits that are part of what
// is promised are multiplied by this.
double Slowness();

}  // namespace glasstty::testing
