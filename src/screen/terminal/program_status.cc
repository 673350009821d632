#include "terminal/program_status.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "absl/strings/str_format.h"
#include "support/encodings.h"
#include "support/text.h"

namespace glasstty::terminal {
namespace {

// The limits of the protocol, in bytes. Those of texts apply after decoding
// Base64.
constexpr size_t kMaxReport = 4096;
constexpr size_t kMaxMessage = 2048;
constexpr size_t kMaxTitle = 192;
constexpr size_t kMaxApp = 32;
constexpr size_t kMaxId = 128;
constexpr size_t kMaxIdPart = 32;
constexpr size_t kMaxIdParts = 8;
constexpr size_t kMaxRecords = 64;
constexpr int kMaxProgress = 100;

struct Parsed {
  std::optional<ProgramState> state;
  bool is_clear = false;
  std::string id;
  ProgramStatus status;
};

// Removes the front of the text up to and including the first `end`, and
// returns it without the `end`.
std::string_view TakeUntil(char end, std::string_view* text) {
  std::string_view part = text->substr(0, text->find(end));
  text->remove_prefix(std::min(part.size() + 1, text->size()));
  return part;
}

template <size_t N>
std::optional<size_t> IndexIn(const std::string_view (&names)[N],
                              std::string_view name) {
  auto it = std::find(names, names + N, name);
  if (it == names + N) return std::nullopt;
  return it - names;
}

// Returns true if the text is valid UTF-8 without control characters.
bool IsText(std::string_view text) { return CleanText(text) == text; }

// Decodes a text. Line ends and tabs become blanks; other controls are not
// allowed.
bool DecodeText(std::string_view base64, size_t most, std::string* out) {
  auto bytes = DecodeBytes(base64, Encoding::kBase64);
  if (!bytes.ok() || bytes->size() > most) return false;
  for (char& c : *bytes) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  *out = *std::move(bytes);
  return IsText(*out);
}

bool IsId(std::string_view id) {
  if (id.size() > kMaxId || !IsText(id)) return false;
  std::vector<std::string> parts = Split(id, '/');
  return parts.size() <= kMaxIdParts &&
         std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
           return !part.empty() && part.size() <= kMaxIdPart;
         });
}

// Each of these parses a value into `to`, and returns false if it is invalid or
// exceeds a limit. An unknown kind of question is accepted.
bool TakeState(std::string_view value, Parsed* to) {
  to->is_clear = value == "clear";
  auto index = IndexIn(kProgramStateNames, value);
  if (index) to->state = static_cast<ProgramState>(*index);
  return index || to->is_clear;
}
bool TakeKind(std::string_view value, Parsed* to) {
  auto index = IndexIn(kBlockedByNames, value);
  to->status.blocked_by = static_cast<BlockedBy>(index.value_or(0));
  return true;
}
bool TakeApp(std::string_view value, Parsed* to) {
  to->status.app = std::string(value);
  return value.size() <= kMaxApp && IsText(value);
}
bool TakeId(std::string_view value, Parsed* to) {
  to->id = std::string(value);
  return IsId(value);
}
bool TakeMessage(std::string_view value, Parsed* to) {
  return DecodeText(value, kMaxMessage, &to->status.message);
}
bool TakeTitle(std::string_view value, Parsed* to) {
  return DecodeText(value, kMaxTitle, &to->status.title);
}
bool TakeProgress(std::string_view value, Parsed* to) {
  int number = 0;
  const char* last = value.data() + value.size();
  auto [end, error] = std::from_chars(value.data(), last, number);
  to->status.progress = number;
  return error == std::errc() && end == last && number >= 0 &&
         number <= kMaxProgress;
}

struct Key {
  std::string_view name;
  bool (*take)(std::string_view value, Parsed* to);
};
constexpr Key kKeys[] = {
    {"state", TakeState},       {"kind", TakeKind},
    {"app", TakeApp},           {"id", TakeId},
    {"msg", TakeMessage},       {"title", TakeTitle},
    {"progress", TakeProgress},
};

// Unknown keys are skipped, because later versions may add keys.
std::optional<Parsed> Parse(std::string_view text) {
  if (text.size() > kMaxReport) return std::nullopt;
  Parsed parsed;
  while (!text.empty()) {
    std::string_view value = TakeUntil(':', &text);
    std::string_view name = TakeUntil('=', &value);
    for (const Key& key : kKeys) {
      if (key.name == name && !key.take(value, &parsed)) return std::nullopt;
    }
  }
  if (!parsed.state && !parsed.is_clear) return std::nullopt;
  if (parsed.state) parsed.status.state = *parsed.state;
  if (parsed.state != ProgramState::kBlocked) {
    parsed.status.blocked_by = BlockedBy::kUnknown;
  }
  return parsed;
}

// Returns true if `id` is `top` or below it, as "a/b" is below "a". The empty
// id of the program itself is above all others.
bool IsAtOrBelow(std::string_view id, std::string_view top) {
  return top.empty() || id == top ||
         (id.starts_with(top) && id[top.size()] == '/');
}

}  // namespace

std::string StatusWord(const ProgramStatus& status) {
  std::string word(kProgramStateNames[static_cast<size_t>(status.state)]);
  if (status.blocked_by != BlockedBy::kUnknown) {
    auto by = static_cast<size_t>(status.blocked_by);
    return absl::StrFormat("%s(%s)", word, std::string(kBlockedByNames[by]));
  }
  if (status.progress) word += absl::StrFormat("(%d%%)", *status.progress);
  return word;
}

bool ProgramStatuses::Report(std::string_view text) {
  std::optional<Parsed> parsed = Parse(text);
  if (!parsed) return false;
  ++reports_;
  std::erase_if(records_, [&parsed](const Record& record) {
    return parsed->is_clear ? IsAtOrBelow(record.first, parsed->id)
                            : record.first == parsed->id;
  });
  if (parsed->is_clear) return true;
  auto oldest =
      std::find_if(records_.begin(), records_.end(),
                   [](const Record& record) { return !record.first.empty(); });
  if (records_.size() > kMaxRecords) records_.erase(oldest);
  records_.emplace_back(std::move(parsed->id), std::move(parsed->status));
  return true;
}

const ProgramStatus* ProgramStatuses::shown() const {
  auto rank = [](const Record& record) {
    bool is_blocked = record.second.state == ProgramState::kBlocked;
    return (is_blocked ? 2 : 0) + (record.first.empty() ? 1 : 0);
  };
  const Record* shown = nullptr;
  for (const Record& record : records_) {
    if (shown == nullptr || rank(record) >= rank(*shown)) shown = &record;
  }
  return shown == nullptr ? nullptr : &shown->second;
}

void ProgramStatuses::Carry(StateCodec* codec) {
  codec->Carry(&reports_);
  size_t count = records_.size();
  codec->Carry(&count, 0, kMaxRecords + 1);
  records_.resize(count);
  for (auto& [id, status] : records_) {
    codec->Carry(&id, kMaxId);
    codec->Carry(&status.state, ProgramState::kIdle, ProgramState::kError);
    codec->Carry(&status.blocked_by, BlockedBy::kUnknown, BlockedBy::kAuth);
    int progress = status.progress.value_or(kMaxProgress + 1);
    codec->Carry(&progress, 0, kMaxProgress + 1);
    status.progress.reset();
    if (progress <= kMaxProgress) status.progress = progress;
    codec->Carry(&status.app, kMaxApp);
    codec->Carry(&status.message, kMaxMessage);
    codec->Carry(&status.title, kMaxTitle);
  }
}

}  // namespace glasstty::terminal
