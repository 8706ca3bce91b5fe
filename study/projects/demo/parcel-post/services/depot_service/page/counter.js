// The counter page talks to the depot, and for shipments to the gateway.
const gateway = "http://127.0.0.1:7400";
const trackingService = { url: `${gateway}/track`, name: "tracking-service" };

async function ask(method, url, body) {
  const response = await fetch(url, { method, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail || answer.error);
  return answer;
}

function fill(list, lines) {
  list.replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
}

function onSubmit(id, action) {
  document.getElementById(id)?.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await action(Object.fromEntries(new FormData(event.target)));
    } catch (error) {
      window.alert(error.message);
    }
  });
}

onSubmit("price-form", async (form) => {
  const body = { to_code: form.to_code };
  for (const field of ["weight_g", "length_mm", "width_mm", "height_mm"]) body[field] = Number(form[field]);
  const { offers } = await ask("POST", "/prices", body);
  fill(document.getElementById("offers"), offers.map((o) => `${o.service}: ${(o.total_cents / 100).toFixed(2)}`));
});

onSubmit("tracking-panel", async (form) => {
  const { events } = await ask("GET", `${trackingService.url}/shipments/${form.number}/events`);
  fill(document.getElementById("tracking-events"), events.map((e) => `${e.at} ${e.kind}, ${e.place}`));
});

onSubmit("station-panel", async (form) => {
  const { free } = await ask("GET", `/stations/${form.code}`);
  document.getElementById("free").textContent = Object.entries(free).map(([size, n]) => `${size}: ${n}`).join(", ");
});
