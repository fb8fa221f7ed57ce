//! Checks of a study before anything is trained: whatever is named is there, names are unique, and
//! numbers make sense.

use outflank_game::player::parse_player;
use outflank_schema::{Mistake, Node, did_you_mean, nearest};

use crate::design::{Case, Design};
use crate::file::{FigureKind, FigureSpec, Meet, StudyFile, TableKind, TournamentSpec, ValueSpec};
use crate::source::Source;

impl Design {
    /// Checks that whatever is named is there, and that names are unique.
    pub(crate) fn check(&self, node: &Node) -> Result<(), Mistake> {
        let StudyFile { case, tournament, profile, value, table, figure, .. } = &self.file;
        if case.is_empty() && value.is_empty() {
            return Err(node.place.wrong("there are no cases, expected at least one [[case]]"));
        }
        let unique = |list: &str, names: Vec<&str>| -> Result<(), Mistake> {
            for (index, name) in names.iter().enumerate() {
                let place = node.place_of(&format!("{list}[{index}].name"));
                if name.is_empty() || name.contains(char::is_control) {
                    return Err(place.wrong(format!("{list}.name = {name:?}, expected a name")));
                }
                if names[..index].contains(name) {
                    return Err(place.wrong(format!("{list}.name = {name:?} is there twice")));
                }
                // A claim separates names by these; names of tables are names of files.
                let is_bad = |letter: char| match list {
                    "table" | "figure" => !(letter.is_alphanumeric() || "-_".contains(letter)),
                    _ => "<>~,;".contains(letter),
                };
                if name.trim() != *name || name.starts_with('.') || name.contains(is_bad) {
                    let expected = "letters, digits, - and _";
                    let problem = format!("{list}.name = {name:?}, expected a name of {expected}");
                    return Err(place.wrong(problem));
                }
            }
            Ok(())
        };
        unique("case", case.iter().map(|case| &*case.name).collect())?;
        unique("tournament", tournament.iter().map(|one| &*one.name).collect())?;
        unique("profile", profile.iter().map(|one| &*one.name).collect())?;
        let made = table.iter().map(|one| &*one.name).chain(figure.iter().map(|one| &*one.name));
        let made: Vec<&str> = made.collect();
        if let Some(index) = (0..made.len()).find(|&index| made[..index].contains(&made[index])) {
            let problem = format!("two tables or figures are called {:?}", made[index]);
            let place = match index.checked_sub(table.len()) {
                None => node.place_of(&format!("table[{index}].name")),
                Some(index) => node.place_of(&format!("figure[{index}].name")),
            };
            return Err(place.wrong(problem));
        }
        unique("table", table.iter().map(|one| &*one.name).collect())?;
        unique("figure", figure.iter().map(|one| &*one.name).collect())?;
        let names = Names::of(self);
        for (index, one) in tournament.iter().enumerate() {
            let at = format!("tournament[{index}]");
            names.cases(node, &at, "cases", &one.cases)?;
            let teams = self.teams(&one.cases);
            let twice = (1..teams.len()).any(|i| teams[..i].contains(&teams[i]));
            if teams.is_empty() || teams.len() + one.players.len() < 2 || twice {
                let problem = format!(
                    "cases = {:?}, expected two cases or more, each once, or one and players",
                    one.cases
                );
                return Err(node.place_of(&format!("{at}.cases")).wrong(problem));
            }
            self.check_entrants(node, &at, one, &teams)?;
            within(node, &at, "doubles", one.doubles, 1..=1_000_000)?;
        }
        for (index, one) in profile.iter().enumerate() {
            let at = format!("profile[{index}]");
            names.cases(node, &at, "cases", &one.cases)?;
            within(node, &at, "opponents", one.opponents, 1..=outflank_lab::MOST_OPPONENTS)?;
            within(node, &at, "doubles", one.doubles, 1..=outflank_lab::MOST_DOUBLES)?;
        }
        if !(0.0..=100.0).contains(&self.file.margin) {
            let problem = format!("margin = {}, expected 0 to 100", self.file.margin);
            return Err(node.place_of("margin").wrong(problem));
        }
        for (index, one) in value.iter().enumerate() {
            let at = format!("value[{index}]");
            let is_claim = matches!(one.ours, Source::Order(_) | Source::Board(_));
            if is_claim == (one.value.is_some() || one.between.is_some()) {
                let expected = match is_claim {
                    true => "neither value nor between: a claim holds or not",
                    false => "a value, or a range as between = [82, 83]",
                };
                let problem = format!("{:?}, {:?}: expected {expected}", one.printed, one.what);
                return Err(node.place_of(&at).wrong(problem));
            }
            if let Some((key, problem)) = wrong_number(one) {
                return Err(node.place_of(&format!("{at}.{key}")).wrong(problem));
            }
            names.source(node, &format!("{at}.ours"), &one.ours)?;
            self.check_probes(node, &format!("{at}.ours"), &one.ours)?;
            for (number, tried) in one.tried.iter().enumerate() {
                let at = format!("{at}.tried[{number}].ours");
                names.source(node, &at, &tried.ours)?;
                self.check_probes(node, &at, &tried.ours)?;
            }
        }
        for (index, one) in table.iter().enumerate() {
            let at = format!("table[{index}]");
            names.cases(node, &at, "cases", &one.cases)?;
            if matches!(one.of, TableKind::Standings | TableKind::Crosstable) {
                names.one(node, &at, "tournament", &one.tournament, &names.tournaments)?;
            } else {
                some(node, &at, &one.cases)?;
            }
            names.cases(node, &at, "against", &one.against)?;
            let [cases, others] = [&one.cases, &one.against].map(|names| self.teams(names).len());
            if !one.against.is_empty() && (one.of != TableKind::Tests || cases != others) {
                let problem = format!(
                    "against has {others} cases and cases {cases}; expected as many, in a table of \
                     tests"
                );
                return Err(node.place_of(&format!("{at}.against")).wrong(problem));
            }
            for probe in &one.probes {
                let any = self.teams(&one.cases).iter().any(|case| self.has_probe(case, probe));
                if !any {
                    return Err(self.no_probe(node, &format!("{at}.probes"), probe, &one.cases));
                }
            }
        }
        for (index, one) in figure.iter().enumerate() {
            let at = format!("figure[{index}]");
            names.cases(node, &at, "cases", &one.cases)?;
            match one.of {
                FigureKind::Best | FigureKind::Objectives => {
                    names.one(node, &at, "tournament", &one.tournament, &names.tournaments)?;
                }
                FigureKind::Profiles => {
                    names.one(node, &at, "profile", &one.profile, &names.profiles)?;
                }
                FigureKind::Heatmap => self.check_heatmap(node, &at, &one.cases)?,
                FigureKind::Curves | FigureKind::Boxes | FigureKind::Ranks => {
                    some(node, &at, &one.cases)?;
                }
                FigureKind::Leads => {
                    names.one(node, &at, "tournament", &one.tournament, &names.tournaments)?;
                    self.check_leads(node, &at, one)?;
                }
                FigureKind::Fronts | FigureKind::Attainment => {
                    some(node, &at, &one.cases)?;
                    self.check_fronts(node, &at, &one.cases)?;
                }
            }
            let shown = self.teams(&one.cases);
            if !one.probe.is_empty()
                && !shown.is_empty()
                && !shown.iter().any(|case| self.has_probe(case, &one.probe))
            {
                return Err(self.no_probe(node, &format!("{at}.probe"), &one.probe, &one.cases));
            }
        }
        Ok(())
    }

