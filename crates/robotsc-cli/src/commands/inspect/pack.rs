//! What a policy pack holds, as a whole or of one origin.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::Path;

use robotsc::origin::Origin;
use robotsc_answers::identity::Identity;
use robotsc_answers::{pack_entry, shown};

use super::InspectArgs;
use crate::commands::inspect::sheet::Sheet;
use crate::commands::pack;
use crate::commands::pack::args::{GetArgs, PackArgs, PackCommand, StatsArgs};
use crate::failure::{End, Failure};
use crate::io::output;

/// Shows the figures of a pack; or the entry of an origin, and its programs.
pub(super) fn inspect(file: &OsStr, args: &InspectArgs) -> Result<End, Failure> {
    let path = Path::new(file).to_owned();
    let Some(origin) = &args.origin else {
        if args.agent.is_some() {
            return Err(Failure::new(
                "--agent without an origin: the command line: a pack as a whole is shown for all: name an origin, too",
            ));
        }
        let command = PackCommand::Stats(StatsArgs { pack: path, json: args.json });
        return pack::pack(&PackArgs { command });
    };
    let entry = GetArgs {
        pack: path.clone(),
        origin: origin.clone(),
        agents: args.agent.iter().cloned().collect(),
        as_written: args.as_written,
        now: None,
        json: args.json,
    };
    let end = pack::pack(&PackArgs { command: PackCommand::Get(entry) })?;
    if end == End::Clean {
        write_programs(&path, origin, args)?;
    }
    Ok(end)
}

/// Writes the programs of an origin, for one agent or all that the pack was built for.
fn write_programs(path: &Path, origin: &OsString, args: &InspectArgs) -> Result<(), Failure> {
    let pack = pack::open(path)?;
    let Ok(key) = Origin::of_url(origin.as_encoded_bytes()) else { return Ok(()) };
    let Some(entry) = pack.get(key.as_bytes()) else { return Ok(()) };
    let agent: Vec<_> = args.agent.iter().map(|name| Identity::token(name, args.as_written)).collect();
    let file = shown::bytes(path.as_os_str().as_encoded_bytes());
    let mut sheet = Sheet::default();
    for agent in pack_entry::agents(&pack, &file, &entry, &agent)? {
        let Some(program) = entry.program(&agent.agent) else { continue };
        sheet.add_agent(&agent.token, program);
    }
    let mut out = output::stdout();
    match args.json {
        true => sheet.write_programs_json(&mut out)?,
        false => {
            writeln!(out)?;
            sheet.write_programs(&mut out, args.all)?;
        }
    }
    Ok(out.flush()?)
}
