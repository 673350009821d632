// Draws screens for a reply or for a file.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "tools/reply.h"
#include "tools/workbench.h"

namespace glasstty {

// An offset in the log, or a time such as "-30s".
using Moment = std::variant<int64_t, std::string>;
// Formats `at` as view::ScreenAt expects it.
std::string MomentWords(const Moment& at);

// Finishes `reply`, and adds a picture of the screen in `read` as an image
// after the text. The session does not count as read. REQUIRES: `read` has a
// frame. Error: no picture could be drawn.
Task<mcp::ToolResult> FinishWithPicture(Workbench* bench, mcp::ToolCall* call,
                                        Reply reply, view::ReadResult read,
                                        ReplyFormat format);

// Returns the content of a picture file of the session's screen, now or at a
// moment: SVG if `path` ends in .svg, PNG if it ends in .png. Error: any other
// ending, an unknown moment, or no picture could be drawn.
Task<absl::StatusOr<std::string>> PictureFile(mcp::ToolCall* call,
                                              session::SessionRef session,
                                              std::optional<Moment> at,
                                              std::string path);

}  // namespace glasstty
