//! Games as WebAssembly: a lowered program becomes a module that plays by itself, in a browser or anywhere else. What
//! the interpreter looks up while it runs (blocks, names, tables) is settled once; the position is a stretch of memory
//! with a fixed layout (`layout.rs`), and what is under way is a place in the course (`course.rs`).
//!
//! **Invariant:** a module lists the legal moves that the interpreter lists, in that order, plays them alike, ends games
//! alike and draws the same random numbers from the same seed; `tests/module.rs` compares the two. What it cannot
//! translate is refused ([`Untranslated`]), never approximated. Nothing in a module can reach beyond its own memory.

mod answers;
mod course;
mod describe;
mod effect;
mod emit;
mod export;
mod fixed;
mod func;
mod help;
mod history;
mod hop;
mod lasting;
mod lattice;
mod layout;
mod list;
mod listed;
mod number;
mod outcome;
mod piece;
mod place;
mod question;
mod random;
mod ray;
mod records;
mod rows;
mod scope;
mod seen;
mod set;
mod some;
mod spared;
mod step;
mod table;
mod test;
mod token;
mod trial;
mod turn;
mod undo;
mod walk;
mod words;
mod worth;

use emit::{Emit, Export, First, Help, Key, Out, Wide};
use func::Func;
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
    let mut emit = Emit::new(&program, game, words);
    emit.first = first_values(&program, &walker.blank());
    match written(&mut emit) {
        Ok(()) => Ok(assembled(emit)),
        Err(Gap(what)) => Err(Untranslated { what, rule: emit.rule }),
    }
}

/// What variables hold before the setup: the numbers that are not 0 and the sets that are not empty, by place.
fn first_values(program: &Program<Wide>, blank: &Position) -> First {
    let (mut numbers, mut sets) = (Vec::new(), Vec::new());
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
                (Home::Set(_) | Home::List(_) | Home::Nowhere, _) => {}
            }
        }
    }
    numbers.retain(|(_, value)| *value != 0);
    sets.retain(|(_, set)| *set != Wide::NONE);
    First { numbers, sets }
}

/// Writes every function that is needed, beginning with those that other programs call.
fn written(emit: &mut Emit<'_>) -> Out {
    if emit.program.lists > 0 || emit.program.cells[2] > 0 {
        return Err(Gap("zones, and sets of numbers or pieces"));
    }
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
    let count = taken.iter().map(|(_, set)| if *set { words } else { 1 }).sum();
    emit.f = Func::new(count);
    let mut next = 0;
    for (name, set) in taken {
        if set {
            emit.sets.push((name, (next..next + words).map(func::Part::Local).collect()));
            next += words;
        } else {
            emit.numbers.push((name, next));
            next += 1;
        }
    }
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
    (Export::Variable, "variable"),
    (Export::Decisions, "decisions"),
    (Export::Answers, "answers"),
];

/// What a function takes and returns.
fn signature(emit: &Emit<'_>, key: &Key) -> (Vec<ValType>, Vec<ValType>) {
    let (int, long) = (ValType::I32, ValType::I64);
    let longs = |count: usize| vec![long; count];
    match key {
        Key::Export(export) => {
            let result = match export {
                Export::Seed | Export::Start => vec![],
                Export::Argument
                | Export::Score
                | Export::Tokens
                | Export::Variable
                | Export::Decisions
                | Export::Answers => vec![long],
                Export::Count
                | Export::Ask
                | Export::Seat
                | Export::Action
                | Export::Apply
                | Export::Undo
                | Export::Draw
                | Export::Playout
                | Export::Ply
                | Export::Turn
                | Export::Mover
                | Export::Verdict
                | Export::Rank
                | Export::Piece => vec![int],
            };
            let of = if *export == Export::Seed { long } else { int };
            (vec![of; Emit::export_params(*export) as usize], result)
        }
        Key::Some(number, _) => {
            let memo = emit.program.memos.get(usize::from(*number));
            (longs(memo.iter().map(|memo| memo.params.len()).sum()), vec![int])
        }
        Key::Memo(number, _) => {
            let memo = emit.program.memos.get(usize::from(*number));
            let params = memo.iter().map(|memo| memo.params.len()).sum();
            let result = match memo.map(|memo| &memo.body) {
                Some(Body::Number(_)) => vec![long],
                Some(Body::Set(_)) => emit.set_types(),
                Some(Body::Test(_) | Body::Trial) | None => vec![int],
            };
            (longs(params), result)
        }
        Key::Procedure(body) => {
            let taken = emit.taken.get(body).map_or(&[][..], Vec::as_slice);
            let count = taken.iter().map(|(_, set)| if *set { emit.words } else { 1 }).sum();
            (longs(count), vec![int])
        }
        Key::Effects(action) | Key::Trial(action, _) | Key::Outcome(action) => {
            let action = emit.program.actions.get(usize::from(*action));
            (longs(action.iter().map(|action| Emit::arity(action) as usize).sum()), vec![int])
        }
        Key::Listing(..) | Key::Course => (vec![], vec![]),
        Key::Any(_) | Key::Ends(_) => (vec![], vec![int]),
        Key::Locate | Key::Play => (vec![int], vec![int]),
        Key::Help(help) => match help {
            Help::Put | Help::PutBack => (vec![long, int], vec![]),
            Help::SetTokens => (longs(3), vec![]),
            Help::Following | Help::Preceding | Help::Below | Help::Seen | Help::PartKey(_) => (longs(1), longs(1)),
            Help::Product | Help::Quotient | Help::Remainder | Help::Key | Help::PartSeen(_) => (longs(2), longs(1)),
            Help::Stood => (longs(2), vec![int]),
            Help::Forget => (vec![int], vec![]),
            Help::PlaceTop | Help::PlaceBottom => (emit.set_types(), vec![int]),
            Help::Block => (vec![], vec![]),
        },
    }
}

fn assembled(mut emit: Emit<'_>) -> Vec<u8> {
    let mut written = std::mem::take(&mut emit.written);
    written.sort_by_key(|(index, ..)| *index);
    let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
    let (mut exports, mut names) = (ExportSection::new(), NameMap::new());
    for (index, key, function) in &written {
        let (params, results) = signature(&emit, key);
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
    globals.global(counter(ValType::I64), &ConstExpr::i64_const(emit::FUEL));
    globals.global(counter(ValType::I32), &ConstExpr::i32_const(undo.cast_signed()));
    globals.global(
        GlobalType { val_type: ValType::I32, mutable: false, shared: false },
        &ConstExpr::i32_const(undo.cast_signed()),
    );
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
