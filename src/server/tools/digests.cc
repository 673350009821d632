#include "tools/digests.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "lookout/event_log.h"
#include "support/status.h"
#include "tools/workbench.h"
#include "view/log_digest.h"
#include "waits/waiting.h"

namespace glasstty {

Task<absl::StatusOr<view::ReadResult>> ReadDigest(
    mcp::ToolCall* call, session::ConstSessionRef session,
    view::ReaderMark mark, view::ReadRequest request) {
  view::DigestSince since;
  since.offset =
      request.since_offset.value_or(std::max(mark.offset, mark.digested));
  since.time = request.since_time;
  record::Folder::Hold directory = session->OpenDirectory();
  if (!directory->valid()) {
    co_return ErrnoStatus("open", "the directory of the log");
  }
  auto digest =
      view::LogDigest::Open(directory->get(), session->origin(), since);
  if (!digest.ok()) co_return digest.status();
  view::LogDigest* log = digest->get();
  co_await waits::InSlices(CallerOf(call), [log] {
    Time end = MonotonicNow() + Loop::kBudget;
    while (log->Continue()) {
      if (MonotonicNow() >= end) return false;
    }
    return true;
  });
  if (!log->status().ok()) co_return log->status();
  for (const lookout::Event& event : lookout::ReadEvents(directory->get())) {
    if (lookout::IsToldByOutput(event)) continue;
    log->AddEvent(event.at_ms, event.watch + ": " + lookout::TextOf(event));
  }
  view::ReadResult read;
  read.used = view::ReadMode::kDigest;
  read.body = log->Text();
  read.mark = std::move(mark);
  read.mark.digested = log->end();
  co_return read;
}

}  // namespace glasstty
