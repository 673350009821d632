#!/usr/bin/env python3
"""Installs what `./dev package` made on bare systems, uses it there, and takes it away again.

    install.py DIST FOLDER [ROOT...]      roots are made in FOLDER and kept; default: busybox and this machine's npm

Each trial: install, `glasstty doctor` without a complaint, `term_run`, an editor by `term_open` and `term_send`,
`term_close`, uninstall; nothing may be left. Prints the seconds from the first command to the first `term_run`
answered. `all` stands for every root.
"""
import functools
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "testing"))
import mcp_client  # noqa: E402
import roots  # noqa: E402

MOST_SECONDS = 10


class Place:
    """The place of a trial: a user of a root. `home` is the path of the home outside of the root."""

    def __init__(self, folder, root, user):
        self.name, self.user = root, user
        self.root = roots.make(root, folder)
        self.home = self.root / ("root" if user == "root" else f"home/{user}")

    def command(self, *words):
        return roots.command(self.root, self.user, words)

    def files(self):
        return roots.files(self.root)

    def has(self, program):
        return (self.root / "usr/bin" / program).exists()


class Here:
    """This machine, with a home of its own."""

    name, user = "here", "npm"

    def __init__(self, folder):
        self.home = self.root = folder / "home"
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(parents=True)

    def command(self, *words):
        return ["env", "-i", f"HOME={self.home}", "LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin", "sh", "-c",
                'cd "$HOME" && exec "$@"', "sh", *words]

    def files(self):
        return {str(path.relative_to(self.home)) for path in self.home.rglob("*")}

    def has(self, program):
        return shutil.which(program) is not None


class Registry(http.server.SimpleHTTPRequestHandler):
    """Serves the files of DIST, and its npm packages as a registry does."""

    def __init__(self, *args, dist, **options):
        self.dist = dist
        super().__init__(*args, directory=str(dist), **options)

    def do_GET(self):
        name = urllib.parse.unquote(self.path).strip("/")
        if name != "glasstty" and not name.startswith("@"):
            return super().do_GET()
        versions = {}
        for path in (self.dist / "npm").glob("*.tgz"):
            with tarfile.open(path) as archive:
                package = json.load(archive.extractfile("package/package.json"))
            if package["name"] != name:
                continue
            address = f"http://{self.headers['Host']}/npm/{path.name}"
            versions[package["version"]] = {**package, "dist": {"tarball": address}}
        if not versions:
            return self.send_error(404)
        body = json.dumps({"name": name, "versions": versions, "dist-tags": {"latest": max(versions)}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve(dist):
    """Returns the address, which is served until the program ends."""
    handler = functools.partial(Registry, dist=dist)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


# Programs that ran in the terminals leave these in a home.
OF_PROGRAMS = {".bash_history", ".viminfo"}

# A way to install: the file that it needs in the home, the command that installs it, the path of the program then, and
# the command that removes it. A shell runs both, with $FROM the address of the files and $FILE that file.
WAYS = {
    "tar.gz": ("*-linux-x64.tar.gz", "gzip -dc $FILE | tar -xf - && rm $FILE", "./glasstty-*/bin/glasstty",
               "rm -r glasstty-*"),
    "deb": ("*_amd64.deb", "dpkg -i $FILE >/dev/null && rm $FILE", "glasstty", "dpkg -P glasstty >/dev/null"),
    "install.sh": ("install.sh", "GLASSTTY_FROM=$FROM sh install.sh >install.log 2>&1 || { cat install.log; exit 1; }",
                   'if [ "$(id -u)" = 0 ]; then set -- /usr/local "$@"; else set -- "$HOME/.local" "$@"; fi; p=$1; '
                   "shift; $p/bin/glasstty", "sh install.sh --uninstall && rm install.sh install.log"),
    "npm": (None, "npm install -g --prefix npm --cache cache --registry $FROM --no-audit --no-fund --silent glasstty",
            "npm/bin/glasstty", "npm uninstall -g --prefix npm --cache cache --silent glasstty && rm -rf npm cache .npm"),
}


def fits(place, way):
    if way == "deb":
        return place.user == "root" and place.has("dpkg")
    if way == "npm":
        return place.has("npm")
    return place.user != "npm"


def shell(place, script, address, file):
    """Runs it and returns what it printed; ends the test if it failed."""
    words = place.command("sh", "-c", f"FROM={address} FILE={file}\n{script}")
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    if done.returncode != 0:
        sys.exit(f"install: in {place.name} as {place.user}: {script}\n{done.stdout}")
    return done.stdout


def expect(text, wanted, what):
    if wanted not in text:
        sys.exit(f"install: {what}: no '{wanted}' in\n{text}")


def use(client, place, began):
    """Returns the seconds until the first command was answered."""
    text, _ = client.call("term_run", {"command": "echo $((6 * 7))"})
    seconds = time.monotonic() - began
    expect(text, "\n42", "term_run")
    # The C library would load a module to look for it, which a static program does not survive.
    text, _ = client.call("term_run", {"argv": ["pwd"], "cwd": "~no-such-user"})
    expect(text, "there is no user", "a home directory")
    editor = "vim.tiny" if place.has("vim.tiny") else "vi"
    text, _ = client.call("term_open", {"name": "editor", "command": f"{editor} note"})
    client.call("term_send", {"session": "editor", "input": ["ihello<Esc>:wq<Enter>"], "until": {"state": "exited"}})
    text, _ = client.call("term_run", {"command": "cat note && rm note"})
    expect(text, "\nhello", f"{editor} by term_send")
    text, _ = client.call("term_close", {"all": True})
    expect(text, "none of its processes is left", "term_close")
    return seconds


def trial(place, way, dist, address):
    pattern, install, program, uninstall = WAYS[way]
    before = place.files()
    file = ""
    if pattern:
        (source,) = dist.glob(pattern)
        file = source.name
        shutil.copy(source, place.home)
    began = time.monotonic()
    shell(place, install, address, file)
    client = mcp_client.Client(place.command("sh", "-c", program + ' "$@"', "sh", "mcp", "--alone"), "install")
    seconds = use(client, place, began)
    client.close()
    # Its status says that nothing is wrong.
    expect(shell(place, program + " doctor", address, file), "ok   holder", "doctor")
    shell(place, uninstall, address, file)
    # Logs and recordings are the user's.
    state = str(place.home / ".local/state").removeprefix(str(place.root) + "/")
    left = {name for name in place.files() - before if not f"{name}/".startswith(state) and
            not state.startswith(f"{name}/") and pathlib.Path(name).name not in OF_PROGRAMS}
    if left:
        sys.exit(f"install: {way} in {place.name} as {place.user} left {sorted(left)}")
    print(f"{place.name:10} {place.user:6} {way:11} {seconds:5.1f} s", flush=True)
    if seconds > MOST_SECONDS:
        sys.exit(f"install: that is more than {MOST_SECONDS} s")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    dist, folder = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    names = sys.argv[3:] or ["busybox", "here"]
    if names == ["all"]:
        names = [*roots.ROOTS, "here"]
    if not roots.can_enter() and names != ["here"]:
        print("install: NOT TRIED in bare systems: that takes root and namespaces; npm on this machine only")
        names = ["here"]
    address = serve(dist)
    for name in names:
        users = ["npm"] if name == "here" else ["root", roots.USER]
        for user in users:
            place = Here(folder / "here") if name == "here" else Place(folder, name, user)
            for way in WAYS:
                if fits(place, way):
                    trial(place, way, dist, address)


if __name__ == "__main__":
    main()
