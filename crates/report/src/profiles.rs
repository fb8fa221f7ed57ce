//! Performance profiles: how the champions do against opponents of every strength.

use maud::html;

use super::text::count;
use super::{Figures, Material, Section};
use crate::profile_chart;
use outflank_lab::{FEWEST_DOUBLES, Recipe};

pub fn section(material: &Material<'_>, figures: &mut Figures<'_>) -> Option<Section> {
    let database = material.evidence.plan.opponents.as_ref()?;
    let Recipe { opponents, doubles, seed, .. } = *database.recipe();
    let chart = profile_chart(&material.evidence.profiles);
    let body = html! {
        p {
            "A mean over all random opponents says little of how a player does against the good ones among \
             them. Here they are sorted by their own expected utility: every champion played a double game \
             with each of " (count(database.opponents().len() as u64)) " random WPCs, and a point is the mean \
             result of a study's champions against those of one hundredth (Jaśkowski et al. 2013)."
        }
        (figures.add("profiles", "chart", chart.svg(), ""))
        p class="note" {
            "Whiskers are 95% intervals with the double game as the unit, for these champions. Hundredths \
             with " (FEWEST_DOUBLES) " double games or fewer are left out. The opponents come from "
            (count(opponents)) " random WPCs (seed " (seed) "), each judged by " (count(doubles))
            " double games."
        }
    };
    Some(Section { id: "profiles", title: "Performance profiles", body })
}
