/* The calls of the API, by their words. Written by tools/generate.mjs: do not edit. */

import { Group } from "../groups";
import type { Transport } from "../transport";
import type * as models from "./models";
import type { paths } from "./models";

const e = encodeURIComponent;

type Query<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type Body<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { requestBody?: { content: { "application/json": infer B } } } ? B : never;

/** The calls about jobs. */
export class Jobs extends Group {
  /** List attempts. */
  attemptsOf(query: Query<"/v1/attempts", "get">): Promise<models.ListAttempt> {
    return this.json("GET", "/v1/attempts", { query });
  }

  /** List attempts, page after page. */
  allAttemptsOf(query: Query<"/v1/attempts", "get">): AsyncGenerator<models.Attempt> {
    return this.pages("/v1/attempts", query);
  }

  /** List jobs. */
  list(query: Query<"/v1/jobs", "get"> = {}): Promise<models.ListJob> {
    return this.json("GET", "/v1/jobs", { query });
  }

  /** List jobs, page after page. */
  all(query: Query<"/v1/jobs", "get"> = {}): AsyncGenerator<models.Job> {
    return this.pages("/v1/jobs", query);
  }

  /** Enqueue a job. */
  create(body: Body<"/v1/jobs", "post">): Promise<models.Job> {
    return this.json("POST", "/v1/jobs", { body });
  }

  /** Enqueue many jobs. */
  createBatch(body: Body<"/v1/jobs/batch", "post">): Promise<models.Batch> {
    return this.json("POST", "/v1/jobs/batch", { body });
  }

  /** Cancel many jobs. */
  cancelJobs(body: Body<"/v1/jobs/cancel", "post">): Promise<models.Operation> {
    return this.json("POST", "/v1/jobs/cancel", { body });
  }

  /** Run many jobs again. */
  retryJobs(body: Body<"/v1/jobs/retry", "post">): Promise<models.Operation> {
    return this.json("POST", "/v1/jobs/retry", { body });
  }

  /** Show a job. */
  show(id: string, query: Query<"/v1/jobs/{id}", "get"> = {}): Promise<models.Job> {
    return this.json("GET", `/v1/jobs/${e(id)}`, { query });
  }

  /** List a job's attempts. */
  attempts(id: string, query: Query<"/v1/jobs/{id}/attempts", "get"> = {}): Promise<models.ListAttempt> {
    return this.json("GET", `/v1/jobs/${e(id)}/attempts`, { query });
  }

  /** List a job's attempts, page after page. */
  allAttempts(id: string, query: Query<"/v1/jobs/{id}/attempts", "get"> = {}): AsyncGenerator<models.Attempt> {
    return this.pages(`/v1/jobs/${e(id)}/attempts`, query);
  }

  /** Cancel a job. */
  cancel(id: string, body?: Body<"/v1/jobs/{id}/cancel", "post">): Promise<models.Job> {
    return this.json("POST", `/v1/jobs/${e(id)}/cancel`, { body });
  }

  /** List a job's events. */
  events(id: string, query: Query<"/v1/jobs/{id}/events", "get"> = {}): Promise<models.ListEvent> {
    return this.json("GET", `/v1/jobs/${e(id)}/events`, { query });
  }

  /** List a job's events, page after page. */
  allEvents(id: string, query: Query<"/v1/jobs/{id}/events", "get"> = {}): AsyncGenerator<models.Event> {
    return this.pages(`/v1/jobs/${e(id)}/events`, query);
  }

  /** Explain a job. */
  explain(id: string): Promise<models.Explanation> {
    return this.json("GET", `/v1/jobs/${e(id)}/explain`);
  }

  /** Say how an uncertain job ended. */
  resolve(id: string, body: Body<"/v1/jobs/{id}/resolve", "post">): Promise<models.Job> {
    return this.json("POST", `/v1/jobs/${e(id)}/resolve`, { body });
  }

