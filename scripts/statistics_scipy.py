#!/usr/bin/env python3
"""Compute statistics with SciPy and statsmodels, for tests/statistics.rs.

The file made here lets the tests compare our statistics with those that others wrote and tested,
without SciPy being installed. To make it again, from the root of the repository:

    python3 -m venv /tmp/scipy
    /tmp/scipy/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    /tmp/scipy/bin/python scripts/statistics_scipy.py tests/data/statistics.json

Lists of results have the tails in the order less, greater, two-sided. Infinite and missing numbers
are null.
"""

import json
import math
import sys
import warnings

import numpy
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_ind

TAILS = ("less", "greater", "two-sided")


def number(value):
    return float(value) if math.isfinite(value) else None


def t_test(results):
    """t, degrees of freedom and p by tail."""
    return {
        "t": number(results[0].statistic),
        "df": number(results[0].df),
        "p": [number(result.pvalue) for result in results],
    }


def samples():
    """Pairs of samples by name; rounded, so that the file is short."""
    rng = numpy.random.default_rng(2013)

    def normal(mean, deviation, n, digits=4):
        return [round(float(x), digits) for x in rng.normal(mean, deviation, n)]

    return {
        "four and five": ([19, 22, 16, 29, 24], [20, 11, 17, 12]),
        "two and two": ([0.81, 0.83], [0.84, 0.86]),
        "two and three, apart": ([1.0, 2.0], [100.0, 101.0, 103.0]),
        "tiny with ties": ([0.5, 0.5, 0.75], [0.25, 0.5, 0.5, 1.0]),
        "eight and forty, exact": (normal(0.85, 0.02, 8, 6), normal(0.87, 0.03, 40, 6)),
        "forty and eight, exact": (normal(0.89, 0.02, 40, 6), normal(0.83, 0.03, 8, 6)),
        "seven and seven, exact, apart": (normal(0.9, 0.01, 7, 6), normal(0.7, 0.01, 7, 6)),
        "eight and thirty with ties": (normal(0.85, 0.02, 8, 2), normal(0.86, 0.02, 30, 2)),
        "nine and nine": (normal(0.85, 0.02, 9), normal(0.86, 0.02, 9)),
        "ten and thirty, variances apart": (normal(0.8, 0.002, 10), normal(0.79, 0.08, 30)),
        "many ties": (normal(3, 1, 60, 0), normal(4, 1, 50, 0)),
        "equal": ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
        "equal means": ([1, 2, 3, 4, 5], [2, 3, 4]),
        "one constant": ([0.5, 0.5, 0.5, 0.5], [0.25, 0.5, 1.0]),
        "large t": (normal(0.8646, 0.0138, 120), normal(0.7997, 0.0321, 120)),
        "larger t": (normal(0.9, 0.005, 100), normal(0.5, 0.006, 110)),
        "huge t, few values": ([1.0, 1.0000001, 1.0000002], [2.0, 2.0000001, 2.0000003]),
    }


def compare(a, b):
    """Everything about two samples."""
    ranks = [stats.mannwhitneyu(a, b, alternative=tail, method="auto") for tail in TAILS]
    result = {
        "a": a,
        "b": b,
        "median": number(numpy.median(a)),
        "deviation": number(numpy.std(a, ddof=1)),
        "one_sample_mean": number(numpy.mean(b)),
        "u": number(ranks[0].statistic),
        "mann_whitney": [number(test.pvalue) for test in ranks],
        "vargha_delaney": number(ranks[0].statistic / (len(a) * len(b))),
        "margin": number(abs(numpy.mean(a) - numpy.mean(b)) * 0.75 + 0.01),
    }
    for name, equal in ("student", True), ("welch", False):
        tests = [stats.ttest_ind(a, b, equal_var=equal, alternative=tail) for tail in TAILS]
        result[name] = t_test(tests)
    # Without variance SciPy knows no answer; ours is tested elsewhere.
    if numpy.ptp(a) > 0:
        tests = [stats.ttest_1samp(a, numpy.mean(b), alternative=tail) for tail in TAILS]
        result["one_sample"] = t_test(tests)
        interval = stats.t.interval(0.95, len(a) - 1, loc=numpy.mean(a), scale=stats.sem(a))
        result["interval"] = [number(end) for end in interval]
    margin = result["margin"]
    result["equivalence"] = number(ttost_ind(a, b, -margin, margin, usevar="unequal")[0])
    return result


