//! Performance profiles: how the champions do against opponents of every strength.

use maud::html;

use super::text::count;
use super::{Drawing, Figures, Material, Names, Section};
use crate::profile_chart;
use outflank_lab::{FEWEST_DOUBLES, Recipe};

pub const NAMES: Names = Names { stem: "profiles", are_many: false };

pub fn section(material: &Material<'_>, figures: &mut Figures<'_>) -> Option<Section> {
    let database = material.evidence.plan.opponents.as_ref()?;
    let Recipe { opponents, doubles, seed, .. } = *database.recipe();
    let chart = profile_chart(&material.evidence.profiles);
    let body = html! {
        p {
            "A mean over all random opponents says little about how a player does against the good ones among \
             them. Here the opponents are sorted by their own expected utility. Every champion played a double game \
             against each of " (count(database.opponents().len() as u64)) " random weighted piece counters. A point is \
             the mean result of a study's champions against the opponents whose utility lies within one percentage \
             point (Jaśkowski et al. 2013)."
        }
        (figures.add(&NAMES.name(0, ""), "chart", Drawing::of_chart(&chart), ""))
        p class="note" {
            "Whiskers are 95% confidence intervals for these champions, with the double game as the unit. Points from \
             " (FEWEST_DOUBLES) " double games or fewer are left out. The opponents were drawn from "
            (count(opponents)) " random weighted piece counters (seed " (seed) "), each of which was rated in "
            (count(doubles)) " double games."
        }
    };
    Some(Section { id: "profiles".into(), title: "Performance profiles".into(), body })
}
