//! The parser that pest derives, and what its rules are called in messages.
//!
//! **Invariant:** every rule has its arm in [`Rule::label`], so that a new rule
//! does not compile until someone has said what users call it.

use pest_derive::Parser;

/// The parser for rule files.
#[derive(Debug, Parser)]
#[grammar = "grammar/lexis.pest"]
#[grammar = "grammar/items.pest"]
#[grammar = "grammar/statements.pest"]
#[grammar = "grammar/expressions.pest"]
pub(super) struct RulesParser;

/// Operators between two operands.
pub(super) const INFIX: &[Rule] = &[
    Rule::kw_or,
    Rule::kw_and,
    Rule::kw_in,
    Rule::kw_within,
    Rule::kw_meets,
    Rule::kw_mod,
    Rule::eq,
    Rule::ne,
    Rule::le,
    Rule::ge,
    Rule::lt,
    Rule::gt,
    Rule::range,
    Rule::union_op,
    Rule::intersect,
    Rule::plus,
    Rule::minus,
    Rule::times,
    Rule::divide,
];

/// What may stand behind an operand and is seldom what was meant.
pub(super) const POSTFIX: &[Rule] =
    &[Rule::args, Rule::lparen, Rule::field, Rule::dot, Rule::kw_of, Rule::kw_at, Rule::params];

/// Operators before an operand.
pub(super) const PREFIX: &[Rule] = &[Rule::kw_not, Rule::kw_no, Rule::kw_some, Rule::negate];

