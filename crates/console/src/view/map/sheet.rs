//! The sheet that a map is drawn on: which part of the globe it shows, where a point of that lies, its lines and its scale.

use std::f64::consts::TAU;

use baton_domain::globe::{EARTH, Point};

/// How wide the map is, and how high at the most, in its own units.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 360.0;
/// The room around the circles, as a share of them.
const MARGIN: f64 = 0.15;
/// How far apart lines may be, in degrees; the fewest lines that are not more than these many are drawn.
const STEPS: [f64; 17] = [
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 45.0,
    90.0,
];
const LINES: f64 = 6.0;
/// No degree of longitude is drawn shorter than this, as a share of one of latitude: near a pole a map would be a thread.
const SHORTEST: f64 = 0.1;

pub struct Line {
    pub x1: String,
    pub y1: String,
    pub x2: String,
    pub y2: String,
    pub label: String,
}

pub struct Scale {
    pub from: String,
    pub to: String,
    pub y: String,
    pub above: String,
    pub label: String,
}

/// The part of the globe that is drawn.
pub struct Sheet {
    pub west: f64,
    pub east: f64,
    south: f64,
    north: f64,
    /// How long a degree of longitude is, as a share of one of latitude.
    short: f64,
    /// Units of the map in a degree of latitude.
    unit: f64,
}

impl Sheet {
    pub fn around(edges: &[Vec<Point>]) -> Self {
        let points = || edges.iter().flatten();
        let least = |of: fn(&Point) -> f64| points().map(of).fold(f64::INFINITY, f64::min);
        let most = |of: fn(&Point) -> f64| points().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (west, east) = (least(|point| point.lon), most(|point| point.lon));
        let (south, north) = (least(|point| point.lat), most(|point| point.lat));
        let short = f64::midpoint(south, north).to_radians().cos().max(SHORTEST);
        let room = MARGIN * (north - south).max((east - west) * short);
        let (south, north) = ((south - room).max(-90.0), (north + room).min(90.0));
        let (west, east) = (west - room / short, east + room / short);
        let unit = (WIDTH / ((east - west) * short)).min(HEIGHT / (north - south));
        // What is left of the width shows more of the globe.
        let left = (WIDTH / unit / short - (east - west)) / 2.0;
        Self {
            west: west - left,
            east: east + left,
            south,
            north,
            short,
            unit,
        }
    }

    pub fn height(&self) -> f64 {
        (self.north - self.south) * self.unit
    }

    fn x(&self, lon: f64) -> f64 {
        (lon - self.west) * self.short * self.unit
    }

    fn y(&self, lat: f64) -> f64 {
        (self.north - lat) * self.unit
    }

    pub fn points(&self, edge: &[Point]) -> String {
        let places = edge.iter().map(|point| {
            let (x, y) = (self.x(point.lon), self.y(point.lat));
            format!("{},{}", written(x), written(y))
        });
        places.collect::<Vec<_>>().join(" ")
    }

    pub fn lines(&self) -> Vec<Line> {
        let height = self.height();
        let (north_step, east_step) = (step(self.north - self.south), step(self.east - self.west));
        let across = each(north_step, self.south, self.north).map(|lat| {
            let y = self.y(lat);
            line((0.0, y), (WIDTH, y), degrees(lat, north_step, "N", "S"))
        });
        let upright = each(east_step, self.west, self.east).map(|lon| {
            let x = self.x(lon);
            line(
                (x, 0.0),
                (x, height),
                degrees(within_half(lon), east_step, "E", "W"),
            )
        });
        across.chain(upright).collect()
    }

    /// The longest round length that takes no more than a quarter of the width.
    pub fn scale(&self) -> Scale {
        let metres_in_a_degree = EARTH * TAU / 360.0;
        let most = WIDTH / 4.0 / self.unit * metres_in_a_degree;
        let power = 10_f64.powf(most.log10().floor());
        let rounds = [5.0, 2.0, 1.0].map(|round| round * power);
        let metres = rounds
            .into_iter()
            .find(|round| *round <= most)
            .unwrap_or(power);
        let length = metres / metres_in_a_degree * self.unit;
        let y = self.height() - 12.0;
        Scale {
            from: written(12.0),
            to: written(12.0 + length),
            y: written(y),
            above: written(y - 5.0),
            label: match metres {
                short if short < 1_000.0 => format!("{short} m"),
                long => format!("{} km", long / 1_000.0),
            },
        }
    }
}

/// How far apart the lines are that cross so many degrees.
fn step(across: f64) -> f64 {
    let few = STEPS.into_iter().find(|step| across / step <= LINES);
    few.unwrap_or(90.0)
}

/// The multiples of a step that lie between two numbers.
fn each(step: f64, from: f64, to: f64) -> impl Iterator<Item = f64> {
    let first = (from / step).ceil();
    let count = ((to / step).floor() - first).max(-1.0) + 1.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few lines, none less than none"
    )]
    let count = count as u32;
    (0..count).map(move |number| (first + f64::from(number)) * step)
}

fn line(from: (f64, f64), to: (f64, f64), label: String) -> Line {
    Line {
        x1: written(from.0),
        y1: written(from.1),
        x2: written(to.0),
        y2: written(to.1),
        label,
    }
}

/// Degrees, as exact as the lines need.
fn degrees(degrees: f64, step: f64, above: &str, below: &str) -> String {
    let places = if step >= 1.0 {
        0
    } else if step >= 0.1 {
        1
    } else if step >= 0.01 {
        2
    } else {
        3
    };
    let side = match degrees {
        zero if zero.abs() < step / 2.0 => return "0°".to_owned(),
        north if north > 0.0 => above,
        _ => below,
    };
    format!("{:.places$}° {side}", degrees.abs())
}

pub fn written(number: f64) -> String {
    format!("{number:.1}")
}

/// The same longitude, within half a turn.
pub fn within_half(degrees: f64) -> f64 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}
