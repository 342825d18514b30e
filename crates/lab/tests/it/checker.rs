//! The judge before the court: clean histories pass, forged ones are named with the right number.

mod clean;
mod forgeries;
mod recovery;
mod walks;
mod wire;
mod world;
