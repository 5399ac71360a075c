//! All setups of a rule file worth checking.

use std::collections::BTreeSet;

use super::choices::{alternatives, both, chooses, overlaid, within};
use super::resolve::{Clash, Resolved, resolve};
use super::rule_file::WORK_A_BYTE;
use super::target::Target;
use super::{Choice, Loaded, Offer, RuleFile, Setup};
use crate::base::Span;
use crate::ir::Game;
use crate::report::{Code, Severity};
use crate::syntax::ast::item::ItemKind;

/// How many steps all setups together may take to check. What is left is said to be unchecked.
pub const WORK: u64 = 30_000_000;

/// An option with no more values is checked with each of them.
const VALUES: usize = 12;

/// Applied variants and overlays, with the setups that use them.
struct Group {
    resolved: Resolved,
    setups: Vec<Setup>,
    /// How many steps it took to lay them over the rules.
    work: u64,
}

/// Overlays that share a setup, as they are laid over the rules.
struct Shared {
    setup: Setup,
    active: BTreeSet<Span>,
    /// What it changes that the default setup does not.
    changes: Vec<Target>,
    /// Whether something is in conflict.
    torn: bool,
}

impl RuleFile {
    /// Every setup worth checking: each number of players on its own, with each variant, with each pair of compatible
    /// variants, with each reading, and with all that an overlay depends on, as far as a check goes. Options are left at
    /// their defaults: their values need not be compatible.
    #[must_use]
    pub fn setups(&self) -> Vec<Setup> {
        let first = self.load(&Setup::default());
        let (mut incompatible, mut work) = (Vec::new(), first.work);
        let groups = self.groups(&first.offer, &mut incompatible, &mut work).map_while(|group| {
            work += group.work;
            (work <= WORK).then_some(group.setups)
        });
        groups.flatten().collect()
    }

