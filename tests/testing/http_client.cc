#include "testing/http_client.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "absl/strings/ascii.h"

namespace glasstty::testing {
namespace {

// Returns false at the end, or if nothing came for ten seconds.
bool ReadMore(int fd, std::string* received) {
  char buffer[8192];
  ssize_t got = read(fd, buffer, sizeof(buffer));
  if (got > 0) received->append(buffer, static_cast<size_t>(got));
  return got > 0;
}

}  // namespace

UniqueFd ConnectHttp(uint16_t port) {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  timeval limit = {10, 0};
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address),
              sizeof(address)) != 0) {
    fd.Reset();
  }
  return fd;
}

HttpAnswer AskHttp(uint16_t port, std::string_view request) {
  HttpAnswer answer;
  UniqueFd fd = ConnectHttp(port);
  std::string received;
  if (!fd.valid() || !WriteAll(fd.get(), request)) return answer;
  size_t head = std::string::npos, length = 0;
  while (ReadMore(fd.get(), &received)) {
    if (head == std::string::npos) {
      head = received.find("\r\n\r\n");
      if (head == std::string::npos) continue;
      for (size_t at = received.find("\r\n"); at < head;) {
        size_t end = received.find("\r\n", at + 2);
        std::string line = received.substr(at + 2, end - at - 2);
        size_t colon = std::min(line.find(": "), line.size());
        std::string name = absl::AsciiStrToLower(line.substr(0, colon));
        answer.headers[name] = line.substr(std::min(colon + 2, line.size()));
        at = end;
      }
      answer.status = std::atoi(received.c_str() + 9);
      length =
          std::strtoul(answer.headers["content-length"].c_str(), nullptr, 10);
    }
    bool is_chunked = answer.headers["transfer-encoding"] == "chunked";
    if (is_chunked ? received.ends_with("\r\n0\r\n\r\n")
                   : received.size() >= head + 4 + length) {
      break;
    }
  }
  if (head != std::string::npos) answer.body = received.substr(head + 4);
  return answer;
}

JsonStream::JsonStream(uint16_t port, std::string_view request)
    : socket_(ConnectHttp(port)) {
  WriteAll(socket_.get(), request);
}

// Chunks are not separated: their sizes are on lines of their own, which are
// not objects.
std::optional<Json> JsonStream::Next() {
  for (;;) {
    size_t end = received_.find('\n');
    if (end == std::string::npos) {
      if (!ReadMore(socket_.get(), &received_)) return std::nullopt;
      continue;
    }
    std::string line = received_.substr(0, end);
    all_ += line + "\n";
    received_.erase(0, end + 1);
    auto json = ParseJson(line);
    if (json.ok() && json->is_object()) return *std::move(json);
  }
}

std::optional<Json> JsonStream::Await(const std::string& member,
                                      const Json& value) {
  auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < limit) {
    std::optional<Json> message = Next();
    if (!message) return std::nullopt;
    const Json* found = FindMember(*message, member);
    if (found != nullptr && *found == value) return message;
  }
  return std::nullopt;
}

}  // namespace glasstty::testing
