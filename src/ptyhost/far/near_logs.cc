#include "far/near_logs.h"

#include <algorithm>

namespace glasstty::far {
namespace {

// The number of bytes by which the server may lag behind the log.
constexpr uint64_t kServerWindow = 2 << 20;

}  // namespace

NearLogs::NearLogs(int directory, uint64_t cap, bool has_err)
    : logs_{holder::LogWriter(directory, "out", cap),
            holder::LogWriter(directory, "err", cap)},
      has_err_(has_err) {}

bool NearLogs::Create() {
  return logs_[0].Open() && (!has_err_ || logs_[1].Open());
}

bool NearLogs::Resume() {
  return logs_[0].Resume() && (!has_err_ || logs_[1].Resume());
}

NearLogs::Stored NearLogs::Store(size_t which, uint64_t at,
                                 std::string_view bytes) {
  if (which >= logs_.size() || (which == 1 && !has_err_)) {
    return Stored::kInvalid;
  }
  holder::LogWriter& log = logs_[which];
  if (at > kFurthestOffset || bytes.size() > kLogPiece) return Stored::kInvalid;
  if (bytes.empty()) {
    if (at > log.end()) log.Skip(at);
    return Stored::kHole;
  }
  if (at + bytes.size() > credited_[which] + kLogPiece) return Stored::kInvalid;
  if (at < log.end()) {
    uint64_t known = std::min<uint64_t>(log.end() - at, bytes.size());
    bytes.remove_prefix(known);
    at += known;
  }
  if (bytes.empty()) return Stored::kNothing;
  if (at > log.end()) log.Skip(at);
  log.Append(bytes);
  log.Retry();
  return Stored::kBytes;
}

bool NearLogs::Retry() {
  bool has_stored = false;
  for (holder::LogWriter& log : logs_) {
    uint64_t before = log.disk_end();
    if (!log.held().empty()) log.Retry();
    has_stored = has_stored || log.disk_end() != before;
  }
  return has_stored;
}

void NearLogs::SetCap(uint64_t cap) {
  for (holder::LogWriter& log : logs_) log.SetCap(cap);
}

void NearLogs::SetReader(const holder::Link& server) {
  bool attached = server.attached();
  logs_[0].SetReader(attached, server.acked_out());
  logs_[1].SetReader(attached && has_err_, server.acked_err());
}

void NearLogs::BeginCredit() {
  for (size_t i = 0; i < logs_.size(); ++i) credited_[i] = logs_[i].end();
}

std::optional<uint64_t> NearLogs::Credit(size_t which,
                                         const holder::Link& server) {
  const holder::LogWriter& log = logs_[which];
  uint64_t acked = which == 0 ? server.acked_out() : server.acked_err();
  uint64_t upto = log.end() + window_;
  // The server cannot acknowledge a hole at the end of the log yet, so compare
  // with the end on disk.
  bool behind = server.attached() && acked < log.disk_end();
  if (behind) upto = std::min(upto, acked + kServerWindow);
  if (log.IsFull() || upto < credited_[which] + window_ / 4) {
    return std::nullopt;
  }
  credited_[which] = upto;
  return upto;
}

uint64_t NearLogs::furthest() const {
  return std::max(credited_[0], logs_[0].end()) + kLogPiece;
}

}  // namespace glasstty::far
