//! Sorting, in WebAssembly with little code.
//!
//! Each type and each order that is sorted adds some 5 KB to a program, most of it for long lists. A module for
//! WebAssembly is downloaded, so there one sort of numbers serves all; elsewhere the sorts of slices do.

use std::cmp::Ordering;

/// Collects into a set or a map by inserting one item after the other: [`Iterator::collect`] would sort them first.
pub trait SmallCollect: Iterator + Sized {
    /// Collects all items.
    fn small_collect<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
        all
    }
}

impl<I: Iterator> SmallCollect for I {}

/// The sorts of slices by other names: they sort as those do, and in WebAssembly all are stable.
pub trait SmallSort<T> {
    /// Sorts as [`slice::sort_unstable`] does.
    fn small_sort_unstable(&mut self)
    where
        T: Ord;

    /// Sorts as [`slice::sort_unstable_by`] does.
    fn small_sort_unstable_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts as [`slice::sort_unstable_by_key`] does.
    fn small_sort_unstable_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);

    /// Sorts as [`slice::sort_by_key`] does.
    fn small_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);

    /// Sorts as [`slice::sort_by_cached_key`] does.
    fn small_sort_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

#[cfg(not(target_family = "wasm"))]
impl<T> SmallSort<T> for [T] {
    #[inline]
    fn small_sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.sort_unstable();
    }

    #[inline]
    fn small_sort_unstable_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.sort_unstable_by(compare);
    }

    #[inline]
    fn small_sort_unstable_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        self.sort_unstable_by_key(key);
    }

    #[inline]
    fn small_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        self.sort_by_key(key);
    }

    #[inline]
    fn small_sort_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        self.sort_by_cached_key(key);
    }
}

#[cfg(target_family = "wasm")]
impl<T> SmallSort<T> for [T] {
    fn small_sort_unstable(&mut self)
    where
        T: Ord,
    {
        sort_by(self, Ord::cmp);
    }

    fn small_sort_unstable_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        sort_by(self, compare);
    }

    fn small_sort_unstable_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        sort_by(self, |a, b| key(a).cmp(&key(b)));
    }

    fn small_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        sort_by(self, |a, b| key(a).cmp(&key(b)));
    }

    fn small_sort_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(key).collect();
        let mut order = order(keys.len(), &mut |a, b| keys[a] > keys[b]);
        arrange(&mut order, &mut |a, b| self.swap(a, b));
    }
}

/// Sorts stably. The comparison and the exchange of two items are all that is compiled for each type.
#[cfg(any(test, target_family = "wasm"))]
fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order = order(items.len(), &mut |a, b| compare(&items[a], &items[b]).is_gt());
    arrange(&mut order, &mut |a, b| items.swap(a, b));
}

/// Returns the indices of some items in their order, by merging: nothing if the items are sorted. Of equal items, the
/// first comes first. `is_after` reports whether one item has to come after another.
#[cfg(any(test, target_family = "wasm"))]
fn order(count: usize, is_after: &mut dyn FnMut(usize, usize) -> bool) -> Vec<usize> {
    if (1..count).all(|at| !is_after(at - 1, at)) {
        return Vec::new();
    }
    let mut from: Vec<usize> = (0..count).collect();
    let mut to = Vec::with_capacity(count);
    let mut width = 1;
    while width < count {
        for start in (0..count).step_by(2 * width) {
            let middle = count.min(start + width);
            let end = count.min(middle + width);
            let (mut left, mut right) = (start, middle);
            while left < middle || right < end {
                let takes_right = left == middle || (right < end && is_after(from[left], from[right]));
                let next = if takes_right { &mut right } else { &mut left };
                to.push(from[*next]);
                *next += 1;
            }
        }
        std::mem::swap(&mut from, &mut to);
        to.clear();
        width *= 2;
    }
    from
}

/// Moves items to where an order has them, by exchanging two at a time. The order is used up.
#[cfg(any(test, target_family = "wasm"))]
fn arrange(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        while order[at] != start {
            let next = order[at];
            swap(at, next);
            order[at] = at;
            at = next;
        }
        order[at] = at;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn items_are_sorted_as_slices_are(items in prop::collection::vec((0..9_u8, any::<u8>()), 0..70)) {
            let (mut small, mut stable) = (items.clone(), items);
            sort_by(&mut small, |a, b| a.0.cmp(&b.0));
            stable.sort_by_key(|item| item.0);
            prop_assert_eq!(small, stable);
        }
    }
}
