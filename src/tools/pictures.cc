#include "tools/pictures.h"

#include <memory>
#include <optional>
#include <utility>

#include "picture/program.h"
#include "picture/svg.h"
#include "record/file_writer.h"
#include "support/encodings.h"
#include "support/status.h"
#include "support/text.h"
#include "support/user_file.h"

namespace glasstty {
namespace {

constexpr std::string_view kPngMagic = "\x89PNG";
constexpr std::string_view kSvgMagic = "<svg";

// term_read is announced as a tool that only reads, and may be allowed without
// a question: it must not be a way to overwrite files.
absl::Status CheckOutput(const std::string& path) {
  if (path.find('\0') != path.npos ||
      !(path.ends_with(".png") || path.ends_with(".svg"))) {
    return InvalidArgument(
        "term_read: 'output' is the name of a picture, which ends in .png or "
        ".svg");
  }
  // Through links, as it would be written.
  auto begin = ReadUserFile(path, kPngMagic.size(), Longer::kCut);
  if (absl::IsNotFound(begin.status())) return absl::OkStatus();
  if (!begin.ok()) return begin.status();
  if (!begin->empty() && *begin != kPngMagic && *begin != kSvgMagic) {
    return AlreadyExists(
        "term_read: '%s' exists and is not a picture: give another name", path);
  }
  return absl::OkStatus();
}

absl::Status Write(const std::string& path, std::string_view bytes) {
  ASSIGN_OR_RETURN(
      record::FileWriter file,
      record::FileWriter::Open(path, record::FileWriter::Mode::kReplace));
  RETURN_IF_ERROR(file.Write(bytes));
  return file.Commit();
}

// How models count: one token for each 28 by 28 pixels, or 750 in all.
int Tokens(const picture::DrawnPicture& drawn) {
  return drawn.width * drawn.height / 750;
}

// A file is not shown to a model, so it costs none.
void Describe(const picture::DrawnPicture& drawn, terminal::Size size,
              bool is_shown, Reply* reply) {
  std::string text =
      absl::StrFormat("picture %dx%d, %d kB", drawn.width, drawn.height,
                      (std::ssize(drawn.png) + 999) / 1000);
  if (is_shown) text += absl::StrFormat(", about %d tokens", Tokens(drawn));
  reply->AddNote(text);
  if (drawn.shown != size) {
    reply->AddNote(
        absl::StrFormat("too large: only %dx%d around the cursor are drawn",
                        drawn.shown.rows, drawn.shown.cols));
  }
  if (drawn.missing > 0) {
    reply->AddNote(absl::StrFormat("%d glyphs without a font", drawn.missing));
  }
  reply->SetPicture({{"width", drawn.width},
                     {"height", drawn.height},
                     {"bytes", drawn.png.size()}});
}

}  // namespace

Task<mcp::ToolResult> FinishWithPicture(Workbench* bench, mcp::ToolCall* call,
                                        Reply reply,
                                        session::SessionRef session,
                                        view::ReadResult read,
                                        ReplyFormat format,
                                        std::string output) {
  picture::Job job;
  job.frame = *read.frame;
  reply.SetRead(std::move(read));
  std::string path;
  if (!output.empty()) {
    const std::string& place = session->origin().place;
    if (!place.empty() && output[0] != '/') {
      co_return InvalidArgument(
          "output: '%s' runs on %s, and pictures are written on this machine: "
          "give an absolute path",
          session->name(), place);
    }
    path = AbsolutePath(output, WorkingDirectory(*session));
    if (absl::Status s = CheckOutput(path); !s.ok()) co_return s;
  } else {
    job.options.max_edge = picture::kModelEdge;
  }
  if (path.ends_with(".svg")) {
    if (absl::Status s = Write(path, picture::DrawSvg(job)); !s.ok())
      co_return s;
    reply.AddNote("wrote " + CleanText(path));
    co_return reply.Finish(bench, *call, format, true);
  }
  terminal::Size size = job.frame.size;
  ASSIGN_OR_CO_RETURN(picture::DrawnPicture drawn,
                      co_await picture::DrawPngInLoop(
                          call->loop(), std::move(job), call->cancellation()));
  if (!path.empty()) {
    if (absl::Status s = Write(path, drawn.png); !s.ok()) co_return s;
    reply.AddNote("wrote " + CleanText(path));
  }
  Describe(drawn, size, path.empty(), &reply);
  mcp::ToolResult result = reply.Finish(bench, *call, format, true);
  if (path.empty()) {
    result.more_content.push_back({{"type", "image"},
                                   {"mimeType", "image/png"},
                                   {"data", ToBase64(drawn.png)}});
  }
  co_return result;
}

}  // namespace glasstty
