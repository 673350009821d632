#include "session/prompt_watch.h"

#include <algorithm>

namespace glasstty::session {
namespace {

// Enter, and the characters that the terminal turns into signals and ends
// (^C ^D ^Z ^\): they leave no line behind.
constexpr std::string_view kEnders = "\r\n\x03\x04\x1a\x1c";

// True for bytes that may change the state of a line editor without showing on
// the screen, as text does.
bool IsKey(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 || byte == 0x7F) &&
         kEnders.find(c) == std::string_view::npos;
}

}  // namespace

void PromptWatch::Typed(uint64_t serial, std::string_view bytes,
                        record::ShellPhase phase) {
  Disturbed();
  answered_ = false;
  // A write without bytes is an end of file.
  open_ = !bytes.empty() && kEnders.find(bytes.back()) == std::string::npos;
  if (phase == record::ShellPhase::kReady) {
    line_ = PromptLine::kUnknown;
    holds_answers_ = false;
    if (!entered_) {
      size_t end = bytes.find_first_of("\r\n");
      if (end == std::string_view::npos) return;
      entered_ = true;
      bytes.remove_prefix(end + 1);
      if (bytes.empty()) return;
    }
  }
  typed_ahead_ = serial;
  TypedAhead(serial, bytes);
}

// If the shell is at its prompt, the shell itself has asked the terminal.
void PromptWatch::Answered(uint64_t serial, std::string_view bytes,
                           record::ShellPhase phase) {
  Disturbed();
  answered_ = true;
  if (phase != record::ShellPhase::kReady) TypedAhead(serial, bytes);
}

void PromptWatch::SetShared(bool shared) {
  if (shared == shared_) return;
  shared_ = shared;
  Disturbed();
}

// A line that was entered at a prompt has left nothing invisible behind, such
// as half of a key.
void PromptWatch::TypedByAnother(uint64_t serial, bool entered,
                                 record::ShellPhase phase) {
  Disturbed();
  bool is_new = entered && phase == record::ShellPhase::kReady;
  line_ = is_new ? PromptLine::kShown : PromptLine::kUnknown;
  holds_answers_ = false;
  answered_ = false;
  open_ = !entered;
  ahead_ = serial;
  ahead_keys_ = serial;
  typed_ahead_ = serial;
}

// The shell's next line may begin with these bytes.
void PromptWatch::TypedAhead(uint64_t serial, std::string_view bytes) {
  ahead_ = serial;
  if (std::any_of(bytes.begin(), bytes.end(), IsKey)) ahead_keys_ = serial;
}

void PromptWatch::Disturbed() {
  fresh_ = false;
  run_ended_ = false;
}

void PromptWatch::Read(uint64_t serial, uint64_t log_end, bool unfinished) {
  unfinished_ = unfinished;
  if (unfinished) return;
  // Only the first receipt counts, because it gives the earliest known time of
  // the read.
  if (serial >= ahead_ && read_.serial < ahead_) read_ = {serial, log_end};
  if (serial >= ahead_keys_ && keys_read_.serial < ahead_keys_) {
    keys_read_ = {serial, log_end};
  }
  if (serial >= typed_ahead_ && typed_read_.serial < typed_ahead_) {
    typed_read_ = {serial, log_end};
  }
}

// Returns the contents of a line that the shell began at `offset` of the log.
// Input that was read before then went to another program.
PromptLine PromptWatch::LineBegun(uint64_t offset) {
  auto was_read = [offset](uint64_t write, const Receipt& receipt) {
    return write == 0 || (receipt.serial >= write && receipt.log_end <= offset);
  };
  holds_answers_ =
      !was_read(ahead_, read_) && was_read(typed_ahead_, typed_read_);
  if (!was_read(ahead_keys_, keys_read_)) return PromptLine::kUnknown;
  return was_read(ahead_, read_) ? PromptLine::kEmpty : PromptLine::kShown;
}

void PromptWatch::Marked(const record::CommandLog& log, bool live,
                         uint64_t row_addresses) {
  const record::CommandBlock* last = log.Find(-1);
  run_ended_ = last != nullptr && last->run != 0 && last->finished;
  bool ready = log.phase() == record::ShellPhase::kReady;
  if (ready) addresses_at_prompt_ = row_addresses;
  if (log.prompts() != prompts_) {
    prompts_ = log.prompts();
    entered_ = false;
    if (log.lines() != lines_) line_ = LineBegun(log.line_offset());
    lines_ = log.lines();
  }
  fresh_ = live && ready && line() == PromptLine::kEmpty;
}

void PromptWatch::Judged(Activity activity, uint64_t row_addresses) {
  // Once is enough: later busy times are not the start.
  bool waits = activity != Activity::kBusy && activity != Activity::kExited;
  if (waits) has_been_ready_ = true;
  if (activity == Activity::kPrompt) addresses_at_prompt_ = row_addresses;
}

void PromptWatch::Replayed() {
  has_been_ready_ = true;
  fresh_ = false;
  line_ = PromptLine::kUnknown;
  holds_answers_ = false;
  answered_ = false;
  open_ = true;
  unfinished_ = true;
}

}  // namespace glasstty::session
