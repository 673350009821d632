// A job of any bytes is refused, or read as what it says; what is read can be
// written as the same bytes' job again, and drawn as SVG.
#include <string>
#include <string_view>

#include "picture/job.h"
#include "picture/svg.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace glasstty;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  absl::StatusOr<PictureJob> job = DecodeJob(bytes);
  if (!job.ok()) return 0;
  absl::StatusOr<PictureJob> again = DecodeJob(EncodeJob(*job));
  Require(again.ok());
  Require(*again == *job);
  std::string svg = DrawSvg(*job);
  Require(svg.ends_with("</svg>\n"));
  Require(svg.find("<script") == svg.npos);
  for (char c : svg) Require(c == '\n' || static_cast<uint8_t>(c) >= 0x20);
  return 0;
}
