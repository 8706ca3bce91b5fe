"""The parts that all services share."""

import unittest

from common.numbers import check_digit, is_number, make_number
from common.web import Problem, dispatch, read_body
from services.gateway.forwarding import split


def double(request):
    if request["params"]["value"] == "0":
        raise Problem(422, "nothing", "0")
    return 200, {"twice": 2 * int(request["params"]["value"])}


ROUTES = {("GET", "/double/{value}"): double}


class Numbers(unittest.TestCase):
    def test_check_digit_of_a_known_number(self):
        self.assertEqual(check_digit("47312482"), 9)

    def test_remainders_that_have_no_digit(self):
        self.assertEqual(check_digit("00000008"), 0)
        self.assertEqual(check_digit("00000000"), 5)

    def test_made_numbers_are_valid_and_changed_ones_are_not(self):
        number = make_number(123)
        self.assertTrue(is_number(number))
        self.assertFalse(is_number(number[:-1] + str((int(number[-1]) + 1) % 10)))
        self.assertFalse(is_number(number.lower()))


class Dispatching(unittest.TestCase):
    def test_a_route_with_a_name(self):
        self.assertEqual(dispatch(ROUTES, "GET", "/double/21?x=1"), (200, {"twice": 42}))

    def test_a_problem_becomes_an_answer(self):
        self.assertEqual(dispatch(ROUTES, "GET", "/double/0"), (422, {"error": "nothing", "detail": "0"}))

    def test_unknown_paths_and_methods(self):
        self.assertEqual(dispatch(ROUTES, "GET", "/triple/1")[0], 404)
        self.assertEqual(dispatch(ROUTES, "POST", "/double/1")[0], 405)

    def test_a_body_must_be_an_object(self):
        self.assertEqual(read_body(b""), {})
        for raw in (b"[1]", b"{"):
            with self.assertRaises(Problem):
                read_body(raw)


class Forwarding(unittest.TestCase):
    def test_the_prefix_is_a_whole_part_of_the_path(self):
        routes = {"/a": "one", "/ab": "two"}
        self.assertEqual(split(routes, "/ab/c?d=1"), ("two", "/c?d=1"))
        self.assertEqual(split(routes, "/a?d=1"), ("one", "/?d=1"))
        with self.assertRaises(Problem):
            split(routes, "/abc")
