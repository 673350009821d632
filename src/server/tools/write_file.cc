// term_write_file: writes a file for a session, without a shell in between.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "record/file_writer.h"
#include "session/streams.h"
#include "support/encodings.h"
#include "support/home.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/first_wait.h"
#include "tools/output_args.h"
#include "tools/pictures.h"
#include "tools/reply.h"
#include "tools/session_words.h"
#include "tools/until_args.h"
#include "typing/put_file.h"
#include "view/drain.h"

namespace glasstty {

using record::FileWriter;
using session::SessionRef;

template <>
struct mcp::EnumNames<Encoding> {
  static constexpr std::string_view kNames[] = {"utf-8", "ascii", "latin1",
                                                "base64", "hex"};
};

// Selects which part of a session's output is written instead of `content`.
enum class FileOutput { kNone, kNew, kAll, kLines, kPicture };
template <>
struct mcp::EnumNames<FileOutput> {
  static constexpr std::string_view kNames[] = {"none", "new", "all", "lines",
                                                "picture"};
};

namespace {

// Exactly one of `content` and `output` is set; see CheckOutput.
struct WriteFileArgs {
  std::string session;
  std::string path;
  std::optional<std::string> content;
  FileOutput output = FileOutput::kNone;
  // For kLines: as in term_read.
  int64_t from_line = -100;
  int64_t lines = 100;
  // Writes the log's bytes instead of lines.
  bool raw = false;
  // For sessions without a terminal. With `raw`, only one stream is written.
  view::OutputStream stream = view::OutputStream::kBoth;
  // For kNew: starts at this line (or byte, if raw) instead of the mark.
  std::optional<int64_t> since;
  // For kPicture: shows the screen at this moment instead of now.
  std::optional<Moment> at;
  // Waits for this condition first.
  std::optional<UntilArgs> until;
  double timeout_s = 30;
  Encoding encoding = Encoding::kUtf8;
  bool append = false;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<mcp::Field<WriteFileArgs>>& Fields() {
    using A = WriteFileArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>{
        mcp::Required("path", &A::path, "Absolute, or from the session's cwd."),
        mcp::Optional("content", &A::content, "", mcp::AnyBytes{}),
        mcp::Optional("output", &A::output,
                      "The session's output instead; new counts as read."),
        Brief(mcp::Optional("from_line", &A::from_line, "",
                            mcp::Range{-1e15, 1e15})),
        Brief(mcp::Optional("lines", &A::lines, "", mcp::Range{1, 1e15})),
        mcp::Unlisted(
            mcp::Optional("raw", &A::raw, "Write the raw bytes of the log.")),
        mcp::Unlisted(
            mcp::Optional("stream", &A::stream,
                          "For sessions without a terminal: both, out, err. "
                          "raw=true writes one: out unless err is named.")),
        mcp::Unlisted(mcp::Optional("since", &A::since,
                                    "Start at this byte of the log.",
                                    mcp::Range{0, 1e15})),
        mcp::Unlisted(mcp::Optional("at", &A::at,
                                    "For output=picture: the screen at a time "
                                    "(\"-30s\", \"14:58\") or byte.")),
        mcp::Optional("until", &A::until, "Wait first, as in term_wait.",
                      mcp::Terse{}),
        mcp::Optional("timeout_s", &A::timeout_s, "", TimeoutRules()),
        mcp::Unlisted(mcp::Optional(
            "encoding", &A::encoding,
            "Encoding of content: utf-8, ascii, latin1, base64, hex.")),
        mcp::Optional("append", &A::append, ""),
        mcp::Optional("session", &A::session, ""),
        mcp::Unlisted(mcp::Optional("format", &A::format,
                                    "json: the same facts, for programs.")),
    };
    return *fields;
  }
};

// The file to write. `session` is null if none is needed.
struct Target {
  bool is_far() const {
    return session != nullptr && !session->origin().place.empty();
  }

