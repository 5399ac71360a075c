### Was den Spielenden und Lesenden gesagt wird, auf Deutsch.
### Jede Meldung dieser Datei hat ihr Gegenstück in jeder anderen Sprache, mit denselben Angaben.

## Aufzählungen

list-and = { $head } und { $last }
list-or = { $head } oder { $last }

## Die Frage

ask-move = { $who } ist am Zug.
ask-pass = { $who } muss aussetzen.
ask-may = { $who } darf { $actions } spielen oder verzichten.
ask-choose = { $who } wählt.
ask-choose-as =
    { $what ->
        [site] { $who } wählt ein Feld.
        [seat] { $who } wählt jemanden aus der Runde.
        [number] { $who } wählt eine Zahl.
        [direction] { $who } wählt eine Richtung.
        [piece] { $who } wählt eine Figur oder Karte.
        [kind] { $who } wählt eine Art.
        [way] { $who } wählt einen Weg.
       *[other] { $who } wählt.
    }
ask-race = Wettlauf: Wer handelt zuerst?
ask-chance = Der Zufall entscheidet.
ask-over = Die Partie ist zu Ende.

## Die Stellung

moment =
    Nach { $plies ->
        [one] { $plies } Halbzug
       *[other] { $plies } Halbzügen
    }
moment-turns =
    { $moment }, { $turns ->
        [one] { $turns } Zug
       *[other] { $turns } Zügen
    }
moment-phase = { $moment }, Phase { $phase }
pieces =
    { $count ->
        [one] { $count } Stück
       *[other] { $count } Stück
    }
pile-top = obenauf { $top }, darunter { $below }
pieces-uncounted = nicht gezählt
pile-top-uncounted = obenauf { $top }, die anderen nicht gezählt
more-pieces = { $count } weitere Stück
more-counters = und { $count } weitere
out = Nicht mehr im Spiel: { $seats }.
out-rank = { $who } (Platz { $rank })
offered = { $what }, angeboten von { $who } (`accept { $name }`).

## Das Ergebnis

result-none = Die Partie ist ohne Ergebnis zu Ende
result-stuck = Die Partie bricht ab: Nichts ist erlaubt, und die Regeln sagen nicht, was dann geschieht
result-budget = Die Partie bricht ab: Eine Entscheidung brauchte mehr Schritte, als vorgesehen sind
result-all-lose = Niemand gewinnt
result-draw = Die Partie ist unentschieden
result-win = { $who } gewinnt
result-win-together = { $who } gewinnen
result-by = { $result } nach `{ $rule }`
ranking = Reihenfolge: { $ranks }.
scores = Punkte: { $scores }.

## Warum ein Zug erlaubt ist oder nicht

