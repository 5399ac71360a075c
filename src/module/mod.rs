//! Games as WebAssembly: a lowered program becomes a module that plays by itself, in a browser or anywhere else. What
//! the interpreter looks up while it runs (blocks, names, tables) is settled once; the position is a stretch of memory
//! with a fixed layout (`layout.rs`), and what is under way is a place in the course (`course.rs`).
//!
//! **Invariant:** a module lists the legal moves that the interpreter lists, in that order, plays them alike, ends games
//! alike and draws the same random numbers from the same seed; `tests/module.rs` compares the two. What it cannot
//! translate is refused ([`Untranslated`]), never approximated. Nothing in a module can reach beyond its own memory.

mod answers;
mod capacity;
mod compared;
mod cost;
mod course;
mod describe;
mod effect;
mod emit;
mod export;
mod finish;
mod fixed;
mod func;
mod groups;
mod guard;
mod help;
mod history;
mod hop;
mod jump;
mod known;
mod lasting;
mod lattice;
mod layout;
mod list;
mod listed;
mod locate;
mod number;
mod outcome;
mod piece;
mod pile;
mod place;
mod playout;
mod pool;
mod question;
mod race;
mod random;
mod ray;
mod records;
mod rows;
mod scope;
mod seen;
mod set;
mod signature;
mod some;
mod span;
mod starts;
mod step;
mod table;
mod test;
mod together;
mod token;
mod trial;
mod turn;
mod undo;
mod walk;
mod walkers;
mod ways;
mod witness;
mod words;
mod worth;
mod zone;

use capacity::Capacity;
use emit::{Emit, Export, First, Key, Out, Wide};
use func::Func;
use span::Span;
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataSection, ExportKind, ExportSection, FunctionSection, GlobalSection,
    GlobalType, MemorySection, MemoryType, Module, NameMap, NameSection, TypeSection, ValType,
};

use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Body, Home, Program};
use crate::compile::{Gap, lower, words};
use crate::ir::{BlockId, Game, RuleId, Value};
use crate::model::{Engine, Position};
use crate::reference::Walker;

/// What a module cannot do yet, with the rule that needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untranslated {
    /// What the rule needs.
    pub what: &'static str,
    /// The rule.
    pub rule: RuleId,
}

/// The bytes of a module that plays a game; see `docs/module.md` for what it offers.
///
/// # Errors
/// Says what of the game cannot be translated.
pub fn module(game: &Game) -> Result<Vec<u8>, Untranslated> {
    let walker = Walker::new(game.clone());
    // As many words as the interpreter has for the game.
    let words = match words(game) {
        few @ 1..=2 => few,
        3..=4 => 4,
        5..=6 => 6,
        _ => return Err(Untranslated { what: "boards of more than 384 sites", rule: RuleId::GAME }),
    };
    let game = walker.game();
    let (program, lowering) = lower::<Wide>(&walker, game);
    let Some(program) = program else {
        let gap = lowering.gaps.first();
        let (what, rule) = gap.map_or(("the rules", RuleId::GAME), |gap| (gap.what, gap.rule));
        return Err(Untranslated { what, rule });
    };
    if program.remembers && game.parts.len() > layout::MOST_PARTS {
        return Err(Untranslated { what: "repetition of many parts of positions", rule: RuleId::GAME });
    }
    let first = first_values(&program, &walker.blank());
    let capacity = Capacity::of(&program, game, &first.lists);
    if !capacity.fits(&program) {
        return Err(Untranslated { what: "so many pieces in zones, or numbers in sets", rule: RuleId::GAME });
    }
    let mut emit = Emit::new(&program, game, words, (first, &capacity));
    match written(&mut emit) {
        Ok(()) => Ok(assembled(emit)),
        Err(Gap(what)) => Err(Untranslated { what, rule: emit.rule }),
    }
}

