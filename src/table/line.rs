//! A line: what one browser says and is told.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::bucket::Bucket;
use super::hall::Hall;
use super::message::{Refusal, Wish, parse};
use super::play::{BOT_KEY, Stir, Table};
use super::token::Token;
use crate::base::SaturatingFrom;
use crate::ir::SeatId;
use crate::model::Viewer;

/// How often a line is asked whether it is still there.
const BEAT: Duration = Duration::from_secs(5);

/// A line that says nothing for so long is gone.
const SILENCE: Duration = Duration::from_secs(30);

/// A line that does not take what it is sent within this time is gone.
const SLOW: Duration = Duration::from_secs(10);

/// A line that goes on after so many messages were too many is closed.
const FLOOD: u32 = 200;

/// How much longer bursts may be than the rate of a second.
const BURST: f64 = 3.0;

/// Where a line looks.
struct Place {
    table: Arc<Table>,
    viewer: Viewer,
    /// Its number at the table.
    number: u64,
    stir: watch::Receiver<Stir>,
    /// The steps it has been told of, and the changes at the seats.
    told: Option<Stir>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.table.leave(self.number);
    }
}

struct Line {
    hall: Arc<Hall>,
    from: IpAddr,
    place: Option<Place>,
}

/// Serves a line until it ends.
pub(super) async fn run(socket: WebSocket, hall: Arc<Hall>, from: IpAddr) {
    let rate = f64::from(hall.config.limits.rate);
    let bucket = Bucket::new(rate * BURST, rate, Instant::now());
    let mut line = Line { hall, from, place: None };
    talk(socket, &mut line, bucket).await;
}

async fn talk(mut socket: WebSocket, line: &mut Line, mut bucket: Bucket) {
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut heard, mut pinged, mut refused) = (Instant::now(), Instant::now(), 0);
    loop {
        let out = tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        if bucket.take(heard) {
                            refused = 0;
                            line.reply(&text).await
                        } else {
                            refused += 1;
                            let refusal = Refusal::limit("too many messages at once", "send fewer a second");
                            json!({"id": null, "error": refusal.json()}).to_string()
                        }
                    }
                    Some(Ok(Message::Pong(_))) => {
                        line.delay(heard.saturating_duration_since(pinged));
                        continue;
                    }
                    Some(Ok(Message::Ping(_))) => continue,
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return,
                }
            }
            () = line.changed() => match line.news().await {
                Some(news) => news,
                None => continue,
            },
            _ = beat.tick() => {
                if heard.elapsed() > SILENCE {
                    return;
                }
                pinged = Instant::now();
                if !sent(&mut socket, Message::Ping(Vec::new().into())).await {
                    return;
                }
                continue;
            }
        };
        if refused > FLOOD {
            let frame = CloseFrame { code: close_code::POLICY, reason: "too many messages".into() };
            sent(&mut socket, Message::Close(Some(frame))).await;
            return;
        }
        if !sent(&mut socket, Message::Text(out.into())).await {
            return;
        }
    }
}

/// Sends something; false if the line is gone or too slow.
async fn sent(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(SLOW, socket.send(message)).await, Ok(Ok(())))
}

