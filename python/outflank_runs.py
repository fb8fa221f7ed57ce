"""Reads the folders that Outflank writes: runs, studies, and whole experiments.

A study is the runs of one method, a run is one training with one seed:

    import outflank_runs as runs

    study = runs.read_study("runs/ctdl-hof")      # the hash at the end may be left out
    for run in study.runs:
        print(run.seed, run.status, run.games)
    frame = runs.metrics_frame(study)             # with pandas: seed, games, probe, value, ...
    frame.groupby(["probe", "games"]).value.agg(["mean", "sem"])

What `outflank study FILE` and `outflank reproduce` write is an experiment here: a study for each
case, the contests between their champions, and the results. Rows have the name of the case, and
the keys of the spec in which cases differ:

    steps = runs.read_experiment("runs/steps")
    print(steps.parameters())                     # {"step/0.05": {"search.mutation.size": 0.05}, ...
    frame = runs.metrics_frame(steps)             # study, case, search.mutation.size, seed, games, ...
    frame.groupby(["search.mutation.size", "games"]).value.mean()

Everything but the functions that end in `_frame` needs only Python 3.11. Unfinished runs are read
as they stand: a line or a champion that is only half written is left out, and nothing is locked or
changed. Hashes (BLAKE3, which Python lacks) are not checked; `outflank compare STUDY` does that.

From the shell, `python outflank_runs.py FOLDER...` prints all metrics of studies and experiments as
CSV.
"""

import csv
import json
import struct
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

__all__ = [
    "Champion", "Experiment", "RunsError", "Run", "Study", "champions_frame", "contests_frame",
    "find_experiments", "find_studies", "metrics_frame", "read_experiment", "read_run",
    "read_study", "results_frame", "runs_frame",
]
__version__ = "0.2.0"

#: The columns of metrics.csv, and how they are read; empty cells are None.
COLUMNS = {
    "games": int, "generation": int, "probe": str, "value": float, "score": float, "wins": int,
    "draws": int, "losses": int,
}


class RunsError(Exception):
    """A folder or a file that cannot be read; the message names it."""


@dataclass
class Champion:
    """The champion of a run at a probe."""

    games: int
    generation: int
    #: `model`, `view` and, for a network, `structure`, as in a player file.
    shape: dict
    #: All weights; of a weighted piece counter 64, from a1 to h8.
    parameters: list = field(repr=False)


@dataclass
class Run:
    """A run folder."""

    folder: Path
    seed: int
    #: "finished", "running" (or killed), "interrupted", or "not begun".
    status: str
    #: Training games and generations; of an unfinished run those of its last probe.
    games: int
    generations: int
    #: All of manifest.json; empty if the run has not begun.
    manifest: dict = field(repr=False)

    @property
    def is_finished(self):
        return self.status == "finished"

    def metrics(self):
        """The lines of metrics.csv as dictionaries, with `seed` first."""
        return [{"seed": self.seed, **row} for row in _metrics(self.folder / "metrics.csv")]

    def spec(self):
        """The method, with every key, as it ran."""
        return _toml(_text(self.folder / "spec.toml"), self.folder / "spec.toml")

    def champion(self):
        """The player file of the last champion, or None before the first checkpoint."""
        path = self.folder / "champion.json"
        return _json(path) if path.exists() else None

    def champions(self):
        """The champion at each probe, as a list of `Champion`; empty for old or new runs."""
        path = self.folder / "champions.bin"
        return _champions(path, self.is_finished) if path.exists() else []

    def front(self):
        """The player files of the front of a run with several objectives; else an empty list."""
        folder = self.folder / "front"
        if folder.is_dir():
            files = [path for path in folder.glob("*.json") if path.stem.isdigit()]
            return [_json(path) for path in sorted(files, key=lambda path: int(path.stem))]
        path = self.folder / "front.json"
        return [json.loads(text) for text in _json(path)] if path.exists() else []


@dataclass
class Study:
    """A study folder."""

    folder: Path
    #: The method's name.
    preset: str
    #: The text of the method.
    spec_text: str = field(repr=False)
    #: One for each seed, begun or not, in the order of seeds.
    runs: list = field(repr=False)

    @property
    def name(self):
        return self.folder.name

    def spec(self):
        """The method as nested dictionaries."""
        return _toml(self.spec_text, self.folder)

    def metrics(self):
        """The metrics of all runs that have begun, with `study` and `seed` first."""
        return [{"study": self.name, **row} for run in self.runs for row in run.metrics()]

    def before(self):
        """The study of the stage before, or None."""
        folder = self.folder / "before"
        return read_study(folder) if folder.is_dir() else None