  /** Run a job again. */
  retry(id: string, body?: Body<"/v1/jobs/{id}/retry", "post">): Promise<models.Job> {
    return this.json("POST", `/v1/jobs/${e(id)}/retry`, { body });
  }

  /** Run a waiting job now. */
  runNow(id: string): Promise<models.Job> {
    return this.json("POST", `/v1/jobs/${e(id)}/run-now`);
  }
}

/** The calls about recipients. */
export class Recipients extends Group {
  /** Preview an audience. */
  preview(body: Body<"/v1/audiences/preview", "post">): Promise<models.AudiencePreview> {
    return this.json("POST", "/v1/audiences/preview", { body });
  }

  /** List recipients. */
  list(query: Query<"/v1/recipients", "get"> = {}): Promise<models.ListRecipient> {
    return this.json("GET", "/v1/recipients", { query });
  }

  /** List recipients, page after page. */
  all(query: Query<"/v1/recipients", "get"> = {}): AsyncGenerator<models.Recipient> {
    return this.pages("/v1/recipients", query);
  }

  /** Import recipients. */
  import(content: string | Uint8Array, contentType: "application/x-ndjson" | "text/csv" = "application/x-ndjson", query: Query<"/v1/recipients/import", "post"> = {}): Promise<models.Import> {
    return this.json("POST", "/v1/recipients/import", { content, contentType, query });
  }

  /** Show a recipient. */
  show(id: string): Promise<models.Recipient> {
    return this.json("GET", `/v1/recipients/${e(id)}`);
  }

  /** Put a recipient. */
  put(id: string, body: Body<"/v1/recipients/{id}", "put">): Promise<models.Recipient> {
    return this.json("PUT", `/v1/recipients/${e(id)}`, { body });
  }

  /** Delete a recipient. */
  delete(id: string, query: Query<"/v1/recipients/{id}", "delete"> = {}): Promise<models.Operation | undefined> {
    return this.json("DELETE", `/v1/recipients/${e(id)}`, { query });
  }
}

/** The calls about audit. */
export class Audit extends Group {
  /** Search the audit log. */
  list(query: Query<"/v1/audit", "get"> = {}): Promise<models.ListAuditEntry> {
    return this.json("GET", "/v1/audit", { query });
  }

  /** Search the audit log, page after page. */
  all(query: Query<"/v1/audit", "get"> = {}): AsyncGenerator<models.AuditEntry> {
    return this.pages("/v1/audit", query);
  }

  /** Export the audit log. */
  export(query: Query<"/v1/audit/export", "get"> = {}): Promise<string> {
    return this.text("GET", "/v1/audit/export", { query });
  }
}

/** The calls about campaigns. */
export class Campaigns extends Group {
  /** List campaigns. */
  list(query: Query<"/v1/campaigns", "get"> = {}): Promise<models.ListCampaign> {
    return this.json("GET", "/v1/campaigns", { query });
  }

  /** List campaigns, page after page. */
  all(query: Query<"/v1/campaigns", "get"> = {}): AsyncGenerator<models.Campaign> {
    return this.pages("/v1/campaigns", query);
  }

  /** Create a campaign. */
  create(body: Body<"/v1/campaigns", "post">): Promise<models.Campaign> {
    return this.json("POST", "/v1/campaigns", { body });
  }

  /** Preview a campaign. */
  preview(body: Body<"/v1/campaigns/preview", "post">): Promise<models.CampaignPreview> {
    return this.json("POST", "/v1/campaigns/preview", { body });
  }

  /** Show a campaign. */
  show(id: string): Promise<models.Campaign> {
    return this.json("GET", `/v1/campaigns/${e(id)}`);
  }

  /** Change a campaign while it runs. */
  change(id: string, body: Body<"/v1/campaigns/{id}", "patch">): Promise<models.Campaign> {
    return this.json("PATCH", `/v1/campaigns/${e(id)}`, { body });
  }

