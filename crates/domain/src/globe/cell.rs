//! Cells: the globe in bands, each band in as many columns as keep cells about as wide as high.
//!
//! A place stands in one cell of each level, and a circle is covered by the few cells of the finest
//! level that can do it: so whoever looks for those within a radius reads a small multiple of them,
//! whether the radius is a street's or a country's. Cells are written down beside recipients: their
//! borders must never move.

use super::{Bounds, Circle, Point};

/// How many bands lie between the poles, level by level: cells of 222, 22 and 2.2 kilometres.
pub const LEVELS: [u32; 3] = [90, 900, 9_000];
/// How many cells may cover a circle.
const MOST: usize = 64;

/// A cell of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Which of [`LEVELS`].
    pub level: usize,
    /// Counted from the South Pole.
    pub band: u32,
    /// Counted from the antimeridian, eastward.
    pub column: u32,
}

impl Point {
    /// The cells it stands in, one of each level.
    #[must_use]
    pub fn cells(self) -> [Cell; LEVELS.len()] {
        std::array::from_fn(|level| {
            let band = band_of(level, self.lat);
            let columns = columns_in(level, band);
            Cell {
                level,
                band,
                column: step_of(columns, self.lon) % columns,
            }
        })
    }
}

impl Circle {
    /// Cells that hold all of the circle, of the finest level where few will do; `None` when the circle
    /// is so large that cells are no help: never one of 400 kilometres or less, even round a pole, where
    /// a box takes in every longitude.
    #[must_use]
    pub fn cells(&self) -> Option<Vec<Cell>> {
        let boxes = self.boxes();
        (0..LEVELS.len())
            .rev()
            .find_map(|level| cover(level, &boxes))
    }
}

fn cover(level: usize, boxes: &[Bounds]) -> Option<Vec<Cell>> {
    let mut cells = Vec::new();
    for bounds in boxes {
        for band in band_of(level, bounds.south)..=band_of(level, bounds.north) {
            let columns = columns_in(level, band);
            let (west, east) = (step_of(columns, bounds.west), step_of(columns, bounds.east));
            // From 180 east to 180 west is a step round, of no width.
            for column in west..=east {
                cells.push(Cell {
                    level,
                    band,
                    column: column % columns,
                });
                if cells.len() > 2 * MOST {
                    return None;
                }
            }
        }
    }
    cells.sort_unstable();
    cells.dedup();
    (cells.len() <= MOST).then_some(cells)
}

fn band_of(level: usize, lat: f64) -> u32 {
    let bands = LEVELS[level];
    whole((lat + 90.0) / 180.0 * f64::from(bands)).min(bands - 1)
}

/// As many as fit round the band's middle.
///
/// Rounded, not cut off: a cosine differs in its last digit from machine to machine, and those that
/// come out whole (at the equator, at 60 degrees) must come out the same on all.
fn columns_in(level: usize, band: u32) -> u32 {
    let bands = f64::from(LEVELS[level]);
    let middle = (f64::from(band) + 0.5) / bands * 180.0 - 90.0;
    whole((middle.to_radians().cos() * 2.0 * bands).round()).max(1)
}

fn step_of(columns: u32, lon: f64) -> u32 {
    whole((lon + 180.0) / 360.0 * f64::from(columns))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the callers' numbers lie between 0 and a few thousand, and are to be cut off"
)]
fn whole(number: f64) -> u32 {
    number as u32
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::{super::EARTH, *};

    /// The point that lies so far from here in this direction.
    pub fn towards(from: Point, bearing: f64, metres: f64) -> Point {
        let (lat, lon) = (from.lat.to_radians(), from.lon.to_radians());
        let (bearing, angle) = (bearing.to_radians(), metres / EARTH);
        let sine =
            (lat.sin() * angle.cos() + lat.cos() * angle.sin() * bearing.cos()).clamp(-1.0, 1.0);
        let east = (bearing.sin() * angle.sin() * lat.cos()).atan2(angle.cos() - lat.sin() * sine);
        Point {
            lat: sine.asin().to_degrees(),
            lon: ((lon + east).to_degrees() + 540.0).rem_euclid(360.0) - 180.0,
        }
    }

    fn circle(lat: f64, lon: f64, radius_m: f64) -> Circle {
        Circle {
            centre: Point { lat, lon },
            radius_m,
        }
    }

    #[test]
    fn cells_are_about_as_wide_as_high_at_every_latitude() {
        for (level, bands) in LEVELS.into_iter().enumerate() {
            // Right at a pole a cell is a slice of a small cake.
            for band in (bands / 45)..(bands - bands / 45) {
                let middle = (f64::from(band) + 0.5) / f64::from(bands) * 180.0 - 90.0;
                let width = 360.0 / f64::from(columns_in(level, band)) * middle.to_radians().cos();
                let height = 180.0 / f64::from(bands);
                assert!(
                    (0.7..1.5).contains(&(width / height)),
                    "{level} {band} {width}"
                );
            }
        }
    }

    #[test]
    fn borders_never_move() {
        let seoul = Point {
            lat: 37.5665,
            lon: 126.978,
        };

        let cells = seoul.cells().map(|cell| (cell.band, cell.column));

        assert_eq!(cells, [(63, 122), (637, 1217), (6378, 12165)]);
    }

    #[test]
    fn small_circles_take_small_cells_and_large_ones_large_cells() {
        let level = |radius| {
            circle(37.5, 127.0, radius)
                .cells()
                .map(|cells| cells[0].level)
        };

        assert_eq!(level(500.0), Some(2));
        assert_eq!(level(20_000.0), Some(1));
        assert_eq!(level(300_000.0), Some(0));
        assert_eq!(level(5_000_000.0), None);
    }

    #[test]
    fn both_spellings_of_the_antimeridian_are_one_place() {
        let (west, east) = (
            Point {
                lat: 10.0,
                lon: -180.0,
            },
            Point {
                lat: 10.0,
                lon: 180.0,
            },
        );

        assert_eq!(west.cells(), east.cells());
    }

    proptest! {
        #[test]
        fn the_cells_hold_every_point_of_the_circle(
            lat in -90.0..=90.0f64, lon in -180.0..=180.0f64, exponent in -1.0..5.6f64,
            bearing in 0.0..360.0f64, share in 0.0..=1.0f64,
        ) {
            let circle = circle(lat, lon, 10f64.powf(exponent));
            let point = towards(circle.centre, bearing, circle.radius_m * share);

            prop_assume!(circle.contains(point));
            let cells = circle.cells().unwrap();
            prop_assert!(cells.len() <= MOST);
            prop_assert!(cells.contains(&point.cells()[cells[0].level]), "{point:?}");
        }

        #[test]
        fn near_the_poles_and_the_antimeridian_too(
            north in any::<bool>(), off in 0.0..0.5f64, lon in prop_oneof![179.5..=180.0f64, -180.0..=-179.5f64],
            exponent in 0.0..5.6f64, bearing in 0.0..360.0f64, share in 0.0..=1.0f64,
        ) {
            let lat = if north { 90.0 - off } else { off - 90.0 };
            let circle = circle(lat, lon, 10f64.powf(exponent));
            let point = towards(circle.centre, bearing, circle.radius_m * share);

            prop_assume!(circle.contains(point));
            let cells = circle.cells().unwrap();
            prop_assert!(cells.contains(&point.cells()[cells[0].level]), "{point:?}");
        }
    }
}
