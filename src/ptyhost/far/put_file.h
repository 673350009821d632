// The program that writes a file on another machine. The server runs it in a
// session on that machine (wire/put_file.h).
#pragma once

namespace glasstty::far {

// `words` are the arguments after "--put", ended by a null pointer. Reads
// stdin, writes one line to stdout, and returns the exit status.
int RunPut(char** words);

}  // namespace glasstty::far
