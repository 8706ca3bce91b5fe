"""Checks of the paper's sentences, by subject; which one belongs to which sentence stands in claims.yaml."""