  /** Approve a campaign. */
  approve(id: string): Promise<models.Campaign> {
    return this.json("POST", `/v1/campaigns/${e(id)}/approve`);
  }

  /** Cancel a campaign. */
  cancel(id: string, body?: Body<"/v1/campaigns/{id}/cancel", "post">): Promise<models.Campaign> {
    return this.json("POST", `/v1/campaigns/${e(id)}/cancel`, { body });
  }

  /** List the deliveries of a campaign. */
  deliveries(id: string, query: Query<"/v1/campaigns/{id}/deliveries", "get"> = {}): Promise<models.ListJob> {
    return this.json("GET", `/v1/campaigns/${e(id)}/deliveries`, { query });
  }

  /** List the deliveries of a campaign, page after page. */
  allDeliveries(id: string, query: Query<"/v1/campaigns/{id}/deliveries", "get"> = {}): AsyncGenerator<models.Job> {
    return this.pages(`/v1/campaigns/${e(id)}/deliveries`, query);
  }

  /** List why deliveries of a campaign failed. */
  failures(id: string, query: Query<"/v1/campaigns/{id}/failures", "get"> = {}): Promise<models.ListDeadLetters> {
    return this.json("GET", `/v1/campaigns/${e(id)}/failures`, { query });
  }

  /** List why deliveries of a campaign failed, page after page. */
  allFailures(id: string, query: Query<"/v1/campaigns/{id}/failures", "get"> = {}): AsyncGenerator<models.DeadLetters> {
    return this.pages(`/v1/campaigns/${e(id)}/failures`, query);
  }

  /** Show how far a campaign is. */
  progress(id: string): Promise<models.CampaignProgress> {
    return this.json("GET", `/v1/campaigns/${e(id)}/progress`);
  }

  /** Show whom a campaign has not reached. */
  showRest(id: string): Promise<models.CampaignRest> {
    return this.json("GET", `/v1/campaigns/${e(id)}/rest`);
  }

  /** Resume a campaign. */
  resume(id: string, body?: Body<"/v1/campaigns/{id}/resume", "post">): Promise<models.Campaign> {
    return this.json("POST", `/v1/campaigns/${e(id)}/resume`, { body });
  }

  /** Run failed deliveries again. */
  retryFailed(id: string, body?: Body<"/v1/campaigns/{id}/retry-failed", "post">): Promise<models.Operation> {
    return this.json("POST", `/v1/campaigns/${e(id)}/retry-failed`, { body });
  }

  /** Send a campaign to the rest. */
  send(id: string, body?: Body<"/v1/campaigns/{id}/send-to-rest", "post">): Promise<models.Campaign> {
    return this.json("POST", `/v1/campaigns/${e(id)}/send-to-rest`, { body });
  }

  /** Stop a campaign. */
  stop(id: string, body?: Body<"/v1/campaigns/{id}/stop", "post">): Promise<models.Campaign> {
    return this.json("POST", `/v1/campaigns/${e(id)}/stop`, { body });
  }
}

/** The calls about dead letters. */
export class DeadLetters extends Group {
  /** List dead letters. */
  list(query: Query<"/v1/dead-letters", "get"> = {}): Promise<models.ListDeadLetters> {
    return this.json("GET", "/v1/dead-letters", { query });
  }

  /** List dead letters, page after page. */
  all(query: Query<"/v1/dead-letters", "get"> = {}): AsyncGenerator<models.DeadLetters> {
    return this.pages("/v1/dead-letters", query);
  }

  /** Discard dead letters. */
  discard(body: Body<"/v1/dead-letters/discard", "post">): Promise<models.Operation> {
    return this.json("POST", "/v1/dead-letters/discard", { body });
  }

  /** Run dead letters again. */
  retry(body: Body<"/v1/dead-letters/retry", "post">): Promise<models.Operation> {
    return this.json("POST", "/v1/dead-letters/retry", { body });
  }
}