@dataclass
class Experiment:
    """The folder of a whole study, as `outflank study FILE` and `outflank reproduce` write it."""

    folder: Path
    #: The name of the study file, without its ending.
    name: str
    title: str
    #: All of plan.json: also `scale`, `runs` and `games`, if the study was made smaller.
    plan: dict = field(repr=False)
    #: The cases that have begun: for each name a `Study`, in the order of names.
    cases: dict = field(repr=False)

    def parameters(self):
        """For each case the keys of its spec that are not the same in all cases. Tables are joined
        by dots, lists are written as JSON, and a key that a case does not have is None. A key that
        is also a column of the metrics has `spec.` before it: `spec.games`."""
        specs = {name: dict(_flat(study.spec())) for name, study in self.cases.items()}
        keys = {key: None for spec in specs.values() for key in spec}
        differ = [key for key in keys if len({repr(spec.get(key)) for spec in specs.values()}) > 1]
        taken = {"study", "case", "seed", "status", "generations", *COLUMNS}
        column = {key: f"spec.{key}" if key in taken else key for key in differ}
        return {
            name: {column[key]: spec.get(key) for key in differ} for name, spec in specs.items()
        }

    def metrics(self):
        """The metrics of all runs that have begun, with `study`, `case`, the parameters and `seed`
        first."""
        return self._rows(lambda run: run.metrics())

    def runs(self):
        """A row for each run: `study`, `case`, the parameters, `seed`, `status`, `games`,
        `generations`."""
        return self._rows(lambda run: [_run_row(run)])

    def results(self):
        """The published values beside ours, as in results.json; empty before there are any."""
        path = self.folder / "results.json"
        found = _json(path) if path.exists() else []
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            raise RunsError(f"{path} is not a list of results")
        return found

    def contests(self):
        """What was found in each contest, by its name, such as `tournament-all`."""
        found = {}
        for path in sorted((self.folder / "contests").glob("*.json")):
            content = _json(path)
            if not isinstance(content, dict) or "found" not in content:
                raise RunsError(f"{path} is not a contest")
            found[path.stem] = content["found"]
        return found

    def tournaments(self):
        """A row for each champion of a tournament and each team that it met: `study`, `tournament`,
        `case` (or the name of another player), the parameters, `seed` (None for other players),
        `against`, `wins`, `draws`, `losses`."""
        rows, parameters = [], self.parameters()
        blank = dict.fromkeys(next(iter(parameters.values()), {}))
        for name, found in self.contests().items():
            if not name.startswith("tournament-"):
                continue
            path = self.folder / "contests" / f"{name}.json"
            try:
                teams = [(team["case"], team["members"]) for team in found["teams"]]
                for case, members in teams:
                    seeds = self._seeds(case, len(members))
                    rows += [
                        {
                            "study": self.name, "tournament": name.removeprefix("tournament-"),
                            "case": case, **parameters.get(case, blank), "seed": seed,
                            "against": other,
                            **{key: tally[key] for key in ("wins", "draws", "losses")},
                        }
                        for seed, tallies in zip(seeds, members)
                        for (other, _), tally in zip(teams, tallies)
                        if any(tally.values())
                    ]
            except (AttributeError, KeyError, TypeError) as error:
                raise RunsError(f"{path} is not a tournament: {error!r}") from error
        return rows

    def _seeds(self, case, members):
        """The seeds of the champions of a case; the order of a contest is that of seeds."""
        study = self.cases.get(case)
        seeds = [run.seed for run in study.runs] if study else []
        return seeds if len(seeds) == members else [None] * members

    def _rows(self, rows_of):
        parameters = self.parameters()
        return [
            {"study": self.name, "case": name, **parameters[name], **row}
            for name, study in self.cases.items() for run in study.runs for row in rows_of(run)
        ]


def read_experiment(folder):
    """Reads the folder of a whole study."""
    folder = Path(folder)
    path = folder / "plan.json"
    if not folder.is_dir():
        raise RunsError(f"there is no folder {folder}")
    if not path.exists():
        advice = "; read_study reads it" if (folder / "study.json").exists() else ""
        raise RunsError(f"{folder} is not the folder of a study file: it has no plan.json{advice}")
    plan = _json(path)
    _check_format(plan, "outflank-study-plan", path)
    cases = {}
    # A folder without a list of seeds and without a run has not begun.
    for sub in sorted((folder / "cases").glob("*/")):
        if (sub / "study.json").exists() or any(sub.glob("*/manifest.json")):
            # In names of folders a slash is written so.
            cases[sub.name.replace("=", "/")] = read_study(sub)
    return Experiment(folder, plan.get("study", folder.name), plan.get("title", ""), plan, cases)


