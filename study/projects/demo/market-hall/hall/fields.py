"""Typed access to the fields of a JSON object."""

from hall.errors import HallError


class Fields:
    """A JSON object whose fields are asked for by type."""

    def __init__(self, data, name="body"):
        if not isinstance(data, dict):
            raise HallError(400, "bad_field", "an object is needed", field=name)
        self._data = data

    def text(self, name):
        return self._typed(name, str, "a text")

    def optional_text(self, name):
        return self.text(name) if self.has(name) else None

    def has(self, name):
        return self._data.get(name) is not None

    def integer(self, name):
        return self._typed(name, int, "a whole number")

    def flag(self, name):
        return self._typed(name, bool, "true or false")

    def objects(self, name):
        return [Fields(item, name) for item in self._typed(name, list, "a list")]

    def _typed(self, name, kind, wanted):
        value = self._data.get(name)
        # bool is a kind of int in Python, but true is no number in JSON
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise HallError(400, "bad_field", f"{name}: {wanted} is needed", field=name)
        return value
