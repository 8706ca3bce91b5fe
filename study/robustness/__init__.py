"""How much a conclusion hangs on the choices of its analysis.

Modules
-------
headlines
    The main comparisons that a dataset admits: scenarios, prompts, agents, generated against original code.
choices
    Every defensible choice of an analysis, with the reason for it; what goes with what.
frames
    The pairs that a measure and a rule of exclusion give.
estimators
    One specification on two arrays: estimate, interval and p, on one scale for all.
leave_out, summary
    The same without one project, service, agent or condition; what all analyses say together.
published
    The published cells in the same form.
curve
    All specifications of a headline: the specification curve [1]_, or multiverse [2]_.

References
----------
.. [1] Simonsohn, Simmons and Nelson (2020), Nat. Hum. Behav. 4, 1208-1214.
.. [2] Steegen, Tuerlinckx, Gelman and Vanpaemel (2016), Perspect. Psychol. Sci. 11(5), 702-712.
"""
