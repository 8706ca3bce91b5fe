"""Routes of Java answers as each framework means them. All programs are made up, as small as can be."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_python_routes import routes_of

SERVED = {
    "spring": (
        """
# src/main/java/Cats.java
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping(Paths.API + "/cats")
class Cats {
    @GetMapping List<Cat> all() { return null; }
    @GetMapping("/{id}") Cat one(@PathVariable Long id) { return null; }
    @PostMapping(value = {"", "/add"}, consumes = "application/json") Cat add() { return null; }
    @RequestMapping(path = "/{id}", method = {RequestMethod.PUT, RequestMethod.PATCH})
    Cat change() { return null; }
    // @DeleteMapping("/{id}")
    void helper() { map.get("/cats"); }
}
# src/main/java/Paths.java
class Paths { static final String API = "/api"; }
""",
        "GET /api/cats, GET /api/cats/{id}, PATCH /api/cats/{id}, POST /api/cats, POST /api/cats/add, "
        "PUT /api/cats/{id}",
    ),
    "spring, mappings in an interface, context path in the settings": (
        """
# src/main/java/CatsApi.java
interface CatsApi { @DeleteMapping("/cats/{id}") void drop(Long id); }
# src/main/java/Cats.java
@RestController class Cats implements CatsApi { public void drop(Long id) {} }
# src/main/resources/application.yml
server:
  port: 8080
  servlet:
    context-path: /shop
""",
        "DELETE /shop/cats/{id}",
    ),
    "spring, functional": (
        """
# src/main/java/Routes.java
import static org.springframework.web.reactive.function.server.RequestPredicates.*;
import static org.springframework.web.reactive.function.server.RouterFunctions.route;
class Routes { Object r() { return route(GET("/cats"), h).andRoute(POST("/cats"), h); } }
""",
        "GET /cats, POST /cats",
    ),
    "jax-rs": (
        """
# src/main/java/App.java
@ApplicationPath("/api") class App extends Application {}
# src/main/java/Cats.java
import jakarta.ws.rs.*;
@Path("cats") class Cats {
    @GET public List<Cat> all() { return null; }
    @PUT @Path("{id}") @Produces("a/b") public Cat change(@PathParam("id") long id) { return null; }
}
""",
        "GET /api/cats, PUT /api/cats/{id}",
    ),
    "quarkus with a root path": (
        """
# src/main/java/Cats.java
@Path("/cats") class Cats { @POST @Path("/{id:[0-9]+}/feed") public void feed() {} }
# src/main/resources/application.properties
quarkus.rest.path=/v1
""",
        "POST /v1/cats/{id}/feed",
    ),
    "micronaut": (
        """
# src/main/java/Cats.java
import io.micronaut.http.annotation.*;
@Controller("/cats") class Cats {
    @Get("/{id}") Cat one(long id) { return null; }
    @Get("{?page,size}") List<Cat> all() { return null; }
    @Post(uri = "/{id}/toys") void add(long id) {}
    @Delete void clear() {}
}
""",
        "DELETE /cats, GET /cats, GET /cats/{id}, POST /cats/{id}/toys",
    ),
    "javalin": (
        """
# src/main/java/App.java
import io.javalin.Javalin;
class App {
    static final String BASE = "/api";
    public static void main(String[] a) {
        Javalin app = Javalin.create().start(7000);
        app.get(BASE + "/cats/{id}", ctx -> ctx.result(store.get("/x", ctx)));
        app.post("/cats", Cats::add);
        app.before("/cats", ctx -> {});
    }
}
""",
        "GET /api/cats/{id}, POST /cats",
    ),
    "javalin, nested": (
        """
# src/main/java/App.java
import static io.javalin.apibuilder.ApiBuilder.*;
import io.javalin.Javalin;
class App {
    void start() {
        Javalin.create(config -> config.router.apiBuilder(() -> {
            path("api", () -> {
                path("/cats", () -> {
                    get(Cats::all);
                    post(ctx -> {});
                    path("{id}", () -> delete(Cats::drop));
                });
                path("dogs", this::dogs);
                birds();
            });
        }));
    }
    void dogs() { patch("{id}", Dogs::change); }
    void birds() { put("birds", ctx -> {}); }
}
""",
        "DELETE /api/cats/{id}, GET /api/cats, PATCH /api/dogs/{id}, POST /api/cats, PUT /api/birds",
    ),
    "spark": (
        """
# src/main/java/App.java
import static spark.Spark.*;
class App {
    public static void main(String[] a) {
        port(4567);
        get("/cats", (req, res) -> "");
        path("/api", () -> {
            post("/cats/:id", (req, res) -> "");
            delete("/cats", App::drop);
        });
    }
}
""",
        "DELETE /api/cats, GET /cats, POST /api/cats/{id}",
    ),
    "sources in packages that are called build and test": (
        """
# src/main/java/com/build/test/Cats.java
@RestController class Cats { @GetMapping("/cats") void all() {} }
""",
        "GET /cats",
    ),
}

NOT_SERVED = {
    "a client of another service": """
# src/main/java/Cats.java
@FeignClient("cats") interface Cats { @GetMapping("/cats") List<Cat> all(); }
# src/main/java/Dogs.java
interface Dogs { @GET("/dogs") Call<Dog> all(); }
# src/main/java/Birds.java
@Path("/birds") @RegisterRestClient interface Birds { @GET List<Bird> all(); }
""",
    "a class that is no controller": """
# src/main/java/Cats.java
class Cats { @GetMapping("/cats") void all() {} }
""",
    "calls of a map and of an HTTP client": """
# src/main/java/Cats.java
import io.javalin.Javalin;
class Cats { void f() { cache.get("/cats", k -> 1); Unirest.get("/cats"); client.post("/cats", body); } }
""",
    "tests and build outputs": """
# src/test/java/Cats.java
@RestController class Cats { @GetMapping("/cats") void all() {} }
# src/main/java/DogsTest.java
@RestController class DogsTest { @GetMapping("/dogs") void all() {} }
# pom.xml
<project/>
# target/generated/Birds.java
@RestController class Birds { @GetMapping("/birds") void all() {} }
""",
}


@pytest.mark.parametrize(("files", "expected"), SERVED.values(), ids=SERVED)
def test_routes_that_are_served(tmp_path: Path, files: str, expected: str) -> None:
    found = routes_of(tmp_path, files)
    assert sorted(str(route.endpoint) for route in found.routes) == sorted(expected.split(", "))
    for route in found.routes:
        assert (tmp_path / route.file).is_file() and route.line > 0


@pytest.mark.parametrize("files", NOT_SERVED.values(), ids=NOT_SERVED)
def test_what_is_no_route(tmp_path: Path, files: str) -> None:
    assert routes_of(tmp_path, files).routes == []
