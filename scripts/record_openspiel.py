#!/usr/bin/env python3
"""Record Othello games played by OpenSpiel's rules, for tests/oracles/openspiel.rs.

OpenSpiel (https://github.com/google-deepmind/open_spiel) has an Othello engine that others wrote
and tested. The file made here lets the tests compare every position of some games with it, without
OpenSpiel being installed. To make the file again, from the root of the repository:

    python3 -m venv /tmp/openspiel
    /tmp/openspiel/bin/pip install open-spiel==2.0.2
    /tmp/openspiel/bin/python scripts/record_openspiel.py --output tests/data/openspiel-games.txt

The games depend on the arguments and on Python's random module alone; Python 3.11 made the
committed file.

Each line is a game, in five fields separated by blanks:

    moves    two letters a ply, f5 or -- for a pass; Black begins
    checks   four hexadecimal digits a ply, of the position before it: see position_check
    black    the final discs, 16 hexadecimal digits, a1 the lowest bit and h8 the highest
    white
    result   1, 0 or -1: a win, a draw or a loss for Black
"""

import argparse
import random
import sys

import pyspiel

PASS = 64
BLACK = 0
FNV_OFFSET = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3


def discs(state):
    """The discs of Black and of White, as sets of squares."""
    # Three planes of 64 squares, as the player in the argument sees them: empty, own, other.
    planes = state.observation_tensor(BLACK)
    as_set = lambda plane: sum(1 << at for at, disc in enumerate(plane) if disc)
    return as_set(planes[64:128]), as_set(planes[128:192])


def position_check(black, white, legal):
    """16 bits that tell positions apart: FNV-1a of the three sets, its four words xored."""
    code = FNV_OFFSET
    for byte in b"".join(word.to_bytes(8, "little") for word in (black, white, legal)):
        code = (code ^ byte) * FNV_PRIME % 2**64
    return code >> 48 ^ code >> 32 & 0xFFFF ^ code >> 16 & 0xFFFF ^ code & 0xFFFF


def replies(state, action):
    """How many discs the opponent could place after an action."""
    after = state.child(action)
    return 0 if after.is_terminal() else sum(reply != PASS for reply in after.legal_actions())


def choose(state, squeeze, rng):
    """A random action; with the given chance, one of those that leave the fewest replies."""
    actions = state.legal_actions()
    if len(actions) > 1 and rng.random() < squeeze:
        counts = [replies(state, action) for action in actions]
        fewest = min(counts)
        actions = [action for action, count in zip(actions, counts) if count == fewest]
    return rng.choice(actions)


def record(game, squeeze, rng):
    """The line of one game."""
    state = game.new_initial_state()
    moves, checks = [], []
    while not state.is_terminal():
        legal = sum(1 << action for action in state.legal_actions() if action != PASS)
        checks.append(f"{position_check(*discs(state), legal):04x}")
        action = choose(state, squeeze, rng)
        moves.append("--" if action == PASS else f"{'abcdefgh'[action % 8]}{action // 8 + 1}")
        state.apply_action(action)
    black, white = discs(state)
    result = int(state.returns()[BLACK])
    return f"{''.join(moves)} {''.join(checks)} {black:016x} {white:016x} {result}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000, help="number of games (default 1000)")
    parser.add_argument("--seed", type=int, default=20261115, help="default 20261115")
    parser.add_argument("--output", required=True, help="the file to write, or - for the terminal")
    arguments = parser.parse_args()

    game = pyspiel.load_game("othello")
    rng = random.Random(arguments.seed)
    # Random games pass in one ply of 150: half of the games try to leave no reply.
    lines = [record(game, (0.0, 0.8)[number % 2], rng) for number in range(arguments.games)]
    text = "".join(line + "\n" for line in lines)
    if arguments.output == "-":
        sys.stdout.write(text)
    else:
        with open(arguments.output, "w", encoding="ascii") as file:
            file.write(text)


if __name__ == "__main__":
    main()
