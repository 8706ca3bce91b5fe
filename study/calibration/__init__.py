"""Proof by simulation: whole studies drawn from a known model, and what the methods make of them.

`model` describes a population and computes the true effects in it, `generate` draws studies, `methods`
analyses many studies at once with the kernels of `study.statistics`, and `check` puts coverage and error
rates into one table.
"""
