// A tool as the protocol presents it, and one running call.
//
// A tool is built from one declaration (MakeTool): its argument table yields
// the schema, the validation and the messages; its handler is a coroutine that
// gets checked arguments. Does not own what the tool works on. Loop thread
// only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "mcp/request_context.h"
#include "mcp/schema.h"
#include "support/cancellation.h"
#include "support/json.h"
#include "support/loop.h"
#include "support/task.h"

namespace glasstty::mcp {

// The result of a call. Its text is for the model.
struct ToolResult {
  ToolResult() = default;
  ToolResult(std::string t) : text(std::move(t)) {}  // NOLINT: implicit
  ToolResult(const char* t) : text(t) {}             // NOLINT: implicit
  // Makes the error result of a mistake that the model can correct; the message
  // says how. A message of more than 6,000 bytes is shortened in its middle,
  // which mostly repeats the input.
  ToolResult(const absl::Status& status);  // NOLINT: implicit

  std::string text;
  bool is_error = false;
  // Clients show this to the model instead of the text, so it is set only on
  // request, and contains everything that is in the text.
  std::optional<Json> structured;
  // Content blocks after the text (image, resource_link), ready to send.
  std::vector<Json> more_content;
  // Sent in `_meta` of the result; keys begin with "glasstty/".
  Json meta = Json::object();
  // Called once the reply is queued for the client; never if the call was
  // cancelled or its client is gone. Tools that read a session move the
  // client's read mark here.
  std::function<void()> on_sent;
  // The message of a failure of the server itself, which is sent as an error of
  // the protocol; "": there was none.
  std::string failure;
};

class Questions;

// Answers that a client of the modern era (eras.h) sends along with a request;
// their members have the keys of the questions.
struct RoundAnswers {
  // The questions that this call asked before the client repeated it. A value
  // is null until its question is answered.
  Json asked = Json::object();
  // Answers to questions that were not asked.
  Json volunteered = Json::object();
};

// A running request with a handler: tools/call, resources/read, prompts/get.
// The server owns it; it outlives the handler's frame.
class ToolCall {
 public:
  // Receives the method and the params of a notification.
  using Notifier = std::function<void(std::string_view, Json)>;

  // Without `questions` the user cannot be asked.
  ToolCall(Loop* loop, RequestContext context, uint64_t connection,
           Notifier notify, Questions* questions = nullptr,
           RoundAnswers answers = {}, bool may_outlast = false);
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;

  Loop* loop() const { return loop_; }
  Cancellation* cancellation() { return &cancellation_; }
  bool is_cancelled() const { return cancellation_.cancelled(); }
  // The transport connection, whose id is never reused, so it can be the key of
  // per-client read marks.
  uint64_t connection() const { return connection_; }
  const RequestContext& context() const { return context_; }

  // Keeps `kept` alive until the call ends.
  void Keep(std::shared_ptr<void> kept) { kept_.push_back(std::move(kept)); }

  // True if the client does not give up on a long call, because the call
  // becomes a task in time.
  bool may_outlast() const { return may_outlast_; }
  bool wants_progress() const { return context_.progress_token.has_value(); }
  // Notifies the client that the call is alive, and for how long. Sends nothing
  // without a token or within a second of the last notification, so it may be
  // called at any time.
  void Progress(std::string message);
  // Reports progress in units other than time.
  void ReportProgress(double progress, double total);
  // Sends a log message to the client if it has set a level (kLogLevels) at or
  // below `level`.
  void Log(std::string_view level, Json data);

  // ---- for mcp/ask.h and the server; handlers ask through ask.h

  Questions* questions() const { return questions_; }
  RoundAnswers& answers() { return answers_; }
  // The requests for answers that the client gets instead of a result, by key.
  Json& wanted() { return wanted_; }

 private:
  // Constant.
  Loop* const loop_;  // borrowed
  const RequestContext context_;
  const uint64_t connection_;
  const Notifier notify_;
  Questions* const questions_;  // borrowed; may be null
  const bool may_outlast_;
  const Time started_;
  // State.
  Cancellation cancellation_;
  RoundAnswers answers_;
  Json wanted_ = Json::object();
  std::vector<std::shared_ptr<void>> kept_;
  Time next_progress_{};
};

// The defaults are those of the protocol's schema; only differences are sent.
struct Annotations {
  bool read_only = false;
  bool destructive = true;
  bool idempotent = false;
  bool open_world = true;
};

// The usual `patience` of a tool. Clients give up after 60 s, so a call becomes
// a task before that if the client supports tasks.
inline constexpr Duration kClientPatience = std::chrono::seconds(50);

struct ToolSpec {
  std::string name;  // ^[a-z][a-z0-9_]*$, at most 40 characters
  std::string title;
  std::string description;
  Annotations annotations;
  bool always_load = false;               // Claude Code keeps it in context
  std::optional<Duration> patience = {};  // see Tool
};

struct Tool {
  std::string name;
  std::string title;
  std::string description;
  Json input_schema;
  // All arguments, including those that no schema lists.
  std::vector<FieldHead> fields;
  Annotations annotations;
  Json meta = Json::object();
  // The page that is shown beside the tool's results (apps.h); "": no page.
  std::string card;
  // Only cards call the tool: it is listed for clients that show cards, but not
  // for the model.
  bool for_cards = false;
  // Only programs call the tool: it is in no client's list.
  bool hidden = false;
  // A call that lasts longer becomes a task, if its client has declared support
  // (tasks.h); unset: no call does.
  std::optional<Duration> patience;
  // Clients of the modern era that have not declared these capabilities, such
  // as {"sampling":{}}, cannot call the tool.
  Json needs = Json::object();
  // Checks the arguments as the handler does, without starting anything.
  std::function<absl::Status(const Json&)> check;
  // Checks the arguments (an object) and starts the handler.
  std::function<Task<ToolResult>(ToolCall*, const Json&)> handler;
};

// Returns the entry of `tool` in tools/list, limited to what `revision`
// supports. `cards`: the client shows cards.
Json DescribeTool(const Tool& tool, const Revision& revision,
                  bool cards = false);

// Returns a tool with the members of `spec` and the schema. REQUIRES: the name
// has the form that ToolSpec states.
Tool DeclareTool(ToolSpec spec, Json input_schema);

// Returns a call that has already ended with `result`.
Task<ToolResult> AnswerNow(ToolResult result);

// `Args` must have `static const std::vector<Field<Args>>& Fields()`. `context`
// is passed to every call and must outlive the tool.
template <class Args, class Context>
Tool MakeTool(Context* context, ToolSpec spec,
              Task<ToolResult> (*handler)(Context*, ToolCall*, Args)) {
  Tool tool = DeclareTool(std::move(spec), SchemaOf<Args>());
  for (const auto& field : Args::Fields()) tool.fields.push_back(field);
  tool.check = [name = tool.name](const Json& arguments) {
    Args args;
    return ParseArguments(name, arguments, &args);
  };
  tool.handler = [context, handler, name = tool.name](ToolCall* call,
                                                      const Json& arguments) {
    Args args;
    absl::Status status = ParseArguments(name, arguments, &args);
    if (!status.ok()) return AnswerNow(status);
    return handler(context, call, std::move(args));
  };
  return tool;
}

}  // namespace glasstty::mcp
