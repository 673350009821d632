#include "mcp/ask.h"

#include <algorithm>
#include <chrono>
#include <coroutine>
#include <utility>

#include "mcp/questions.h"

namespace glasstty::mcp {
namespace {

constexpr char kElicit[] = "elicitation/create";
// Three fit into the minute after which clients give up a silent call.
constexpr Duration kHeartbeat = std::chrono::seconds(20);

// What a client must have declared to be asked something.
struct Asking {
  std::string_view method;
  const char* capability;
};
// A method that is not listed can never be asked.
constexpr Asking kAskings[] = {
    {kElicit, "elicitation"},
    {"sampling/createMessage", "sampling"},
    {"roots/list", "roots"},
};

// The questions of one call that are open (legacy). Lives in the frame of
// AskClient, which sleeps in it.
class OpenQuestions {
 public:
  explicit OpenQuestions(ToolCall* call)
      : call_(call), timer_(call->loop(), [this] { Wake(); }) {}
  OpenQuestions(const OpenQuestions&) = delete;
  OpenQuestions& operator=(const OpenQuestions&) = delete;
  // Nothing may call back any more.
  ~OpenQuestions() {
    for (const std::string& id : ids_) call_->questions()->Withdraw(id);
  }

  void Put(const ClientRequest& request) {
    ++missing_;
    ids_.push_back(call_->questions()->Put(
        call_->connection(), request.method, request.params,
        [this, key = request.key](const Json* result) { Take(key, result); }));
  }

  // Nothing to wait for any more: all is answered, or one never will be. One
  // question that failed settles all: a handler needs every answer.
  bool settled() const {
    return missing_ == 0 || failed_ || call_->cancellation()->cancelled();
  }
  bool answered() const { return missing_ == 0 && !failed_; }
  Json& answers() { return answers_; }

  // `co_await open` sleeps until settled, or until this time.
  void WakeAt(Time time) { timer_.Set(time); }
  bool await_ready() const { return settled(); }
  void await_suspend(std::coroutine_handle<> handle) {
    handle_ = handle;
    call_->cancellation()->Listen([this] { Wake(); });
  }
  void await_resume() { call_->cancellation()->Listen(nullptr); }

 private:
  void Take(const std::string& key, const Json* result) {
    --missing_;
    if (result == nullptr) {
      failed_ = true;
    } else {
      answers_[key] = *result;
    }
    if (settled()) Wake();
  }

  void Wake() {
    timer_.Clear();
    // An answer and a cancellation may come in one turn.
    if (auto handle = std::exchange(handle_, nullptr)) {
      call_->loop()->Resume(handle);
    }
  }

