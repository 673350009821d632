"""Starts the databases that the clients of programs.py talk with, in a folder of their own, without a network."""
import os
import pathlib
import pwd
import shutil
import subprocess


class Servers:
    """Owns the processes. `folder` must be short, because the paths of sockets are."""

    def __init__(self, folder):
        self._folder = folder
        self._running = []

    def start(self, name):
        """Starts a server; returns the variables that lead a client there, or None if it is not installed."""
        place = self._folder / name
        place.mkdir()
        return getattr(self, "_" + name)(place)

    def end(self):
        for process in self._running:
            process.terminate()
        for process in self._running:
            process.wait(timeout=60)

    def _run(self, command, ready, **options):
        """Starts `command`; returns once `ready`, a command, succeeds."""
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, **options)
        self._running.append(process)
        while subprocess.run(ready, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
            if process.poll() is not None:
                raise RuntimeError(f"{command[0]} ended with {process.returncode}")

    def _postgres(self, place):
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not programs or not (programs[-1] / "initdb").exists():
            return None
        # It refuses to run as root.
        user = pwd.getpwnam("postgres") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        options = {"user": user.pw_uid, "group": user.pw_gid, "cwd": place} if os.getuid() == 0 else {"cwd": place}
        os.chown(place, user.pw_uid, user.pw_gid)
        subprocess.run([programs[-1] / "initdb", "-D", place / "data", "-U", "postgres", "-A", "trust", "-N"],
                       stdout=subprocess.DEVNULL, check=True, **options)
        self._run([programs[-1] / "postgres", "-D", place / "data", "-k", place, "-c", "listen_addresses=", "-F"],
                  ["pg_isready", "-h", place], **options)
        return {"PGHOST": str(place), "PGUSER": "postgres"}

    def _mariadb(self, place):
        if not shutil.which("mariadbd"):
            return None
        user = pwd.getpwuid(os.getuid()).pw_name
        subprocess.run(["mariadb-install-db", "--no-defaults", f"--user={user}", f"--datadir={place}/data",
                        "--auth-root-authentication-method=normal", "--skip-test-db"],
                       stdout=subprocess.DEVNULL, check=True)
        socket = f"{place}/socket"
        self._run(["mariadbd", "--no-defaults", f"--user={user}", f"--datadir={place}/data", f"--socket={socket}",
                   "--skip-networking"], ["mariadb-admin", "--no-defaults", f"--socket={socket}", "-uroot", "ping"])
        return {"MYSQL_UNIX_PORT": socket}

    def _redis(self, place):
        if not shutil.which("redis-server"):
            return None
        socket = f"{place}/socket"
        self._run(["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", str(place)],
                  ["redis-cli", "-s", socket, "ping"])
        return {"REDIS_SOCKET": socket}
