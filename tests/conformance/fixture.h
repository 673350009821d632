// What the public conformance suite asks of a server under test: its tools,
// resources and prompts. Names, words and shapes are the suite's; nothing here
// is of use to anybody else.
#pragma once

#include "mcp/server.h"
#include "support/loop.h"

namespace glasstty::testing {

struct Fixture {
  Loop* loop = nullptr;           // borrowed
  mcp::Server* server = nullptr;  // set once it is made
};

// `fixture` must outlive the server.
mcp::Catalog FixtureCatalog(Fixture* fixture);

// The two halves of its tools: those that answer at once or after a while, and
// those that ask the client.
void AddPlainTools(Fixture* fixture, std::vector<mcp::Tool>* tools);
void AddAskingTools(Fixture* fixture, std::vector<mcp::Tool>* tools);

// One row of a table of tools.
struct ToolRow {
  const char* name;
  // Of the arguments; null: there are none.
  const char* properties;
  // Gets the arguments as they came.
  Task<mcp::ToolResult> (*run)(Fixture*, mcp::ToolCall*, Json);
};
mcp::Tool MakeFixtureTool(Fixture* fixture, const ToolRow& row);

// A picture of one pixel, base64.
extern const char* const kPng;

}  // namespace glasstty::testing
