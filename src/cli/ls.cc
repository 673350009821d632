// `glasstty ls`: which sessions there are, what they do, and who is at them.
//
// Reads the sessions' directories and asks each holder once, as an observer;
// needs no server and disturbs none.
#include <poll.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/table.h"
#include "record/recording.h"
#include "record/state_dir.h"
#include "record/timeline.h"
#include "session/state.h"
#include "support/json.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty {
namespace {

// A holder answers in less than a millisecond; one that does not is busy or
// stopped, and the list goes on without its word.
constexpr int kPatience_ms = 300;

struct SessionRow {
  std::string name;
  std::string state;
  terminal::Size size;
  int64_t age_s = 0;
  bool served = false;
  std::string person;  // "": nobody
  std::string command;
  std::string place;  // "": this machine
  std::string path;
  bool live = false;
};

// What a holder says of its session, filled into `row`.
void AskHolder(const record::RecordedSession& session, SessionRow* row) {
  UniqueFd socket = wire::ConnectObserver(session.directory.get());
  bool asked =
      socket.valid() &&
      wire::SendPacket(
          socket.get(),
          {.type = wire::PacketType::kWatch, .a = 1, .b = wire::kWireVersion},
          "ls") &&
      wire::SendPacket(socket.get(),
                       {.type = wire::PacketType::kProbe, .a = 1});
  // An older holder is alive all the same.
  row->state = "?";
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  pollfd query{socket.get(), POLLIN, 0};
  while (asked) {
    wire::Packet packet;
    switch (wire::ReceivePacket(socket.get(), buffer, sizeof buffer, &packet)) {
      case wire::Receive::kClosed:
        return;
      case wire::Receive::kNothing:
        if (poll(&query, 1, kPatience_ms) <= 0) return;
        continue;
      case wire::Receive::kPacket:
        break;
    }
    if (packet.header.type == wire::PacketType::kLease) {
      auto lease = wire::HeadOf<wire::LeaseInfo>(packet.payload);
      row->served = lease.server_attached != 0;
      lease.label[wire::kMaxLabel] = '\0';
      if (packet.header.b & wire::kLeaseHeld) row->person = lease.label;
    } else if (packet.header.type == wire::PacketType::kWelcome) {
      auto info = wire::HeadOf<wire::HolderInfo>(packet.payload);
      row->size = {info.rows, info.cols};
    } else if (packet.header.type == wire::PacketType::kState) {
      auto answer = wire::HeadOf<wire::ProbeAnswer>(packet.payload);
      answer.name[sizeof answer.name - 1] = '\0';
      // How long it has been quiet is not known here, so that is no evidence.
      row->state = session::ActivityName(
          session::JudgeProbe(answer, Duration()).activity);
      return;
    }
  }
}

// The client of a place, without what it runs over there.
std::vector<std::string> ShownWords(const std::vector<std::string>& argv) {
  constexpr int kBeforeClient = 4;  // holder --plug SOCKET --
  if (argv.size() <= kBeforeClient || argv[1] != "--plug") return argv;
  std::vector<std::string> words;
  for (size_t i = kBeforeClient; i < argv.size(); ++i) {
    if (argv[i].find("glasstty-") != std::string::npos) break;
    words.push_back(argv[i]);
  }
  return words;
}

SessionRow Describe(const record::RecordedSession& session) {
  SessionRow row;
  const record::SessionOrigin& origin = session.origin;
  row.name = CleanText(origin.name);
  row.command = CleanText(Join(ShownWords(origin.program.argv), " "));
  row.path = session.path;
  row.size = origin.program.size;
  int directory = session.directory.get();
  record::Timeline timeline(wire::ReadEvents(directory));
  if (!timeline.resizes().empty()) row.size = timeline.resizes().back().size;
  row.age_s =
      std::max<int64_t>(WallMilliseconds() - origin.started_ms, 0) / 1000;
  auto exit = wire::ReadExit(directory);
  row.place = CleanText(origin.place);
  row.live = !wire::IsOver(directory);
  bool away = row.live && wire::HolderIsDead(directory);
  if (row.live) AskHolder(session, &row);
  if (away) row.state = "away";
  if (exit) row.state = "exited " + session::ExitText(exit->status);
  if (!exit && !row.live) row.state = "lost";
  return row;
}

std::string Age(int64_t s) {
  constexpr int64_t kMinute = 60, kHour = 3600, kDay = 86'400;
  if (s < 2 * kMinute) return absl::StrFormat("%ds", s);
  if (s < 2 * kHour) return absl::StrFormat("%dm", s / kMinute);
  if (s < 2 * kDay) return absl::StrFormat("%dh", s / kHour);
  return absl::StrFormat("%dd", s / kDay);
}

std::vector<std::string> Cells(const SessionRow& row) {
  std::string size = absl::StrFormat("%dx%d", row.size.rows, row.size.cols);
  return {row.name,
          row.state,
          size,
          Age(row.age_s),
          row.served ? "yes" : "-",
          row.person.empty() ? "-" : row.person,
          row.place.empty() ? row.command
                            : row.command + " (on " + row.place + ")"};
}

Json ToJson(const SessionRow& row) {
  Json json = {{"name", row.name},
               {"state", row.state},
               {"size", {row.size.rows, row.size.cols}},
               {"age_s", row.age_s},
               {"live", row.live},
               {"server", row.served},
               {"command", row.command},
               {"directory", row.path}};
  if (!row.person.empty()) json["person"] = row.person;
  if (!row.place.empty()) json["on"] = row.place;
  return json;
}

}  // namespace

int RunLs(const Options& options) {
  std::vector<SessionRow> rows;
  for (const record::RecordedSession& session : record::AllRecorded()) {
    SessionRow row = Describe(session);
    if (row.live || options.Has("a")) rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(),
            [](const SessionRow& a, const SessionRow& b) {
              return std::pair(a.name, -a.age_s) < std::pair(b.name, -b.age_s);
            });
  Json list = Json::array();
  std::vector<std::vector<std::string>> table = {
      {"NAME", "STATE", "SIZE", "AGE", "SERVER", "PERSON", "COMMAND"}};
  for (const SessionRow& row : rows) {
    list.push_back(ToJson(row));
    table.push_back(Cells(row));
  }
  return PrintListing(options, list, table, "no sessions");
}

}  // namespace glasstty
