// Asking the user, or another part of the client, from inside a handler.
//
//   Consent consent = co_await Confirm(call, "Run rm -rf build in main?");
//   if (consent == Consent::kLater) co_return ToolResult();
//   if (consent != Consent::kYes) co_return FailedPrecondition("...");
//
// Ask before anything is done. In the modern era a question ends the request;
// the client repeats it with the answer, the handler is run again from its
// start, and the same question returns at once. After kLater a handler must
// return; what it returns is dropped. In the legacy era the handler sleeps
// until the client answers, at most Questions::kPatience, and the client hears
// of it when it sent a progress token.
//
// Never ask for secrets: clients keep what is typed into their forms. A caller
// must also handle clients that cannot ask (kUnavailable).
#pragma once

#include <string>
#include <vector>

#include "mcp/tool.h"
#include "support/json.h"
#include "support/task.h"

namespace glasstty::mcp {

// True when this client can show a form to its user. A handler may use it to
// choose its words; Confirm finds out by itself.
bool CanAskUser(const ToolCall& call);

enum class Consent {
  kYes,
  kNo,           // declined, or sent without the tick
  kDismissed,    // closed without an answer, or not answered in time
  kUnavailable,  // this client cannot be asked
  kLater,        // return now; see above
};
// Asks a question that has yes and no for an answer.
Task<Consent> Confirm(ToolCall* call, std::string message);

// The same for a form. `properties` are those of a flat JSON schema (strings,
// numbers, booleans, enums), all of them required.
struct Form {
  std::string key = "form";  // names the question among those of one call
  std::string message;
  Json properties = Json::object();
};
struct FormAnswer {
  // kYes: `content` holds what was filled in, checked for its presence only.
  Consent consent = Consent::kDismissed;
  Json content = Json::object();
};
Task<FormAnswer> AskUser(ToolCall* call, Form form);

// ---- what the above are made of

// A request to the client: elicitation/create, sampling/createMessage or
// roots/list.
struct ClientRequest {
  std::string key;  // names the answer
  std::string method;
  Json params = Json::object();
  // An answer is also taken when it comes before the question (modern): not
  // where the question guards something, for it answers another one.
  bool takes_volunteered = false;
};
enum class AskEnd {
  kAnswered,     // every request has its answer
  kLater,        // return now
  kUnavailable,  // the client has not declared that it can be asked this
  kNobody,       // an error for an answer, no answer in time, or cancelled
};
struct ClientAnswers {
  AskEnd end = AskEnd::kNobody;
  Json by_key = Json::object();  // results as the client sent them
};
// Asks for everything at once.
Task<ClientAnswers> AskClient(ToolCall* call,
                              std::vector<ClientRequest> requests);
// True when the client has declared that it can be asked this.
bool CanAskClient(const ToolCall& call, std::string_view method);

}  // namespace glasstty::mcp
