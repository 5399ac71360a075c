"""Rules and states."""

import copy
import pickle

import pytest
import regelwerk
from conftest import random_game

GAMES = regelwerk.games()


def test_load_by_name_path_and_text(tmp_path):
    text = 'game mine "Mine"\nplayers a, b\nclause §1 "x"\nplay { turns { mover plays stop_it } }\naction stop_it §1 { win me }\n'
    path = tmp_path / "mine.rules"
    path.write_text(text)
    for rules in (regelwerk.load(path), regelwerk.load(str(path)), regelwerk.load(text=text)):
        state = rules.new()
        assert [str(move) for move in state.legal()] == ["stop_it"]
        state.play("stop_it")
        assert state.outcome.winners == [0]


def test_setup_is_chosen():
    rules = regelwerk.load("kalaha", players=3, readings={"capturing_stone": "moves_too"}, options={"seeds": 2})
    assert len(rules.seats) == 3
    assert rules.readings["capturing_stone"][0] == "stays"
    assert rules != regelwerk.load("kalaha")
    assert rules == regelwerk.load("kalaha", players=3, readings={"capturing_stone": "moves_too"}, options={"seeds": 2})


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"game": "halm"}, "load/file"),
        ({"game": "halma", "players": 7}, "load/setting"),
        ({"game": "kalaha", "readings": {"capturing_ston": "stays"}}, "load/setting"),
        ({"text": "game a\nplayers a, b\nbord square 3 x 3\n"}, "syntax/unexpected"),
    ],
)
def test_faults_say_what_to_do(arguments, code):
    with pytest.raises(regelwerk.LoadError) as caught:
        regelwerk.load(**arguments)
    assert caught.value.code == code
    assert caught.value.cure


def test_a_fault_has_its_place():
    with pytest.raises(regelwerk.LoadError) as caught:
        regelwerk.load(text="game a\nplayers a, b\nbord square 3 x 3\n", name="mine.rules")
    error = caught.value
    assert (error.file, error.line) == ("mine.rules", 3)
    first = error.diagnostics[0]
    assert (first.severity, first.file, first.line, first.column) == ("error", "mine.rules", 3, 1)
    assert "board" in error.cure


def test_an_illegal_move_cites_its_clause():
    state = regelwerk.load("halma").new()
    before = state.clone()
    with pytest.raises(regelwerk.IllegalMove) as caught:
        state.play("e1-e2")
    error = caught.value
    assert "§ziehen/1" in str(error)
    assert error.file.endswith("halma.rules") and error.line > 0
    assert "ziehen/1" in [clause for rule in error.why.rules for clause, _ in rule.clauses]
    assert not error.why and state == before
    with pytest.raises(regelwerk.NotationError):
        state.play("nonsense")
    assert state.why(state.legal()[0]).legal


def test_moves_are_structured():
    state = regelwerk.load("halma").new()
    for move in state.legal():
        assert move.action == "move"
        assert list(move.parameters) == ["from", "to"]
        assert str(move) == "{from}-{to}".format(**move.parameters)
        assert state.move(str(move)) == move and hash(state.move(str(move))) == hash(move)


def test_pieces_in_moves_are_structured():
    state = regelwerk.load("hearts").new(seed=1)
    piece = next(iter(state.legal()[0].parameters.values()))
    assert isinstance(piece, regelwerk.Piece)
    assert piece.kind and piece.fields


@pytest.mark.parametrize("game", GAMES)
def test_undo_and_clones(game):
    state = regelwerk.load(game).new(seed=5)
    first = state.clone()
    count = 0
    for here in random_game(state, 30):
        if here.ask != "race":
            legal = here.legal()
            some = [legal[0], legal[len(legal) // 2], legal[-1]]
            assert [here.move(str(move)) for move in some] == some
        copied = copy.deepcopy(here)
        assert copied == here and hash(copied) == hash(here)
        count += 1
    end = state.clone()
    while state.undo():
        pass
    assert state == first and count > 0
    assert (end == first) == (end.history == first.history)


@pytest.mark.parametrize("game", GAMES)
def test_pickles(game):
    state = regelwerk.load(game).new(seed=3)
    for _ in random_game(state, 12):
        pass
    again = pickle.loads(pickle.dumps(state))
    assert again == state and hash(again) == hash(state)
    assert again.history == state.history
    for _ in random_game(state, 5):
        pass
    for _ in random_game(again, 5):
        pass
    assert again == state, "chance goes on as before"


def test_pickles_know_their_rules(tmp_path):
    path = tmp_path / "mine.rules"
    path.write_text('game mine\nplayers a, b\nclause §1 "x"\naction go §1 { win me }\nplay { mover plays go }\n')
    pickled = pickle.dumps(regelwerk.load(path))
    path.write_text('game mine\nplayers a, b\nclause §1 "x"\naction go §1 { lose me }\nplay { mover plays go }\n')
    with pytest.raises(regelwerk.LoadError) as caught:
        pickle.loads(pickled)
    assert caught.value.code == "load/changed"


def test_observations_hide():
    state = regelwerk.load("kuhn-poker").new(seed=2)
    own, other, nobody = state.observe(0), state.observe(1), state.observe()
    name = state.rules.seats[0]
    assert own.zones[f"hand({name})"] == state.position.zones[f"hand({name})"]
    assert other.zones[f"hand({name})"] == ["?"] == nobody.zones[f"hand({name})"]
    assert own != other


def test_pictures():
    state = regelwerk.load("halma").new()
    assert state.svg().startswith("<svg") and state.svg(0) == state.svg(1)
    assert regelwerk.load("kuhn-poker").new().svg() == ""


def test_seats_by_number_and_name():
    state = regelwerk.load("halma").new()
    assert state.observe(state.rules.seats[1]) == state.observe(1)
    with pytest.raises(IndexError):
        state.observe(2)
    with pytest.raises(ValueError):
        state.observe("nobody")


def test_chance_can_be_left_to_the_program():
    state = regelwerk.load("pig").new(chance=True)
    while state.ask != "chance":
        state.play(state.legal()[0])
    outcomes = state.chances()
    assert [str(move) for move, _ in outcomes] == ["1", "2", "3", "4", "5", "6"]
    assert sum(share for _, share in outcomes) == pytest.approx(1)
    state.play(outcomes[0][0])
    assert pickle.loads(pickle.dumps(state)) == state


def test_records_and_positions():
    rules = regelwerk.load("halma")
    state = rules.new()
    for _ in random_game(state, 10):
        pass
    assert rules.replay(state.record()) == state
    assert rules.at(state.position.text).position.sites == state.position.sites


def test_bots_choose():
    state = regelwerk.load("tic-tac-toe").new()
    assert state.choose("mcts:20") in state.legal()
    with pytest.raises(ValueError):
        state.choose("nobody")
