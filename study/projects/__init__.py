"""Projects: manifests and the trees they describe."""

from study.projects.loading import check_tree, list_projects, load_project, source_tree

__all__ = ["check_tree", "list_projects", "load_project", "source_tree"]
