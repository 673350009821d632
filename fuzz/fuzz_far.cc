// Tests the near end with a hostile far end: no bytes may crash it, make it
// store more than it asked for, or write anything but a session's files.
//
// The input is a list of frames: a byte that selects the type, one for the
// part, one for the size of the payload, eight for the offset, then the
// payload. The rest of the input is passed to the readers unchanged.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "far/near_session.h"
#include "folder.h"
#include "place/bootstrap.h"
#include "require.h"
#include "wire/place_control.h"

namespace glasstty {
namespace {

std::unique_ptr<far::NearSession> Begin(far::FrameStream* stream,
                                        UniqueFd* server) {
  for (const auto& entry : std::filesystem::directory_iterator(Folder())) {
    std::filesystem::remove(entry.path());
  }
  int ends[2];
  Require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) == 0);
  server->Reset(ends[0]);
  far::NearSession::Start start;
  start.server.Reset(ends[1]);
  start.directory.Reset(open(Folder().c_str(), O_RDONLY | O_DIRECTORY));
  start.open.id = std::string(32, 'a');
  start.open.spec.argv = {"sh"};
  start.open.spec.record_input = true;
  auto session =
      std::make_unique<far::NearSession>(1, std::move(start), stream);
  Require(session->Prepare());
  wire::SendMessage(server->get(), wire::Hello{});
  session->Read(0, MonotonicNow());
  session->Connect({});
  return session;
}

void PlayFrames(std::string_view input) {
  far::FrameStream stream;
  UniqueFd server;
  auto session = Begin(&stream, &server);
  constexpr size_t kHead = 11;
  while (input.size() >= kHead) {
    far::FrameHeader header{.session = 1};
    header.type = static_cast<far::FrameType>(input[0] & 15);
    header.part = static_cast<uint8_t>(input[1]) % 12;
    size_t size = static_cast<uint8_t>(input[2]);
    std::memcpy(&header.number, input.data() + 3, sizeof header.number);
    input.remove_prefix(kHead);
    std::string_view payload = input.substr(0, size);
    input.remove_prefix(payload.size());
    if (!session->Take({header, payload})) break;
    session->RunTimers(MonotonicNow());
  }
  // The limit is the window, and a piece beyond it.
  uintmax_t stored = 0;
  for (const auto& entry : std::filesystem::directory_iterator(Folder())) {
    if (entry.is_regular_file()) stored += entry.file_size();
  }
  Require(stored < (256 << 10));
}

void ReadAll(std::string_view input) {
  far::FrameReader reader;
  reader.Append(input.substr(0, input.size() / 2));
  far::Frame frame;
  while (reader.Next(&frame) == far::FrameReader::Result::kFrame) {
  }
  reader.Append(input.substr(input.size() / 2));
  while (reader.Next(&frame) == far::FrameReader::Result::kFrame) {
  }
  wire::HelloInfo hello;
  wire::DecodeHello(input, &hello);
  wire::OpenInfo open;
  if (wire::DecodeOpen(input, &open))
    Require(wire::EncodeOpen(open).size() > 0);
  wire::AttachInfo attach;
  wire::DecodeAttach(input, &attach);
  wire::PlaceStatus status;
  wire::DecodeStatus(input, &status);
  std::string said(input);
  for (int i = 0; i < 100; ++i) {
    if (place::TakeBootstrapNews("T", &said).kind ==
        place::BootstrapNews::Kind::kNothing) {
      break;
    }
  }
}

}  // namespace
}  // namespace glasstty

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  glasstty::PlayFrames(input);
  glasstty::ReadAll(input);
  return 0;
}
