"""Drives one program through the real server and says of each of its cells "ok", or in a word what is wrong."""
import re
import statistics
import time

# The rounds of which the median is told.
ROUNDS = 11
# A busy machine may need them; they cost only where something fails.
OPEN_S = 60
SOON_S = 30
SLOW_S = 45  # the longest that a call may wait
# A diff puts the number of a row before it, and perhaps the columns that have changed.
PLACE = re.compile(r"^\d+(:\d+-\d+)?\| ")
LEFT_OUT = re.compile(r"\[\.\.\. (\d+) lines? left out\]")
ROW = re.compile(r"(?:^|[^+\w])row +(\d+)\b(?! *to)")


class Odd(Exception):
    """Says in a word what an agent sees that is not right."""


class Reply:
    """Splits the text of a reply about a session."""

    def __init__(self, text, is_error):
        self.text = text
        self.first, _, self.body = text.partition("\n")
        state = re.match(r"\[[^]]*\] ([^ |]+)", self.first)
        self.state = state.group(1).partition("(")[0] if state and not is_error else "error"
        for fact in ("exited", "signal"):
            if not is_error and f" {fact}=" in self.first.split("|")[0]:
                self.state = re.search(rf" ({fact}=\S+)", self.first).group(1)

    def waits(self):
        return self.state == "input"

    def timed_out(self):
        return "reason=timeout" in self.first


