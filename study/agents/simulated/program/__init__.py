"""The program that stands in for an agent: `python -I -S <this folder>`.

It runs in the sandbox, where the study package cannot be imported: standard library only, relative
imports only. What it is to do stands in HOME (`TASK_FILE`), the prompt comes on stdin, the log goes to
stdout as JSON lines, and the service goes to the working directory.
"""
