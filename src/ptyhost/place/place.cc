#include "place/place.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace glasstty::place {
namespace {

using Words = std::vector<std::string>;

Words Split(std::string_view text, char at) {
  Words parts;
  for (;;) {
    size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Returns the command line of the client for a target; empty if the target is
// invalid.
using MakeClient = Words (*)(std::string_view target);

// Leaves the rest to the user's configuration. A terminal on the other machine,
// escape characters, forwarding or a shared connection would disturb the stream
// of bytes. ServerAlive notices a dead connection after 30 s.
Words Ssh(std::string_view target) {
  Words words = {"ssh", "-T",
                 "-a",  "-x",
                 "-e",  "none",
                 "-o",  "ClearAllForwardings=yes",
                 "-o",  "ControlPath=none",
                 "-o",  "ServerAliveInterval=15",
                 "-o",  "ServerAliveCountMax=2"};
  std::string host(target);
  size_t colon = host.rfind(':');
  // A bare IPv6 address has more than one colon, and no port.
  if (colon != std::string::npos && host.find(':') == colon) {
    std::string port = host.substr(colon + 1);
    host.resize(colon);
    bool is_number = !port.empty() && port.size() <= 5 &&
                     std::all_of(port.begin(), port.end(),
                                 [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number) return {};
    words.insert(words.end(), {"-p", port});
  }
  std::string address = host.substr(host.find('@') + 1);
  if (address.empty() || address[0] == '-' || host[0] == '@') return {};
  words.insert(words.end(), {"--", host});
  return words;
}

Words Sudo(std::string_view target) {
  return {"sudo", "-u", std::string(target), "--"};
}

Words Docker(std::string_view target) {
  return {"docker", "exec", "-i", std::string(target)};
}

Words Podman(std::string_view target) {
  return {"podman", "exec", "-i", std::string(target)};
}

// Takes NAMESPACE/POD, NAMESPACE/POD/CONTAINER or
// CONTEXT/NAMESPACE/POD/CONTAINER.
Words Kubectl(std::string_view target) {
  Words parts = Split(target, '/');
  if (parts.size() < 2 || parts.size() > 4) return {};
  bool empty = std::any_of(parts.begin(), parts.end(), [](const auto& part) {
    return part.empty() || part[0] == '-';
  });
  if (empty) return {};
  Words words = {"kubectl"};
  size_t at = 0;
  if (parts.size() == 4) {
    words.insert(words.end(), {"--context", parts[at++]});
  }
  words.insert(words.end(), {"-n", parts[at], "exec", "-i", parts[at + 1]});
  if (at + 2 < parts.size()) {
    words.insert(words.end(), {"-c", parts[at + 2]});
  }
  words.push_back("--");
  return words;
}

struct Kind {
  std::string_view name;
  std::string_view form;
  MakeClient client;
  bool takes_shell_text;
};
constexpr Kind kKinds[] = {
    {"ssh", "ssh:[USER@]HOST[:PORT]", Ssh, true},
    {"sudo", "sudo:USER", Sudo, false},
    {"docker", "docker:CONTAINER", Docker, false},
    {"podman", "podman:CONTAINER", Podman, false},
    {"kubectl", "kubectl:[CONTEXT/]NAMESPACE/POD[/CONTAINER]", Kubectl, false},
};

// Keeps the characters that session names may have; others become '-'.
std::string NameOf(std::string_view target) {
  std::string name(target.substr(0, 40));
  for (char& c : name) {
    bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (!good) c = '-';
  }
  return name;
}

bool HasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7F;
  });
}

bool Refuse(std::string_view text, std::string* error) {
  *error = "on '" + std::string(text) + "': write " + PlaceForms() +
           ", or the words of a client that runs what stands behind them";
  return false;
}

}  // namespace

std::string PlaceForms() {
  std::string forms;
  for (const Kind& kind : kKinds) {
    if (!forms.empty()) forms += ", ";
    forms += kind.form;
  }
  return forms;
}

bool ParsePlace(std::string_view text, Place* place, std::string* error) {
  size_t colon = text.find(':');
  std::string_view name = text.substr(0, colon);
  auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                           [name](const Kind& k) { return k.name == name; });
  if (colon == std::string_view::npos || kind == std::end(kKinds)) {
    return Refuse(text, error);
  }
  std::string_view target = text.substr(colon + 1);
  bool fine = !target.empty() && target[0] != '-' && !HasControl(target);
  Words client = fine ? kind->client(target) : Words();
  if (client.empty()) return Refuse(text, error);
  std::string_view host = target.substr(target.find('@') + 1);
  *place = {.text = std::string(text),
            .name = NameOf(kind->name == "ssh" ? host : target),
            .prefix = {},
            .client = std::move(client),
            .takes_shell_text = kind->takes_shell_text};
  return true;
}

bool PlaceOfPrefix(const Words& prefix, Place* place, std::string* error) {
  if (prefix.empty() || prefix[0].empty()) {
    *error = "on: the words of a client cannot be empty";
    return false;
  }
  std::string text;
  for (const std::string& word : prefix) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  std::string program = prefix[0].substr(prefix[0].rfind('/') + 1);
  // ssh joins its arguments to one line, which a shell there parses.
  bool joins_words = program == "ssh";
  *place = {.text = std::move(text),
            .name = NameOf(program),
            .prefix = prefix,
            .client = prefix,
            .takes_shell_text = joins_words};
  return true;
}

bool PlaceAgain(const std::string& text, const Words& prefix, Place* place,
                std::string* error) {
  return prefix.empty() ? ParsePlace(text, place, error)
                        : PlaceOfPrefix(prefix, place, error);
}

Words ClientCommand(const Place& place, const std::string& line) {
  Words words = place.client;
  if (place.takes_shell_text) {
    words.push_back("exec sh -c '" + line + "'");
  } else {
    words.insert(words.end(), {"sh", "-c", line});
  }
  return words;
}

}  // namespace glasstty::place
