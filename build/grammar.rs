//! Facts about the grammar for messages, fixes and completion, derived from `grammar/`: the name of each rule and what
//! it begins with, the reserved words, and the alternatives of its choices as enums.
//!
//! A `///` line above a rule is its name in messages. A rule without one that consists of a single word or symbol is a
//! *mark* and named by that; any other is named by what it begins with.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use pest_meta::ast::{Expr, Rule, RuleType};
use pest_meta::parser::{self, consume_rules};

/// The files of the grammar, read as one.
const FILES: [&str; 4] = ["lexis", "items", "statements", "expressions"];

/// The rules at which parsing begins, and those that it uses everywhere.
const STARTS: [&str; 4] = ["file", "only_item", "WHITESPACE", "COMMENT"];

/// The choices whose alternatives become an enum.
const CHOICES: [(&str, &str); 7] = [
    ("item", "ItemRule"),
    ("statement", "StatementRule"),
    ("primary", "PrimaryRule"),
    ("path_atom", "PathRule"),
    ("shape", "ShapeRule"),
    ("infix", "InfixRule"),
    ("prefix", "PrefixRule"),
];

/// The source of the tables.
pub(crate) fn tables(root: &Path) -> io::Result<String> {
    let mut text = String::new();
    for file in FILES {
        let path = root.join(format!("grammar/{file}.pest"));
        println!("cargo::rerun-if-changed={}", path.display());
        text.push_str(&fs::read_to_string(path)?);
    }
    Grammar::read(&text).map_err(io::Error::other)?.source().map_err(io::Error::other)
}

/// The rules of the grammar, and the labels written above them.
struct Grammar {
    rules: Vec<Rule>,
    labels: BTreeMap<String, String>,
}

/// What a rule can begin with.
#[derive(Default)]
struct First {
    /// Words and symbols, without repetition.
    texts: Vec<String>,
    /// Whether it may begin with a name.
    name: bool,
}

impl First {
    fn add(&mut self, other: Self) {
        self.name |= other.name;
        for text in other.texts {
            if !self.texts.contains(&text) {
                self.texts.push(text);
            }
        }
    }
}

impl Grammar {
    fn read(text: &str) -> Result<Self, String> {
        let pairs = parser::parse(parser::Rule::grammar_rules, text).map_err(|error| error.to_string())?;
        let mut labels = BTreeMap::new();
        let mut label = None;
        for pair in pairs.clone().filter(|pair| pair.as_rule() == parser::Rule::grammar_rule) {
            let Some(first) = pair.into_inner().next() else { continue };
            if first.as_rule() == parser::Rule::line_doc {
                label = Some(first.as_str().trim_start_matches('/').trim().to_owned());
            } else {
                labels.extend(label.take().map(|label| (first.as_str().to_owned(), label)));
            }
        }
        let rules = consume_rules(pairs).map_err(|errors| format!("{errors:?}"))?;
        let grammar = Self { rules, labels };
        let idle = grammar.idle();
        if idle.is_empty() { Ok(grammar) } else { Err(format!("grammar rules that nothing uses: {}", idle.join(", "))) }
    }

    /// The rules that no text can ever reach.
    fn idle(&self) -> Vec<&str> {
        let mut reached: Vec<&str> = STARTS.to_vec();
        let mut next = 0;
        while let Some(rule) = reached.get(next).map(|name| self.rule(name)) {
            next += 1;
            let Some(rule) = rule else { continue };
            for expr in rule.expr.clone().iter_top_down() {
                if let Expr::Ident(used) = expr
                    && let Some(used) = self.rule(&used)
                    && !reached.contains(&used.name.as_str())
                {
                    reached.push(&used.name);
                }
            }
        }
        self.rules.iter().map(|rule| rule.name.as_str()).filter(|name| !reached.contains(name)).collect()
    }

    fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// The word or symbol that a rule consists of, if it is nothing else.
    fn mark(&self, name: &str) -> Option<&str> {
        if self.labels.contains_key(name) {
            return None;
        }
        match sequence(&self.rule(name)?.expr).as_slice() {
            [Expr::Str(text), rest @ ..] if rest.iter().all(|part| matches!(part, Expr::NegPred(_))) => Some(text),
            _ => None,
        }
    }

    /// A rule's name in messages.
    fn label(&self, name: &str) -> Option<String> {
        if name == "EOI" {
            return Some("the end of the item".to_owned());
        }
        let written = self.labels.get(name).cloned().or_else(|| self.mark(name).map(|text| format!("`{text}`")));
        written.or_else(|| self.called(&self.rule(name).filter(|rule| rule.ty != RuleType::Silent)?.expr))
    }

