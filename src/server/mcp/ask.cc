#include "mcp/ask.h"

#include <algorithm>
#include <chrono>
#include <coroutine>
#include <utility>

namespace glasstty::mcp {
namespace {

constexpr char kElicit[] = "elicitation/create";
// Three heartbeats fit into the minute after which clients give up on a silent
// call.
constexpr Duration kHeartbeat = std::chrono::seconds(20);

// A method of requests to the client, and the capability that it requires.
struct Asking {
  std::string_view method;
  const char* capability;
};
// Requests of other methods are never sent.
constexpr Asking kAskings[] = {
    {kElicit, "elicitation"},
    {"sampling/createMessage", "sampling"},
    {"roots/list", "roots"},
};

// The open questions of one call (legacy). It lives in the frame of AskClient,
// which awaits it.
class OpenQuestions {
 public:
  explicit OpenQuestions(ToolCall* call)
      : call_(call), timer_(call->loop(), [this] { Wake(); }) {}
  OpenQuestions(const OpenQuestions&) = delete;
  OpenQuestions& operator=(const OpenQuestions&) = delete;
  // Withdraws all questions, so that their callbacks no longer run.
  ~OpenQuestions() {
    for (const std::string& id : ids_) call_->questions()->Withdraw(id);
  }

  void Put(const ClientRequest& request) {
    ++missing_;
    ids_.push_back(call_->questions()->Put(
        call_->connection(), request.method, request.params,
        [this, key = request.key](const Json* result) { Take(key, result); }));
  }

  // Returns true if there is nothing to wait for: everything is answered, one
  // question has failed, or the call is cancelled. A single failure suffices,
  // because a handler needs every answer.
  bool settled() const {
    return missing_ == 0 || failed_ || call_->cancellation()->cancelled();
  }
  bool answered() const { return missing_ == 0 && !failed_; }
  Json& answers() { return answers_; }

  // `co_await open` sleeps until settled() or this time.
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
    // An answer and a cancellation may come in the same turn.
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

// Reads the client's answer to a form. An "accept" without all fields is a
// refusal, because incomplete consent does not count as consent. A malformed
// answer counts as dismissed.
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

// Returns whether the answer is valid; in the modern era, a question with an
// invalid answer is repeated.
bool IsAnswer(const std::string& method, const Json& answer) {
  if (!answer.is_object()) return false;
  if (method != kElicit) return true;
  const Json* action = FindMember(answer, "action");
  return action != nullptr &&
         (*action == "accept" || *action == "decline" || *action == "cancel");
}

// In the modern era, existing answers are returned; the other questions are
// stored for the server, which sends them in place of the handler's result.
// When the client repeats the request with the answers, the handler is run
// again from its beginning and finds them here.
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

// Reads the client's answer to a question for a link. A malformed answer counts
// as dismissed.
LinkAnswer ReadLinkAnswer(const Json& answer) {
  const Json* action = FindMember(answer, "action");
  if (action != nullptr && *action == "accept") return LinkAnswer::kOpened;
  if (action != nullptr && *action == "decline") return LinkAnswer::kDeclined;
  return LinkAnswer::kDismissed;
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
                              std::vector<ClientRequest> requests,
                              Duration patience) {
  ClientAnswers answers;
  for (const ClientRequest& request : requests) {
    // Ask a client everything or nothing, because a part of the answers is
    // useless.
    if (CanAskClient(*call, request.method)) continue;
    answers.end = AskEnd::kUnavailable;
    co_return answers;
  }
  if (call->context().era() == Era::kModern) {
    co_return AskByRound(call, requests);
  }
  OpenQuestions open(call);
  for (const ClientRequest& request : requests) open.Put(request);
  // The tool's time-out does not apply, because a person is slower than any
  // program.
  Time deadline = call->loop()->Now() + patience;
  while (!open.settled() && call->loop()->Now() < deadline) {
    open.WakeAt(std::min(deadline, call->loop()->Now() + kHeartbeat));
    // Wakes for an answer, a cancellation or the next heartbeat; the loop's
    // condition distinguishes them.
    co_await open;
    if (open.settled()) break;
    call->Progress("waiting for the user");
  }
  if (open.answered() && !call->cancellation()->cancelled()) {
    answers.end = AskEnd::kAnswered;
    answers.by_key = std::move(open.answers());
  }
  co_return answers;
}

bool CanOpenLinks(const ToolCall& call) {
  const RequestContext& context = call.context();
  const Json* declared = FindMember(context.client_capabilities, "elicitation");
  const Json* url =
      declared == nullptr ? nullptr : FindMember(*declared, "url");
  // Links and modes of questions were introduced in the same revision.
  return call.questions() != nullptr && context.revision->form_modes &&
         url != nullptr && url->is_object();
}

LinkQuestion::LinkQuestion(ToolCall* call, std::string key,
                           std::function<void()> answered)
    : call_(call), key_(std::move(key)), answered_(std::move(answered)) {
  const Json* brought = FindMember(call->answers().asked, key_);
  if (brought != nullptr && IsAnswer(kElicit, *brought)) {
    answer_ = ReadLinkAnswer(*brought);
  }
}

LinkQuestion::~LinkQuestion() {
  if (!id_.empty()) call_->questions()->Withdraw(id_);
}

void LinkQuestion::Ask(const Link& link) {
  Json params = {{"mode", "url"}, {"message", link.message}, {"url", link.url}};
  if (call_->context().era() == Era::kModern) {
    call_->wanted()[key_] = {{"method", kElicit}, {"params", params}};
    answer_ = LinkAnswer::kLater;
    return;
  }
  params["elicitationId"] = link.id;
  id_ = call_->questions()->Put(
      call_->connection(), kElicit, params, [this](const Json* result) {
        id_.clear();
        answer_ = result == nullptr ? LinkAnswer::kDismissed
                                    : ReadLinkAnswer(*result);
        answered_();
      });
}

std::function<void()> LinkCompletion(const ToolCall& call, std::string id) {
  if (call.context().era() == Era::kModern) return [] {};
  return [questions = call.questions(), connection = call.connection(),
          id = std::move(id)] { questions->Complete(connection, id); };
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
  // Older revisions support only forms and have no name for this mode.
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

// Uses a list of words instead of a check box, because VS Code offers "true"
// first for a boolean, regardless of its default. In a list, the first word is
// preselected. The key holds the message, because a yes must answer nothing
// that the user has not seen.
Task<Consent> Confirm(ToolCall* call, YesOrNo question) {
  Form form;
  form.key = "ok: " + question.message;
  form.message = std::move(question.message);
  Json field = {{"type", "string"}};
  field["title"] = question.title.empty() ? "Confirm" : question.title;
  if (!question.description.empty()) {
    field["description"] = question.description;
  }
  field["enum"] = Json::array({"no", "yes"});
  form.properties["confirm"] = std::move(field);
  FormAnswer answer = co_await AskUser(call, std::move(form));
  if (answer.consent == Consent::kYes && answer.content["confirm"] != "yes") {
    co_return Consent::kNo;
  }
  co_return answer.consent;
}

}  // namespace glasstty::mcp
