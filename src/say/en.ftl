### What is said to people who play and read, in English.
### Every message of this file has its counterpart in each other language, with the same arguments.

## Lists

list-and = { $head } and { $last }
list-or = { $head } or { $last }

## The question

ask-move = { $who } to move.
ask-pass = { $who } must pass.
ask-may = { $who } may play { $actions }, or decline.
ask-choose = { $who } to choose.
ask-choose-as =
    { $what ->
        [site] { $who } to choose a site.
        [seat] { $who } to choose a player.
        [number] { $who } to choose a number.
        [direction] { $who } to choose a direction.
        [piece] { $who } to choose a piece.
        [kind] { $who } to choose a kind.
        [way] { $who } to choose a way.
       *[other] { $who } to choose.
    }
ask-race = Race: the first to act.
ask-chance = Chance decides.
ask-over = The game is over.

## The position

moment =
    After { $plies ->
        [one] { $plies } ply
       *[other] { $plies } plies
    }
moment-turns =
    { $moment }, { $turns ->
        [one] { $turns } turn
       *[other] { $turns } turns
    }
moment-phase = { $moment }, phase { $phase }
pieces =
    { $count ->
        [one] { $count } piece
       *[other] { $count } pieces
    }
pile-top = { $top } on top of { $below }
pieces-uncounted = not counted
pile-top-uncounted = { $top } on top, the others not counted
more-pieces =
    { $count ->
        [one] { $count } more piece
       *[other] { $count } more pieces
    }
more-counters = and { $count } more
out = Out: { $seats }.
out-rank = { $who } (rank { $rank })
offered = { $what } offered by { $who } (`accept { $name }`).

## The outcome

result-none = The game is over without a result
result-stuck = The game stops: nothing is legal, and the rules do not say what happens then
result-budget = The game stops: a decision needed more steps than the budget allows
result-all-lose = Nobody wins
result-draw = The game is a draw
result-win = { $who } wins
result-win-together = { $who } win
result-by = { $result } by `{ $rule }`
ranking = Ranking: { $ranks }.
scores = Score: { $scores }.

## Why a move is legal or not

refused = `{ $what }` is not legal: { $because }.
refused-over = `{ $what }` is not legal: the game is over.
refused-over-rules = It ended by:
refused-not-asked = `{ $what }` is not legal: that seat is not asked for this now.
refused-not-asked-rules = The question, or what it would need:
refused-not-now = `{ $what }` is not legal: that time has passed or is outside the race.
refused-not-now-rules = The question:
refused-not-among = `{ $what }` is not legal: `{ $value }` cannot be chosen here (as `{ $name }`).
refused-not-among-rules = Forbidden by:
refused-guard = `{ $what }` is not legal: a condition of the move does not hold.
refused-guard-rules = The condition:
refused-guard-after = `{ $what }` is not legal: a condition would not hold after the move.
refused-guard-after-rules = The condition:
refused-precedence = `{ $what }` is not legal: something else must be played first.
refused-precedence-rules = Decided by:
refused-not-preferred = `{ $what }` is not legal: a better move is compulsory.
refused-not-preferred-rules = Decided by:
refused-not-offered = `{ $what }` is not legal: that is not one of the choices.
refused-not-offered-rules = Decided by:
refused-already-offered = `{ $what }` is not legal: that seat has already offered it.
refused-already-offered-rules = The offer:
refused-unseen = `{ $what }` is not legal: what forbids it depends on what is hidden from that seat.
refused-unseen-rules = In any case it relies on:
refused-untold = Whether `{ $what }` is legal now is for the seat to know that would do it.
refused-untold-rules = The rule:
refused-budget = `{ $what }` is not legal: the step budget ran out before this was decided.
refused-budget-rules = Where:
legal = `{ $what }` is legal. The rules it relies on:
legal-plain = `{ $what }` is legal.
legal-veiled = What else follows depends on what you do not see.
rule-kind =
    { $kind ->
        [fact] fact
        [definition] definition
        [procedure] procedure
        [path] path
        [action] action
        [choice] choice
        [guard] guard
        [statement] statement
        [end] end
       *[invariant] invariant
    }

## What a test found that failed: sentences without their end, each beginning with a name or a quotation

because-bare =
    { $part ->
        [over] { $site } is empty: there is nothing to jump over
       *[other] { $site } is empty
    }
because-taken =
    { $part ->
        [passed] { $site } is not empty, and the way leads across it
       *[other] { $site } is not empty
    }
because-occupied =
    { $part ->
        [passed] { $site } is not empty ({ $piece }), and the way leads across it
       *[other] { $site } is not empty ({ $piece })
    }
because-not-owned = { $site } ({ $piece }) belongs to { $owner }, not to { $wanted }
because-unowned = { $site } ({ $piece }) belongs to nobody, so not to { $wanted }
because-owned = { $site } ({ $piece }) belongs to { $owner }
because-kind =
    { $among ->
        [yes] { $site } has { $piece } on it
       *[no] { $site } ({ $piece }) is not { $kinds }
    }