refused = `{ $what }` ist nicht erlaubt: { $because }.
refused-over = `{ $what }` ist nicht erlaubt: Die Partie ist zu Ende.
refused-over-rules = Sie endete nach:
refused-not-asked = `{ $what }` ist nicht erlaubt: Danach wird dieser Platz jetzt nicht gefragt.
refused-not-asked-rules = Die Frage, oder was dafür nötig wäre:
refused-not-now = `{ $what }` ist nicht erlaubt: Dieser Zeitpunkt ist vorbei oder liegt außerhalb des Wettlaufs.
refused-not-now-rules = Die Frage:
refused-not-among = `{ $what }` ist nicht erlaubt: `{ $value }` steht hier nicht zur Wahl (als `{ $name }`).
refused-not-among-rules = Verboten durch:
refused-guard = `{ $what }` ist nicht erlaubt: Eine Bedingung des Zuges ist nicht erfüllt.
refused-guard-rules = Die Bedingung:
refused-guard-after = `{ $what }` ist nicht erlaubt: Nach dem Zug wäre eine Bedingung nicht erfüllt.
refused-guard-after-rules = Die Bedingung:
refused-precedence = `{ $what }` ist nicht erlaubt: Vorher muss etwas anderes gespielt werden.
refused-precedence-rules = Das bestimmt:
refused-not-preferred = `{ $what }` ist nicht erlaubt: Ein besserer Zug ist Pflicht.
refused-not-preferred-rules = Das bestimmt:
refused-not-offered = `{ $what }` ist nicht erlaubt: Das steht nicht zur Wahl.
refused-not-offered-rules = Das bestimmt:
refused-already-offered = `{ $what }` ist nicht erlaubt: Dieser Platz hat es schon angeboten.
refused-already-offered-rules = Das Angebot:
refused-unseen = `{ $what }` ist nicht erlaubt: Der Grund hängt von etwas ab, was diesem Platz verborgen ist.
refused-unseen-rules = Auf jeden Fall beruht es auf:
refused-untold = Ob `{ $what }` jetzt erlaubt ist, weiß nur der Platz, der es täte.
refused-untold-rules = Die Regel:
refused-budget = `{ $what }` ist nicht erlaubt: Die vorgesehenen Schritte reichten nicht, um das zu entscheiden.
refused-budget-rules = Wo:
legal = `{ $what }` ist erlaubt. Das beruht auf diesen Regeln:
legal-plain = `{ $what }` ist erlaubt.
legal-veiled = Was sonst noch folgt, hängt von etwas ab, was du nicht siehst.
rule-kind =
    { $kind ->
        [fact] Angabe
        [definition] Definition
        [procedure] Prozedur
        [path] Weg
        [action] Handlung
        [choice] Wahl
        [guard] Bedingung
        [statement] Anweisung
        [end] Ende
       *[invariant] Invariante
    }

## Was eine Prüfung ergab, die nicht bestanden wurde: Sätze ohne ihr Ende, die mit einem Namen oder Zitat beginnen

because-bare =
    { $part ->
        [over] { $site } ist leer: Dort ist nichts zu überspringen
       *[other] { $site } ist leer
    }
because-taken =
    { $part ->
        [passed] { $site } ist nicht leer, und der Weg führt darüber
       *[other] { $site } ist nicht leer
    }
because-occupied =
    { $part ->
        [passed] { $site } ist nicht leer ({ $piece }), und der Weg führt darüber
       *[other] { $site } ist nicht leer ({ $piece })
    }
because-not-owned = { $site } ({ $piece }) gehört { $owner }, nicht { $wanted }
because-unowned = { $site } ({ $piece }) gehört niemandem, also auch nicht { $wanted }
because-owned = { $site } ({ $piece }) gehört { $owner }
because-kind =
    { $among ->
        [yes] { $site } ist besetzt ({ $piece })
       *[no] { $site } ({ $piece }) ist nicht { $kinds }
    }
because-tokens =
    { $any ->
        [yes] { $site } ist nicht ohne { $tokens }
       *[no] { $site } ist ohne { $tokens }
    }
because-side = { $site } gehört { $owner }, nicht { $wanted }
because-in = { $value } gehört zu `{ $set }`
because-not-in = { $value } gehört nicht zu `{ $set }`
because-not-in-empty = { $value } gehört nicht zu `{ $set }`, denn das ist leer
because-not-in-these = { $value } gehört nicht zu `{ $set }` ({ $members })
because-in-zone =
    { $there ->
        [yes] { $piece } liegt in „{ $zone }“
       *[no] { $piece } liegt nicht in „{ $zone }“
    }
because-only = { $value } liegt schon in „{ $zone }“, wählbar ist also nur { $left }
because-flag =
    { $set ->
        [yes] `{ $flag }` trifft zu ({ $piece })
       *[no] `{ $flag }` trifft nicht zu ({ $piece })
    }
because-attribute =
    { $among ->
        [yes] { $piece }: { $value } gehört zu `{ $attribute }`
       *[no] { $piece }: { $value } gehört nicht zu `{ $attribute }`
    }
because-empty = `{ $set }` ist leer
because-some = `{ $set }` ist nicht leer ({ $members })
because-some-many = `{ $set }` ist nicht leer
because-holds =
    { $count ->
        [0] „{ $zone }“ ist leer
        [one] „{ $zone }“ enthält ein Stück
       *[other] „{ $zone }“ enthält { $count } Stück
    }
