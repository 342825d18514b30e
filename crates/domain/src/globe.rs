//! Points on the globe, and circles around them.
//!
//! Whether a point lies in a [`Circle`] is decided by the great-circle distance and by nothing else.
//! [`Circle::boxes`] and [`Circle::cells`] only say where to look: they hold every point of the circle,
//! and some that are not.

mod bounds;
mod cell;

pub use bounds::Bounds;
pub use cell::{Cell, LEVELS};

use serde::{Deserialize, Serialize};

/// The mean radius of the Earth, in metres.
pub const EARTH: f64 = 6_371_008.8;
/// The longest radius that makes sense, in metres: nothing is farther away than half way round.
pub const FARTHEST: f64 = 20_000_000.0;

/// What a latitude may be, as a sentence.
pub const LAT_RULE: &str = "must be a latitude in degrees, between -90 and 90";
/// What a longitude may be, as a sentence.
pub const LON_RULE: &str = "must be a longitude in degrees, between -180 and 180";
/// What a radius may be, as a sentence.
pub const RADIUS_RULE: &str =
    "must be above 0 and 20,000,000 metres at most; to reach one point only, give its ids";

/// A point on the globe, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Degrees north of the equator.
    pub lat: f64,
    /// Degrees east of Greenwich.
    pub lon: f64,
}

impl Point {
    /// Metres to another point along the shortest way, by the haversine formula.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        let half = |degrees: f64| (degrees.to_radians() / 2.0).sin().powi(2);
        let (north, east) = (other.lat - self.lat, other.lon - self.lon);
        let across = self.lat.to_radians().cos() * other.lat.to_radians().cos();
        // Rounding can carry opposite points a hair beyond 1, where there is no arcsine.
        let chord = across.mul_add(half(east), half(north)).clamp(0.0, 1.0);
        2.0 * EARTH * chord.sqrt().asin()
    }
}

/// Whether a number is a latitude.
#[must_use]
pub fn is_lat(degrees: f64) -> bool {
    (-90.0..=90.0).contains(&degrees)
}

/// Whether a number is a longitude.
#[must_use]
pub fn is_lon(degrees: f64) -> bool {
    (-180.0..=180.0).contains(&degrees)
}

/// Whether a number is a radius.
#[must_use]
pub fn is_radius(metres: f64) -> bool {
    metres > 0.0 && metres <= FARTHEST
}

/// Everything within a radius of a point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Circle {
    /// Its middle.
    #[serde(flatten)]
    pub centre: Point,
    /// In metres.
    pub radius_m: f64,
}

impl Circle {
    /// Whether a point lies in it, its edge included.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        self.centre.distance(point) <= self.radius_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEOUL: Point = Point {
        lat: 37.5665,
        lon: 126.978,
    };
    const BUSAN: Point = Point {
        lat: 35.1796,
        lon: 129.0756,
    };

    #[test]
    fn distances_are_those_of_the_great_circle() {
        let round = |metres: f64| (metres / 100.0).round() / 10.0;

        assert_eq!(round(SEOUL.distance(BUSAN)), 325.1);
        assert_eq!(round(BUSAN.distance(SEOUL)), 325.1);
    }

    #[test]
    fn a_point_is_no_way_from_itself_and_half_way_round_from_the_opposite() {
        let opposite = Point {
            lat: -SEOUL.lat,
            lon: SEOUL.lon - 180.0,
        };

        assert!(SEOUL.distance(SEOUL) < 1e-6);
        assert!((SEOUL.distance(opposite) - std::f64::consts::PI * EARTH).abs() < 1.0);
    }

    #[test]
    fn the_antimeridian_is_no_border() {
        let west = Point {
            lat: 0.0,
            lon: 179.999,
        };
        let east = Point {
            lat: 0.0,
            lon: -179.999,
        };

        assert!(west.distance(east) < 223.0);
    }

    #[test]
    fn what_is_not_on_the_globe_is_known() {
        for degrees in [f64::NAN, f64::INFINITY, 90.000_001, -91.0] {
            assert!(!is_lat(degrees), "{degrees}");
        }
        for degrees in [f64::NAN, f64::NEG_INFINITY, 180.1, -181.0] {
            assert!(!is_lon(degrees), "{degrees}");
        }
        for metres in [f64::NAN, f64::INFINITY, 0.0, -0.0, -1.0, 20_000_001.0] {
            assert!(!is_radius(metres), "{metres}");
        }
    }
}
