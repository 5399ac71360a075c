//! Items: the top-level constructs of a rule file.

use super::expr::{Expr, Path};
use super::part::{Condition, PartEdit};
use super::stmt::Block;
use super::{Cite, Ident, Param, TypeName};
use crate::base::{Span, Spanned};

pub use super::sight::{Sight, Sights, ZoneForm, ZoneSights};

/// An item with its place and clauses.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its kind.
    pub kind: ItemKind,
    /// The clauses it implements.
    pub cites: Vec<Cite>,
    /// Its place.
    pub span: Span,
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.cites == other.cites
    }
}

impl Eq for Item {}

/// A seat of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Its name in the rules.
    pub name: Ident,
    /// Its name for people.
    pub title: Option<String>,
    /// How its pieces are drawn.
    pub symbol: Option<Spanned<String>>,
}

/// A field of a piece, or a column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDecl {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeName,
    /// The kinds that have it; all of the class if empty.
    pub of: Vec<Ident>,
    /// Its default value.
    pub default: Option<Expr>,
    /// The suffix drawn after the piece's symbol.
    pub symbol: Option<Spanned<String>>,
}

/// A row of a table: its cells as written, trimmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The cells.
    pub cells: Vec<Ident>,
    /// The clauses the row implements.
    pub cites: Vec<Cite>,
}

/// A table: a header and its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// `name` or `name: type` per column.
    pub header: Row,
    /// The rows.
    pub body: Vec<Row>,
}

/// The hexagonal board shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HexShape {
    /// A hexagram: two triangles of side 3n+1.
    Star(Expr),
    /// A hexagon with n cells from the centre to a corner.
    Hexagon(Expr),
    /// A triangle of side n.
    Triangle(Expr),
    /// A rhombus of a × b.
    Rhombus(Expr, Expr),
}

/// The sites that each seat has on a ring or track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatGroup {
    /// The name of the region they form.
    pub name: Ident,
    /// How many; one if absent.
    pub count: Option<Expr>,
    /// The pattern of their names.
    pub named: Option<Spanned<String>>,
}

/// A row of linked sites in a free graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphLine {
    /// The direction's name; `link` if absent.
    pub direction: Option<Ident>,
    /// The sites.
    pub sites: Vec<Ident>,
    /// For each site, whether the edge after it is one-way (`>`).
    pub one_way: Vec<bool>,
}

/// The shapes of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `square A x B`: columns by rows.
    Square(Expr, Expr),
    /// `hex …`
    Hex(HexShape),
    /// `ring N` or `track N`; a ring is closed.
    Line {
        /// Whether it is closed.
        closed: bool,
        /// The number of sites.
        count: Expr,
    },
    /// `ring per seat …`
    PerSeat {
        /// Whether it is closed.
        closed: bool,
        /// The groups of sites that each seat has, in order.
        groups: Vec<SeatGroup>,
    },
    /// `graph { … }`
    Graph(Vec<GraphLine>),
}

/// Separates a name from the kind whose rule it is.
pub const OF: &str = " of ";

/// How a region or definition is stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// By one expression, perhaps with parameters.
    Formula(Vec<Param>, Expr),
    /// By cases: one value for each seat, direction, kind or member of an enum.
    Cases(Vec<(Ident, Expr)>),
    /// By rules of kinds, `name of kind`, which are separate items. The checker collects them; there is no syntax for
    /// this.
    ByKind(Vec<Ident>),
}

/// When an end condition is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Before a seat's turn.
    BeforeTurn,
    /// After a move, before anything else.
    AfterMove,
    /// After a turn, before the next seat is determined.
    AfterTurn,
}