/// What variables hold before the setup, by place.
fn first_values(program: &Program<Wide>, blank: &Position) -> First {
    let First { mut numbers, mut sets, mut lists } = First::default();
    for (home, values) in program.vars.iter().zip(&blank.vars) {
        for (place, value) in values.iter().enumerate() {
            match (home, value) {
                (Home::Number(at), Value::Piece(piece)) => {
                    let number = program.pieces.number(Some(piece));
                    numbers.extend(number.map(|number| (usize::from(*at) + place, i64::from(number))));
                }
                (Home::Number(at), value) => {
                    numbers.extend(value.number().map(|number| (usize::from(*at) + place, number)));
                }
                (Home::Set(at), Value::Set(bits)) => {
                    sets.push((usize::from(*at) + place, Wide::from_bits(bits).unwrap_or(Wide::NONE)));
                }
                (Home::List(at), Value::Ints(list)) => lists.push((usize::from(*at) + place, list.clone())),
                (Home::List(at), Value::Pieces(pieces)) => {
                    let numbers = pieces.iter().filter_map(|piece| program.pieces.number(Some(piece))).map(i64::from);
                    lists.push((usize::from(*at) + place, numbers.collect()));
                }
                (Home::Set(_) | Home::List(_) | Home::Nowhere, _) => {}
            }
        }
    }
    numbers.retain(|(_, value)| *value != 0);
    sets.retain(|(_, set)| *set != Wide::NONE);
    lists.retain(|(_, list)| !list.is_empty());
    First { numbers, sets, lists }
}

/// Writes every function that is needed, beginning with those that other programs call.
fn written(emit: &mut Emit<'_>) -> Out {
    emit.keep_outcomes();
    for (export, _) in EXPORTS {
        emit.function(Key::Export(*export));
    }
    while let Some(key) = emit.wanted.pop() {
        let mut place = None;
        match &key {
            Key::Export(export) => emit.export(*export),
            Key::Memo(memo, notes) => {
                emit.notes = *notes;
                memo_function(emit, *memo)?;
            }
            Key::Reason(guard) => emit.reason(*guard),
            Key::Some(memo, notes) => {
                emit.notes = *notes;
                emit.some_function(*memo)?;
            }
            Key::Procedure(body) => procedure(emit, *body)?,
            Key::Effects(action) => emit.effects(*action)?,
            Key::Trial(action, next) => emit.trial(*action, *next)?,
            Key::Outcome(action) => emit.outcome(*action)?,
            Key::Listing(groups, next) => emit.listing(groups, *next)?,
            Key::Any(actions) => emit.any_move(actions)?,
            Key::Ends(moment) => emit.ends(*moment)?,
            Key::Race(at) => emit.list_race(*at)?,
            Key::Course => place = Some(emit.course()?),
            Key::Help(help) => emit.helped(*help)?,
            Key::Locate => emit.locate(),
            Key::Play => emit.play(),
        }
        emit.finish(key, place)?;
    }
    Ok(())
}

/// The value of a definition; its parameters are those of the function.
fn memo_function(emit: &mut Emit<'_>, number: u16) -> Out {
    let memo = emit.memo(number)?;
    emit.enter_memo(memo);
    emit.in_range(memo);
    match &memo.body {
        Body::Number(value) => {
            emit.f.choice(ValType::I64);
            emit.number(value)?;
            emit.f.otherwise().long(0);
            emit.f.end();
        }
        Body::Test(value) => {
            emit.f.choice(ValType::I32);
            emit.test(value)?;
            emit.f.otherwise().int(0);
            emit.f.end();
        }
        Body::Set(value) => {
            let found = emit.variable(&emit.known(Wide::NONE));
            emit.f.when();
            let set = emit.set(value)?;
            emit.become_set(&found, &set);
            emit.f.end();
            for word in found {
                emit.f.get(word);
            }
        }
        Body::Trial => return Err(Gap("the outcome of a trial")),
    }
    Ok(())
}

