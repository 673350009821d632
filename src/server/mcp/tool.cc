#include "mcp/tool.h"

#include <chrono>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "mcp/apps.h"
#include "support/check.h"
#include "support/status.h"

namespace glasstty::mcp {
namespace {

// The protocol asks servers to limit the rate of notifications/progress.
constexpr Duration kProgressInterval = std::chrono::seconds(1);

// Error texts keep this many bytes at each end, which is enough for a list of
// all sessions.
constexpr size_t kErrorEnd = 3000;

std::string WithoutMiddle(const std::string& text) {
  if (text.size() <= 2 * kErrorEnd) return text;
  std::string head(Utf8Prefix(text, kErrorEnd));
  size_t tail = text.size() - kErrorEnd;
  while (tail < text.size() && IsContinuation(text[tail])) ++tail;
  return head + absl::StrFormat("[... %d bytes left out]", tail - head.size()) +
         text.substr(tail);
}

// Follows the strictest rules of clients: Gemini CLI truncates
// `mcp_SERVER_TOOL` to 63 characters, and Cursor allows 60 for server and tool
// together.
bool IsToolName(const std::string& name) {
  // 40 characters leave room for the server's own name under both rules.
  bool good =
      !name.empty() && name.size() <= 40 && name[0] >= 'a' && name[0] <= 'z';
  for (char c : name) {
    good &= (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  }
  return good;
}

}  // namespace

ToolResult::ToolResult(const absl::Status& status)
    : text(WithoutMiddle(Message(status))),
      is_error(true),
      meta({{"glasstty/error", absl::StatusCodeToString(status.code())}}) {}

ToolCall::ToolCall(Loop* loop, RequestContext context, uint64_t connection,
                   Notifier notify, Questions* questions, RoundAnswers answers,
                   bool may_outlast)
    : loop_(loop),
      context_(std::move(context)),
      connection_(connection),
      notify_(std::move(notify)),
      questions_(questions),
      may_outlast_(may_outlast),
      started_(loop->Now()),
      answers_(std::move(answers)) {}

// Counts from the start of the call, because the protocol wants each value to
// be above the last one, and a call may wait several times.
void ToolCall::Progress(std::string message) {
  if (!wants_progress() || cancellation_.cancelled()) return;
  Time now = loop_->Now();
  if (now < next_progress_) return;
  next_progress_ = now + kProgressInterval;
  int64_t ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now - started_)
          .count();
  Json params = {{"progressToken", *context_.progress_token},
                 {"progress", static_cast<double>(ms) / 1000}};
  if (context_.revision->progress_message && !message.empty()) {
    params["message"] = std::move(message);
  }
  notify_("notifications/progress", std::move(params));
}

void ToolCall::ReportProgress(double progress, double total) {
  if (!wants_progress() || cancellation_.cancelled()) return;
  notify_("notifications/progress",
          {{"progressToken", *context_.progress_token},
           {"progress", progress},
           {"total", total}});
}

void ToolCall::Log(std::string_view level, Json data) {
  if (cancellation_.cancelled()) return;
  auto least = LogLevelRank(context_.log_level);
  auto rank = LogLevelRank(level);
  if (!least || !rank || *rank < *least) return;
  Json params = {{"level", std::string(level)}};
  params["data"] = std::move(data);
  notify_("notifications/message", std::move(params));
}

namespace {

// Returns only the differences from the defaults of the protocol's schema, in
// which destructive and idempotent have no meaning for a read-only tool.
Json ShownAnnotations(const Annotations& annotations) {
  Json shown = Json::object();
  if (annotations.read_only) {
    shown["readOnlyHint"] = true;
  } else {
    if (!annotations.destructive) shown["destructiveHint"] = false;
    if (annotations.idempotent) shown["idempotentHint"] = true;
  }
  if (!annotations.open_world) shown["openWorldHint"] = false;
  return shown;
}

}  // namespace

// An outputSchema is never included, because clients would show the model the
// structured content instead of the text.
Json DescribeTool(const Tool& tool, const Revision& revision, bool cards) {
  Json entry = {{"name", tool.name}};
  if (revision.titles) entry["title"] = tool.title;
  entry["description"] = tool.description;
  entry["inputSchema"] = tool.input_schema;
  if (revision.annotations) {
    Json annotations = ShownAnnotations(tool.annotations);
    if (!annotations.empty()) entry["annotations"] = std::move(annotations);
  }
  Json meta = tool.meta;
  if (Json card = CardMeta(tool); cards && !card.is_null()) {
    meta["ui"] = std::move(card);
  }
  if (revision.definition_meta && !meta.empty()) entry["_meta"] = meta;
  return entry;
}

Tool DeclareTool(ToolSpec spec, Json input_schema) {
  CHECK(IsToolName(spec.name));
  Tool tool;
  tool.name = std::move(spec.name);
  tool.title = std::move(spec.title);
  tool.description = std::move(spec.description);
  tool.annotations = spec.annotations;
  tool.input_schema = std::move(input_schema);
  tool.patience = spec.patience;
  if (spec.always_load) tool.meta["anthropic/alwaysLoad"] = true;
  return tool;
}

// This is a separate coroutine, because the lambda in MakeTool has captures
// that a suspended frame would outlive.
Task<ToolResult> AnswerNow(ToolResult result) { co_return result; }

}  // namespace glasstty::mcp
