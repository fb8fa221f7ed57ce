//! A source of opponents of your own: every candidate also meets the champion of five generations
//! ago.
//!
//! cargo run --release --example 4_own_opponents

use outflank::arena::Arena;
use outflank::kernel::Kernel;
use outflank::learn::resolve;
use outflank::learn::{Beginning, Candidate, Drawn, Field, Opponents, Run, SourceSetting, step};
use outflank::model::Wpc;
use outflank::rng::{Rng, Seed, Stream};

/// The champion of a number of generations ago; the first champion until then.
struct Ancestor {
    generations: usize,
}

impl<M: Candidate> Opponents<M> for Ancestor {
    fn draw(&mut self, field: &Field<'_, M>, _rng: &mut Rng) -> Drawn {
        let index = field.archive.len().saturating_sub(self.generations);
        Drawn::all(field.archive.players().skip(index).take(1).cloned().collect())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A small cel that remembers its champions; its round robin stays, and the ancestor joins it.
    let set = ["search.population=8", "archive={kind='champions', capacity=5}"];
    let spec = resolve("cel", &set.map(String::from))?.spec;
    let mut rng = Seed(1).at(Stream::Candidate, 0).rng();
    let mut first = |start: f64| Wpc::uniform(start, &mut rng);
    let (model, start) = (&spec.model, 0.1);
    let search = spec.search.build(Beginning { model, start, first: &mut || first(start) });
    let mut opponents =
        spec.opponents.build(&mut SourceSetting { spec: &spec, first: &mut first })?;
    opponents.push(Box::new(Ancestor { generations: 5 }));
    let nobody_yet = Wpc::uniform(0.0, &mut rng);
    let mut run = Run::from_parts(spec, Seed(1), search, opponents, nobody_yet)?;

    let arena = Arena::new(Kernel::detect()?, 1)?;
    for _ in 0..10 {
        assert_eq!(step(&mut [&mut run], &arena, &|| false), [Ok(())]);
    }
    // 8 x 8 games a generation, and 8 with the ancestor but in the first, which has none.
    assert_eq!(run.games(), 10 * 64 + 9 * 8);
    println!("{} games, champions that remember their ancestors", run.games());
    Ok(())
}