/// What users call a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Called {
    /// A keyword or punctuation, as it is written.
    Mark(&'static str),
    /// A phrase for what stands there.
    Thing(&'static str),
    /// Nothing: naming it would help nobody.
    Hidden,
}

impl Rule {
    /// What users call the rule; nothing for rules that are no help to them.
    pub(super) fn label(self) -> Option<&'static str> {
        match self.called() {
            Called::Mark(text) | Called::Thing(text) => Some(text),
            Called::Hidden => None,
        }
    }

    /// Whether the rule is a keyword or punctuation: something that says
    /// nothing by itself once the rule around it is known.
    pub(super) fn is_mark(self) -> bool {
        self == Self::COMMENT || self == Self::EOI || matches!(self.called(), Called::Mark(_))
    }

    #[expect(clippy::too_many_lines, reason = "one arm per name")]
    fn called(self) -> Called {
        match self {
            Self::name
            | Self::game_name
            | Self::player
            | Self::enum_member
            | Self::field_decl
            | Self::seat_group
            | Self::graph_line
            | Self::seat_case
            | Self::param
            | Self::field_set
            | Self::token_spec
            | Self::assign_stmt
            | Self::call_stmt
            | Self::group
            | Self::binder
            | Self::name_ref
            | Self::path_call => Called::Thing("a name"),
            Self::number | Self::counts | Self::count => Called::Thing("a number"),
            Self::string => Called::Thing("a string in quotes"),
            Self::clause | Self::cites => Called::Thing("a clause such as `§1`"),
            Self::kw_and => Called::Mark("`and`"),
            Self::kw_or => Called::Mark("`or`"),
            Self::kw_not => Called::Mark("`not`"),
            Self::kw_in => Called::Mark("`in`"),
            Self::kw_within => Called::Mark("`within`"),
            Self::kw_meets => Called::Mark("`meets`"),
            Self::kw_of => Called::Mark("`of`"),
            Self::kw_at => Called::Mark("`at`"),
            Self::zone_limit => Called::Thing("`at`"),
            Self::kw_if => Called::Mark("`if`"),
            Self::if_stmt | Self::test_path => Called::Thing("`if`"),
            Self::kw_then => Called::Mark("`then`"),
            Self::kw_else => Called::Mark("`else`"),
            Self::kw_any => Called::Mark("`any`"),
            Self::kw_all => Called::Mark("`all`"),
            Self::kw_no => Called::Mark("`no`"),
            Self::kw_some => Called::Mark("`some`"),
            Self::kw_own => Called::Mark("`own`"),
            Self::kw_enemy => Called::Mark("`enemy`"),
            Self::kw_where => Called::Mark("`where`"),
            Self::kw_true => Called::Mark("`true`"),
            Self::kw_false => Called::Mark("`false`"),
            Self::kw_for => Called::Mark("`for`"),
            Self::for_stmt | Self::field_of => Called::Thing("`for`"),
            Self::kw_sum => Called::Mark("`sum`"),
            Self::kw_max => Called::Mark("`max`"),
            Self::kw_min => Called::Mark("`min`"),
            Self::kw_union => Called::Mark("`union`"),
            Self::kw_top => Called::Mark("`top`"),
            Self::kw_after => Called::Mark("`after`"),
            Self::kw_mod => Called::Mark("`mod`"),
            Self::kw_game => Called::Mark("`game`"),
            Self::game_item => Called::Thing("`game`"),
            Self::kw_extends => Called::Mark("`extends`"),
            Self::kw_document => Called::Mark("`document`"),
            Self::document_item => Called::Thing("`document`"),
            Self::kw_clauses => Called::Mark("`clauses`"),
            Self::kw_ledger => Called::Mark("`ledger`"),
            Self::kw_clause => Called::Mark("`clause`"),
            Self::clause_item => Called::Thing("`clause`"),
            Self::kw_players => Called::Mark("`players`"),
            Self::players_item => Called::Thing("`players`"),
            Self::kw_symbol => Called::Mark("`symbol`"),
            Self::kw_seating => Called::Mark("`seating`"),
            Self::seating_item => Called::Thing("`seating`"),
            Self::kw_first => Called::Mark("`first`"),
            Self::first_item => Called::Thing("`first`"),
            Self::kw_option => Called::Mark("`option`"),
            Self::option_item => Called::Thing("`option`"),
            Self::kw_reading => Called::Mark("`reading`"),
            Self::reading_item => Called::Thing("`reading`"),
            Self::kw_enum => Called::Mark("`enum`"),
            Self::enum_item => Called::Thing("`enum`"),
            Self::kw_kinds => Called::Mark("`kinds`"),
            Self::kinds_item => Called::Thing("`kinds`"),
            Self::kw_piece => Called::Mark("`piece`"),
            Self::piece_item => Called::Thing("`piece`"),
            Self::kw_owned => Called::Mark("`owned`"),
            Self::owned => Called::Thing("`owned`"),
            Self::kw_tokens => Called::Mark("`tokens`"),
            Self::tokens_item => Called::Thing("`tokens`"),
            Self::kw_table => Called::Mark("`table`"),
            Self::table_item => Called::Thing("`table`"),
            Self::kw_board => Called::Mark("`board`"),
            Self::board_item => Called::Thing("`board`"),
            Self::kw_square => Called::Mark("`square`"),
            Self::square_shape => Called::Thing("`square`"),
            Self::kw_hex => Called::Mark("`hex`"),
            Self::hex_shape => Called::Thing("`hex`"),
            Self::kw_star => Called::Mark("`star`"),
            Self::kw_hexagon => Called::Mark("`hexagon`"),
            Self::kw_triangle => Called::Mark("`triangle`"),
            Self::kw_rhombus => Called::Mark("`rhombus`"),
            Self::kw_ring => Called::Mark("`ring`"),
            Self::ring_shape => Called::Thing("`ring`"),
            Self::kw_track => Called::Mark("`track`"),
            Self::kw_graph => Called::Mark("`graph`"),
            Self::graph_shape => Called::Thing("`graph`"),
            Self::kw_per => Called::Mark("`per`"),
            Self::kw_seat => Called::Mark("`seat`"),
            Self::kw_named => Called::Mark("`named`"),
            Self::kw_keep => Called::Mark("`keep`"),
            Self::kw_region => Called::Mark("`region`"),
            Self::region_item => Called::Thing("`region`"),
            Self::kw_define => Called::Mark("`define`"),
            Self::define_item => Called::Thing("`define`"),
            Self::kw_path => Called::Mark("`path`"),
            Self::path_item => Called::Thing("`path`"),
            Self::kw_var => Called::Mark("`var`"),
            Self::var_item => Called::Thing("`var`"),
            Self::kw_record => Called::Mark("`record`"),
            Self::kw_zone => Called::Mark("`zone`"),
            Self::zone_item => Called::Thing("`zone`"),
            Self::kw_pile => Called::Mark("`pile`"),
            Self::kw_row => Called::Mark("`row`"),
            Self::kw_set => Called::Mark("`set`"),
            Self::row_item => Called::Thing("`row`"),
            Self::row_key => Called::Thing("the key of a row"),
            Self::set_item => Called::Thing("`set`"),
            Self::kw_most => Called::Mark("`most`"),
            Self::kw_seen => Called::Mark("`seen`"),
            Self::sight => Called::Thing("`seen`"),
            Self::kw_setup => Called::Mark("`setup`"),
            Self::setup_item => Called::Thing("`setup`"),
            Self::kw_action => Called::Mark("`action`"),
            Self::action_item => Called::Thing("`action`"),
            Self::kw_cue => Called::Mark("`cue`"),
            Self::cue_item => Called::Thing("`cue`"),
            Self::kw_claim => Called::Mark("`claim`"),
            Self::claim_item => Called::Thing("`claim`"),
            Self::kw_offer => Called::Mark("`offer`"),
            Self::offer_item => Called::Thing("`offer`"),
            Self::kw_procedure => Called::Mark("`procedure`"),
            Self::procedure_item => Called::Thing("`procedure`"),
            Self::kw_play => Called::Mark("`play`"),
            Self::play_item => Called::Thing("`play`"),
            Self::kw_end => Called::Mark("`end`"),
            Self::end_item => Called::Thing("`end`"),
            Self::kw_before => Called::Mark("`before`"),
            Self::kw_turn => Called::Mark("`turn`"),
            Self::kw_move => Called::Mark("`move`"),
            Self::move_packet | Self::move_tokens | Self::move_stmt => Called::Thing("`move`"),
            Self::kw_when => Called::Mark("`when`"),
            Self::kw_invariant => Called::Mark("`invariant`"),
            Self::invariant_item => Called::Thing("`invariant`"),
            Self::kw_variant => Called::Mark("`variant`"),
            Self::variant_item => Called::Thing("`variant`"),
            Self::kw_excludes => Called::Mark("`excludes`"),
            Self::kw_replace => Called::Mark("`replace`"),
            Self::replace_item => Called::Thing("`replace`"),
            Self::kw_remove => Called::Mark("`remove`"),
            Self::remove_item | Self::remove_stmt => Called::Thing("`remove`"),
            Self::kw_choose => Called::Mark("`choose`"),
            Self::choose_stmt => Called::Thing("`choose`"),
            Self::kw_roll => Called::Mark("`roll`"),
            Self::roll_stmt => Called::Thing("`roll`"),
            Self::kw_by => Called::Mark("`by`"),
            Self::claim_by => Called::Thing("`by`"),
            Self::kw_require => Called::Mark("`require`"),
            Self::require_stmt => Called::Thing("`require`"),
            Self::kw_ensure => Called::Mark("`ensure`"),
            Self::ensure_stmt => Called::Thing("`ensure`"),
            Self::kw_prefer => Called::Mark("`prefer`"),
            Self::prefer_stmt => Called::Thing("`prefer`"),
            Self::kw_let => Called::Mark("`let`"),
            Self::let_stmt => Called::Thing("`let`"),
            Self::kw_put => Called::Mark("`put`"),
            Self::put_stmt => Called::Thing("`put`"),
            Self::kw_on => Called::Mark("`on`"),
            Self::kw_with => Called::Mark("`with`"),
            Self::kw_from => Called::Mark("`from`"),
            Self::kw_to => Called::Mark("`to`"),
            Self::kw_swap => Called::Mark("`swap`"),
            Self::swap_stmt => Called::Thing("`swap`"),
            Self::kw_change => Called::Mark("`change`"),
            Self::change_stmt => Called::Thing("`change`"),
            Self::kw_sow => Called::Mark("`sow`"),
            Self::sow_stmt => Called::Thing("`sow`"),
            Self::kw_along => Called::Mark("`along`"),
            Self::along_path => Called::Thing("`along`"),
            Self::kw_skip => Called::Mark("`skip`"),
            Self::kw_as => Called::Mark("`as`"),
            Self::kw_shuffle => Called::Mark("`shuffle`"),
            Self::shuffle_stmt => Called::Thing("`shuffle`"),
            Self::kw_rotate => Called::Mark("`rotate`"),
            Self::rotate_stmt => Called::Thing("`rotate`"),
            Self::kw_bottom => Called::Mark("`bottom`"),
            Self::kw_under => Called::Mark("`under`"),
            Self::under => Called::Thing("`under`"),
            Self::kw_while => Called::Mark("`while`"),
            Self::while_stmt => Called::Thing("`while`"),
            Self::kw_repeat => Called::Mark("`repeat`"),
            Self::repeat_stmt => Called::Thing("`repeat`"),
            Self::kw_turns => Called::Mark("`turns`"),
            Self::turns_stmt => Called::Thing("`turns`"),
            Self::kw_phase => Called::Mark("`phase`"),
            Self::phase_stmt => Called::Thing("`phase`"),
            Self::kw_again => Called::Mark("`again`"),
            Self::again_stmt => Called::Thing("`again`"),
            Self::kw_give => Called::Mark("`give`"),
            Self::give_stmt => Called::Thing("`give`"),
            Self::kw_stop => Called::Mark("`stop`"),
            Self::stop_stmt => Called::Thing("`stop`"),
            Self::kw_plays => Called::Mark("`plays`"),
            Self::kw_may => Called::Mark("`may`"),
            Self::kw_together => Called::Mark("`together`"),
            Self::together_stmt => Called::Thing("`together`"),
            Self::kw_race => Called::Mark("`race`"),
            Self::race_stmt => Called::Thing("`race`"),
            Self::kw_until => Called::Mark("`until`"),
            Self::kw_win => Called::Mark("`win`"),
            Self::win_stmt => Called::Thing("`win`"),
            Self::kw_lose => Called::Mark("`lose`"),
            Self::lose_stmt => Called::Thing("`lose`"),
            Self::kw_draw => Called::Mark("`draw`"),
            Self::draw_stmt => Called::Thing("`draw`"),
            Self::kw_rank => Called::Mark("`rank`"),
            Self::rank_stmt => Called::Thing("`rank`"),
            Self::kw_place => Called::Mark("`place`"),
            Self::place_stmt => Called::Thing("`place`"),
            Self::kw_eliminate => Called::Mark("`eliminate`"),
            Self::eliminate_stmt => Called::Thing("`eliminate`"),
            Self::kw_step => Called::Mark("`step`"),
            Self::step_path => Called::Thing("`step`"),
            Self::kw_slide => Called::Mark("`slide`"),
            Self::slide_path => Called::Thing("`slide`"),
            Self::kw_hop => Called::Mark("`hop`"),
            Self::hop_path => Called::Thing("`hop`"),
            Self::kw_over => Called::Mark("`over`"),
            Self::kw_through => Called::Mark("`through`"),
            Self::kw_up => Called::Mark("`up`"),
            Self::kw_take => Called::Mark("`take`"),
            Self::take_path => Called::Thing("`take`"),
            Self::kw_taking => Called::Mark("`taking`"),
            Self::taking => Called::Thing("`taking`"),
            Self::kw_fully => Called::Mark("`fully`"),
            Self::fully => Called::Thing("`fully`"),
            Self::kw_x => Called::Mark("`x`"),
            Self::colon => Called::Mark("`:`"),
            Self::comma => Called::Mark("`,`"),
            Self::semicolon => Called::Mark("`;`"),
            Self::lbrace => Called::Mark("`{`"),
            Self::fields => Called::Thing("`{`"),
            Self::rbrace => Called::Mark("`}`"),
            Self::lparen => Called::Mark("`(`"),
            Self::params | Self::args => Called::Thing("`(`"),
            Self::rparen => Called::Mark("`)`"),
            Self::bar | Self::union_op => Called::Mark("`|`"),
            Self::dot => Called::Mark("`.`"),
            Self::field => Called::Thing("`.`"),
            Self::equals => Called::Mark("`=`"),
            Self::WHITESPACE
            | Self::name_char
            | Self::reserved
            | Self::shape_word
            | Self::blank
            | Self::gap
            | Self::prefix
            | Self::infix
            | Self::broken
            | Self::cell
            | Self::COMMENT => Called::Hidden,
            Self::file | Self::only_item | Self::item => Called::Thing("an item such as `action`"),
            Self::rows | Self::table_row => Called::Thing("a table row starting with `|`"),
            Self::shape => Called::Thing("a shape such as `square` or `hex`"),
            Self::edge => Called::Thing("`-` or `>`"),
            Self::type_name => Called::Thing("a type"),
            Self::moment => Called::Thing("`before turn`, `after move` or `after turn`"),
            Self::block => Called::Thing("a block in braces"),
            Self::statement => Called::Thing("a statement"),
            Self::amount | Self::count_of => Called::Thing("an amount"),
            Self::piece_spec => Called::Thing("a piece"),
            Self::assign_op => Called::Thing("`:=`"),
            Self::plays_stmt
            | Self::expr
            | Self::operand
            | Self::primary
            | Self::truth
            | Self::quantified
            | Self::aggregate
            | Self::best
            | Self::top_of
            | Self::after_expr
            | Self::if_expr
            | Self::own_ref
            | Self::enemy_ref
            | Self::owner
            | Self::set_filter
            | Self::set_list => Called::Thing("an expression"),
            Self::eq => Called::Mark("`==`"),
            Self::ne => Called::Mark("`!=`"),
            Self::le => Called::Mark("`<=`"),
            Self::ge => Called::Mark("`>=`"),
            Self::lt => Called::Mark("`<`"),
            Self::gt => Called::Mark("`>`"),
            Self::range => Called::Mark("`..`"),
            Self::intersect => Called::Mark("`&`"),
            Self::plus => Called::Mark("`+`"),
            Self::plus_op => Called::Thing("`+`"),
            Self::minus | Self::negate => Called::Mark("`-`"),
            Self::times => Called::Mark("`*`"),
            Self::star_op => Called::Thing("`*`"),
            Self::divide => Called::Mark("`/`"),
            Self::path | Self::path_seq | Self::path_rep | Self::path_atom => Called::Thing("a path"),
            Self::repetition => Called::Thing("`*`, `+`, `?` or `{n}`"),
            Self::opt_op => Called::Thing("`?`"),
            Self::heading | Self::site_test | Self::along_set | Self::along_part | Self::site_set => {
                Called::Thing("a set of sites")
            }
            Self::EOI => Called::Thing("the end of the item"),
        }
    }
}
