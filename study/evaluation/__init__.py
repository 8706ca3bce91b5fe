"""Evaluation: the oracle scores what an agent wrote, on an otherwise original project."""

from study.evaluation.assembly import assemble
from study.evaluation.harvest import Harvest, harvest
from study.evaluation.oracle import evaluate

__all__ = ["Harvest", "assemble", "evaluate", "harvest"]
