"""Routes are read from code as each framework means it. All programs are made up, as small as can be."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from study.evaluation.api.routes import StaticRoutes, static_routes


def routes_of(folder: Path, files: str) -> StaticRoutes:
    """Write the files, each below a line `# name.py`, and read their routes."""
    for part in dedent(files).split("\n# ")[1:]:
        name, _, text = part.partition("\n")
        path = folder / name.strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return static_routes(folder)


SERVED = {
    "fastapi": (
        """
# main.py
from fastapi import FastAPI
app = FastAPI()
@app.get("/cats/{cat_id}")
async def one(cat_id: int): ...
@app.api_route("/cats", methods=["POST", "PUT"])
def more(): ...
app.add_api_route("/dogs", more, methods=["DELETE"])
""",
        "DELETE /dogs, GET /cats/{cat_id}, POST /cats, PUT /cats",
    ),
    "fastapi with routers in other modules": (
        """
# app/__init__.py

# app/main.py
from fastapi import FastAPI
from app.core.config import settings
from app.api import cats, dogs as hounds
from .api.birds import router as birds_router
def create_app() -> FastAPI:
    application = FastAPI()
    for part in (cats.router, hounds.router):
        application.include_router(part, prefix=settings.API_PREFIX)
    application.include_router(birds_router, prefix=f"{settings.API_PREFIX}/birds")
    return application
app = create_app()
# app/core/config.py
from pydantic_settings import BaseSettings
class Settings(BaseSettings):
    API_PREFIX: str = "/api/v1"
settings = Settings()
# app/api/cats.py
from fastapi import APIRouter
router = APIRouter(prefix="/cats")
toys = APIRouter()
@router.get("")
def many(): ...
@toys.get("/toys")
def all_toys(): ...
router.include_router(toys, prefix="/{cat_id}")
# app/api/dogs.py
from fastapi import APIRouter
P = "/dogs"
router = APIRouter()
@router.get(P + "/me")
def me(): ...
# app/api/birds.py
from fastapi import APIRouter
router = APIRouter()
@router.patch("/{id}")
def change(id): ...
""",
        "GET /api/v1/cats, GET /api/v1/cats/{cat_id}/toys, GET /api/v1/dogs/me, PATCH /api/v1/birds/{id}",
    ),
    "fastapi, app given to a function": (
        """
# main.py
from fastapi import FastAPI
from views import register
app = FastAPI()
register(app)
# views.py
def register(application):
    @application.delete("/cats/{id}")
    def drop(id): ...
""",
        "DELETE /cats/{id}",
    ),
    "flask": (
        """
# app.py
import os
from flask import Flask
app = Flask(__name__)
BASE = os.getenv("BASE", "/api")
@app.route("/cats")
def cats(): ...
@app.route(BASE + '/cats/<int:cat_id>', methods=['PUT', 'DELETE'])
def one(cat_id): ...
@app.post("/cats")
def add(): ...
app.add_url_rule("/dogs", view_func=cats, methods=("POST",))
""",
        "DELETE /api/cats/{cat_id}, GET /cats, POST /cats, POST /dogs, PUT /api/cats/{cat_id}",
    ),
    "flask blueprints and class views": (
        """
# shop/__init__.py
from flask import Flask
from .cats import bp
from .dogs import bp as dogs_bp
def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp, url_prefix="/api/cats")
    app.register_blueprint(dogs_bp)
    return app
# shop/cats.py
from flask import Blueprint
from flask.views import MethodView
bp = Blueprint("cats", __name__, url_prefix="/replaced")
class Cats(MethodView):
    def get(self): ...
    def post(self): ...
bp.add_url_rule("/", view_func=Cats.as_view("cats"))
# shop/dogs.py
from flask import Blueprint
bp = Blueprint("dogs", __name__, url_prefix="/dogs")
@bp.get("/<name>")
def one(name): ...
""",
        "GET /api/cats/, GET /dogs/{name}, POST /api/cats/",
    ),
    "flask restful": (
        """
# app.py
from flask import Flask
from flask_restful import Api, Resource
app = Flask(__name__)
api = Api(app, prefix="/api")
class Cats(Resource):
    def get(self): ...
    def delete(self): ...
api.add_resource(Cats, "/cats", "/kittens")
""",
        "DELETE /api/cats, DELETE /api/kittens, GET /api/cats, GET /api/kittens",
    ),
    "flask restx": (
        """
# app.py
from flask import Flask
from flask_restx import Api, Namespace, Resource
app = Flask(__name__)
api = Api()
api.init_app(app)
ns = Namespace("cats")
api.add_namespace(ns, path="/api/cats")
@ns.route("/<int:id>")
class One(Resource):
    def put(self, id): ...
""",
        "PUT /api/cats/{id}",
    ),
    "starlette": (
        """
