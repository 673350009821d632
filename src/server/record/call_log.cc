#include "record/call_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include <utility>

#include "base/fd.h"
#include "base/own_file.h"
#include "support/json.h"
#include "support/text.h"

namespace glasstty::record {
namespace {

constexpr char kName[] = "calls";
constexpr char kOldName[] = "calls.old";
constexpr off_t kMostBytes = 256 << 10;

int64_t Nanoseconds(Time time) { return time.time_since_epoch().count(); }

Time TimeIn(const Json& json, std::string_view key) {
  const Json* value = FindMember(json, key);
  return Time{Duration(value ? AsInteger(*value).value_or(0) : 0)};
}

std::string TextIn(const Json& json, std::string_view key) {
  const Json* value = FindMember(json, key);
  return value ? AsString(*value).value_or("") : "";
}

}  // namespace

void AppendCall(int directory, const AgentCall& call) {
  Json line;
  line["begin"] = Nanoseconds(call.begin);
  line["end"] = Nanoseconds(call.end);
  line["client"] = call.client;
  line["tool"] = call.tool;
  line["arguments"] = call.arguments;
  line["reply"] = call.reply;
  if (call.failed) line["failed"] = true;
  UniqueFd file =
      OpenOwnFileAt(directory, kName, O_WRONLY | O_APPEND | O_CREAT);
  if (!file.valid()) return;
  // A single write keeps lines of two servers from mixing.
  (void)WriteAll(file.get(), DumpJson(line) + '\n');
  struct stat about = {};
  if (fstat(file.get(), &about) == 0 && about.st_size >= kMostBytes) {
    (void)renameat(directory, kName, directory, kOldName);
  }
}

std::vector<AgentCall> ReadCalls(int directory) {
  std::vector<AgentCall> calls;
  for (const char* name : {kOldName, kName}) {
    std::string text;
    if (!ReadFileAt(directory, name, 2 * kMostBytes, &text)) continue;
    for (const std::string& line : Split(text, '\n')) {
      // A server that was killed may have left a part of a line.
      auto json = ParseJson(line);
      if (!json.ok() || !json->is_object()) continue;
      calls.push_back({.begin = TimeIn(*json, "begin"),
                       .end = TimeIn(*json, "end"),
                       .client = TextIn(*json, "client"),
                       .tool = TextIn(*json, "tool"),
                       .arguments = TextIn(*json, "arguments"),
                       .reply = TextIn(*json, "reply"),
                       .failed = FindMember(*json, "failed") != nullptr});
    }
  }
  return calls;
}

}  // namespace glasstty::record