/// A procedure that asks nothing; its parameters are those of the function.
fn procedure(emit: &mut Emit<'_>, body: BlockId) -> Out {
    let taken = emit.taken.get(&body).cloned().unwrap_or_default();
    let words = u32::saturating_from(emit.words);
    let mut next = 0;
    for name in taken {
        let first = next;
        match name {
            Home::Number(name) => {
                emit.numbers.push((name, first));
                next += 1;
            }
            Home::Set(name) => {
                next += words;
                emit.sets.push((name, (first..next).map(func::Part::Local).collect()));
            }
            Home::List(name) => {
                emit.lists.push((name, Span { at: first, end: first + 1, short: false }));
                next += 2;
            }
            Home::Nowhere => {}
        }
    }
    emit.f = Func::new(next);
    emit.code(body)?;
    emit.f.int(effect::NEXT);
    Ok(())
}

/// The functions that other programs call, by name.
const EXPORTS: &[(Export, &str)] = &[
    (Export::Seed, "seed"),
    (Export::Start, "start"),
    (Export::Count, "count"),
    (Export::Ask, "ask"),
    (Export::Seat, "seat"),
    (Export::Action, "action"),
    (Export::Argument, "argument"),
    (Export::Apply, "apply"),
    (Export::Undo, "undo"),
    (Export::Draw, "draw"),
    (Export::Playout, "playout"),
    (Export::Ply, "ply"),
    (Export::Turn, "turn"),
    (Export::Mover, "mover"),
    (Export::Verdict, "verdict"),
    (Export::Rank, "rank"),
    (Export::Score, "score"),
    (Export::Piece, "piece"),
    (Export::Tokens, "tokens"),
    (Export::Held, "held"),
    (Export::Lying, "lying"),
    (Export::Variable, "variable"),
    (Export::Race, "race"),
    (Export::Who, "who"),
    (Export::When, "when"),
    (Export::Decisions, "decisions"),
    (Export::Answers, "answers"),
];

fn assembled(mut emit: Emit<'_>) -> Vec<u8> {
    let mut written = std::mem::take(&mut emit.written);
    written.sort_by_key(|(index, ..)| *index);
    let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
    let (mut exports, mut names) = (ExportSection::new(), NameMap::new());
    for (index, key, function) in &written {
        let (params, results) = signature::of(&emit, key);
        types.ty().function(params, results);
        functions.function(*index);
        code.function(function);
        names.append(*index, &describe::function(emit.game, key, *index));
        let name = |export: &Export| EXPORTS.iter().find(|(other, _)| other == export).map(|(_, name)| *name);
        if let Key::Export(export) = key
            && let Some(name) = name(export)
        {
            exports.export(name, ExportKind::Func, *index);
        }
    }
    exports.export("memory", ExportKind::Memory, 0);
    let undo = emit.end_of_memory().next_multiple_of(16);
    let mut globals = GlobalSection::new();
    let counter = |val_type| GlobalType { val_type, mutable: true, shared: false };
    globals.global(counter(ValType::I64), &ConstExpr::i64_const(cost::FUEL));
    globals.global(counter(ValType::I32), &ConstExpr::i32_const(undo.cast_signed()));
    globals.global(
        GlobalType { val_type: ValType::I32, mutable: false, shared: false },
        &ConstExpr::i32_const(undo.cast_signed()),
    );
    globals.global(counter(ValType::I32), &ConstExpr::i32_const(emit.layout.heap.cast_signed()));
    let mut memory = MemorySection::new();
    let pages = u64::from(undo).div_ceil(1 << 16) + 1;
    memory.memory(MemoryType { minimum: pages, maximum: None, memory64: false, shared: false, page_size_log2: None });
    let mut data = DataSection::new();
    for (at, bytes) in &emit.data {
        data.active(0, &ConstExpr::i32_const(at.cast_signed()), bytes.iter().copied());
    }
    let description = describe::description(&emit);
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memory).section(&globals).section(&exports);
    module.section(&code).section(&data);
    let mut named = NameSection::new();
    named.functions(&names);
    module.section(&named);
    module.section(&CustomSection { name: "regelwerk".into(), data: description.as_bytes().into() });
    module.finish()
}