/** The calls about events. */
export class Events extends Group {
  /** List events. */
  list(query: Query<"/v1/events", "get"> = {}): Promise<models.EventPage> {
    return this.json("GET", "/v1/events", { query });
  }

  /** List events, page after page. */
  all(query: Query<"/v1/events", "get"> = {}): AsyncGenerator<models.Event> {
    return this.pages("/v1/events", query);
  }
}

/** The calls about access. */
export class Access extends Group {
  /** List API keys. */
  keys(query: Query<"/v1/keys", "get"> = {}): Promise<models.ListApiKey> {
    return this.json("GET", "/v1/keys", { query });
  }

  /** List API keys, page after page. */
  allKeys(query: Query<"/v1/keys", "get"> = {}): AsyncGenerator<models.ApiKey> {
    return this.pages("/v1/keys", query);
  }

  /** Make an API key. */
  createKey(body: Body<"/v1/keys", "post">): Promise<models.CreatedKey> {
    return this.json("POST", "/v1/keys", { body });
  }

  /** Revoke an API key. */
  revokeKey(id: string): Promise<models.ApiKey> {
    return this.json("POST", `/v1/keys/${e(id)}/revoke`);
  }

  /** Rotate an API key. */
  rotateKey(id: string, body: Body<"/v1/keys/{id}/rotate", "post">): Promise<models.RotatedKey> {
    return this.json("POST", `/v1/keys/${e(id)}/rotate`, { body });
  }

  /** List users. */
  users(query: Query<"/v1/users", "get"> = {}): Promise<models.ListUser> {
    return this.json("GET", "/v1/users", { query });
  }

  /** List users, page after page. */
  allUsers(query: Query<"/v1/users", "get"> = {}): AsyncGenerator<models.User> {
    return this.pages("/v1/users", query);
  }

  /** Add a user. */
  addUser(body: Body<"/v1/users", "post">): Promise<models.User> {
    return this.json("POST", "/v1/users", { body });
  }

  /** Change a user. */
  changeUser(name: string, body: Body<"/v1/users/{name}", "patch">): Promise<models.User> {
    return this.json("PATCH", `/v1/users/${e(name)}`, { body });
  }

  /** Sign a user out. */
  signOut(name: string): Promise<models.SignedOut> {
    return this.json("POST", `/v1/users/${e(name)}/sign-out`);
  }
}

/** The calls about workers. */
export class Workers extends Group {
  /** List kinds. */
  kinds(): Promise<models.ListKind> {
    return this.json("GET", "/v1/kinds");
  }

  /** List workers. */
  list(query: Query<"/v1/workers", "get"> = {}): Promise<models.ListWorker> {
    return this.json("GET", "/v1/workers", { query });
  }

  /** List workers, page after page. */
  all(query: Query<"/v1/workers", "get"> = {}): AsyncGenerator<models.Worker> {
    return this.pages("/v1/workers", query);
  }

  /** Register a worker. */
  register(id: string, body: Body<"/v1/workers/{id}", "put">): Promise<models.Registered> {
    return this.json("PUT", `/v1/workers/${e(id)}`, { body });
  }

  /** Say goodbye. */
  leave(id: string): Promise<void> {
    return this.json("DELETE", `/v1/workers/${e(id)}`);
  }

  /** Change a worker. */
  change(id: string, body: Body<"/v1/workers/{id}", "patch">): Promise<models.Worker> {
    return this.json("PATCH", `/v1/workers/${e(id)}`, { body });
  }

  /** Beat. */
  beat(id: string, body: Body<"/v1/workers/{id}/beat", "post">): Promise<models.News> {
    return this.json("POST", `/v1/workers/${e(id)}/beat`, { body });
  }

  /** Save checkpoints. */
  checkpoints(id: string, body: Body<"/v1/workers/{id}/checkpoints", "post">): Promise<models.SavedCheckpoints> {
    return this.json("POST", `/v1/workers/${e(id)}/checkpoints`, { body });
  }

