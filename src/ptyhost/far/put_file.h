// The program that writes a file on another machine. The server runs it there
// in a session (wire/put_file.h).
#pragma once

namespace glasstty::far {

// `words` follow "--put" on the command line, and a null pointer follows them.
// Reads stdin, writes one line to stdout, and returns the exit status.
int RunPut(char** words);

}  // namespace glasstty::far
