// term_write_file: write a file beside a session, without a shell in between.
#include <optional>
#include <string>
#include <utility>

#include "session/file_writer.h"
#include "support/encodings.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/reply.h"

namespace glasstty {

template <>
struct EnumNames<Encoding> {
  static constexpr std::string_view kNames[] = {"utf-8", "ascii", "latin1",
                                                "base64", "hex"};
};

namespace {

struct WriteFileArgs {
  std::string session;
  std::string path;
  std::string content;
  Encoding encoding = Encoding::kUtf8;
  bool append = false;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<Field<WriteFileArgs>>& Fields() {
    using A = WriteFileArgs;
    static const auto* fields = new std::vector<Field<A>>{
        Required("path", &A::path, "Or relative to the session's directory."),
        Required("content", &A::content, ""),
        Optional("encoding", &A::encoding, ""),
        Optional("append", &A::append, ""),
        Optional("session", &A::session, ""),
        Optional("format", &A::format, ""),
    };
    return *fields;
  }
};

// The path to write to. A session is needed only where the path or the agent
// names one. Error: no such session.
Task<absl::StatusOr<std::string>> FindPath(Workbench* bench, ToolCall* call,
                                           std::string path, std::string name) {
  // "~/a" is none.
  bool relative = AbsolutePath(path, "") == "/" + path;
  if (!relative && name.empty()) co_return AbsolutePath(path, "/");
  auto session = co_await bench->FindSession(call, std::move(name));
  if (!session.ok()) co_return session.status();
  std::vector<SessionRef> sessions(1, *session);
  co_await bench->AwaitStates(call, std::move(sessions));
  co_return AbsolutePath(path, WorkingDirectory(**session));
}

absl::Status CheckPath(const std::string& path) {
  if (path.empty()) return InvalidArgument("term_write_file: 'path' is empty");
  if (path.find('\0') != std::string::npos) {
    return InvalidArgument("term_write_file: 'path' holds a NUL byte");
  }
  if (path.back() == '/') {
    return InvalidArgument("term_write_file: '%s' names a directory", path);
  }
  return absl::OkStatus();
}

// "wrote /srv/app/a.txt: 12 bytes, new file".
ToolResult Describe(const FileWriter& file, const WriteFileArgs& args) {
  ToolResult result;
  if (args.format == ReplyFormat::kJson) {
    result.structured = Json{{"path", file.path()},
                             {"size", file.size()},
                             {"created", file.created()},
                             {"append", args.append},
                             {"in_place", file.in_place()}};
    result.text = DumpJson(*result.structured);
    return result;
  }
  // A name may hold a newline, and the reply is one line.
  result.text =
      absl::StrFormat("%s %s: %d bytes", args.append ? "appended to" : "wrote",
                      CleanText(file.path()), file.size());
  if (file.created()) result.text += ", new file";
  if (file.in_place()) {
    result.text +=
        ", written in place (its directory or owner allowed no other way)";
  }
  return result;
}

Task<ToolResult> WriteFile(Workbench* bench, ToolCall* call,
                           WriteFileArgs args) {
  if (absl::Status ok = CheckPath(args.path); !ok.ok()) co_return ok;
  auto bytes = DecodeBytes(args.content, args.encoding);
  if (!bytes.ok()) {
    co_return InvalidArgument("term_write_file: 'content' is no %s",
                              Message(bytes.status()));
  }
  ASSIGN_OR_CO_RETURN(std::string path,
                      co_await FindPath(bench, call, args.path, args.session));
  ASSIGN_OR_CO_RETURN(
      FileWriter file,
      FileWriter::Open(std::move(path), args.append
                                            ? FileWriter::Mode::kAppend
                                            : FileWriter::Mode::kReplace));
  if (absl::Status s = file.Write(*bytes); !s.ok()) co_return s;
  if (absl::Status s = file.Commit(); !s.ok()) co_return s;
  co_return Describe(file, args);
}

}  // namespace

Tool WriteFileTool(Workbench* bench) {
  return MakeTool<WriteFileArgs>(
      bench,
      {.name = "term_write_file",
       .title = "Write a file",
       .description =
           "Write a file exactly and atomically, without shell quoting; keeps "
           "links, mode and owner.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = false,
                       .open_world = false}},
      WriteFile);
}

}  // namespace glasstty
