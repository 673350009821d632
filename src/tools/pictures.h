// Draws screens for a reply, or into a file.
#pragma once

#include <string>

#include "tools/reply.h"
#include "tools/workbench.h"

namespace glasstty {

// Ends `reply`, whose reading has a frame, with its picture: as an image behind
// the text, or as a file if `output` names one, a .png or .svg below the
// session's directory or anywhere. Nothing but a picture is ever replaced.
// Error: no picture could be drawn, or the file not be written.
Task<mcp::ToolResult> FinishWithPicture(Workbench* bench, mcp::ToolCall* call,
                                        Reply reply,
                                        session::SessionRef session,
                                        view::ReadResult read,
                                        ReplyFormat format, std::string output);

}  // namespace glasstty
