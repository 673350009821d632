// The kinds of files that a person can save from the page, one row each. Values
// only.
#pragma once

#include <string>
#include <string_view>

#include "http/server.h"
#include "page/download.h"
#include "page/visitor.h"

namespace glasstty::page {

struct PageFile {
  const char* path;  // of the request
  const char* ending;
  const char* type;
  // REQUIRES: the visitor watches something.
  Download::Produce (*producer)(const Visitor& visitor,
                                const http::Request& request);
};
// Null: there is no file at this path.
const PageFile* FindPageFile(std::string_view path);

// Under which the browser keeps it: the session's name, which an agent has
// chosen, with nothing in it that a file system or a header does not take.
std::string FileName(const std::string& session, const PageFile& file);

}  // namespace glasstty::page