because-number =
    { $order ->
        [less] `{ $left }` ist { $number } und müsste kleiner sein als { $right }
        [most] `{ $left }` ist { $number } und dürfte höchstens { $right } sein
        [more] `{ $left }` ist { $number } und müsste größer sein als { $right }
       *[least] `{ $left }` ist { $number } und müsste mindestens { $right } sein
    }
because-same = `{ $left }` und `{ $right }` sind beide { $value }
because-is = `{ $left }` ist { $value }
because-is-not = `{ $left }` ist { $value }, nicht { $other }
because-none = leer
because-test =
    { $holds ->
        [yes] `{ $test }` ist erfüllt
       *[no] `{ $test }` ist nicht erfüllt
    }
because-far =
    { $limit ->
        [one] { $to } ist von { $from } mehr als einen Schritt entfernt
       *[other] { $to } ist von { $from } mehr als { $limit } Schritte entfernt
    }
because-aside = { $to } liegt von { $from } aus in keiner erlaubten Richtung ({ $directions })
because-unreachable = { $to } ist von { $from } aus mit { $paths } nicht zu erreichen
because-apart = { $site } liegt nicht neben { $beside }
because-blocked = { $to } ist von { $from } aus mit { $paths } zurzeit nicht zu erreichen
because-joined = { $to } ist von { $from } aus nur mit { $first } und { $second } zusammen zu erreichen, und ein Zug ist nur eins davon

## Was getippt und nicht verstanden wurde

unread-help = Hilfe: { $cure }
unread-help-moves = Hilfe: `?` zeigt die erlaubten Züge, `help` alle Befehle
unread-unknown =
    { $what ->
        [site] Ein Feld `{ $found }` gibt es nicht
        [seat] Einen Platz `{ $found }` gibt es nicht
        [kind] Eine Art `{ $found }` gibt es nicht
        [direction] Eine Richtung `{ $found }` gibt es nicht
        [action] Eine Handlung `{ $found }` gibt es nicht
        [claim] Einen Antrag `{ $found }` gibt es nicht
        [offer] Ein Angebot `{ $found }` gibt es nicht
       *[other] `{ $found }` gibt es hier nicht
    }
unread-not-legal = `{ $found }` ist kein erlaubter Zug
unread-no-move = `{ $found }` ist kein Zug; ein Zug wird so geschrieben: { $patterns }
unread-ambiguous = `{ $found }` ist mehrdeutig
unread-ambiguous-help = Gemeint sein kann { $readings }
unread-near = Ist `{ $near }` gemeint?
unread-choices = Möglich sind { $choices }

## Spielen am Terminal

play-begin = { $game }. `?` zeigt die Züge, `help` alle Befehle.
play-help =
    ZUG oder seine Nummer   ihn spielen (Groß und Klein ist gleich)
    ? oder ? ANFANG         die erlaubten Züge zeigen
    why ZUG                 warum er erlaubt ist oder nicht; mit `-v` auch die Regeln
    hint                    ein Zug, den eine kurze Suche vorschlägt
    rules, rules §KLAUSEL   was das Dokument sagt; die Regeln, die einer Klausel folgen
    legend                  was die Zeichen bedeuten
    undo                    den letzten Zug zurücknehmen
    claim, offer, accept    zeigen, was sich beantragen, anbieten, annehmen lässt; mit NAME: es tun
    board, position         das Brett neu zeichnen, die Stellung als Text zeigen
    save DATEI              sichern; `regelwerk play --resume DATEI` setzt fort
    save --for PLATZ DATEI  speichert, was ein Platz erfahren hat, ohne Verborgenes anderer
    quit                    die Partie verlassen; die Stellung wird gezeigt (Strg-C sichert zuvor)
