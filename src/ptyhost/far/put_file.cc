// If content is written directly to the file (in place, or appended), it is
// first collected in memory. So a broken connection does not leave half of it
// in the file.
#include "far/put_file.h"

#include <linux/limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/limits.h"
#include "wire/put_file.h"

namespace glasstty::far {
namespace {

FileProblem Refuse(const std::string& path, const std::string& why) {
  return {FileProblem::Kind::kWrongKind, 0, path,
          "cannot write '" + path + "': " + why};
}

std::string Home() {
  const char* home = getenv("HOME");
  return home != nullptr && home[0] == '/' ? home : "/";
}

// Returns the working directory of the first process that has one, or else
// `request.directory`.
std::string DirectoryOf(const wire::PutRequest& request) {
  for (int process : request.processes) {
    char path[PATH_MAX];
    std::string link = "/proc/" + std::to_string(process) + "/cwd";
    ssize_t n = readlink(link.c_str(), path, sizeof path);
    if (n > 0) return {path, static_cast<size_t>(n)};
  }
  return request.directory;
}

FileProblem MakeAbsolute(const wire::PutRequest& request, std::string* path) {
  *path = request.path;
  if ((*path)[0] == '/') return {};
  if ((*path)[0] == '~') {
    if (path->size() > 1 && (*path)[1] != '/') {
      return Refuse(*path,
                    "only '~' is known there, not the homes of other users");
    }
    *path = Home() + path->substr(1);
    return {};
  }
  std::string directory = DirectoryOf(request);
  if (directory.empty() || directory[0] != '/') {
    return Refuse(*path,
                  "the session's directory is not known there: give an "
                  "absolute path");
  }
  *path = AbsolutePath(*path, directory);
  return {};
}

// Passes `size` bytes of stdin to `take` in pieces, then reads kPutEnd. Stops
// if `take` reports a problem. Returns false if stdin ends otherwise.
template <typename Take>
bool ReadAll(uint64_t size, FileProblem* problem, Take take) {
  std::string buffer(64 << 10, '\0');
  for (uint64_t left = size;;) {
    ssize_t n = ReadSome(STDIN_FILENO, buffer.data(), buffer.size());
    if (n <= 0) return false;
    std::string_view piece(buffer.data(), static_cast<size_t>(n));
    bool is_last = piece.size() > left;
    std::string_view content = piece.substr(0, static_cast<size_t>(left));
    *problem = take(content);
    if (*problem || is_last)
      return *problem || piece.substr(left) == wire::kPutEnd;
    left -= content.size();
  }
}

FileProblem Put(const wire::PutRequest& request, wire::PutResult* result) {
  std::string path;
  if (FileProblem problem = MakeAbsolute(request, &path)) return problem;
  FileReplacement file(path, request.mode);
  if (FileProblem problem = file.Open()) return problem;
  bool gathers =
      file.in_place() || request.mode == FileReplacement::Mode::kAppend;
  std::string gathered;
  FileProblem problem;
  bool whole = ReadAll(request.size, &problem, [&](std::string_view piece) {
    if (!gathers) return file.Write(piece);
    gathered += piece;
    return FileProblem();
  });
  if (!whole) return Refuse(path, "its content did not arrive whole");
  if (!problem && gathers) problem = file.Write(gathered);
  if (!problem) problem = file.Commit();
  result->path = file.path();
  result->created = file.created();
  result->in_place = file.in_place();
  result->size = file.size();
  return problem;
}

}  // namespace

int RunPut(char** words) {
  std::vector<std::string> list;
  for (; *words != nullptr; ++words) list.emplace_back(*words);
  wire::PutRequest request;
  if (!wire::DecodePut(list, &request)) return 2;
  // Signals must not end this process between writing the temporary file and
  // renaming it. At the end of the session, stdin is closed anyway.
  signal(SIGHUP, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  SurviveFailedWrites();
  wire::PutResult result;
  result.problem = Put(request, &result);
  return WriteAll(STDOUT_FILENO, wire::EncodePutResult(result) + "\n") ? 0 : 1;
}

}  // namespace glasstty::far