  SessionRef session;
  // Absolute; for another machine, as the agent wrote it.
  std::string path;
};

// Returns the target for a path in the directory of `session`, on its machine;
// a null session stands for this machine. Error: "~" cannot be expanded.
Task<absl::StatusOr<Target>> TargetIn(Workbench* bench, mcp::ToolCall* call,
                                      std::string path, SessionRef session) {
  Target target{std::move(session), path};
  if (target.session != nullptr) {
    // The holder reports the directory, which the last command may have
    // changed.
    std::vector<SessionRef> sessions(1, target.session);
    co_await bench->AwaitStates(call, std::move(sessions));
  }
  // On another machine, `~` is the home of another user.
  if (target.is_far()) co_return target;
  auto expanded = ExpandHome(path);
  if (!expanded.ok()) co_return expanded.status();
  target.path = *expanded;
  if (target.session != nullptr) {
    target.path = AbsolutePath(*expanded, WorkingDirectory(*target.session));
  }
  co_return target;
}

// Finds a session only if the agent names one, or if its directory is needed.
// Error: there is no such session, or "~" cannot be expanded.
Task<absl::StatusOr<Target>> FindTarget(Workbench* bench, mcp::ToolCall* call,
                                        const WriteFileArgs* args) {
  bool is_absolute = args->path[0] == '/' || args->path[0] == '~';
  SessionRef session;
  if (!is_absolute || !args->session.empty()) {
    ASSIGN_OR_CO_RETURN(session,
                        co_await bench->FindSession(call, args->session));
  }
  co_return co_await TargetIn(bench, call, args->path, std::move(session));
}

// A NUL would truncate the path in the system call, so that another file would
// be written.
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

FileWriter::Mode ModeOf(const WriteFileArgs& args) {
  return args.append ? FileWriter::Mode::kAppend : FileWriter::Mode::kReplace;
}

// Returns the result, in the same form as for a file on another machine.
wire::PutResult ResultOf(const FileWriter& file) {
  return {{}, file.path(), file.created(), file.in_place(), file.size()};
}

// Returns a text such as "wrote /srv/app/a.txt on ssh:db: 12 bytes, new file".
mcp::ToolResult Describe(const wire::PutResult& file, const Target& target,
                         const WriteFileArgs& args) {
  mcp::ToolResult result;
  std::string place = target.is_far() ? target.session->origin().place : "";
  if (args.format == ReplyFormat::kJson) {
    result.structured = Json{{"path", file.path},
                             {"size", file.size},
                             {"created", file.created},
                             {"append", args.append},
                             {"in_place", file.in_place}};
    if (!place.empty()) (*result.structured)["on"] = place;
    result.text = DumpJson(*result.structured);
    return result;
  }
  result.text = absl::StrFormat(
      "%s %s%s: %d bytes", args.append ? "appended to" : "wrote",
      QuotedUnlessPlain(file.path, kMostPath),
      place.empty() ? "" : " on " + QuotedUnlessPlain(place), file.size);
  if (file.created) result.text += ", new file";
  if (file.in_place) {
    result.text +=
        ", written in place (its directory or owner allowed no other way)";
  }
  return result;
}

wire::PutRequest RequestOf(const Target& target, const WriteFileArgs& args,
                           uint64_t size) {
  wire::PutRequest request;
  request.mode = ModeOf(args);
  request.size = size;
  request.path = target.path;
  request.processes = DirectoryProcesses(*target.session);
  request.directory = WorkingDirectory(*target.session);
  if (request.directory.empty()) {
    request.directory = target.session->origin().program.cwd;
  }
  return request;
}

Task<mcp::ToolResult> WriteBytes(Workbench* bench, mcp::ToolCall* call,
                                 const Target* target,
                                 const WriteFileArgs* args,
                                 const std::string* bytes) {
  if (target->is_far()) {
    typing::Content content = [bytes](uint64_t at, size_t most) {
      return bytes->substr(at, most);
    };
    ASSIGN_OR_CO_RETURN(
        wire::PutResult result,
        co_await typing::PutFile(
            bench->manager()->remote(), call->cancellation(), target->session,
            RequestOf(*target, *args, bytes->size()), &content));
    co_return Describe(result, *target, *args);
  }
  ASSIGN_OR_CO_RETURN(FileWriter file,
                      FileWriter::Open(target->path, ModeOf(*args)));
  if (absl::Status s = file.Write(*bytes); !s.ok()) co_return s;
  if (absl::Status s = file.Commit(); !s.ok()) co_return s;
  co_return Describe(ResultOf(file), *target, *args);
}

Task<mcp::ToolResult> WriteContent(Workbench* bench, mcp::ToolCall* call,
                                   WriteFileArgs args) {
  auto bytes = DecodeBytes(*args.content, args.encoding);
  if (!bytes.ok()) {
    co_return InvalidArgument("term_write_file: 'content' is not valid %s",
                              Message(bytes.status()));
  }
  ASSIGN_OR_CO_RETURN(Target target, co_await FindTarget(bench, call, &args));
  co_return co_await WriteBytes(bench, call, &target, &args, &*bytes);
}

// Selects the part of the present output to write.
view::DrainRequest DrainOf(const WriteFileArgs& args,
                           const session::Output& stream,
                           const record::LineMark& mark) {
  view::DrainRequest request;
  request.raw = args.raw;
  const record::History& history = stream.history();
  int64_t end = history.text_end();
  // True if the last line has not ended yet.
  bool is_open = stream.terminal().cursor_line() == end - 1;
  request.to = args.raw ? static_cast<int64_t>(stream.feed().consumed()) : end;
  if (args.output == FileOutput::kLines) {
    request.from = args.from_line < 0
                       ? std::max<int64_t>(end + args.from_line, 0)
                       : args.from_line - 1;
    request.from = std::max<int64_t>(request.from, 0);
    request.to = std::min(request.to, request.from + args.lines);
  } else if (args.output == FileOutput::kNew && args.since) {
    request.from =
        args.raw ? *args.since : std::max<int64_t>(*args.since - 1, 0);
  } else if (args.output == FileOutput::kNew) {
    request.from = args.raw ? static_cast<int64_t>(mark.offset) : mark.line;
    request.mark = &mark;
  }
  request.is_open = is_open && request.to == end;
  return request;
}

absl::Status CheckOutput(const WriteFileArgs& args) {
  if (args.content.has_value() == (args.output != FileOutput::kNone)) {
    return InvalidArgument(
        "term_write_file: give either 'content' or 'output'");
  }
  bool is_picture = args.output == FileOutput::kPicture;
  if (is_picture && (args.append || args.raw)) {
    return InvalidArgument(
        "term_write_file: output=picture writes a whole file; leave out "
        "'append' and 'raw'");
  }
  if (args.at && !is_picture) {
    return InvalidArgument("term_write_file: 'at' needs output=picture");
  }
  if (args.raw && args.output == FileOutput::kLines) {
    return InvalidArgument(
        "term_write_file: 'raw' needs output=new or all; lines have no raw "
        "form");
  }
  return absl::OkStatus();
}

// The destination of drained output: the file itself, or a temporary file from
// which it is sent to another machine, because its size must be known first.
struct Writing {
  view::Drain::Sink sink;
  std::shared_ptr<FileWriter> file;
  std::shared_ptr<UniqueFd> spool;
};

absl::StatusOr<Writing> OpenHere(const Target& target,
                                 const WriteFileArgs& args) {
  ASSIGN_OR_RETURN(FileWriter opened,
                   FileWriter::Open(target.path, ModeOf(args)));
  Writing writing;
  writing.file = std::make_shared<FileWriter>(std::move(opened));
  writing.sink = [file = writing.file](std::string_view bytes) {
    return file->Write(bytes);
  };
  return writing;
}

absl::StatusOr<Writing> Spool(Workbench* bench) {
  ASSIGN_OR_RETURN(UniqueFd opened, bench->manager()->OpenSpool());
  Writing writing;
  writing.spool = std::make_shared<UniqueFd>(std::move(opened));
  writing.sink = [spool = writing.spool](std::string_view bytes) {
    return WriteAll(spool->get(), bytes) ? absl::OkStatus()
                                         : ErrnoStatus("write", "the output");
  };
  return writing;
}

absl::StatusOr<std::string> ReadSpool(int spool, uint64_t at, size_t most) {
  std::string piece(most, '\0');
  ssize_t n = pread(spool, piece.data(), most, static_cast<off_t>(at));
  if (n <= 0) return ErrnoStatus("read", "the output");
  piece.resize(static_cast<size_t>(n));
  return piece;
}

// Completes the file with the drained output, here or on the other machine.
Task<absl::StatusOr<wire::PutResult>> Finish(Workbench* bench,
                                             mcp::ToolCall* call,
                                             const Target* target,
                                             const WriteFileArgs* args,
                                             Writing* writing) {
  if (writing->file != nullptr) {
    absl::Status committed = writing->file->Commit();
    if (!committed.ok()) co_return committed;
    co_return ResultOf(*writing->file);
  }
  int spool = writing->spool->get();
  auto size = static_cast<uint64_t>(lseek(spool, 0, SEEK_END));
  typing::Content content = [spool](uint64_t at, size_t most) {
    return ReadSpool(spool, at, most);
  };
  co_return co_await typing::PutFile(bench->manager()->remote(),
                                     call->cancellation(), target->session,
                                     RequestOf(*target, *args, size), &content);
}

// Returns the deadline for the wait for the session's log.
Time DeadlineOf(mcp::ToolCall* call, const WriteFileArgs& args) {
  if (!args.until) return Time::max();
  return waits::PatienceFor(CallerOf(call), args.timeout_s).deadline;
}

Task<mcp::ToolResult> WritePicture(Workbench* bench, mcp::ToolCall* call,
                                   WriteFileArgs args) {
  Time deadline = DeadlineOf(call, args);
  ASSIGN_OR_CO_RETURN(SessionRef session, co_await bench->FindSession(
                                              call, args.session, deadline));
  ASSIGN_OR_CO_RETURN(Target target,
                      co_await TargetIn(bench, call, args.path, session));
  ASSIGN_OR_CO_RETURN(
      FirstWait wait,
      co_await AwaitFirst(bench, call, session, args.until, args.timeout_s));
  ASSIGN_OR_CO_RETURN(
      std::string bytes,
      co_await PictureFile(call, session, args.at, target.path));
  mcp::ToolResult result =
      co_await WriteBytes(bench, call, &target, &args, &bytes);
  if (result.is_error) co_return result;
  if (!result.structured) {
    result.text +=
        ", the screen of " + bench->clients()->NameFor(*call, *session);
  }
  TellFirstWait(wait, *session, &result);
  co_return result;
}

// The result of writing one stream.
struct Drained {
  int64_t written = 0;  // lines or bytes
  int64_t lost = 0;     // lines or bytes before the first that was kept
  std::string holes;
};

// Error: the output cannot be read or written, or the call was cancelled.
Task<absl::StatusOr<Drained>> DrainStream(mcp::ToolCall* call,
                                          const session::Session* session,
                                          view::DrainRequest wanted,
                                          view::Drain::Sink sink) {
  view::Drain drain(session, wanted, std::move(sink));
  bool whole = co_await waits::InSlices(
      CallerOf(call), [&drain] { return drain.Continue(Loop::kBudget); });
  // After a cancellation, the old file remains.
  if (!whole) co_return FailedPrecondition("term_write_file: cancelled");
  if (!drain.status().ok()) co_return drain.status();
  Drained drained{drain.written(), drain.lost(), ""};
  const session::Output& stream =
      wanted.is_error ? *session->errors() : session->output();
  // Report gaps between the first and the last line that was written.
  if (!wanted.raw) {
    drained.holes = stream.history().LostIn(wanted.from, wanted.to).Text();
  }
  if (drain.missing() > 0) {
    drained.holes =
        Counted(drain.missing(), "byte") + " are lost in this range";
  }
  co_return drained;
}

// Returns the streams to write. The raw bytes of two streams could not be
// distinguished, so only those of the first are written.
absl::StatusOr<std::vector<const session::Output*>> StreamsFor(
    const WriteFileArgs& args, const session::Session& session) {
  auto streams = session::StreamsOf(session, args.stream);
  if (streams.empty()) {
    return InvalidArgument(
        "term_write_file: session '%s' has a terminal, so its stderr is not "
        "apart; leave 'stream' out",
        session.name());
  }
  if (args.raw) streams.resize(1);
  return streams;
}

// Returns the mark of a reader who has read everything so far of the streams
// that are written.
view::ReaderMark MarkAfter(const WriteFileArgs& args,
                           const session::Session& session,
                           const view::ReaderMark& before) {
  view::ReaderMark after = session::MarkNow(session);
  bool is_output_only = args.stream == view::OutputStream::kOutput || args.raw;
  if (args.stream == view::OutputStream::kErrors) {
    record::LineMark errors = std::move(after.errors);
    after = before;
    after.errors = std::move(errors);
  } else if (is_output_only) {
    after.errors = before.errors;
  }
  return after;
}

// Reports in the result how much of `stream` was written.
void Tell(const Drained& drained, const WriteFileArgs& args,
          std::string_view stream, mcp::ToolResult* result) {
  std::string unit = args.raw ? "byte" : "line";
  if (result->structured) {
    Json& json = *result->structured;
    std::string key = unit + "s";
    json[key] = json.value(key, int64_t{0}) + drained.written;
    json["lost"] = json.value("lost", int64_t{0}) + drained.lost;
    json["holes"] = json.value("holes", std::string()) + drained.holes;
    return;
  }
  result->text +=
      absl::StrFormat(", %s of %s", Counted(drained.written, unit), stream);
  if (drained.lost > 0) {
    result->text += absl::StrFormat("; no longer kept: %s before that",
                                    Counted(drained.lost, unit));
  }
  if (!drained.holes.empty()) result->text += "; " + drained.holes;
}

Task<mcp::ToolResult> WriteOutput(Workbench* bench, mcp::ToolCall* call,
                                  WriteFileArgs args) {
  Time deadline = DeadlineOf(call, args);
  ASSIGN_OR_CO_RETURN(SessionRef session, co_await bench->FindSession(
                                              call, args.session, deadline));
  ASSIGN_OR_CO_RETURN(std::vector<const session::Output*> streams,
                      StreamsFor(args, *session));
  ASSIGN_OR_CO_RETURN(Target target,
                      co_await TargetIn(bench, call, args.path, session));
  ASSIGN_OR_CO_RETURN(
      FirstWait wait,
      co_await AwaitFirst(bench, call, session, args.until, args.timeout_s));
  // The mark may move while the slices are written.
  view::ReaderMark before = bench->MarkOf(*call, *session);
  // The new mark is taken before the first slice, so that output during the
  // writing stays unread.
  view::ReaderMark after = MarkAfter(args, *session, before);
  std::vector<view::DrainRequest> wanted;
  for (const session::Output* stream : streams) {
    wanted.push_back(
        DrainOf(args, *stream, session::MarkOf(*session, *stream, before)));
    wanted.back().is_error = stream == session->errors();
  }
  // The second stream begins on a new line.
  bool has_more = wanted.back().from < wanted.back().to;
  if (wanted.size() > 1 && has_more) wanted.front().is_open = false;
  auto writing = target.is_far() ? Spool(bench) : OpenHere(target, args);
  if (!writing.ok()) co_return writing.status();
  std::vector<Drained> drained;
  for (const view::DrainRequest& one : wanted) {
    ASSIGN_OR_CO_RETURN(Drained part, co_await DrainStream(call, session.get(),
                                                           one, writing->sink));
    drained.push_back(std::move(part));
  }
  ASSIGN_OR_CO_RETURN(wire::PutResult written,
                      co_await Finish(bench, call, &target, &args, &*writing));
  mcp::ToolResult result = Describe(written, target, args);
  std::string name = bench->clients()->NameFor(*call, *session);
  for (size_t i = 0; i < drained.size(); ++i) {
    bool is_second = i > 0;
    if (is_second && drained[i].written == 0) continue;
    Tell(drained[i], args, is_second ? "its stderr, behind them" : name,
         &result);
  }
  TellFirstWait(wait, *session, &result);
  bool leaves_errors = args.raw && session->errors() != nullptr &&
                       args.stream == view::OutputStream::kBoth &&
                       session->errors()->feed().consumed() > 0;
  if (result.structured) {
    result.text = DumpJson(*result.structured);
  } else {
    if (leaves_errors) result.text += "; its stderr is left out: stream=err";
    std::string trouble = session->verdict().LogTrouble();
    if (!trouble.empty()) result.text += "; " + trouble;
  }
  if (args.output == FileOutput::kLines) co_return result;
  // Written output counts as read.
  result.on_sent = [bench, session, after, connection = call->connection()] {
    bench->KeepMark(connection, session.get(), after);
  };
  co_return result;
}

Task<mcp::ToolResult> WriteFile(Workbench* bench, mcp::ToolCall* call,
                                WriteFileArgs args) {
  if (absl::Status ok = CheckPath(args.path); !ok.ok()) co_return ok;
  if (absl::Status ok = CheckOutput(args); !ok.ok()) co_return ok;
  if (args.content) {
    co_return co_await WriteContent(bench, call, std::move(args));
  }
  if (args.output == FileOutput::kPicture) {
    co_return co_await WritePicture(bench, call, std::move(args));
  }
  co_return co_await WriteOutput(bench, call, std::move(args));
}

}  // namespace

mcp::Tool WriteFileTool(Workbench* bench) {
  return mcp::MakeTool<WriteFileArgs>(
      bench,
      {.name = "term_write_file",
       .title = "File write",
       .description = "Write a file atomically, unquoted: your content, or a "
                      "session's output or picture.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = false,
                       .open_world = false},
       .patience = mcp::kClientPatience},
      WriteFile);
}

}  // namespace glasstty
