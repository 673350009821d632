#include "base/spawning.h"

#include <signal.h>

#include <cerrno>

namespace glasstty {
namespace {

std::vector<char*> PointersTo(std::vector<std::string>* texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts->size() + 1);
  for (std::string& text : *texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Spawning::Spawning() {
  posix_spawn_file_actions_init(&actions_);
  posix_spawnattr_init(&attributes_);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes_, &none);
  posix_spawnattr_setsigdefault(&attributes_, &all);
  posix_spawnattr_setpgroup(&attributes_, 0);
  posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETSIGDEF |
                                             POSIX_SPAWN_SETPGROUP);
}

Spawning::~Spawning() {
  posix_spawn_file_actions_destroy(&actions_);
  posix_spawnattr_destroy(&attributes_);
}

void Spawning::Give(int from, int to) {
  posix_spawn_file_actions_adddup2(&actions_, from, to);
}

void Spawning::Open(int to, const char* path, int flags) {
  posix_spawn_file_actions_addopen(&actions_, to, path, flags, 0);
}

pid_t Spawning::Start(const std::string& path, std::vector<std::string> words,
                      std::vector<std::string> environment) const {
  pid_t pid = -1;
  int error =
      posix_spawn(&pid, path.c_str(), &actions_, &attributes_,
                  PointersTo(&words).data(), PointersTo(&environment).data());
  if (error == 0) return pid;
  errno = error;
  return -1;
}

}  // namespace glasstty
