"""Notebooks tell the story and hold no logic; here they are executed, and checked to be fresh."""

from study.notebooks.execution import NOTEBOOKS, execute, execute_all, list_notebooks
from study.notebooks.freshness import check, check_all

__all__ = ["NOTEBOOKS", "check", "check_all", "execute", "execute_all", "list_notebooks"]
