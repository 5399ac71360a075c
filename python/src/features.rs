//! What a seat sees, as numbers.
//!
//! Everything is told from the seat that looks: its own pieces come first, then those of the next
//! seat, and so on. Only an observation is read, so nothing hidden can be told.

use regelwerk::ir::{BoardForm, Field, Game, Piece, Ty, Value, ZoneForm};
use regelwerk::model::{Ask, Engine, Position, Standing};
use regelwerk::notation::{variable_name, zone_name};

/// A part of an observation.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    first: usize,
    shape: Vec<usize>,
}

/// How the observations of a game are laid out.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    seats: usize,
    sites: usize,
    /// The faces a piece can have: for each kind its first, whether it is owned, the fields that are part of it.
    faces: Vec<Face>,
    /// The number of faces; after them come the backs.
    face_count: usize,
    /// Whether backs can be seen.
    backs: bool,
    /// Whose each pool of tokens is.
    pools: Vec<Option<usize>>,
    zones: Vec<ZoneLayout>,
    vars: Vec<VarLayout>,
    phases: usize,
    parts: Vec<Part>,
    size: usize,
}

#[derive(Clone, Debug)]
struct Face {
    first: usize,
    owned: bool,
    /// How many values each field has; 1 if it is not told.
    fields: Vec<usize>,
}

#[derive(Clone, Debug)]
struct ZoneLayout {
    /// Where it begins.
    first: usize,
    /// How many lists there are, and whether the first index is a seat.
    lists: usize,
    seated: bool,
    /// The places that are told one by one; 0 if faces are counted.
    places: usize,
}

#[derive(Clone, Debug)]
struct VarLayout {
    first: usize,
    values: usize,
    seated: bool,
    ty: Ty,
    /// Numbers per value.
    width: usize,
}

/// Rows of more pieces are counted, not told place by place.
const PLACES: usize = 12;

/// A field of more values is not told.
const VALUES: usize = 64;

/// How many values a numbered type has; 0 for others.
fn atoms(game: &Game, ty: &Ty) -> usize {
    match ty {
        Ty::Bool => 2,
        Ty::Seat => game.seats.len(),
        Ty::Site => game.topology.sites.len(),
        Ty::Dir => game.topology.directions.len(),
        Ty::Kind => game.kinds.len(),
        Ty::Enum(number) => game.enums.get(*number).map_or(0, |info| info.members.len()),
        Ty::Int | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => 0,
    }
}

impl Features {
    /// The layout for a game.
    pub(crate) fn new(engine: &dyn Engine) -> Self {
        let game = engine.game();
        let (seats, sites) = (game.seats.len(), game.topology.sites.len());
        let mut faces = Vec::new();
        let mut face_count = 0;
        for kind in &game.kinds {
            let told = |field: &Field| Some(atoms(game, &field.ty)).filter(|count| (1..=VALUES).contains(count));
            let fields: Vec<usize> = kind.fields.iter().map(|field| told(field).unwrap_or(1)).collect();
            faces.push(Face { first: face_count, owned: kind.owned, fields: fields.clone() });
            face_count += fields.iter().product::<usize>() * if kind.owned { seats + 1 } else { 1 };
        }
        let mut found = Self {
            seats,
            sites,
            faces,
            face_count,
            backs: game.hides(),
            pools: Vec::new(),
            zones: Vec::new(),
            vars: Vec::new(),
            phases: game.phases.len(),
            parts: Vec::new(),
            size: 0,
        };
        found.lay_out(engine);
        found
    }

