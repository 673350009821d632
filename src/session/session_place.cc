// What is different for a session on another machine: its files are there, and
// so may be the only end of its connection.
#include <unistd.h>

#include <algorithm>
#include <string>

#include "session/session.h"
#include "support/status.h"
#include "wire/session_files.h"

namespace glasstty {

// What was known of the program is of before.
void Session::OnAway(const PacketHeader& header) {
  away_since_.reset();
  if (header.a != 0) away_since_ = Time(Duration(header.b));
  prober_.InputSent();
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
  constexpr size_t kPiece = kMaxPayload - 64;
  for (size_t at = 0; at < content.size(); at += kPiece) {
    std::string payload = name + '\0' + content.substr(at, kPiece);
    SendHeader(PacketType::kFile, at, content.size(), payload);
  }
  return absl::OkStatus();
}

void Session::DropFile(const std::string& name) {
  if (origin_.place.empty()) {
    unlinkat(folder_.Open()->get(), name.c_str(), 0);
  } else {
    SendHeader(PacketType::kFile, 0, 0, name + '\0');
  }
}

}  // namespace glasstty
