//! `baton schedules`: write down, look, stop, fire, and see what they have made.

use baton_client::{Client, CreateSchedule, Fire, NextTime, Schedule, ScheduledJob};
use baton_domain::duration;
use baton_protocol::PageQuery;

use super::{jobs::enqueue::payload, paged::paged};
use crate::{
    cli::{CreateArgs, SchedulesCommand},
    exit::{Exit, Failure},
    output::{Output, clean},
};

pub async fn run(
    command: SchedulesCommand,
    client: Client,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        SchedulesCommand::Create(args) => {
            show(&client.create_schedule(&asked(*args)?).await?, output);
        }
        SchedulesCommand::List { limit } => list(limit, &client, output).await?,
        SchedulesCommand::Show { id } => show(&client.schedule(&id).await?, output),
        SchedulesCommand::Pause { id } => show(&client.pause_schedule(&id).await?, output),
        SchedulesCommand::Resume { id } => show(&client.resume_schedule(&id).await?, output),
        SchedulesCommand::Fire { id } => fired(&client.fire_schedule(&id).await?, output),
        SchedulesCommand::Next { id, count } => {
            next(&client.next_times(&id, count).await?, output);
        }
        SchedulesCommand::Fires { id, limit } => history(&id, limit, &client, output).await?,
        SchedulesCommand::Delete { id } => {
            client.delete_schedule(&id).await?;
            match output.is_json() {
                true => output.json(&serde_json::json!({"deleted": id})),
                false => output.line(format!("{} is forgotten", clean(&id))),
            }
        }
    }
    Ok(Exit::Ok)
}

fn asked(args: CreateArgs) -> Result<CreateSchedule, Failure> {
    let campaign = args.campaign.as_deref().map(payload).transpose()?;
    let campaign = campaign.map(|text| serde_json::from_str(text.as_str()));
    let job = match args.kind {
        Some(kind) => Some(ScheduledJob {
            kind,
            payload: payload(&args.payload)?.into(),
            queue: args.queue,
            expires_after: args.expires_after,
            ..ScheduledJob::default()
        }),
        None => None,
    };
    Ok(CreateSchedule {
        name: args.name,
        cron: args.cron,
        time_zone: args.time_zone,
        job,
        campaign: campaign
            .transpose()
            .map_err(|error| Failure::usage(format!("--campaign is not JSON: {error}")))?,
        lead: args.lead,
        missed: args.missed,
        missed_max: args.missed_max,
    })
}

fn show(schedule: &Schedule, output: &Output) {
    if output.is_json() {
        return output.json(schedule);
    }
    let makes = match &schedule.job {
        Some(job) => format!("a job of kind {}", job.kind),
        None => "a campaign".to_owned(),
    };
    let most = schedule.missed_max;
    let missed = most.map_or_else(
        || schedule.missed.clone(),
        |most| format!("{}, the last {most} at most", schedule.missed),
    );
    let moment = |at: Option<_>| at.map_or_else(String::new, |at| output.moment(at));
    let lines = [
        ("schedule", schedule.id.to_string()),
        ("name", schedule.name.clone()),
        (
            "cron",
            format!("{} in {}", schedule.cron, schedule.time_zone),
        ),
        ("makes", makes),
        ("lead", duration::format(schedule.lead)),
        ("missed", missed),
        ("state", state(schedule).to_owned()),
        ("next", moment(schedule.next_at)),
        ("last", moment(schedule.last_at)),
        ("created", output.moment(schedule.created_at)),
        ("updated", output.moment(schedule.updated_at)),
    ];
    output.fields(lines);
}

const fn state(schedule: &Schedule) -> &'static str {
    if schedule.paused { "paused" } else { "active" }
}

async fn list(limit: u32, client: &Client, output: &Output) -> Result<(), Failure> {
    let page = async |query: PageQuery| client.schedules(&query).await;
    let head = ["schedule", "state", "next", "cron", "time zone", "name"];
    let row = |schedule: &_| row(schedule, output);
    paged(limit as usize, page, &head, row, output).await?;
    Ok(())
}

fn row(schedule: &Schedule, output: &Output) -> Vec<String> {
    let next = schedule.next_at;
    vec![
        schedule.id.to_string(),
        state(schedule).to_owned(),
        next.map_or_else(String::new, |at| output.moment(at)),
        schedule.cron.clone(),
        schedule.time_zone.clone(),
        output.excerpt(&schedule.name),
    ]
}

fn fired(fire: &Fire, output: &Output) {
    match output.is_json() {
        true => output.json(fire),
        false => output.line(fire.made.as_deref().unwrap_or_default()),
    }
}

fn next(times: &[NextTime], output: &Output) {
    output.list(times, &["local", "at", "fires at"], |time| {
        let (at, fires_at) = (output.moment(time.at), output.moment(time.fires_at));
        vec![time.local.clone(), at, fires_at]
    });
}

async fn history(id: &str, limit: u32, client: &Client, output: &Output) -> Result<(), Failure> {
    let page = async |query: PageQuery| client.fires(id, &query).await;
    let head = ["at", "fired at", "what came of it"];
    paged(
        limit as usize,
        page,
        &head,
        |fire| line(fire, output),
        output,
    )
    .await?;
    Ok(())
}

fn line(fire: &Fire, output: &Output) -> Vec<String> {
    let what = match (&fire.made, &fire.reason) {
        (Some(made), _) if fire.by_hand => format!("{made} (by hand)"),
        (Some(made), _) => made.clone(),
        (None, reason) => {
            let reason = reason.as_deref().unwrap_or_default();
            format!("{} missed: {reason}", fire.missed)
        }
    };
    vec![
        output.moment(fire.at),
        output.moment(fire.recorded_at),
        output.excerpt(&what),
    ]
}
