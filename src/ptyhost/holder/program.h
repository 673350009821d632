// The session's program: its terminal or pipes, its input and output, its logs
// and its exit.
//
// Owns all of these, and the files `events` and `exit`. Sends no packets: Peers
// reports to the server and the observers. Does not parse what the program
// prints. Borrows the session's directory. Holder thread only.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

#include "base/clock.h"
#include "holder/device.h"
#include "holder/event_writer.h"
#include "holder/foreground.h"
#include "holder/input.h"
#include "holder/output.h"
#include "holder/spawn.h"
#include "holder/terminal_note.h"
#include "wire/launch.h"
#include "wire/messages.h"

namespace glasstty::holder {

class Program {
 public:
  // A relative working directory in `spec` is relative to `start_dir`, which is
  // used by Start only.
  Program(wire::LaunchSpec spec, int dir_fd, int start_dir);

  // Creates the logs, the file `events`, and `input` if input is recorded.
  // Returns false with errno on failure.
  bool OpenLogs();
  // Starts the program. Returns false on failure, with the reason in Started().
  bool Start();
  // Records that the start has failed at `stage` with errno. Returns false.
  bool FailToStart(wire::StartStage stage);

  // The program's pid, also after its end; 0 if it was not started.
  pid_t leader() const { return start_.pid; }
  // Like leader(), but 0 after the program's end.
  pid_t live_leader() const { return exited() ? 0 : leader(); }
  bool exited() const { return phase_ != Phase::kLive; }
  // Stores the last output and the exit of the program. REQUIRES: the program
  // has ended, but has not been reaped yet.
  void SetExited(int status);

  wire::Started Started() const;
  // REQUIRES: exited().
  wire::Exit Exit() const;
  // Fills in all fields of HolderInfo except `lease_serial`.
  wire::HolderInfo Info() const;

  // Reads the output that has arrived on both streams. `hung_up` is true if
  // poll(2) has reported a hang-up of the first stream.
  void ReadOutputs(bool hung_up);
  // Reads and stores everything that was printed before the call, up to the
  // limit of Output::Drain.
  void Drain();
  // Checks whether a hung-up terminal was opened again and whether the disk has
  // room again, because no event announces either.
  void Retry();
  bool NeedsRetry() const;
  // Returns true if all output is stored or acknowledged by a server, and the
  // exit, if there is one, is stored.
  bool IsSaved() const;
  // Sets how far the server has read, for back-pressure and the logs.
  void SetReader(bool attached, uint64_t acked_out, uint64_t acked_err);
  void SetLogCap(uint64_t cap);

  // Changes the size of the terminal, unless `size` is invalid. Returns the
  // actual size and the present end of the log.
  wire::Resized Resize(const wire::Resize& size);
  // Appends an event about the keyboard, unless the program has ended.
  void Note(wire::EventType type, bool flag);
  // Finds out what the program waits for. `flags` is as in wire::Probe, and
  // `input_ticks` as Keyboard::input_ticks().
  wire::ProbeAnswer Look(uint64_t flags, uint64_t input_ticks);

  Device* device() { return &device_; }
  Input* input() { return &input_; }
  const Output& out() const { return outputs_[0]; }
  const Output& err() const { return outputs_[1]; }
  // The end of the stored log of stderr; 0 for terminals.
  uint64_t err_end() const { return spec_.pipe ? err().log().disk_end() : 0; }

 private:
  enum class Phase {
    kLive,     // running, or not started yet
    kUnsaved,  // ended, but the exit file could not be written yet
    kSaved,
  };

  bool OpenDevice();
  void SaveExit();
  bool DrainBeforeLook();
  // Returns a number of bytes, with the meaning of ProbeAnswer::unread.
  int UnreadInput();
  bool IsSettled(int unread);
  void AddAttributes(const Verdict& verdict, wire::ProbeAnswer* answer);

  // constant, except that the start clears fields that only it needs
  wire::LaunchSpec spec_;
  const int dir_fd_;     // borrowed
  const int start_dir_;  // borrowed, until Start has returned
  // owned
  Device device_;
  TerminalNote terminal_note_{&device_, dir_fd_};
  const MonotonicClock clock_;
  EventWriter events_;
  InputLog input_log_;
  std::array<Output, 2> outputs_;  // the second is for pipes only
  Input input_;
  // state
  SpawnResult start_;
  Phase phase_ = Phase::kLive;
  uint64_t exit_offset_ = 0;
  int exit_status_ = 0;
  uint16_t rows_;
  uint16_t cols_;
};

}  // namespace glasstty::holder
