//! A map of circles, drawn here as SVG without a ground: lines of latitude and longitude, the circles as they lie between them, and a
//! length to compare with.
//!
//! Degrees of longitude are drawn as short as they are in the middle of the map. A circle that goes over the antimeridian is drawn on
//! one side of it, and one with a pole in it up to the edge.

mod sheet;

use std::f64::consts::TAU;

use askama::Template;
use baton_domain::{
    audience::Audience,
    globe::{Circle, EARTH, Point},
};

use self::sheet::{Line, Scale, Sheet, within_half, written};
use super::{Markup, count};

/// How many points the edge of a circle has.
const POINTS: u32 = 72;
/// How many circles are told in words.
const TOLD: usize = 5;

#[derive(Template)]
#[template(path = "panels/map.html")]
struct Map {
    told: Vec<String>,
    not_told: String,
    height: String,
    lines: Vec<Line>,
    circles: Vec<Drawn>,
    scale: Scale,
}

struct Drawn {
    points: String,
    is_left_out: bool,
}

/// The map of the circles in an audience; nothing if it has none.
pub fn map(audience: &Audience) -> Markup {
    let mut circles = Vec::new();
    collect(audience, false, &mut circles);
    if circles.is_empty() {
        return Markup::default();
    }
    Markup::of(&Map::of(&circles))
}

/// The circles, and whether each is of those who are left out.
fn collect(audience: &Audience, is_left_out: bool, circles: &mut Vec<(Circle, bool)>) {
    match audience {
        Audience::Within(circle) => circles.push((*circle, is_left_out)),
        Audience::AllOf(parts) | Audience::AnyOf(parts) => {
            for part in parts {
                collect(part, is_left_out, circles);
            }
        }
        Audience::Not(part) => collect(part, !is_left_out, circles),
        Audience::All | Audience::Platform(_) | Audience::Topic(_) | Audience::Ids(_) => {}
    }
}

impl Map {
    fn of(circles: &[(Circle, bool)]) -> Self {
        let middle = circles[0].0.centre.lon;
        let edges: Vec<_> = circles
            .iter()
            .map(|(circle, _)| edge(circle, middle))
            .collect();
        let sheet = Sheet::around(&edges);
        let told = circles.iter().take(TOLD);
        Self {
            told: told
                .map(|(circle, is_left_out)| in_words(circle, *is_left_out))
                .collect(),
            not_told: match circles.len().saturating_sub(TOLD) {
                0 => String::new(),
                more => count(more as u64),
            },
            height: written(sheet.height()),
            lines: sheet.lines(),
            circles: edges
                .iter()
                .zip(circles)
                .map(|(edge, (_, is_left_out))| Drawn {
                    points: sheet.points(edge),
                    is_left_out: *is_left_out,
                })
                .collect(),
            scale: sheet.scale(),
        }
    }
}

fn in_words(circle: &Circle, is_left_out: bool) -> String {
    let Circle { centre, radius_m } = circle;
    let (km, lat, lon) = (radius_m / 1_000.0, centre.lat, centre.lon);
    if is_left_out {
        tr!(
            "left out: within {km} km of {lat}, {lon}",
            km = km,
            lat = lat,
            lon = lon
        )
    } else {
        tr!(
            "within {km} km of {lat}, {lon}",
            km = km,
            lat = lat,
            lon = lon
        )
    }
}