because-tokens =
    { $any ->
        [yes] { $site } is not without { $tokens }
       *[no] { $site } is without { $tokens }
    }
because-side = { $site } belongs to { $owner }, not to { $wanted }
because-in = { $value } is in `{ $set }`
because-not-in = { $value } is not in `{ $set }`
because-not-in-empty = { $value } is not in `{ $set }`, which is empty
because-not-in-these = { $value } is not in `{ $set }` ({ $members })
because-in-zone =
    { $there ->
        [yes] { $piece } is in “{ $zone }”
       *[no] { $piece } is not in “{ $zone }”
    }
because-only = { $value } is in “{ $zone }” already, so what can be chosen is { $left }
because-flag =
    { $set ->
        [yes] `{ $flag }` is true of { $piece }
       *[no] `{ $flag }` is not true of { $piece }
    }
because-attribute =
    { $among ->
        [yes] { $piece }: { $value } is in `{ $attribute }`
       *[no] { $piece }: { $value } is not in `{ $attribute }`
    }
because-empty = `{ $set }` is empty
because-some = `{ $set }` is not empty ({ $members })
because-some-many = `{ $set }` is not empty
because-holds =
    { $count ->
        [0] “{ $zone }” is empty
        [one] “{ $zone }” holds one piece
       *[other] “{ $zone }” holds { $count } pieces
    }
because-number =
    { $order ->
        [less] `{ $left }` is { $number } and would have to be less than { $right }
        [most] `{ $left }` is { $number } and would have to be at most { $right }
        [more] `{ $left }` is { $number } and would have to be more than { $right }
       *[least] `{ $left }` is { $number } and would have to be at least { $right }
    }
because-same = `{ $left }` and `{ $right }` are both { $value }
because-is = `{ $left }` is { $value }
because-is-not = `{ $left }` is { $value }, not { $other }
because-none = empty
because-test =
    { $holds ->
        [yes] `{ $test }` holds
       *[no] `{ $test }` does not hold
    }
because-far =
    { $limit ->
        [one] { $to } is more than one step from { $from }
       *[other] { $to } is more than { $limit } steps from { $from }
    }
because-aside = { $to } is not in a permitted direction from { $from } ({ $directions })
because-unreachable = { $to } cannot be reached from { $from } by { $paths }
because-apart = { $site } is not next to { $beside }
because-blocked = { $to } cannot be reached from { $from } by { $paths } as things stand
because-joined = { $to } can be reached from { $from } only by { $first } and { $second } together, and a move is one of them

## What was typed and not understood

unread-help = help: { $cure }
unread-help-moves = help: `?` lists the legal moves, `help` all commands
unread-unknown =
    { $what ->
        [site] there is no site `{ $found }`
        [seat] there is no seat `{ $found }`
        [kind] there is no kind `{ $found }`
        [direction] there is no direction `{ $found }`
        [action] there is no action `{ $found }`
        [claim] there is no claim `{ $found }`
        [offer] there is no offer `{ $found }`
       *[other] there is no { $what } `{ $found }`
    }
unread-not-legal = there is no legal move `{ $found }`
unread-no-move = `{ $found }` is not a move; a move is written { $patterns }
unread-ambiguous = `{ $found }` is ambiguous
unread-ambiguous-help = write one of { $readings }
unread-near = did you mean `{ $near }`?
unread-choices = the choices are { $choices }

## Play at the terminal

play-begin = { $game }. `?` lists the moves, `help` all commands.
play-help =
    MOVE, or its number     play it (names are not case-sensitive)
    ? or ? PREFIX           list the legal moves
    why MOVE                what makes it legal, or why it is not; `why -v MOVE` shows the rules
    hint                    a move suggested by a short search
    rules, rules §CLAUSE    what the document says; the rules that follow a clause
    legend                  what the symbols mean
    undo                    take back the last move
    claim, offer, accept    list what can be claimed, offered and accepted; with a NAME, do it
    board, position         redraw the board, print the position as text
    save FILE               save the game; `regelwerk play --resume FILE` continues it
    save --for SEAT FILE    save what a seat was told, without secrets of others
    quit                    leave the game; the position is printed (Ctrl-C saves first)