play-idle = Der Zufall hat { $times } Mal hintereinander ohne einen Zug entschieden; die Partie wird abgebrochen.
play-after-end = `undo`, `save DATEI` oder `quit`.
play-over = Die Partie ist zu Ende. `undo`, `save DATEI` oder `quit`.
play-over-prompt = Ende
play-race-prompt = Wettlauf
play-cap = Die Partie wird nach { $steps } Schritten abgebrochen.
play-budget = Die vorgesehenen Schritte reichten nicht, um die erlaubten Züge zu finden; die Partie kann nicht weitergehen.
play-chance = Zufall
told-chosen = hat gewählt
told-waited = niemand handelt
play-why-what = Tippe `why` und einen Zug.
play-save-what = Tippe `save` und einen Dateinamen, oder `save --for` mit dem Namen eines Platzes ({ $seats }) und einem Dateinamen.
play-race-not-now = Das ist zur Zeit { $time } ms nicht möglich.
play-race-untold = Was jetzt möglich ist, wird nicht aufgezählt, weil alle auf diesen Bildschirm sehen.
play-undo-revealed = Der letzte Zug lässt sich nicht zurücknehmen: Seither wurde etwas aufgedeckt oder gewürfelt, oder er war, wo etwas verborgen ist, nicht deiner allein.
play-undo-none = Es gibt nichts zurückzunehmen.
play-save-there = { $file } gibt es schon, mit einem anderen Spiel, einem anderen Augenblick von diesem oder dem, was ein anderer Platz erfahren hat. Dieselbe Zeile noch einmal ersetzt die Datei.
play-saved = Gesichert. Weiter geht es mit `regelwerk play --resume { $file }`.
play-saved-for = Gespeichert ist, was { $who } erfahren hat; die Datei enthält nichts Verborgenes von anderen und lässt sich nicht fortsetzen.
play-save-other = { $who } sitzt nicht am Schirm; nur wer selbst spielt, kann speichern, was er erfahren hat.
play-saved-hidden = Wer die Datei liest, kann Verborgenes erschließen: Sie enthält den Startwert und alle Züge.
play-unsaved = Nicht gesichert: { $why }. Was dort war, ist unverändert; versuche es mit einem anderen Pfad.
play-lost = Das Spiel ist nicht gesichert: { $why }.
play-leave-unsaved = Noch einmal Strg-C verlässt die Partie ungesichert; `save DATEI` sichert sie anderswo.
play-leave-hidden = In dieser Partie ist etwas verborgen, darum wird die Stellung nicht gezeigt.
play-position = Stellung: { $position }
play-resume = Weiter geht es mit `regelwerk play --resume { $file }`.
play-changed = Die Regeln haben sich geändert, seit die Partie gesichert wurde; alle ihre Züge sind noch erlaubt.
play-hand-over = { $who } ist an der Reihe; die Eingabetaste zeigt das Brett.
play-no-prefix = Keiner der { $count } erlaubten Züge beginnt mit `{ $prefix }`.
play-more-moves = … und { $count } weitere von { $all } erlaubten Zügen: `? e2` zeigt die, die mit `e2` beginnen.
play-no-clause = Eine Klausel `§{ $clause }` gibt es nicht; `rules` zeigt alle.
play-near-clause = Eine Klausel `§{ $clause }` gibt es nicht. Ist `§{ $near }` gemeint?
play-no-answers = Für `{ $word }` gibt es hier nichts.
play-considers = { $who } denkt an { $move } … (Eingabetaste: sofort ziehen)
play-thinks = { $who } denkt nach … (Eingabetaste: sofort ziehen)
play-hint = Eine kurze Suche schlägt vor: { $move }
play-nobody-acts = Niemand handelt. Tippe einen Platz und was er tut, etwa `PLATZ ZUG @120`.
play-command-key = [:] ein Befehl; (…) jetzt nicht
play-too-late = Zu spät: `{ $move }` kam zuvor.

## Was ein Spiel ausmacht

