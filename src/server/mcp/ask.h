// Asks the user, or another part of the client, from inside a handler.
//
//   YesOrNo question{.message = "Run rm -rf build in main?"};
//   Consent consent = co_await Confirm(call, std::move(question));
//   if (consent == Consent::kLater) co_return ToolResult();
//   if (consent != Consent::kYes) co_return FailedPrecondition("...");
//
// Ask before the call has any effect. In the modern era (eras.h), a question
// ends the request. The client repeats the request with the answer, the handler
// is run again from its start, and the same question returns immediately. After
// kLater a handler must return; its result is dropped. An answer is found by
// the key of its question, so a call that asks twice needs two keys; Confirm
// makes one of the message, which must be the same in each run. In the legacy
// era, the handler sleeps until the client answers, usually at most
// Questions::kPatience; meanwhile, a client that sent a progress token gets
// notifications.
//
// Never ask for secrets, because clients store the input of their forms. A link
// to a page (LinkQuestion) keeps the secret out of the protocol. A caller must
// also handle clients that cannot ask (kUnavailable).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mcp/questions.h"
#include "mcp/tool.h"
#include "support/json.h"
#include "support/task.h"

namespace glasstty::mcp {

// Returns true if this client can show a form to its user. A handler may use
// this to choose its words; Confirm checks this, too.
bool CanAskUser(const ToolCall& call);

enum class Consent {
  kYes,
  kNo,           // declined, or sent without choosing "yes"
  kDismissed,    // closed, invalid, too late, cancelled, or an error of the
                 // client
  kUnavailable,  // this client cannot be asked
  kLater,        // return now; see above
};
// A question whose answer is yes or no. Some clients hide the message while the
// user answers, so the title and the description must say what the question is
// about.
struct YesOrNo {
  std::string message;
  std::string title = {};
  std::string description = {};
};
Task<Consent> Confirm(ToolCall* call, YesOrNo question);

// Asks with a form. `properties` are those of a flat JSON schema (strings,
// numbers, booleans, enums), all of them required.
struct Form {
  std::string key = "form";  // identifies the question within its call
  std::string message;
  Json properties = Json::object();
};
struct FormAnswer {
  // kYes: `content` has all properties, whose values are not validated.
  Consent consent = Consent::kDismissed;
  Json content = Json::object();
};
Task<FormAnswer> AskUser(ToolCall* call, Form form);

// Returns true if this client can ask its user to open a link.
bool CanOpenLinks(const ToolCall& call);

// A page that the user is asked to open. The model does not see the link.
struct Link {
  std::string key = "link";  // identifies the question within its call
  std::string message;       // without the URL, which the client shows
  std::string url;
  std::string id;  // identifies the page in LinkCompletion (legacy)
};
enum class LinkAnswer {
  kNone,       // not asked, or not answered yet
  kOpened,     // agreed; the user may still be busy with the page
  kDeclined,   // the user said no
  kDismissed,  // closed without an answer, or an error of the client
  kLater,      // return now; see above
};

// A question that asks the user to open a link; in the legacy era, it stays
// open until it is answered or this object is destroyed. Unlike the functions
// above, Ask does not wait, because the user may be done with the page before
// the client has answered. Borrows the call.
class LinkQuestion {
 public:
  // `answered` (legacy) is called from the loop when the answer comes. In the
  // modern era, an answer that came with the call is available immediately.
  LinkQuestion(ToolCall* call, std::string key, std::function<void()> answered);
  // Withdraws a question that has not been answered.
  ~LinkQuestion();
  LinkQuestion(const LinkQuestion&) = delete;
  LinkQuestion& operator=(const LinkQuestion&) = delete;

  LinkAnswer answer() const { return answer_; }
  // REQUIRES: CanOpenLinks, and answer() is kNone. Afterwards, answer() is
  // kLater in the modern era.
  void Ask(const Link& link);

 private:
  ToolCall* const call_;  // borrowed
  const std::string key_;
  const std::function<void()> answered_;
  LinkAnswer answer_ = LinkAnswer::kNone;
  std::string id_;  // the id of the open request; "": none is open
};

// Returns a function that notifies the client that the user is done with the
// page. It may be called after the call has ended. Clients of the modern era
// are not notified.
std::function<void()> LinkCompletion(const ToolCall& call, std::string id);

// ---- the parts of which the functions above consist

// A request to the client: elicitation/create, sampling/createMessage or
// roots/list.
struct ClientRequest {
  std::string key;  // identifies the answer
  std::string method;
  Json params = Json::object();
  // Also accepts an answer that the client sends before it is asked (modern).
  // Must be false if the question guards an action, because nobody can have
  // seen the question.
  bool takes_volunteered = false;
};
enum class AskEnd {
  kAnswered,     // every request has its answer
  kLater,        // return now
  kUnavailable,  // the client cannot be asked one of the requests
  kNobody,       // an error as the answer, no answer in time, or cancelled
};
struct ClientAnswers {
  AskEnd end = AskEnd::kNobody;
  Json by_key = Json::object();  // results as the client sent them
};
// Asks all requests at once. `patience` (legacy) is the time limit for the
// answers; a person needs longer than a program.
Task<ClientAnswers> AskClient(ToolCall* call,
                              std::vector<ClientRequest> requests,
                              Duration patience = Questions::kPatience);
// Returns true if the client has declared support for requests of this method.
bool CanAskClient(const ToolCall& call, std::string_view method);

}  // namespace glasstty::mcp
