"""Derive a generated service from the reference, and say what was planted in it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from random import Random

from .chance import normal, pick, shuffle, weighted
from .defects import DEFECTS, ENTRY_POINT, validation_changes
from .endpoints import endpoint_changes, removal, word_count
from .grow import add_docstring, add_endpoint, add_helper
from .layout import inline_body, join_lines, split_call
from .measure import Size, measure
from .order import Order, RunClass
from .rename import rename_modules, rename_names
from .reshape import apply_all, conditional_value, drop_else, flatten
from .text import Change, Edit, FunctionNode, Texts, apply, modules

_OTHER_ENTRIES = ("app.py", "server.py", "run.py")


class Writer:
    """The service as it is being written."""

    def __init__(self, order: Order, texts: Texts, random: Random) -> None:
        self.order = order
        self.texts = texts
        self.random = random
        self.planted: list[tuple[str, str]] = []
        """Kind and place of every transformation, in the order of planting."""
        self._size = measure(texts)

    def write(self, run_class: RunClass) -> None:
        """Do all that a run of this class does."""
        if run_class == "flawed":
            self._plant_defects()
        self._reach_size(run_class)
        self._add_what_nobody_needs()
        # last, so that the places above are named as in the reference
        if run_class == "incompatible":
            self._make_incompatible()
        elif self.order["scenario"] == "clean_state":
            self._rename_by_habit()

    def plant(self, change: Change) -> bool:
        """Apply one change, unless it would leave invalid Python."""
        changed = apply(self.texts, change)
        if changed is None or changed == self.texts:
            return False
        self.texts = changed
        self.planted.append((change.kind, change.place))
        return True

    def _plant_defects(self) -> None:
        for _ in range(int(weighted(self.order["defect_counts"], self.random))):
            weights = dict(self.order["defects"])
            while weights:
                kind = weighted(weights, self.random)
                planted = set(self.planted)
                found = [
                    change for change in DEFECTS[kind](self.texts) if (kind, change.place) not in planted
                ]
                if found and self.plant(pick(found, self.random)):
                    break
                del weights[kind]

    def _make_incompatible(self) -> None:
        if self.order["scenario"] != "clean_state":
            self.texts, files = rename_modules(self.texts, self.order["package"])
            self.texts, names = rename_names(self.texts)
            self.planted += [("rename_module", move) for move in files]
            self.planted += [("rename_name", move) for move in names]
            if files or names:
                return
        if self.random.random() < 0.5 and self._plant_first(no_start(self.texts)):
            return
        other = next(name for name in _OTHER_ENTRIES if name not in self.texts)
        if ENTRY_POINT in self.texts:
            self.texts[other] = self.texts.pop(ENTRY_POINT)
            self.planted.append(("wrong_entry_point", f"{ENTRY_POINT} -> {other}"))

    def _rename_by_habit(self) -> None:
        habits = self.order["habits"]
        if self.random.random() < habits["rename_modules"]:
            self.texts, files = rename_modules(self.texts, self.order["package"])
            self.planted += [("rename_module", move) for move in files]
        if self.random.random() < habits["rename_names"]:
            self.texts, names = rename_names(self.texts)
            self.planted += [("rename_name", move) for move in names]

    def _reach_size(self, run_class: RunClass) -> None:
        """Come close to the size that the profile asks for, by means that tests should not notice.

        Code that the tests cannot use anyway has nothing to spare.
        """
        goal = self._goal()
        spared = frozenset() if run_class == "incompatible" else frozenset(self.order["spared"])
        while self._too_much(goal) and self._omit_unasked(spared):
            pass
        self._plant_some(flatten(self.texts), self._over(goal.cyclomatic, "cyclomatic"))
        self._plant_some(drop_else(self.texts), self._over(goal.cognitive, "cognitive"))
        while self._too_little(goal) and self._plant_any(add_helper(self.texts)):
            pass
        self._plant_some(conditional_value(self.texts), self._over(goal.sloc, "sloc") // 2)
        self._lay_out(goal.sloc)

    def _goal(self) -> Size:
        goal, spread = self.order["goal"], self.order["goal"]["spread"]
        # the mean of this factor is 1
        factor = math.exp(spread * normal(self.random) - spread**2 / 2)
        return Size(
            max(1, round(self._size.sloc * goal["sloc"] * factor)),
            max(1, round(self._size.cyclomatic * goal["cyclomatic"] * factor)),
            max(1, round(self._size.cognitive * goal["cognitive"] * factor)),
        )

    def _too_much(self, goal: Size) -> bool:
        """Whether lines and branches together are over the goal; one may be under where the other is over."""
        size = measure(self.texts)
        return size.sloc / goal.sloc + size.cyclomatic / goal.cyclomatic > 2

    def _too_little(self, goal: Size) -> bool:
        return self._over(goal.cyclomatic, "cyclomatic") < -3 and self._over(goal.sloc, "sloc") < -10

    def _over(self, goal: int, metric: str) -> int:
        return int(getattr(measure(self.texts), metric)) - goal

    def _omit_unasked(self, spared: frozenset[str]) -> bool:
        """Leave out an endpoint or a validation that nobody asks for, and what only it used."""
        ways = [
            endpoint_changes("omit_unasked_endpoint", self.texts, spared),
            validation_changes("omit_unasked_validation", self.texts, spared),
        ]
        first = pick([0, 1], self.random)
        if not self._plant_any(ways[first]) and not self._plant_any(ways[1 - first]):
            return False
        while self._plant_first(unused_functions(self.texts, spared)):
            pass
        return True

    def _lay_out(self, goal: int) -> None:
        """Join or split lines until the number of source lines fits."""
        over = self._over(goal, "sloc")
        shorter = itertools.chain(join_lines(self.texts), inline_body(self.texts))
        changes = list(shorter if over > 0 else split_call(self.texts))
        shuffle(changes, self.random)
        chosen: list[Change] = []
        for change in changes:
            saved = sum(_lines(self.texts, edit) - edit.text.count("\n") for edit in change.edits)
            if abs(over - saved) < abs(over):
                over -= saved
                chosen.append(change)
        self.texts, done = apply_all(self.texts, chosen)
        self.planted += sorted({(change.kind, change.place) for change in done})

    def _add_what_nobody_needs(self) -> None:
        habits = self.order["habits"]
        if self.random.random() < habits["extra_endpoint"]:
            self._plant_first(add_endpoint(self.texts))
        missing = list(add_docstring(self.texts))
        self._plant_some(iter(missing), round(habits["docstrings"] * len(missing)))

    def _plant_some(self, changes: Iterator[Change], wanted: int) -> None:
        """Apply up to `wanted` of the changes at once."""
        found = list(changes)
        shuffle(found, self.random)
        self.texts, done = apply_all(self.texts, found[: max(wanted, 0)])
        self.planted += sorted((change.kind, change.place) for change in done)

    def _plant_any(self, changes: Iterator[Change]) -> bool:
        found = list(changes)
        return bool(found) and self.plant(pick(found, self.random))

    def _plant_first(self, changes: Iterator[Change]) -> bool:
        return any(self.plant(change) for change in changes)


def no_start(texts: Texts) -> Iterator[Change]:
    """The entry point no longer starts anything: the process ends at once."""
    for source in modules(texts):
        for statement in source.tree.body:
            test = getattr(statement, "test", None)
            if source.file == ENTRY_POINT and test is not None and "__main__" in source.source(test):
                body = statement.body  # type: ignore[attr-defined]
                start, end = source.span(body[0])[0], source.span(body[-1])[1]
                yield Change("no_start", f"{ENTRY_POINT}:module", (Edit(ENTRY_POINT, start, end, "pass"),))


def unused_functions(texts: Texts, spared: frozenset[str]) -> Iterator[Change]:
    """Leave out a function that is defined and nowhere used."""
    for source in modules(texts):
        for block in source.definitions():
            function = block.statement
            if not isinstance(function, FunctionNode) or function.decorator_list or function.name in spared:
                continue
            if word_count(texts, function.name) == 1:
                edits = removal(texts, function.name)
                if edits:
                    yield Change("omit_unused_function", f"{source.file}:{function.name}", tuple(edits))


def _lines(texts: Texts, edit: Edit) -> int:
    return texts[edit.file].count("\n", edit.start, edit.end)