def find_experiments(folder="runs"):
    """All experiments below a folder, by name."""
    folder = Path(folder)
    if not folder.is_dir():
        raise RunsError(f"there is no folder {folder}")
    return [read_experiment(path.parent) for path in sorted(folder.rglob("plan.json"))]


def read_study(folder):
    """Reads a study. Like the program, it takes the name of a folder without its hash."""
    folder = _found(Path(folder))
    path = folder / "study.json"
    if (folder / "plan.json").exists() and not path.exists():
        raise RunsError(f"{folder} has several cases; read_experiment reads it")
    listing, problem = {}, None
    try:
        listing = _json(path)
        _check_format(listing, "outflank-study", path)
    except RunsError as error:
        listing, problem = {}, error
    seeds = {int(sub.name) for sub in folder.iterdir() if sub.is_dir() and sub.name.isdecimal()}
    seeds.update(listing.get("seeds", []))
    runs = [_run(folder / str(seed), seed) for seed in sorted(seeds)]
    begun = [run for run in runs if run.manifest]
    if problem and not begun:
        raise problem
    # Every run has the text of the method, if the list is lost.
    spec = listing.get("spec")
    if spec is None:
        spec = _text(begun[0].folder / "spec.toml")
    return Study(folder, listing.get("preset", folder.name), spec, runs)


def read_run(folder):
    """Reads a single run folder."""
    folder = Path(folder)
    manifest = folder / "manifest.json"
    if not manifest.exists():
        raise RunsError(f"{folder} is not a run folder: it has no manifest.json")
    return _run(folder, _json(manifest).get("seed"))


def find_studies(folder="runs"):
    """All studies below a folder, by name; stages before others are left out."""
    folder = Path(folder)
    if not folder.is_dir():
        raise RunsError(f"there is no folder {folder}")
    found = (path.parent for path in sorted(folder.rglob("study.json")))
    return [read_study(path) for path in found if path.name != "before"]


def metrics_frame(studies):
    """The metrics of a study or an experiment, or of several, as a pandas DataFrame."""
    return _frame([row for study in _several(studies) for row in study.metrics()],
                  ["study"], ["seed", *COLUMNS])


def runs_frame(studies):
    """A row for each run of a study or an experiment, or of several: study, seed, status, games,
    generations; of experiments also the case and the parameters."""
    rows = []
    for study in _several(studies):
        rows += study.runs() if isinstance(study, Experiment) else [
            {"study": study.name, **_run_row(run)} for run in study.runs
        ]
    return _frame(rows, ["study"], ["seed", "status", "games", "generations"])


def results_frame(experiments):
    """The results of an experiment, or of several: published values, ours, and the verdicts."""
    rows = [row for experiment in _several(experiments) for row in experiment.results()]
    return _frame(rows, ["study", "printed", "what"], ["published", "ours", "value", "verdict"])


def contests_frame(experiments):
    """The tournaments of an experiment, or of several, as `Experiment.tournaments` has them."""
    rows = [row for experiment in _several(experiments) for row in experiment.tournaments()]
    return _frame(rows, ["study", "tournament", "case"],
                  ["seed", "against", "wins", "draws", "losses"])


def _run_row(run):
    return {"seed": run.seed, "status": run.status, "games": run.games,
            "generations": run.generations}


def _columns(rows, first, last):
    """All columns of some rows: those that are always there, with all others between them."""
    others = {name: None for row in rows for name in row}
    return [*first, *(name for name in others if name not in (*first, *last)), *last]


def _frame(rows, first, last):
    return _pandas().DataFrame(rows, columns=_columns(rows, first, last))


def _flat(table, before=""):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", json.dumps(value) if isinstance(value, list) else value


def champions_frame(run):
    """The weights of the champions of a run: a row for each probe, indexed by games. The columns
    are squares for a weighted piece counter, else numbers; champions of another size than the
    last one are left out."""
    pandas, champions = _pandas(), run.champions()
    size = len(champions[-1].parameters) if champions else 64
    champions = [champion for champion in champions if len(champion.parameters) == size]
    squares = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
    return pandas.DataFrame(
        [champion.parameters for champion in champions],
        index=pandas.Index([champion.games for champion in champions], name="games"),
        columns=squares if size == 64 else range(size),
    )


def _several(studies):
    return [studies] if isinstance(studies, (Study, Experiment)) else list(studies)


def _pandas():
    try:
        import pandas
    except ImportError as error:
        raise RunsError("this needs pandas (pip install pandas); metrics() does not") from error
    return pandas


