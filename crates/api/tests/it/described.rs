//! Bodies as the description has them: one that has every field, and what can be wrong with each.

use serde_json::{Map, Value, json};

/// How deep a description is followed; some lead back to themselves.
const DEEPEST: usize = 5;

/// A body with every field that the description has, as far as it can be known.
pub struct Described {
    whole: Value,
}

impl Described {
    pub fn read(description: &Value, schema: &Value) -> Self {
        Self {
            whole: example(description, schema, 0),
        }
    }

    /// Where its fields are, as JSON pointers.
    pub fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        gather(&self.whole, "", &mut paths);
        paths
    }

    /// The body whole, with a field that nobody knows, and with each field missing or of each of these values.
    pub fn variants(&self, values: &[Value]) -> Vec<Value> {
        let mut unknown = self.whole.clone();
        if let Value::Object(fields) = &mut unknown {
            fields.insert("nonsense".to_owned(), json!(1));
        }
        let mut variants = vec![self.whole.clone(), unknown];
        for path in self.paths() {
            variants.push(without(&self.whole, &path));
            for value in values {
                let mut variant = self.whole.clone();
                *variant.pointer_mut(&path).unwrap() = value.clone();
                variants.push(variant);
            }
        }
        variants
    }

    /// The body with a list of nothings, as long as it has fields, in the place of each of its objects whose fields are described.
    pub fn with_lists(&self) -> Vec<Value> {
        let is_free = |path: &String| path.ends_with("/payload") || path.ends_with("/data");
        let paths = self.paths().into_iter().filter(|path| !is_free(path));
        let listed = |path: String| {
            let mut body = self.whole.clone();
            let place = body.pointer_mut(&path)?;
            let fields = place.as_object()?.len();
            *place = Value::Array(vec![Value::Null; fields]);
            Some(body)
        };
        paths.chain([String::new()]).filter_map(listed).collect()
    }
}

fn gather(value: &Value, at: &str, paths: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (escaped(name), value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(i, item)| (i.to_string(), item))
            .collect(),
        _ => return,
    };
    for (name, child) in children {
        let path = format!("{at}/{name}");
        gather(child, &path, paths);
        paths.push(path);
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn without(whole: &Value, path: &str) -> Value {
    let mut rest = whole.clone();
    let (parent, name) = path.rsplit_once('/').unwrap();
    match rest.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            fields.remove(&name.replace("~1", "/").replace("~0", "~"));
        }
        Some(Value::Array(items)) => items.clear(),
        _ => {}
    }
    rest
}

/// A value that a schema describes.
fn example(description: &Value, schema: &Value, depth: usize) -> Value {
    if depth > DEEPEST {
        return json!({});
    }
    if let Some(example) = schema.get("example") {
        return example.clone();
    }
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches('#');
        let target = description.pointer(name).unwrap();
        return example(description, target, depth + 1);
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    for choice in ["oneOf", "anyOf"] {
        let choices = schema[choice].as_array().into_iter().flatten();
        let mut solid = choices.filter(|choice| choice["type"] != "null");
        if let Some(choice) = solid.next() {
            return example(description, choice, depth + 1);
        }
    }
    let parts = schema["allOf"].as_array().into_iter().flatten();
    let mut fields = Map::new();
    for part in parts.chain([schema]) {
        if part.get("$ref").is_some()
            && let Value::Object(more) = example(description, part, depth + 1)
        {
            fields.extend(more);
        }
        for (name, property) in part["properties"].as_object().into_iter().flatten() {
            fields.insert(name.clone(), example(description, property, depth + 1));
        }
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds
            .iter()
            .find(|kind| *kind != "null")
            .and_then(Value::as_str),
        kind => kind.as_str(),
    };
    match kind {
        Some("string") => json!("x"),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("array") => json!([example(description, &schema["items"], depth + 1)]),
        _ => Value::Object(fields),
    }
}
