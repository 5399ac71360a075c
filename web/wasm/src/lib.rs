//! Regelwerk's protocol as a WebAssembly module: a line of JSON in, a line of JSON out, as
//! `docs/protocol.md` states them.
//!
//! Lines go through one buffer in the module's memory. The page calls `reserve` with the length of its
//! line, writes the line where that says, and calls `answer`, which gives the length of the response; it
//! begins where `response` says. Nothing here follows an address from outside, so there is nothing
//! unsafe but the names under which the functions are exported.

use std::cell::RefCell;

use regelwerk::Rules;
use regelwerk::load::Setup;
use regelwerk::play::Seed;
use regelwerk::serve::{Fault, Limits, RuleSource, Selection, Server, bundled};

/// The bundled games.
struct Bundled;

impl RuleSource for Bundled {
    fn names(&self) -> Vec<String> {
        Rules::bundled_names().into_iter().map(str::to_owned).collect()
    }

    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, Fault> {
        bundled(name, setup)
    }

    /// There is no chance in here: the page gives a seed where it wants another.
    fn seed(&self) -> Result<Seed, Fault> {
        Ok(0.into())
    }
}

thread_local! {
    static SERVER: RefCell<Server<'static>> =
        RefCell::new(Server::new(&Bundled, Selection::default(), Limits::default()));
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static RESPONSE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes room for a line of so many bytes; the address to write it to.
#[expect(unsafe_code, reason = "a name for the page; no other function of the module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> usize {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, b' ');
        request.as_mut_ptr().expose_provenance()
    })
}

/// Answers the line that was written; the length of the response in bytes.
#[expect(unsafe_code, reason = "a name for the page; no other function of the module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let text = REQUEST.with_borrow(|request| {
        SERVER.with_borrow_mut(|server| match std::str::from_utf8(request) {
            Ok(line) => server.answer(line).text,
            Err(_) => server.no_text().text,
        })
    });
    let length = text.len();
    RESPONSE.set(text);
    length
}

/// The address of the last response.
#[expect(unsafe_code, reason = "a name for the page; no other function of the module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn response() -> usize {
    RESPONSE.with_borrow(|text| text.as_ptr().expose_provenance())
}