def published():
    """Tests from mean, half of a 95% interval and n."""
    table = {
        "rsel": (0.8646, 0.0025, 120),
        "2cel-rs": (0.8644, 0.0026, 120),
        "1cel-rs": (0.8363, 0.0037, 120),
        "1cel": (0.8034, 0.0054, 120),
        "2cel": (0.7997, 0.0058, 120),
    }
    pairs = [(name, table[name], table["rsel"], 0.005) for name in table]
    pairs += [
        ("ten runs", (0.831, 0.018, 10), table["2cel-rs"], 0.01),
        ("ten thousand", (0.501, 0.0005, 10_000), (0.5, 0.0004, 9_000), 0.002),
        ("a million", (0.5001, 0.00005, 1_000_000), (0.5, 0.00004, 2_000_000), 0.00015),
        ("a billion and three", (0.5, 1e-6, 1_000_000_000), (0.6, 0.05, 3), 0.2),
    ]
    for name, a, b, margin in pairs:
        moments = []
        for mean, half, n in a, b:
            error = half / stats.t.ppf(0.975, n - 1)
            moments.append((mean, error * math.sqrt(n), n))
        (mean_a, *rest_a), second = moments

        def test(equal, tail, shift=0.0):
            return stats.ttest_ind_from_stats(
                mean_a - shift, *rest_a, *second, equal_var=equal, alternative=tail
            )

        # The summary test does not tell its degrees of freedom.
        result = {"name": name, "a": a, "b": b, "margin": margin}
        for method, equal in ("student", True), ("welch", False):
            tests = [test(equal, tail) for tail in TAILS]
            result[method] = {
                "t": number(tests[0].statistic),
                "p": [number(t.pvalue) for t in tests],
            }
        above, below = test(False, "greater", -margin), test(False, "less", margin)
        result["equivalence"] = number(max(above.pvalue, below.pvalue))
        yield result


def tails():
    """[t, df, chance of more]; first the t that belong to the p of Table 1 in Jaśkowski et al. 2013."""
    points = [(20.30, 238), (12.63, 238), (20.53, 238), (0.09, 238)]
    points += [(t, df) for df in (1, 2.5, 17, 238, 9999, 10001, 1e6) for t in (0.01, 2, 9, 34)]
    return [[t, df, number(stats.t.sf(t, df))] for t, df in points]


def families():
    """[p before, p after Holm]."""
    for p in (
        [0.04],
        [0.01, 0.04, 0.03, 0.005],
        [0.5, 0.9, 0.4],
        [1e-54, 0.02, 0.02, 1.0, 0.0, 0.013],
    ):
        yield [p, [number(x) for x in multipletests(p, method="holm")[1]]]


def main():
    # Samples without variance are meant.
    warnings.simplefilter("ignore")
    fixture = {
        "made_by": f"SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}",
        "samples": [{"name": n, **compare(*pair)} for n, pair in samples().items()],
        "published": list(published()),
        "tails": tails(),
        "holm": list(families()),
        "points": [[df, stats.t.ppf(0.975, df)] for df in (1, 2, 9, 119, 9999, 10001, 10**6)],
    }
    with open(sys.argv[1], "w", encoding="ascii") as file:
        # A line for each case.
        parts = []
        for key, value in fixture.items():
            text = json.dumps(value)
            if isinstance(value, list):
                text = "[\n" + ",\n".join(json.dumps(case) for case in value) + "\n]"
            parts.append(f"{json.dumps(key)}: {text}")
        file.write("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    main()