# main.py
from starlette.applications import Starlette
from starlette.endpoints import HTTPEndpoint
from starlette.routing import Mount, Route
class Dogs(HTTPEndpoint):
    async def post(self, request): ...
async def cats(request): ...
api = [Route("/dogs", Dogs), Route("/d", cats)]
routes = [Route('/cats', cats, methods=['GET', 'POST']), Mount("/api", routes=api)]
app = Starlette(routes=routes)
""",
        "GET /api/d, GET /cats, POST /api/dogs, POST /cats",
    ),
    "aiohttp": (
        """
# main.py
from aiohttp import web
from views import setup_routes, routes
app = web.Application()
app.router.add_get("/cats", None)
app.router.add_route("POST", "/cats", None)
app.add_routes([web.delete("/cats/{id}", None)])
app.add_routes(routes)
setup_routes(app)
admin = web.Application()
admin.router.add_put("/x", None)
app.add_subapp("/admin", admin)
# views.py
from aiohttp import web
routes = web.RouteTableDef()
@routes.get("/dogs")
async def dogs(request): ...
@routes.view("/birds")
class Birds(web.View):
    async def patch(self): ...
def setup_routes(app):
    app.router.add_post("/dogs", dogs)
""",
        "DELETE /cats/{id}, GET /cats, GET /dogs, PATCH /birds, POST /cats, POST /dogs, PUT /admin/x",
    ),
    "tornado": (
        r"""
# main.py
import tornado.web
class Base(tornado.web.RequestHandler):
    def get(self): ...
class Cats(Base):
    def post(self): ...
class Cat(tornado.web.RequestHandler):
    def delete(self, cat_id): ...
def make_app():
    return tornado.web.Application([(r"/cats", Cats), tornado.web.url(r"/cats/(\d+)", Cat)], debug=True)
""",
        "DELETE /cats/{p}, GET /cats, POST /cats",
    ),
    "tornado, own application class": (
        """
# main.py
import tornado.web
class Cats(tornado.web.RequestHandler):
    def get(self): ...
class App(tornado.web.Application):
    def __init__(self):
        handlers = [("/cats", Cats)]
        super().__init__(handlers)
""",
        "GET /cats",
    ),
    "django": (
        """
# site/settings.py
ROOT_URLCONF = "site.urls"
# site/urls.py
from django.urls import include, path, re_path
urlpatterns = [path("admin/", admin.site.urls), path("api/", include("cats.urls"))]
# cats/urls.py
from django.urls import path
from . import views
urlpatterns = [
    path("cats/", views.Cats.as_view()),
    path("cats/<int:pk>/", views.one, name="one"),
    path("dogs/", views.dogs),
]
# cats/views.py
from django.views import View
from rest_framework.decorators import api_view
class Cats(View):
    def get(self, request): ...
    def post(self, request): ...
@api_view(["PUT", "DELETE"])
def one(request, pk): ...
def dogs(request):
    if request.method == "POST":
        return 1
    elif request.method in ("GET", "HEAD"):
        return 2
""",
        "DELETE /api/cats/{pk}/, GET /api/cats/, GET /api/dogs/, HEAD /api/dogs/, POST /api/cats/, "
        "POST /api/dogs/, PUT /api/cats/{pk}/",
    ),
    "django rest framework": (
        """
# shop/urls.py
from django.urls import include, path
from rest_framework.routers import DefaultRouter
from rest_framework_simplejwt.views import TokenObtainPairView
from .views import CatViewSet, Toys
router = DefaultRouter()
router.register(r"cats", CatViewSet, basename="cat")
urlpatterns = [
    path("v1/", include(router.urls)),
    path("v1/toys/", Toys.as_view()),
    path("token/", TokenObtainPairView.as_view()),
]
# shop/views.py
from rest_framework import generics, mixins, viewsets
from rest_framework.decorators import action
class CatViewSet(mixins.ListModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet):
    @action(detail=True, methods=["post"])
    def feed(self, request, pk=None): ...
class Toys(generics.ListCreateAPIView): ...
""",
        "DELETE /v1/cats/{pk}/, GET /v1/cats/, GET /v1/toys/, POST /token/, POST /v1/cats/{pk}/feed/, "
        "POST /v1/toys/",
    ),
    "standard library": (
        r"""
# server.py
import re
from http.server import BaseHTTPRequestHandler
ITEM = re.compile(r"^/cats/(\d+)$")
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/cats":
            return self._list()
        match = ITEM.match(self.path)
        if self.path.startswith("/toys/"):
            return None
    def do_POST(self):
        self._write()
    def _write(self):
        if self.path in ("/cats", "/dogs"):
            return None
    def _list(self): ...
