"""Fetch a pinned commit of a public repository into the cache: whole or not at all."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from study.files import iter_files, remove_tree, write_atomically
from study.projects.cached import RECORD, CopyRecord, copied_tree, copy_folder, stamp_of, tree_digest
from study.projects.mirrors import VARIABLE, origin_of
from study.schema import StudyError

PROBE_SECONDS = 30.0
"""Within which the other side must have said what it is."""
FETCH_SECONDS = 900.0
"""Within which all must have been transferred."""

_OF_A_REPOSITORY = {
    f"GIT_{name}"
    for name in ("DIR", "WORK_TREE", "INDEX_FILE", "OBJECT_DIRECTORY", "COMMON_DIR", "NAMESPACE", "PREFIX")
}
"""Variables that a git hook, from which `study` may have been started, has set for its own repository."""

Listener = Callable[[str], None]


def fetch_commit(
    repository: str, commit: str, mirror: Path | None = None, say: Listener = lambda line: None
) -> Path:
    """The files of one commit, fetched if they are not in the cache yet.

    Parameters
    ----------
    repository : str
        `owner/name`, or an address.
    commit : str
        Its full id, 40 hexadecimal digits. Git names commits by their content, so nothing else can come
        under this name.
    mirror : Path, optional
        A folder that stands in for the network; see `study.projects.mirrors`.
    say : callable
        Is told, a line at a time, what is done.

    Returns
    -------
    Path
        The folder with the files, without history. It is not to be written to.

    Raises
    ------
    StudyError
        If the repository cannot be reached in time, or has no such commit, or is broken. The cache is then
        as it was before.
    """
    folder = copy_folder(repository, commit)
    with _locked(folder, say):
        try:
            if (tree := copied_tree(repository, commit)) is not None:
                say(f"{repository} at {commit[:10]} is in the cache already")
                return tree
        except StudyError as broken:
            say(str(broken))
        for draft in folder.parent.glob(f".{commit}.draft-*"):
            say(f"{draft}: left by a fetch that was cut off; removed")
            remove_tree(draft)
        origin = origin_of(repository, mirror)
        say(f"fetching {repository} at {commit[:10]} from {origin}")
        draft = Path(tempfile.mkdtemp(prefix=f".{commit}.draft-", dir=folder.parent))
        try:
            _fill(draft, repository, commit, origin)
            remove_tree(folder)
            draft.rename(folder)
        finally:
            remove_tree(draft)
    return folder / "tree"


def _fill(draft: Path, repository: str, commit: str, origin: str) -> None:
    tree, clone = draft / "tree", draft / "clone"
    tree.mkdir(mode=0o755)
    draft.chmod(0o755)
    _git(["init", "-q", "--bare", str(clone)], PROBE_SECONDS, repository, origin)
    # a mirror may belong to another user, and is only read
    reader = "git -c safe.directory=* -c uploadpack.allowAnySHA1InWant=true upload-pack"
    local = [] if "://" in origin else ["--upload-pack", reader]
    at = ["-C", str(clone)]
    _git([*at, "ls-remote", *local, origin, "HEAD"], PROBE_SECONDS, repository, origin)
    slow = ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30", "-c", "protocol.version=2"]
    options = ["-q", "--depth", "1", "--no-tags", *local]
    _git([*at, *slow, "fetch", *options, origin, commit], FETCH_SECONDS, repository, origin, commit)
    export = [*at, "-c", "core.autocrlf=false", "-c", "core.bare=false", f"--work-tree={tree}"]
    _git([*export, "checkout", "-q", "--force", commit, "--", "."], FETCH_SECONDS, repository, origin, commit)
    remove_tree(clone)
    record = CopyRecord(
        repository=repository,
        commit=commit,
        fetched_from=origin,
        files=sum(1 for _ in iter_files(tree)),
        stamp=stamp_of(tree),
        digest=tree_digest(tree),
    )
    write_atomically(draft / RECORD, record.model_dump_json(indent=1) + "\n")


def _git(arguments: list[str], seconds: float, repository: str, origin: str, commit: str = "") -> None:
    """Run git without questions and within bounds; whatever goes wrong becomes one message."""
    environment = {
        **{name: value for name, value in os.environ.items() if name not in _OF_A_REPOSITORY},
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "LC_ALL": "C",
    }
    try:
        process = subprocess.Popen(
            ["git", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        raise StudyError("git is not installed; install it to fetch projects") from None
    try:
        said = process.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # its helpers would outlive it otherwise
        process.communicate()
        raise StudyError(f"{origin} did not answer within {seconds:.0f} s; {_ways_out(repository)}") from None
    if process.returncode:
        raise StudyError(_explain(said, repository, origin, commit))


def _explain(said: str, repository: str, origin: str, commit: str) -> str:
    last = " / ".join(said.strip().splitlines()[-2:])
    if any(sign in said for sign in ("not our ref", "unadvertised object", "couldn't find remote ref")):
        return (
            f"{repository}: {origin} has no commit {commit}. Check `source.commit` of the manifest; "
            "a mirror may be older than the commit"
        )
    if "://" in origin:
        return f"{origin} cannot be reached: {last}; {_ways_out(repository)}"
    return f"{origin}: is no whole clone of {repository}: {last}. Clone it again, with all its objects"


def _ways_out(repository: str) -> str:
    return (
        f"without a network, give a folder that has a clone of it as {repository} with --mirror or in "
        f"{VARIABLE}"
    )


@contextmanager
def _locked(folder: Path, say: Listener) -> Iterator[None]:
    """One process at a time fetches a commit; another waits and finds it there."""
    with (folder.parent / f".{folder.name}.lock").open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("waiting for another process that fetches the same commit")
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield
