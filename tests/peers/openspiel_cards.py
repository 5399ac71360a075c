"""Plays random games of cards, dice and hidden information in Regelwerk and in OpenSpiel at once.

    pip install open_spiel
    REGELWERK=target/release/regelwerk python3 tests/peers/openspiel_cards.py [GAME ...] [--games N]

At every decision the complete sets of legal moves must be the same, and at the end the returns. A
difference ends the run with both sides shown. Chance is drawn here and told to both programs.
docs/classics.md keeps the figures.
"""

import argparse
import random
import sys
import time

import pyspiel

from client import Server


class Difference(Exception):
    """The two programs do not agree."""


class Peer:
    """Translates between the two programs; one subclass for each game."""

    rules = None  # the rule file
    selection = {}  # players, variants and options of the rules
    spiel = None  # the game of OpenSpiel

    def begin(self):
        """Forgets the previous game."""
        self.rolled = []  # outcomes of dice in Regelwerk that OpenSpiel has not been told

    def outcome(self, state, server):
        """The chance outcome to play in OpenSpiel."""
        raise NotImplementedError

    def action(self, move, state, server):
        """The action of OpenSpiel for a move."""
        raise NotImplementedError

    def absent(self, state, server):
        """Actions that only OpenSpiel allows, for a stated reason."""
        return set()

    def beyond(self, state, server):
        """Moves that only Regelwerk allows, for a stated reason."""
        return set()

    def returns(self, server):
        """The result as OpenSpiel counts it."""
        return server.scores()

    def sensible(self, table, server, dice):
        """Actions to choose from at random."""
        return sorted(table)

    def after(self, move, player):
        """Records what is needed later about a move."""

    def finish(self, state):
        """Steps that OpenSpiel requires after the game is over in Regelwerk."""

    def ended(self, server, state):
        """Whether everything that OpenSpiel covers of the game has been played."""
        return server.over

    def settled(self, state):
        """OpenSpiel plays forced last moves itself; Regelwerk then continues alone."""
        return state.is_terminal()


def play_through(peer, server, game, dice):
    """Plays one random game; returns the numbers of decisions compared and of legal moves."""
    peer.begin()
    server.new(chance="client", **peer.selection)
    state = game.new_initial_state()
    decisions = moves = 0
    while True:
        while server.state["ask"] == "chance" and not peer.ended(server, state):
            rolled = dice.choice(server.legal())
            server.apply(rolled)
            peer.rolled.append(rolled)
        while state.is_chance_node():
            state.apply_action(peer.outcome(state, server))
        if peer.ended(server, state):
            break
        mine = server.legal()
        if peer.settled(state):
            if len(mine) != 1:
                raise Difference(f"OpenSpiel is done, Regelwerk has {mine}\n{server.view()['position']}")
            server.apply(mine[0])
            continue
        player = server.seats.index(server.asked)
        if not state.is_simultaneous_node() and state.current_player() != player:
            raise Difference(f"player {state.current_player()} to move, not {player}\n{state}\n{server.view()['position']}")
        mine = [move for move in mine if move not in peer.beyond(state, server)]
        table = {peer.action(move, state, server): move for move in mine}
        theirs = set(state.legal_actions(player)) - peer.absent(state, server)
        if set(table) != theirs or len(table) != len(mine):
            only_mine = [table[action] for action in set(table) - theirs]
            only_theirs = [state.action_to_string(player, action) for action in theirs - set(table)]
            raise Difference(
                f"only Regelwerk: {only_mine}\nonly OpenSpiel: {only_theirs}\n{server.view()['position']}\n{state}"
            )
        decisions, moves = decisions + 1, moves + len(mine)
        chosen = dice.choice(peer.sensible(table, server, dice))
        server.apply(table[chosen])
        peer.after(table[chosen], player)
        if state.is_simultaneous_node():
            joint = getattr(peer, "joint", []) + [chosen]
            if len(joint) == game.num_players():
                state.apply_actions(joint)
                joint = []
            peer.joint = joint
        else:
            state.apply_action(chosen)
    peer.finish(state)
    if not state.is_terminal():
        raise Difference(f"Regelwerk is done, OpenSpiel is not\n{server.view()['position']}\n{state}")
    mine, theirs = list(peer.returns(server)), list(state.returns())
    if any(abs(a - b) > 1e-9 for a, b in zip(mine, theirs)):
        raise Difference(f"returns {mine} and {theirs}\n{server.view()['position']}\n{state}")
    return decisions, moves


class Kuhn(Peer):
    rules = "rules/classics/kuhn-poker/kuhn-poker.rules"
    spiel = "kuhn_poker"
    cards = ["jack", "queen", "king"]

    def outcome(self, state, server):
        zones = server.zones()
        seat = server.seats[len(state.history())]
        return self.cards.index((zones[f"hand({seat})"] + zones[f"shown({seat})"])[0])

    def action(self, move, state, server):
        return {"check": 0, "fold": 0, "bet": 1, "call": 1}[move]


class Leduc(Peer):
    rules = "rules/classics/leduc-poker/leduc-poker.rules"
    spiel = "leduc_poker"
    cards = ["jack", "queen", "king"]

    def outcome(self, state, server):
        zones, dealt = server.zones(), len(state.history())
        if dealt < 2:
            seat = server.seats[dealt]
            card = (zones[f"hand({seat})"] + zones[f"shown({seat})"])[0]
        else:
            card = zones["table_card"][0]
        # OpenSpiel has two cards of each rank; whichever is left.
        return next(a for a, _ in state.chance_outcomes() if a // 2 == self.cards.index(card))

    def action(self, move, state, server):
        return {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}[move]


FACES = "one two three four five six".split()
RANKS = "ace two three four five six seven eight nine ten jack queen king".split()


class Goofspiel(Peer):
    rules = "rules/classics/goofspiel/goofspiel.rules"
    spiel = "goofspiel(players=2,num_cards=13,points_order=random,returns_type=total_points)"

    def outcome(self, state, server):
        return RANKS.index(server.zones()["prize"][0])

    def action(self, move, state, server):
        return RANKS.index(move)


class Goofspiel3(Goofspiel):
    selection = {"players": 3, "options": {"cards": 7}}
    spiel = "goofspiel(players=3,num_cards=7,points_order=random,returns_type=total_points)"


class LiarsDice(Peer):
    rules = "rules/classics/liars-dice/liars-dice.rules"
    selection = {"options": {"dice": 1}}
    spiel = "liars_dice(players=2,numdice=1,dice_sides=6)"

    def outcome(self, state, server):
        return FACES.index(self.rolled.pop(0))

    def action(self, move, state, server):
        if move == "liar":
            return state.get_game().num_distinct_actions() - 1
        number, face = move.split("-")
        return (int(number) - 1) * 6 + FACES.index(face)

    def returns(self, server):
        return [1 if verdict == "win" else -1 for verdict in server.verdicts()]


class LiarsRound(LiarsDice):
    """The first round with five dice each: OpenSpiel plays no further."""

    selection = {"options": {"dice": 5}}
    spiel = "liars_dice(players=2,numdice=5,dice_sides=6)"

    def ended(self, server, state):
        return state.is_terminal()

    def returns(self, server):
        # Losing a die here loses the game there.
        variables = server.view()["variables"]
        return [-1 if f"left({seat})" in variables else 1 for seat in server.seats]


class Pig(Peer):
    rules = "rules/classics/pig/pig.rules"
    selection = {"variants": ["idle"]}
    spiel = "pig(players=2,winscore=100,horizon=100000)"

    def outcome(self, state, server):
        return int(self.rolled.pop(0)) - 1

    def action(self, move, state, server):
        return {"roll": 0, "hold": 1}[move]

    def beyond(self, state, server):
        # A player with enough points may still roll; OpenSpiel makes the player hold.
        return {"roll"} if state.legal_actions() == [1] else set()

    def returns(self, server):
        return [1 if verdict == "win" else -1 for verdict in server.verdicts()]


def card_there(card):
    """`queen{spades}` as rank and suit, each counted from 0 in the order of clubs, diamonds, hearts, spades."""
    kind, _, suit = card.rstrip("}").partition("{")
    suits = ["clubs", "diamonds", "hearts", "spades"]
    return (RANKS.index(kind) - 1) % 13, suits.index(suit) if suit else 0


class Hearts(Peer):
    """One deal; OpenSpiel's names of the cards are compared with ours in the deal itself."""

    rules = "rules/classics/hearts/hearts.rules"
    selection = {"options": {"goal": 1, "first_pass": "left", "queen_breaks": True}}
    spiel = "hearts"
    direction = 1

    def begin(self):
        super().begin()
        self.dealt = None

    def card(self, text):
        rank, suit = card_there(text)
        return rank * 4 + suit

    def outcome(self, state, server):
        if not state.history():
            return self.direction
        if self.dealt is None:
            zones = server.zones()
            hands = [list(zones[f"hand({seat})"]) for seat in server.seats]
            self.dealt = [self.card(hands[n % 4][n // 4]) for n in range(52)]
        return self.dealt[len(state.history()) - 1]

    def action(self, move, state, server):
        return self.card(move.removeprefix("lay ").removeprefix("pass_on "))

    def returns(self, server):
        return [26 + score for score in server.scores()]


class HeartsRight(Hearts):
    selection = {"options": {"goal": 1, "first_pass": "right", "queen_breaks": False}}
    spiel = "hearts(qs_breaks_hearts=false)"
    direction = 3


class HeartsAcross(HeartsRight):
    selection = {"options": {"goal": 1, "first_pass": "across", "queen_breaks": False}}
    direction = 2


class HeartsKeep(HeartsRight):
    selection = {"options": {"goal": 1, "first_pass": "keep", "queen_breaks": False}}
    direction = 0


class OhHell(Peer):
    """One deal."""

    rules = "rules/classics/oh-hell/oh-hell.rules"
    selection = {"players": 4, "options": {"most": 8, "fewest": 8}}
    spiel = "oh_hell(players=4,num_tricks_fixed=8)"
    suits = [0, 1, 3, 2]  # OpenSpiel's order: clubs, diamonds, spades, hearts

    def begin(self):
        super().begin()
        self.dealt = None

    def card(self, text):
        rank, suit = card_there(text)
        return rank * 4 + self.suits[suit]

    def outcome(self, state, server):
        done, players = len(state.history()), state.get_game().num_players()
        if done < 2:  # the number of tricks, and the dealer: the last seat
            return state.legal_actions()[0] if done == 0 else players - 1
        if self.dealt is None:
            zones = server.zones()
            hands = [list(zones[f"hand({seat})"]) for seat in server.seats]
            size = len(hands[0])
            self.dealt = [self.card(hands[n % players][n // players]) for n in range(size * players)]
            self.dealt.append(self.card(zones["turned_up"][0]))
        return self.dealt[done - 2]

    def action(self, move, state, server):
        if move.removeprefix("bid ").isdigit():
            return 52 + int(move.removeprefix("bid "))
        return self.card(move.removeprefix("lay "))


class OhHell3(OhHell):
    selection = {"players": 3, "options": {"most": 10, "fewest": 10}}
    spiel = "oh_hell(players=3,num_tricks_fixed=10)"


class OhHell5(OhHell):
    selection = {"players": 5, "options": {"most": 3, "fewest": 3}}
    spiel = "oh_hell(players=5,num_tricks_fixed=3)"


class CrazyEights(Peer):
    rules = "rules/classics/crazy-eights/crazy-eights.rules"
    selection = {"players": 4, "options": {"most_drawn": 5}}
    spiel = "crazy_eights(players=4,max_draw_cards=5,max_turns=100000)"

    def begin(self):
        super().begin()
        self.told = None

    def card(self, text):
        rank, suit = card_there(text)
        return rank * 4 + suit

    def outcome(self, state, server):
        players, done, zones = state.get_game().num_players(), len(state.history()), server.zones()
        if done == 0:
            return 52 + players - 1  # the last seat deals
        if self.told is None:
            hands = [list(zones[f"hand({seat})"]) for seat in server.seats]
            size = len(hands[0])
            self.told = [self.card(hands[n % players][n // players]) for n in range(size * players)]
            # OpenSpiel turns up another card in place of an eight by itself.
            self.told.append(self.card(zones["discard"][0]))
            self.held = hands
        if self.told:
            return self.told.pop(0)
        # A draw: the card that is new in a hand.
        for number, seat in enumerate(server.seats):
            new = list(zones[f"hand({seat})"])
            for card in self.held[number]:
                new.remove(card)
            if new:
                self.held[number].append(new[0])
                return self.card(new[0])
        raise Difference("OpenSpiel draws, Regelwerk does not")

    def action(self, move, state, server):
        if move in ("draw_one", "stay"):
            return 52 if move == "draw_one" else 53
        if move in ("clubs", "diamonds", "hearts", "spades"):
            return 54 + ["clubs", "diamonds", "hearts", "spades"].index(move)
        card = move.removeprefix("discard_one ")
        if card in self.held[server.seats.index(server.asked)]:
            return self.card(card)
        raise Difference(f"{card} is not held")

    def after(self, move, player):
        card = move.removeprefix("discard_one ")
        if card in self.held[player]:
            self.held[player].remove(card)

    def returns(self, server):
        # OpenSpiel counts an ace 10 and every other number card by its place in the pack plus two,
        # where it means its rank: here the hands left are counted in the same way, so they are compared.
        def count(card):
            rank = self.card(card) // 4
            return 50 if rank == 6 else 10 if rank >= 9 else self.card(card) + 2

        zones = server.zones()
        return [-sum(count(card) for card in zones[f"hand({seat})"]) for seat in server.seats]

    def sensible(self, table, server, dice):
        # Drawing at random never empties a hand.
        plays = sorted(action for action in table if action not in (52, 53))
        return plays if plays and dice.random() < 0.8 else sorted(table)

    def finish(self, state):
        # Blocked: OpenSpiel waits for one pass more than there are players.
        while not state.is_terminal() and 53 in state.legal_actions():
            state.apply_action(53)


class CrazyEights2(CrazyEights):
    selection = {"players": 2, "options": {"most_drawn": 3}}
    spiel = "crazy_eights(players=2,max_draw_cards=3,max_turns=100000)"


class Battleship(Peer):
    rules = "rules/classics/battleship/battleship.rules"
    selection = {"options": {"size": 7}}
    spiel = (
        "battleship(board_width=7,board_height=7,ship_sizes=[5;4;3;3;2],ship_values=[1;1;1;1;1],"
        "num_shots=49,allow_repeated_shots=false)"
    )
    size, lengths = 7, [5, 4, 3, 3, 2]

    def action(self, move, state, server):
        """A ship by its westernmost or southernmost square and a direction; OpenSpiel uses the top left one."""
        if not hasattr(self, "numbers") or self.numbers[0] is not state:
            player = state.current_player()
            self.numbers = (state, {state.action_to_string(a).split(": ")[1]: a for a in state.legal_actions(player)})
        square, _, direction = move.removeprefix("place ").removeprefix("shoot ").partition("-")
        row, column = self.size - int(square[1:]), ord(square[0]) - 97
        if not direction:
            return self.numbers[1].get(f"shoot at ({row}, {column})", -1)
        if direction == "e":
            return self.numbers[1].get(f"place ship horizontally with top-left corner in ({row}, {column})", -1)
        row -= self.lengths[server.state["ply"] // 2] - 1
        return self.numbers[1].get(f"place ship vertically with top-left corner in ({row}, {column})", -1 - row - 100 * column)

    def after(self, move, player):
        del self.numbers

    def returns(self, server):
        ours, theirs = server.scores()
        return [ours - theirs, theirs - ours]


class Hanabi(Peer):
    rules = "rules/classics/hanabi/hanabi.rules"
    spiel = "hanabi(players=2)"
    players = 2
    selection = {"players": 2}
    colours, places = "RYGWB", "first second third fourth fifth".split()

    def begin(self):
        super().begin()
        size = 5 if self.players <= 3 else 4
        # In OpenSpiel the cards move up and the new one comes last; here it takes the place left.
        self.order = [self.places[:size] for _ in range(self.players)]
        self.dealt, self.drawn = 0, None

    def card(self, server, player, place):
        kind, _, colour = server.zones()[f"held({server.seats[player]},{place})"][0].rstrip("}").partition("{")
        # `red` is the first value of its field, and so left out.
        return (colour or "red")[0].upper(), RANKS[1:].index(kind) + 2 if kind != "one" else 1

    def outcome(self, state, server):
        if self.dealt < self.players * len(self.order[0]):
            player, number = divmod(self.dealt, len(self.order[0]))
            self.dealt += 1
            colour, rank = self.card(server, player, self.order[player][number])
        else:
            colour, rank = self.card(server, *self.drawn)
        name = f"(Deal {colour}{rank})"
        return next(a for a, _ in state.chance_outcomes() if state.action_to_string(-1, a) == name)

    def action(self, move, state, server):
        player = state.current_player()
        names = {state.action_to_string(player, a): a for a in state.legal_actions()}
        words = move.split()
        if words[0] in ("play_card", "discard_card"):
            verb = "Play" if words[0] == "play_card" else "Discard"
            return names.get(f"({verb} {self.order[player].index(words[1])})", move)
        whom, what = words[-1].split("-")
        ahead = (server.seats.index(whom) - player) % self.players
        if what in FACES:
            return names.get(f"(Reveal player +{ahead} rank {FACES.index(what) + 1})", move)
        return names.get(f"(Reveal player +{ahead} color {what[0].upper()})", move)

    def sensible(self, table, server, dice):
        # Random players lose their lives at once, so mostly they play a card that fits.
        player, zones = server.seats.index(server.asked), server.zones()
        heights = {zone[8:-1][0].upper(): len(cards) for zone, cards in zones.items() if zone.startswith("display(")}
        plays = {a: m.split()[1] for a, m in table.items() if m.startswith("play_card")}
        fits = [a for a, place in plays.items() if (lambda c, r: heights[c] == r - 1)(*self.card(server, player, place))]
        if fits and dice.random() < 0.8:
            return fits
        return sorted(a for a in table if a not in plays or a in fits or dice.random() < 0.05) or sorted(table)

    def after(self, move, player):
        words = move.split()
        if words[0] in ("play_card", "discard_card"):
            self.order[player].remove(words[1])
            self.order[player].append(words[1])
            self.drawn = player, words[1]

    def returns(self, server):
        verdict = server.verdicts()[0]
        points = sum(len(cards) for zone, cards in server.zones().items() if zone.startswith("display("))
        return [0 if verdict == "loss" else points] * self.players


class Hanabi4(Hanabi):
    spiel, players, selection = "hanabi(players=4)", 4, {"players": 4}


class Ludo(Peer):
    rules = "rules/classics/ludo/ludo.rules"
    selection = {"players": 2}
    spiel = "maedn(players=2,twoPlayersOpposite=true)"
    entries = {"red": 1, "blue": 11, "yellow": 21, "green": 31}

    def outcome(self, state, server):
        return int(self.rolled.pop(0)) - 1

    def action(self, move, state, server):
        if move in ("pass", "bring_in"):
            return 0 if move == "pass" else 1
        site = move.split()[-1].split("-")[0]
        if "home" in site:
            return 2 + 39 + int(site[-1])
        return 2 + (int(site[1:]) - self.entries[server.asked]) % 40

    def returns(self, server):
        verdicts = server.verdicts()
        return [len(verdicts) - 1 if verdict == "win" else -1 for verdict in verdicts]


class Ludo3(Ludo):
    selection, spiel = {"players": 3}, "maedn(players=3)"


class Ludo4(Ludo):
    selection, spiel = {"players": 4}, "maedn(players=4)"


PEERS = {
    "ludo": Ludo,
    "ludo-3": Ludo3,
    "ludo-4": Ludo4,
    "hanabi": Hanabi,
    "hanabi-4": Hanabi4,
    "battleship": Battleship,
    "oh-hell": OhHell,
    "oh-hell-3": OhHell3,
    "oh-hell-5": OhHell5,
    "crazy-eights": CrazyEights,
    "crazy-eights-2": CrazyEights2,
    "hearts": Hearts,
    "hearts-right": HeartsRight,
    "hearts-across": HeartsAcross,
    "hearts-keep": HeartsKeep,
    "kuhn-poker": Kuhn,
    "leduc-poker": Leduc,
    "goofspiel": Goofspiel,
    "goofspiel-3": Goofspiel3,
    "liars-dice": LiarsDice,
    "liars-dice-round": LiarsRound,
    "pig": Pig,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peers", nargs="*", metavar="GAME", help=", ".join(PEERS))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for name in arguments.peers or PEERS:
        peer, dice = PEERS[name](), random.Random(arguments.seed)
        game, began = pyspiel.load_game(peer.spiel), time.time()
        decisions = moves = 0
        with Server(peer.rules) as server:
            for number in range(arguments.games):
                try:
                    done = play_through(peer, server, game, dice)
                except Difference as difference:
                    sys.exit(f"{name}, game {number}: {difference}")
                decisions, moves = decisions + done[0], moves + done[1]
        print(
            f"{name}: {arguments.games} games, {decisions} decisions with {moves} legal moves and all returns agree "
            f"with OpenSpiel's {peer.spiel} ({time.time() - began:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
