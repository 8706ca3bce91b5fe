from services.porch.bell import plain, ring


def test_plain():
    assert plain("Ada") == "Hello, Ada"


def test_ring_says_good_morning():
    assert ring("Ada", 9) == "Good morning, Ada"
