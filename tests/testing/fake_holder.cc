#include "testing/fake_holder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include "support/check.h"
#include "wire/session_files.h"

namespace glasstty {

using session::SessionRef;

class FakeHolder::FakeChannel : public session::Channel {
 public:
  explicit FakeChannel(FakeHolder* holder) : holder_(holder) {}
  ~FakeChannel() override {
    if (holder_->channel_ == this) holder_->channel_ = nullptr;
  }

  void SetListener(session::ChannelListener* listener) override {
    listener_ = listener;
  }
  void Send(wire::PacketHeader header, std::string_view payload) override {
    holder_->OnSent(header, payload);
  }
  session::ChannelListener* listener() const { return listener_; }

 private:
  FakeHolder* const holder_;
  session::ChannelListener* listener_ = nullptr;
};

FakeHolder::FakeHolder() {
  path_ = (std::filesystem::temp_directory_path() / "glasstty-fake-XXXXXX")
              .string();
  CHECK(mkdtemp(path_.data()) != nullptr);
  parent_ = UniqueFd(open(std::filesystem::path(path_).parent_path().c_str(),
                          O_RDONLY | O_DIRECTORY));
  directory_ = UniqueFd(open(path_.c_str(), O_RDONLY | O_DIRECTORY));
  log_ = OpenLog("out");
  answer_.waiting = wire::Waiting::kRunning;
}

record::Folder FakeHolder::folder() const {
  return record::Folder(parent_.get(),
                        std::filesystem::path(path_).filename().string());
}

UniqueFd FakeHolder::OpenLog(const char* stem) const {
  UniqueFd log(openat(directory_.get(), wire::SegmentName(stem, 0).c_str(),
                      O_WRONLY | O_CREAT | O_APPEND, 0600));
  CHECK(log.valid());
  return log;
}

FakeHolder::~FakeHolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

SessionRef FakeHolder::Open(terminal::Size size, int scrollback_rows) {
  SessionRef session = Create(size, scrollback_rows);
  Greet();
  Deliver(wire::Started{4242});
  return session;
}

void FakeHolder::LiveElsewhere() {
  place_ = "ssh:db";
  CHECK(ReplaceFileAt(directory_.get(), wire::kElsewhereName, ""));
}

void FakeHolder::Greet() { Deliver(wire::Welcome{.info = {.end = end_}}); }

uint64_t FakeHolder::NowNs() const {
  return static_cast<uint64_t>(clock_.Now().time_since_epoch().count());
}

void FakeHolder::Leave() { Deliver(wire::Away{true, NowNs()}); }

void FakeHolder::Return(uint64_t bytes) { Deliver(wire::Away{false, bytes}); }

void FakeHolder::Resume(const SessionRef& session) {
  auto channel = std::make_unique<FakeChannel>(this);
  channel_ = channel.get();
  session->Resume(std::move(channel));
}

void FakeHolder::ReportNoSurvivors() { Deliver(wire::TreeEnd{}); }

void FakeHolder::FailStart(wire::StartStage stage, int error) {
  Deliver(wire::Started{0, stage, error});
}

SessionRef FakeHolder::OpenAdopted(uint64_t end) {
  SessionRef session = OpenUngreeted();
  Deliver(
      wire::Welcome{.info = {.end = end, .leader_pid = 4242, .started = 1}});
  return session;
}

SessionRef FakeHolder::OpenUngreeted() {
  SessionRef session = Create({6, 20}, 10'000);
  session->Adopt({});
  return session;
}

SessionRef FakeHolder::Create(terminal::Size size, int scrollback_rows) {
  record::SessionOrigin origin;
  origin.id = "id";
  origin.name = "s";
  origin.program.argv = {"program"};
  origin.program.size = size;
  origin.program.scrollback_rows = scrollback_rows;
  origin.program.pipe = pipe_;
  origin.program.opener = opener_;
  origin.nonce = "n0nce";
  origin.place = place_;
  auto channel = std::make_unique<FakeChannel>(this);
  channel_ = channel.get();
  auto session =
      session::Session::Create(&loop_, origin, folder(), std::move(channel));
  CHECK(session.ok());
  return *session;
}

void FakeHolder::PrintSilently(std::string_view bytes) {
  CHECK(WriteAll(log_.get(), bytes));
  end_ += bytes.size();
}

void FakeHolder::PrintErrorSilently(std::string_view bytes) {
  if (!error_log_.valid()) error_log_ = OpenLog("err");
  CHECK(WriteAll(error_log_.get(), bytes));
  error_end_ += bytes.size();
}

void FakeHolder::RingUnfed() { Deliver(wire::Data{end_, error_end_}); }

void FakeHolder::Ring() {
  RingUnfed();
  loop_.RunReady();
}

void FakeHolder::Print(std::string_view bytes) {
  PrintSilently(bytes);
  Ring();
}

void FakeHolder::Exit(int wait_status) {
  Deliver(wire::Exit{end_, wait_status, error_end_});
  loop_.RunReady();
}

void FakeHolder::Vanish() {
  channel_->listener()->OnGone();
  loop_.RunReady();
}

void FakeHolder::Consume(bool unfinished) {
  std::vector<wire::Write> writes = AllSent<wire::Write>();
  uint64_t serial = writes.empty() ? 0 : writes.back().serial;
  Deliver(wire::Consumed{serial, wire::ConsumedHow::kRead,
                         wire::ReceiptInfo{end_, unfinished}});
  loop_.RunReady();
}

void FakeHolder::Resized(terminal::Size size) {
  Deliver(wire::Resized{end_, static_cast<uint32_t>(size.rows),
                        static_cast<uint32_t>(size.cols)});
  loop_.RunReady();
}

void FakeHolder::Answer(wire::Waiting waiting, bool canonical, bool echo,
                        const char* name) {
  answer_.waiting = waiting;
  answer_.canonical = canonical;
  answer_.echo = echo;
  std::strncpy(answer_.name, name, sizeof answer_.name - 1);
}

void FakeHolder::Lineage(const std::vector<int>& groups) {
  std::fill(std::begin(answer_.lineage), std::end(answer_.lineage), 0);
  std::copy(groups.begin(), groups.end(), answer_.lineage);
}

void FakeHolder::ReportListener(std::optional<uint16_t> port) {
  uint64_t serial = CountSent(wire::Tree::kType);
  if (port) {
    Deliver(wire::TreeRow{serial,
                          {.pid = 812, .ports_known = 1, .ports = 1},
                          {{*port, 4}},
                          "node server.js"});
  }
  Deliver(wire::TreeEnd{serial, port ? 1u : 0u});
  loop_.RunReady();
}

void FakeHolder::Lease(bool held, uint32_t serial, uint32_t keys,
                       uint32_t secrets) {
  Deliver(wire::LeaseInfo{.serial = serial, .writes = keys, .secrets = secrets},
          held, "attach pts/3");
}

void FakeHolder::LeaseForCall(bool held, uint32_t serial, uint32_t keys) {
  Deliver(wire::LeaseInfo{.serial = serial, .writes = keys, .for_call = 1},
          held, "server");
}

void FakeHolder::Deliver(wire::LeaseInfo info, bool held, const char* label) {
  info.since_ns = NowNs();
  info.how = wire::LeaseEnd::kGiven;
  std::strncpy(info.label, label, sizeof info.label - 1);
  Deliver(
      wire::Lease{info.serial, held ? uint64_t{wire::kLeaseHeld} : 0, info});
  loop_.RunReady();
}

void FakeHolder::Advance(Duration by) {
  clock_.Advance(by);
  loop_.RunReady();
}

std::string FakeHolder::typed() const {
  std::string all;
  for (const wire::Write& write : AllSent<wire::Write>()) all += write.bytes;
  return all;
}

size_t FakeHolder::CountSent(wire::PacketType type) const {
  size_t count = 0;
  for (const Received& sent : sent_) count += sent.header.type == type;
  return count;
}

void FakeHolder::OnSent(wire::PacketHeader header, std::string_view payload) {
  sent_.push_back({header, std::string(payload)});
  // Answers come from the loop, like those of a socket.
  if (header.type == wire::Probe::kType && !is_busy_) {
    loop_.Post([this, probe = sent_.back().As<wire::Probe>()] {
      wire::ProbeAnswer answer = answer_;
      if ((probe.flags & wire::kProbeWork) == 0) answer.work = {};
      answer.offset = end_;
      answer.unread = 0;
      answer.settled = answer.waiting != wire::Waiting::kRunning;
      Deliver(wire::State{probe.serial, 0, answer});
    });
  }
  if (header.type == wire::Write::kType && refusal_) {
    loop_.Post([this, serial = sent_.back().As<wire::Write>().serial] {
      Deliver(wire::Refused{serial, *refusal_, taken_});
    });
  }
}

void FakeHolder::DeliverPacket(const wire::Packet& packet) {
  if (channel_ != nullptr) channel_->listener()->OnPacket(packet);
}

}  // namespace glasstty