/// The edge of a circle: points whose longitudes go on beyond 180 degrees rather than jump, on the side of `middle`.
fn edge(circle: &Circle, middle: f64) -> Vec<Point> {
    let radius = circle.radius_m / EARTH;
    let lat = circle.centre.lat.to_radians();
    let lon = middle + within_half(circle.centre.lon - middle);
    let to_pole = |pole: f64| (pole - circle.centre.lat).abs().to_radians();
    let has_pole = [90.0, -90.0].map(|pole| to_pole(pole) <= radius);
    let around = (0..POINTS).map(|step| TAU * f64::from(step) / f64::from(POINTS));
    let mut points: Vec<_> = around
        .map(|bearing| {
            let north = radius
                .cos()
                .mul_add(lat.sin(), lat.cos() * radius.sin() * bearing.cos());
            let north = north.clamp(-1.0, 1.0);
            let east = (bearing.sin() * radius.sin() * lat.cos())
                .atan2(lat.sin().mul_add(-north, radius.cos()));
            Point {
                lat: north.asin().to_degrees(),
                lon: lon + east.to_degrees(),
            }
        })
        .collect();
    match has_pole {
        [false, false] => return points,
        // What is not in it is the smaller part: all is drawn.
        [true, true] => points.clear(),
        _ => points.sort_by(|a, b| a.lon.total_cmp(&b.lon)),
    }
    let corner = |lat, east| Point {
        lat,
        lon: lon + east,
    };
    let (near, far) = if has_pole[0] {
        (90.0, -90.0)
    } else {
        (-90.0, 90.0)
    };
    if points.is_empty() {
        points.extend([corner(far, -180.0), corner(far, 180.0)]);
    } else {
        let (first, last) = (points[0].lat, points[points.len() - 1].lat);
        points.insert(0, corner(first, -180.0));
        points.push(corner(last, 180.0));
    }
    points.extend([corner(near, 180.0), corner(near, -180.0)]);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(lat: f64, lon: f64, km: f64) -> Audience {
        Audience::Within(Circle {
            centre: Point { lat, lon },
            radius_m: km * 1_000.0,
        })
    }

    fn drawn(audience: &Audience) -> String {
        map(audience).to_string()
    }

    fn sheet(circles: &[(Circle, bool)]) -> Sheet {
        let edges: Vec<_> = circles
            .iter()
            .map(|(one, _)| edge(one, circles[0].0.centre.lon))
            .collect();
        Sheet::around(&edges)
    }

    fn circles_of(audience: &Audience) -> Vec<(Circle, bool)> {
        let mut circles = Vec::new();
        collect(audience, false, &mut circles);
        circles
    }

    #[test]
    fn an_audience_without_a_circle_has_no_map() {
        let audience = Audience::AllOf(vec![Audience::All, Audience::Topic("quiz".to_owned())]);

        assert!(map(&audience).as_str().is_empty());
    }

    #[test]
    fn each_circle_is_drawn_and_told_and_those_left_out_are_told_apart() {
        let left_out = Audience::Not(Box::new(circle(37.55, 127.0, 1.0)));

        let map = drawn(&Audience::AllOf(vec![circle(37.5, 127.0, 5.0), left_out]));

        assert_eq!(map.matches("<polygon").count(), 2, "{map}");
        assert!(map.contains("within 5 km of 37.5, 127"), "{map}");
        assert!(map.contains("left out: within 1 km of 37.55, 127"), "{map}");
        assert!(
            map.contains("N</text>") && map.contains("E</text>"),
            "{map}"
        );
        assert!(map.contains(" km</text>"), "{map}");
    }

    #[test]
    fn the_edge_of_a_circle_is_as_far_from_its_middle_as_its_radius_says() {
        for (lat, lon, km) in [
            (37.5, 127.0, 5.0),
            (-60.0, 179.9, 300.0),
            (0.0, 0.0, 2_000.0),
        ] {
            let one = circles_of(&circle(lat, lon, km))[0].0;
            for point in edge(&one, lon) {
                let metres = one.centre.distance(point);
                assert!(
                    (metres / one.radius_m - 1.0).abs() < 1e-6,
                    "{point:?}: {metres}"
                );
            }
        }
    }

    #[test]
    fn circles_on_both_sides_of_the_antimeridian_lie_beside_one_another() {
        let both = Audience::AnyOf(vec![circle(0.0, 179.5, 50.0), circle(0.0, -179.5, 50.0)]);

        let sheet = sheet(&circles_of(&both));

        assert!(sheet.east - sheet.west < 5.0, "{}", sheet.east - sheet.west);
    }

    #[test]
    fn a_circle_with_a_pole_in_it_reaches_to_the_edge() {
        for (lat, pole) in [(88.0, 90.0), (-88.0, -90.0)] {
            let one = circles_of(&circle(lat, 10.0, 1_000.0))[0].0;

            let edge = edge(&one, 10.0);

            assert!(edge.iter().any(|point| point.lat == pole), "{edge:?}");
            assert!(
                edge.iter().all(|point| (-90.0..=90.0).contains(&point.lat)),
                "{edge:?}"
            );
        }
    }

    #[test]
    fn whatever_the_circle_every_number_is_one() {
        for (lat, lon, km) in [
            (90.0, 0.0, 0.001),
            (-90.0, 180.0, 20_000.0),
            (0.0, -180.0, 20_000.0),
            (89.99, 0.0, 1.0),
            (0.0, 0.0, 10_007.0),
        ] {
            let map = drawn(&circle(lat, lon, km));
            assert!(!map.contains("NaN") && !map.contains("inf"), "{map}");
            assert!(map.matches("<line").count() < 60, "{map}");
        }
    }
}
