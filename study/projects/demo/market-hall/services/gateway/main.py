"""Starts the gateway: the only service that the shop's pages talk to."""

from hall.settings import Settings
from hall.web import make_app, serve

from services.gateway.checkout import CheckoutBlueprint
from services.gateway.forwarding import ForwardingBlueprint
from services.gateway.overview import OverviewBlueprint


def build_app(settings):
    app = make_app("gateway", ForwardingBlueprint(settings))
    app.register_blueprint(CheckoutBlueprint(settings))
    app.register_blueprint(OverviewBlueprint(settings))
    return app


if __name__ == "__main__":
    own_settings = Settings("gateway")
    serve(build_app(own_settings), own_settings)
