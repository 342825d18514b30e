//! The header of a CSV import: which cell is what.

use std::collections::BTreeSet;

use baton_domain::{
    job::FieldError,
    recipient::{Profile, RecipientSpec},
};

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Id,
    Platform,
    Lat,
    Lon,
    Topics,
    Enabled,
    TimeZone,
    Locale,
    Address(String),
}

/// The columns, in their order.
#[derive(Debug)]
pub struct Header(Vec<Column>);

const COLUMNS: &str = "the columns are id, platform, lat, lon, topics, enabled, time_zone, locale and address.<channel>";

impl Header {
    /// Reads the first record.
    pub fn read(cells: &[&str]) -> Result<Self, FieldError> {
        let columns = cells.iter().map(|cell| column(cell.trim()));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let known: BTreeSet<_> = columns.iter().collect();
        if known.len() < columns.len() {
            return Err(FieldError::new("header", "names a column twice"));
        }
        for (wanted, name) in [(Column::Id, "id"), (Column::Platform, "platform")] {
            if !columns.contains(&wanted) {
                let message = format!("has no column {name}; {COLUMNS}");
                return Err(FieldError::new("header", message));
            }
        }
        Ok(Self(columns))
    }

    /// Reads any other record.
    pub fn profile(&self, cells: &[&str]) -> Result<Profile, Vec<FieldError>> {
        if cells.len() != self.0.len() {
            let (has, wanted) = (cells.len(), self.0.len());
            let message = format!("has {has} cells where the header has {wanted}");
            return Err(vec![FieldError::new("row", message)]);
        }
        let mut errors = Vec::new();
        let (mut id, mut spec) = (String::new(), RecipientSpec::on(""));
        for (column, cell) in self.0.iter().zip(cells) {
            if let Err(error) = fill(&mut id, &mut spec, column, cell.trim()) {
                errors.push(error);
            }
        }
        match Profile::from_spec(id, spec) {
            Ok(profile) if errors.is_empty() => Ok(profile),
            Ok(_) => Err(errors),
            Err(more) => {
                // What could not even be read is not missing as well.
                let is_new =
                    |error: &FieldError| errors.iter().all(|known| known.field != error.field);
                let more: Vec<_> = more.into_iter().filter(is_new).collect();
                errors.extend(more);
                Err(errors)
            }
        }
    }
}

fn column(name: &str) -> Result<Column, FieldError> {
    Ok(match name {
        "id" => Column::Id,
        "platform" => Column::Platform,
        "lat" => Column::Lat,
        "lon" => Column::Lon,
        "topics" => Column::Topics,
        "enabled" => Column::Enabled,
        "time_zone" => Column::TimeZone,
        "locale" => Column::Locale,
        _ => {
            if let Some(channel) = name.strip_prefix("address.") {
                Column::Address(channel.to_owned())
            } else {
                let name: String = name.chars().take(100).collect();
                let message = format!("names {name:?}, which is no column; {COLUMNS}");
                return Err(FieldError::new("header", message));
            }
        }
    })
}

/// Puts a cell where it belongs; an empty one says nothing.
fn fill(
    id: &mut String,
    spec: &mut RecipientSpec,
    column: &Column,
    cell: &str,
) -> Result<(), FieldError> {
    if cell.is_empty() {
        return Ok(());
    }
    match column {
        Column::Id => cell.clone_into(id),
        Column::Platform => cell.clone_into(&mut spec.platform),
        Column::Lat => spec.lat = Some(number("lat", cell)?),
        Column::Lon => spec.lon = Some(number("lon", cell)?),
        Column::Topics => spec.topics = topics(cell),
        Column::Enabled => spec.enabled = truth(cell)?,
        Column::Locale => spec.locale = Some(cell.to_owned()),
        Column::TimeZone => spec.time_zone = Some(cell.to_owned()),
        Column::Address(channel) => {
            spec.addresses.insert(channel.clone(), cell.to_owned());
        }
    }
    Ok(())
}

fn number(field: &str, cell: &str) -> Result<f64, FieldError> {
    let message = "must be a number of degrees, with a full stop before its fraction";
    cell.parse().map_err(|_| FieldError::new(field, message))
}

/// None of these can be part of a topic's name.
fn topics(cell: &str) -> Vec<String> {
    let topics = cell.split(['|', ';', ',', ' ']);
    topics
        .filter(|topic| !topic.is_empty())
        .map(str::to_owned)
        .collect()
}

fn truth(cell: &str) -> Result<bool, FieldError> {
    match cell.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Ok(true),
        "false" | "0" | "no" => Ok(false),
        _ => Err(FieldError::new("enabled", "must be true or false")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_what_its_header_says() {
        let header = [
            "lon",
            "id",
            "topics",
            "platform",
            "lat",
            "enabled",
            "address.push",
            "time_zone",
            "locale",
        ];
        let header = Header::read(&header).unwrap();

        let cells = [
            "127",
            "a",
            "quiz|news",
            "ios",
            " 37.5 ",
            "no",
            "token",
            "Asia/Seoul",
            "ko_KR",
        ];
        let profile = header.profile(&cells).unwrap();

        assert_eq!(
            (
                profile.id.as_str(),
                profile.platform.as_str(),
                profile.enabled
            ),
            ("a", "ios", false)
        );
        assert_eq!(
            profile.location.map(|point| (point.lat, point.lon)),
            Some((37.5, 127.0))
        );
        assert_eq!(profile.topics.len(), 2);
        assert_eq!(profile.addresses["push"], "token");
        assert_eq!(profile.locale.as_deref(), Some("ko-KR"));
    }

    #[test]
    fn a_header_that_lacks_doubles_or_invents_a_column_is_refused() {
        for header in [
            &["id"][..],
            &["platform"],
            &["id", "platform", "id"],
            &["id", "platform", "shoe size"],
            &[],
        ] {
            assert!(Header::read(header).is_err(), "{header:?}");
        }
    }

    #[test]
    fn everything_wrong_with_a_row_is_named() {
        let header = Header::read(&["id", "platform", "lat", "lon", "enabled"]).unwrap();

        let errors = header
            .profile(&["", "ios", "37,5", "181", "maybe"])
            .unwrap_err();
        let short = header.profile(&["a", "ios"]).unwrap_err();

        let fields: Vec<_> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["lat", "enabled", "id", "lon"]);
        assert_eq!(short[0].field, "row");
    }
}
