#include "record/meta.h"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "support/json.h"
#include "support/status.h"
#include "wire/session_files.h"

namespace glasstty::record {
namespace {

// Files of another format are rejected, because we must not take over the
// session of a newer server.
constexpr int kFormat = 1;

// Earlier servers wrote fewer flags; a missing one has its default.
struct Flag {
  const char* key;
  bool ProgramSpec::*member;
};
constexpr Flag kFlags[] = {
    {"keep", &ProgramSpec::keep},
    {"pipe", &ProgramSpec::pipe},
    {"record_input", &ProgramSpec::record_input},
    {"integrate", &ProgramSpec::integrate},
    {"tame_pagers", &ProgramSpec::tame_pagers},
};

// Allows the characters of names of sessions and of places' clients
// ("@ssh-host").
bool IsName(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') ||
           std::string_view("._-@").find(c) != std::string_view::npos;
  });
}

// Reads one member with a checked reader; returns `fallback` if it is missing
// or of another type.
template <class T, class Reader>
T Member(const Json& json, const char* key, Reader reader, T fallback) {
  const Json* member = FindMember(json, key);
  if (member == nullptr) return fallback;
  auto value = reader(*member);
  return value ? static_cast<T>(*value) : fallback;
}

// A word that is not a string becomes "", so that the other words keep their
// positions.
std::vector<std::string> Words(const Json& json, const char* key) {
  std::vector<std::string> words;
  const Json* member = FindMember(json, key);
  if (member == nullptr || !member->is_array()) return words;
  for (const Json& word : *member) {
    words.push_back(AsString(word).value_or(""));
  }
  return words;
}

}  // namespace

std::string EncodeMeta(const SessionOrigin& origin) {
  const ProgramSpec& program = origin.program;
  Json json = {
      {"format", kFormat},         {"id", origin.id},
      {"name", origin.name},       {"argv", program.argv},
      {"cwd", program.cwd},        {"rows", program.size.rows},
      {"cols", program.size.cols}, {"scrollback_rows", program.scrollback_rows},
      {"log_cap", origin.log_cap}, {"started_ms", origin.started_ms},
      {"nonce", origin.nonce}};
  if (!origin.place.empty()) {
    json["on"] = origin.place;
    json["on_words"] = origin.place_prefix;
    json["there"] = origin.directory_there;
  }
  for (const Flag& flag : kFlags) json[flag.key] = program.*flag.member;
  const Opener& opener = program.opener;
  if (!opener.name.empty()) {
    json["opener"] = {{"name", opener.name},
                      {"directory", opener.directory},
                      {"parent", opener.parent},
                      {"process", opener.process}};
  }
  return DumpJson(json) + "\n";
}

absl::StatusOr<SessionOrigin> DecodeMeta(const std::string& text) {
  ASSIGN_OR_RETURN(Json json, ParseJson(text));
  if (Member(json, "format", AsInteger, 0) != kFormat) {
    return InvalidArgument("meta.json has an unknown format");
  }
  SessionOrigin origin;
  origin.id = Member(json, "id", AsString, std::string());
  origin.name = Member(json, "name", AsString, std::string());
  origin.log_cap = Member(json, "log_cap", AsInteger, origin.log_cap);
  origin.started_ms = Member(json, "started_ms", AsInteger, int64_t{0});
  origin.nonce = Member(json, "nonce", AsString, std::string());
  origin.place = Member(json, "on", AsString, std::string());
  origin.directory_there = Member(json, "there", AsString, std::string());
  ProgramSpec& program = origin.program;
  program.cwd = Member(json, "cwd", AsString, std::string());
  program.size.rows = Member(json, "rows", AsInteger, 0);
  program.size.cols = Member(json, "cols", AsInteger, 0);
  program.scrollback_rows =
      Member(json, "scrollback_rows", AsInteger, program.scrollback_rows);
  for (const Flag& flag : kFlags) {
    bool* value = &(program.*flag.member);
    *value = Member(json, flag.key, AsBool, *value);
  }
  if (const Json* opener = FindMember(json, "opener")) {
    program.opener = {Member(*opener, "name", AsString, std::string()),
                      Member(*opener, "directory", AsString, std::string()),
                      Member(*opener, "parent", AsInteger, pid_t{0}),
                      Member(*opener, "process", AsInteger, pid_t{0})};
  }
  program.argv = Words(json, "argv");
  origin.place_prefix = Words(json, "on_words");
  // Without these, the session can be neither addressed nor shown; everything
  // else has a default.
  if (origin.name.empty() || program.argv.empty()) {
    return InvalidArgument("meta.json lacks the name or argv");
  }
  // Replies begin with the name in brackets, without quotes.
  if (!IsName(origin.name)) {
    return InvalidArgument("meta.json has a name that no session can have");
  }
  return origin;
}

absl::StatusOr<SessionOrigin> ReadMeta(const Folder& folder) {
  constexpr size_t kMaxMeta = 1 << 20;  // bytes; argv may be long
  Folder::Hold directory = folder.Open();
  if (!directory->valid()) return ErrnoStatus("open", "its directory");
  std::string text;
  if (!ReadFileAt(directory->get(), wire::kMetaName, kMaxMeta, &text)) {
    if (errno == ENOENT) return NotFound("no %s", wire::kMetaName);
    return ErrnoStatus("read", wire::kMetaName);
  }
  auto origin = DecodeMeta(text);
  if (!origin.ok()) return InvalidArgument("%s", Message(origin.status()));
  return origin;
}

}  // namespace glasstty::record
