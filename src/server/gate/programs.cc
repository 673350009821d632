// Judges programs that run commands from their arguments or input: shells,
// interpreters, database clients, find. starts.h reads their calls. rules.txt
// names the programs in lists, each of which has a row in the table at the end.
#include "gate/judge.h"
#include "gate/shell_call.h"
#include "gate/starts.h"

namespace glasstty::gate {

void Judge::RunStarts(const Words& words, const Piped& input) {
  QueueStarts(StartsOf(words, input), words[0].text);
}

void Judge::QueueStarts(Starts starts, const std::string& name) {
  for (Started& started : starts.list) {
    if (!started.known) Note("what " + name + " runs");
    Queue({.text = std::move(started.text),
           .words = std::move(started.words),
           .input = std::move(started.input),
           .noted = !started.known});
  }
}

// Handles sh -c LINE; sh FILE, whose file is not read; and a shell that reads
// stdin.
void Judge::RunShell(const Words& words, const Piped& input) {
  if (ReadShellCall(words).reads_input) {
    if (input.downloads) FindDownload("... | " + words[0].text);
    if (!input.known) Note("what is piped into " + words[0].text);
  }
  QueueStarts(StartsOf(words, input), words[0].text + " -c");
}

// Handles python -c CODE: judges the strings in the code if it can pass them to
// a shell or deletes the files that they name. The home directory is often
// named without a string.
void Judge::JudgeCode(const std::string& code) {
  bool starts = CodeHas(code, "starters"), deletes = CodeHas(code, "deleters");
  if (!starts && !deletes) return;
  for (const std::string& text : StringsIn(code)) {
    if (deletes) QueueDeletion(text);
    if (starts) QueueText(text);
  }
  if (deletes && CodeHas(code, "homes")) QueueDeletion("~");
}

void Judge::RunInterpreter(const Words& words, const Piped& input) {
  bool reads_input = true;
  for (size_t i = 1; i < words.size(); ++i) {
    reads_input &= words[i].text == "-";
    JudgeCode(words[i].text);
  }
  if (!reads_input) return;
  JudgeCode(input.text);
  if (input.downloads) FindDownload("... | " + words[0].text);
}

void Judge::RunSqlClient(const Words& words, const Piped& input) {
  for (const std::string& text : StatementsFor(words, input)) {
    JudgeSql(text, true);
  }
}

// Without a filter, treats `find -delete` as `rm -r` of the directory in which
// it begins (by default the current one).
void Judge::RunFind(const Words& words, const Piped&) {
  FindCall call = ReadFindCall(words, state_.place);
  // In a system directory given as an absolute path, even a few files are too
  // many.
  PathKind kind = ClassifyPath(call.root, state_.place);
  bool all =
      !call.filters || (kind == PathKind::kSystem && call.root.text[0] == '/');
  if (call.deletes && all && kind != PathKind::kOther) {
    Find("find-delete", "find " + call.root.text + " ... -delete",
         "deletes all that it finds in a system directory, a home or here");
  }
  // Without a filter, the command is judged as if it got the root itself,
  // because it gets everything in the root. With a filter it gets some unknown
  // names, and at least one.
  const Word found = all ? call.root : Word::Of("{}", Mark::kNonEmpty);
  for (Words& command : call.commands) {
    for (Word& word : command) {
      if (word.text == "{}") word = found;
    }
    Queue({.words = std::move(command)});
  }
}

const Judge::RunnerRow Judge::kRunners[] = {
    {"shell", &Judge::RunShell, true},
    {"interpreter", &Judge::RunInterpreter, true},
    {"sql-client", &Judge::RunSqlClient},
    {"data-client", &Judge::RunSqlClient},
    {"find", &Judge::RunFind},
    {"source", &Judge::RunNothing, true},
    {"eval", &Judge::RunStarts, true},
    {"line", &Judge::RunStarts, true},
    {"container", &Judge::RunStarts},
    {nullptr, nullptr},
};

}  // namespace glasstty::gate
