#include "session/prompt_watch.h"

#include <algorithm>

namespace glasstty::session {
namespace {

// Enter, and the characters that the terminal turns into signals or the end of
// a file (^C ^D ^Z ^\). After each of these, the line is empty.
constexpr std::string_view kEnders = "\r\n\x03\x04\x1a\x1c";

// Returns true for bytes that, unlike text, may change the state of a line
// editor without showing on the screen.
bool IsKey(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 || byte == 0x7F) &&
         kEnders.find(c) == std::string_view::npos;
}

}  // namespace

void PromptWatch::Ahead::Read(uint64_t upto, uint64_t end) {
  if (upto < serial || read >= serial) return;
  read = upto;
  log_end = end;
}

bool PromptWatch::Ahead::WasRead(uint64_t offset) const {
  return serial == 0 || (read >= serial && log_end <= offset);
}

void PromptWatch::Typed(uint64_t serial, std::string_view bytes,
                        record::ShellPhase phase) {
  Disturbed();
  // A write without bytes types an end of file.
  bool ends = bytes.empty() || kEnders.find(bytes.back()) != std::string::npos;
  plain_.last = ends ? LastInput::kEnder : LastInput::kText;
  if (phase == record::ShellPhase::kReady) {
    line_ = {.content = PromptLine::kUnknown, .entered = line_.entered};
    if (!line_.entered) {
      size_t end = bytes.find_first_of("\r\n");
      if (end == std::string_view::npos) return;
      line_.entered = true;
      bytes.remove_prefix(end + 1);
      if (bytes.empty()) return;
    }
  }
  typed_ahead_.serial = serial;
  TypedAhead(serial, bytes);
}

// If the shell is at its prompt, it has sent the query, and reads the answer.
void PromptWatch::Answered(uint64_t serial, std::string_view bytes,
                           record::ShellPhase phase) {
  Disturbed();
  if (plain_.last == LastInput::kEnder) plain_.last = LastInput::kAnswer;
  if (phase != record::ShellPhase::kReady) TypedAhead(serial, bytes);
}

void PromptWatch::SetShared(bool shared) {
  if (shared == shared_) return;
  shared_ = shared;
  Disturbed();
}

// Once others have entered a line at a prompt, nothing invisible is left, such
// as the first bytes of a key's escape sequence.
void PromptWatch::TypedByAnother(uint64_t serial, bool entered,
                                 record::ShellPhase phase) {
  Disturbed();
  bool is_new = entered && phase == record::ShellPhase::kReady;
  line_ = {.content = is_new ? PromptLine::kShown : PromptLine::kUnknown,
           .entered = line_.entered};
  plain_.last = entered ? LastInput::kEnder : LastInput::kText;
  ahead_.serial = keys_ahead_.serial = typed_ahead_.serial = serial;
}

// Records that the shell's next line may begin with these bytes.
void PromptWatch::TypedAhead(uint64_t serial, std::string_view bytes) {
  ahead_.serial = serial;
  if (std::any_of(bytes.begin(), bytes.end(), IsKey)) {
    keys_ahead_.serial = serial;
  }
}

void PromptWatch::Disturbed() { proven_ = {}; }

void PromptWatch::Read(uint64_t serial, uint64_t log_end, bool unfinished) {
  plain_.unfinished = unfinished;
  if (unfinished) return;
  for (Ahead* ahead : {&ahead_, &keys_ahead_, &typed_ahead_}) {
    ahead->Read(serial, log_end);
  }
}

// The shell began a line at `offset` of the log. Input that was read before
// then went to another program.
void PromptWatch::BeginLine(uint64_t offset) {
  bool is_empty = ahead_.WasRead(offset);
  line_.only_answers = !is_empty && typed_ahead_.WasRead(offset);
  line_.content = !keys_ahead_.WasRead(offset) ? PromptLine::kUnknown
                  : is_empty                   ? PromptLine::kEmpty
                                               : PromptLine::kShown;
}

void PromptWatch::Marked(const record::CommandLog& log, bool live,
                         uint64_t row_addresses) {
  const record::CommandBlock* last = log.Find(-1);
  proven_.run_ended = last != nullptr && last->run != 0 && last->finished;
  bool ready = log.phase() == record::ShellPhase::kReady;
  if (ready) addresses_at_prompt_ = row_addresses;
  if (log.prompts() != prompts_) {
    prompts_ = log.prompts();
    line_.entered = false;
    if (log.lines() != lines_) BeginLine(log.line_offset());
    lines_ = log.lines();
  }
  proven_.empty_line = live && ready && line() == PromptLine::kEmpty;
}

void PromptWatch::Judged(Activity activity, uint64_t row_addresses) {
  // The flag is never reset, because it is about the program's start only.
  bool waits = activity != Activity::kBusy && activity != Activity::kExited;
  if (waits) has_been_ready_ = true;
  if (activity == Activity::kPrompt) addresses_at_prompt_ = row_addresses;
}

void PromptWatch::Replayed() {
  has_been_ready_ = true;
  proven_ = {};
  line_ = {.content = PromptLine::kUnknown, .entered = line_.entered};
  plain_ = {.last = LastInput::kText, .unfinished = true};
}

}  // namespace glasstty::session