    /// Says whether runs of a case have a probe; its options may be left out.
    fn has_probe(&self, case: &str, probe: &str) -> bool {
        let Some(case) = self.case(case) else { return false };
        let own = self.probes(case);
        probe.is_empty()
            || own.iter().any(|own| own == probe || own.split('@').next() == Some(probe))
    }

    /// The probes of a case.
    fn probes(&self, case: &Case) -> Vec<String> {
        case.method.spec.probe_names()
    }

    fn no_probe(&self, node: &Node, at: &str, probe: &str, cases: &[String]) -> Mistake {
        let teams = self.teams(cases);
        let own = teams.first().and_then(|name| self.case(name)).map(|case| self.probes(case));
        let own = own.unwrap_or_default();
        let meant = did_you_mean(nearest(probe, own.iter().map(String::as_str)).as_deref());
        node.place_of(at).wrong(format!(
            "probe {probe:?}: {} has {}{meant}",
            teams.first().map_or("it", |name| name),
            own.join(", ")
        ))
    }

    /// Checks that the cases of a source have its probes.
    fn check_probes(&self, node: &Node, at: &str, source: &Source) -> Result<(), Mistake> {
        for (key, case, probe) in source.needs().probes {
            for case in self.named(&case) {
                if !self.has_probe(&case.name, &probe) {
                    let names = [case.name.clone()];
                    return Err(self.no_probe(node, &format!("{at}.{key}"), &probe, &names));
                }
            }
        }
        Ok(())
    }

