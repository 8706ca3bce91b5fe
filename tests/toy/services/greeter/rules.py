"""Greeting rules."""

LIMIT = 20


def greet(name: str, hour: int) -> str:
    """Greet a visitor."""
    if not name:
        raise ValueError("name is missing")
    if len(name) > LIMIT:
        raise ValueError("name is too long")
    if hour < 12:
        return f"Good morning, {name}"
    return f"Good day, {name}"
