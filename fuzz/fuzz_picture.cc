// A job of any bytes is refused or accepted; an accepted one can be written as
// an equal job, and drawn as SVG.
#include <string>
#include <string_view>

#include "picture/job.h"
#include "picture/svg.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  absl::StatusOr<glasstty::picture::Job> job =
      glasstty::picture::DecodeJob(bytes);
  if (!job.ok()) return 0;
  absl::StatusOr<glasstty::picture::Job> again =
      glasstty::picture::DecodeJob(glasstty::picture::EncodeJob(*job));
  glasstty::Require(again.ok());
  glasstty::Require(*again == *job);
  std::string svg = glasstty::picture::DrawSvg(*job);
  glasstty::Require(svg.ends_with("</svg>\n"));
  glasstty::Require(svg.find("<script") == svg.npos);
  for (char c : svg)
    glasstty::Require(c == '\n' || static_cast<uint8_t>(c) >= 0x20);
  return 0;
}