play-idle = Chance has decided { $times } times in a row without a move; the game is stopped.
play-after-end = `undo`, `save FILE` or `quit`.
play-over = The game is over. `undo`, `save FILE` or `quit`.
play-over-prompt = over
play-race-prompt = race
play-cap = The game is stopped after { $steps } steps.
play-budget = The step budget ran out while listing the legal moves; the game cannot continue.
play-chance = Chance
told-chosen = has chosen
told-waited = nobody acts
play-why-what = Type `why` and a move.
play-save-what = Type `save` and a file name, or `save --for` with the name of a seat ({ $seats }) and a file name.
play-race-not-now = That is not possible at { $time } ms.
play-race-untold = What can be done now is not listed, since all look at this screen.
play-undo-revealed = The last move cannot be taken back: something was revealed or rolled since then, or, with things hidden, it was not yours alone.
play-undo-none = There is nothing to undo.
play-save-there = { $file } is there already, and holds another game, another moment of this one or what another seat was told. The same line once more replaces it.
play-saved = Saved. Continue with `regelwerk play --resume { $file }`.
play-saved-for = Saved what { $who } was told; it holds no secrets of others and cannot be resumed.
play-save-other = { $who } is not at the screen; only a seat itself may save what it was told.
play-saved-hidden = Whoever reads the file can work out what is hidden: it holds the seed and all moves.
play-unsaved = Not saved: { $why }. What was there is unchanged; try another path.
play-lost = The game is not saved: { $why }.
play-leave-unsaved = Ctrl-C once more leaves the game unsaved; `save FILE` saves it elsewhere.
play-leave-hidden = This game has hidden information, so its position is not printed.
play-position = Position: { $position }
play-resume = Resume with `regelwerk play --resume { $file }`.
play-changed = The rules have changed since the game was saved; all its moves are still legal.
play-hand-over = Hand over to { $who }; press Enter to show the board.
play-no-prefix = None of the { $count } legal moves begins with `{ $prefix }`.
play-more-moves = … and { $count } more of { $all } legal moves: `? e2` lists those that begin with `e2`.
play-no-clause = There is no clause `§{ $clause }`; `rules` lists all.
play-near-clause = There is no clause `§{ $clause }`. Did you mean `§{ $near }`?
play-no-answers = There is nothing to { $word } here.
play-considers = { $who } thinks of { $move } … (Enter: play at once)
play-thinks = { $who } thinks … (Enter: play at once)
play-hint = A short search suggests: { $move }
play-nobody-acts = Nobody acts. Type a seat and what it does, such as `SEAT MOVE @120`.
play-command-key = [:] a command; (…) not now
play-too-late = Too late: `{ $move }` came first.

## What a game is like

too-many = Nothing is legal here, or there are too many moves to list: the position cannot arise in play, or the rules choose from sets that are too large.
show-after = after: { $document }
show-players = players: { $seats }
show-variants = variants played: { $variants }
show-moves = moves: { $moves }
show-beside = in addition to moves: { $answers }
show-any = any value
show-range = { $first } to { $last }
show-legal =
    { $count ->
        [one] { $count } legal move:
       *[other] { $count } legal moves:
    }
show-values = { $count } values to choose from:
show-acts = { $count } possible first acts:
show-outcomes = { $count } outcomes of chance:

## Clauses

clause-uncited = not cited by any rule
clause-rules =
    { $count ->
        [one] { $count } rule
       *[other] { $count } rules
    }
clause-none = Its rules do not cite any clauses.
clause-nowhere = No rule cites it with these players, variants and readings.
clause-kind =
    { $kind ->
        [setup] setup
        [movement] movement
        [capture] capture
        [turn-order] turn order
        [end] end
        [scoring] scoring
        [draw] draw
        [prohibition] prohibition
        [advice] advice
        [physical] physical
        [decided-gap] decided gap
       *[clause] clause
    }

## The rulebook

book-picture = The setup
book-after = After: { $document }
book-players = Players: { $numbers }; here: { $here }
book-with = With: { $variants }
book-untranslated = { $count } of { $all } clauses are not translated.
book-setup = Setup
book-one-start = One possible start of the game; hidden pieces are shown face down.
book-start = The start of the game.
book-player = Player
book-symbol = Symbol
book-order = Players in turn order
book-owned = the players'
book-unowned = nobody's
book-piece = Piece
book-whose = whose
book-pieces = Pieces
book-pile = pile
book-row = row
book-set = set
book-all = all
book-nobody = nobody
book-some = who may
book-place = Place
book-form = Form
book-most = at most
book-seen = seen by
book-zones = Off the board
book-material = Material
book-rules = Rules
book-notation = Notation
book-what = what
book-written = written
book-clauses = §
book-any = any
book-settings = Options and readings
book-name = name
book-meaning = meaning
book-here = here
book-values = values
book-options = Options
book-readings = Readings
book-variant = variant
book-variants = Variants
book-gaps = Gaps and how they are read here
book-gaps-note = The document leaves these points open. Where there is a reading, another alternative can be chosen.
book-see = see
book-recorded = recorded only: { $reason }
book-alternative = alternatives: { $alternative }
book-gone = does not apply in this version: { $by }
book-altered = different in this version: { $by }

## Records

replay-same =
    { $steps ->
        [one] { $steps } step, by these very rules.
       *[other] { $steps } steps, by these very rules.
    }
replay-legal =
    { $steps ->
        [one] { $steps } step, legal by these rules.
       *[other] { $steps } steps, legal by these rules.
    }
replay-changed =
    { $steps ->
        [one] { $steps } step, legal by these rules, which have changed since.
       *[other] { $steps } steps, legal by these rules, which have changed since.
    }
replay-unpinned = The record is not pinned to its rules.
replay-other = The record is pinned to rules ({ $other }) other than these ({ $these }).
