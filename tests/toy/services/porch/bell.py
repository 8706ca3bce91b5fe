"""The porch rings, and falls back to a plain text when nobody answers."""


def plain(name: str) -> str:
    return f"Hello, {name}"


def ring(name: str, hour: int) -> str:
    try:
        from services.greeter.rules import greet
    except ImportError:
        return plain(name)
    return greet(name, hour)
