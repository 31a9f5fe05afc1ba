//! A matrix as JSON Lines.

use std::io::Write;

use robotsc_answers::check;
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::matrix::{Cell, Column};

use super::{Sink, Subject};
use crate::failure::Failure;
use crate::io::output;

pub(super) struct Json {
    share_only: bool,
    out: Box<dyn Write>,
}

impl Json {
    pub(super) fn new(share_only: bool) -> Self {
        Self { share_only, out: output::stdout() }
    }
}

impl Sink for Json {
    fn begin(&mut self, _: &Subject<'_>, _: &[Column<'_>]) -> Result<(), Failure> {
        Ok(())
    }

    fn row(&mut self, _: &Subject<'_>, url: &[u8], agents: &[ChosenAgent], cells: &[Cell]) -> Result<(), Failure> {
        for (agent, cell) in agents.iter().zip(cells).filter(|_| !self.share_only) {
            output::json_line(&mut self.out, &cell.json(url, agent))?;
        }
        Ok(())
    }

    fn error(&mut self, url: &[u8], agents: &[ChosenAgent], reason: &str) -> Result<(), Failure> {
        for agent in agents.iter().filter(|_| !self.share_only) {
            output::json_line(&mut self.out, &check::error(url, Some(&agent.name), reason))?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &Subject<'_>, columns: &[Column<'_>], urls: u64) -> Result<(), Failure> {
        for column in columns {
            output::json_line(&mut self.out, &column.json(urls))?;
        }
        Ok(self.out.flush()?)
    }
}
