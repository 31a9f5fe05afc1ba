//! The rows of a census as Arrow, in batches.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, StringBuilder, StringDictionaryBuilder, UInt16Builder, UInt32Builder,
    UInt64Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use robotsc_answers::census::{Census, ChosenBy, Openness, Site};
use robotsc_answers::shown;

/// The rows after which a batch begins.
const BATCH_ROWS: usize = 1 << 16;

/// The bytes of text after which a batch begins. A path can be as long as a robots.txt, and there is one for each
/// agent; a column holds at most 2 GiB.
const BATCH_TEXT_BYTES: usize = 64 << 20;

/// Words that come again and again.
type Words = StringDictionaryBuilder<Int32Type>;

/// Batches of columns.
#[derive(Debug)]
pub(crate) struct Batches {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

impl Batches {
    /// Prepares batches of columns like these, which are empty.
    fn new(names: impl IntoIterator<Item = &'static str>, empty: &mut [&mut dyn ArrayBuilder]) -> Self {
        let fields = names
            .into_iter()
            .zip(empty)
            .map(|(name, column)| Field::new(name, column.finish().data_type().clone(), true));
        Self { schema: Arc::new(Schema::new(fields.collect::<Vec<Field>>())), batches: Vec::new() }
    }

    /// Adds what the columns hold, and empties them.
    fn add(&mut self, columns: &mut [&mut dyn ArrayBuilder]) {
        let arrays: Vec<ArrayRef> = columns.iter_mut().map(|column| column.finish()).collect();
        // The schema is that of these columns, and each row has a value in each.
        let batch = RecordBatch::try_new(self.schema.clone(), arrays);
        self.batches.push(batch.unwrap_or_else(|error| unreachable!("columns of a census: {error}")));
    }
}

/// Reports whether columns hold enough for a batch. These are those of text, and all have as many rows.
fn is_full(text: &[&StringBuilder]) -> bool {
    let bytes: usize = text.iter().map(|column| column.values_slice().len()).sum();
    bytes >= BATCH_TEXT_BYTES || text.first().is_some_and(|column| column.len() >= BATCH_ROWS)
}

/// Rows of a site and an agent.
pub(crate) struct AgentRows<'n> {
    names: &'n [String],
    batches: Batches,
    columns: AgentColumns,
}

#[derive(Default)]
struct AgentColumns {
    site: StringBuilder,
    class: Words,
    outcome: Words,
    status: UInt16Builder,
    body_kind: Words,
    bytes: UInt64Builder,
    hash: StringBuilder,
    groups: UInt32Builder,
    rules: UInt32Builder,
    sitemaps: UInt32Builder,
    agent: Words,
    access: Words,
    open_path: StringBuilder,
    closed_path: StringBuilder,
    chosen_by: Words,
    fallback: Words,
    line: UInt32Builder,
    rules_obeyed: UInt32Builder,
    crawl_delay: Float64Builder,
    usage: [BooleanBuilder; 3],
    signal: [BooleanBuilder; 3],
}

impl AgentColumns {
    /// Returns the columns in the order of their names: [`Census::SITE_COLUMNS`], [`Census::AGENT_COLUMNS`].
    fn all(&mut self) -> [&mut dyn ArrayBuilder; 25] {
        let [usage_train, usage_input, usage_search] = &mut self.usage;
        let [signal_train, signal_input, signal_search] = &mut self.signal;
        [
            &mut self.site,
            &mut self.class,
            &mut self.outcome,
            &mut self.status,
            &mut self.body_kind,
            &mut self.bytes,
            &mut self.hash,
            &mut self.groups,
            &mut self.rules,
            &mut self.sitemaps,
            &mut self.agent,
            &mut self.access,
            &mut self.open_path,
            &mut self.closed_path,
            &mut self.chosen_by,
            &mut self.fallback,
            &mut self.line,
            &mut self.rules_obeyed,
            &mut self.crawl_delay,
            usage_train,
            usage_input,
            usage_search,
            signal_train,
            signal_input,
            signal_search,
        ]
    }

    /// Returns the columns of text.
    const fn text(&self) -> [&StringBuilder; 4] {
        [&self.site, &self.hash, &self.open_path, &self.closed_path]
    }

