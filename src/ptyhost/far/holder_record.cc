#include "far/holder_record.h"

#include <unistd.h>

#include <algorithm>

#include "base/fd.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

constexpr size_t kMaxBootId = 64;

}  // namespace

HolderRecord::HolderRecord(int directory, const wire::LaunchSpec& spec)
    : directory_(directory) {
  info_.rows = spec.rows;
  info_.cols = spec.cols;
  info_.pipe = spec.pipe;
}

void HolderRecord::Remember() const {
  ReplaceFileAt(directory_, wire::kElsewhereName,
                std::string(wire::AsBytes(info_)) + boot_id_);
}

// Also reads the exit, because the previous relay may have died just before it
// reported the end of the session.
bool HolderRecord::Recall(uint64_t err_end) {
  std::string text;
  if (!ReadFileAt(directory_, wire::kElsewhereName, sizeof info_ + kMaxBootId,
                  &text)) {
    return false;
  }
  info_ = wire::HeadOf<wire::HolderInfo>(text);
  boot_id_ = text.substr(std::min(text.size(), sizeof info_));
  // Without a pid, do not set `started_`, which would mean that the program
  // could not be started: perhaps its start was not reported yet.
  if (info_.leader_pid > 0) {
    started_ = wire::Started{.pid = static_cast<uint64_t>(info_.leader_pid)};
  }
  if (auto record = wire::ReadExit(directory_)) {
    exit_ = wire::Exit{record->offset, record->status, err_end};
    info_.exited = 1;
    info_.exit_offset = record->offset;
    info_.exit_status = record->status;
  }
  return true;
}

void HolderRecord::Forget() const {
  unlinkat(directory_, wire::kElsewhereName, 0);
}

void HolderRecord::SetMachine(const std::string& boot_id) {
  boot_id_now_ = boot_id.substr(0, kMaxBootId);
}

void HolderRecord::Set(const wire::HolderInfo& info) {
  info_ = info;
  // The exit arrives as a separate packet, after the end of the log.
  info_.exited = exit_.has_value();
  boot_id_ = boot_id_now_;
}

void HolderRecord::SetStarted(const wire::Started& started) {
  started_ = started;
  info_.leader_pid = static_cast<int32_t>(started.pid);
  info_.started = started.pid > 0;
  Remember();
}

void HolderRecord::SetFailedStart(int32_t error) {
  started_ = wire::Started{.stage = wire::StartStage::kThere, .error = error};
}

void HolderRecord::SetSize(const wire::Resized& resized) {
  info_.rows = static_cast<uint16_t>(resized.rows);
  info_.cols = static_cast<uint16_t>(resized.cols);
}

void HolderRecord::SetExit(const wire::Exit& exit) {
  exit_ = exit;
  info_.exited = 1;
  info_.exit_offset = exit.offset;
  info_.exit_status = exit.status;
  wire::ExitRecord record{.offset = exit.offset, .status = exit.status};
  ReplaceFileAt(directory_, wire::kExitName, wire::AsBytes(record));
}

void HolderRecord::ExplainLoss(bool is_missing) const {
  bool was_reached = !boot_id_.empty();
  const char* why =
      was_reached && boot_id_ != boot_id_now_ ? "the machine was restarted"
      : is_missing ? "nothing of it is there any more"
                   : "its holder was killed there, perhaps with its container "
                     "or login, or for lack of memory";
  ReplaceFileAt(directory_, wire::kLostName, why);
}

}  // namespace glasstty::far