  ToolCall* const call_;  // borrowed
  // State.
  Timer timer_;
  std::vector<std::string> ids_;
  std::coroutine_handle<> handle_;
  size_t missing_ = 0;
  bool failed_ = false;
  Json answers_ = Json::object();
};

// The client's answer to a form. An "accept" without all the fields is a
// refusal: incomplete consent does not count as consent. What is malformed
// counts as dismissed.
FormAnswer ReadForm(const Json& answer, const Json& properties) {
  const Json* action = FindMember(answer, "action");
  const Json* content = FindMember(answer, "content");
  FormAnswer read;
  if (action == nullptr) return read;
  if (*action == "decline") read.consent = Consent::kNo;
  if (*action != "accept") return read;
  read.consent = Consent::kNo;
  for (auto item = properties.begin(); item != properties.end(); ++item) {
    if (content == nullptr || !content->contains(item.key())) return read;
  }
  read.consent = Consent::kYes;
  if (content != nullptr && content->is_object()) read.content = *content;
  return read;
}

// Answers of the modern era that can be none are asked for again.
bool IsAnswer(const std::string& method, const Json& answer) {
  if (!answer.is_object()) return false;
  if (method != kElicit) return true;
  const Json* action = FindMember(answer, "action");
  return action != nullptr &&
         (*action == "accept" || *action == "decline" || *action == "cancel");
}

// Modern: what has been answered is there; the rest is noted for the server,
// which sends it in place of the handler's result. The handler is run again
// from its beginning when the client comes back with the answers, and then
// finds them here.
ClientAnswers AskByRound(ToolCall* call,
                         const std::vector<ClientRequest>& requests) {
  ClientAnswers answers;
  answers.end = AskEnd::kAnswered;
  for (const ClientRequest& request : requests) {
    const Json* answer = FindMember(call->answers().asked, request.key);
    if (answer == nullptr && request.takes_volunteered) {
      answer = FindMember(call->answers().volunteered, request.key);
    }
    if (answer != nullptr && IsAnswer(request.method, *answer)) {
      answers.by_key[request.key] = *answer;
      continue;
    }
    answers.end = AskEnd::kLater;
    call->wanted()[request.key] = {{"method", request.method},
                                   {"params", request.params}};
  }
  return answers;
}

}  // namespace

bool CanAskClient(const ToolCall& call, std::string_view method) {
  const RequestContext& context = call.context();
  if (call.questions() == nullptr) return false;
  for (const Asking& asking : kAskings) {
    if (asking.method != method) continue;
    const Json* declared =
        FindMember(context.client_capabilities, asking.capability);
    if (declared == nullptr || !declared->is_object()) return false;
    if (method != kElicit) return true;
    // {} is older than the choice between a form and a URL, and means a form.
    return context.revision->forms &&
           (declared->empty() || declared->contains("form"));
  }
  return false;
}

bool CanAskUser(const ToolCall& call) { return CanAskClient(call, kElicit); }

Task<ClientAnswers> AskClient(ToolCall* call,
                              std::vector<ClientRequest> requests) {
  ClientAnswers answers;
  for (const ClientRequest& request : requests) {
    // All or none: a client is not asked half of what is needed.
    if (CanAskClient(*call, request.method)) continue;
    answers.end = AskEnd::kUnavailable;
    co_return answers;
  }
  if (call->context().era() == Era::kModern) {
    co_return AskByRound(call, requests);
  }
  OpenQuestions open(call);
  for (const ClientRequest& request : requests) open.Put(request);
  Time began = call->loop()->Now();
  // Not the tool's time-out: a person is slower than any program.
  Time deadline = began + Questions::kPatience;
  while (!open.settled() && call->loop()->Now() < deadline) {
    open.WakeAt(std::min(deadline, call->loop()->Now() + kHeartbeat));
    // Wakes for an answer, a cancellation or the next heartbeat; which one is
    // asked by the loop's condition.
    co_await open;
    call->Progress(call->loop()->Now() - began, "waiting for the user");
  }
  if (open.answered() && !call->cancellation()->cancelled()) {
    answers.end = AskEnd::kAnswered;
    answers.by_key = std::move(open.answers());
  }
  co_return answers;
}

Task<FormAnswer> AskUser(ToolCall* call, Form form) {
  Json required = Json::array();
  for (auto item = form.properties.begin(); item != form.properties.end();
       ++item) {
    required.push_back(item.key());
  }
  Json schema = {{"type", "object"}, {"properties", form.properties}};
  schema["required"] = std::move(required);
  ClientRequest request;
  request.key = form.key;
  request.method = kElicit;
  request.params = {{"message", form.message}};
  // Older revisions know forms only and have no word for them.
  if (call->context().revision->form_modes) request.params["mode"] = "form";
  request.params["requestedSchema"] = std::move(schema);
  std::vector<ClientRequest> requests;
  requests.push_back(std::move(request));

  ClientAnswers answers = co_await AskClient(call, std::move(requests));
  FormAnswer answer;
  switch (answers.end) {
    case AskEnd::kAnswered:
      answer = ReadForm(answers.by_key[form.key], form.properties);
      break;
    case AskEnd::kLater:
      answer.consent = Consent::kLater;
      break;
    case AskEnd::kUnavailable:
      answer.consent = Consent::kUnavailable;
      break;
    case AskEnd::kNobody:
      answer.consent = Consent::kDismissed;
      break;
  }
  co_return answer;
}

Task<Consent> Confirm(ToolCall* call, std::string message) {
  Form form;
  form.key = "ok";
  form.message = std::move(message);
  form.properties["confirm"] = {{"type", "boolean"}, {"title", "Confirm"}};
  FormAnswer answer = co_await AskUser(call, std::move(form));
  // Accepted with the box left empty.
  if (answer.consent == Consent::kYes && answer.content["confirm"] != true) {
    co_return Consent::kNo;
  }
  co_return answer.consent;
}

}  // namespace glasstty::mcp
