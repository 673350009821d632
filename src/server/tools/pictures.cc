#include "tools/pictures.h"

#include <memory>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "picture/program.h"
#include "picture/svg.h"
#include "support/status.h"
#include "view/past_screen.h"

namespace glasstty {
namespace {

// Some models count one token for each 28 by 28 pixels, others for about 750
// pixels. This is the higher count.
int Tokens(const picture::DrawnPicture& drawn) {
  return drawn.width * drawn.height / 750;
}

void Describe(const picture::DrawnPicture& drawn, terminal::Size size,
              Reply* reply) {
  reply->AddNote(absl::StrFormat(
      "picture %dx%d, %d kB, about %d tokens", drawn.width, drawn.height,
      (std::ssize(drawn.png) + 999) / 1000, Tokens(drawn)));
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

Task<absl::StatusOr<observe::Frame>> FrameAt(mcp::ToolCall* call,
                                             session::SessionRef session,
                                             const std::optional<Moment>* at) {
  if (*at) {
    ASSIGN_OR_CO_RETURN(view::PastScreen past,
                        co_await view::ScreenAt(session, MomentWords(**at),
                                                call->cancellation()));
    co_return observe::FrameOf(std::move(past.snapshot), past.modes);
  }
  const terminal::Terminal& terminal = session->output().terminal();
  co_return observe::FrameOf(terminal.TakeSnapshot(), terminal.modes());
}

}  // namespace

std::string MomentWords(const Moment& at) {
  return at.index() == 1 ? std::get<1>(at)
                         : absl::StrFormat("%d", std::get<0>(at));
}

Task<mcp::ToolResult> FinishWithPicture(Workbench* bench, mcp::ToolCall* call,
                                        Reply reply, view::ReadResult read,
                                        ReplyFormat format) {
  picture::Job job;
  job.frame = *read.frame;
  job.options.max_edge = picture::kModelEdge;
  reply.SetRead(std::move(read));
  terminal::Size size = job.frame.size;
  ASSIGN_OR_CO_RETURN(picture::DrawnPicture drawn,
                      co_await picture::DrawPngInLoop(
                          call->loop(), std::move(job), call->cancellation()));
  Describe(drawn, size, &reply);
  mcp::ToolResult result = reply.Finish(bench, *call, format, true);
  result.more_content.push_back({{"type", "image"},
                                 {"mimeType", "image/png"},
                                 {"data", ToBase64(drawn.png)}});
  co_return result;
}

Task<absl::StatusOr<std::string>> PictureFile(mcp::ToolCall* call,
                                              session::SessionRef session,
                                              std::optional<Moment> at,
                                              std::string path) {
  bool is_svg = path.ends_with(".svg");
  if (!is_svg && !path.ends_with(".png")) {
    co_return InvalidArgument(
        "term_write_file: '%s': the name of a picture ends in .png or .svg",
        path);
  }
  picture::Job job;
  ASSIGN_OR_CO_RETURN(job.frame, co_await FrameAt(call, session, &at));
  if (is_svg) co_return picture::DrawSvg(job);
  ASSIGN_OR_CO_RETURN(picture::DrawnPicture drawn,
                      co_await picture::DrawPngInLoop(
                          call->loop(), std::move(job), call->cancellation()));
  co_return std::move(drawn.png);
}

}  // namespace glasstty
