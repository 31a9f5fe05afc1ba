//! From octets to a [`RobotsTxt`].
use crate::dialect::Dialect;
use crate::robots_txt::RobotsTxt;

pub(crate) fn parse<'a>(_body: &'a [u8], _dialect: &Dialect) -> RobotsTxt<'a> {
    todo!()
}
