"""Starts the stall-service: who sells in the hall, when, and on what terms."""

import json

from flask import Blueprint
from hall.database import Database
from hall.errors import HallError
from hall.settings import ROOT, Settings
from hall.web import body, make_app, serve


class StallRepository:
    """Stalls in SQLite; an empty file starts with those of config/stalls.json."""

    SCHEMA = ("CREATE TABLE IF NOT EXISTS stalls (id TEXT PRIMARY KEY, document TEXT NOT NULL)",)

    def __init__(self, path):
        self._database = Database(path, self.SCHEMA)
        if not self.all():
            for stall in json.loads((ROOT / "config" / "stalls.json").read_text(encoding="utf-8"))["stalls"]:
                self.save(stall)

    def all(self):
        with self._database.work() as connection:
            return [
                json.loads(row["document"]) for row in connection.execute("SELECT * FROM stalls ORDER BY id")
            ]

    def find(self, stall_id):
        with self._database.work() as connection:
            row = connection.execute("SELECT document FROM stalls WHERE id = ?", (stall_id,)).fetchone()
        if row is None:
            raise HallError(404, "unknown_stall", f"there is no stall {stall_id}")
        return json.loads(row["document"])

    def save(self, stall):
        with self._database.work() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO stalls VALUES (?, ?)", (stall["id"], json.dumps(stall))
            )


class StallBlueprint(Blueprint):
    """Paths of the stall-service."""

    def __init__(self, repository):
        super().__init__("stalls", __name__)
        self.repository = repository
        self.add_url_rule("/stalls", view_func=self.list_stalls, methods=["GET"])
        self.add_url_rule("/stalls/<stall_id>", view_func=self.show_stall, methods=["GET"])
        self.add_url_rule("/stalls/<stall_id>/open", view_func=self.set_open, methods=["PUT"])

    def list_stalls(self):
        return {"stalls": self.repository.all()}

    def show_stall(self, stall_id):
        return self.repository.find(stall_id)

    def set_open(self, stall_id):
        stall = self.repository.find(stall_id)
        stall["open"] = body().flag("open")
        self.repository.save(stall)
        return stall


if __name__ == "__main__":
    settings = Settings("stall-service")
    serve(make_app("stall-service", StallBlueprint(StallRepository(settings.db_file))), settings)
