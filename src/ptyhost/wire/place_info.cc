#include "wire/place_info.h"

#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/clock.h"
#include "base/fd.h"
#include "base/shells.h"
#include "wire/fields.h"

namespace glasstty::wire {
namespace {

std::string Variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

std::string ByteOrder() {
  uint64_t one = 1;
  unsigned char bytes[sizeof one];
  std::memcpy(bytes, &one, sizeof one);
  std::string text;
  for (unsigned char byte : bytes) text += byte == 1 ? "01" : "00";
  return text;
}

std::string BootId() {
  std::string text;
  UniqueFd directory;  // the path is absolute
  ReadFileAt(directory.get(), "/proc/sys/kernel/random/boot_id", 64, &text);
  return text.substr(0, text.find('\n'));
}

// Falls back to "/", because the home directories of service accounts may not
// exist.
std::string OwnHome() {
  std::string home = Variable("HOME");
  return !home.empty() && access(home.c_str(), X_OK) == 0 ? home : "/";
}

// The fields that are strings, in the order in which they are sent.
constexpr std::string HelloInfo::*kHelloTexts[] = {
    &HelloInfo::byte_order, &HelloInfo::boot_id, &HelloInfo::system,
    &HelloInfo::user,       &HelloInfo::home,    &HelloInfo::shell,
    &HelloInfo::sessions};

}  // namespace

HelloInfo OwnHello() {
  HelloInfo hello;
  hello.lowest = hello.highest = 1;
  hello.byte_order = ByteOrder();
  hello.boot_id = BootId();
  utsname names{};
  uname(&names);
  hello.system = std::string(names.sysname) + " " + names.release + " " +
                 names.machine + " " + names.nodename;
  hello.home = OwnHome();
  // The shell of a service account may reject the user; FirstShell finds one.
  hello.shell = FirstShell({Variable("SHELL")});
  hello.user = Variable("USER");
  for (char** entry = environ; *entry != nullptr; ++entry) {
    hello.environment.emplace_back(*entry);
  }
  hello.monotonic_ns =
      static_cast<uint64_t>(MonotonicNow().time_since_epoch().count());
  return hello;
}

std::string EncodeHello(const HelloInfo& hello) {
  std::string out;
  AppendField(hello.lowest, &out);
  AppendField(hello.highest, &out);
  for (auto text : kHelloTexts) AppendField(hello.*text, &out);
  AppendFields(hello.environment, &out);
  AppendField(hello.monotonic_ns, &out);
  return out;
}

bool DecodeHello(std::string_view payload, HelloInfo* hello) {
  FieldReader reader(payload);
  bool whole =
      reader.TakeNumber(&hello->lowest) && reader.TakeNumber(&hello->highest);
  for (auto text : kHelloTexts) whole = whole && reader.Take(&(hello->*text));
  whole = whole && reader.TakeList(&hello->environment);
  return whole && (reader.done() || reader.TakeNumber(&hello->monotonic_ns));
}

std::string EncodeOpen(const OpenInfo& info) {
  std::string out;
  AppendField(info.id, &out);
  AppendBytes(EncodeSpec(info.spec), &out);
  AppendField(info.files.size(), &out);
  for (const FarFile& file : info.files) {
    AppendField(file.name, &out);
    AppendBytes(file.content, &out);
  }
  return out;
}

bool DecodeOpen(std::string_view payload, OpenInfo* info) {
  FieldReader reader(payload);
  std::string spec;
  size_t count = 0;
  bool whole = reader.Take(&info->id) && IsSessionId(info->id) &&
               reader.TakeBytes(&spec) && DecodeSpec(spec, &info->spec) &&
               reader.TakeNumber(&count);
  info->files.clear();
  for (size_t i = 0; whole && i < count; ++i) {
    FarFile file;
    whole = reader.Take(&file.name) && reader.TakeBytes(&file.content);
    info->files.push_back(std::move(file));
  }
  return whole && reader.done();
}

std::string EncodeAttach(const AttachInfo& info) {
  std::string out;
  AppendField(info.id, &out);
  AppendField(info.out, &out);
  AppendField(info.err, &out);
  AppendField(info.events, &out);
  AppendField(info.input, &out);
  return out;
}

bool DecodeAttach(std::string_view payload, AttachInfo* info) {
  FieldReader reader(payload);
  return reader.Take(&info->id) && IsSessionId(info->id) &&
         reader.TakeNumber(&info->out) && reader.TakeNumber(&info->err) &&
         reader.TakeNumber(&info->events) && reader.TakeNumber(&info->input) &&
         reader.done();
}

bool IsSessionId(std::string_view id) {
  return id.size() == 32 && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace glasstty::wire
