"""Progress of a running fit."""

import sys

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn has callbacks from version 1.9 on.

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to set."""

    def with_callbacks(method):
        """The method as it is."""
        return method


class Stages:
    """The stages of a fit as tasks of scikit-learn's callbacks. Another function can also
    receive the progress. Stages shorter than the interval of that function can be left out.
    """

    def __init__(self, estimator, context, show):
        self._estimator, self._context, self._show = estimator, context, show
        self._task, self._stage = None, ""

    def __call__(self, stage, done, total, iteration):
        if stage != self._stage:
            self.end()
            self._stage = stage
            self._task = self._context.subcontext(task_name=stage)
            self._task.call_on_fit_task_begin(estimator=self._estimator)
        if self._show is not None:
            self._show(stage, done, total, iteration)

    def end(self):
        """Ends the task of the last stage."""
        if self._task is not None:
            self._task.call_on_fit_task_end(estimator=self._estimator)
            self._task = None


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
    bars = []

    def show(stage, done, total, iteration):
        if not bars:
            # Not earlier: a fit that ends before its first report shows nothing.
            bars.append(tqdm(desc=title, total=total, leave=False))
        (bar,) = bars
        bar.set_description(f"{title}: {stage}", refresh=False)
        bar.total, bar.n = total, done or iteration
        bar.refresh()

    def end():
        for bar in bars:
            bar.close()

    return show, end


def _lines(title):
    seen = []

    def show(stage, done, total, iteration):
        if not seen or seen[-1] != stage:
            seen.append(stage)
            print(f"{title}: {stage}", file=sys.stderr)

    return show
