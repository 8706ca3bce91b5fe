"""Arguments for bubblewrap: what a confined process sees of the disk, and what it may write."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store")
PACKAGE = Path(__file__).parent
SUPERVISOR = PACKAGE / "supervisor"
SUPERVISOR_INSIDE = Path("/run/study/supervisor")
_SUPERVISOR_RIGHTS = ("--cap-add", "CAP_SYS_NICE", "--cap-add", "CAP_SETPCAP")
"""For the supervisor alone: to be scheduled before a fork bomb, and to keep these rights from the command."""


@dataclass(frozen=True)
class View:
    """What one command may see and write, beyond the system and the Python environment."""

    workspace: Path
    home: Path
    temp: Path
    """An empty folder of the command's own; inside it is /tmp and /dev/shm."""
    readable: tuple[Path, ...] = ()
    network: bool = True
    hidden: tuple[Path, ...] = ()
    """Folders to hide even where they lie in one that is visible; nothing readable counts inside them."""


def arguments(view: View) -> list[str]:
    """The bubblewrap command line, up to the program to run.

    The new root is empty but for the mounts, so that all that is not named is hidden. Mounts are made from
    the outside inwards, whatever lies in what: the workspace may be below the repository, the repository
    below /opt, the Python environment below the repository.
    """
    secret = [path for folder in view.hidden for path in _both(folder)]
    readable = [path for folder in view.readable for path in _both(folder) if not _within(path, secret)]
    visible = [*_system(), *_python(), *readable]
    package = [root for root in (package_root(),) if _within(root, visible) and root not in readable]
    secret = [path for path in secret if path.is_dir() and _within(path, visible) and path != Path("/")]
    hidden = [*package, *secret]
    mounts: list[tuple[Path, list[str]]] = [(path, ["--tmpfs", str(path)]) for path in package]
    mounts += [(path, ["--ro-bind", str(path), str(path)]) for path in visible]
    mounts += [(path, ["--tmpfs", str(path)]) for path in secret]
    mounts += [(inside, ["--bind", str(outside), str(inside)]) for inside, outside in _writable(view)]
    mounts.append((SUPERVISOR_INSIDE, ["--ro-bind", str(SUPERVISOR), str(SUPERVISOR_INSIDE)]))
    mounts += [(Path("/proc"), ["--proc", "/proc"]), (Path("/dev"), ["--dev", "/dev"])]
    mounts.sort(key=lambda mount: len(mount[0].parts))  # stable: of two at one place the later counts
    return [
        *("--unshare-pid", "--unshare-ipc", "--as-pid-1", "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL", *(_SUPERVISOR_RIGHTS if os.geteuid() == 0 else ())),
        *([] if view.network else ["--unshare-net"]),
        *_links(),
        *(argument for _, mount in mounts for argument in mount),
        *_masks(),
        *(argument for path in ["/", "/dev", *map(str, hidden)] for argument in ("--remount-ro", path)),
    ]


def _writable(view: View) -> list[tuple[Path, Path]]:
    """Pairs of the path inside and the folder outside."""
    pairs = [(Path("/tmp"), view.temp / "tmp"), (Path("/dev/shm"), view.temp / "shm")]
    return pairs + [(path, path) for folder in (view.workspace, view.home) for path in _both(folder)]


def _both(path: Path) -> list[Path]:
    """A path as it is written, and where it leads to if that is somewhere else."""
    return list(dict.fromkeys([path, path.resolve()]))


def _system() -> list[Path]:
    folders = [Path(name) for name in SYSTEM if Path(name).is_dir() and not Path(name).is_symlink()]
    # often a link to a file of the service that resolves names
    resolver = Path("/etc/resolv.conf").resolve()
    return folders + ([resolver] if resolver.is_file() and not resolver.is_relative_to("/etc") else [])


def _links() -> list[str]:
    """Folders like /bin, which are links to /usr/bin on most systems."""
    links = [Path(name) for name in SYSTEM if Path(name).is_symlink()]
    return [argument for link in links for argument in ("--symlink", str(link.readlink()), str(link))]


def _python() -> list[Path]:
    """Where the running Python and its libraries are, for instance in ~/.pyenv and in .venv."""
    executable = Path(sys.executable).resolve().parent.parent
    prefixes = {Path(name) for name in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)}
    paths = {path for prefix in (*prefixes, executable) for path in _both(prefix)}
    return sorted(path for path in paths if path != Path("/"))


def package_root() -> Path:
    """The package or its repository, which holds reference implementations: hidden if it is in sight."""
    return PACKAGE.parent if (PACKAGE.parent / "pyproject.toml").is_file() else PACKAGE


def _within(path: Path, folders: list[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


@lru_cache
def _masks() -> list[str]:
    """Cover what not everybody may read in /etc; inside too, the files belong to the user who runs this."""
    masks = []
    for folder in (Path("/etc"), Path("/etc/ssh"), Path("/etc/ssl")):
        for path in sorted(folder.iterdir()) if folder.is_dir() and not _is_private(folder) else []:
            if path.is_symlink() or not _is_private(path):
                continue
            if path.is_dir():
                masks += ["--tmpfs", str(path), "--remount-ro", str(path)]
            else:
                masks += ["--ro-bind", "/dev/null", str(path)]
    return masks


def _is_private(path: Path) -> bool:
    return not path.stat().st_mode & stat.S_IROTH


@lru_cache
def find_bubblewrap(network: bool = True) -> str | None:
    """The program, if it is installed and may do its work here: containers often do not allow it.

    Parameters
    ----------
    network : bool
        False asks whether it can also take the network away.
    """
    program = shutil.which("bwrap")
    if program is None:
        return None
    with tempfile.TemporaryDirectory(prefix="study-probe-") as name:
        temp = Path(name)
        make_temp(temp)
        view = View(workspace=temp, home=temp, temp=temp, network=network)
        probe = [program, *arguments(view), sys.executable, "-I", "-S", "-E", "-c", "pass"]
        try:
            done = subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
        except (OSError, subprocess.TimeoutExpired):
            return None
    return program if done.returncode == 0 else None


def make_temp(temp: Path) -> None:
    """Make the two folders that a view needs in its temporary folder."""
    for name in ("tmp", "shm"):
        (temp / name).mkdir(mode=0o700)