    /// Checks the players of a tournament beside the cases, and how they meet.
    fn check_entrants(
        &self,
        node: &Node,
        at: &str,
        one: &TournamentSpec,
        teams: &[String],
    ) -> Result<(), Mistake> {
        for (index, name) in one.players.iter().enumerate() {
            let wrong = |problem: String| {
                Err(node.place_of(&format!("{at}.players[{index}]")).wrong(problem))
            };
            if let Err(error) = parse_player(name) {
                return wrong(error.to_string());
            }
            let is_known = |other: &String| *other == **name;
            if one.players[..index].contains(name) || teams.iter().any(is_known) {
                return wrong(format!("{:?} takes part twice", &**name));
            }
        }
        if !(0.0..=1.0).contains(&one.epsilon) {
            let problem = format!("epsilon = {}, expected a probability from 0 to 1", one.epsilon);
            return Err(node.place_of(&format!("{at}.epsilon")).wrong(problem));
        }
        for case in teams.iter().filter_map(|name| self.case(name)) {
            if let Err(problem) = one.policy(&case.method.spec.policy) {
                let problem = format!("moves = {:?}: {problem}", one.moves);
                return Err(node.place_of(&format!("{at}.moves")).wrong(problem));
            }
        }
        let seeds = |name: &String| self.case(name).map(|case| &case.seeds);
        let differs = |name: &&String| seeds(name) != seeds(&teams[0]);
        match (one.meet, teams.iter().find(differs)) {
            (Meet::SameSeed, Some(other)) => {
                let problem = format!(
                    "meet = \"same-seed\" needs cases with the same seeds, but {} and {other} have \
                     others",
                    teams[0]
                );
                Err(node.place_of(&format!("{at}.meet")).wrong(problem))
            }
            _ => Ok(()),
        }
    }

    /// Checks that two cases of a tournament meet, and that somebody judges.
    fn check_leads(&self, node: &Node, at: &str, one: &FigureSpec) -> Result<(), Mistake> {
        let wrong =
            |key: &str, problem: String| Err(node.place_of(&format!("{at}.{key}")).wrong(problem));
        let named = self.file.tournament.iter().find(|other| other.name == one.tournament);
        let taking_part = self.teams(named.map_or(&[], |tournament| &tournament.cases));
        let seeds = |name: &String| self.case(name).map(|case| &case.seeds);
        let meet = match one.cases.as_slice() {
            [a, b] if seeds(a).is_some() && seeds(a) == seeds(b) => {
                [a, b].into_iter().all(|case| taking_part.contains(case))
            }
            _ => false,
        };
        if !meet {
            let problem = format!(
                "cases = {:?}, expected two cases of tournament {:?} with the same seeds",
                one.cases, one.tournament
            );
            return wrong("cases", problem);
        }
        match parse_player(&one.judge) {
            Err(error) => wrong("judge", error.to_string()),
            Ok(judge) if judge.varies() => wrong(
                "judge",
                format!("judge = {:?} draws its moves, expected e.g. \"lr2006\"", one.judge),
            ),
            Ok(_) => Ok(()),
        }
    }

    /// Checks that cases have the same two objectives.
    fn check_fronts(&self, node: &Node, at: &str, cases: &[String]) -> Result<(), Mistake> {
        let mut first: Option<(String, Vec<String>)> = None;
        for case in self.teams(cases).iter().filter_map(|name| self.case(name)) {
            let objectives = case.method.spec.objectives().into_iter();
            let objectives: Vec<String> = objectives.map(|one| one.name).collect();
            let at = format!("{at}.cases");
            if objectives.len() != 2 {
                return Err(node.place_of(&at).wrong(format!(
                    "{} has {}; a figure of fronts needs two objectives",
                    case.name,
                    match objectives.len() {
                        0 => "one objective".into(),
                        many => format!("{many} objectives"),
                    }
                )));
            }
            match &first {
                Some((name, other)) if *other != objectives => {
                    return Err(node.place_of(&at).wrong(format!(
                        "{name} has the objectives {}, but {} has {}",
                        other.join(" and "),
                        case.name,
                        objectives.join(" and ")
                    )));
                }
                Some(_) => {}
                None => first = Some((case.name.clone(), objectives)),
            }
        }
        Ok(())
    }

    fn check_heatmap(&self, node: &Node, at: &str, cases: &[String]) -> Result<(), Mistake> {
        let grid = cases.first().and_then(|name| self.named(name).first().copied());
        if cases.len() == 1 && grid.is_some_and(|case| case.parameters.len() == 2) {
            return Ok(());
        }
        let place = node.place_of(&format!("{at}.cases"));
        Err(place.wrong("a heat map shows one grid of two keys, expected cases = [\"GRID\"]"))
    }
}