    /// The name in messages of what an expression begins with.
    fn called(&self, expr: &Expr) -> Option<String> {
        if let Expr::Ident(name) = expr {
            return self.label(name);
        }
        if let Expr::Seq(..) = expr {
            return self.called(sequence(expr).into_iter().find(|part| !self.may_be_absent(part))?);
        }
        let Expr::Choice(..) = expr else { return None };
        let mut labels: Vec<String> = choices(expr).into_iter().filter_map(|part| self.called(part)).collect();
        labels.dedup();
        let last = labels.pop()?;
        Some(if labels.is_empty() { last } else { format!("{} or {last}", labels.join(", ")) })
    }

    fn may_be_absent(&self, expr: &Expr) -> bool {
        if let Expr::Ident(name) = expr {
            return name == "SOI" || self.rule(name).is_some_and(|rule| self.may_be_absent(&rule.expr));
        }
        if let Expr::Choice(..) = expr {
            return choices(expr).into_iter().any(|part| self.may_be_absent(part));
        }
        let sequence = matches!(expr, Expr::Seq(..)) && sequence(expr).into_iter().all(|part| self.may_be_absent(part));
        sequence || matches!(expr, Expr::Opt(_) | Expr::Rep(_) | Expr::PosPred(_) | Expr::NegPred(_))
    }

    /// What an expression can begin with. An alternative that can begin with a name contributes no words.
    fn first(&self, expr: &Expr) -> First {
        let mut first = First::default();
        if let Expr::Ident(name) = expr {
            match (self.mark(name), self.rule(name)) {
                _ if name == "name" => first.name = true,
                (Some(mark), _) => first.texts.push(mark.to_owned()),
                (None, Some(rule)) => first = self.first(&rule.expr),
                (None, None) => {}
            }
        } else if let Expr::Opt(inner) | Expr::Rep(inner) | Expr::RepOnce(inner) = expr {
            first = self.first(inner);
        } else if let Expr::Seq(..) = expr {
            for part in sequence(expr) {
                first.add(self.first(part));
                if !self.may_be_absent(part) {
                    break;
                }
            }
        } else if let Expr::Choice(..) = expr {
            for part in choices(expr) {
                let one = self.first(part);
                first.add(if one.name { First { name: true, texts: Vec::new() } } else { one });
            }
        }
        first
    }

    fn begins(&self, name: &str) -> First {
        self.first(&Expr::Ident(name.to_owned()))
    }

    /// Whether an expression always ends with an operand or an expression.
    fn is_open_ended(&self, expr: &Expr) -> bool {
        if let Expr::Ident(name) = expr {
            return name == "expr"
                || name == "operand"
                || self.rule(name).is_some_and(|rule| self.is_open_ended(&rule.expr));
        }
        let Expr::Seq(..) = expr else { return false };
        let last = sequence(expr).into_iter().rfind(|part| !self.may_be_absent(part));
        last.is_some_and(|part| self.is_open_ended(part))
    }

    /// The alternatives of a rule, each as the rule it is or contains between symbols.
    fn alternatives(&self, name: &str) -> Vec<&str> {
        let parts = self.rule(name).map(|rule| choices(&rule.expr)).unwrap_or_default();
        parts
            .into_iter()
            .filter_map(|part| {
                if let Expr::Ident(name) = part {
                    return Some(name.as_str());
                }
                identifiers(part).into_iter().find(|name| self.mark(name).is_none())
            })
            .collect()
    }

    /// The words in a rule and its subrules, except the one it begins with.
    fn inner_words(&self, name: &str) -> Vec<&str> {
        let uses = |name: &str| self.rule(name).map(|rule| identifiers(&rule.expr)).unwrap_or_default();
        let outer = uses(name).into_iter().skip(1);
        let mut words: Vec<&str> =
            outer.flat_map(uses).filter_map(|part| self.mark(part)).filter(|mark| is_word(mark)).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    fn source(&self) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        self.lists(&mut out)?;
        self.facts(&mut out)?;
        for (choice, name) in CHOICES {
            self.choice(&mut out, choice, name)?;
        }
        Ok(out)
    }

