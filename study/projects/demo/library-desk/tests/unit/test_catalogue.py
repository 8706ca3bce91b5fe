"""catalogue-service, called in this process."""

from __future__ import annotations

from pathlib import Path

from services.catalogue_service.main import app, open_store

from tests.support.asgi import request


def test_holdings_are_entered_once(data_dir: Path) -> None:
    open_store().fill()
    request(app, "PUT", "/copies/C1001/status", {"status": "on_loan"})
    open_store().fill()
    assert request(app, "GET", "/copies/C1001").json()["status"] == "on_loan"
    assert len(request(app, "GET", "/copies").json()) == 6
    titled = request(app, "GET", "/copies?title=bees for beginners").json()
    assert [copy["barcode"] for copy in titled] == ["C1005", "C1006"]


def test_unknown_copies_and_statuses_are_refused(data_dir: Path) -> None:
    open_store().fill()
    assert request(app, "GET", "/copies/C9").status_code == 404
    assert request(app, "PUT", "/copies/C1001/status", {"status": "eaten"}).status_code == 422
    assert request(app, "PUT", "/copies/C1001/status", {}).status_code == 422


def test_what_is_withdrawn_never_comes_back(data_dir: Path) -> None:
    open_store().fill()
    assert request(app, "PUT", "/copies/C1001/status", {"status": "withdrawn"}).status_code == 200
    assert request(app, "PUT", "/copies/C1001/status", {"status": "available"}).status_code == 409