def _found(folder):
    if folder.is_dir():
        return folder
    parent, name = folder.parent, folder.name
    known = sorted(parent.iterdir()) if parent.is_dir() and name else []
    matching = [
        path for path in known
        if path.is_dir() and path.name.startswith(name + "-") and _is_hash(path.name[len(name) + 1:])
    ]
    if len(matching) == 1:
        return matching[0]
    if matching:
        names = ", ".join(path.name for path in matching)
        raise RunsError(f"{folder} may be any of {names}; name one of them")
    raise RunsError(f"there is no study {folder}")


def _is_hash(text):
    return len(text) == 8 and all(letter in "0123456789abcdef" for letter in text)


def _run(folder, seed):
    path = folder / "manifest.json"
    if not path.exists():
        return Run(folder, seed, "not begun", 0, 0, {})
    manifest = _json(path)
    _check_format(manifest, "outflank-run", path)
    games, generations = manifest.get("games"), manifest.get("generations")
    if games is None:
        last = (_metrics(folder / "metrics.csv") or [{"games": 0, "generation": 0}])[-1]
        games, generations = last["games"], last["generation"]
    return Run(folder, manifest.get("seed", seed), manifest.get("status", "running"), games,
               generations, manifest)


def _check_format(content, name, path):
    if not isinstance(content, dict) or content.get("format") != name:
        raise RunsError(f"{path} is not of the format {name}")
    if content.get("version") != 1:
        raise RunsError(f"{path} has version {content.get('version')}, this module reads 1")


def _text(path):
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RunsError(f"cannot read {path}: {error}") from error


def _json(path):
    try:
        return json.loads(_text(path))
    except ValueError as error:
        raise RunsError(f"{path} is not JSON: {error}") from error


def _toml(text, path):
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RunsError(f"{path} is not TOML: {error}") from error


def _metrics(path):
    if not path.exists():
        return []
    text = _text(path)
    # A line is complete only with its end: the rest is being written.
    lines = text[: text.rfind("\n") + 1].splitlines()
    rows = []
    for number, cells in enumerate(csv.DictReader(lines), start=2):
        try:
            rows.append({
                name: read(cells[name]) if cells[name] != "" else None
                for name, read in COLUMNS.items()
            })
        except (KeyError, TypeError, ValueError) as error:
            raise RunsError(f"{path}, line {number}: {error!r}") from error
    return rows


def _champions(path, is_finished):
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunsError(f"cannot read {path}: {error}") from error
    blocks, at = [], 0
    while at + 4 <= len(data):
        (length,) = struct.unpack_from("<I", data, at)
        if at + 4 + length + 32 > len(data):
            break
        blocks.append(data[at + 4: at + 4 + length])
        at += 4 + length + 32
    if is_finished and at != len(data):
        raise RunsError(f"{path} is cut off at byte {at}")
    if not blocks:
        return []
    if blocks[0] != b"OUTFLHIS" + struct.pack("<I", 1):
        raise RunsError(f"{path} is not a history of champions of version 1")
    champions, shape, numbers = [], {}, []
    for number, block in enumerate(blocks[1:], start=1):
        try:
            games, place = _leb128(block, 0)
            generation, place = _leb128(block, place)
            part, place = _part(block, place)
            shape = shape if part is None else json.loads(part)
            part, place = _part(block, place)
            if part is not None:
                numbers = list(struct.unpack(f"<{len(part) // 4}f", part))
        except (IndexError, ValueError, struct.error) as error:
            raise RunsError(f"{path}, block {number} is damaged: {error}") from error
        champions.append(Champion(games, generation, shape, numbers))
    return champions


def _leb128(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def _part(data, at):
    """What stands after a 1, or None after a 0."""
    if data[at] == 0:
        return None, at + 1
    length, at = _leb128(data, at + 1)
    if at + length > len(data):
        raise ValueError("it ends early")
    return data[at: at + length], at + length


def main(folders):
    """Prints the metrics of studies and experiments as CSV."""
    rows = []
    for folder in folders:
        is_experiment = (Path(folder) / "plan.json").exists()
        rows += (read_experiment if is_experiment else read_study)(folder).metrics()
    writer = csv.DictWriter(sys.stdout, _columns(rows, ["study"], ["seed", *COLUMNS]))
    writer.writeheader()
    writer.writerows(rows)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if len(sys.argv) > 1 else 2)
    try:
        main(sys.argv[1:])
    except RunsError as problem:
        sys.exit(f"error: {problem}")
    except BrokenPipeError:
        # The reader has seen enough.
        sys.stderr.close()