class Trial:
    """Owns a session of `program`, and a new one whenever the last one is gone or not at its prompt."""

    def __init__(self, server, program, log):
        self._server, self._program, self._log = server, program, log
        self._sessions = 0
        self._session = None
        self._number = 6

    def cells(self):
        """Returns {column: word} and the median in milliseconds."""
        found = {}
        self.median = None
        for name, trial in CELLS.items():
            try:
                if name != "open":
                    self._be_at_prompt()
                trial(self)
                found[name] = "ok"
            except Odd as odd:
                found[name] = str(odd)
                self._log(f"   {name}: {odd}")
                self._close()
        self._close()
        return found

    # ---- Calls ----

    def _call(self, tool, **arguments):
        began = time.monotonic()
        reply = Reply(*self._server.call(tool, {"session": self._session, **arguments}))
        self.seconds = time.monotonic() - began
        self._log(f"-> {tool} {arguments} ({self.seconds:.3f} s)\n{reply.text}")
        return reply

    def _send(self, given, timeout_s=SOON_S, **arguments):
        return self._call("term_send", input=given, timeout_s=timeout_s, **arguments)

    def _finish(self, reply):
        """Waits as an agent does whose call has returned while the program works. Returns both replies as one."""
        if reply.state != "busy":
            return reply
        later = self._call("term_wait", until={"state": "input"}, timeout_s=SLOW_S)
        later.body = reply.body + "\n" + later.body
        return later

    def _open(self):
        self._sessions += 1
        self._session = f"s{self._sessions}"
        given = {"name": self._session, "argv": self._program.argv, "env": self._program.env, "timeout_s": OPEN_S}
        reply = Reply(*self._server.call("term_open", given))
        self._log(f"-> term_open {self._program.argv}\n{reply.text}")
        return reply

    def _close(self):
        if self._session:
            self._server.call("term_close", {"session": self._session, "survivors": "kill"})
        self._session = None

    def _be_at_prompt(self):
        if self._session:
            return
        reply = self._open()
        if not reply.waits() or not self._has_prompt(reply):
            self._send(["<Enter>"])

    # ---- What a reply must be ----

    def _next(self, template):
        """Returns the template with a number that it has not had before."""
        self._number += 1
        return template.replace("@", str(self._number))

    def _has_prompt(self, reply):
        if "mode=" in reply.first:
            # The difference to the last screen leaves out a prompt that was there.
            reply = self._call("term_read", mode="snapshot", peek=True)
        return re.search(rf"{self._program.prompt}\s*($|\n)", reply.body) is not None

    def _expect(self, reply, result):
        if not reply.waits():
            raise Odd(reply.state)
        lines = [PLACE.sub("", line) for line in reply.body.split("\n")]
        if result and not any(re.search(rf"(?<![\w.]){re.escape(result)}(?![\w])", line) for line in lines):
            raise Odd("no result")
        if not self._has_prompt(reply):
            raise Odd("no prompt")

    def _expect_sound(self):
        reply = self._send(self._next(self._program.expression), enter=True)
        self._expect(self._finish(reply), str(1000 + self._number))

    # ---- The cells ----

    def opens(self):
        reply = self._open()
        if not self._has_prompt(reply):
            raise Odd("no prompt")
        # Some show their prompt while they load the rest.
        if not self._finish(reply).waits():
            raise Odd(reply.state)

    def evaluates(self):
        times, has_echo = [], False
        # The first one loads what the others need.
        self._expect_sound()
        for _ in range(ROUNDS):
            typed = self._next(self._program.expression)
            reply = self._send(typed + "\n")
            times.append(self.seconds)
            self._expect(reply, str(1000 + self._number))
            # A program that draws the screen itself is shown as it is.
            has_echo |= "mode=" not in reply.first and typed in reply.body
        self.median = statistics.median(times) * 1000
        if has_echo:
            raise Odd("echo")

    def is_busy(self):
        typed = self._next(self._program.slow)
        result = self._program.slow_result or str(1000 + self._number)
        reply = self._send(typed + "\n")
        if reply.waits() and result not in reply.body:
            raise Odd(reply.state)
        self._expect(self._finish(reply), result)
        self._expect_sound()

    def _defines(self, shape):
        reply = self._send(shape(self._next(self._program.function)))
        self._expect(self._finish(reply), str(2 * self._number + 1))
        self._expect_sound()

    def takes_a_string(self):
        self._defines(lambda text: text)

    def takes_a_list(self):
        self._defines(lambda text: [line.replace("<", "<lt>").replace("\n", "<Enter>")
                                    for line in text.splitlines(keepends=True)])

    def takes_a_paste(self):
        self._defines(lambda text: [{"paste": text.removesuffix("\n")}, "<Enter>"])

    def prints_much(self):
        reply = self._finish(self._send(self._program.rows + "\n"))
        self._expect(reply, "")
        shown = [int(row) for line in reply.body.split("\n") for row in ROW.findall(line)]
        if 300 not in shown:
            raise Odd("no end")
        left_out = sum(int(count) for count in LEFT_OUT.findall(reply.text))
        if len(set(shown)) + left_out < 300:
            raise Odd("gap not told")
        found = self._call("term_search", regex=r"\brow +\d+\b", max=1000)
        if len({int(row) for line in found.body.split("\n") for row in ROW.findall(line)}) < 300:
            raise Odd("lines lost")
        self._expect_sound()

    def complains(self):
        given, complaint = self._program.error
        reply = self._send(given + "\n")
        self._expect(reply, "")
        if complaint not in reply.body:
            raise Odd("no complaint")
        self._expect_sound()

    def is_interrupted(self):
        reply = self._send(self._program.loop + "\n", 1.5)
        if reply.state != "busy" and "busy" not in self._program.odd:
            raise Odd(reply.state + " in a loop")
        self._expect(self._finish(self._send(["<C-c>"])), "")
        self._expect_sound()

    def is_interrupted_at_its_prompt(self):
        self._expect(self._send(["<C-c>"]), "")
        self._expect_sound()

    def is_not_met_by_the_echo(self):
        typed = self._next(self._program.expression)
        reply = self._send(typed + "\n", 2, until={"text": typed.split(";")[0]})
        if not reply.timed_out():
            raise Odd("met")
        typed = self._next(self._program.expression)
        reply = self._send(typed + "\n", until={"text": str(1000 + self._number)})
        if reply.timed_out():
            raise Odd("not met by output")
        # The prompt may still be to come.
        self._close()

    def leaves(self):
        given, status = self._program.leave
        reply = self._send(given)
        reply = self._finish(reply)
        if reply.state != status:
            raise Odd(reply.state)


CELLS = {
    "open": Trial.opens, "result": Trial.evaluates, "busy": Trial.is_busy, "string": Trial.takes_a_string,
    "list": Trial.takes_a_list, "paste": Trial.takes_a_paste, "300 lines": Trial.prints_much, "error": Trial.complains,
    "^C in a loop": Trial.is_interrupted, "^C at the prompt": Trial.is_interrupted_at_its_prompt,
    "until": Trial.is_not_met_by_the_echo, "end": Trial.leaves,
}
