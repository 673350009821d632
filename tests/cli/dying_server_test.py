"""`glasstty call` whose shared server ends while the call is being sent: it is an error, and no signal ends the command.

    dying_server_test.py GLASSTTY
"""
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

GLASSTTY = os.path.abspath(sys.argv.pop(1))
# A client sends its environment to the server. This one does not fit into the socket, so the server ends before all of it
# is sent. Linux allows 128 KiB for each variable.
LARGE = {f"LARGE_{number}": "x" * 100_000 for number in range(6)}


def end_at_once(listener):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        connection.close()


class DyingServer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        serve = self.home / "serve"
        serve.mkdir(mode=0o700)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(serve / "socket"))
        listener.listen()
        thread = threading.Thread(target=end_at_once, args=[listener])
        thread.start()
        self.addCleanup(listener.close)
        self.addCleanup(thread.join)
        # Closing a socket does not wake its accept().
        self.addCleanup(listener.shutdown, socket.SHUT_RDWR)

    def test_ends_no_call_by_a_signal(self):
        environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "GLASSTTY_STATE_DIR": str(self.home), **LARGE}
        done = subprocess.run([GLASSTTY, "call", "term_list"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=60, env=environment, cwd=self.home)
        self.assertGreater(done.returncode, 0, done.stderr)
        self.assertIn("the shared server", done.stderr)


if __name__ == "__main__":
    unittest.main()