  /** Claim jobs. */
  claim(id: string, body: Body<"/v1/workers/{id}/claim", "post">): Promise<models.ClaimedJobs> {
    return this.json("POST", `/v1/workers/${e(id)}/claim`, { body });
  }

  /** Release leases. */
  release(id: string, body: Body<"/v1/workers/{id}/release", "post">): Promise<models.GivenBack> {
    return this.json("POST", `/v1/workers/${e(id)}/release`, { body });
  }

  /** Tell results. */
  results(id: string, body: Body<"/v1/workers/{id}/results", "post">): Promise<models.SettledResults> {
    return this.json("POST", `/v1/workers/${e(id)}/results`, { body });
  }
}

/** The calls about nodes. */
export class Nodes extends Group {
  /** List nodes. */
  list(query: Query<"/v1/nodes", "get"> = {}): Promise<models.ListNode> {
    return this.json("GET", "/v1/nodes", { query });
  }

  /** List nodes, page after page. */
  all(query: Query<"/v1/nodes", "get"> = {}): AsyncGenerator<models.Node> {
    return this.pages("/v1/nodes", query);
  }
}

/** The calls about notifications. */
export class Notifications extends Group {
  /** Notify recipients. */
  create(body: Body<"/v1/notifications", "post">): Promise<models.Notification> {
    return this.json("POST", "/v1/notifications", { body });
  }
}

/** The calls about operations. */
export class Operations extends Group {
  /** List operations. */
  list(query: Query<"/v1/operations", "get"> = {}): Promise<models.ListOperation> {
    return this.json("GET", "/v1/operations", { query });
  }

  /** List operations, page after page. */
  all(query: Query<"/v1/operations", "get"> = {}): AsyncGenerator<models.Operation> {
    return this.pages("/v1/operations", query);
  }

  /** Show an operation. */
  show(id: string): Promise<models.Operation> {
    return this.json("GET", `/v1/operations/${e(id)}`);
  }

  /** Stop an operation. */
  stop(id: string): Promise<models.Operation> {
    return this.json("POST", `/v1/operations/${e(id)}/stop`);
  }
}

/** The calls about queues. */
export class Queues extends Group {
  /** List queues. */
  list(query: Query<"/v1/queues", "get"> = {}): Promise<models.ListQueue> {
    return this.json("GET", "/v1/queues", { query });
  }

  /** List queues, page after page. */
  all(query: Query<"/v1/queues", "get"> = {}): AsyncGenerator<models.Queue> {
    return this.pages("/v1/queues", query);
  }

  /** Change a queue. */
  change(name: string, body: Body<"/v1/queues/{name}", "patch">): Promise<models.Queue> {
    return this.json("PATCH", `/v1/queues/${e(name)}`, { body });
  }
}

/** The calls about inbox. */
export class Inbox extends Group {
  /** List an inbox. */
  list(id: string, query: Query<"/v1/recipients/{id}/inbox", "get"> = {}): Promise<models.ListInboxItem> {
    return this.json("GET", `/v1/recipients/${e(id)}/inbox`, { query });
  }

  /** List an inbox, page after page. */
  all(id: string, query: Query<"/v1/recipients/{id}/inbox", "get"> = {}): AsyncGenerator<models.InboxItem> {
    return this.pages(`/v1/recipients/${e(id)}/inbox`, query);
  }

  /** Read everything. */
  readAll(id: string): Promise<models.Unread> {
    return this.json("POST", `/v1/recipients/${e(id)}/inbox/read-all`);
  }

  /** Make an inbox token. */
  token(id: string, body?: Body<"/v1/recipients/{id}/inbox/token", "post">): Promise<models.InboxToken> {
    return this.json("POST", `/v1/recipients/${e(id)}/inbox/token`, { body });
  }

