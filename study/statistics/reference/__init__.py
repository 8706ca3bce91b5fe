"""Reference values from R and Python, recomputed from their data: `study statistics check`.

`quantities` and `fits` compute what the long form names, `short` and `labelled` the two other forms;
`tolerances` says how near is near enough and why; `check` reads the files and puts all side by side.
"""