    fn lay_out(&mut self, engine: &dyn Engine) {
        let game = engine.game();
        let width = self.width();
        let planes = if game.kinds.is_empty() { 0 } else { width };
        self.part("pieces", board(game, planes));
        for tokens in &game.tokens {
            self.pools.extend((0..if tokens.owned { self.seats } else { 1 }).map(|seat| tokens.owned.then_some(seat)));
        }
        let shape = board(game, self.pools.len());
        self.part("tokens", shape);
        let opening = engine.opening();
        for (number, zone) in game.zones.iter().enumerate() {
            let lists = zone.indices.iter().map(|(_, size)| *size).product();
            let places = match (zone.form, zone.limit) {
                (ZoneForm::Row, Some(limit)) if limit <= PLACES => limit,
                (ZoneForm::Row, None) if opening.zones.iter().flatten().map(Vec::len).sum::<usize>() <= PLACES => {
                    PLACES
                }
                (ZoneForm::Row | ZoneForm::Set | ZoneForm::Pile, _) => 0,
            };
            let first = self.size;
            let shape = if places == 0 { vec![lists, width] } else { vec![lists, places, width] };
            self.part(&zone_name(game, number, 0), shape);
            self.zones.push(ZoneLayout { first, lists, seated: seated(&zone.indices), places });
        }
        for (number, var) in game.vars.iter().enumerate() {
            let values = var.indices.iter().map(|(_, size)| *size).product();
            let width = match &var.ty {
                Ty::Int | Ty::Bool => 1,
                Ty::Piece | Ty::Way | Ty::Move => 0,
                Ty::Set(inner) => atoms(game, inner),
                Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) => atoms(game, &var.ty),
            };
            let first = self.size;
            // One number more says that the value is not known.
            self.part(&variable_name(game, number, 0), vec![values, width + 1]);
            self.vars.push(VarLayout { first, values, seated: seated(&var.indices), ty: var.ty.clone(), width });
        }
        self.part("seat", vec![self.seats]);
        self.part("to move", vec![self.seats]);
        self.part("out", vec![self.seats]);
        self.part("phase", vec![self.phases]);
        self.part("kind of question", vec![4]);
    }

    fn part(&mut self, name: &str, shape: Vec<usize>) {
        let size: usize = shape.iter().product();
        let name = name.split_once('(').map_or(name, |(name, _)| name).to_owned();
        if size > 0 {
            self.parts.push(Part { name, first: self.size, shape });
        }
        self.size += size;
    }

    /// The number of faces and backs.
    fn width(&self) -> usize {
        self.face_count + if self.backs { self.seats + 1 } else { 0 }
    }

    /// How many numbers an observation has.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The parts: name, first number, shape.
    pub(crate) fn parts(&self) -> Vec<(String, usize, Vec<usize>)> {
        self.parts.iter().map(|part| (part.name.clone(), part.first, part.shape.clone())).collect()
    }

    /// A seat as the one that looks counts.
    fn relative(&self, seat: usize, me: usize) -> usize {
        (seat + self.seats - me) % self.seats.max(1)
    }

    /// The face or back of a piece.
    fn face(&self, piece: &Piece, me: usize) -> Option<usize> {
        let owner = piece.owner.map_or(self.seats, |seat| self.relative(usize::from(seat), me));
        if piece.is_hidden() {
            return self.backs.then_some(self.face_count + owner);
        }
        let face = self.faces.get(usize::from(piece.kind))?;
        let mut number = if face.owned { owner } else { 0 };
        for (size, value) in face.fields.iter().zip(&piece.fields) {
            let value = if *size == 1 { 0 } else { usize::try_from(*value).ok().filter(|value| value < size)? };
            number = number * size + value;
        }
        Some(face.first + number)
    }

    /// Writes what a seat sees: `seen` is its observation, `into` has [`Features::size`] zeros.
    pub(crate) fn write(&self, seen: &Position, me: usize, into: &mut [f32]) {
        let mut set = |at: usize, value: f32| {
            if let Some(place) = into.get_mut(at) {
                *place = value;
            }
        };
        let mut at = 0;
        if !self.faces.is_empty() {
            for (site, piece) in seen.sites.iter().enumerate() {
                if let Some(face) = piece.as_ref().and_then(|piece| self.face(piece, me)) {
                    set(face * self.sites + site, 1.0);
                }
            }
            at = self.width() * self.sites;
        }
        // The pools of one kind of token, the own one first.
        let mut base = 0;
        for (number, (owner, counts)) in self.pools.iter().zip(&seen.tokens).enumerate() {
            let plane = match owner {
                Some(seat) => {
                    if *seat == 0 {
                        base = number;
                    }
                    base + self.relative(*seat, me)
                }
                None => number,
            };
            for (site, count) in counts.iter().enumerate() {
                set(at + plane * self.sites + site, number_of(i64::from(*count)));
            }
        }
        for (zone, lists) in self.zones.iter().zip(&seen.zones) {
            self.write_zone(zone, lists, me, &mut set);
        }
        for (var, values) in self.vars.iter().zip(&seen.vars) {
            self.write_var(var, values, me, &mut set);
        }
        let mut at = self.size - 3 * self.seats - self.phases - 4;
        set(at + me, 1.0);
        at += self.seats;
        if let Some(seat) = seen.asked() {
            set(at + self.relative(usize::from(seat), me), 1.0);
        }
        at += self.seats;
        for (seat, standing) in seen.standing.iter().enumerate() {
            if matches!(standing, Standing::Ranked(_)) {
                set(at + self.relative(seat, me), 1.0);
            }
        }
        at += self.seats;
        if let Some(phase) = seen.phase {
            set(at + usize::from(phase), 1.0);
        }
        at += self.phases;
        match seen.ask {
            Ask::Choose { .. } => set(at, 1.0),
            Ask::Pick { .. } => set(at + 1, 1.0),
            Ask::Race { .. } => set(at + 2, 1.0),
            Ask::Chance { .. } => set(at + 3, 1.0),
            Ask::Over => {}
        }
    }

    fn write_zone(&self, zone: &ZoneLayout, lists: &[Vec<Piece>], me: usize, set: &mut dyn FnMut(usize, f32)) {
        let width = self.width();
        for (index, pieces) in lists.iter().enumerate() {
            let list = self.turned(index, zone.lists, zone.seated, me);
            let faces = pieces.iter().filter_map(|piece| self.face(piece, me));
            if zone.places > 0 {
                for (place, face) in faces.enumerate().take(zone.places) {
                    set(zone.first + (list * zone.places + place) * width + face, 1.0);
                }
                continue;
            }
            let mut counts = vec![0_i64; width];
            for face in faces {
                if let Some(count) = counts.get_mut(face) {
                    *count += 1;
                }
            }
            let each = counts.iter().enumerate().filter(|(_, count)| **count > 0);
            each.for_each(|(face, count)| set(zone.first + list * width + face, number_of(*count)));
        }
    }

    fn write_var(&self, var: &VarLayout, values: &[Value], me: usize, set: &mut dyn FnMut(usize, f32)) {
        for (index, value) in values.iter().enumerate() {
            let first = var.first + self.turned(index, var.values, var.seated, me) * (var.width + 1);
            let seat = matches!(var.ty.element(), Ty::Seat);
            let atom = |n: usize| if seat { self.relative(n, me) } else { n };
            match value {
                Value::Unset => set(first + var.width, 1.0),
                Value::Int(n) => set(first, number_of(*n)),
                Value::Bool(truth) => set(first, f32::from(u8::from(*truth))),
                Value::Atom(n) if (*n as usize) < var.width => set(first + atom(*n as usize), 1.0),
                Value::Set(bits) => bits.iter().filter(|n| *n < var.width).for_each(|n| set(first + atom(n), 1.0)),
                Value::Atom(_)
                | Value::Ints(_)
                | Value::Piece(_)
                | Value::Pieces(_)
                | Value::Way(_)
                | Value::Ways(_)
                | Value::Move(_)
                | Value::Moves(_) => {}
            }
        }
    }

    /// The place of a list: where the first index is a seat, the own one comes first.
    fn turned(&self, index: usize, lists: usize, seated: bool, me: usize) -> usize {
        if !seated || self.seats == 0 {
            return index;
        }
        let each = (lists / self.seats).max(1);
        self.relative(index / each, me) * each + index % each
    }
}

fn seated(indices: &[(Ty, usize)]) -> bool {
    matches!(indices.first(), Some((Ty::Seat, _)))
}

#[expect(clippy::cast_precision_loss, reason = "an observation is made of single-precision numbers")]
fn number_of(n: i64) -> f32 {
    n as f32
}

/// The shape of planes over the board: rows and columns on a single square board, else sites.
fn board(game: &Game, planes: usize) -> Vec<usize> {
    let sites = &game.topology.sites;
    let square = matches!(game.topology.boards.as_slice(), [board] if board.form == BoardForm::Square);
    let (columns, rows) = (sites.iter().map(|site| site.at.0).max(), sites.iter().map(|site| site.at.1).max());
    let size = |most: Option<i32>| most.and_then(|most| usize::try_from(most).ok()).unwrap_or_default();
    let (columns, rows) = (size(columns), size(rows));
    // Site after site along the rows.
    let plain = (0..).zip(sites).all(|(number, site)| {
        usize::try_from(site.at.0 - 1 + (site.at.1 - 1) * i32::try_from(columns).unwrap_or(i32::MAX)) == Ok(number)
    });
    if square && plain && rows * columns == sites.len() {
        vec![planes, rows, columns]
    } else {
        vec![planes, sites.len()]
    }
}
