"""One run of a simulated agent: read the order, write the service, log as agents do."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from pathlib import Path
from random import Random

from .chance import pick, weighted
from .order import TASK_FILE, Order, RunClass
from .text import Texts
from .usage import draw
from .writer import Writer

_FOREVER = 7 * 24 * 3600.0


def main() -> None:
    order: Order = json.loads((Path.home() / TASK_FILE).read_text(encoding="utf-8"))
    prompt = sys.stdin.read()
    log("start", agent=order["agent"], model=order["model"], prompt_characters=len(prompt))
    # separate streams, so that a change in one part moves nothing in the others
    seed = order["seed"]
    run_class = weighted(order["classes"], Random(f"{seed} class"))
    usage = draw(order["consumption"], Random(f"{seed} usage"))
    log("planted", defect="run_class", place=run_class)
    if run_class == "agent_error":
        log(
            "result",
            is_error=True,
            message="the conversation is longer than the model's context",
            usage=usage,
        )
        sys.exit(1)
    if run_class != "nothing":
        write_service(order, run_class, Random(f"{seed} code"))
    log("result", is_error=False, message="done", usage=usage)


def write_service(order: Order, run_class: RunClass, random: Random) -> None:
    source = Path(order["source"])
    contents = {name: (source / name).read_bytes() for name in order["files"]}
    texts = {name: data.decode("utf-8") for name, data in contents.items() if name.endswith(".py")}
    writer = Writer(order, texts, random)
    writer.write(run_class)
    if run_class == "too_long":
        never_finish(order, writer.texts, random)
    destination = Path(order["destination"])
    for name, data in contents.items():
        if name not in texts:
            save(destination / name, data)
    for name, text in sorted(writer.texts.items()):
        save(destination / name, text.encode("utf-8"))
    for kind, place in writer.planted:
        log("planted", defect=kind, place=place)
    if order["scenario"] != "clean_state" and random.random() < order["habits"]["edit_test"]:
        weaken_test(order["test_files"], random)


def save(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    log("write", file=path.as_posix(), bytes=len(data))


def never_finish(order: Order, texts: Texts, random: Random) -> None:
    """Write half of one module, then work on for ever; some agents also ignore the request to stop."""
    names = sorted(name for name in texts if "/" not in name and name not in {"main.py", "__init__.py"})
    name = pick(names or sorted(texts), random)
    log("planted", defect="unfinished", place=f"{name}:module")
    save(Path(order["destination"]) / name, texts[name][: len(texts[name]) // 2].encode("utf-8"))
    if random.random() < order["habits"]["ignore_sigterm"]:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(_FOREVER)


def weaken_test(files: list[str], random: Random) -> None:
    """Make one assertion of the target's unit tests always true, as some agents do."""
    visible = [file for file in files if Path(file).is_file()]
    if not visible:
        return
    path = Path(pick(visible, random))
    text = path.read_text(encoding="utf-8")
    found = list(re.finditer(r"^[ ]+assert (?=.*[^,(\[{\\]$)", text, flags=re.MULTILINE))
    if found:
        place = pick(found, random)
        path.write_text(text[: place.end()] + "True or " + text[place.end() :], encoding="utf-8")
        log("planted", defect="edit_test", place=path.as_posix())


def log(event: str, **fields: object) -> None:
    """One line of the log; flushed, since the process may be killed at any time."""
    print(json.dumps({"type": event, **fields}), flush=True)
