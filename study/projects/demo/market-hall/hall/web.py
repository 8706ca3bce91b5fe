"""The Flask application and server that all services use."""

from flask import Flask, request
from werkzeug.exceptions import HTTPException
from werkzeug.serving import WSGIRequestHandler, make_server

from hall.errors import HallError
from hall.fields import Fields


class QuietHandler(WSGIRequestHandler):
    """Writes no line for each request."""

    def log(self, type, message, *args):
        pass


def make_app(service, *blueprints):
    """An application with a health check and the error bodies of the hall."""
    app = Flask(service)
    app.json.sort_keys = False
    app.add_url_rule("/health", view_func=lambda: {"status": "ok", "service": service}, endpoint="health")
    app.register_error_handler(HallError, lambda error: (error.to_json(), error.status))
    app.register_error_handler(HTTPException, plain_error)
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    return app


def plain_error(error):
    """Errors that Flask itself finds, such as an unknown path, in the form of the hall."""
    code = error.name.lower().replace(" ", "_")
    return HallError(error.code, code, error.description).to_json(), error.code


def body():
    """The fields of the request's body, which has to be a JSON object."""
    data = request.get_json(force=True, silent=True)
    if not isinstance(data, dict):
        raise HallError(400, "bad_body", "the body is not a JSON object")
    return Fields(data)


def optional_body():
    """The same, for requests that may come without a body."""
    return body() if request.get_data() else Fields({})


def page():
    """Limit and offset of a list."""
    limit = request.args.get("limit", "50")
    offset = request.args.get("offset", "0")
    if not limit.isdecimal() or not offset.isdecimal() or not 1 <= int(limit) <= 100:
        raise HallError(422, "invalid_page", "limit is 1 to 100, offset is not negative")
    return int(limit), int(offset)


def serve(app, settings):
    """Answer requests until the process is ended."""
    server = make_server(settings.host, settings.port, app, threaded=True, request_handler=QuietHandler)
    server.serve_forever()
