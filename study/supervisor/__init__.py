"""Start one command, watch its limits, and end it with everything it started.

`study.sandbox` runs this folder as a process of its own for each command (in bubblewrap as process 1 of a new
PID namespace), so that the orphans it collects are this command's and nobody else's. It imports nothing of
the rest of the package, which bubblewrap hides, and nothing that is slow to import, such as pathlib.

Standard input carries the job, one line of JSON, and then stays open for as long as the caller lives: its end
is the order to stop. Standard output carries the result, one line of JSON. Where the system is not Linux,
processes that left the command's process group are not found.
"""
