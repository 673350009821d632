// Provides what the public conformance suite requires of a server under test:
// its tools, resources and prompts. Names, words and shapes are the suite's;
// nothing here is of use to anybody else.
#pragma once

#include "mcp/server.h"
#include "support/loop.h"

namespace glasstty::testing {

struct Fixture {
  Loop* loop = nullptr;           // borrowed
  mcp::Server* server = nullptr;  // set once it exists
};

// `fixture` must outlive the server.
mcp::Catalog FixtureCatalog(Fixture* fixture);

// These add the parts of its tools: those that answer at once or after a while,
// those that ask the client, and those whose calls become tasks.
void AddPlainTools(Fixture* fixture, std::vector<mcp::Tool>* tools);
void AddAskingTools(Fixture* fixture, std::vector<mcp::Tool>* tools);
void AddTaskTools(Fixture* fixture, std::vector<mcp::Tool>* tools);

// A row of a table of tools.
struct ToolRow {
  const char* name;
  // The properties of the arguments; null: there are none.
  const char* properties;
  // Gets the arguments unchanged.
  Task<mcp::ToolResult> (*run)(Fixture*, mcp::ToolCall*, Json);
};
mcp::Tool MakeFixtureTool(Fixture* fixture, const ToolRow& row);

// A picture of one pixel, in base64.
extern const char* const kPng;

}  // namespace glasstty::testing
