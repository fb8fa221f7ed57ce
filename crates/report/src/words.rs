//! A glossary of the words on the page.

use maud::html;

use super::Section;

/// Words that a reader may not know, in alphabetical order.
const WORDS: [(&str, &str); 16] = [
    (
        "95% confidence interval",
        "A range computed so that, in repeated experiments, it would contain the true value in 95 of 100 cases. For means \
         over runs it comes from Student's t distribution; for the games of one player it is Wilson's.",
    ),
    (
        "A12",
        "Effect size of Vargha and Delaney: the probability that a run of the first study ends with a higher value than a \
         run of the second, ties counted half. 0.5 is no difference. From 0.56 (or below 0.44) the effect is called \
         small, from 0.64 (0.36) medium, from 0.71 (0.29) large.",
    ),
    ("Champion", "The player that a run ends with."),
    ("Double game", "Two games between the same players, one with each colour."),
    (
        "Evaluation (probe)",
        "A measurement of the champion at some point of the training, in games that do not count as training.",
    ),
    (
        "Expected utility (utility)",
        "The mean score of a player in double games against random weighted piece counters, whose weights are drawn \
         uniformly from −1 to 1. A draw counts half.",
    ),
    (
        "Holm's correction",
        "With many tests, some p values are small by chance. Holm's correction raises them so that the chance of even \
         one false alarm stays below 5%.",
    ),
    (
        "Mann-Whitney test",
        "A test that compares two samples by the ranks of their values and does not assume a normal distribution.",
    ),
    ("Percentage points", "The difference between two percentages: from 80% to 82% is 2 points."),
    ("Run", "One training from one seed. The same settings and seed always give the same result."),
    ("Score", "The share of the points won: 1 for a win, ½ for a draw, 0 for a loss."),
    ("Share of games won", "Wins divided by games; a draw counts as nothing."),
    ("Study", "Several runs with the same settings and different seeds."),
    (
        "TOST (equivalence test)",
        "Two one-sided tests that show that a difference is smaller than a given margin. A test that finds no \
         difference does not show that there is none; this one can. See outflank compare --margin.",
    ),
    (
        "Welch's t test",
        "A test of whether the means of two samples differ; their variances may differ, too.",
    ),
    (
        "WPC (weighted piece counter)",
        "A player with one weight for each of the 64 squares. The value of a position is the sum of the weights of its \
         own discs minus the sum of those of the opponent's. It chooses the move that leads to the highest value.",
    ),
];

pub fn section() -> Section {
    let body = html! {
        dl {
            @for (word, meaning) in WORDS { dt { (word) } dd { (meaning) } }
        }
    };
    Section { id: "words".into(), title: "Words".into(), body }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_order() {
        assert!(WORDS.is_sorted_by_key(|(word, _)| word.to_lowercase()));
        let page = section().body.into_string();
        for word in ["WPC", "utility", "A12", "TOST"] {
            assert!(page.contains(word), "{word}");
        }
    }
}
