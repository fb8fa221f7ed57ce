"""neat-python as a contestant: README.md describes the protocol. Arguments are the activation
function, and the weights of a network 64-10-1, node by node."""

import math
import random
import sys
import time
from pathlib import Path

import neat
from neat.innovation import InnovationTracker
from neat.nn import FeedForwardNetwork
from rust_reversi import Board, Turn

COURSE = 2  # generations from a new population on
# The slope that neat-python gives to an activation function, to be taken back.
SLOPE = {"sigmoid": 5.0, "tanh": 2.5}


def row(own, other):
    """The discs of a row as eight inputs; rust-reversi counts squares from the highest bit."""
    return [float((own >> square & 1) - (other >> square & 1)) for square in range(7, -1, -1)]


ROWS = [[row(own, other) for other in range(256)] for own in range(256)]


def inputs(own, other):
    """A board as a network sees it."""
    squares = []
    for mine, theirs in zip(own.to_bytes(8, "big"), other.to_bytes(8, "big")):
        squares += ROWS[mine][theirs]
    return squares


def network(config, activation, weights):
    genome = config.genome_type(0)
    config.genome_config.innovation_tracker = InnovationTracker()
    genome.configure_new(config.genome_config)
    sources = config.genome_config.input_keys
    hidden = sorted(set(genome.nodes) - set(config.genome_config.output_keys))
    weights = iter(weights)
    for node in hidden:
        for source in sources:
            genome.connections[source, node].weight = next(weights)
    for node in hidden:
        genome.connections[node, 0].weight = next(weights)
    for node in genome.nodes.values():
        node.activation, node.bias = activation, 0.0
        node.response = 1.0 / SLOPE.get(activation, 1.0)
    return FeedForwardNetwork.create(genome, config)


class Contestant:
    def __init__(self, activation, weights):
        path = Path(__file__).resolve().parent / "neat.ini"
        parts = neat.DefaultReproduction, neat.DefaultSpeciesSet, neat.DefaultStagnation
        self.config = neat.Config(neat.DefaultGenome, *parts, path)
        self.network = network(self.config, activation, weights)
        self.played = 0
        self.boards = [board for game in range(4) for board in self.seen()]

    def seen(self):
        """Boards of a random game."""
        board = Board()
        while not board.is_game_over():
            if board.is_pass():
                board.do_pass()
                continue
            own, other, _ = board.get_board()
            yield inputs(own, other)
            board.do_move(board.get_random_move())

    def choose(self, board):
        best, move = -math.inf, None
        for at, child in zip(board.get_legal_moves_vec(), board.get_child_boards()):
            other, own, _ = child.get_board()
            value = self.network.activate(inputs(own, other))[0]
            if value > best:
                best, move = value, at
        return move

    def game(self, colour):
        board = Board()
        while not board.is_game_over():
            if board.is_pass():
                board.do_pass()
            elif board.get_turn() == colour:
                board.do_move(self.choose(board))
            else:
                board.do_move(board.get_random_move())
        winner = board.get_winner()
        return 1 if winner is None else 2 * (winner == colour)

    def work(self, workload, units):
        """Returns units done and a checksum."""
        if workload == "mlp-10":
            points = 0
            for _ in range(units):
                points += self.game((Turn.BLACK, Turn.WHITE)[self.played % 2])
                self.played += 1
            return units, points
        if workload == "activate":
            rounds = math.ceil(units / len(self.boards))
            for _ in range(rounds):
                for board in self.boards:
                    self.network.activate(board)
            return rounds * len(self.boards), 0
        if workload == "neat":
            courses = math.ceil(units / COURSE)
            for _ in range(courses):
                neat.Population(self.config).run(judge, COURSE)
            return courses * COURSE, 0
        sys.exit(f"no workload of neat-python is called {workload!r}")


def judge(genomes, _):
    """Any fitness: without differences, species would stagnate."""
    for _, genome in genomes:
        genome.fitness = random.random()


def main():
    random.seed(1)
    contestant = Contestant(sys.argv[1], map(float, sys.argv[2:]))
    for line in sys.stdin:
        workload, units = line.split()
        start = time.thread_time()
        done, checksum = contestant.work(workload, int(units))
        print(done, time.thread_time() - start, checksum, flush=True)


if __name__ == "__main__":
    main()