/// Checks that a whole number is within limits.
fn within(
    node: &Node,
    at: &str,
    key: &str,
    number: u64,
    range: std::ops::RangeInclusive<u64>,
) -> Result<(), Mistake> {
    if range.contains(&number) {
        return Ok(());
    }
    let place = node.place_of(&format!("{at}.{key}"));
    let (low, high) = (range.start(), range.end());
    Err(place.wrong(format!("{key} = {number}, expected a whole number from {low} to {high}")))
}

/// Checks that there are cases to show.
fn some(node: &Node, at: &str, cases: &[String]) -> Result<(), Mistake> {
    match cases {
        [] => Err(node.place_of(at).wrong("there are no cases to show, expected cases = [...]")),
        _ => Ok(()),
    }
}

/// What is wrong with the numbers of a published value, and with which key.
fn wrong_number(value: &ValueSpec) -> Option<(&'static str, String)> {
    /// No published number is larger.
    const MOST: f64 = 1e15;
    let is_plain = |number: f64| number.abs() <= MOST;
    let ValueSpec { value: number, between, interval, n, digits, .. } = value;
    if let Some(number) = number.filter(|number| !is_plain(*number)) {
        return Some(("value", format!("value = {number}, expected a number")));
    }
    if number.is_some() && between.is_some() {
        return Some(("between", "value and between, expected one of the two".into()));
    }
    if let Some([low, high]) = between.filter(|[a, b]| !(a < b && is_plain(*a) && is_plain(*b))) {
        let problem = format!("between = [{low}, {high}], expected the smaller number first");
        return Some(("between", problem));
    }
    if let Some(half) = interval.filter(|half| !(*half > 0.0 && is_plain(*half))) {
        return Some(("interval", format!("interval = {half}, expected half its width, above 0")));
    }
    if *n == Some(0) {
        return Some(("n", "n = 0, expected 1 or more runs".into()));
    }
    let digits = digits.filter(|digits| *digits > 15)?;
    Some(("digits", format!("digits = {digits}, expected at most 15")))
}

/// What can be named in a study.
struct Names {
    cases: Vec<String>,
    tournaments: Vec<String>,
    profiles: Vec<String>,
}

impl Names {
    fn of(design: &Design) -> Names {
        let mut cases: Vec<String> = design.cases.iter().map(|case| case.name.clone()).collect();
        // A grid has a name beside those of its members.
        for case in &design.file.case {
            if !cases.contains(&case.name) {
                cases.push(case.name.clone());
            }
        }
        let file = &design.file;
        Names {
            cases,
            tournaments: file.tournament.iter().map(|one| one.name.clone()).collect(),
            profiles: file.profile.iter().map(|one| one.name.clone()).collect(),
        }
    }

    fn one(
        &self,
        node: &Node,
        at: &str,
        key: &str,
        name: &str,
        known: &[String],
    ) -> Result<(), Mistake> {
        if known.iter().any(|other| other == name) {
            return Ok(());
        }
        let meant = did_you_mean(nearest(name, known.iter().map(String::as_str)).as_deref());
        let list = match known {
            [] => "; there are none".into(),
            _ if !meant.is_empty() => meant,
            known => format!(", expected one of {}", known.join(", ")),
        };
        let place = node.place_of(&format!("{at}.{key}"));
        let what = match key {
            "tournament" => "tournament",
            "profile" => "profile",
            _ => "case",
        };
        Err(place.wrong(format!("{key} = {name:?}: there is no such {what}{list}")))
    }

    fn cases(&self, node: &Node, at: &str, key: &str, names: &[String]) -> Result<(), Mistake> {
        names.iter().try_for_each(|name| self.one(node, at, key, name, &self.cases))
    }

    fn source(&self, node: &Node, at: &str, source: &Source) -> Result<(), Mistake> {
        if let Source::Order(order) = source
            && let Some(problem) = order.problem()
        {
            return Err(node.place_of(&format!("{at}.claim")).wrong(problem));
        }
        let needs = source.needs();
        for (key, name) in &needs.cases {
            self.one(node, at, key, name, &self.cases)?;
        }
        for (key, name) in &needs.tournaments {
            self.one(node, at, key, name, &self.tournaments)?;
        }
        for (key, name) in &needs.profiles {
            self.one(node, at, key, name, &self.profiles)?;
        }
        for one in &needs.matches {
            for name in [&one.player, &one.against] {
                if let Err(error) = outflank_game::player::parse_player(name) {
                    return Err(node.place_of(at).wrong(error.to_string()));
                }
            }
            if one.games == 0 || one.games % 2 == 1 {
                let problem = format!("games = {}, expected an even number above 0", one.games);
                return Err(node.place_of(&format!("{at}.games")).wrong(problem));
            }
        }
        Ok(())
    }
}
