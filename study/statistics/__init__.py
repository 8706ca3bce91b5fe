"""The analysis: small functions on tidy frames that return tidy frames.

Every function of the modules below returns a frame that has at least the columns of
`study.statistics.results.COLUMNS`, in this order: comparison, quantity, estimate, low, high, statistic, df,
p, p_adjusted, family, n, clusters, method, note. What a function adds stands after them. A number that cannot
be had is NaN, and `note` says why; `method` names the test, its zero rule, corrections and distribution.
Nothing is chosen by sample size behind the reader's back. `low` and `high` bound 95 % unless `method` says
otherwise.

The frames that go in
---------------------
runs
    One row per run: the columns agent, project, service, scenario, prompt, replicate (those that exist), a
    value column, and `kind` (one kind only; mixed kinds are an error).
pairs
    What `pairs.pairs(runs, value, factor)` makes of runs: one row per pair of runs that differ in one factor
    only, with comparison, cluster (the service), first, second, difference. Incomplete pairs stay in, with a
    missing difference. Every function that takes pairs gives one row for each comparison in them.

Where to look
-------------
pairs
    `pairs`, `cluster_means`, `check_runs` (limits, duplicates, mixed kinds).
effects
    `mean_difference` (points; cluster t interval), `bootstrap_difference` (percentile, expanded, BCa or
    studentised), `hodges_lehmann`, `matched_rank_biserial` of pairs; `cliffs_delta`, `vargha_delaney`,
    `odds_ratio` of runs: all with intervals that resample or compare services.
permutation
    `sign_flip` (pairs; the primary test: exact over the services), `omnibus` (a factor of three or more
    levels, labels permuted within services), `interaction` (services' differences of differences).
related
    `friedman` (with Kendall's W and Iman and Davenport's F), `quade`, `cochran_q`, `mcnemar`, `nemenyi`,
    `conover`.
as_published
    `anderson_darling`, `shapiro_wilk`, `signed_rank`, `rank_sum`, `dunn`, `kruskal_wallis`, `jmp_two_sample`:
    tests that take runs or pairs as independent. For the tables "as published" only.
aligned
    `aligned_ranks` (its type I error is not kept here; see its warning).
models
    `binomial_mixed`, `beta_binomial`, `marginal_logit` (GEE), `cluster_ols` (CR2), `linear_mixed`,
    `median_regression`: one row per coefficient, formula-like terms.
equivalence
    `tost` (service means, with the 90 % interval), `tost_signed_rank`.
families
    `adjust` (array), `within` (adds family and p_adjusted to a frame; Holm).
sensitivity
    `normalised_score`, `missing_bounds`.
agreement
    `replicates` (variance components and intraclass correlation).
power
    `paired_t`, `signed_rank_size`, `signed_rank_power`.
reference
    `check_files`: every quantity of a reference file beside ours (`study statistics check`).

Kernels on arrays, vectorised over leading axes, for simulations: `ranks`, `normality`, `walsh`, `bootstrap`,
`sandwich`, `gee`, `mixed`, `reml`, `permutation.sign_flip_p`, `permutation.permuted_labels_p`.

Tables and texts of the notebooks: `summary`, `forms`, `compare`, `estimates`.
"""