    fn push(&mut self, site: &Site, agent: usize, name: &str) {
        self.site.append_value(&site.name);
        self.class.append_value(site.class.name());
        self.outcome.append_value(site.outcome.as_str());
        self.status.append_option(site.status);
        self.body_kind.append_option(site.body_kind.map(|kind| kind.name()));
        self.bytes.append_value(site.bytes as u64);
        self.hash.append_value(format!("{:032x}", site.hash));
        self.groups.append_value(number(site.groups));
        self.rules.append_value(number(site.rules));
        self.sitemaps.append_value(number(site.sitemaps.len()));
        let cell = site.of(agent);
        self.agent.append_value(name);
        self.access.append_value(cell.access.name());
        self.open_path.append_option(cell.open_path.as_ref().map(|path| shown::bytes(path)));
        self.closed_path.append_option(cell.closed_path.as_ref().map(|path| shown::bytes(path)));
        self.chosen_by.append_value(cell.chosen_by.name());
        self.fallback.append_option(match &cell.chosen_by {
            ChosenBy::Fallback(name) => Some(name),
            _ => None,
        });
        self.line.append_option(cell.line);
        self.rules_obeyed.append_value(number(cell.rules));
        self.crawl_delay.append_option(cell.crawl_delay);
        for (at, stated) in cell.stated.by_use().iter().enumerate() {
            self.usage[at].append_option(stated.usage.as_bool());
            self.signal[at].append_option(stated.signal.as_bool());
        }
    }
}

impl<'n> AgentRows<'n> {
    /// Prepares rows for agents of these names.
    pub(crate) fn new(names: &'n [String]) -> Self {
        let mut columns = AgentColumns::default();
        let heads = Census::SITE_COLUMNS.into_iter().chain(Census::AGENT_COLUMNS);
        Self { names, batches: Batches::new(heads, &mut columns.all()), columns }
    }

    /// Adds the rows of a site.
    pub(crate) fn push(&mut self, site: &Site) {
        for (agent, name) in self.names.iter().enumerate() {
            self.columns.push(site, agent, name);
            if is_full(&self.columns.text()) {
                self.batches.add(&mut self.columns.all());
            }
        }
    }

    /// Returns all rows.
    pub(crate) fn finish(mut self) -> Batches {
        self.batches.add(&mut self.columns.all());
        self.batches
    }
}

/// Rows of changes.
pub(crate) struct ChangeRows<'n> {
    names: &'n [String],
    batches: Batches,
    columns: ChangeColumns,
}

#[derive(Default)]
struct ChangeColumns {
    site: StringBuilder,
    change: Words,
    agent: Words,
    before: Words,
    after: Words,
}

impl ChangeColumns {
    /// Returns the columns in the order of [`Census::CHANGE_COLUMNS`].
    fn all(&mut self) -> [&mut dyn ArrayBuilder; 5] {
        [&mut self.site, &mut self.change, &mut self.agent, &mut self.before, &mut self.after]
    }
}

impl<'n> ChangeRows<'n> {
    /// Prepares rows for agents of these names.
    pub(crate) fn new(names: &'n [String]) -> Self {
        let mut columns = ChangeColumns::default();
        Self { names, batches: Batches::new(Census::CHANGE_COLUMNS, &mut columns.all()), columns }
    }

    /// Adds the rows of a site: one for each agent for which it changed, or one for the site.
    pub(crate) fn push(&mut self, site: &str, change: &str, agents: &[(usize, Openness, Openness)]) {
        let of_agents = agents
            .iter()
            .map(|(agent, before, after)| (Some(self.names[*agent].as_str()), Some(before.name()), Some(after.name())));
        let of_site = agents.is_empty().then_some((None, None, None));
        for (agent, before, after) in of_agents.chain(of_site) {
            self.columns.site.append_value(site);
            self.columns.change.append_value(change);
            self.columns.agent.append_option(agent);
            self.columns.before.append_option(before);
            self.columns.after.append_option(after);
            if is_full(&[&self.columns.site]) {
                self.batches.add(&mut self.columns.all());
            }
        }
    }

    /// Returns all rows.
    pub(crate) fn finish(mut self) -> Batches {
        self.batches.add(&mut self.columns.all());
        self.batches
    }
}

/// Returns a number of lines or groups, of which no file has more.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