/// The kinds of item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `game NAME "title" extends "file"`
    Game {
        /// Its name.
        name: Ident,
        /// Its name for people.
        title: Option<String>,
        /// The rule file it extends.
        extends: Option<Spanned<String>>,
    },
    /// `document "title" clauses "file" ledger "file" translation "file"`
    Document {
        /// The title.
        title: String,
        /// The registry of its clauses.
        clauses: Option<Spanned<String>>,
        /// The ledger of its gaps.
        ledger: Option<Spanned<String>>,
        /// What the clauses and gaps are in other languages.
        translations: Vec<Spanned<String>>,
    },
    /// `clause §id "text"`
    Clause(Cite, String),
    /// `players a, b for 2..4`
    Players {
        /// All seats, in turn order.
        players: Vec<Player>,
        /// The supported numbers of players, as ranges; the first is the default.
        counts: Vec<(Spanned<u32>, Option<Spanned<u32>>)>,
    },
    /// `seating 3: a, b, c`
    Seating(Spanned<u32>, Vec<Ident>),
    /// `first p`
    First(Expr),
    /// `option name: type = E from S "text"`
    Option {
        /// Its name.
        name: Ident,
        /// Its type; that of the value if absent.
        ty: Option<TypeName>,
        /// Its default value.
        value: Expr,
        /// The values available.
        from: Option<Expr>,
        /// What it means.
        text: Option<String>,
    },
    /// `reading name = a | b "text"`
    Reading(Ident, Vec<Ident>, Option<String>),
    /// `enum name = a "A", b`
    Enum(Ident, Vec<(Ident, Option<String>)>),
    /// `kinds class { fields } | … |`
    Kinds {
        /// The class.
        name: Ident,
        /// Whether seats own the pieces.
        owned: bool,
        /// The fields that vary from piece to piece.
        fields: Vec<FieldDecl>,
        /// Who sees kind and fields, and who sees whose they are.
        sights: Sights,
        /// One row per kind; the columns are attributes.
        rows: Rows,
    },
    /// `piece name "title" owned symbol "x" { fields }`
    Piece {
        /// The kind.
        name: Ident,
        /// Its name for people.
        title: Option<String>,
        /// Whether seats own the pieces.
        owned: bool,
        /// How it is drawn.
        symbol: Option<Spanned<String>>,
        /// The fields that vary from piece to piece.
        fields: Vec<FieldDecl>,
        /// Who sees kind and fields, and who sees whose it is.
        sights: Sights,
    },
    /// `tokens name "title" owned`
    Tokens {
        /// Their name.
        name: Ident,
        /// Their name for people.
        title: Option<String>,
        /// Whether seats own them.
        owned: bool,
    },
    /// `table name | … |`
    Table(Ident, Rows),
    /// `board name shape named "…" keep S`
    Board {
        /// Its name; `board` if absent.
        name: Option<Ident>,
        /// Its shape.
        shape: Shape,
        /// The pattern of the names of its sites.
        named: Option<Spanned<String>>,
        /// The sites to keep.
        keep: Option<Expr>,
    },
    /// `region name(p: seat) = E`
    Region(Ident, Given),
    /// `define name(x: T) = E`, `define name: white = E, black = E`
    Define(Ident, Given),
    /// `path name(x: T) = P`
    Path(Ident, Vec<Param>, Path),
    /// `var name(i: T): T = E`; a `record` does not count for repetition.
    Var {
        /// Its name.
        name: Ident,
        /// Its indices.
        params: Vec<Param>,
        /// Its type.
        ty: TypeName,
        /// Its initial value.
        init: Option<Expr>,
        /// Its name for people; without one it is not shown.
        title: Option<String>,
        /// Whether it is ignored when positions are compared for repetition.
        record: bool,
        /// Who sees it; everybody if absent.
        sight: Option<Sight>,
    },
    /// `zone name(p: seat): pile of card "title", at most 3, seen by p`
    Zone {
        /// Its name.
        name: Ident,
        /// Its indices.
        params: Vec<Param>,
        /// How its pieces are arranged.
        form: ZoneForm,
        /// The kinds it may hold.
        of: Vec<Ident>,
        /// What people call it.
        title: Option<String>,
        /// The maximum number of pieces.
        limit: Option<Expr>,
        /// The sites it lies beside.
        beside: Option<Expr>,
        /// Who sees its pieces, their number and their order.
        sights: ZoneSights,
    },
    /// `setup { }`
    Setup(Block),
    /// `action name "title" { }`
    Action(Ident, Option<String>, Block),
    /// `cue action after N: C`: when an attentive seat intends to act in a race.
    Cue(Ident, Option<Expr>, Expr),
    /// `claim name "title" by any seat { }`
    Claim {
        /// Its name.
        name: Ident,
        /// Its name for people.
        title: Option<String>,
        /// Whether seats that are not to act may make it.
        by_any: bool,
        /// Guards and effects.
        body: Block,
    },
    /// `offer name "title" { }`
    Offer(Ident, Option<String>, Block),
    /// `procedure name(x: T) { }`
    Procedure(Ident, Vec<Param>, Block),
    /// `play { }`
    Play(Block),
    /// `end name "title" after move when C { }`
    End {
        /// Its name.
        name: Ident,
        /// Its name for people.
        title: Option<String>,
        /// When it is tested.
        moment: Moment,
        /// The condition.
        when: Expr,
        /// The effects.
        body: Block,
    },
    /// `invariant name: C`
    Invariant(Ident, Expr),
    /// `variant name "title" excludes other { items }`
    Variant {
        /// Its name.
        name: Ident,
        /// Its name for people.
        title: Option<String>,
        /// The variants it is incompatible with.
        excludes: Vec<Ident>,
        /// What it changes.
        items: Vec<Item>,
    },
    /// `with reading == alternative and variant { items }`: what changes if they are chosen.
    With(Vec<Condition>, Vec<Item>),
    /// `change action name { … }`: changes parts of a rule, which is given by its keyword and name.
    Change(Ident, Option<Ident>, Vec<PartEdit>),
    /// `replace item`
    Replace(Box<Item>),
    /// `remove end name`
    Remove(Ident, Ident),
    /// `row animal | fox | 5 |`: one more row of `kinds` or a `table`.
    Row(Ident, Row),
    /// `remove row animal.fox`
    RemoveRow(Ident, Ident),
    /// `set option = E` or `set class.kind.column = E`
    Set(Vec<Ident>, Expr),
}
