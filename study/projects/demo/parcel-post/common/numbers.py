"""Parcel numbers: `PP`, eight digits and a check digit."""

WEIGHTS = (8, 6, 4, 2, 3, 5, 9, 7)


def check_digit(digits):
    """11 minus the weighted sum of eight digits modulo 11, where 10 becomes 0 and 11 becomes 5."""
    total = sum(weight * int(digit) for weight, digit in zip(WEIGHTS, digits))
    return {10: 0, 11: 5}.get(11 - total % 11, 11 - total % 11)


def make_number(serial):
    """The parcel number of a serial number."""
    digits = f"{serial:08d}"
    return f"PP{digits}{check_digit(digits)}"


def is_number(text):
    """True for a well-formed parcel number with the right check digit."""
    if not isinstance(text, str) or len(text) != 11 or not text.startswith("PP"):
        return False
    digits = text[2:]
    if not (digits.isascii() and digits.isdigit()):
        return False
    return check_digit(digits[:8]) == int(digits[8])
