//! What to write where a piece, its kind, its site or its zone was meant by another of them.
//!
//! **Invariant:** only help texts; what is right is decided elsewhere.

use crate::ir::{Game, Ty};

/// What to write where something of one type is wanted and something of another was found; none where that has no
/// more to say than the types.
pub(super) fn instead(game: &Game, want: &Ty, found: &Ty) -> Option<String> {
    let (one, other) = (want.element(), found.element());
    let several = matches!(found, Ty::Set(_));
    let text = match (one, other) {
        (Ty::Site, Ty::Piece) if several => {
            "these are pieces and no sites: a zone is named where pieces are moved, put or changed, as in \
             `move all of ZONE to …` or `change ZONE: …`"
        }
        (Ty::Site, Ty::Piece) => {
            "a piece is no site: write `move c from ZONE to …` to move it, and `change ZONE: …` to change the pieces \
             of a zone"
        }
        (Ty::Piece, Ty::Kind) => {
            "a piece is compared by its kind: `c.kind == …`, and among the pieces of a zone `any x in ZONE: x.kind == …`"
        }
        (Ty::Kind, Ty::Piece) if several => "bind the pieces: `any x in …: x.kind == …`",
        (Ty::Kind, Ty::Piece) => "write `….kind` for the kind of the piece",
        (Ty::Kind, Ty::Site) => "bind the piece on the site: `any x at …: x.kind == …`",
        (Ty::Piece, Ty::Site) => "bind the piece on the site: `any x at …: …`",
        (Ty::Piece, Ty::Piece) if several => {
            "a set may have no pieces or several; loop over it: `for x in …` or `any x in …: …`"
        }
        (Ty::Int, Ty::Enum(number)) if !several => {
            let members: Vec<&str> =
                game.enums.get(*number)?.members.iter().take(2).map(|(name, _)| name.as_str()).collect();
            let cases: Vec<String> = members.iter().zip(1..).map(|(name, n)| format!("{name} = {n}")).collect();
            return Some(format!(
                "the values of an enum are no numbers and have no order; a definition gives each its number: \
                 `define worth: {}, …`",
                cases.join(", ")
            ));
        }
        _ => return None,
    };
    Some(text.to_owned())
}
