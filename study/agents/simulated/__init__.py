"""Simulated agents: real programs that write services derived from the reference, with planted defects."""
