//! A module in an interpreter of WebAssembly.

use wasmi::{Engine, Instance, Linker, Module, Store, Val};

/// A module that runs, and what it says of itself.
pub(crate) struct Hosted {
    store: Store<()>,
    instance: Instance,
    pub(crate) description: serde_json::Value,
}

impl Hosted {
    pub(crate) fn new(bytes: &[u8], what: &str) -> Self {
        let engine = Engine::default();
        let module = Module::new(&engine, bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        let section = module.custom_sections().find(|section| section.name() == "regelwerk").expect("a description");
        let description = serde_json::from_slice(section.data()).expect("JSON");
        let mut store = Store::new(&engine, ());
        let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module).expect("nothing is imported");
        Self { store, instance, description }
    }

    fn called(&mut self, name: &str, args: &[Val]) -> Option<Val> {
        let function = self.instance.get_func(&self.store, name).unwrap_or_else(|| panic!("no function `{name}`"));
        let count = function.ty(&self.store).results().len();
        let mut results = vec![Val::I32(0); count];
        function.call(&mut self.store, args, &mut results).unwrap_or_else(|trap| panic!("`{name}`: {trap}"));
        results.pop()
    }

    /// Plays the answer with a number; false if the module stops with a trap.
    pub(crate) fn applies(&mut self, answer: i32) -> bool {
        let apply = self.instance.get_func(&self.store, "apply").expect("a function");
        let mut result = [Val::I32(1)];
        let ended = apply.call(&mut self.store, &[Val::I32(answer)], &mut result).is_ok();
        assert!(!ended || matches!(result, [Val::I32(0)]), "there is no answer {answer}");
        ended
    }

    /// Whether a function stops with a trap.
    pub(crate) fn traps(&mut self, name: &str, args: &[i32]) -> bool {
        let args: Vec<Val> = args.iter().map(|&arg| Val::I32(arg)).collect();
        let function = self.instance.get_func(&self.store, name).expect("a function");
        function.call(&mut self.store, &args, &mut [Val::I32(0)]).is_err()
    }

    /// A function whose result has 32 bits.
    pub(crate) fn call(&mut self, name: &str, args: &[i32]) -> i32 {
        let args: Vec<Val> = args.iter().map(|&arg| Val::I32(arg)).collect();
        match self.called(name, &args) {
            Some(Val::I32(n)) => n,
            other => panic!("`{name}`: {other:?}"),
        }
    }

    /// A function whose result has 64 bits.
    pub(crate) fn long(&mut self, name: &str, args: &[i32]) -> i64 {
        let args: Vec<Val> = args.iter().map(|&arg| Val::I32(arg)).collect();
        match self.called(name, &args) {
            Some(Val::I64(n)) => n,
            other => panic!("`{name}`: {other:?}"),
        }
    }

    /// Lists what can be done in a race at a time.
    pub(crate) fn race(&mut self, time: i64) -> i32 {
        match self.called("race", &[Val::I64(time)]) {
            Some(Val::I32(n)) => n,
            other => panic!("`race`: {other:?}"),
        }
    }

    /// Begins the game with a number, drawn from a seed.
    pub(crate) fn start(&mut self, seed: u64, number: u64) {
        assert!(self.starts(seed, number), "the module does not begin");
    }

    /// The same; false if it stops with a trap.
    pub(crate) fn starts(&mut self, seed: u64, number: u64) -> bool {
        let args = [seed, 0, number].map(|n| Val::I64(n.cast_signed()));
        self.called("seed", &args);
        let start = self.instance.get_func(&self.store, "start").expect("a function");
        start.call(&mut self.store, &[], &mut []).is_ok()
    }
}