impl Line {
    /// Something has changed at the table.
    async fn changed(&mut self) {
        match &mut self.place {
            Some(place) if place.told.is_none() => {}
            Some(place) => {
                if place.stir.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
            None => std::future::pending().await,
        }
    }

    /// What is new for this line. One that is slow is told of several changes at once.
    async fn news(&mut self) -> Option<String> {
        let place = self.place.as_mut()?;
        let stir = *place.stir.borrow_and_update();
        let told = place.told.replace(stir);
        let people = (told.map(|told| told.people) != Some(stir.people)).then_some(());
        let people = match people {
            Some(()) => place.table.people().await,
            None => Value::Null,
        };
        let seen = told.map(|told| told.steps);
        if seen == Some(stir.steps) {
            return (!people.is_null()).then(|| json!({"people": people}).to_string());
        }
        let (scene, steps) = place.table.scene(place.viewer, seen.unwrap_or(0)).await;
        place.told = Some(Stir { steps, ..stir });
        Some(format!("{{\"scene\":{scene},\"people\":{people}}}"))
    }

    fn delay(&self, delay: Duration) {
        if let Some(place) = &self.place {
            place.table.delay(place.number, u64::saturating_from(delay.as_millis()));
        }
    }

    async fn reply(&mut self, text: &str) -> String {
        let (id, wish) = parse(text);
        let granted = match wish {
            Ok(wish) => self.grant(wish).await,
            Err(refusal) => Err(refusal),
        };
        let reply = match granted {
            Ok(value) => json!({"id": id, "ok": value}),
            Err(refusal) => json!({"id": id, "error": refusal.json()}),
        };
        reply.to_string()
    }

    async fn grant(&mut self, wish: Wish) -> Result<Value, Refusal> {
        match wish {
            Wish::Games => Ok(self.hall.games()),
            Wish::Describe(choice) => self.hall.describe(self.from, &choice).await,
            Wish::Open(choice) => self.hall.open_table(self.from, &choice).await,
            Wish::Enter { table, token } => self.enter(&table, token.as_deref()).await,
            Wish::Sit { seat } => self.sit(&seat).await,
            Wish::Bot { seat, bot } => {
                let (place, me) = self.seated()?;
                place.table.place_bot(&self.hall, me, &seat, bot.as_deref()).await.map(|()| json!({}))
            }
            Wish::Play { text, step, key } => {
                let (place, me) = self.seated()?;
                if key.starts_with(BOT_KEY) {
                    let message = format!("a key that begins with `{BOT_KEY}` is a bot's");
                    return Err(Refusal::new("bad-value", message, "give another one"));
                }
                place.table.answer(&self.hall, (me, Some(self.from)), (&text, step, &key)).await
            }
            Wish::Why { text } => {
                let (place, me) = self.seated()?;
                let mut play = place.table.play.lock().await;
                play.may_work()?;
                Ok(play.working(|play| play.hosted.why(Viewer::Seat(me), &text))?)
            }
            Wish::Look { step } => {
                let place = self.place()?;
                let mut play = place.table.play.lock().await;
                play.may_work()?;
                Ok(play.working(|play| play.hosted.look(place.viewer, step))?)
            }
            Wish::Again => {
                let (place, _) = self.seated()?;
                self.hall.again(self.from, &place.table).await
            }
        }
    }

    fn place(&self) -> Result<&Place, Refusal> {
        self.place.as_ref().ok_or_else(|| Refusal::new("not-entered", "this line is at no table", "`enter` one first"))
    }

    /// The table and the seat of this line.
    fn seated(&self) -> Result<(&Place, SeatId), Refusal> {
        let place = self.place()?;
        match place.viewer {
            Viewer::Seat(me) => Ok((place, me)),
            Viewer::Spectator => {
                Err(Refusal::new("not-seated", "a spectator only looks on", "`sit` on a free seat first"))
            }
        }
    }

    async fn enter(&mut self, name: &str, token: Option<&str>) -> Result<Value, Refusal> {
        let table = self.hall.find(self.from, name).await?;
        let viewer = match token {
            None => Viewer::Spectator,
            Some(token) => {
                let seat = match Token::read(token) {
                    Some(token) => table.seat_of(&token).await,
                    None => None,
                };
                let wrong = || {
                    Refusal::new("no-seat", "this link is not that of a seat", "ask for the table's link, and sit down")
                };
                Viewer::Seat(seat.ok_or_else(wrong)?)
            }
        };
        self.look(table, viewer).await
    }

    async fn sit(&mut self, name: &str) -> Result<Value, Refusal> {
        let place = self.place()?;
        if place.viewer != Viewer::Spectator {
            return Err(Refusal::new("seated", "this line is a seat's already", "open the table in another window"));
        }
        let table = Arc::clone(&place.table);
        let (seat, token) = table.sit(&self.hall, name).await?;
        let mut told = self.look(table, Viewer::Seat(seat)).await?;
        told["token"] = json!(token.text());
        Ok(told)
    }

    /// Looks at a table from now on.
    async fn look(&mut self, table: Arc<Table>, viewer: Viewer) -> Result<Value, Refusal> {
        table.seen_from(self.from).await;
        let (stir, number) = (table.stir.subscribe(), table.enter(viewer));
        let mut told = table.play.lock().await.hosted.opening();
        told["seat"] = match viewer {
            Viewer::Seat(seat) => json!(usize::from(seat)),
            Viewer::Spectator => Value::Null,
        };
        self.place = Some(Place { table, viewer, number, stir, told: None });
        Ok(told)
    }
}
