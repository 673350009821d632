// Keeps what a holder on another machine last reported, in memory and in files
// of the session's directory on this machine.
//
// Owns the files `elsewhere` (for the next relay), `exit` and `lost`. Borrows
// the directory. Sends nothing. Relay thread only.
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

  // Stores in `elsewhere` the data that the next relay needs.
  void Remember() const;
  // Reads the data that the previous relay has stored. `err_end` is the end of
  // this machine's log of stderr. Returns false with errno on failure.
  bool Recall(uint64_t err_end);
  // Removes `elsewhere`, because no relay will resume the session.
  void Forget() const;

  // Must be called for each connection to the machine. `boot_id` identifies the
  // machine's current boot.
  void SetMachine(const std::string& boot_id);
  // Keeps the holder's first report on a connection. REQUIRES: SetMachine was
  // called for this connection.
  void Set(const wire::HolderInfo& info);
  void SetStarted(const wire::Started& started);
  void SetFailedStart(int32_t error);
  void SetSize(const wire::Resized& resized);
  // Keeps the whole packet, because a newer holder may send fields that this
  // version does not know.
  void SetLease(const wire::Packet& packet) { lease_.emplace(packet); }
  // Keeps the exit, also in the file `exit`. REQUIRES: !exited().
  void SetExit(const wire::Exit& exit);
  // Stores in the file `lost` why the exit is unknown. Must be called if the
  // holder is gone and has reported no exit. `is_missing` is true if the other
  // machine could not open the session.
  void ExplainLoss(bool is_missing) const;

  const wire::HolderInfo& info() const { return info_; }
  bool exited() const { return info_.exited; }
  const std::optional<wire::Started>& started() const { return started_; }
  const std::optional<wire::Exit>& exit() const { return exit_; }
  const std::optional<wire::Writer>& lease() const { return lease_; }

 private:
  const int directory_;  // borrowed
  wire::HolderInfo info_;
  std::string boot_id_;      // identifies the boot in which the holder was last
                             // reached; empty if it never was
  std::string boot_id_now_;  // identifies the machine's current boot
  std::optional<wire::Started> started_;
  std::optional<wire::Exit> exit_;
  std::optional<wire::Writer> lease_;
};

}  // namespace glasstty::far
