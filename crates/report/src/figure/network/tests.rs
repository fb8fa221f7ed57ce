use super::layout::{Layout, Order, Spot};
use super::*;
use outflank_game::model::graph::{Gene, Graph, HIDDEN, OUTPUT, Response};
use outflank_game::model::{Connection, Evaluate, Eyes, Mlp, MlpShape, View};
use outflank_kernel::Curve;
use outflank_kernel::rng::{Rng, Seed, Stream};

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
    let shape = MlpShape { eyes, hidden, curve, output, bias, view };
    Mlp::uniform(shape, 2.0, &mut rng()).portrait().unwrap()
}

fn picture(portrait: &Portrait, detail: Detail) -> NetworkFigure<'_> {
    NetworkFigure { title: "a<b>&\"c\\".into(), portrait, detail }
}

/// Fails unless elements are closed in the right order and no `>` is bare.
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
fn the_strongest_connections_of_a_graph_are_drawn_in_the_colours_of_their_signs() {
    let negative = |links: &[Connection]| links.iter().filter(|link| link.weight < 0.0).count();
    for hidden in [0, 2, 10, 40] {
        let portrait = graph(hidden);
        let svg = picture(&portrait, Detail::Numbers).svg();
        let dot = picture(&portrait, Detail::Numbers).dot();
        let all = portrait.connections.len();
        assert_eq!(dot.matches(" -> ").count(), all);
        let drawn = &portrait.strongest()[..all.min(300)];
        for (sign, is_negative) in [(1.0, false), (-1.0, true)] {
            let colour = hex(board_colour(sign, 1.0));
            let count = |links: &[Connection]| {
                if is_negative { negative(links) } else { links.len() - negative(links) }
            };
            assert_eq!(svg.matches(&format!(" stroke=\"{colour}\"")).count(), count(drawn));
            let all = count(&portrait.connections);
            assert_eq!(dot.matches(&format!(" [color=\"{colour}")).count(), all);
        }
        assert_eq!(svg.contains("the strongest 300 of "), all > 300);
    }
    let svg = picture(&graph(40), Detail::Numbers).svg();
    assert!(svg.contains("40 hidden nodes, the strongest 300 of 2,641 connections, weights up to"));
}

#[test]
fn a_depth_is_one_column_whose_nodes_do_not_touch() {
    for portrait in [
        graph(20),
        graph(300),
        mlp(Eyes::Board, &[20]),
        mlp(Eyes::Board, &[30, 12]),
        mlp(Eyes::Pieces, &[40, 10]),
    ] {
        for marks in [Marks::Boards, Marks::Names] {
            let layout = Layout::new(&portrait, marks, Order::Voices);
            let deepest = portrait.hidden.iter().map(|node| node.depth).max().unwrap();
            for depth in 1..=deepest {
                let with_depth = portrait.hidden.iter().zip(&layout.nodes);
                let nodes = with_depth.filter(|(node, _)| node.depth == depth);
                let mut spots: Vec<Spot> = nodes.map(|(_, spot)| *spot).collect();
                spots.sort_by(|a, b| a.at[1].total_cmp(&b.at[1]));
                for pair in spots.windows(2) {
                    assert!((pair[0].at[0] - pair[1].at[0]).abs() < 1e-9);
                    assert!(pair[1].at[1] - pair[0].at[1] > pair[0].side + 5.0);
                }
                let (first, last) = (spots[0], spots[spots.len() - 1]);
                assert!(first.at[1] > 0.0 && last.at[1] < layout.height);
            }
        }
    }
}

#[test]
fn a_connection_that_skips_a_node_bends_around_it() {
    let response = Response { curve: Curve::Tanh, output: Curve::Sigmoid, view: View::Mover };
    // The only hidden node is as high as the rows in the middle.
    let ends = [(28, HIDDEN), (HIDDEN, OUTPUT), (31, OUTPUT), (35, OUTPUT)];
    let gene = |(innovation, (from, to))| Gene { innovation, from, to, enabled: true };
    let genes = (0..).zip(ends).map(gene).collect();
    let graph = Graph::new(response, vec![HIDDEN], genes, vec![1.0; 4]).unwrap();
    let portrait = graph.portrait().unwrap();
    let layout = Layout::new(&portrait, Marks::Boards, Order::Voices);
    let bends: Vec<bool> =
        portrait.connections.iter().map(|link| route::path(&layout, link).contains('H')).collect();
    assert_eq!(bends, [false, false, true, true]);
}

#[test]
fn units_are_drawn_as_boards_of_what_they_hear() {
    for (portrait, notes, boards, squares) in [
        (mlp(Eyes::Board, &[20]), 2, 20, 20 * 64),
        (mlp(Eyes::Board, &[5, 3]), 3, 5, 5 * 64),
        (mlp(Eyes::Board, &[200]), 3, 120, 120 * 64),
        // The squares of all pieces together.
        (mlp(Eyes::Pieces, &[40, 10]), 3, 91, 5900 - 91 - (92 * 40 + 41 * 10 + 11)),
    ] {
        let svg = picture(&portrait, Detail::Numbers).svg();
        // The background and the frames.
        assert_eq!(svg.matches("<rect").count(), 1 + boards + squares);
        // The title, the notes and the colours.
        assert_eq!(svg.matches("<text").count(), 2 + notes + boards);
    }
    let svg = picture(&mlp(Eyes::Board, &[200]), Detail::Numbers).svg();
    assert!(svg.contains("80 more not drawn"));
}

#[test]
fn pictures_say_what_they_show_and_what_they_leave_out() {
    let svg = |portrait: &Portrait| picture(portrait, Detail::Numbers).svg();
    let bare = svg(&mlp(Eyes::Board, &[]));
    assert!(bare.contains("0 hidden nodes, 65 connections") && !bare.contains("below:"));
    let two = svg(&mlp(Eyes::Board, &[5, 3]));
    assert!(two.contains("drawn: the first of 2 hidden layers<"));
    assert!(two.contains("below: weights to the next layer, sizes added up<"), "not cut");
    assert!(svg(&mlp(Eyes::Board, &[1])).contains("1 hidden node, "));
    let pieces = svg(&mlp(Eyes::Pieces, &[20]));
    assert!(pieces.contains("111 hidden nodes"), "the disc counter is not a hidden node");
    for picture in [bare, two, pieces, svg(&graph(2))] {
        assert!(picture.contains(">green</tspan>: above 0"));
    }
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
