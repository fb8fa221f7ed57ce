//! Absolute facts about names and places. Swapping rows and columns is a symmetry of the start
//! position: an engine that confuses them plays every game legally and with the right result, so
//! only squares known by name can show it.

use outflank_game::othello::{
    Board, Position, Square, Squares, Symmetry, parse_game, write_position,
};

fn names(set: Squares) -> Vec<String> {
    set.map(|square| square.to_string()).collect()
}

#[test]
fn names_run_along_the_rows_from_a1_to_h8() {
    let mut index = 0;
    for row in '1'..='8' {
        for column in 'a'..='h' {
            let name = format!("{column}{row}");
            let square = Square::new(index).unwrap();
            assert_eq!(square.to_string(), name);
            assert_eq!(name.parse(), Ok(square));
            assert_eq!((square.row(), square.column()), (index / 8, index % 8), "{name}");
            index += 1;
        }
    }
    assert_eq!(Square::new(index), None);
}

#[test]
fn white_starts_on_d4_and_e5() {
    let Board { own: black, opp: white } = Board::START;
    assert_eq!(names(black), ["e4", "d5"]);
    assert_eq!(names(white), ["d4", "e5"]);
}

#[test]
fn the_first_moves_are_d3_c4_f5_e6() {
    assert_eq!(names(Board::START.moves()), ["d3", "c4", "f5", "e6"]);
}

#[test]
fn the_replies_to_f5_are_f4_d6_f6() {
    let after = Position::START.play("f5".parse().unwrap());
    assert_eq!(names(after.board.moves()), ["f4", "d6", "f6"]);
}

#[test]
fn after_f5_d6_black_plays_in_the_c_file() {
    // The first replies are their own mirror image; these are not.
    let position = parse_game("f5d6").unwrap().position();
    assert_eq!(names(position.board.moves()), ["c3", "c4", "c5", "c6", "c7"]);
    let drawn = [
        "--------", // 1
        "--------", // 2
        "--------", // 3
        "---OX---", // 4
        "---OXX--", // 5
        "---O----", // 6
        "--------", // 7
        "--------", // 8
    ];
    assert_eq!(write_position(position), format!("{} X", drawn.concat()));
}

#[test]
fn symmetries_transpose_then_mirror_columns_then_rows() {
    let b1: Square = "b1".parse().unwrap();
    let images = Symmetry::ALL.map(|symmetry| symmetry.square(b1).to_string());
    assert_eq!(images, ["b1", "a2", "g1", "h2", "b8", "a7", "g8", "h7"]);
}