  /** Count unread items. */
  unread(id: string): Promise<models.Unread> {
    return this.json("GET", `/v1/recipients/${e(id)}/inbox/unread`);
  }

  /** Read an item. */
  read(id: string, item: string): Promise<models.Unread> {
    return this.json("POST", `/v1/recipients/${e(id)}/inbox/${e(item)}/read`);
  }
}

/** The calls about schedules. */
export class Schedules extends Group {
  /** List schedules. */
  list(query: Query<"/v1/schedules", "get"> = {}): Promise<models.ListSchedule> {
    return this.json("GET", "/v1/schedules", { query });
  }

  /** List schedules, page after page. */
  all(query: Query<"/v1/schedules", "get"> = {}): AsyncGenerator<models.Schedule> {
    return this.pages("/v1/schedules", query);
  }

  /** Create a schedule. */
  create(body: Body<"/v1/schedules", "post">): Promise<models.Schedule> {
    return this.json("POST", "/v1/schedules", { body });
  }

  /** Show a schedule. */
  show(id: string): Promise<models.Schedule> {
    return this.json("GET", `/v1/schedules/${e(id)}`);
  }

  /** Delete a schedule. */
  delete(id: string): Promise<void> {
    return this.json("DELETE", `/v1/schedules/${e(id)}`);
  }

  /** Change a schedule. */
  change(id: string, body: Body<"/v1/schedules/{id}", "patch">): Promise<models.Schedule> {
    return this.json("PATCH", `/v1/schedules/${e(id)}`, { body });
  }

  /** Fire a schedule now. */
  fire(id: string): Promise<models.Fire> {
    return this.json("POST", `/v1/schedules/${e(id)}/fire`);
  }

  /** Show what a schedule has made. */
  fires(id: string, query: Query<"/v1/schedules/{id}/fires", "get"> = {}): Promise<models.ListFire> {
    return this.json("GET", `/v1/schedules/${e(id)}/fires`, { query });
  }

  /** Show what a schedule has made, page after page. */
  allFires(id: string, query: Query<"/v1/schedules/{id}/fires", "get"> = {}): AsyncGenerator<models.Fire> {
    return this.pages(`/v1/schedules/${e(id)}/fires`, query);
  }

  /** Show the next times of a schedule. */
  next(id: string, query: Query<"/v1/schedules/{id}/next", "get"> = {}): Promise<models.ListNextTime> {
    return this.json("GET", `/v1/schedules/${e(id)}/next`, { query });
  }

  /** Pause a schedule. */
  pause(id: string): Promise<models.Schedule> {
    return this.json("POST", `/v1/schedules/${e(id)}/pause`);
  }

  /** Resume a schedule. */
  resume(id: string): Promise<models.Schedule> {
    return this.json("POST", `/v1/schedules/${e(id)}/resume`);
  }
}

/** All groups of calls. */
export class Calls {
  readonly jobs: Jobs;
  readonly recipients: Recipients;
  readonly audit: Audit;
  readonly campaigns: Campaigns;
  readonly deadLetters: DeadLetters;
  readonly events: Events;
  readonly access: Access;
  readonly workers: Workers;
  readonly nodes: Nodes;
  readonly notifications: Notifications;
  readonly operations: Operations;
  readonly queues: Queues;
  readonly inbox: Inbox;
  readonly schedules: Schedules;

  constructor(transport: Transport) {
    this.jobs = new Jobs(transport);
    this.recipients = new Recipients(transport);
    this.audit = new Audit(transport);
    this.campaigns = new Campaigns(transport);
    this.deadLetters = new DeadLetters(transport);
    this.events = new Events(transport);
    this.access = new Access(transport);
    this.workers = new Workers(transport);
    this.nodes = new Nodes(transport);
    this.notifications = new Notifications(transport);
    this.operations = new Operations(transport);
    this.queues = new Queues(transport);
    this.inbox = new Inbox(transport);
    this.schedules = new Schedules(transport);
  }
}
