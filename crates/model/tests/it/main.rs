//! The model of leases, checked: the design holds, each broken variant of it does not.

mod broken;
mod sound;
mod table;
