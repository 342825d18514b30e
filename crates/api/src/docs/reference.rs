//! The reference: every call on one page, drawn from the description.

use serde_json::Value;
use utoipa::openapi::OpenApi;

use super::{
    markdown::{draw, escape, line},
    page::frame,
};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// Draws the whole page.
pub fn draw_reference(api: &OpenApi) -> String {
    let api = &serde_json::to_value(api).unwrap_or_default();
    let info = &api["info"];
    let mut body = format!(
        "<h1>{} API <small>{}</small></h1>\n{}",
        escape(text(&info["title"])),
        escape(text(&info["version"])),
        draw(text(&info["description"]))
    );
    for tag in items(&api["tags"]) {
        body.push_str(&draw_tag(api, tag));
    }
    body.push_str("<section><h2>Schemas</h2>\n");
    for (name, schema) in members(&api["components"]["schemas"]) {
        body.push_str(&draw_schema(name, schema));
    }
    body.push_str("</section>\n");
    frame("API", &body)
}

fn draw_tag(api: &Value, tag: &Value) -> String {
    let name = text(&tag["name"]);
    let mut html = format!(
        "<section><h2>{}</h2>\n<p>{}</p>\n",
        escape(name),
        line(text(&tag["description"]))
    );
    for (path, item) in members(&api["paths"]) {
        for method in METHODS {
            let operation = &item[method];
            if items(&operation["tags"]).any(|tag| tag == name) {
                html.push_str(&draw_operation(method, path, operation));
            }
        }
    }
    html + "</section>\n"
}

fn draw_operation(method: &str, path: &str, operation: &Value) -> String {
    format!(
        "<details class=\"call\"><summary><b class=\"{method}\">{}</b> <code>{}</code> \
         <span>{}</span></summary>\n{}{}{}{}</details>\n",
        method.to_uppercase(),
        escape(path),
        line(text(&operation["summary"])),
        draw(text(&operation["description"])),
        draw_parameters(operation),
        draw_body(operation),
        draw_responses(operation),
    )
}

fn draw_parameters(operation: &Value) -> String {
    let rows: String = items(&operation["parameters"])
        .map(|parameter| {
            row(&[
                &format!("<code>{}</code>", escape(text(&parameter["name"]))),
                &escape(text(&parameter["in"])),
                &kind(&parameter["schema"]),
                &line(text(&parameter["description"])),
            ])
        })
        .collect();
    table("Parameters", &["name", "in", "type", "meaning"], &rows)
}

fn draw_body(operation: &Value) -> String {
    members(&operation["requestBody"]["content"])
        .map(|(media, content)| {
            format!(
                "<h3>Body</h3>\n<p><code>{}</code>: {}</p>\n",
                escape(media),
                kind(&content["schema"])
            )
        })
        .collect()
}

fn draw_responses(operation: &Value) -> String {
    let rows: String = members(&operation["responses"])
        .map(|(status, response)| {
            let shapes: Vec<_> = members(&response["content"])
                .map(|(_, content)| kind(&content["schema"]))
                .collect();
            row(&[
                &escape(status),
                &shapes.join(" or "),
                &line(text(&response["description"])),
            ])
        })
        .collect();
    table("Answers", &["status", "type", "meaning"], &rows)
}

fn draw_schema(name: &str, schema: &Value) -> String {
    let required: Vec<_> = items(&schema["required"]).map(text).collect();
    let rows: String = members(&schema["properties"])
        .map(|(field, property)| {
            let mark = if required.contains(&field) { " *" } else { "" };
            row(&[
                &format!("<code>{}</code>{mark}", escape(field)),
                &kind(property),
                &line(meaning(property)),
            ])
        })
        .collect();
    let fields = table("", &["field", "type", "meaning"], &rows);
    let shape = if fields.is_empty() {
        format!("<p>{}</p>\n", kind(schema))
    } else {
        fields
    };
    format!(
        "<details class=\"schema\" id=\"{id}\"><summary><code>{id}</code></summary>\n{}{shape}</details>\n",
        draw(text(&schema["description"])),
        id = escape(name),
    )
}

/// A schema in a few words, with a link to where it is told.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next())
    {
        let name = escape(name);
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    for (choice, between) in [("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")] {
        let parts: Vec<_> = items(&schema[choice]).map(kind).collect();
        if !parts.is_empty() {
            return parts.join(between);
        }
    }
    let words: Vec<_> = items(&schema["enum"])
        .map(|word| format!("<code>{}</code>", escape(text(word))))
        .collect();
    if !words.is_empty() {
        return words.join(" ");
    }
    match &schema["type"] {
        Value::Array(kinds) => kinds
            .iter()
            .map(|kind| escape(text(kind)))
            .collect::<Vec<_>>()
            .join(" or "),
        Value::String(kind_of) if kind_of == "array" => {
            format!("array of {}", kind(&schema["items"]))
        }
        Value::String(kind_of) => escape(kind_of),
        _ => "any JSON".to_owned(),
    }
}

/// What a field means; a field that can be null carries it one level deeper.
fn meaning(property: &Value) -> &str {
    let inner = items(&property["oneOf"]).find_map(|choice| choice["description"].as_str());
    property["description"]
        .as_str()
        .or(inner)
        .unwrap_or_default()
}

fn table(title: &str, heads: &[&str], rows: &str) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let title = if title.is_empty() {
        String::new()
    } else {
        format!("<h3>{title}</h3>\n")
    };
    let heads: String = heads
        .iter()
        .map(|head| format!("<th>{head}</th>"))
        .collect();
    format!("{title}<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n")
}

fn row(cells: &[&str]) -> String {
    let cells: String = cells
        .iter()
        .map(|cell| format!("<td>{cell}</td>"))
        .collect();
    format!("<tr>{cells}</tr>\n")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value))
}
