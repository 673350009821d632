// Tries wrong values for every argument of every tool, derived from the schemas
// in tools/list: each is an error that names the argument, and nothing was
// done.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

struct BadCall {
  std::string word;  // in the error
  Json arguments;
};

bool Takes(const Json& schema, const std::string& type) {
  const Json& types = schema["type"];
  if (!types.is_array()) return types == type;
  return std::find(types.begin(), types.end(), type) != types.end();
}

class BadValues : public ::testing::Test {
 protected:
  void SetUp() override {
    Json answer = client_.Request("tools/list");
    tools_ = answer["result"]["tools"];
    ASSERT_EQ(tools_.size(), 9u);
    // This is the only session, so calls without `session` use it.
    ASSERT_TRUE(
        Good(Open(&client_, "only", {"bash", "--norc"},
                  {{"cwd", folder_.path()}, {"env", {{"PS1", "$ "}}}})));
    before_ = State();
  }

  // Returns everything that must stay unchanged.
  std::string State() {
    Json list = client_.Call("term_list", {{"format", "json"}})
                    .message["result"]["structuredContent"]["sessions"];
    std::string state;
    for (const Json& row : list) {
      state += DumpJson(row["session"]) + DumpJson(row["state"]) + "\n";
    }
    for (const auto& file :
         std::filesystem::directory_iterator(folder_.path())) {
      state += file.path().string() + "\n";
    }
    return state + Join(Screen(&client_, "only"));
  }

  // Returns a call that would change something if it were accepted.
  Json Harmless(const std::string& tool) const {
    std::string touch = "touch " + folder_.Join("touched");
    if (tool == "term_run" || tool == "term_open") return {{"command", touch}};
    if (tool == "term_send") return {{"input", touch + "\n"}};
    if (tool == "term_search") return {{"regex", "x"}};
    if (tool == "term_wait") return {{"until", {{"change", true}}}};
    if (tool == "term_write_file") {
      return {{"path", folder_.Join("written")}, {"content", "x"}};
    }
    return Json::object();
  }

  // Returns the same argument of another tool if that describes it in full.
  Json InFull(const std::string& name, const Json& schema) const {
    Json full = schema;
    for (const Json& tool : tools_) {
      const Json* other = FindMember(tool["inputSchema"]["properties"], name);
      if (other == nullptr || (*other)["type"] != schema["type"]) continue;
      if (other->size() > full.size()) full = *other;
    }
    return full;
  }