    /// Loads setups one after the other, as many as a check goes through.
    pub fn loads<'a>(&'a self, setups: &'a [Setup]) -> impl Iterator<Item = (&'a Setup, Loaded)> + use<'a> {
        let mut work = 0;
        setups.iter().map_while(move |setup| {
            let loaded = (work <= WORK).then(|| self.load(setup))?;
            work += loaded.work + self.laying();
            Some((setup, loaded))
        })
    }

    /// Checks the rule file in all its [`setups`](Self::setups). Options are checked when they are chosen.
    #[must_use]
    pub fn check_all(&self) -> Loaded {
        self.check_while(&mut || true).unwrap_or_default()
    }

    /// The same while `keep_going`, asked before each setup, returns true; none if it was stopped.
    pub fn check_while(&self, keep_going: &mut dyn FnMut() -> bool) -> Option<Loaded> {
        self.check_within(WORK, keep_going)
    }

    /// The same with so many steps for all setups together.
    pub(super) fn check_within(&self, most: u64, keep_going: &mut dyn FnMut() -> bool) -> Option<Loaded> {
        let mut first = self.load(&Setup::default());
        if first.reports.has_errors() {
            return Some(first);
        }
        let hides = |game: &Option<Game>| game.as_ref().is_some_and(|game| !game.has_perfect_information());
        // A reading or variant may hide what the rules by themselves do not.
        let mut hidden = hides(&first.game);
        let mut incompatible = Vec::new();
        'all: for group in self.groups(&first.offer, &mut incompatible, &mut first.work) {
            first.work += group.work;
            if first.work > most {
                first.unfinished = true;
                break;
            }
            for setup in group.setups {
                if !keep_going() {
                    return None;
                }
                if first.work > most {
                    first.unfinished = true;
                    break 'all;
                }
                // The first number of players is the default.
                let plain = Setup { players: first.offer.players.first().copied(), ..Setup::default() };
                if setup == plain {
                    continue;
                }
                let mut resolved = group.resolved.clone();
                let (_, game) = self.check(&mut resolved, &setup, &mut first.work);
                hidden |= hides(&game);
                if !setup.variants.is_empty() || !setup.readings.is_empty() {
                    // Items that a variant or reading leaves unused are used without it, but what it tells is told.
                    let kept = |code: Code| code == Code::Tells || code.severity() == Severity::Error;
                    resolved.reports.retain(|report| kept(report.code));
                }
                if resolved.reports.has_errors() && first.wrong.is_none() {
                    first.wrong = Some(setup);
                }
                first.reports.append(resolved.reports);
            }
        }
        first.incompatible = incompatible;
        for setup in further(&first.offer).filter(|_| hidden) {
            if !keep_going() {
                return None;
            }
            if first.work > most / 2 {
                break;
            }
            let mut resolved = resolve(self, &setup);
            first.work += self.laying() + resolved.work;
            if !resolved.reports.has_errors() {
                self.check(&mut resolved, &setup, &mut first.work);
            }
            // Values and choices need not be compatible; that is said when they are chosen.
            resolved.reports.retain(|report| report.code == Code::Tells);
            first.reports.append(resolved.reports);
        }
        Some(first)
    }

    /// Setups that together choose every variant and every overlay, for those who ask what all its names mean. Overlays
    /// that can be chosen together share a setup, as long as `work`, to which all that it takes is added, is no more than
    /// a check may do.
    #[must_use]
    pub fn covering(&self, work: &mut u64) -> Vec<Setup> {
        let mut found: Vec<Setup> = Vec::new();
        for item in self.variants() {
            if let ItemKind::Variant { name, .. } = &item.kind {
                let variant = Setup { variants: vec![name.node.clone()], ..Setup::default() };
                within(item.kind.items(), &variant, &mut found);
                found.push(variant);
            }
        }
        let usual = resolve(self, &Setup::default());
        *work += self.laying() + usual.work;
        let usual: BTreeSet<Span> = usual.changed.iter().map(|one| one.place).collect();
        let mut shared: Vec<Shared> = Vec::new();
        for one in self.overlays().flat_map(|item| overlaid(item, &Setup::default())) {
            if one.readings.len() + one.variants.len() > 1 {
                // It may change what the overlays that it joins bring.
                found.push(one);
            } else if !shared.iter().any(|other| chooses(&other.setup, &one)) && !found.contains(&one) {
                self.share(one, &mut shared, &usual, work);
            }
        }
        found.extend(self.uncovered(work));
        let mut before = BTreeSet::new();
        found.retain(|setup| before.insert((setup.variants.clone(), setup.readings.clone())));
        found.extend(shared.into_iter().map(|one| one.setup));
        found
    }

    /// Adds a choice to the first setup that it fits: it lays over the rules what the two do, and nothing that joins them.
    fn share(&self, one: Setup, shared: &mut Vec<Shared>, usual: &BTreeSet<Span>, work: &mut u64) {
        let one = self.laid(one, usual, work);
        for other in shared.iter_mut().filter(|other| !other.torn && !one.torn) {
            let Some(all) = both(&other.setup, &one.setup) else { continue };
            *work += (one.changes.len() * other.changes.len()) as u64;
            if *work > WORK {
                break;
            }
            // What meets is in conflict, so it need not be laid to see that.
            if one.changes.iter().any(|mine| other.changes.iter().any(|known| known.meets(mine))) {
                continue;
            }
            let all = self.laid(all, usual, work);
            if !all.torn && all.active.iter().all(|place| one.active.contains(place) || other.active.contains(place)) {
                *other = all;
                return;
            }
        }
        shared.push(one);
    }

    /// A setup as it is laid over the rules; `usual` are the places of what the default setup changes.
    fn laid(&self, setup: Setup, usual: &BTreeSet<Span>, work: &mut u64) -> Shared {
        let resolved = resolve(self, &setup);
        *work += self.laying() + resolved.work;
        let torn = resolved.reports.sorted().iter().any(|report| report.code == Code::Conflict);
        let changes = resolved.changed.into_iter().filter(|one| !usual.contains(&one.place)).map(|one| one.what);
        Shared { setup, active: resolved.active.into_iter().collect(), changes: changes.collect(), torn }
    }

    /// The numbers of players that a setup supports; none if it has errors that can be told before checking.
    #[must_use]
    pub fn counts(&self, setup: &Setup) -> Vec<u32> {
        let mut resolved = resolve(self, setup);
        if resolved.is_torn() {
            // The rules are at fault, which loading them tells.
            resolved.reports = self.reports.clone();
        }
        self.players(&resolved)
    }

    /// Whether what a setup chooses is in conflict however it is chosen, so that the rules are at fault and not the choice.
    #[must_use]
    pub fn is_torn(&self, setup: &Setup) -> bool {
        resolve(self, setup).is_torn()
    }

    /// How much work it is to lay the changes of a setup over the rules.
    pub(super) fn laying(&self) -> u64 {
        WORK_A_BYTE * self.length()
    }

    /// The choices of every overlay that depends on several, and of every reading that a variant brings: nothing else comes
    /// upon them.
    fn joined(&self) -> Vec<Setup> {
        let mut joined: Vec<Setup> = Vec::new();
        for item in &self.items {
            let mut found = overlaid(item, &Setup::default());
            if let ItemKind::Variant { name, .. } = &item.kind {
                let variant = Setup { variants: vec![name.node.clone()], ..Setup::default() };
                within(item.kind.items(), &variant, &mut found);
                found.extend(alternatives(item.kind.items(), &variant));
            }
            found.retain(|one| one.readings.len() + one.variants.len() > 1 && !joined.contains(one));
            joined.extend(found);
        }
        joined
    }

    /// The setups grouped by what is laid over the rules; a group without any for what excludes each other, unless what
    /// conflicts is never chosen apart: that is an error of the rules. Single variants and readings that conflict with
    /// what else is chosen by default, or with the file's own changes, become `incompatible`, with the reason.
    fn groups<'f>(
        &'f self,
        offer: &Offer,
        incompatible: &'f mut Vec<(String, String)>,
        work: &mut u64,
    ) -> impl Iterator<Item = Group> + use<'f> {
        let chosen = |variants: &[&String]| Setup {
            variants: variants.iter().map(|&name| name.clone()).collect(),
            ..Setup::default()
        };
        let names: Vec<String> = offer.variants.iter().map(|(name, ..)| name.clone()).collect();
        let single: Vec<Setup> = names.iter().map(|name| chosen(&[name])).collect();
        let mut readings = Vec::new();
        for choice in &offer.readings {
            for value in choice.values.iter().filter(|value| **value != choice.default) {
                readings.push(Setup { readings: vec![(choice.name.clone(), value.clone())], ..Setup::default() });
            }
        }
        // One after the other: there may be very many pairs.
        let count = names.len();
        let numbers = (0..count).flat_map(move |one| (one + 1..count).map(move |other| (one, other)));
        let pairs = numbers.map(move |(one, other)| chosen(&[&names[one], &names[other]]));
        let mut joined = self.joined();
        let uncovered = self.uncovered(work).into_iter().filter(|one| !joined.contains(one)).collect::<Vec<_>>();
        joined.extend(uncovered);
        let all = std::iter::once(Setup::default()).chain(single).chain(readings).chain(joined).chain(pairs);
        let offered = offer.readings.clone();
        all.map(move |mut setup| {
            let mut resolved = resolve(self, &setup);
            let mut work = self.laying() + resolved.work;
            if resolved.is_torn() {
                resolved.reports.retain(|report| report.code != Code::Conflict);
                let errors = resolved.clashes.iter().filter(|clash| clash.always);
                errors.for_each(|clash| resolved.reports.push(clash.report.clone()));
                return Group { resolved, setups: vec![setup], work };
            }
            // Two variants may exclude each other, and one may conflict with a file that extends its own; this is
            // reported when they are chosen.
            if let Some(report) = resolved.reports.sorted().into_iter().find(|report| report.code == Code::Conflict) {
                let names: Vec<String> = match (setup.variants.as_slice(), setup.readings.as_slice()) {
                    ([variant], []) => vec![variant.clone()],
                    ([], [(reading, value)]) => vec![format!("{reading} = {value}")],
                    (_, _) => Vec::new(),
                };
                incompatible.extend(names.into_iter().map(|name| (name, report.message.clone())));
                let apart = self.apart(&setup, &resolved.clashes, &offered, &mut work);
                let Some(apart) = apart else { return Group { resolved, setups: Vec::new(), work } };
                (setup, resolved) = apart;
            }
            // What is laid over the rules may support other numbers of players. If there are too many errors to tell,
            // they are reported without a number.
            let mut counts: Vec<Option<u32>> = self.players(&resolved).into_iter().map(Some).collect();
            if counts.is_empty() {
                counts.push(None);
            }
            let setups = counts.into_iter().map(|players| Setup { players, ..setup.clone() }).collect();
            Group { resolved, setups, work }
        })
    }

    /// A setup without the default alternatives of readings that it is in conflict with: what it chooses is played only so.
    fn apart(&self, setup: &Setup, clashes: &[Clash], offered: &[Choice], work: &mut u64) -> Option<(Setup, Resolved)> {
        let meets = |choice: &&Choice| {
            let default = format!("{} == {}", choice.name, choice.default);
            let chosen = setup.readings.iter().any(|(name, _)| *name == choice.name);
            !chosen && clashes.iter().any(|clash| clash.choices.contains(&default))
        };
        let others = offered.iter().filter(meets).flat_map(|choice| {
            choice.values.iter().filter(|value| **value != choice.default).map(|value| (&choice.name, value))
        });
        others.into_iter().find_map(|(name, value)| {
            let mut other = setup.clone();
            other.readings.push((name.clone(), value.clone()));
            let resolved = resolve(self, &other);
            *work += self.laying() + resolved.work;
            let fits = resolved.reports.sorted().iter().all(|report| report.code != Code::Conflict);
            fits.then_some((other, resolved))
        })
    }
}

