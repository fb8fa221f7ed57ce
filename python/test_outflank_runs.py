"""Tests of outflank_runs. With OUTFLANK=path/to/outflank also on runs that this program trains."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import outflank_runs as runs  # noqa: E402

HEAD = "games,generation,probe,value,score,wins,draws,losses\n"


def block(content):
    """The hash is not read."""
    return struct.pack("<I", len(content)) + content + bytes(32)


def champions(*entries):
    data = block(b"OUTFLHIS" + struct.pack("<I", 1))
    for entry in entries:
        data += block(entry)
    return data


def weights(*numbers):
    packed = struct.pack(f"<{len(numbers)}f", *numbers)
    return bytes([1, len(packed)]) + packed


class Folders(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = Path(self.temporary.name)
        self.study = self.root / "rsel-0123abcd"
        self.write("study.json", json.dumps({
            "format": "outflank-study", "version": 1, "preset": "rsel", "spec_id": "0123abcd",
            "spec": "games = 20\n", "seeds": [1, 2, 3],
        }))
        self.run_folder(1, {"status": "finished", "games": 20, "generations": 4},
                        HEAD + "0,0,random,0.5,0.52,5,0,5\n20,4,random,0.75,0.75,15,0,5\n")
        # The program was killed while it wrote a line.
        self.run_folder(2, {"status": "running"},
                        HEAD + "0,0,random,0.5,0.5,5,0,5\n10,2,species,7,,,,\n15,3,rand")

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, content):
        path = self.study / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def run_folder(self, seed, status, metrics):
        manifest = {"format": "outflank-run", "version": 1, "seed": seed, **status}
        self.write(f"{seed}/manifest.json", json.dumps(manifest))
        self.write(f"{seed}/metrics.csv", metrics)
        self.write(f"{seed}/spec.toml", "games = 20\n[model]\nkind = 'wpc'\n")

    def test_a_study_and_its_runs(self):
        study = runs.read_study(self.root / "rsel")
        self.assertEqual((study.name, study.preset), ("rsel-0123abcd", "rsel"))
        self.assertEqual(study.spec(), {"games": 20})
        shown = [(run.seed, run.status, run.games, run.generations) for run in study.runs]
        self.assertEqual(shown, [(1, "finished", 20, 4), (2, "running", 10, 2), (3, "not begun", 0, 0)])
        self.assertEqual([run.is_finished for run in study.runs], [True, False, False])
        self.assertEqual(study.runs[1].spec()["model"], {"kind": "wpc"})
        self.assertIsNone(study.before())

    def test_metrics_have_numbers_and_no_half_lines(self):
        rows = runs.read_study(self.study).metrics()
        self.assertEqual(len(rows), 4)
        self.assertEqual(rows[1], {
            "study": "rsel-0123abcd", "seed": 1, "games": 20, "generation": 4, "probe": "random",
            "value": 0.75, "score": 0.75, "wins": 15, "draws": 0, "losses": 5,
        })
        self.assertEqual((rows[3]["value"], rows[3]["score"], rows[3]["wins"]), (7.0, None, None))

    def test_champions_change_only_where_they_are_written(self):
        shape = json.dumps({"model": "wpc"}).encode()
        first = bytes([0, 0, 1, len(shape)]) + shape + weights(0.5, -1.0)
        same = bytes([0xac, 0x02, 3, 0, 0])
        data = champions(first, same, bytes([0x90, 0x03, 4, 0]) + weights(2.0, 1.0))
        self.write("1/champions.bin", data)
        found = runs.read_study(self.study).runs[0].champions()
        self.assertEqual([(one.games, one.generation) for one in found], [(0, 0), (300, 3), (400, 4)])
        self.assertEqual([one.parameters for one in found], [[0.5, -1.0], [0.5, -1.0], [2.0, 1.0]])
        self.assertEqual(found[2].shape, {"model": "wpc"})
        # What is being written is left out of an unfinished run, and is damage in a finished one.
        for end in range(len(data)):
            self.write("2/champions.bin", data[:end])
            self.assertLess(len(runs.read_study(self.study).runs[1].champions()), 3)
        self.write("1/champions.bin", data[:-1])
        with self.assertRaisesRegex(runs.RunsError, "champions.bin is cut off"):
            runs.read_study(self.study).runs[0].champions()

    def test_players_and_fronts(self):
        self.write("1/champion.json", '{"name": "a"}')
        self.write("1/front/10.json", '{"name": "ten"}')
        self.write("1/front/2.json", '{"name": "two"}')
        self.write("2/front.json", json.dumps(['{"name": "b"}']))
        first, second, third = runs.read_study(self.study).runs
        self.assertEqual(first.champion(), {"name": "a"})
        self.assertEqual([one["name"] for one in first.front()], ["two", "ten"])
        self.assertEqual([one["name"] for one in second.front()], ["b"])
        self.assertIsNone(third.champion())
        self.assertEqual((third.front(), third.champions(), third.metrics()), ([], [], []))

    def test_a_lost_list_is_replaced_by_the_runs(self):
        self.write("study.json", '{"format": "outflank-st')
        study = runs.read_study(self.study)
        self.assertEqual([run.seed for run in study.runs], [1, 2])
        self.assertEqual(study.spec()["games"], 20)

    def test_errors_name_the_file(self):
        def refused(what, pattern):
            with self.assertRaisesRegex(runs.RunsError, pattern):
                what()
        refused(lambda: runs.read_study(self.root / "nosuch"), "there is no study .*nosuch")
        refused(lambda: runs.read_run(self.root), "is not a run folder")
        refused(lambda: runs.find_studies(self.root / "x"), "there is no folder")
        (self.root / "rsel-ffffffff").mkdir()
        refused(lambda: runs.read_study(self.root / "rsel"), "may be any of rsel-0123abcd, rsel-ff")
        self.write("1/metrics.csv", HEAD + "0,0,random,much,,,,\n")
        refused(lambda: runs.read_study(self.study).metrics(), "metrics.csv, line 2")
        self.write("1/manifest.json", json.dumps({"format": "outflank-run", "version": 2}))
        refused(lambda: runs.read_study(self.study), "manifest.json has version 2")

    def test_frames_need_pandas_and_say_so(self):
        study = runs.read_study(self.study)
        try:
            import pandas
        except ImportError:
            with self.assertRaisesRegex(runs.RunsError, "needs pandas"):
                runs.metrics_frame(study)
            return
        frame = runs.metrics_frame([study, study])
        self.assertEqual(len(frame), 8)
        self.assertTrue(pandas.api.types.is_float_dtype(frame.value))
        self.assertEqual(list(runs.runs_frame(study).status), ["finished", "running", "not begun"])
        self.write("1/champions.bin", champions(bytes([0, 0, 1, 2]) + b"{}" + bytes([1, 0x80, 0x02])
                                                + struct.pack("<64f", *range(64))))
        weights_frame = runs.champions_frame(runs.read_study(self.study).runs[0])
        self.assertEqual((weights_frame.h8[0], weights_frame.shape), (63.0, (1, 64)))


class Experiments(unittest.TestCase):
    """A study file with a grid of two values and another case; one run has not begun."""

    SPEC = "games = {games}\n[search]\nkind = '{kind}'\n[search.mutation]\nsize = {size}\n"

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = Path(self.temporary.name) / "steps"
        self.write("plan.json", json.dumps({
            "format": "outflank-study-plan", "version": 1, "study": "steps",
            "title": "Is a larger step better?", "scale": 1.0, "runs": None, "games": None,
        }))
        self.case("step=0.05", self.SPEC.format(games=20, kind="es", size=0.05))
        self.case("step=0.2", self.SPEC.format(games=20, kind="es", size=0.2))
        self.case("td", "games = 40\n[search]\nkind = 'es'\n[probes]\nvs = ['random']\n")
        (self.root / "cases" / "later").mkdir()

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")

    def case(self, name, spec):
        home = f"cases/{name}"
        self.write(f"{home}/study.json", json.dumps({
            "format": "outflank-study", "version": 1, "preset": "rsel", "spec_id": "0123abcd",
            "spec": spec, "seeds": [1, 2],
        }))
        self.write(f"{home}/1/manifest.json", json.dumps({
            "format": "outflank-run", "version": 1, "seed": 1, "status": "finished", "games": 20,
            "generations": 4,
        }))
        self.write(f"{home}/1/metrics.csv", HEAD + "20,4,random,0.75,0.75,15,0,5\n")

    def tournament(self):
        tally = lambda wins: {"wins": wins, "draws": 0, "losses": 4 - wins}
        none = {"wins": 0, "draws": 0, "losses": 0}
        self.write("contests/tournament-all.json", json.dumps({"key": "k", "found": {"teams": [
            {"case": "step/0.2", "members": [[none, tally(3)], [none, tally(1)]]},
            {"case": "heuristic", "members": [[tally(2), none]]},
        ]}}))

    def test_cases_and_what_differs(self):
        steps = runs.read_experiment(self.root)
        self.assertEqual((steps.name, steps.title), ("steps", "Is a larger step better?"))
        self.assertEqual(list(steps.cases), ["step/0.05", "step/0.2", "td"])
        # `search.kind` is the same everywhere, and `games` is a column of the metrics.
        self.assertEqual(steps.parameters()["step/0.2"], {
            "spec.games": 20, "search.mutation.size": 0.2, "probes.vs": None,
        })
        self.assertEqual(steps.parameters()["td"], {
            "spec.games": 40, "search.mutation.size": None, "probes.vs": '["random"]',
        })
        self.assertEqual([one.name for one in runs.find_experiments(self.root.parent)], ["steps"])

    def test_rows_have_the_case_and_its_parameters(self):
        steps = runs.read_experiment(self.root)
        self.assertEqual(steps.metrics()[1], {
            "study": "steps", "case": "step/0.2", "spec.games": 20, "search.mutation.size": 0.2,
            "probes.vs": None, "seed": 1, "games": 20, "generation": 4, "probe": "random",
            "value": 0.75, "score": 0.75, "wins": 15, "draws": 0, "losses": 5,
        })
        shown = [(row["case"], row["seed"], row["status"], row["games"]) for row in steps.runs()]
        self.assertEqual(shown[:2], [("step/0.05", 1, "finished", 20),
                                     ("step/0.05", 2, "not begun", 0)])
        self.assertEqual(len(shown), 6)

    def test_contests_and_results(self):
        steps = runs.read_experiment(self.root)
        self.assertEqual((steps.contests(), steps.tournaments(), steps.results()), ({}, [], []))
        self.tournament()
        self.write("results.json", json.dumps([{"study": "steps", "verdict": "agrees"}]))
        self.assertEqual(steps.results()[0]["verdict"], "agrees")
        rows = [(row["case"], row["seed"], row["against"], row["wins"], row["losses"],
                 row["search.mutation.size"]) for row in steps.tournaments()]
        self.assertEqual(rows, [("step/0.2", 1, "heuristic", 3, 1, 0.2),
                                ("step/0.2", 2, "heuristic", 1, 3, 0.2),
                                ("heuristic", None, "step/0.2", 2, 2, None)])

    def test_errors_name_the_folder_and_the_other_reader(self):
        def refused(what, pattern):
            with self.assertRaisesRegex(runs.RunsError, pattern):
                what()
        refused(lambda: runs.read_study(self.root), "several cases; read_experiment")
        refused(lambda: runs.read_experiment(self.root / "cases" / "td"), "no plan.json; read_study")
        refused(lambda: runs.read_experiment(self.root / "x"), "there is no folder")
        self.write("contests/tournament-all.json", '{"found": {"teams": [{}]}}')
        refused(runs.read_experiment(self.root).tournaments, "tournament-all.json is not a tour")
        self.write("results.json", '{"a": 1}')
        refused(runs.read_experiment(self.root).results, "results.json is not a list of results")
        self.write("plan.json", '{"format": "outflank-study-plan", "version": 2}')
        refused(lambda: runs.read_experiment(self.root), "plan.json has version 2")

    def test_frames_and_csv(self):
        printed = subprocess.run(
            [sys.executable, str(Path(runs.__file__)), str(self.root), str(self.root / "cases/td")],
            check=True, capture_output=True, text=True,
        ).stdout.splitlines()
        self.assertTrue(printed[0].startswith("study,case,spec.games,search.mutation.size,"))
        self.assertEqual((len(printed), printed[4][:8]), (5, "td,,,,,1"))
        try:
            import pandas  # noqa: F401
        except ImportError:
            return
        self.tournament()
        steps = runs.read_experiment(self.root)
        means = runs.metrics_frame(steps).groupby("search.mutation.size").value.mean()
        self.assertEqual(dict(means), {0.05: 0.75, 0.2: 0.75})
        self.assertEqual(len(runs.runs_frame([steps, steps.cases["td"]])), 8)
        self.assertEqual(list(runs.contests_frame(steps).wins), [3, 1, 2])
        self.assertEqual(list(runs.results_frame(steps).columns)[0], "study")


@unittest.skipUnless(os.environ.get("OUTFLANK"), "OUTFLANK names no program")
class Trained(unittest.TestCase):
    def test_a_study_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file, out = Path(folder) / "steps.toml", Path(folder) / "out"
            file.write_text(
                'title = "Steps"\nseeds = "1..2"\n[[case]]\nname = "step"\nmethod = "rsel"\n'
                'set = { games = 10000, probes.every = 5000, probes.games = 20 }\n'
                'grid = { search.mutation.size = [0.05, 0.2] }\n'
                '[[tournament]]\nname = "all"\ncases = ["step"]\nplayers = ["heuristic"]\n'
            )
            subprocess.run(
                [os.environ["OUTFLANK"], "study", str(file), "--out", str(out)],
                check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            steps = runs.read_experiment(out)
            self.assertEqual(steps.parameters(), {"step/0.05": {"search.mutation.size": 0.05},
                                                  "step/0.2": {"search.mutation.size": 0.2}})
            self.assertEqual([row["status"] for row in steps.runs()], ["finished"] * 4)
            rows = steps.tournaments()
            # Each of four champions meets the other case and the player, which meets both.
            self.assertEqual(len(rows), 4 * 2 + 2)
            self.assertEqual([row["seed"] for row in rows if row["case"] == "step/0.2"],
                             [1, 1, 2, 2])
            self.assertEqual(sum(row["wins"] for row in rows), sum(row["losses"] for row in rows))

    def test_runs_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "s"
            subprocess.run(
                [os.environ["OUTFLANK"], "learn", "tdl", "--games", "2000", "--seeds", "1..2",
                 "--set", "probes.games=100", "--out", str(out)],
                check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            study = runs.read_study(out)
            self.assertEqual([(run.seed, run.status) for run in study.runs],
                             [(1, "finished"), (2, "finished")])
            for run in study.runs:
                history, champion = run.champions(), run.champion()
                self.assertEqual(run.games, 2000)
                self.assertEqual({row["games"] for row in run.metrics()},
                                 {one.games for one in history})
                self.assertEqual(len(history[-1].parameters), 64)
                for ours, theirs in zip(history[-1].parameters, champion["parameters"]):
                    self.assertAlmostEqual(ours, theirs, places=5)
                self.assertEqual(history[-1].shape["model"], champion["model"])
            self.assertEqual(study.spec(), study.runs[0].spec())
            printed = subprocess.run(
                [sys.executable, str(Path(runs.__file__)), str(out)], check=True,
                capture_output=True, text=True,
            ).stdout
            self.assertEqual(len(printed.splitlines()), 1 + len(study.metrics()))
            # As if it were killed before it ended.
            manifest = out / "2" / "manifest.json"
            content = json.loads(manifest.read_text())
            content["status"] = "running"
            del content["games"], content["generations"]
            manifest.write_text(json.dumps(content))
            for name in ["metrics.csv", "champions.bin"]:
                path = out / "2" / name
                path.write_bytes(path.read_bytes()[:-3])
            run = runs.read_study(out).runs[1]
            self.assertFalse(run.is_finished)
            self.assertEqual(len(run.champions()), len(history) - 1)
            self.assertLess(0, len(run.metrics()))


if __name__ == "__main__":
    unittest.main()
