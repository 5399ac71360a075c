//! The door: the page, and lines from it and from nowhere else.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use super::Config;
use super::crowd::customer;
use super::hall::Hall;
use super::line;
use super::porch::{Peer, Porch};

const PAGE: &str = include_str!("page/index.html");
const SCRIPT: &str = include_str!("page/table.js");
const CLICKS: &str = include_str!("page/clicks.js");
const WORDS: &str = include_str!("page/words.js");
const STYLE: &str = include_str!("page/table.css");

/// Nothing from elsewhere, nothing to elsewhere; a link with a token is not told to other hosts.
const GUARD: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// Serves the hall.
pub(super) async fn serve(
    listener: TcpListener,
    hall: Arc<Hall>,
    until: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let text = |kind: &'static str, body: &'static str| {
        get(move || async move { (GUARD, [(header::CONTENT_TYPE, kind)], body) })
    };
    let (html, script) = ("text/html; charset=utf-8", "text/javascript; charset=utf-8");
    let door = Router::new()
        .route("/", text(html, PAGE))
        .route("/t/{table}", text(html, PAGE))
        .route("/table.js", text(script, SCRIPT))
        .route("/clicks.js", text(script, CLICKS))
        .route("/words.js", text(script, WORDS))
        .route("/table.css", text("text/css; charset=utf-8", STYLE))
        .route("/line", get(arrive))
        .with_state(Arc::clone(&hall));
    let door = door.into_make_service_with_connect_info::<Peer>();
    let (proxied, lines_each) = (hall.config.proxied, hall.config.limits.lines_each);
    let listener = Porch { listener, guests: Arc::default(), lines_each, proxied };
    // Lines stay open for as long as people look, so nobody is waited for: what was acknowledged is on the disk.
    tokio::select! {
        result = async { axum::serve(listener, door).await } => result,
        () = until => Ok(()),
    }
}

async fn arrive(
    State(hall): State<Arc<Hall>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if !welcome(&hall.config, text(header::ORIGIN), text(header::HOST)) {
        return (StatusCode::FORBIDDEN, "another page may not play here: see --origin").into_response();
    }
    // The proxy may have appended a line of its own to those that the client sent: the last one counts.
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
    let from = address(&hall.config, peer.address, forwarded);
    let Some(place) = hall.arrive(from) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many lines").into_response();
    };
    let most = hall.config.limits.message;
    upgrade.max_message_size(most).max_frame_size(most).on_upgrade(async move |socket| {
        peer.stays();
        line::run(socket, hall, from).await;
        drop(place);
    })
}

/// Whether a page of this origin may play here. Programs have no origin; browsers always name it for a line.
fn welcome(config: &Config, origin: Option<&str>, host: Option<&str>) -> bool {
    let Some(origin) = origin else { return true };
    if config.origins.iter().any(|known| known.eq_ignore_ascii_case(origin)) {
        return true;
    }
    // A page may name its own host after this machine (DNS rebinding): only bare addresses and `localhost` are believed.
    let Some((_, place)) = origin.split_once("://") else { return false };
    let name =
        place.rsplit_once(':').map_or(place, |(name, port)| if port.parse::<u16>().is_ok() { name } else { place });
    let bare = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
    (bare || name.eq_ignore_ascii_case("localhost")) && host.is_some_and(|host| host.eq_ignore_ascii_case(place))
}

/// Who is at the other end.
fn address(config: &Config, peer: IpAddr, forwarded: Option<&str>) -> IpAddr {
    let last = forwarded.filter(|_| config.proxied).and_then(|list| list.rsplit(',').next());
    customer(last.and_then(|last| last.trim().parse().ok()).unwrap_or(peer))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::{address, welcome};
    use crate::say::Lang;
    use crate::table::{Config, Limits};

    fn config(origins: &[&str], proxied: bool) -> Config {
        Config {
            address: ([127, 0, 0, 1], 0).into(),
            file: "x".into(),
            origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
            proxied,
            game: None,
            strangers: true,
            lang: Lang::En,
            limits: Limits::default(),
        }
    }

    #[test]
    fn only_the_own_page_may_play() {
        let plain = config(&[], false);
        let yes = [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://localhost:1", "localhost:1"),
            ("http://[::1]:80", "[::1]:80"),
        ];
        for (origin, host) in yes {
            assert!(welcome(&plain, Some(origin), Some(host)), "{origin}");
        }
        let no = [
            ("http://evil.example", "127.0.0.1:8080"),
            ("http://127.0.0.1:81", "127.0.0.1:8080"),
            // A name that was made to point to this machine.
            ("http://evil.example:8080", "evil.example:8080"),
            ("null", "127.0.0.1:8080"),
        ];
        for (origin, host) in no {
            assert!(!welcome(&plain, Some(origin), Some(host)), "{origin}");
        }
        assert!(!welcome(&plain, Some("http://localhost:1"), None));
        assert!(welcome(&plain, None, Some("127.0.0.1:8080")), "a program");
        let named = config(&["https://games.example"], false);
        assert!(welcome(&named, Some("https://games.example"), Some("games.example")));
        assert!(!welcome(&named, Some("http://games.example"), Some("games.example")));
    }

    #[test]
    fn the_proxy_is_believed_only_if_there_is_one() {
        let (peer, list) = (IpAddr::from(Ipv4Addr::LOCALHOST), Some("1.2.3.4, 5.6.7.8"));
        assert_eq!(address(&config(&[], false), peer, list), peer);
        assert_eq!(address(&config(&[], true), peer, list), IpAddr::from([5, 6, 7, 8]));
        assert_eq!(address(&config(&[], true), peer, None), peer);
        let mapped = address(&config(&[], true), peer, Some("::ffff:1.2.3.4"));
        assert_eq!(mapped, IpAddr::from([1, 2, 3, 4]));
    }
}
