// The program that writes a file on another machine: a session runs it there
// for the server (wire/put_file.h).
#pragma once

namespace glasstty {

// `words` follow "--put" on the command line, and a null pointer follows them.
// Reads stdin, writes one line to stdout, and returns the exit status.
int RunPut(char** words);

}  // namespace glasstty
