from __future__ import annotations

import pytest

from study.projects.manifest import Service
from study.scenarios.aliases import spellings, trace_pattern

LOAN = Service(name="loan-service", directory="services/loan", aliases=["LOAN_SERVICE_URL"])


def test_spellings() -> None:
    assert spellings("loan-service") == {
        "loan-service",
        "loan_service",
        "LOAN_SERVICE",
        "LoanService",
        "loanService",
        "loan service",
        "Loan service",
    }


@pytest.mark.parametrize(
    "text",
    [
        "http://loan-service:8000/loans",
        "import services.loan_service.api",
        "class X(LoanService):",
        "LOAN_SERVICE_URL=http://",
        "python services/loan/main.py",
        '"loanService": 1',
        "the loan service's desk",
    ],
)
def test_mentions_are_found(text: str) -> None:
    assert trace_pattern(LOAN).search(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://interlibrary-loan-service:8000",
        "INTERLIBRARY_LOAN_SERVICE_URL",
        "InterlibraryLoanService",
        "loan-service-archive",
        "loan_services",
        "a loan is due",
        "services/loans.py",
    ],
)
def test_longer_names_are_not(text: str) -> None:
    assert not trace_pattern(LOAN).search(text)
