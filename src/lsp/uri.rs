//! File URIs, as editors write them, and file names, as all others do.

use std::str::FromStr;

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The beginning of a file URI.
const FILE: &str = "file://";

/// Characters that are percent-encoded in the path of a URI.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// The name of a file. A URI that is not a file URI is its own name.
pub(super) fn name_of(uri: &Uri) -> String {
    let address = uri.as_str();
    let Some(rest) = address.strip_prefix(FILE) else { return address.to_owned() };
    let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(rest);
    let path = percent_decode_str(path).decode_utf8_lossy().into_owned();
    match path.strip_prefix('/') {
        // `/c:/games` is a path on a drive.
        Some(drive) if drive.get(1..2) == Some(":") => drive.to_owned(),
        _ => path,
    }
}

/// The URI of a file; none for what is not a file, such as bundled games.
pub(super) fn uri_of(name: &str) -> Option<Uri> {
    let name = name.replace('\\', "/");
    let drive = name.get(1..2) == Some(":");
    if drive || name.starts_with('/') {
        let root = if drive { "/" } else { "" };
        return Uri::from_str(&format!("{FILE}{root}{}", utf8_percent_encode(&name, ESCAPED))).ok();
    }
    let scheme = name.split_once(':').map(|(scheme, _)| scheme);
    scheme.filter(|scheme| *scheme == "untitled").and_then(|_| Uri::from_str(&name).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_round_trip() {
        for name in ["/games/mühle.rules", "/a b/c%d.rules", "c:/games/x.rules"] {
            let uri = uri_of(name).expect("an address");
            assert_eq!(name_of(&uri), name, "{}", uri.as_str());
        }
        let escaped = Uri::from_str("file:///c%3A/games/x.rules").expect("an address");
        assert_eq!(name_of(&escaped), "c:/games/x.rules");
        assert_eq!(uri_of("shipped:draughts/draughts.rules"), None);
    }
}
