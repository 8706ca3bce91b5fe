"""What is left of a refusal when a test only cares for its kind."""

import pytest
from hall.errors import HallError


def refusal(action, *arguments):
    """Status and code with which an action is refused."""
    with pytest.raises(HallError) as caught:
        action(*arguments)
    return caught.value.status, caught.value.code
