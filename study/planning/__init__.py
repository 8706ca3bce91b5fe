"""Plan the next study: power, interval width, cost, and a design that extends the one that was run.

`fitted` takes a `study.calibration.model.StudyModel` from the runs of a dataset (`arranged`, `observed`,
`moments`, `fit`), `population` from a file of assumptions; `power` simulates designs, checked by `theory`;
`needs` and `advice` draw the conclusions; `cost` adds up money and hours; `extend` makes the new design and
`unchanged` checks and writes it; `planned` is all of it.
Everything here is a planning number from simulation: kind `simulated`, whatever the runs were.
"""

from study.planning.cost import costs
from study.planning.extend import extend
from study.planning.fitted import from_dataset
from study.planning.planned import Planned, cost_of_needed, default_question, plan, plan_dataset
from study.planning.population import Assumptions, Population, assume, from_file
from study.planning.power import power_grid
from study.planning.question import Question
from study.planning.unchanged import write_extension

__all__ = [
    "Assumptions",
    "Planned",
    "Population",
    "Question",
    "assume",
    "cost_of_needed",
    "costs",
    "default_question",
    "extend",
    "from_dataset",
    "from_file",
    "plan",
    "plan_dataset",
    "power_grid",
    "write_extension",
]
