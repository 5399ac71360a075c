//! What the documents promise of the command line.

#[test]
fn documented_commands_do_what_they_say() {
    trycmd::TestCases::new().case("README.md").case("tests/cli/*.md");
}
