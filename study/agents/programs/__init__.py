"""The controls' programs. They run where this package cannot be imported, with the standard library alone."""
