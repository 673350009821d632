#include "wire/put_file.h"

#include <charconv>

#include "wire/fields.h"

namespace glasstty::wire {
namespace {

constexpr std::string_view kResultWord = "glasstty-put:";
constexpr const char* kAppend = "append";
constexpr const char* kReplace = "replace";
constexpr char kDigits[] = "0123456789abcdef";

template <typename Number>
bool ToNumber(const std::string& text, Number* number) {
  const char* end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, *number);
  return result.ec == std::errc() && result.ptr == end;
}

std::string ToHex(std::string_view bytes) {
  std::string hex;
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

bool FromHex(std::string_view hex, std::string* bytes) {
  constexpr std::string_view kAll = kDigits;
  if (hex.size() % 2 != 0) return false;
  for (size_t i = 0; i < hex.size(); i += 2) {
    size_t high = kAll.find(hex[i]), low = kAll.find(hex[i + 1]);
    if (high == std::string::npos || low == std::string::npos) return false;
    bytes->push_back(static_cast<char>(high * 16 + low));
  }
  return true;
}

}  // namespace

// The holder forks and executes this: /proc/self/exe is the holder's program.
std::vector<std::string> EncodePut(const PutRequest& request) {
  bool appends = request.mode == FileReplacement::Mode::kAppend;
  std::vector<std::string> words = {"/proc/self/exe",
                                    "--put",
                                    appends ? kAppend : kReplace,
                                    std::to_string(request.size),
                                    request.path,
                                    request.directory};
  for (int process : request.processes) {
    words.push_back(std::to_string(process));
  }
  return words;
}

bool DecodePut(const std::vector<std::string>& words, PutRequest* request) {
  if (words.size() < 4) return false;
  bool appends = words[0] == kAppend;
  if (!appends && words[0] != kReplace) return false;
  request->mode = appends ? FileReplacement::Mode::kAppend
                          : FileReplacement::Mode::kReplace;
  if (!ToNumber(words[1], &request->size)) return false;
  request->path = words[2];
  request->directory = words[3];
  for (size_t i = 4; i < words.size(); ++i) {
    int process;
    if (!ToNumber(words[i], &process)) return false;
    request->processes.push_back(process);
  }
  return !request->path.empty();
}

std::string EncodePutResult(const PutResult& result) {
  std::string fields;
  AppendField(static_cast<uint64_t>(result.problem.kind), &fields);
  AppendField(static_cast<uint64_t>(result.problem.error), &fields);
  AppendField(result.problem.path, &fields);
  AppendField(result.problem.text, &fields);
  AppendField(result.path, &fields);
  AppendField(uint64_t{result.created}, &fields);
  AppendField(uint64_t{result.in_place}, &fields);
  AppendField(static_cast<uint64_t>(result.size), &fields);
  return std::string(kResultWord) + ToHex(fields);
}

bool DecodePutResult(std::string_view line, PutResult* result) {
  std::string fields;
  if (!line.starts_with(kResultWord) ||
      !FromHex(line.substr(kResultWord.size()), &fields)) {
    return false;
  }
  FieldReader reader(fields);
  uint8_t kind, created, in_place;
  bool good =
      reader.TakeNumber(&kind) && reader.TakeNumber(&result->problem.error) &&
      reader.Take(&result->problem.path) &&
      reader.Take(&result->problem.text) && reader.Take(&result->path) &&
      reader.TakeNumber(&created) && reader.TakeNumber(&in_place) &&
      reader.TakeNumber(&result->size) && reader.done();
  constexpr auto kLast = static_cast<uint8_t>(FileProblem::Kind::kWrongKind);
  if (!good || kind > kLast) return false;
  result->problem.kind = static_cast<FileProblem::Kind>(kind);
  result->created = created != 0;
  result->in_place = in_place != 0;
  return true;
}

}  // namespace glasstty::wire
