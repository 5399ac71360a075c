//! Sections and items as a tree, with their labels.

/// The maximum number of labels searched in a list.
const LABELS: usize = 1000;

/// A section or an item.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Its parent.
    pub(super) parent: Option<usize>,
    /// Its label as written, such as `§3`, `2`, `4a`; empty for bullets.
    pub(super) label: String,
    /// Its title, or the words before the colon at its beginning.
    pub(super) title: String,
    pub(super) line: u32,
    /// The level of a section.
    pub(super) level: u8,
    /// The indentation of an item.
    pub(super) indent: usize,
    pub(super) is_item: bool,
    /// Its own units.
    pub(super) units: Vec<usize>,
    /// Its children.
    pub(super) children: Vec<usize>,
}

/// All sections and items of a document, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) nodes: Vec<Node>,
    /// Those without a parent.
    pub(super) top: Vec<usize>,
}

impl Outline {
    /// The innermost section that contains a node, or the node itself.
    pub(super) fn section(&self, node: usize) -> usize {
        let mut at = node;
        while let Some(found) = self.nodes.get(at) {
            match found.parent {
                Some(parent) if found.is_item => at = parent,
                _ => return at,
            }
        }
        node
    }

    /// Whether a node is another one or a descendant of it.
    pub(super) fn is_within(&self, node: usize, outer: usize) -> bool {
        let mut at = Some(node);
        while let Some(number) = at {
            if number == outer {
                return true;
            }
            at = self.nodes.get(number).and_then(|node| node.parent);
        }
        false
    }

    /// The units of a node and its descendants.
    pub(super) fn units(&self, outer: usize) -> impl Iterator<Item = usize> {
        // Nodes are in document order, so descendants follow their ancestor.
        let inside =
            self.nodes.iter().skip(outer + 1).take_while(move |node| node.parent.is_some_and(|parent| parent >= outer));
        self.nodes.get(outer).into_iter().chain(inside).flat_map(|node| node.units.iter().copied())
    }

    /// Adds a node.
    pub(super) fn add(&mut self, node: Node) -> usize {
        let number = self.nodes.len();
        match node.parent.and_then(|parent| self.nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(number),
            None => self.top.push(number),
        }
        self.nodes.push(node);
        number
    }

    /// The child of a node with a label. `2a` and `a` are the same within 2.
    pub(super) fn child(&self, parent: usize, label: &str) -> Option<usize> {
        let above = self.nodes.get(parent)?;
        above.children.iter().copied().take(LABELS).find(|child| {
            self.nodes.get(*child).is_some_and(|node| node.label == label || short(&node.label, &above.label) == label)
        })
    }

    /// How a node is cited: `§3 Absatz 2a`.
    pub(super) fn name(&self, node: usize) -> String {
        let mut labels: Vec<&str> = Vec::new();
        let mut at = Some(node);
        while let Some(found) = at.and_then(|number| self.nodes.get(number)) {
            if !found.label.is_empty() {
                let above = found.parent.and_then(|parent| self.nodes.get(parent)).map_or("", |node| &node.label);
                labels.push(short(&found.label, above));
            }
            at = found.parent;
        }
        labels.reverse();
        match labels.as_slice() {
            [section, paragraph, rest @ ..] if section.starts_with('§') => {
                format!("{section} Absatz {paragraph}{}", rest.concat())
            }
            labels => labels.join("."),
        }
    }
}

/// A label without its parent's: `2a` within `2` is `a`.
fn short<'a>(label: &'a str, above: &str) -> &'a str {
    match label.strip_prefix(above) {
        Some(rest) if !above.is_empty() && rest.starts_with(|c: char| c.is_ascii_lowercase()) => rest,
        _ => label,
    }
}
