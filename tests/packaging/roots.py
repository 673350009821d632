"""Bare systems in folders, and commands in them.

A root is entered by namespaces of its own for mounts and processes, with /proc, a terminal multiplexer (devpts) and the
few devices that every system has. Entering needs the rights of root.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile

# The keys are names; the values are the suite of Debian, or None: busybox and nothing else.
ROOTS = {"busybox": None, "bullseye": "bullseye", "bookworm": "bookworm"}
# A suite has these beside the smallest system.
PACKAGES = ["vim-tiny", "curl", "npm"]
# The user of each root who is not root.
USER, UID = "agent", 1000


def can_enter():
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"]).returncode == 0


def make(name, folder):
    """Returns the root's folder, which is made only once."""
    root = folder / name
    if (root / "ready").exists():
        return root
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    print(f"making {root}", flush=True)
    if ROOTS[name] is None:
        make_busybox(root)
    else:
        subprocess.run(["debootstrap", "--variant=minbase", ROOTS[name], root], check=True, stdout=subprocess.DEVNULL)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        # debootstrap itself cannot order what npm depends on.
        subprocess.run(command(root, "root", ["apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES]),
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["chroot", root, "useradd", "--create-home", "--uid", str(UID), "--shell", "/bin/bash", USER],
                       check=True)
    (root / "ready").touch()
    return root


def make_busybox(root):
    for folder in ("bin", "etc", "root", "home", "tmp", "usr/local/bin", "dev", "proc"):
        (root / folder).mkdir(parents=True)
    (root / "tmp").chmod(0o1777)
    # The package of the static one replaces the other, so it is not installed.
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", "-q", "busybox-static"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        (package,) = pathlib.Path(folder).iterdir()
        subprocess.run(["dpkg", "-x", package, folder], check=True)
        shutil.copy(pathlib.Path(folder) / "bin/busybox", root / "bin/busybox")
    subprocess.run(["chroot", root, "/bin/busybox", "--install", "-s", "/bin"], check=True)
    (root / "etc/passwd").write_text(f"root:x:0:0:root:/root:/bin/sh\n{USER}:x:{UID}:{UID}::/home/{USER}:/bin/sh\n")
    (root / "etc/group").write_text(f"root:x:0:\n{USER}:x:{UID}:\n")
    home = root / "home" / USER
    home.mkdir()
    os.chown(home, UID, UID)


def command(root, user, words):
    """Returns the words of a command that runs `words` in the root, in the user's home, without a terminal."""
    uid, home = (0, "/root") if user == "root" else (UID, f"/home/{USER}")
    environment = ["HOME=" + home, "USER=" + user, "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                   "LANG=C.UTF-8"]
    script = pathlib.Path(__file__).with_name("enter.sh")
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", str(script), str(root), str(uid),
            *environment, "--", *words]


def files(root):
    """Returns every file and folder of the root except what the system itself writes when a package comes and goes."""
    ours = set()
    leave_out = ("proc", "dev", "var/lib/dpkg", "var/log", "var/cache", "ready")
    for folder, folders, names in os.walk(root):
        at = os.path.relpath(folder, root)
        folders[:] = [f for f in folders if os.path.normpath(os.path.join(at, f)) not in leave_out]
        ours.update(os.path.normpath(os.path.join(at, name)) for name in [*folders, *names])
    return ours
