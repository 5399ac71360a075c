//! All setups of a rule file worth checking.

use super::variant::{Resolved, resolve};
use super::{Loaded, Offer, RuleFile, Setup};
use crate::report::{Code, Severity};

/// Applied variants, with the setups that use them.
struct Group {
    resolved: Resolved,
    setups: Vec<Setup>,
}

impl RuleFile {
    /// Every setup worth checking: each number of players on its own, with each variant, with each pair of compatible
    /// variants, and with each reading. Options are left at their defaults: their values need not be compatible.
    #[must_use]
    pub fn setups(&self) -> Vec<Setup> {
        let offer = self.load(&Setup::default()).offer;
        self.groups(&offer, &mut Vec::new()).flat_map(|group| group.setups).collect()
    }

    /// Checks the rule file in all its [`setups`](Self::setups). Options are checked when they are chosen.
    #[must_use]
    pub fn check_all(&self) -> Loaded {
        self.check_while(&mut || true).unwrap_or_default()
    }

    /// The same while `keep_going`, asked before each setup, returns true; none if it was stopped.
    pub fn check_while(&self, keep_going: &mut dyn FnMut() -> bool) -> Option<Loaded> {
        let mut first = self.load(&Setup::default());
        if first.reports.has_errors() {
            return Some(first);
        }
        let mut incompatible = Vec::new();
        for group in self.groups(&first.offer, &mut incompatible) {
            for setup in group.setups {
                if !keep_going() {
                    return None;
                }
                // The first number of players is the default.
                let plain = Setup { players: first.offer.players.first().copied(), ..Setup::default() };
                if setup == plain {
                    continue;
                }
                let mut resolved = group.resolved.clone();
                self.check(&mut resolved, &setup);
                if !setup.variants.is_empty() {
                    // Items that a variant leaves unused are used without it.
                    resolved.reports.retain(|report| report.code.severity() == Severity::Error);
                }
                if resolved.reports.has_errors() && first.wrong.is_none() {
                    first.wrong = Some(setup);
                }
                first.reports.append(resolved.reports);
            }
        }
        first.incompatible = incompatible;
        Some(first)
    }

    /// The setups grouped by variants. Single variants that conflict with the file's own changes become
    /// `incompatible`, with the reason.
    fn groups<'f>(
        &'f self,
        offer: &Offer,
        incompatible: &'f mut Vec<(String, String)>,
    ) -> impl Iterator<Item = Group> + use<'f> {
        let players = |players: u32| Setup { players: Some(players), ..Setup::default() };
        let plain: Vec<Setup> = offer.players.iter().copied().map(players).collect();
        let mut read: Vec<Setup> = Vec::new();
        for setup in &plain {
            for choice in &offer.readings {
                for value in choice.values.iter().filter(|value| **value != choice.default) {
                    read.push(Setup { readings: vec![(choice.name.clone(), value.clone())], ..setup.clone() });
                }
            }
        }
        let names: Vec<&String> = offer.variants.iter().map(|(name, ..)| name).collect();
        let mut chosen: Vec<Vec<String>> = names.iter().map(|&name| vec![name.clone()]).collect();
        for (at, &one) in names.iter().enumerate() {
            chosen.extend(names[at + 1..].iter().map(|&other| vec![one.clone(), other.clone()]));
        }
        let with_variants = move |variants: Vec<String>| {
            let resolved = resolve(self, &variants);
            // Two variants may exclude each other, and one may conflict with a file that extends its own; this is
            // reported when they are chosen.
            if let Some(report) = resolved.reports.sorted().into_iter().find(|report| report.code == Code::Conflict) {
                if let [variant] = variants.as_slice() {
                    incompatible.push((variant.clone(), report.message.clone()));
                }
                return None;
            }
            // A variant may support other numbers of players. If it has too many errors to tell, they are reported
            // without a number.
            let mut counts: Vec<Option<u32>> = self.players(&resolved).into_iter().map(Some).collect();
            if counts.is_empty() {
                counts.push(None);
            }
            let setup = |players| Setup { players, variants: variants.clone(), ..Setup::default() };
            Some(Group { setups: counts.into_iter().map(setup).collect(), resolved })
        };
        let group = move |setups| Group { resolved: resolve(self, &[]), setups };
        std::iter::once(plain)
            .map(group)
            .chain(chosen.into_iter().filter_map(with_variants))
            .chain(std::iter::once(read).map(group))
    }
}