  // Returns values that `schema` does not allow.
  std::vector<Json> Wrong(const Json& schema) const {
    std::vector<Json> values;
    const std::pair<const char*, Json> kOfType[] = {
        {"string", "text"},       {"string", std::string(100'000, 'x')},
        {"array", {1, "two"}},    {"boolean", true},
        {"array", Json::array()}, {"object", Json::object()},
    };
    for (const auto& [type, value] : kOfType) {
      if (!Takes(schema, type)) values.push_back(value);
    }
    bool integer = Takes(schema, "integer");
    bool number = integer || Takes(schema, "number");
    if (!number) values.push_back(7);
    if (!Takes(schema, "number")) values.push_back(7.5);
    values.insert(values.end(), {1e300, -1e300, 1'000'000'000'000'000'000});
    if (schema.contains("enum")) values.push_back("no-such-value");
    if (schema.contains("items")) {
      for (const Json& item : Wrong(schema["items"])) {
        values.push_back(Json::array({item}));
      }
    }
    if (schema.contains("additionalProperties") &&
        schema["additionalProperties"].is_object()) {
      values.push_back({{"A", 7}});
    }
    return values;
  }

  // Adds calls below `place` in the arguments, which `base` completes.
  void AddCalls(const Json& properties, const Json& base,
                const std::vector<std::string>& path,
                std::vector<BadCall>* calls) const {
    for (const auto& [name, brief] : properties.items()) {
      Json schema = path.empty() ? InFull(name, brief) : brief;
      for (const Json& value : Wrong(schema)) {
        calls->push_back({name, Placed(base, path, name, value)});
      }
      if (!schema.contains("properties")) continue;
      std::vector<std::string> inner = path;
      inner.push_back(name);
      AddCalls(schema["properties"], base, inner, calls);
    }
    calls->push_back({"no_such", Placed(base, path, "no_such", 1)});
  }

  static Json Placed(Json base, const std::vector<std::string>& path,
                     const std::string& name, const Json& value) {
    Json* at = &base;
    for (const std::string& member : path) {
      // The object is alone, because a valid neighbour may exclude it.
      (*at)[member] = Json::object();
      at = &(*at)[member];
    }
    (*at)[name] = value;
    return base;
  }

  std::vector<BadCall> CallsFor(const Json& tool) const {
    const Json& schema = tool["inputSchema"];
    Json base = Harmless(tool["name"]);
    std::vector<BadCall> calls;
    AddCalls(schema["properties"], base, {}, &calls);
    for (const Json& name : schema.value("required", Json::array())) {
      Json missing = base;
      missing.erase(name.get<std::string>());
      calls.push_back({name, missing});
      missing[name.get<std::string>()] = nullptr;
      calls.push_back({name, missing});
    }
    return calls;
  }

  TempDir folder_;
  McpClient client_;
  Json tools_;
  std::string before_;
};

TEST_F(BadValues, AreErrorsThatNameTheArgumentAndNothingIsDone) {
  size_t count = 0;
  for (const Json& tool : tools_) {
    for (const BadCall& call : CallsFor(tool)) {
      std::string shown = DumpJson(call.arguments).substr(0, 300);
      SCOPED_TRACE(DumpJson(tool["name"]) + " " + shown);
      Reply reply = client_.Call(tool["name"], call.arguments);
      EXPECT_TRUE(reply.is_error) << reply.text;
      EXPECT_TRUE(Shows(reply, call.word));
      EXPECT_LT(reply.text.size(), 7000u);
      ++count;
    }
    EXPECT_EQ(State(), before_) << tool["name"];
  }
  EXPECT_GT(count, 1000u);
}

// These have the right type, and yet they cannot be used.
TEST_F(BadValues, ThatOnlyTheirMeaningMakesWrongAreErrorsToo) {
  const std::string kLong(100'000, 'x');
  const std::pair<const char*, Json> kCalls[] = {
      {"term_run", {{"command", ""}}},
      {"term_run", {{"command", "true"}, {"session", kLong}}},
      {"term_run", {{"command", "true"}, {"cwd", kLong}, {"fresh", true}}},
      {"term_run", {{"argv", {kLong}}}},
      {"term_run", {{"command", "true"}, {"success", {{"regex", "("}}}}},
      {"term_open", {{"command", "true"}, {"name", kLong}}},
      {"term_open", {{"argv", {"true"}}, {"cwd", kLong}}},
      {"term_send", {{"session", kLong}, {"input", "x"}}},
      {"term_read", {{"session", kLong}}},
      {"term_read", {{"at", "no moment"}}},
      {"term_search", {{"regex", std::string(100'000, '(')}}},
      {"term_wait", {{"until", {{"regex", "("}}}}},
      {"term_wait", {{"until", Json::object()}}},
      {"term_wait", {{"until", {{"change", true}}}, {"sessions", {kLong}}}},
      {"term_list", {{"session", kLong}}},
      {"term_close", {{"session", kLong}}},
      {"term_close", {{"signal", kLong}}},
      {"term_write_file", {{"path", ""}, {"content", "x"}}},
      {"term_write_file", {{"path", "/" + kLong}, {"content", "x"}}},
      {"term_write_file", {{"path", folder_.Join("written")}}},
  };
  for (const auto& [tool, arguments] : kCalls) {
    SCOPED_TRACE(tool + DumpJson(arguments).substr(0, 200));
    Reply reply = client_.Call(tool, arguments);
    EXPECT_TRUE(reply.is_error) << reply.text.substr(0, 500);
    EXPECT_LT(reply.text.size(), 7000u);
  }
  EXPECT_EQ(State(), before_);
}

}  // namespace
}  // namespace glasstty::testing