too-many = Hier ist nichts erlaubt, oder es gibt zu viele Züge, um sie zu zeigen: Die Stellung kann im Spiel nicht entstehen, oder die Regeln wählen aus zu großen Mengen.
show-after = nach: { $document }
show-players = Spieler: { $seats }
show-variants = gespielte Varianten: { $variants }
show-moves = Züge: { $moves }
show-beside = außer Zügen: { $answers }
show-any = beliebig
show-range = { $first } bis { $last }
show-legal =
    { $count ->
        [one] { $count } erlaubter Zug:
       *[other] { $count } erlaubte Züge:
    }
show-values = { $count } Werte zur Wahl:
show-acts = { $count } mögliche erste Handlungen:
show-outcomes = { $count } mögliche Ausgänge des Zufalls:

## Bestimmungen

clause-uncited = von keiner Regel angeführt
clause-rules =
    { $count ->
        [one] { $count } Regel
       *[other] { $count } Regeln
    }
clause-none = Die Regeln führen keine Bestimmungen an.
clause-nowhere = Bei diesen Spielern, Varianten und Lesarten führt keine Regel sie an.
clause-kind =
    { $kind ->
        [setup] Aufbau
        [movement] Ziehen
        [capture] Schlagen
        [turn-order] Zugfolge
        [end] Ende
        [scoring] Wertung
        [draw] Remis
        [prohibition] Verbot
        [advice] Ratschlag
        [physical] Material
        [decided-gap] entschiedene Lücke
       *[clause] Regel
    }

## Das Regelbuch

book-picture = Die Aufstellung
book-after = Nach: { $document }
book-players = Spieler: { $numbers }; hier: { $here }
book-with = Mit: { $variants }
book-untranslated = { $count } von { $all } Sätzen liegen nur auf Englisch vor und stehen hier so.
book-setup = Aufstellung
book-one-start = So kann das Spiel beginnen; was verdeckt liegt, ist verdeckt.
book-start = So beginnt das Spiel.
book-player = Spieler
book-symbol = Zeichen
book-order = Spieler in der Zugfolge
book-owned = der Spieler
book-unowned = niemandes
book-piece = Figur
book-whose = wessen
book-pieces = Figuren
book-pile = Stapel
book-row = Reihe
book-set = Hand
book-all = alle
book-nobody = niemand
book-some = wer darf
book-place = Ort
book-form = Form
book-most = höchstens
book-seen = gesehen von
book-zones = Neben dem Brett
book-material = Material
book-rules = Regeln
book-notation = Wie man Züge schreibt
book-what = was
book-written = geschrieben
book-clauses = §
book-any = beliebig
book-settings = Was sich einstellen lässt
book-name = Name
book-meaning = Bedeutung
book-here = hier
book-values = Werte
book-options = Optionen
book-readings = Lesarten
book-variant = Variante
book-variants = Varianten
book-gaps = Was offen war und wie es hier gilt
book-gaps-note = Das Dokument lässt dies offen. Wo es eine Lesart gibt, kann sie anders gewählt werden.
book-see = siehe
book-recorded = nur festgehalten: { $reason }
book-alternative = möglich wäre: { $alternative }
book-gone = gilt in dieser Fassung nicht: { $by }
book-altered = in dieser Fassung anders: { $by }

## Aufzeichnungen

replay-same =
    { $steps ->
        [one] { $steps } Schritt, nach eben diesen Regeln.
       *[other] { $steps } Schritte, nach eben diesen Regeln.
    }
replay-legal =
    { $steps ->
        [one] { $steps } Schritt, erlaubt nach diesen Regeln.
       *[other] { $steps } Schritte, erlaubt nach diesen Regeln.
    }
replay-changed =
    { $steps ->
        [one] { $steps } Schritt, erlaubt nach diesen Regeln, die sich seither geändert haben.
       *[other] { $steps } Schritte, erlaubt nach diesen Regeln, die sich seither geändert haben.
    }
replay-unpinned = Die Aufzeichnung ist an keine Regeln gebunden.
replay-other = Die Aufzeichnung ist an andere Regeln ({ $other }) gebunden als an diese ({ $these }).
