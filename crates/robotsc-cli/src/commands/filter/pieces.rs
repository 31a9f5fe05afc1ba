//! What an output gets of a block: mostly long runs of the block's own lines, which are not copied.

use std::io::{self, IoSlice, Write};
use std::ops::Range;

/// Runs of fewer bytes are copied: to hand on a piece takes about as long.
const SHORT: usize = 512;

/// Bytes that go to an output, some of them in the block that is answered.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    /// What is written for this output alone.
    pub(crate) own: Vec<u8>,
    /// Runs in the block, each with the number of own bytes that go before it.
    runs: Vec<(usize, Range<usize>)>,
}

impl Pieces {
    pub(crate) fn clear(&mut self) {
        self.own.clear();
        self.runs.clear();
    }

    /// Adds a run of the block.
    pub(crate) fn add(&mut self, block: &[u8], run: Range<usize>) {
        if run.len() < SHORT {
            self.own.extend_from_slice(&block[run]);
        } else {
            self.runs.push((self.own.len(), run));
        }
    }

    /// Writes everything, in order. `block` is that of the runs.
    ///
    /// # Errors
    /// Of `out`.
    pub(crate) fn write(&self, block: &[u8], out: &mut dyn Write) -> io::Result<()> {
        if self.runs.is_empty() {
            return out.write_all(&self.own);
        }
        let mut pieces = Vec::with_capacity(2 * self.runs.len() + 1);
        let mut done = 0;
        for (before, run) in &self.runs {
            pieces.push(IoSlice::new(&self.own[done..*before]));
            pieces.push(IoSlice::new(&block[run.clone()]));
            done = *before;
        }
        pieces.push(IoSlice::new(&self.own[done..]));
        let mut rest = pieces.as_mut_slice();
        // Empty ones at the start are left out, so that nothing written means that nothing can be.
        IoSlice::advance_slices(&mut rest, 0);
        while !rest.is_empty() {
            match out.write_vectored(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => IoSlice::advance_slices(&mut rest, written),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.own.is_empty() && self.runs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes at most so many bytes at a time, and is interrupted in between.
    struct Slow(Vec<u8>, usize, bool);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.write_vectored(&[IoSlice::new(bytes)])
        }

        fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
            self.2 = !self.2;
            if self.2 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let all: Vec<u8> = pieces.iter().flat_map(|piece| piece.iter().copied()).take(self.1).collect();
            self.0.extend(&all);
            Ok(all.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn pieces_are_written_in_their_order() {
        let block: Vec<u8> = (0..20_000_u32).map(|number| (number / 7) as u8).collect();
        for most in [1, 7, 600, 5_000, usize::MAX] {
            let mut pieces = Pieces::default();
            let mut expected = Vec::new();
            for (number, length) in [0, 5, SHORT, 3, SHORT - 1, 2_000, SHORT, SHORT + 1, 1].into_iter().enumerate() {
                let run = 100 * number..100 * number + length;
                pieces.add(&block, run.clone());
                expected.extend_from_slice(&block[run]);
                if number % 3 == 0 {
                    pieces.own.extend_from_slice(b"own");
                    expected.extend_from_slice(b"own");
                }
            }
            let mut out = Slow(Vec::new(), most, false);
            pieces.write(&block, &mut out).unwrap();
            assert!(out.0 == expected, "{most}");
            pieces.clear();
            assert!(pieces.is_empty());
        }
        let mut pieces = Pieces::default();
        pieces.add(&block, 0..SHORT);
        let error = pieces.write(&block, &mut Slow(Vec::new(), 0, false)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WriteZero);
    }
}
