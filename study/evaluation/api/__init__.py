"""API coverage: the endpoints that a README asks for, held against an answer's routes."""
