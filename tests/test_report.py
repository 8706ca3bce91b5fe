"""The report is one folder that needs no network and says what is simulated."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from synthetic import make_dataset

from study import figures
from study.published.data import load_paper
from study.published.figures import fig7_time_and_cost
from study.report import _PAPER_TITLES, _TITLES, _copy_figures, write_report

_FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


class _Links(HTMLParser):
    """Collects what a page fetches by itself, what it links to, and images without a description."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.linked: list[str] = []
        self.undescribed = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if target := values.get(_FETCHED.get(tag, "")):
            self.fetched.append(target)
        if tag == "a" and values.get("href"):
            self.linked.append(str(values["href"]))
        self.undescribed += tag == "img" and not values.get("alt")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    data = make_dataset(folder / "toy")
    for draw in (figures.outcomes, figures.oracles):
        figure = draw(data)
        figures.save(figure, figure.get_label(), folder / "drawn")
    figures.save(fig7_time_and_cost(load_paper()), "paper_fig7_time_and_cost", folder / "drawn")
    output = new_output("display_data", {"text/html": "<p>seen</p>"})
    cells = [
        new_markdown_cell("# Toy title\nNext: [2_other](2_other.ipynb)", id="a"),
        new_code_cell("1", id="b", outputs=[output]),
        new_code_cell("library()", id="c", metadata={"tags": ["live-only"]}),
    ]
    path = folder / "1_toy.ipynb"
    path.write_text(nbformat.writes(new_notebook(cells=cells)))
    return write_report(data, [path], folder / "drawn", folder / "out").parent


def _links(page: Path) -> _Links:
    links = _Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


def test_index_says_what_is_simulated_and_shows_the_tables(report: Path) -> None:
    text = (report / "index.html").read_text(encoding="utf-8")
    assert text.count("SIMULATED") >= 4
    for words in ("no_output", "toy-agent-three", "blind: floor equals ceiling", "tests.test_toy.test_3"):
        assert words in text
    total = sum(
        map(int, re.findall(r'col2" >(\d+)<', text.split("Runs by outcome.")[1].split("</table>")[0]))
    )
    assert total == 144


def test_everything_a_page_needs_is_in_the_folder(report: Path) -> None:
    for page in (report / "index.html", report / "notebooks" / "1_toy.html"):
        links = _links(page)
        assert links.undescribed == 0
        for target in links.fetched:
            assert target.startswith("data:") or (page.parent / target).is_file(), target
    for target in _links(report / "index.html").linked:
        assert target.startswith("#") or (report / target).is_file(), target


def test_no_script_loads_anything_from_the_network(report: Path) -> None:
    text = (report / "notebooks" / "1_toy.html").read_text(encoding="utf-8")
    text = re.sub(r"[A-Za-z0-9+/=]{500,}", "", text)  # images and the table library, base64
    assert not re.search(r"(cdnjs|unpkg|jsdelivr)\.", text)
    assert not re.search(r"""import\s*\(?\s*['"]https?:""", text)


def test_notebooks_become_pages_that_link_to_each_other(report: Path) -> None:
    text = (report / "notebooks" / "1_toy.html").read_text(encoding="utf-8")
    assert 'href="2_other.html"' in text
    assert "<p>seen</p>" in text
    assert "injectModule" in text, "the table library comes with the page"
    assert "Toy title" in (report / "index.html").read_text(encoding="utf-8")


def test_only_figures_that_were_drawn_are_shown(report: Path) -> None:
    assert sorted(path.name for path in (report / "figures").iterdir()) == [
        "oracles.png",
        "oracles.svg",
        "outcomes.png",
        "outcomes.svg",
        "paper_fig7_time_and_cost.png",
        "paper_fig7_time_and_cost.svg",
    ]


def test_figures_of_the_paper_stand_apart_as_published(report: Path) -> None:
    text = (report / "index.html").read_text(encoding="utf-8")
    before, after = text.split('<h2 id="paper">')
    assert 'id="paper_fig7_time_and_cost"' in after
    assert "Fig. 7: time and cost per agent. Kind: PUBLISHED." in after
    assert 'id="outcomes"' in before
    assert "SIMULATED" not in after.split("<h2")[0]


def test_planning_numbers_are_simulated_whatever_the_runs_are(tmp_path: Path) -> None:
    for suffix in (".svg", ".png"):
        (tmp_path / f"extend_power{suffix}").write_text("drawn")
    (shown,) = _copy_figures(tmp_path, tmp_path / "out", _TITLES, ["measured"])
    assert shown["kind"] == "Kind: SIMULATED."


def test_every_committed_figure_has_its_place_in_the_report() -> None:
    stems = {path.stem for path in (Path(__file__).parents[1] / "figures").glob("*.svg")}
    assert stems == {*_TITLES, *_PAPER_TITLES}


def test_one_page_has_everything_in_it(report: Path) -> None:
    """What can be sent to a co-author: nothing is fetched, no link leads out of the page."""
    page = report / "report.html"
    links = _links(page)
    assert [target for target in links.fetched if not target.startswith("data:")] == []
    assert len([target for target in links.fetched if target.startswith("data:image/svg+xml")]) == 3
    assert [target for target in links.linked if not target.startswith("#")] == []
    text = page.read_text()
    assert text.count("SIMULATED") >= 5
    assert all(f'href="#{name}"' in text for name in re.findall(r'<h2 id="(\w+)"', text))


def test_the_answers_stand_in_the_report(report: Path) -> None:
    text = (report / "index.html").read_text()
    for title in ("RQ1, correctness", "RQ1, code quality", "RQ2, efficiency"):
        assert f"<h3>{title}</h3>" in text
    assert "comparisons are not decided by these data" in text or "adjusted p" in text


def test_tables_for_a_paper_say_what_they_are(report: Path) -> None:
    names = sorted(path.name for path in (report / "latex").iterdir())
    assert names == [
        "answer_correctness.tex",
        "answer_efficiency.tex",
        "answer_quality.tex",
        "efficiency.tex",
        "outcomes.tex",
        "pass_rates.tex",
    ]
    for name in names:
        text = (report / "latex" / name).read_text()
        assert r"\caption{\textbf{SIMULATED.}" in text
        rows = [line for line in text.splitlines() if line.endswith(r"\\")]
        columns = {len(re.findall(r"(?<!\\)&", row)) for row in rows if "multicolumn" not in row}
        assert len(columns) == 1, f"{name}: every row has as many cells"
