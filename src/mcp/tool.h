// A tool as the protocol sees it, and one running call.
//
// A tool is made from one declaration (MakeTool): its argument table gives the
// schema, the validation and the messages; its handler is a coroutine that
// gets checked arguments. Owns nothing of what the tool works on. Loop thread
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

// What a call answers. Text is for the model; a status is a misuse it can
// mend, so its message says how.
struct ToolResult {
  ToolResult() = default;
  ToolResult(std::string t) : text(std::move(t)) {}  // NOLINT: implicit
  ToolResult(const char* t) : text(t) {}             // NOLINT: implicit
  // Of a long message the middle is left out: it repeats what was sent.
  ToolResult(const absl::Status& status);  // NOLINT: implicit

  std::string text;
  bool is_error = false;
  // Clients show the model this instead of the text: only when asked for, and
  // then with everything that the text says.
  std::optional<Json> structured;
  // Content blocks after the text (image, resource_link), ready to send.
  std::vector<Json> more_content;
  // Goes under `_meta` of the result; keys begin with "glasstty/".
  Json meta = Json::object();
  // Called once the reply is queued for the client; never when the call was
  // cancelled or its client is gone. Readers move their marks here.
  std::function<void()> on_sent;
};

class Questions;

// What the client of the modern era has sent along as answers, by key.
struct RoundAnswers {
  // To what earlier runs of this call have asked; null: not answered yet.
  Json asked = Json::object();
  // The answer to a question that was not asked.
  Json volunteered = Json::object();
};

// One running request that has a handler: tools/call, resources/read,
// prompts/get. Owned by the server; outlives the handler's frame.
class ToolCall {
 public:
  // Gets the method and the params of a notification.
  using Notifier = std::function<void(std::string_view, Json)>;

  // Without `questions` the user cannot be asked.
  ToolCall(Loop* loop, RequestContext context, uint64_t connection,
           Notifier notify, Questions* questions = nullptr,
           RoundAnswers answers = {});
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;

  Loop* loop() const { return loop_; }
  Cancellation* cancellation() { return &cancellation_; }
  bool is_cancelled() const { return cancellation_.cancelled(); }
  // The transport connection, never reused: the key of per-client read marks.
  uint64_t connection() const { return connection_; }
  const RequestContext& context() const { return context_; }

  // Destroyed with the call: what holds only while it runs.
  void Keep(std::shared_ptr<void> kept) { kept_.push_back(std::move(kept)); }

  bool wants_progress() const { return context_.progress_token.has_value(); }
  // Tells the client that the call is alive. `elapsed` counts from the start
  // of the call. Sends nothing without a token, within a second of the last
  // one, or when `elapsed` has not grown; so callers need not count.
  void Progress(Duration elapsed, std::string message);
  // The same for progress in other units than time.
  void ReportProgress(double progress, double total);
  // A log message for clients that have set a level (RFC 5424's words) which
  // lets it through.
  void Log(std::string_view level, Json data);

  // ---- for mcp/ask.h and the server; handlers ask through ask.h

  Questions* questions() const { return questions_; }
  RoundAnswers& answers() { return answers_; }
  // What is to be asked instead of answering: requests by key.
  Json& wanted() { return wanted_; }

 private:
  // Constant.
  Loop* const loop_;  // borrowed
  const RequestContext context_;
  const uint64_t connection_;
  const Notifier notify_;
  Questions* const questions_;  // borrowed; may be null
  // State.
  Cancellation cancellation_;
  RoundAnswers answers_;
  Json wanted_ = Json::object();
  std::vector<std::shared_ptr<void>> kept_;
  Time next_progress_{};
  int64_t last_progress_ms_ = -1;
};

// The defaults are those of the protocol's schema; only what differs is sent.
struct Annotations {
  bool read_only = false;
  bool destructive = true;
  bool idempotent = false;
  bool open_world = true;
};

struct ToolSpec {
  std::string name;  // ^[a-z][a-z0-9_]*$, at most 40 characters
  std::string title;
  std::string description;
  Annotations annotations;
  bool always_load = false;  // Claude Code keeps it in context
};

struct Tool {
  std::string name;
  std::string title;
  std::string description;
  Json input_schema;
  // Every argument, also those that no schema lists.
  std::vector<FieldHead> fields;
  Annotations annotations;
  Json meta = Json::object();
  // The page that is shown beside its results (apps.h); "": none.
  std::string card;
  // Only cards call it: it is listed for clients that show them, and not for
  // the model.
  bool for_cards = false;
  // Without these the tool cannot be called: {"sampling":{}}.
  Json needs = Json::object();
  // Checks the arguments (an object) and starts the handler.
  std::function<Task<ToolResult>(ToolCall*, const Json&)> handler;
};

// The entry of `tool` in tools/list, as far as `revision` knows it.
// `cards`: the client shows them.
Json DescribeTool(const Tool& tool, const Revision& revision,
                  bool cards = false);

// Checks the name and fills in all but the handler.
Tool DeclareTool(ToolSpec spec, Json input_schema);

// A call that is over before it began.
Task<ToolResult> AnswerNow(ToolResult result);

// `Args` has `static const std::vector<Field<Args>>& Fields()`. `context` is
// handed to every call and must outlive the tool.
template <class Args, class Context>
Tool MakeTool(Context* context, ToolSpec spec,
              Task<ToolResult> (*handler)(Context*, ToolCall*, Args)) {
  Tool tool = DeclareTool(std::move(spec), SchemaOf<Args>());
  for (const auto& field : Args::Fields()) tool.fields.push_back(field);
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
