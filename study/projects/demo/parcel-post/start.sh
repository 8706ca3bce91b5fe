#!/bin/sh
# Starts the whole system on this machine; Ctrl-C ends it.
set -eu
cd "$(dirname "$0")"
set -a
. ./.env
set +a

started=""
start() {
    PORT="$2" python "services/$1/main.py" &
    started="$started $!"
}
trap 'kill $started 2>/dev/null || true' EXIT INT TERM

start tariff_service "$TARIFF_SERVICE_PORT"
start tracking_service "$TRACKING_SERVICE_PORT"
start locker_service "$LOCKER_SERVICE_PORT"
start depot_service "$DEPOT_SERVICE_PORT"
start gateway "$GATEWAY_PORT"

echo "counter page: http://127.0.0.1:$DEPOT_SERVICE_PORT/"
wait
