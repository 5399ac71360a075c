//! Boards and their shapes.
//!
//! **Invariant:** a graph line has one site more than it has edges.

use super::{Builder, Children, has};
use crate::syntax::ast::expr::Expr;
use crate::syntax::ast::item::{GraphLine, HexShape, ItemKind, SeatGroup, Shape};
use crate::syntax::grammar::{Rule, ShapeRule};
use pest::iterators::Pair;

impl Builder {
    /// A board.
    pub(super) fn board(&mut self, children: &mut Children<'_>) -> Option<ItemKind> {
        let name = children.opt(Rule::name).map(|name| self.ident(&name));
        let shape = self.need(children, Rule::shape)?;
        let shape = self.shape(shape)?;
        let named = self.text_after(children, Rule::kw_named);
        Some(ItemKind::Board { name, shape, named, keep: self.maybe(children, Rule::expr)? })
    }

    fn shape(&mut self, pair: Pair<'_, Rule>) -> Option<Shape> {
        let inner = self.only(pair)?;
        let closed = has(&inner, Rule::kw_ring);
        let (star, hexagon, triangle) =
            (has(&inner, Rule::kw_star), has(&inner, Rule::kw_hexagon), has(&inner, Rule::kw_triangle));
        let mut children = self.children(inner);
        let known = ShapeRule::of(children.rule);
        let rule = self.presume(&children, "a known shape", known)?;
        let children = &mut children;
        Some(match rule {
            ShapeRule::Square => Shape::Square(self.size(children)?, self.size(children)?),
            ShapeRule::Hex => {
                let size = self.size(children)?;
                Shape::Hex(match (star, hexagon, triangle) {
                    (true, _, _) => HexShape::Star(size),
                    (false, true, _) => HexShape::Hexagon(size),
                    (false, false, true) => HexShape::Triangle(size),
                    (false, false, false) => HexShape::Rhombus(size, self.size(children)?),
                })
            }
            ShapeRule::Ring => {
                let groups = children.all(Rule::seat_group).into_iter();
                let groups: Vec<_> = groups.map(|group| self.group(group)).collect::<Option<_>>()?;
                if groups.is_empty() {
                    Shape::Line { closed, count: self.size(children)? }
                } else {
                    Shape::PerSeat { closed, groups }
                }
            }
            ShapeRule::Graph => {
                let lines = children.all(Rule::graph_line).into_iter();
                Shape::Graph(lines.map(|line| self.line(line)).collect::<Option<_>>()?)
            }
        })
    }

    fn size(&mut self, children: &mut Children<'_>) -> Option<Expr> {
        self.needed(children, Rule::operand)
    }

    fn group(&mut self, pair: Pair<'_, Rule>) -> Option<SeatGroup> {
        let mut children = self.children(pair);
        let name = self.name(&mut children)?;
        let count = self.maybe(&mut children, Rule::operand)?;
        Some(SeatGroup { name, count, named: self.text_after(&mut children, Rule::kw_named) })
    }

    fn line(&mut self, pair: Pair<'_, Rule>) -> Option<GraphLine> {
        let directed = has(&pair, Rule::colon);
        let mut children = self.children(pair);
        let direction = if directed { Some(self.name(&mut children)?) } else { None };
        let mut sites = vec![self.name(&mut children)?];
        let mut one_way = Vec::new();
        while let Some(edge) = children.opt(Rule::edge) {
            one_way.push(edge.as_str() == ">");
            sites.push(self.name(&mut children)?);
        }
        Some(GraphLine { direction, sites, one_way })
    }
}