/// Setups in which something hidden may be told that is told in no other: each value of each option, or of many both ends,
/// and the pairs of these with each other, with variants and with readings.
fn further(offer: &Offer) -> impl Iterator<Item = Setup> {
    let options: Vec<Setup> = offer
        .options
        .iter()
        .flat_map(|option| {
            let all = option.values.len() <= VALUES;
            let ends = move |at: usize| all || at == 0 || at + 1 == option.values.len();
            let values =
                option.values.iter().enumerate().filter(move |(at, _)| ends(*at)).map(|(_, value)| value.as_str());
            // Any number may be chosen: with none of something, what comes between may not come.
            let any = ["0", "1"].into_iter().filter(|_| option.values.is_empty());
            let values = values.chain(any).filter(|value| *value != option.default);
            values.map(|value| Setup { options: vec![(option.name.clone(), value.to_owned())], ..Setup::default() })
        })
        .collect();
    let variants = offer.variants.iter().map(|(name, ..)| Setup { variants: vec![name.clone()], ..Setup::default() });
    let readings = offer.readings.iter().flat_map(|choice| {
        let others = choice.values.iter().filter(|value| **value != choice.default);
        others.map(|value| Setup { readings: vec![(choice.name.clone(), value.clone())], ..Setup::default() })
    });
    let singles: Vec<Setup> = variants.chain(readings).chain(options.iter().cloned()).collect();
    let count = singles.len();
    let numbers = (0..count).flat_map(move |other| (0..other).map(move |one| (one, other)));
    // Pairs of variants are checked with everything else.
    let pairs = numbers.filter_map(move |(one, other)| {
        let pair = both(&singles[one], &singles[other])?;
        (!pair.readings.is_empty() || !pair.options.is_empty()).then_some(pair)
    });
    options.into_iter().chain(pairs)
}
