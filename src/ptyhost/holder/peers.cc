#include "holder/peers.h"

#include <utility>

#include "holder/tree.h"
#include "wire/own_socket.h"

namespace glasstty::holder {

Peers::Peers(int dir_fd, UniqueFd first_server, Program* program)
    : program_(program),
      link_(dir_fd, std::move(first_server)),
      observers_(dir_fd) {}

bool Peers::Listen() {
  is_reachable_ = !wire::SocketsAreRefused();
  return !is_reachable_ || (link_.Listen() && observers_.Listen());
}

void Peers::StopListening() {
  observers_.StopListening();
  link_.StopListening();
}

Connection* Peers::FindWriter(Input::Writer writer) {
  if (writer == Input::kServer) return &link_;
  for (const auto& observer : observers_.all()) {
    if (observer != nullptr && observer->id == writer) return observer.get();
  }
  return nullptr;
}

void Peers::DropServer() {
  link_.Detach();
  if (!ask_.empty()) SetAsk("");
  SetReader();
}

void Peers::SetAsk(std::string text) {
  ask_ = std::move(text);
  observers_.SendLatest(wire::Asked{ask_});
}

void Peers::SendAsk(Observer* to) {
  if (!ask_.empty()) to->SendLatest(wire::Asked{ask_});
}

void Peers::SetReader() {
  program_->SetReader(link_.attached(), link_.acked_out(), link_.acked_err());
}

void Peers::Ring() {
  uint64_t end = program_->out().log().disk_end();
  link_.Ring(end, program_->err_end());
  observers_.Ring(end, program_->err_end());
}

void Peers::SendInline() {
  link_.SendInline(program_->out().log());
  observers_.SendInline(program_->out().log());
}

void Peers::Resize(const wire::Resize& size) {
  wire::Resized resized = program_->Resize(size);
  Ring();
  link_.SendLatest(resized);
  observers_.SendLatest(resized);
}

void Peers::SendExit() {
  wire::Exit exit = program_->Exit();
  link_.Send(exit);
  for (const auto& observer : observers_.all()) {
    if (observer != nullptr) observer->Send(exit);
  }
}

void Peers::SendWelcome(Connection* to, uint32_t lease_serial) {
  wire::HolderInfo info = program_->Info();
  info.lease_serial = lease_serial;
  to->Send(wire::Welcome{.info = info});
  to->Send(program_->Started());
  const LogWriter& log = program_->out().log();
  to->Ring(log.disk_end(), program_->err_end());
  if (log.held_offset() > log.disk_end()) {
    to->Send(wire::Lost{log.disk_end(), log.held_offset() - log.disk_end(),
                        log.hole()});
  }
  to->SendInline(log);
  if (program_->exited()) to->Send(program_->Exit());
}

void Peers::SendState(Connection* to, const wire::Probe& probe,
                      uint64_t input_ticks) {
  last_look_ = program_->Look(probe.flags, input_ticks);
  Ring();
  to->Send(wire::State{probe.serial, program_->err_end(), last_look_});
}

void Peers::SendLastState(Connection* to, const wire::Probe& probe) {
  to->SendLatest(wire::State{probe.serial, program_->err_end(), last_look_});
}

// Includes the leader and dying processes; the server filters them out.
void Peers::SendTree(Connection* to, uint64_t serial, uint64_t flags) {
  uint64_t count = 0;
  TreeRows rows =
      flags & wire::kTreeListening ? TreeRows::kListening : TreeRows::kAll;
  for (const Description& row : DescribeTree(rows)) {
    to->Send(wire::TreeRow{serial, row.process, row.ports, row.command});
    ++count;
  }
  to->Send(wire::TreeEnd{serial, count});
}

// Skips observers that have disconnected meanwhile.
void Peers::SendDropped() {
  for (const Input::Dropped& dropped : program_->input()->TakeDropped()) {
    Connection* to = FindWriter(dropped.writer);
    if (to == nullptr) continue;
    to->Send(wire::Refused{dropped.serial, dropped.why, dropped.taken});
  }
}

void Peers::SendReceipt(Time now) {
  Input* input = program_->input();
  auto how = input->Check(now);
  if (!how) return;
  wire::ReceiptInfo info{.log_end = program_->out().log().end(),
                         .unfinished = input->has_unfinished_line() ? 1u : 0u};
  link_.SendLatest(wire::Consumed{input->last_serial(), *how, info});
  for (const auto& observer : observers_.all()) {
    if (observer == nullptr || observer->unread == 0) continue;
    uint64_t serial = std::exchange(observer->unread, 0);
    observer->SendLatest(wire::Consumed{serial, *how, info});
  }
}

}  // namespace glasstty::holder
