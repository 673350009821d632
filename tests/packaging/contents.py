#!/usr/bin/env python3
"""Checks what `./dev package` made, without installing it.

    contents.py DIST FOLDER      the validator of .mcpb is installed in FOLDER by npm, if it is not there
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

MCPB = "@anthropic-ai/mcpb@2.1.2"
PROGRAMS = ["bin/glasstty", "libexec/glasstty-holder", "libexec/glasstty-relay", "libexec/glasstty-http",
            "libexec/glasstty-picture", "libexec/glasstty-view"]
INSTALLED = PROGRAMS + ["share/bash-completion/completions/glasstty", "share/fish/vendor_completions.d/glasstty.fish",
                        "share/zsh/site-functions/_glasstty", "share/man/man1/glasstty.1",
                        "share/glasstty/systemd/glasstty.service", "share/glasstty/systemd/glasstty.socket"]
HERE = pathlib.Path(__file__).resolve().parents[2]
PLUGINS = [f"share/glasstty/plugins/{path.relative_to(HERE / 'packaging/plugins')}"
           for folder in (".agents", ".claude-plugin", "codex", "glasstty")
           for path in (HERE / "packaging/plugins" / folder).rglob("*") if path.is_file()]
DOCUMENTS = [f"share/doc/glasstty/{name}" for name in ("CHANGELOG.md", "LICENSE", "README.md", "THIRD_PARTY.md")]
# The sizes are decimal, as people see those of downloads.
LIMITS = {"bin/glasstty": 6_800_000, "libexec/glasstty-holder": 1_200_000, "libexec/glasstty-relay": 1_100_000,
          "libexec/glasstty-http": 3_000_000, "libexec/glasstty-picture": 5_000_000, "libexec/glasstty-view": 4_000_000}


def check(good, message):
    if not good:
        sys.exit(f"contents: {message}")


def output(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def members(path, below):
    """Returns {name: mode} of the files of a tar archive, which must all be below a folder."""
    with tarfile.open(path) as archive:
        files = {member.name: member for member in archive if member.isfile()}
    check(all(name.startswith(below + "/") for name in files), f"{path.name}: not everything is in {below}/")
    check(all(member.uid == 0 and member.gid == 0 for member in files.values()), f"{path.name}: has an owner")
    return {name.removeprefix(below + "/"): member.mode for name, member in files.items()}


def other_holders(dist, path):
    """Returns the holders for other processors that an archive contains if those were built with it."""
    machines = {"x64": "x86_64", "arm64": "aarch64"}
    arches = [arch for arch in machines if list(dist.glob(f"*-linux-{arch}.tar.gz"))]
    return [f"libexec/glasstty-holder-{machines[arch]}" for arch in arches if f"-linux-{arch}." not in path.name]


def check_archive(path):
    name = path.name.removesuffix(".tar.gz")
    files = members(path, name)
    others = other_holders(path.parent, path)
    check(sorted(files) == sorted(INSTALLED + PLUGINS + others + DOCUMENTS), f"{path.name} holds {sorted(files)}")
    launchers = [name for name in PLUGINS if name.endswith("/bin/glasstty")]
    check(launchers, "packaging/plugins has no launcher")
    check(all((files[program] & 0o777) == 0o755 for program in PROGRAMS + others + launchers),
          f"{path.name}: a program has no x bit")
    with tempfile.TemporaryDirectory() as folder, tarfile.open(path) as archive:
        archive.extractall(folder)
        for program in PROGRAMS:
            check_program(pathlib.Path(folder) / name / program, LIMITS[program])
        for holder in others:
            check_program(pathlib.Path(folder) / name / holder, LIMITS["libexec/glasstty-holder"])
        page = pathlib.Path(folder) / name / "share/man/man1/glasstty.1"
        complaints = subprocess.run(["man", "-l", "--warnings", page], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, text=True).stderr
        check(not complaints, f"{page.name}: {complaints}")


def check_program(path, most):
    """Checks that it needs nothing of the system, names nothing of the machine that built it, and is not too large."""
    check(path.stat().st_size <= most, f"{path.name} takes {path.stat().st_size} bytes, more than {most}")
    headers = output("readelf", "-W", "-l", "-d", path)
    check("NEEDED" not in headers and "INTERP" not in headers, f"{path.name} is not static")
    stack = re.search(r"GNU_STACK.*", headers).group()
    check("RWE" not in stack, f"{path.name} has an executable stack")
    strings = output("strings", path)
    check(str(HERE) not in strings, f"{path.name} names {HERE}")


def check_npm(dist, version):
    packages = {}
    for path in sorted((dist / "npm").glob("*.tgz")):
        files = members(path, "package")
        with tarfile.open(path) as archive, tempfile.TemporaryDirectory() as folder:
            archive.extractall(folder)
            root = pathlib.Path(folder) / "package"
            package = json.loads((root / "package.json").read_text())
            packed = json.loads(output("npm", "pack", "--dry-run", "--json", cwd=root))
        check(package["version"] == version, f"{path.name} is of {package['version']}, not of {version}")
        check("scripts" not in package, f"{path.name} runs scripts")
        as_npm = sorted(file["path"] for file in packed[0]["files"])
        check(as_npm == sorted(files), f"{path.name}: npm would pack {as_npm}, not {sorted(files)}")
        packages[package["name"]] = package
    wanted = packages["glasstty"]["optionalDependencies"]
    for name in packages.keys() - {"glasstty"}:
        check(wanted.get(name) == version, f"glasstty does not ask for {name} {version}")


def check_bundles(dist, folder, version):
    server = json.loads((dist / "server.json").read_text())
    check(server["version"] == version, f"server.json is of {server['version']}")
    check(len(server["description"]) <= 100, "server.json: the registry takes 100 characters of description")
    hashes = {pathlib.PurePosixPath(package["identifier"]).name: package.get("fileSha256")
              for package in server["packages"] if package["registryType"] == "mcpb"}
    if not (folder / "node_modules/.bin/mcpb").exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder,
                        MCPB], check=True)
    for path in dist.glob("*.mcpb"):
        check(hashes.get(path.name) == hashlib.sha256(path.read_bytes()).hexdigest(),
              f"server.json has not the hash of {path.name}")
        with zipfile.ZipFile(path) as bundle, tempfile.TemporaryDirectory() as unpacked:
            modes = {info.filename: info.external_attr >> 16 & 0o777 for info in bundle.infolist()}
            check(all(modes.get(f"server/{program}") == 0o755 for program in PROGRAMS), f"{path.name}: {modes}")
            bundle.extract("manifest.json", unpacked)
            output(folder / "node_modules/.bin/mcpb", "validate", pathlib.Path(unpacked) / "manifest.json")


def check_extension(path, version):
    """Checks a .vsix: the programs are those of the archive, and nothing of its tools or its sources is in it."""
    with zipfile.ZipFile(path) as bundle, tempfile.TemporaryDirectory() as unpacked:
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in bundle.infolist()}
        check(all(modes.get(f"extension/{program}") == 0o755 for program in PROGRAMS), f"{path.name}: {modes}")
        strange = [name for name in modes if "node_modules" in name or name.endswith(".ts")]
        check(not strange, f"{path.name} holds {strange}")
        package = json.loads(bundle.read("extension/package.json"))
        check(package["version"] == version, f"{path.name} is of {package['version']}, not of {version}")
        check("extension/" + package["main"].removeprefix("./") in modes, f"{path.name} has no {package['main']}")
        manifest = bundle.read("extension.vsixmanifest").decode()
        target = re.search(r'TargetPlatform="([^"]*)"', manifest)
        check(target and path.name.endswith(f"-{target.group(1)}.vsix"), f"{path.name} is for {target}")
        program = pathlib.Path(bundle.extract("extension/bin/glasstty", unpacked))
        with tarfile.open(path.with_suffix(".tar.gz")) as archive:
            same = archive.extractfile(f"{path.stem}/bin/glasstty").read()
        check(program.read_bytes() == same, f"{path.name} holds another glasstty than the archive")


def check_sums(dist):
    named = dict(reversed(line.split("  ", 1)) for line in (dist / "SHA256SUMS").read_text().splitlines())
    there = {str(path.relative_to(dist)) for path in dist.rglob("*") if path.is_file()} - {"SHA256SUMS"}
    check(set(named) == there, f"SHA256SUMS names {sorted(named)}, but there are {sorted(there)}")
    for name, value in named.items():
        check(hashlib.sha256((dist / name).read_bytes()).hexdigest() == value, f"SHA256SUMS: {name}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    dist, folder = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    (main_package,) = (dist / "npm").glob("glasstty-[0-9]*.tgz")
    version = main_package.name.removeprefix("glasstty-").removesuffix(".tgz")
    for path in dist.glob("*.tar.gz"):
        check_archive(path)
    for path in dist.glob("*.deb"):
        subprocess.run(["lintian", "--fail-on", "error", "--allow-root", path], check=True)
    check_npm(dist, version)
    check_bundles(dist, folder, version)
    for path in dist.glob("*.vsix"):
        check_extension(path, version)
    check_sums(dist)
    print(f"contents of {version}: as they should be")


if __name__ == "__main__":
    main()
