"""The published paper: its tables, its claims, its statistics and the audit."""
