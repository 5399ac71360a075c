//! How many there are, of one address and in all.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex as Lock, PoisonError};

/// Whom an address counts for: a customer of a provider has all addresses of IPv6 that begin with the same 64 bits.
pub(super) fn customer(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

/// Those who are there.
#[derive(Debug, Default)]
pub(super) struct Crowd(Lock<Count>);

#[derive(Debug, Default)]
struct Count {
    all: usize,
    each: HashMap<IpAddr, usize>,
}

/// A place in a crowd, which is given back when this is dropped.
#[derive(Debug)]
pub(super) struct Admitted {
    crowd: Arc<Crowd>,
    from: Option<IpAddr>,
}

impl Crowd {
    /// Lets one more in, if there are fewer than so many in all and from the address. Of those without an address only the
    /// sum is limited.
    pub(super) fn admit(self: &Arc<Self>, from: Option<IpAddr>, all: usize, each: usize) -> Option<Admitted> {
        let mut count = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if count.all >= all {
            return None;
        }
        if let Some(from) = from {
            let own = count.each.get(&from).copied().unwrap_or_default();
            if own >= each {
                return None;
            }
            count.each.insert(from, own + 1);
        }
        count.all += 1;
        Some(Admitted { crowd: Arc::clone(self), from })
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut count = self.crowd.0.lock().unwrap_or_else(PoisonError::into_inner);
        count.all -= 1;
        if let Some(from) = self.from
            && let Some(own) = count.each.get_mut(&from)
        {
            *own -= 1;
            if *own == 0 {
                count.each.remove(&from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;

    use super::{Crowd, customer};

    #[test]
    fn addresses_of_one_customer_count_together() {
        let of = |text: &str| customer(text.parse().expect("an address")).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::"));
        assert_ne!(of("2001:db8:1:3::"), of("2001:db8:1:2::"));
        assert_eq!(of("::ffff:10.1.2.3"), "10.1.2.3");
        assert_ne!(of("10.1.2.3"), of("10.1.2.4"));
    }

    #[test]
    fn a_crowd_has_a_limit_for_each_address_and_for_all() {
        let crowd = Arc::new(Crowd::default());
        let [one, two] = [1, 2].map(|last| Some(IpAddr::from([10, 0, 0, last])));
        let admit = |from| crowd.admit(from, 3, 2);
        let (first, second) = (admit(one), admit(one));
        assert!(first.is_some() && second.is_some() && admit(one).is_none(), "two of one address");
        let third = admit(two);
        assert!(third.is_some() && admit(two).is_none() && admit(None).is_none(), "three in all");
        drop(first);
        assert!(admit(one).is_some(), "a place was given back");
        drop((second, third));
        let unnamed: Vec<_> = (0..4).filter_map(|_| admit(None)).collect();
        assert_eq!(unnamed.len(), 3, "those without an address are counted together");
    }
}
