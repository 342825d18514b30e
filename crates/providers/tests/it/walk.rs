//! Walks through pages: what is asked for, what is written down, and what ends them.

mod fixture;
mod going_on;
mod pages;
mod refusals;
