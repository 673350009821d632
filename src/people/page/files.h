// The kinds of files that a person can save from the page; each is a row.
// Values only.
#pragma once

#include <string>
#include <string_view>

#include "http/server.h"
#include "page/download.h"
#include "page/visitor.h"

namespace glasstty::page {

struct PageFile {
  const char* path;  // the path in a request for the file
  const char* ending;
  const char* type;
  // REQUIRES: the visitor watches a session.
  Download::Produce (*producer)(const Visitor& visitor,
                                const http::Request& request);
};
// Returns null if there is no file at this path.
const PageFile* FindPageFile(std::string_view path);

// Returns the name under which the browser saves the file: the session's name,
// which an agent has chosen, without characters that a file system or a header
// does not accept.
std::string FileName(const std::string& session, const PageFile& file);

}  // namespace glasstty::page