""",
        "GET /cats, GET /cats/{p}, GET /toys/{p}, POST /cats, POST /dogs",
    ),
    "standard library, a table": (
        r"""
# server.py
from http.server import BaseHTTPRequestHandler
ROUTES = [("GET", r"^/cats/(?P<id>\d+)$", "one"), ("POST", "/cats", "add")]
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/health":
            return None
""",
        "GET /cats/{id}, GET /health, POST /cats",
    ),
    "bottle": (
        """
# app.py
from bottle import get, route, run
@get("/cats")
def cats(): ...
@route("/cats/<id>", method="DELETE")
def drop(id): ...
""",
        "DELETE /cats/{id}, GET /cats",
    ),
    "falcon": (
        """
# app.py
import falcon
class Cats:
    def on_get(self, req, resp): ...
app = falcon.App()
app.add_route("/cats", Cats())
""",
        "GET /cats",
    ),
    "sanic": (
        """
# app.py
from sanic import Blueprint, Sanic
app = Sanic("shop")
bp = Blueprint("cats", url_prefix="/cats")
@bp.post("/<name:str>")
async def add(request, name): ...
app.blueprint(bp)
""",
        "POST /cats/{name}",
    ),
    "sources in folders that are called build, dist and tests": (
        """
# build/app.py
from flask import Flask
app = Flask(__name__)
@app.get("/a")
def a(): ...
# tests/app.py
from flask import Flask
app = Flask(__name__)
@app.get("/b")
def b(): ...
""",
        "GET /a, GET /b",
    ),
    "a mounted app": (
        """
# main.py
from fastapi import FastAPI
app, sub = FastAPI(), FastAPI()
@sub.get("/cats")
def cats(): ...
app.mount("/v2", sub)
""",
        "GET /v2/cats",
    ),
}

NOT_SERVED = {
    "a comment": """
# app.py
from flask import Flask
app = Flask(__name__)
# @app.route("/cats")
cache = {}
cache.get("cats")
""",
    "a docstring": """
# app.py
from flask import Flask
app = Flask(__name__)
'''
@app.route("/cats")
def f(): ...
'''
""",
    "a dictionary": """
# app.py
cats = {}
cats.get("/cats")
cats.post("/cats")
""",
    "a client": """
# app.py
import httpx
client = httpx.Client()
client.get("/cats")
client.delete("/cats/1")
""",
    "a router that is not mounted": """
# app.py
from fastapi import APIRouter, FastAPI
app = FastAPI()
r = APIRouter()
@r.get("/cats")
def f(): ...
""",
    "a blueprint that is not registered": """
# app.py
from flask import Blueprint, Flask
app = Flask(__name__)
b = Blueprint("b", __name__)
@b.route("/cats")
def f(): ...
""",
    "an app within a test": """
# test_app.py
from flask import Flask
app = Flask(__name__)
@app.route("/cats")
def f(): ...
""",
    "a vendored package": """
# venv/lib/site-packages/x/app.py
from flask import Flask
app = Flask(__name__)
@app.route("/cats")
def f(): ...
""",
    "urls that no URLconf includes": """
# s/settings.py
ROOT_URLCONF = "s.urls"
# s/urls.py
urlpatterns = []
# c/urls.py
from django.urls import path
urlpatterns = [path("cats/", lambda r: r)]
""",
}


@pytest.mark.parametrize(("files", "expected"), SERVED.values(), ids=SERVED)
def test_routes_that_are_served(tmp_path: Path, files: str, expected: str) -> None:
    found = routes_of(tmp_path, files)
    assert sorted(str(route.endpoint) for route in found.routes) == sorted(expected.split(", "))
    assert (found.unparsed, found.unresolved, found.idle) == ([], [], 0)
    for route in found.routes:
        assert (tmp_path / route.file).is_file() and route.line > 0


@pytest.mark.parametrize("files", NOT_SERVED.values(), ids=NOT_SERVED)
def test_what_is_no_route(tmp_path: Path, files: str) -> None:
    assert routes_of(tmp_path, files).routes == []


def test_a_router_that_is_not_mounted_is_counted(tmp_path: Path) -> None:
    assert routes_of(tmp_path, NOT_SERVED["a router that is not mounted"]).idle == 1


def test_what_cannot_be_read_or_told_is_named(tmp_path: Path) -> None:
    found = routes_of(
        tmp_path,
        """
# broken.py
def f(:
# app.py
import sys
from flask import Flask
app = Flask(__name__)
app.add_url_rule(sys.argv[1], view_func=print)
@app.get("/cats")
def f(): ...
""",
    )
    assert [str(route.endpoint) for route in found.routes] == ["GET /cats"]
    assert [line.split(":")[0] for line in found.unparsed] == ["broken.py"]
    assert found.unresolved == ["app.py:4"]
