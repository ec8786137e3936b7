#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random paired samples and what scipy says of them, one JSON object a line.

usage: scipy_cases.py COUNT SEED
"""
import json
import sys

import numpy as np
from scipy import stats


def sample(rng, n):
    """Normal, heavy-tailed, or whole numbers with ties and zeros."""
    kind = rng.integers(4)
    if kind == 0:
        return rng.normal(rng.normal(), 1, n)
    if kind == 1:
        return rng.standard_t(2, n) + rng.normal() / 2
    if kind == 2:
        return rng.integers(-4, 6, n).astype(float)
    return rng.integers(-40, 50, n) / 8


def enumerated(x):
    """p over all sign flips of scipy's mid-ranks."""
    ranks = stats.rankdata(np.abs(x))
    signs = (np.arange(2 ** len(x))[:, None] >> np.arange(len(x))) & 1
    law, seen = signs @ ranks, ranks[x > 0].sum()
    less, greater = (law <= seen).mean(), (law >= seen).mean()
    return [float(less), float(greater), float(min(1, 2 * min(less, greater)))]


def signed_rank(x):
    """p of less, greater, two-sided. scipy's exact law knows no ties, its permutations are slow."""
    tied = len(np.unique(np.abs(x))) < len(x)
    if tied and len(x) > 4:
        return enumerated(x)
    how = stats.PermutationMethod(n_resamples=np.inf) if tied else "exact"
    return [float(stats.wilcoxon(x, alternative=side, method=how).pvalue)
            for side in ("less", "greater", "two-sided")]


def median_rank(n):
    """Largest k with 1 - 2 P(Bin(n, 1/2) <= k - 1) >= 0.95, 0: none."""
    ranks = [k for k in range(1, n // 2 + 1) if 1 - 2 * stats.binom.cdf(k - 1, n, 0.5) >= 0.95]
    return max(ranks, default=0)


def case(rng):
    tied_limit, n = 11, int(rng.integers(1, 40))
    x = sample(rng, n)
    kept = x[x != 0]
    if len(np.unique(np.abs(kept))) < len(kept) and len(kept) > tied_limit:
        x = x[:tied_limit]
        kept = x[x != 0]
    n = len(x)
    out = {"x": x.tolist(), "zeros": int(n - len(kept)), "rank": median_rank(n)}
    if len(kept):
        out["signed_rank"] = signed_rank(kept)
        positive = int((kept > 0).sum())
        out["sign"] = [float(stats.binomtest(positive, len(kept), alternative=side).pvalue)
                       for side in ("less", "greater", "two-sided")]
    out["hodges_lehmann"] = float(np.median([(a + b) / 2 for i, a in enumerate(x) for b in x[i:]]))
    p = rng.random(n) ** 3
    out["p"], out["q"] = p.tolist(), stats.false_discovery_control(p).tolist()
    half = rng.normal(0.3, 1, max(n, 2))
    t = stats.ttest_1samp(half, 0).confidence_interval(0.95)
    out["half"], out["t"] = half.tolist(), [float(t.low), float(t.high)]
    out["two"] = two_samples(rng)
    return out


def two_samples(rng):
    """Rank-sum p of less and greater, and the median of all differences; without ties."""
    a, b = rng.normal(0, 1, int(rng.integers(1, 25))), rng.normal(0.3, 1, int(rng.integers(1, 25)))
    p = [float(stats.mannwhitneyu(b, a, alternative=side, method="exact").pvalue)
         for side in ("less", "greater")]
    return {"a": a.tolist(), "b": b.tolist(), "p": p,
            "u": float(stats.mannwhitneyu(b, a, method="exact").statistic),
            "shift": float(np.median(b[None, :] - a[:, None]))}


def main():
    rng = np.random.default_rng(int(sys.argv[2]))
    for _ in range(int(sys.argv[1])):
        print(json.dumps(case(rng)))


if __name__ == "__main__":
    main()
