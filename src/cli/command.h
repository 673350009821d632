// The subcommands of `glasstty`: one file each, one row in main.cc.
#pragma once

#include <string>
#include <vector>

namespace glasstty {

// `arguments`: what follows the subcommand. Returns the exit status: 0 done,
// 1 failed, 2 wrongly called.
using CommandArguments = std::vector<std::string>;

// Each parses its own arguments and prints its own errors on stderr.
int RunServer(const CommandArguments& arguments);  // mcp
int RunConfig(const CommandArguments& arguments);  // config
int RunReplay(const CommandArguments& arguments);  // replay
int RunCast(const CommandArguments& arguments);    // cast
int RunTail(const CommandArguments& arguments);    // tail
int RunDump(const CommandArguments& arguments);    // dump
int RunDoctor(const CommandArguments& arguments);  // doctor

}  // namespace glasstty
