//! The boxes around a circle: split where the antimeridian cuts them, clamped where a pole ends them.

use super::{Circle, EARTH, Point};

/// What rounding may cost, in degrees: about a centimetre.
const MARGIN: f64 = 1e-7;

/// A box between two latitudes and two longitudes, edges included; `west` is never beyond `east`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The lowest latitude.
    pub south: f64,
    /// The highest latitude.
    pub north: f64,
    /// The lowest longitude.
    pub west: f64,
    /// The highest longitude.
    pub east: f64,
}

impl Bounds {
    /// Whether a point lies in it.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        (self.south..=self.north).contains(&point.lat)
            && (self.west..=self.east).contains(&point.lon)
    }
}

impl Circle {
    /// One or two boxes that hold all of the circle.
    #[must_use]
    pub fn boxes(&self) -> Vec<Bounds> {
        let angle = self.radius_m / EARTH;
        let reach = angle.to_degrees() + MARGIN;
        let Point { lat, lon } = self.centre;
        let (south, north) = ((lat - reach).max(-90.0), (lat + reach).min(90.0));
        let strip = |west, east| Bounds {
            south,
            north,
            west,
            east,
        };
        // With a pole inside, the circle has points at every longitude.
        if south <= -90.0 || north >= 90.0 {
            return vec![strip(-180.0, 180.0)];
        }
        let half = (angle.sin() / lat.to_radians().cos()).clamp(0.0, 1.0);
        let half = half.asin().to_degrees() + MARGIN / lat.to_radians().cos();
        let (west, east) = (lon - half, lon + half);
        match () {
            () if half >= 180.0 => vec![strip(-180.0, 180.0)],
            () if west < -180.0 => vec![strip(-180.0, east), strip(west + 360.0, 180.0)],
            () if east > 180.0 => vec![strip(west, 180.0), strip(-180.0, east - 360.0)],
            () => vec![strip(west, east)],
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn circle(lat: f64, lon: f64, radius_m: f64) -> Circle {
        Circle {
            centre: Point { lat, lon },
            radius_m,
        }
    }

    #[test]
    fn a_circle_across_the_antimeridian_has_two_boxes() {
        let boxes = circle(0.0, 179.9, 50_000.0).boxes();

        assert_eq!(boxes.len(), 2);
        assert!(boxes[0].east >= 180.0 && boxes[1].west <= -180.0);
        assert!(boxes[1].east < -179.0);
    }

    #[test]
    fn a_circle_around_a_pole_reaches_every_longitude_and_stops_at_the_pole() {
        let boxes = circle(89.99, 10.0, 5_000.0).boxes();

        assert_eq!(boxes.len(), 1);
        assert_eq!(
            (boxes[0].north, boxes[0].west, boxes[0].east),
            (90.0, -180.0, 180.0)
        );
    }

    #[test]
    fn the_largest_circle_is_the_globe() {
        let boxes = circle(37.0, 127.0, super::super::FARTHEST).boxes();

        assert_eq!(
            boxes,
            [Bounds {
                south: -90.0,
                north: 90.0,
                west: -180.0,
                east: 180.0
            }]
        );
    }

    proptest! {
        #[test]
        fn the_boxes_hold_every_point_of_the_circle(
            lat in -90.0..=90.0f64, lon in -180.0..=180.0f64, radius in 0.1..20_000_000.0f64,
            bearing in 0.0..360.0f64, share in 0.0..=1.0f64,
        ) {
            let circle = circle(lat, lon, radius);
            let point = super::super::cell::tests::towards(circle.centre, bearing, radius * share);

            prop_assume!(circle.contains(point));
            prop_assert!(circle.boxes().iter().any(|bounds| bounds.contains(point)), "{point:?}");
        }

        #[test]
        fn boxes_lie_on_the_globe(
            lat in -90.0..=90.0f64, lon in -180.0..=180.0f64, radius in 0.1..20_000_000.0f64,
        ) {
            for bounds in circle(lat, lon, radius).boxes() {
                prop_assert!(-90.0 <= bounds.south && bounds.south <= bounds.north && bounds.north <= 90.0);
                prop_assert!(-180.0 <= bounds.west && bounds.west <= bounds.east && bounds.east <= 180.0);
            }
        }
    }
}
