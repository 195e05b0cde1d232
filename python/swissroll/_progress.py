"""Progress of a running fit."""

import sys


def reporter(verbose, title):
    """A function of stage, steps done, all steps and iteration, and one that ends it.

    A callable ``verbose`` is that function. Otherwise true values show a bar of tqdm where
    it is installed, and lines on standard error where not.
    """
    if callable(verbose):
        return verbose, lambda: None
    if not verbose:
        return None, lambda: None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _lines(title), lambda: None
    return _bar(tqdm, title)


def _bar(tqdm, title):
    bar = tqdm(desc=title, total=0, leave=False)

    def show(stage, done, total, iteration):
        bar.set_description(f"{title}: {stage}")
        bar.total, bar.n = total, done or iteration
        bar.refresh()

    return show, bar.close


def _lines(title):
    seen = []

    def show(stage, done, total, iteration):
        if not seen or seen[-1] != stage:
            seen.append(stage)
            print(f"{title}: {stage}", file=sys.stderr)

    return show
