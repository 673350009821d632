// A file for the browser to save, produced by a separate process.
//
// Writing a long recording takes seconds, and a picture starts a program. The
// page is served in the meantime, and data that the browser has not accepted
// yet waits in a pipe. Owns the process, and kills it when destroyed. Borrows
// the loop, which must outlive it. Loop thread only.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "base/fd.h"
#include "http/server.h"
#include "support/loop.h"

namespace glasstty::page {

class Download {
 public:
  // Writes the whole file, which must not be empty, to `fd`. Runs in a forked
  // copy of this process, in which only the standard descriptors and those of
  // the answer are open. May fail only before writing anything.
  using Produce = std::function<absl::Status(int fd)>;

  // `head` is the head of the answer if there is a file; a failure is answered
  // with 500 and the error's text. `over` is called from the loop when
  // everything has been sent or the browser has disconnected; it may destroy
  // this object.
  Download(Loop* loop, std::unique_ptr<http::Exchange> exchange,
           http::Response head, const Produce& produce,
           std::function<void()> over);
  ~Download();
  Download(const Download&) = delete;
  Download& operator=(const Download&) = delete;

 private:
  void Read();
  void Take(std::string_view bytes);
  void End();

  std::unique_ptr<http::Exchange> exchange_;
  std::unique_ptr<http::ResponseStream> stream_;  // null until there is a file
  http::Response head_;
  std::function<void()> over_;
  pid_t producer_ = -1;
  UniqueFd file_;       // a pipe
  UniqueFd complaint_;  // a pipe with the error if there is no file
  FdWatch readable_;
};

}  // namespace glasstty::page
