use super::*;
use crate::kernel::Curve;
use crate::model::graph::{Graph, Response};
use crate::model::{Evaluate, Eyes, Mlp, Shape, View};
use crate::rng::{Rng, Seed, Stream};

fn rng() -> Rng {
    Seed(1).at(Stream::Weights, 0).rng()
}

fn graph(hidden: usize) -> Portrait {
    let response = Response { curve: Curve::Tanh, output: Curve::Sigmoid, view: View::Mover };
    let mut rng = rng();
    let weight = || rng.uniform(-2.0, 2.0) as f32;
    Graph::layered(response, hidden, true, weight).portrait().unwrap()
}

fn mlp(eyes: Eyes, hidden: &[usize]) -> Portrait {
    let (hidden, bias) = (hidden.to_vec(), true);
    let (curve, output, view) = (Curve::Tanh, Curve::Sigmoid, View::Mover);
    let shape = Shape { eyes, hidden, curve, output, bias, view };
    Mlp::uniform(shape, 2.0, &mut rng()).portrait().unwrap()
}

fn picture(portrait: &Portrait, detail: Detail) -> Network<'_> {
    Network { title: "a<b>&\"c\\".into(), portrait, detail }
}

/// Fails unless every element is closed in the order in which they were opened, and nothing stands bare.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a bare > in {svg}");
        let end = start + rest[start..].find('>').expect("an open bracket");
        let tag = &rest[start + 1..end];
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None => {
                assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
                open.push(tag.split(' ').next().unwrap());
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.is_empty(), "{open:?}");
    for number in ["NaN", "inf", "=\"-0\""] {
        assert!(!svg.contains(number), "{number}");
    }
}

#[test]
fn pictures_are_well_formed_whatever_the_network() {
    let networks = [
        graph(0),
        graph(2),
        graph(10),
        graph(40),
        graph(300),
        mlp(Eyes::Board, &[]),
        mlp(Eyes::Board, &[1]),
        mlp(Eyes::Board, &[300]),
        mlp(Eyes::Board, &[5, 3]),
        mlp(Eyes::Pieces, &[40, 10]),
    ];
    for portrait in &networks {
        for detail in [Detail::Numbers, Detail::Colours] {
            let svg = picture(portrait, detail).svg();
            assert_well_formed(&svg);
            assert!(svg.contains("a&lt;b&gt;&amp;"));
            assert_eq!(svg.matches("http").count(), 1, "the namespace and nothing else");
        }
    }
}

#[test]
fn every_connection_of_a_graph_is_drawn_in_the_colour_of_its_sign() {
    for hidden in [0, 2, 10, 40] {
        let portrait = graph(hidden);
        let svg = picture(&portrait, Detail::Numbers).svg();
        let dot = picture(&portrait, Detail::Numbers).dot();
        let all = portrait.connections.len();
        let negative = portrait.connections.iter().filter(|link| link.weight < 0.0).count();
        assert_eq!(dot.matches(" -> ").count(), all);
        for (sign, count) in [(1.0, all - negative), (-1.0, negative)] {
            let colour = hex(board_colour(sign, 1.0));
            assert_eq!(svg.matches(&format!(" stroke=\"{colour}\"")).count(), count);
            assert_eq!(dot.matches(&format!("color=\"{colour}")).count(), count);
        }
    }
}

#[test]
fn units_are_drawn_as_boards_of_what_they_hear() {
    for (portrait, boards, squares) in [
        (mlp(Eyes::Board, &[20]), 20, 20 * 64),
        (mlp(Eyes::Board, &[5, 3]), 5, 5 * 64),
        (mlp(Eyes::Board, &[200]), 120, 120 * 64),
        (mlp(Eyes::Board, &[]), 1, 64),
        // As many squares as all pieces have together.
        (mlp(Eyes::Pieces, &[40, 10]), 91, 5900 - 91 - (92 * 40 + 41 * 10 + 11)),
    ] {
        let svg = picture(&portrait, Detail::Numbers).svg();
        // The paper, and the frames.
        assert_eq!(svg.matches("<rect").count(), 1 + boards + squares);
        assert_eq!(svg.matches("<text").count(), 2 + boards);
    }
    let svg = picture(&mlp(Eyes::Board, &[200]), Detail::Numbers).svg();
    assert!(svg.contains("80 more not drawn"));
}

#[test]
fn graphviz_gets_a_board_of_pinned_squares() {
    let portrait = mlp(Eyes::Pieces, &[2]);
    let dot = picture(&portrait, Detail::Numbers).dot();
    assert!(dot.starts_with("digraph \"a<b>&\\\"c\\\\\" {\n") && dot.ends_with("}\n"));
    assert_eq!(dot.matches(" -> ").count(), portrait.connections.len());
    // 64 squares, the bias, 91 pieces, the counter, two nodes and the output.
    assert_eq!(dot.matches("!\"];").count(), 64 + 1 + 91 + 1 + 2 + 1);
    let place = |name: &str| -> (f64, f64) {
        let line = dot.lines().find(|line| line.starts_with(&format!("  \"{name}\" ["))).unwrap();
        let (_, place) = line.split_once("pos=\"").unwrap();
        let (x, y) = place.split_once('!').unwrap().0.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    // Graphviz counts upwards: the first row is above the others.
    assert!(place("a1").0 < place("h1").0 && place("a1").1 > place("a8").1);
    assert!(place("h8").0 < place("n1").0 && place("n1").0 < place("out").0);
    let small = graph(0);
    let labelled = picture(&small, Detail::Numbers).dot().matches(", label=").count();
    assert_eq!(labelled, 1, "the title: 65 connections are too many for labels");
}
