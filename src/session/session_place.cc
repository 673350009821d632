// What is different for a session on another machine: its files are there, and
// so may be the only end of its connection.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "session/session.h"
#include "support/status.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// Requests of which the last one is asked again, with their answers.
struct Repeated {
  wire::PacketType request;
  std::optional<wire::PacketType> answer;  // none: it says how things shall be
};
constexpr Repeated kRepeated[] = {
    {wire::PacketType::kResize, wire::PacketType::kResized},
    {wire::PacketType::kProbe, wire::PacketType::kState},
    {wire::PacketType::kTree, wire::PacketType::kTreeEnd},
    {wire::PacketType::kClose, std::nullopt},
    {wire::PacketType::kKill, std::nullopt},
    {wire::PacketType::kPolicy, std::nullopt},
    {wire::PacketType::kAsk, std::nullopt},
    {wire::PacketType::kFile, std::nullopt},
};

}  // namespace

// The connection is there, or there again: what was asked may be lost.
void Session::OnAway(const wire::PacketHeader& header) {
  std::optional<Time> since = std::exchange(away_since_, std::nullopt);
  if (header.a == 0 && since) {
    absence_ = {absence_.number + 1, loop_->Now() - *since, header.b};
  }
  if (header.a != 0) {
    away_since_ = Time(Duration(header.b));
  } else {
    for (const auto& [type, request] : asked_) {
      if (channel_) channel_->Send(request.first, request.second);
    }
  }
  // What was known of the program is of before.
  prober_.InputSent();
}

void Session::Remember(const wire::PacketHeader& header,
                       std::string_view payload) {
  if (header.type == wire::PacketType::kFile && header.b > 0) {
    // Only removals are repeated, and none of a file that is there anew.
    std::erase_if(asked_, [payload](const auto& asked) {
      return asked.first == wire::PacketType::kFile &&
             payload.starts_with(asked.second.second);
    });
    return;
  }
  for (const Repeated& repeated : kRepeated) {
    if (repeated.request == header.type) {
      asked_[header.type] = {header, std::string(payload)};
    }
  }
}

void Session::Answered(const wire::PacketHeader& header) {
  // A report with serial 0 was not asked for.
  if (header.type == wire::PacketType::kTreeEnd && header.a == 0) return;
  for (const Repeated& repeated : kRepeated) {
    if (repeated.answer == header.type) asked_.erase(repeated.request);
  }
}

void Session::CutOff() {
  bool again = cut_off_since_.has_value();
  if (!again) cut_off_since_ = loop_->Now();
  if (!away_since_) away_since_ = loop_->Now();
  // What is stored here can be shown meanwhile.
  if (awaits_replay()) BeginReplay(wire::LogEnd(directory_->get(), "out"));
  prober_.InputSent();
  if (report_cut_off_) report_cut_off_(again);
  Changed();
}

void Session::Resume(std::unique_ptr<Channel> channel) {
  Listen(std::move(channel));
  // It gives as much output as is left of a window from here.
  SendHeader(wire::PacketType::kAck, feed_.consumed(),
             errors_ ? errors_->feed.consumed() : 0);
  if (consumed_ < write_serial_) {
    SendHeader(wire::PacketType::kDoubt, consumed_ + 1, write_serial_);
  }
}

void Session::GiveUp() {
  away_since_.reset();
  EndNow();
}

std::string SessionView::WhyLost() const {
  constexpr size_t kMostWords = 200;
  std::string why;
  ReadFileAt(folder_.Open()->get(), wire::kLostName, kMostWords, &why);
  return why;
}

void Session::LookAgain() {
  prober_.InputSent();
  Changed();
}

absl::Status Session::PutFile(const std::string& name,
                              const std::string& content) {
  if (origin_.place.empty()) {
    if (ReplaceFileAt(folder_.Open()->get(), name, content)) {
      return absl::OkStatus();
    }
    return ErrnoStatus("write", name);
  }
  // Room for the name in each packet.
  constexpr size_t kPiece = wire::kMaxPayload - 64;
  for (size_t at = 0; at < content.size(); at += kPiece) {
    std::string payload = name + '\0' + content.substr(at, kPiece);
    SendHeader(wire::PacketType::kFile, at, content.size(), payload);
  }
  return absl::OkStatus();
}

void Session::DropFile(const std::string& name) {
  if (origin_.place.empty()) {
    unlinkat(folder_.Open()->get(), name.c_str(), 0);
  } else {
    SendHeader(wire::PacketType::kFile, 0, 0, name + '\0');
  }
}

}  // namespace glasstty::session
