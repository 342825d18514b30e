//! `baton recipients import`: sends a file of any length, and says what became of its rows.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use baton_client::{Client, Import, RowFormat};
use futures::stream;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::mpsc;

use crate::{
    cli::{FileFormat, ImportArgs},
    exit::{Exit, Failure},
    output::{Output, clean},
};

/// How much of the file is sent at once.
const PIECE: usize = 64 * 1024;

pub async fn run(args: &ImportArgs, client: &Client, output: &Output) -> Result<Exit, Failure> {
    let format = format_of(args)?;
    let (file, length) = open(&args.file)?;
    let bar = bar(output, length);
    let is_unreadable = Arc::new(AtomicBool::new(false));
    let mut pieces = pieces(file, bar.clone(), is_unreadable.clone());
    let rows = stream::poll_fn(move |context| pieces.poll_recv(context));
    let import = client.import_recipients(format, args.dry_run, rows).await;
    bar.finish_and_clear();
    if is_unreadable.load(Ordering::SeqCst) {
        let what = format!("{} could not be read to its end", args.file.display());
        return Err(Failure::new(what)
            .then("What was read before is in; the same file again changes nothing."));
    }
    Ok(tell(&import?, output))
}

fn format_of(args: &ImportArgs) -> Result<RowFormat, Failure> {
    let extension = args
        .file
        .extension()
        .and_then(|extension| extension.to_str());
    let said = match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => Some(FileFormat::Csv),
        Some("ndjson" | "jsonl") => Some(FileFormat::Ndjson),
        _ => None,
    };
    match args.format.or(said) {
        Some(FileFormat::Csv) => Ok(RowFormat::Csv),
        Some(FileFormat::Ndjson) => Ok(RowFormat::Ndjson),
        None => Err(
            Failure::usage("the name of the file does not say how its rows are written")
                .then("Say it: --format ndjson or --format csv."),
        ),
    }
}

/// The file, and how long it is if that can be known.
fn open(path: &Path) -> Result<(Box<dyn Read + Send>, Option<u64>), Failure> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let unreadable = |error| Failure::usage(format!("{} cannot be read: {error}", path.display()));
    let file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    Ok((Box::new(file), (length > 0).then_some(length)))
}

fn bar(output: &Output, length: Option<u64>) -> ProgressBar {
    let bar = output.bar(length.unwrap_or(0), "sent");
    let template = match length {
        Some(_) => "{prefix} {bar:24} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left  {msg}",
        None => "{prefix} {bytes} {bytes_per_sec}  {msg}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏░"));
    }
    bar
}

/// Reads the file in a thread of its own, a few pieces ahead of who sends them.
fn pieces(
    mut file: Box<dyn Read + Send>,
    bar: ProgressBar,
    is_unreadable: Arc<AtomicBool>,
) -> mpsc::Receiver<io::Result<bytes::Bytes>> {
    let (pieces, taken) = mpsc::channel(4);
    tokio::task::spawn_blocking(move || {
        let mut lines = 0;
        loop {
            let mut piece = vec![0; PIECE];
            match file.read(&mut piece) {
                Ok(0) => return,
                Ok(length) => piece.truncate(length),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    is_unreadable.store(true, Ordering::SeqCst);
                    // Who sends may have given up.
                    let _ = pieces.blocking_send(Err(error));
                    return;
                }
            }
            lines += piece.iter().filter(|byte| **byte == b'\n').count();
            bar.inc(piece.len() as u64);
            bar.set_message(format!("{lines} lines"));
            if pieces.blocking_send(Ok(piece.into())).is_err() {
                return;
            }
        }
    });
    taken
}

fn tell(import: &Import, output: &Output) -> Exit {
    if output.is_json() {
        output.json(import);
    } else {
        for row in &import.errors {
            for error in &row.errors {
                output.say(format!("line {}: {}", row.line, clean(&error.to_string())));
            }
        }
        if import.refused > import.errors.len() as u64 {
            output.say("Only the first refused rows are told.");
        }
        output.line(sentence(import));
    }
    if let Some(stopped) = &import.stopped {
        output.say(format!(
            "Stopped at line {}: {}",
            stopped.line,
            clean(&stopped.message)
        ));
    }
    if import.complete && import.refused == 0 {
        Exit::Ok
    } else {
        Exit::Invalid
    }
}

fn sentence(import: &Import) -> String {
    let Import {
        rows,
        added,
        changed,
        unchanged,
        refused,
        ..
    } = import;
    let what = format!(
        "{rows} rows: {added} added, {changed} changed, {unchanged} unchanged, {refused} refused"
    );
    if import.dry_run {
        format!("{what} (a dry run: nothing was written)")
    } else {
        what
    }
}
