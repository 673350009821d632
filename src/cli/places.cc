// `glasstty places`: lists the other machines on which sessions run, and the
// state of the connections to them; `glasstty places clean PLACE` removes the
// files that glasstty has left there and here.
//
// It reads the places' directories and asks their relays on this machine, as a
// server would; it needs no server and disturbs none.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/table.h"
#include "place/bootstrap.h"
#include "place/place.h"
#include "record/recording.h"
#include "record/state_dir.h"
#include "support/json.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/launch.h"
#include "wire/place_control.h"
#include "wire/place_info.h"
#include "wire/session_files.h"

namespace glasstty {
namespace {

// The time limits for an answer of a relay, for an answer of the other machine,
// and for the end of a relay.
constexpr int kPatience_ms = 300;
constexpr int kFarPatience_ms = 2000;
constexpr int kEndPatience_ms = 5000;

struct PlaceRow {
  std::string directory;  // the place's directory on this machine
  wire::PlaceSpec spec;
  UniqueFd relay;  // invalid: no relay is alive
  wire::PlaceStatus status;
  wire::HelloInfo hello;              // empty before the first connection
  std::vector<std::string> sessions;  // the names of the place's sessions
};

bool IsReadable(int fd, int patience_ms) {
  pollfd query{fd, POLLIN, 0};
  return poll(&query, 1, patience_ms) > 0;
}

// Reads the relay's next message. Returns false if none comes in time, or there
// is no relay.
bool ReadStatus(PlaceRow* row, int patience_ms) {
  wire::ReceivedPlaceMessage message;
  bool said = IsReadable(row->relay.get(), patience_ms) &&
              wire::ReceivePlaceMessage(row->relay.get(), &message) &&
              message.type == wire::PlaceMessage::kStatus &&
              wire::DecodeStatus(message.payload, &row->status);
  if (said && !row->status.hello.empty()) {
    wire::DecodeHello(row->status.hello, &row->hello);
  }
  return said;
}

std::optional<PlaceRow> LookAt(const std::string& path) {
  PlaceRow row;
  row.directory = path;
  UniqueFd directory(
      open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  std::string text;
  bool known = ReadFileAt(directory.get(), wire::kPlaceFileName,
                          wire::kMaxPlaceSpec, &text) &&
               wire::DecodePlace(text, &row.spec);
  if (!known) return std::nullopt;
  row.relay = wire::ConnectHolder(directory.get());
  if (row.relay.valid() && !ReadStatus(&row, kPatience_ms)) row.relay.Reset();
  return row;
}

// Measures the current round trip.
void Measure(PlaceRow* row) {
  if (!row->relay.valid() || row->status.state != wire::PlaceState::kUp) return;
  wire::SendPlaceMessage(row->relay.get(), wire::PlaceMessage::kMeasure);
  if (!ReadStatus(row, kFarPatience_ms)) row->status.round_trip_ns = 0;
}

// Returns the rows sorted by name.
absl::StatusOr<std::vector<PlaceRow>> AllPlaces() {
  std::vector<PlaceRow> rows;
  ASSIGN_OR_RETURN(std::string base, record::StateDir::Place());
  std::error_code error;
  std::filesystem::directory_iterator at(base + "/places", error), end;
  for (; !error && at != end; at.increment(error)) {
    auto row = LookAt(at->path().string());
    if (row) rows.push_back(*std::move(row));
  }
  // If the directory is missing, there has been no place yet.
  if (error && error != std::errc::no_such_file_or_directory) {
    return ErrnoStatus(error.value(), "read", base + "/places");
  }
  std::sort(rows.begin(), rows.end(), [](const PlaceRow& a, const PlaceRow& b) {
    return std::tie(a.spec.text, a.directory) <
           std::tie(b.spec.text, b.directory);
  });
  RETURN_IF_ERROR(record::ForEachRecorded([&](record::RecordedSession session) {
    const record::SessionOrigin& origin = session.origin;
    if (origin.place.empty() || wire::IsOver(session.directory.get())) return;
    // If several servers use a place, its first row has all its sessions.
    auto row =
        std::find_if(rows.begin(), rows.end(), [&origin](const PlaceRow& one) {
          return one.spec.text == origin.place;
        });
    if (row != rows.end()) row->sessions.push_back(origin.name);
  }));
  return rows;
}

std::string StateText(const PlaceRow& row) {
  if (!row.relay.valid()) return "not connected";
  std::string text = wire::PlaceStateName(row.status.state);
  auto now = static_cast<uint64_t>(MonotonicNow().time_since_epoch().count());
  if (row.status.state == wire::PlaceState::kPausing &&
      row.status.next_ns > now) {
    text += absl::StrFormat(
        " in %.0f s", static_cast<double>(row.status.next_ns - now) / 1e9);
  }
  return text;
}

std::string Latency(const PlaceRow& row) {
  if (row.status.round_trip_ns == 0) return "-";
  return absl::StrFormat("%.1f ms",
                         static_cast<double>(row.status.round_trip_ns) / 1e6);
}

std::vector<std::string> Cells(const PlaceRow& row) {
  std::string system = CleanText(row.hello.system);
  if (!row.status.failure.empty()) system = CleanText(row.status.failure);
  return {CleanText(row.spec.text), StateText(row), Latency(row),
          row.sessions.empty() ? "-" : CleanText(Join(row.sessions, ",")),
          system.empty() ? "-" : system};
}

Json ToJson(const PlaceRow& row) {
  Json json = {
      {"on", row.spec.text},
      {"state", row.relay.valid()
                    ? wire::PlaceStateName(row.status.state)
                    : wire::PlaceStateName(wire::PlaceState::kWaiting)},
      {"sessions", row.sessions},
      {"directory", row.directory}};
  if (row.status.round_trip_ns > 0) {
    json["round_trip_ms"] = static_cast<double>(row.status.round_trip_ns) / 1e6;
  }
  if (!row.hello.system.empty()) {
    json["system"] = row.hello.system;
    json["user"] = row.hello.user;
    json["directory_there"] = row.hello.sessions;
  }
  if (!row.status.failure.empty()) json["failure"] = row.status.failure;
  return json;
}

int List(const Options& options, std::vector<PlaceRow> rows) {
  Json list = Json::array();
  std::vector<std::vector<std::string>> table = {
      {"PLACE", "STATE", "LATENCY", "SESSIONS", "SYSTEM"}};
  for (PlaceRow& row : rows) {
    Measure(&row);
    list.push_back(ToJson(row));
    table.push_back(Cells(row));
  }
  return PrintListing(options, list, table, "no places");
}

// ---- clean

// Ends the relay, because it would reconnect during the removal. Error: it is
// in use, or does not end.
absl::Status EndRelay(PlaceRow* row) {
  size_t open = std::max<size_t>(row->status.sessions, row->sessions.size());
  if (open > 0) {
    return FailedPrecondition(
        "%d session%s %s open on %s: %s; close them first", open,
        open == 1 ? "" : "s", open == 1 ? "is" : "are", row->spec.text,
        Join(row->sessions, ", "));
  }
  if (!row->relay.valid()) return absl::OkStatus();
  wire::SendPlaceMessage(row->relay.get(), wire::PlaceMessage::kLeave);
  wire::ReceivedPlaceMessage message;
  while (IsReadable(row->relay.get(), kEndPatience_ms)) {
    if (!wire::ReceivePlaceMessage(row->relay.get(), &message) &&
        errno != EAGAIN) {
      return absl::OkStatus();
    }
  }
  return Unavailable("the connection to %s does not end; try again",
                     row->spec.text);
}

// Returns what the client prints. The client may ask at the terminal, where its
// errors are shown. Error: it cannot be started.
absl::StatusOr<std::string> RunClient(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ErrnoStatus("make", "a pipe");
  UniqueFd ours(ends[0]), theirs(ends[1]);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, theirs.get(), STDOUT_FILENO);
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);
  pid_t pid = 0;
  int error =
      posix_spawnp(&pid, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  theirs.Reset();
  if (error != 0) {
    return NotFound("cannot start %s: %s", words[0], std::strerror(error));
  }
  std::string said;
  char buffer[4096];
  ssize_t n;
  while ((n = ReadSome(ours.get(), buffer, sizeof buffer)) > 0) {
    said.append(buffer, static_cast<size_t>(n));
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return said;
}

// Reports in words what the lines that begin with `token` say. Error: something
// was not removed.
absl::Status TellCleaning(const std::string& place, const std::string& said,
                          const std::string& token) {
  bool done = false;
  std::vector<std::string> stays;
  for (const std::string& line : Split(said, '\n')) {
    if (!line.starts_with(token + " ")) continue;
    std::vector<std::string> words = Split(line.substr(token.size() + 1), ' ');
    std::string rest = CleanText(
        Join(std::vector<std::string>(words.begin() + 1, words.end()), " "));
    if (words[0] == "done") done = true;
    if (words[0] == "removed") {
      Print("removed %s on %s\n", rest, place);
    } else if (words[0] == "busy") {
      stays.push_back(
          "sessions of another machine or user's server run there: " + rest);
    } else if (words[0] == "failed") {
      stays.push_back("not all of it can be removed: " + rest);
    }
  }
  if (!stays.empty()) return FailedPrecondition("%s", Join(stays, "; "));
  if (!done) return Unavailable("%s did not answer; see above", place);
  return absl::OkStatus();
}

absl::Status Clean(const std::string& text, std::vector<PlaceRow> rows) {
  auto row = std::find_if(
      rows.begin(), rows.end(),
      [&text](const PlaceRow& one) { return one.spec.text == text; });
  std::vector<std::string> prefix;
  if (row != rows.end()) prefix = row->spec.prefix;
  place::Place place;
  std::string error;
  if (!place::PlaceAgain(text, prefix, &place, &error)) {
    return InvalidArgument("%s", error);
  }
  for (PlaceRow& one : rows) {
    if (one.spec.text == text) RETURN_IF_ERROR(EndRelay(&one));
  }
  ASSIGN_OR_RETURN(std::string random, record::RandomId());
  std::string token = "glasstty-" + random;
  const char* preferred = std::getenv("GLASSTTY_FAR_DIR");
  std::string line =
      place::CleaningLine(token, preferred == nullptr ? "" : preferred);
  ASSIGN_OR_RETURN(std::string said,
                   RunClient(place::ClientCommand(place, line)));
  RETURN_IF_ERROR(TellCleaning(CleanText(text), said, token));
  for (const PlaceRow& one : rows) {
    if (one.spec.text != text) continue;
    // The directory contains only our files.
    std::error_code failed;
    std::filesystem::remove_all(one.directory, failed);
  }
  return absl::OkStatus();
}

}  // namespace

int RunPlaces(const Options& options) {
  const CommandRow& command = *FindCommand("places");
  auto rows = AllPlaces();
  if (!rows.ok()) return Report(command, rows.status());
  const std::vector<std::string>& words = options.operands;
  if (words.empty()) return List(options, *std::move(rows));
  if (words[0] != "clean" || words.size() < 2) {
    return Report(command,
                  InvalidArgument("write `glasstty places clean PLACE`"));
  }
  std::string text =
      Join(std::vector<std::string>(words.begin() + 1, words.end()), " ");
  return Report(command, Clean(text, *std::move(rows)));
}

}  // namespace glasstty
