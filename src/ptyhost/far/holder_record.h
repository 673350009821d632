// Keeps what a holder on another machine last reported, in memory and in files
// of the session's directory here.
//
// Owns the files `elsewhere` (for the next relay), `exit` and `lost`. Borrows
// the directory. Talks to nobody. The relay's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wire/launch.h"
#include "wire/messages.h"

namespace glasstty::far {

class HolderRecord {
 public:
  HolderRecord(int directory, const wire::LaunchSpec& spec);

  // Stores what the next relay must know.
  void Remember() const;
  // Reads what the relay before this one has stored. `err_end` is the end of
  // the log of stderr. Returns false with errno if it cannot be read.
  bool Recall(uint64_t err_end);
  // Removes what is stored for the next relay: none will want the session.
  void Forget() const;

  // The machine is connected; `boot_id` tells its boot from others.
  void SetMachine(const std::string& boot_id);
  // The holder is reached, on the machine that is connected.
  void Set(const wire::HolderInfo& info);
  void SetStarted(const wire::Started& started);
  void SetFailedStart(int32_t error);
  void SetSize(const wire::Resized& resized);
  // Keeps the packet as it came, because it may be longer than is known here.
  void SetLease(const wire::Packet& packet) { lease_.emplace(packet); }
  // Stores the exit for readers, too. REQUIRES: !exited().
  void SetExit(const wire::Exit& exit);
  // Stores why the exit is unknown, once the holder is gone. `is_missing`: no
  // trace of the session is left.
  void ExplainLoss(bool is_missing) const;

  const wire::HolderInfo& info() const { return info_; }
  bool exited() const { return info_.exited; }
  const std::optional<wire::Started>& started() const { return started_; }
  const std::optional<wire::Exit>& exit() const { return exit_; }
  const std::optional<wire::Writer>& lease() const { return lease_; }

 private:
  const int directory_;  // borrowed
  wire::HolderInfo info_;
  std::string boot_id_;      // of the machine on which it was started
  std::string boot_id_now_;  // of the one that is connected
  std::optional<wire::Started> started_;
  std::optional<wire::Exit> exit_;
  std::optional<wire::Writer> lease_;
};

}  // namespace glasstty::far