    fn lists(&self, out: &mut String) -> std::fmt::Result {
        let reserved = self.rule("reserved").map(|rule| choices(&rule.expr)).unwrap_or_default();
        let reserved: Vec<&str> = reserved
            .into_iter()
            .filter_map(|part| if let Expr::Str(text) = part { Some(text.as_str()) } else { None })
            .collect();
        let open_ended = self.alternatives("primary").into_iter().filter(|name| {
            !self.begins(name).name && self.rule(name).is_some_and(|rule| self.is_open_ended(&rule.expr))
        });
        let mut open_words = First::default();
        for name in open_ended {
            open_words.add(self.begins(name));
        }
        let tabled: Vec<&Rule> = self.rules.iter().filter(|rule| identifiers(&rule.expr).contains(&"rows")).collect();
        let heads: Vec<String> = tabled.iter().flat_map(|rule| self.begins(&rule.name).texts).collect();
        let mut between: Vec<&str> = tabled.iter().flat_map(|rule| self.inner_words(&rule.name)).collect();
        between.dedup();
        let begins = |name| self.begins(name).texts;
        writeln!(out, "/// Words that may never be names.\npub(super) const RESERVED: &[&str] = &{reserved:?};")?;
        writeln!(out, "/// Words that begin an item.\npub(super) const ITEMS: &[&str] = &{:?};", begins("item"))?;
        writeln!(
            out,
            "/// Words that begin a statement.\npub(super) const STATEMENTS: &[&str] = &{:?};",
            begins("statement")
        )?;
        writeln!(
            out,
            "/// Words that begin an operand which reaches as far as it can.\npub(super) const OPEN_ENDED: &[&str] = &{:?};",
            open_words.texts
        )?;
        writeln!(out, "/// Words that begin an item with a table.\npub(super) const TABLES: &[&str] = &{heads:?};")?;
        writeln!(
            out,
            "/// Words that may stand between the name of such an item and its table.\npub(super) const TABLE_WORDS: &[&str] = &{between:?};"
        )?;
        for (rule, name, what) in
            [("infix", "INFIX", "between two operands"), ("prefix", "PREFIX", "before an operand")]
        {
            let rules: Vec<String> = self.alternatives(rule).iter().map(|rule| format!("Rule::{rule}")).collect();
            let marks = self.alternatives(rule).into_iter().filter_map(|rule| self.mark(rule));
            let words: Vec<&str> = marks.filter(|mark| is_word(mark)).collect();
            writeln!(out, "/// Words that stand {what}.\npub(super) const {name}_WORDS: &[&str] = &{words:?};")?;
            writeln!(out, "/// Operators {what}.\npub(super) const {name}: &[Rule] = &[{}];", rules.join(", "))?;
        }
        Ok(())
    }

    fn facts(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "/// What is known of a rule.\n#[rustfmt::skip]\n#[expect(clippy::match_same_arms, clippy::too_many_lines, reason = \"one arm per rule\")]\nfn facts(rule: Rule) -> Facts {{\n    match rule {{"
        )?;
        for name in self.rules.iter().map(|rule| rule.name.as_str()).chain(["EOI"]) {
            let First { texts, name: named } = self.begins(name);
            writeln!(
                out,
                "        Rule::{name} => Facts {{ label: {:?}, mark: {}, begins: &{texts:?}, name: {named} }},",
                self.label(name),
                self.mark(name).is_some() || name == "EOI" || name == "COMMENT",
            )?;
        }
        writeln!(out, "    }}\n}}")
    }

    fn choice(&self, out: &mut String, choice: &str, name: &str) -> std::fmt::Result {
        let rules = self.alternatives(choice);
        writeln!(
            out,
            "/// The alternatives of `{choice}`.\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub(super) enum {name} {{"
        )?;
        for rule in &rules {
            writeln!(out, "    /// `{rule}`\n    {},", variant(rule))?;
        }
        writeln!(out, "}}\nimpl {name} {{\n    /// All of them.\n    pub(super) const ALL: &[(Rule, Self)] = &[")?;
        for rule in &rules {
            writeln!(out, "        (Rule::{rule}, Self::{}),", variant(rule))?;
        }
        writeln!(
            out,
            "    ];\n    /// The alternative that a rule is.\n    pub(super) fn of(rule: Rule) -> Option<Self> {{\n        \
             Self::ALL.iter().find(|(one, _)| *one == rule).map(|(_, alternative)| *alternative)\n    }}\n}}"
        )
    }
}

/// The parts of a sequence, in order.
fn sequence(expr: &Expr) -> Vec<&Expr> {
    let Expr::Seq(left, right) = expr else { return vec![expr] };
    [sequence(left), sequence(right)].concat()
}

/// The parts of a choice, in order.
fn choices(expr: &Expr) -> Vec<&Expr> {
    let Expr::Choice(left, right) = expr else { return vec![expr] };
    [choices(left), choices(right)].concat()
}

/// The rules an expression refers to, in order.
fn identifiers(expr: &Expr) -> Vec<&str> {
    if let Expr::Ident(name) = expr {
        vec![name]
    } else if let Expr::Seq(left, right) | Expr::Choice(left, right) = expr {
        [identifiers(left), identifiers(right)].concat()
    } else if let Expr::Opt(inner) | Expr::Rep(inner) | Expr::RepOnce(inner) = expr {
        identifiers(inner)
    } else {
        Vec::new()
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

/// The name of an alternative: `kw_or` is `Or`, `move_packet` is `MovePacket`, `if_stmt` is `If`.
fn variant(rule: &str) -> String {
    let bare = rule.strip_prefix("kw_").unwrap_or(rule);
    let endings = ["_item", "_stmt", "_path", "_shape", "_expr", "_op"];
    let bare = endings.iter().find_map(|ending| bare.strip_suffix(ending)).unwrap_or(bare);
    let capital =
        |part: &str| part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect::<String>();
    bare.split('_').map(capital).collect()
}
