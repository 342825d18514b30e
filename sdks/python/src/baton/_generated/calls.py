"""The calls of the API, by their words. Written by tools/generate.py: do not edit."""

from __future__ import annotations

from typing import Any, AsyncIterator, Iterator, List, Literal, Union, cast

from baton._generated import models
from baton._groups import AsyncGroup, SyncGroup

class AsyncJobs(AsyncGroup):
    """The calls about jobs."""

    async def attempts_of(self, *, jobs: str, after: Union[str, None] = None) -> models.AttemptList:
        """List attempts."""
        return cast('models.AttemptList', await self._send('GET', '/v1/attempts', query={"jobs": jobs, "after": after}))

    async def all_attempts_of(self, *, jobs: str, after: Union[str, None] = None) -> AsyncIterator[models.Attempt]:
        """List attempts, page after page."""
        async for item in self._pages('/v1/attempts', query={"jobs": jobs, "after": after}):
            yield cast('models.Attempt', item)

    async def list(self, *, state: Union[models.JobState, None] = None, kind: Union[str, None] = None, queue: Union[str, None] = None, tag: Union[str, None] = None, campaign: Union[str, None] = None, key: Union[str, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.JobList:
        """List jobs."""
        return cast('models.JobList', await self._send('GET', '/v1/jobs', query={"state": state, "kind": kind, "queue": queue, "tag": tag, "campaign": campaign, "key": key, "limit": limit, "after": after}))

    async def all(self, *, state: Union[models.JobState, None] = None, kind: Union[str, None] = None, queue: Union[str, None] = None, tag: Union[str, None] = None, campaign: Union[str, None] = None, key: Union[str, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.Job]:
        """List jobs, page after page."""
        async for item in self._pages('/v1/jobs', query={"state": state, "kind": kind, "queue": queue, "tag": tag, "campaign": campaign, "key": key, "limit": limit, "after": after}):
            yield cast('models.Job', item)

    async def create(self, body: models.EnqueueJob) -> models.Job:
        """Enqueue a job."""
        return cast('models.Job', await self._send('POST', '/v1/jobs', body=body))

    async def create_batch(self, body: models.EnqueueBatch) -> models.Batch:
        """Enqueue many jobs."""
        return cast('models.Batch', await self._send('POST', '/v1/jobs/batch', body=body))

    async def cancel_jobs(self, body: models.SelectJobs) -> models.Operation:
        """Cancel many jobs."""
        return cast('models.Operation', await self._send('POST', '/v1/jobs/cancel', body=body))

    async def retry_jobs(self, body: models.SelectJobs) -> models.Operation:
        """Run many jobs again."""
        return cast('models.Operation', await self._send('POST', '/v1/jobs/retry', body=body))

    async def show(self, id: str, *, wait: Union[models.Span, None] = None) -> models.Job:
        """Show a job."""
        return cast('models.Job', await self._send('GET', f"/v1/jobs/{self._escaped(id)}", query={"wait": wait}))

    async def attempts(self, id: str, *, after: Union[str, None] = None) -> models.AttemptList:
        """List a job's attempts."""
        return cast('models.AttemptList', await self._send('GET', f"/v1/jobs/{self._escaped(id)}/attempts", query={"after": after}))

    async def all_attempts(self, id: str, *, after: Union[str, None] = None) -> AsyncIterator[models.Attempt]:
        """List a job's attempts, page after page."""
        async for item in self._pages(f"/v1/jobs/{self._escaped(id)}/attempts", query={"after": after}):
            yield cast('models.Attempt', item)

    async def cancel(self, id: str, body: Union[models.Cancel, None] = None) -> models.Job:
        """Cancel a job."""
        return cast('models.Job', await self._send('POST', f"/v1/jobs/{self._escaped(id)}/cancel", body=body))

    async def events(self, id: str, *, after: Union[str, None] = None) -> models.EventList:
        """List a job's events."""
        return cast('models.EventList', await self._send('GET', f"/v1/jobs/{self._escaped(id)}/events", query={"after": after}))

    async def all_events(self, id: str, *, after: Union[str, None] = None) -> AsyncIterator[models.Event]:
        """List a job's events, page after page."""
        async for item in self._pages(f"/v1/jobs/{self._escaped(id)}/events", query={"after": after}):
            yield cast('models.Event', item)

    async def explain(self, id: str) -> models.Explanation:
        """Explain a job."""
        return cast('models.Explanation', await self._send('GET', f"/v1/jobs/{self._escaped(id)}/explain"))

    async def resolve(self, id: str, body: models.Resolve) -> models.Job:
        """Say how an uncertain job ended."""
        return cast('models.Job', await self._send('POST', f"/v1/jobs/{self._escaped(id)}/resolve", body=body))

    async def retry(self, id: str, body: Union[models.Retry, None] = None) -> models.Job:
        """Run a job again."""
        return cast('models.Job', await self._send('POST', f"/v1/jobs/{self._escaped(id)}/retry", body=body))

    async def run_now(self, id: str) -> models.Job:
        """Run a waiting job now."""
        return cast('models.Job', await self._send('POST', f"/v1/jobs/{self._escaped(id)}/run-now"))


class SyncJobs(SyncGroup):
    """The calls about jobs."""

    def attempts_of(self, *, jobs: str, after: Union[str, None] = None) -> models.AttemptList:
        """List attempts."""
        return cast('models.AttemptList', self._send('GET', '/v1/attempts', query={"jobs": jobs, "after": after}))

    def all_attempts_of(self, *, jobs: str, after: Union[str, None] = None) -> Iterator[models.Attempt]:
        """List attempts, page after page."""
        for item in self._pages('/v1/attempts', query={"jobs": jobs, "after": after}):
            yield cast('models.Attempt', item)

    def list(self, *, state: Union[models.JobState, None] = None, kind: Union[str, None] = None, queue: Union[str, None] = None, tag: Union[str, None] = None, campaign: Union[str, None] = None, key: Union[str, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.JobList:
        """List jobs."""
        return cast('models.JobList', self._send('GET', '/v1/jobs', query={"state": state, "kind": kind, "queue": queue, "tag": tag, "campaign": campaign, "key": key, "limit": limit, "after": after}))

    def all(self, *, state: Union[models.JobState, None] = None, kind: Union[str, None] = None, queue: Union[str, None] = None, tag: Union[str, None] = None, campaign: Union[str, None] = None, key: Union[str, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.Job]:
        """List jobs, page after page."""
        for item in self._pages('/v1/jobs', query={"state": state, "kind": kind, "queue": queue, "tag": tag, "campaign": campaign, "key": key, "limit": limit, "after": after}):
            yield cast('models.Job', item)

    def create(self, body: models.EnqueueJob) -> models.Job:
        """Enqueue a job."""
        return cast('models.Job', self._send('POST', '/v1/jobs', body=body))

    def create_batch(self, body: models.EnqueueBatch) -> models.Batch:
        """Enqueue many jobs."""
        return cast('models.Batch', self._send('POST', '/v1/jobs/batch', body=body))

    def cancel_jobs(self, body: models.SelectJobs) -> models.Operation:
        """Cancel many jobs."""
        return cast('models.Operation', self._send('POST', '/v1/jobs/cancel', body=body))

    def retry_jobs(self, body: models.SelectJobs) -> models.Operation:
        """Run many jobs again."""
        return cast('models.Operation', self._send('POST', '/v1/jobs/retry', body=body))

    def show(self, id: str, *, wait: Union[models.Span, None] = None) -> models.Job:
        """Show a job."""
        return cast('models.Job', self._send('GET', f"/v1/jobs/{self._escaped(id)}", query={"wait": wait}))

    def attempts(self, id: str, *, after: Union[str, None] = None) -> models.AttemptList:
        """List a job's attempts."""
        return cast('models.AttemptList', self._send('GET', f"/v1/jobs/{self._escaped(id)}/attempts", query={"after": after}))

    def all_attempts(self, id: str, *, after: Union[str, None] = None) -> Iterator[models.Attempt]:
        """List a job's attempts, page after page."""
        for item in self._pages(f"/v1/jobs/{self._escaped(id)}/attempts", query={"after": after}):
            yield cast('models.Attempt', item)

    def cancel(self, id: str, body: Union[models.Cancel, None] = None) -> models.Job:
        """Cancel a job."""
        return cast('models.Job', self._send('POST', f"/v1/jobs/{self._escaped(id)}/cancel", body=body))

    def events(self, id: str, *, after: Union[str, None] = None) -> models.EventList:
        """List a job's events."""
        return cast('models.EventList', self._send('GET', f"/v1/jobs/{self._escaped(id)}/events", query={"after": after}))

    def all_events(self, id: str, *, after: Union[str, None] = None) -> Iterator[models.Event]:
        """List a job's events, page after page."""
        for item in self._pages(f"/v1/jobs/{self._escaped(id)}/events", query={"after": after}):
            yield cast('models.Event', item)

    def explain(self, id: str) -> models.Explanation:
        """Explain a job."""
        return cast('models.Explanation', self._send('GET', f"/v1/jobs/{self._escaped(id)}/explain"))

    def resolve(self, id: str, body: models.Resolve) -> models.Job:
        """Say how an uncertain job ended."""
        return cast('models.Job', self._send('POST', f"/v1/jobs/{self._escaped(id)}/resolve", body=body))

    def retry(self, id: str, body: Union[models.Retry, None] = None) -> models.Job:
        """Run a job again."""
        return cast('models.Job', self._send('POST', f"/v1/jobs/{self._escaped(id)}/retry", body=body))

    def run_now(self, id: str) -> models.Job:
        """Run a waiting job now."""
        return cast('models.Job', self._send('POST', f"/v1/jobs/{self._escaped(id)}/run-now"))


class AsyncRecipients(AsyncGroup):
    """The calls about recipients."""

    async def preview(self, body: models.PreviewAudience) -> models.AudiencePreview:
        """Preview an audience."""
        return cast('models.AudiencePreview', await self._send('POST', '/v1/audiences/preview', body=body))

    async def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.RecipientList:
        """List recipients."""
        return cast('models.RecipientList', await self._send('GET', '/v1/recipients', query={"limit": limit, "after": after}))

    async def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.Recipient]:
        """List recipients, page after page."""
        async for item in self._pages('/v1/recipients', query={"limit": limit, "after": after}):
            yield cast('models.Recipient', item)

    async def import_(self, content: Union[str, bytes], content_type: Literal['application/x-ndjson', 'text/csv'] = 'application/x-ndjson', *, dry_run: Union[bool, None] = None) -> models.Import:
        """Import recipients."""
        return cast('models.Import', await self._send('POST', '/v1/recipients/import', content=content, content_type=content_type, query={"dry_run": dry_run}))

    async def show(self, id: str) -> models.Recipient:
        """Show a recipient."""
        return cast('models.Recipient', await self._send('GET', f"/v1/recipients/{self._escaped(id)}"))

    async def put(self, id: str, body: models.PutRecipient) -> models.Recipient:
        """Put a recipient."""
        return cast('models.Recipient', await self._send('PUT', f"/v1/recipients/{self._escaped(id)}", body=body))

    async def delete(self, id: str, *, erase: Union[bool, None] = None) -> Union[models.Operation, None]:
        """Delete a recipient."""
        return cast('Union[models.Operation, None]', await self._send('DELETE', f"/v1/recipients/{self._escaped(id)}", query={"erase": erase}))


class SyncRecipients(SyncGroup):
    """The calls about recipients."""

    def preview(self, body: models.PreviewAudience) -> models.AudiencePreview:
        """Preview an audience."""
        return cast('models.AudiencePreview', self._send('POST', '/v1/audiences/preview', body=body))

    def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.RecipientList:
        """List recipients."""
        return cast('models.RecipientList', self._send('GET', '/v1/recipients', query={"limit": limit, "after": after}))

    def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.Recipient]:
        """List recipients, page after page."""
        for item in self._pages('/v1/recipients', query={"limit": limit, "after": after}):
            yield cast('models.Recipient', item)

    def import_(self, content: Union[str, bytes], content_type: Literal['application/x-ndjson', 'text/csv'] = 'application/x-ndjson', *, dry_run: Union[bool, None] = None) -> models.Import:
        """Import recipients."""
        return cast('models.Import', self._send('POST', '/v1/recipients/import', content=content, content_type=content_type, query={"dry_run": dry_run}))

    def show(self, id: str) -> models.Recipient:
        """Show a recipient."""
        return cast('models.Recipient', self._send('GET', f"/v1/recipients/{self._escaped(id)}"))

    def put(self, id: str, body: models.PutRecipient) -> models.Recipient:
        """Put a recipient."""
        return cast('models.Recipient', self._send('PUT', f"/v1/recipients/{self._escaped(id)}", body=body))

    def delete(self, id: str, *, erase: Union[bool, None] = None) -> Union[models.Operation, None]:
        """Delete a recipient."""
        return cast('Union[models.Operation, None]', self._send('DELETE', f"/v1/recipients/{self._escaped(id)}", query={"erase": erase}))


class AsyncAudit(AsyncGroup):
    """The calls about audit."""

    async def list(self, *, principal: Union[str, None] = None, action: Union[models.AuditAction, None] = None, object: Union[str, None] = None, since: Union[models.Moment, None] = None, until: Union[models.Moment, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.AuditEntryList:
        """Search the audit log."""
        return cast('models.AuditEntryList', await self._send('GET', '/v1/audit', query={"principal": principal, "action": action, "object": object, "since": since, "until": until, "limit": limit, "after": after}))

    async def all(self, *, principal: Union[str, None] = None, action: Union[models.AuditAction, None] = None, object: Union[str, None] = None, since: Union[models.Moment, None] = None, until: Union[models.Moment, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.AuditEntry]:
        """Search the audit log, page after page."""
        async for item in self._pages('/v1/audit', query={"principal": principal, "action": action, "object": object, "since": since, "until": until, "limit": limit, "after": after}):
            yield cast('models.AuditEntry', item)

    async def export(self, *, principal: Union[str, None] = None, action: Union[models.AuditAction, None] = None, object: Union[str, None] = None, since: Union[models.Moment, None] = None, until: Union[models.Moment, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> str:
        """Export the audit log."""
        return cast('str', await self._send('GET', '/v1/audit/export', query={"principal": principal, "action": action, "object": object, "since": since, "until": until, "limit": limit, "after": after}, text=True))


class SyncAudit(SyncGroup):
    """The calls about audit."""

    def list(self, *, principal: Union[str, None] = None, action: Union[models.AuditAction, None] = None, object: Union[str, None] = None, since: Union[models.Moment, None] = None, until: Union[models.Moment, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.AuditEntryList:
        """Search the audit log."""
        return cast('models.AuditEntryList', self._send('GET', '/v1/audit', query={"principal": principal, "action": action, "object": object, "since": since, "until": until, "limit": limit, "after": after}))

    def all(self, *, principal: Union[str, None] = None, action: Union[models.AuditAction, None] = None, object: Union[str, None] = None, since: Union[models.Moment, None] = None, until: Union[models.Moment, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.AuditEntry]:
        """Search the audit log, page after page."""
        for item in self._pages('/v1/audit', query={"principal": principal, "action": action, "object": object, "since": since, "until": until, "limit": limit, "after": after}):
            yield cast('models.AuditEntry', item)

    def export(self, *, principal: Union[str, None] = None, action: Union[models.AuditAction, None] = None, object: Union[str, None] = None, since: Union[models.Moment, None] = None, until: Union[models.Moment, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> str:
        """Export the audit log."""
        return cast('str', self._send('GET', '/v1/audit/export', query={"principal": principal, "action": action, "object": object, "since": since, "until": until, "limit": limit, "after": after}, text=True))


class AsyncCampaigns(AsyncGroup):
    """The calls about campaigns."""

    async def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.CampaignList:
        """List campaigns."""
        return cast('models.CampaignList', await self._send('GET', '/v1/campaigns', query={"limit": limit, "after": after}))

    async def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.Campaign]:
        """List campaigns, page after page."""
        async for item in self._pages('/v1/campaigns', query={"limit": limit, "after": after}):
            yield cast('models.Campaign', item)

    async def create(self, body: models.CreateCampaign) -> models.Campaign:
        """Create a campaign."""
        return cast('models.Campaign', await self._send('POST', '/v1/campaigns', body=body))

    async def preview(self, body: models.CreateCampaign) -> models.CampaignPreview:
        """Preview a campaign."""
        return cast('models.CampaignPreview', await self._send('POST', '/v1/campaigns/preview', body=body))

    async def show(self, id: str) -> models.Campaign:
        """Show a campaign."""
        return cast('models.Campaign', await self._send('GET', f"/v1/campaigns/{self._escaped(id)}"))

    async def change(self, id: str, body: models.ChangeCampaign) -> models.Campaign:
        """Change a campaign while it runs."""
        return cast('models.Campaign', await self._send('PATCH', f"/v1/campaigns/{self._escaped(id)}", body=body))

    async def approve(self, id: str) -> models.Campaign:
        """Approve a campaign."""
        return cast('models.Campaign', await self._send('POST', f"/v1/campaigns/{self._escaped(id)}/approve"))

    async def cancel(self, id: str, body: Union[models.CommandCampaign, None] = None) -> models.Campaign:
        """Cancel a campaign."""
        return cast('models.Campaign', await self._send('POST', f"/v1/campaigns/{self._escaped(id)}/cancel", body=body))

    async def deliveries(self, id: str, *, state: Union[models.JobState, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.JobList:
        """List the deliveries of a campaign."""
        return cast('models.JobList', await self._send('GET', f"/v1/campaigns/{self._escaped(id)}/deliveries", query={"state": state, "limit": limit, "after": after}))

    async def all_deliveries(self, id: str, *, state: Union[models.JobState, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.Job]:
        """List the deliveries of a campaign, page after page."""
        async for item in self._pages(f"/v1/campaigns/{self._escaped(id)}/deliveries", query={"state": state, "limit": limit, "after": after}):
            yield cast('models.Job', item)

    async def failures(self, id: str, *, after: Union[str, None] = None) -> models.DeadLettersList:
        """List why deliveries of a campaign failed."""
        return cast('models.DeadLettersList', await self._send('GET', f"/v1/campaigns/{self._escaped(id)}/failures", query={"after": after}))

    async def all_failures(self, id: str, *, after: Union[str, None] = None) -> AsyncIterator[models.DeadLetters]:
        """List why deliveries of a campaign failed, page after page."""
        async for item in self._pages(f"/v1/campaigns/{self._escaped(id)}/failures", query={"after": after}):
            yield cast('models.DeadLetters', item)

    async def progress(self, id: str) -> models.CampaignProgress:
        """Show how far a campaign is."""
        return cast('models.CampaignProgress', await self._send('GET', f"/v1/campaigns/{self._escaped(id)}/progress"))

    async def show_rest(self, id: str) -> models.CampaignRest:
        """Show whom a campaign has not reached."""
        return cast('models.CampaignRest', await self._send('GET', f"/v1/campaigns/{self._escaped(id)}/rest"))

    async def resume(self, id: str, body: Union[models.CommandCampaign, None] = None) -> models.Campaign:
        """Resume a campaign."""
        return cast('models.Campaign', await self._send('POST', f"/v1/campaigns/{self._escaped(id)}/resume", body=body))

    async def retry_failed(self, id: str, body: Union[models.RetryFailed, None] = None) -> models.Operation:
        """Run failed deliveries again."""
        return cast('models.Operation', await self._send('POST', f"/v1/campaigns/{self._escaped(id)}/retry-failed", body=body))

    async def send(self, id: str, body: Union[models.SendToRest, None] = None) -> models.Campaign:
        """Send a campaign to the rest."""
        return cast('models.Campaign', await self._send('POST', f"/v1/campaigns/{self._escaped(id)}/send-to-rest", body=body))

    async def stop(self, id: str, body: Union[models.CommandCampaign, None] = None) -> models.Campaign:
        """Stop a campaign."""
        return cast('models.Campaign', await self._send('POST', f"/v1/campaigns/{self._escaped(id)}/stop", body=body))


class SyncCampaigns(SyncGroup):
    """The calls about campaigns."""

    def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.CampaignList:
        """List campaigns."""
        return cast('models.CampaignList', self._send('GET', '/v1/campaigns', query={"limit": limit, "after": after}))

    def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.Campaign]:
        """List campaigns, page after page."""
        for item in self._pages('/v1/campaigns', query={"limit": limit, "after": after}):
            yield cast('models.Campaign', item)

    def create(self, body: models.CreateCampaign) -> models.Campaign:
        """Create a campaign."""
        return cast('models.Campaign', self._send('POST', '/v1/campaigns', body=body))

    def preview(self, body: models.CreateCampaign) -> models.CampaignPreview:
        """Preview a campaign."""
        return cast('models.CampaignPreview', self._send('POST', '/v1/campaigns/preview', body=body))

    def show(self, id: str) -> models.Campaign:
        """Show a campaign."""
        return cast('models.Campaign', self._send('GET', f"/v1/campaigns/{self._escaped(id)}"))

    def change(self, id: str, body: models.ChangeCampaign) -> models.Campaign:
        """Change a campaign while it runs."""
        return cast('models.Campaign', self._send('PATCH', f"/v1/campaigns/{self._escaped(id)}", body=body))

    def approve(self, id: str) -> models.Campaign:
        """Approve a campaign."""
        return cast('models.Campaign', self._send('POST', f"/v1/campaigns/{self._escaped(id)}/approve"))

    def cancel(self, id: str, body: Union[models.CommandCampaign, None] = None) -> models.Campaign:
        """Cancel a campaign."""
        return cast('models.Campaign', self._send('POST', f"/v1/campaigns/{self._escaped(id)}/cancel", body=body))

    def deliveries(self, id: str, *, state: Union[models.JobState, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.JobList:
        """List the deliveries of a campaign."""
        return cast('models.JobList', self._send('GET', f"/v1/campaigns/{self._escaped(id)}/deliveries", query={"state": state, "limit": limit, "after": after}))

    def all_deliveries(self, id: str, *, state: Union[models.JobState, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.Job]:
        """List the deliveries of a campaign, page after page."""
        for item in self._pages(f"/v1/campaigns/{self._escaped(id)}/deliveries", query={"state": state, "limit": limit, "after": after}):
            yield cast('models.Job', item)

    def failures(self, id: str, *, after: Union[str, None] = None) -> models.DeadLettersList:
        """List why deliveries of a campaign failed."""
        return cast('models.DeadLettersList', self._send('GET', f"/v1/campaigns/{self._escaped(id)}/failures", query={"after": after}))

    def all_failures(self, id: str, *, after: Union[str, None] = None) -> Iterator[models.DeadLetters]:
        """List why deliveries of a campaign failed, page after page."""
        for item in self._pages(f"/v1/campaigns/{self._escaped(id)}/failures", query={"after": after}):
            yield cast('models.DeadLetters', item)

    def progress(self, id: str) -> models.CampaignProgress:
        """Show how far a campaign is."""
        return cast('models.CampaignProgress', self._send('GET', f"/v1/campaigns/{self._escaped(id)}/progress"))

    def show_rest(self, id: str) -> models.CampaignRest:
        """Show whom a campaign has not reached."""
        return cast('models.CampaignRest', self._send('GET', f"/v1/campaigns/{self._escaped(id)}/rest"))

    def resume(self, id: str, body: Union[models.CommandCampaign, None] = None) -> models.Campaign:
        """Resume a campaign."""
        return cast('models.Campaign', self._send('POST', f"/v1/campaigns/{self._escaped(id)}/resume", body=body))

    def retry_failed(self, id: str, body: Union[models.RetryFailed, None] = None) -> models.Operation:
        """Run failed deliveries again."""
        return cast('models.Operation', self._send('POST', f"/v1/campaigns/{self._escaped(id)}/retry-failed", body=body))

    def send(self, id: str, body: Union[models.SendToRest, None] = None) -> models.Campaign:
        """Send a campaign to the rest."""
        return cast('models.Campaign', self._send('POST', f"/v1/campaigns/{self._escaped(id)}/send-to-rest", body=body))

    def stop(self, id: str, body: Union[models.CommandCampaign, None] = None) -> models.Campaign:
        """Stop a campaign."""
        return cast('models.Campaign', self._send('POST', f"/v1/campaigns/{self._escaped(id)}/stop", body=body))


class AsyncDeadLetters(AsyncGroup):
    """The calls about dead letters."""

    async def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.DeadLettersList:
        """List dead letters."""
        return cast('models.DeadLettersList', await self._send('GET', '/v1/dead-letters', query={"limit": limit, "after": after}))

    async def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.DeadLetters]:
        """List dead letters, page after page."""
        async for item in self._pages('/v1/dead-letters', query={"limit": limit, "after": after}):
            yield cast('models.DeadLetters', item)

    async def discard(self, body: models.SelectDeadLetters) -> models.Operation:
        """Discard dead letters."""
        return cast('models.Operation', await self._send('POST', '/v1/dead-letters/discard', body=body))

    async def retry(self, body: models.SelectDeadLetters) -> models.Operation:
        """Run dead letters again."""
        return cast('models.Operation', await self._send('POST', '/v1/dead-letters/retry', body=body))


class SyncDeadLetters(SyncGroup):
    """The calls about dead letters."""

    def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.DeadLettersList:
        """List dead letters."""
        return cast('models.DeadLettersList', self._send('GET', '/v1/dead-letters', query={"limit": limit, "after": after}))

    def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.DeadLetters]:
        """List dead letters, page after page."""
        for item in self._pages('/v1/dead-letters', query={"limit": limit, "after": after}):
            yield cast('models.DeadLetters', item)

    def discard(self, body: models.SelectDeadLetters) -> models.Operation:
        """Discard dead letters."""
        return cast('models.Operation', self._send('POST', '/v1/dead-letters/discard', body=body))

    def retry(self, body: models.SelectDeadLetters) -> models.Operation:
        """Run dead letters again."""
        return cast('models.Operation', self._send('POST', '/v1/dead-letters/retry', body=body))


class AsyncEvents(AsyncGroup):
    """The calls about events."""

    async def list(self, *, types: Union[str, None] = None, subject: Union[str, None] = None, queue: Union[str, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.EventPage:
        """List events."""
        return cast('models.EventPage', await self._send('GET', '/v1/events', query={"types": types, "subject": subject, "queue": queue, "limit": limit, "after": after}))

    async def all(self, *, types: Union[str, None] = None, subject: Union[str, None] = None, queue: Union[str, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.Event]:
        """List events, page after page."""
        async for item in self._pages('/v1/events', query={"types": types, "subject": subject, "queue": queue, "limit": limit, "after": after}):
            yield cast('models.Event', item)


class SyncEvents(SyncGroup):
    """The calls about events."""

    def list(self, *, types: Union[str, None] = None, subject: Union[str, None] = None, queue: Union[str, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.EventPage:
        """List events."""
        return cast('models.EventPage', self._send('GET', '/v1/events', query={"types": types, "subject": subject, "queue": queue, "limit": limit, "after": after}))

    def all(self, *, types: Union[str, None] = None, subject: Union[str, None] = None, queue: Union[str, None] = None, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.Event]:
        """List events, page after page."""
        for item in self._pages('/v1/events', query={"types": types, "subject": subject, "queue": queue, "limit": limit, "after": after}):
            yield cast('models.Event', item)


class AsyncAccess(AsyncGroup):
    """The calls about access."""

    async def keys(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.ApiKeyList:
        """List API keys."""
        return cast('models.ApiKeyList', await self._send('GET', '/v1/keys', query={"limit": limit, "after": after}))

    async def all_keys(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.ApiKey]:
        """List API keys, page after page."""
        async for item in self._pages('/v1/keys', query={"limit": limit, "after": after}):
            yield cast('models.ApiKey', item)

    async def create_key(self, body: models.CreateKey) -> models.CreatedKey:
        """Make an API key."""
        return cast('models.CreatedKey', await self._send('POST', '/v1/keys', body=body))

    async def revoke_key(self, id: str) -> models.ApiKey:
        """Revoke an API key."""
        return cast('models.ApiKey', await self._send('POST', f"/v1/keys/{self._escaped(id)}/revoke"))

    async def rotate_key(self, id: str, body: models.RotateKey) -> models.RotatedKey:
        """Rotate an API key."""
        return cast('models.RotatedKey', await self._send('POST', f"/v1/keys/{self._escaped(id)}/rotate", body=body))

    async def users(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.UserList:
        """List users."""
        return cast('models.UserList', await self._send('GET', '/v1/users', query={"limit": limit, "after": after}))

    async def all_users(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.User]:
        """List users, page after page."""
        async for item in self._pages('/v1/users', query={"limit": limit, "after": after}):
            yield cast('models.User', item)

    async def add_user(self, body: models.AddUser) -> models.User:
        """Add a user."""
        return cast('models.User', await self._send('POST', '/v1/users', body=body))

    async def change_user(self, name: str, body: models.ChangeUser) -> models.User:
        """Change a user."""
        return cast('models.User', await self._send('PATCH', f"/v1/users/{self._escaped(name)}", body=body))

    async def sign_out(self, name: str) -> models.SignedOut:
        """Sign a user out."""
        return cast('models.SignedOut', await self._send('POST', f"/v1/users/{self._escaped(name)}/sign-out"))


class SyncAccess(SyncGroup):
    """The calls about access."""

    def keys(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.ApiKeyList:
        """List API keys."""
        return cast('models.ApiKeyList', self._send('GET', '/v1/keys', query={"limit": limit, "after": after}))

    def all_keys(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.ApiKey]:
        """List API keys, page after page."""
        for item in self._pages('/v1/keys', query={"limit": limit, "after": after}):
            yield cast('models.ApiKey', item)

    def create_key(self, body: models.CreateKey) -> models.CreatedKey:
        """Make an API key."""
        return cast('models.CreatedKey', self._send('POST', '/v1/keys', body=body))

    def revoke_key(self, id: str) -> models.ApiKey:
        """Revoke an API key."""
        return cast('models.ApiKey', self._send('POST', f"/v1/keys/{self._escaped(id)}/revoke"))

    def rotate_key(self, id: str, body: models.RotateKey) -> models.RotatedKey:
        """Rotate an API key."""
        return cast('models.RotatedKey', self._send('POST', f"/v1/keys/{self._escaped(id)}/rotate", body=body))

    def users(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.UserList:
        """List users."""
        return cast('models.UserList', self._send('GET', '/v1/users', query={"limit": limit, "after": after}))

    def all_users(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.User]:
        """List users, page after page."""
        for item in self._pages('/v1/users', query={"limit": limit, "after": after}):
            yield cast('models.User', item)

    def add_user(self, body: models.AddUser) -> models.User:
        """Add a user."""
        return cast('models.User', self._send('POST', '/v1/users', body=body))

    def change_user(self, name: str, body: models.ChangeUser) -> models.User:
        """Change a user."""
        return cast('models.User', self._send('PATCH', f"/v1/users/{self._escaped(name)}", body=body))

    def sign_out(self, name: str) -> models.SignedOut:
        """Sign a user out."""
        return cast('models.SignedOut', self._send('POST', f"/v1/users/{self._escaped(name)}/sign-out"))


class AsyncWorkers(AsyncGroup):
    """The calls about workers."""

    async def kinds(self) -> models.KindList:
        """List kinds."""
        return cast('models.KindList', await self._send('GET', '/v1/kinds'))

    async def list(self, *, after: Union[str, None] = None) -> models.WorkerList:
        """List workers."""
        return cast('models.WorkerList', await self._send('GET', '/v1/workers', query={"after": after}))

    async def all(self, *, after: Union[str, None] = None) -> AsyncIterator[models.Worker]:
        """List workers, page after page."""
        async for item in self._pages('/v1/workers', query={"after": after}):
            yield cast('models.Worker', item)

    async def register(self, id: str, body: models.RegisterWorker) -> models.Registered:
        """Register a worker."""
        return cast('models.Registered', await self._send('PUT', f"/v1/workers/{self._escaped(id)}", body=body))

    async def leave(self, id: str) -> None:
        """Say goodbye."""
        await self._send('DELETE', f"/v1/workers/{self._escaped(id)}")

    async def change(self, id: str, body: models.ChangeWorker) -> models.Worker:
        """Change a worker."""
        return cast('models.Worker', await self._send('PATCH', f"/v1/workers/{self._escaped(id)}", body=body))

    async def beat(self, id: str, body: models.BeatWorker) -> models.News:
        """Beat."""
        return cast('models.News', await self._send('POST', f"/v1/workers/{self._escaped(id)}/beat", body=body))

    async def checkpoints(self, id: str, body: models.SaveCheckpoints) -> models.SavedCheckpoints:
        """Save checkpoints."""
        return cast('models.SavedCheckpoints', await self._send('POST', f"/v1/workers/{self._escaped(id)}/checkpoints", body=body))

    async def claim(self, id: str, body: models.ClaimJobs) -> models.ClaimedJobs:
        """Claim jobs."""
        return cast('models.ClaimedJobs', await self._send('POST', f"/v1/workers/{self._escaped(id)}/claim", body=body))

    async def release(self, id: str, body: models.ReleaseLeases) -> models.GivenBack:
        """Release leases."""
        return cast('models.GivenBack', await self._send('POST', f"/v1/workers/{self._escaped(id)}/release", body=body))

    async def results(self, id: str, body: models.TellResults) -> models.SettledResults:
        """Tell results."""
        return cast('models.SettledResults', await self._send('POST', f"/v1/workers/{self._escaped(id)}/results", body=body))


class SyncWorkers(SyncGroup):
    """The calls about workers."""

    def kinds(self) -> models.KindList:
        """List kinds."""
        return cast('models.KindList', self._send('GET', '/v1/kinds'))

    def list(self, *, after: Union[str, None] = None) -> models.WorkerList:
        """List workers."""
        return cast('models.WorkerList', self._send('GET', '/v1/workers', query={"after": after}))

    def all(self, *, after: Union[str, None] = None) -> Iterator[models.Worker]:
        """List workers, page after page."""
        for item in self._pages('/v1/workers', query={"after": after}):
            yield cast('models.Worker', item)

    def register(self, id: str, body: models.RegisterWorker) -> models.Registered:
        """Register a worker."""
        return cast('models.Registered', self._send('PUT', f"/v1/workers/{self._escaped(id)}", body=body))

    def leave(self, id: str) -> None:
        """Say goodbye."""
        self._send('DELETE', f"/v1/workers/{self._escaped(id)}")

    def change(self, id: str, body: models.ChangeWorker) -> models.Worker:
        """Change a worker."""
        return cast('models.Worker', self._send('PATCH', f"/v1/workers/{self._escaped(id)}", body=body))

    def beat(self, id: str, body: models.BeatWorker) -> models.News:
        """Beat."""
        return cast('models.News', self._send('POST', f"/v1/workers/{self._escaped(id)}/beat", body=body))

    def checkpoints(self, id: str, body: models.SaveCheckpoints) -> models.SavedCheckpoints:
        """Save checkpoints."""
        return cast('models.SavedCheckpoints', self._send('POST', f"/v1/workers/{self._escaped(id)}/checkpoints", body=body))

    def claim(self, id: str, body: models.ClaimJobs) -> models.ClaimedJobs:
        """Claim jobs."""
        return cast('models.ClaimedJobs', self._send('POST', f"/v1/workers/{self._escaped(id)}/claim", body=body))

    def release(self, id: str, body: models.ReleaseLeases) -> models.GivenBack:
        """Release leases."""
        return cast('models.GivenBack', self._send('POST', f"/v1/workers/{self._escaped(id)}/release", body=body))

    def results(self, id: str, body: models.TellResults) -> models.SettledResults:
        """Tell results."""
        return cast('models.SettledResults', self._send('POST', f"/v1/workers/{self._escaped(id)}/results", body=body))


class AsyncNodes(AsyncGroup):
    """The calls about nodes."""

    async def list(self, *, after: Union[str, None] = None) -> models.NodeList:
        """List nodes."""
        return cast('models.NodeList', await self._send('GET', '/v1/nodes', query={"after": after}))

    async def all(self, *, after: Union[str, None] = None) -> AsyncIterator[models.Node]:
        """List nodes, page after page."""
        async for item in self._pages('/v1/nodes', query={"after": after}):
            yield cast('models.Node', item)


class SyncNodes(SyncGroup):
    """The calls about nodes."""

    def list(self, *, after: Union[str, None] = None) -> models.NodeList:
        """List nodes."""
        return cast('models.NodeList', self._send('GET', '/v1/nodes', query={"after": after}))

    def all(self, *, after: Union[str, None] = None) -> Iterator[models.Node]:
        """List nodes, page after page."""
        for item in self._pages('/v1/nodes', query={"after": after}):
            yield cast('models.Node', item)


class AsyncNotifications(AsyncGroup):
    """The calls about notifications."""

    async def create(self, body: models.Notify) -> models.Notification:
        """Notify recipients."""
        return cast('models.Notification', await self._send('POST', '/v1/notifications', body=body))


class SyncNotifications(SyncGroup):
    """The calls about notifications."""

    def create(self, body: models.Notify) -> models.Notification:
        """Notify recipients."""
        return cast('models.Notification', self._send('POST', '/v1/notifications', body=body))


class AsyncOperations(AsyncGroup):
    """The calls about operations."""

    async def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.OperationList:
        """List operations."""
        return cast('models.OperationList', await self._send('GET', '/v1/operations', query={"limit": limit, "after": after}))

    async def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.Operation]:
        """List operations, page after page."""
        async for item in self._pages('/v1/operations', query={"limit": limit, "after": after}):
            yield cast('models.Operation', item)

    async def show(self, id: str) -> models.Operation:
        """Show an operation."""
        return cast('models.Operation', await self._send('GET', f"/v1/operations/{self._escaped(id)}"))

    async def stop(self, id: str) -> models.Operation:
        """Stop an operation."""
        return cast('models.Operation', await self._send('POST', f"/v1/operations/{self._escaped(id)}/stop"))


class SyncOperations(SyncGroup):
    """The calls about operations."""

    def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.OperationList:
        """List operations."""
        return cast('models.OperationList', self._send('GET', '/v1/operations', query={"limit": limit, "after": after}))

    def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.Operation]:
        """List operations, page after page."""
        for item in self._pages('/v1/operations', query={"limit": limit, "after": after}):
            yield cast('models.Operation', item)

    def show(self, id: str) -> models.Operation:
        """Show an operation."""
        return cast('models.Operation', self._send('GET', f"/v1/operations/{self._escaped(id)}"))

    def stop(self, id: str) -> models.Operation:
        """Stop an operation."""
        return cast('models.Operation', self._send('POST', f"/v1/operations/{self._escaped(id)}/stop"))


class AsyncQueues(AsyncGroup):
    """The calls about queues."""

    async def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.QueueList:
        """List queues."""
        return cast('models.QueueList', await self._send('GET', '/v1/queues', query={"limit": limit, "after": after}))

    async def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.Queue]:
        """List queues, page after page."""
        async for item in self._pages('/v1/queues', query={"limit": limit, "after": after}):
            yield cast('models.Queue', item)

    async def change(self, name: str, body: models.ChangeQueue) -> models.Queue:
        """Change a queue."""
        return cast('models.Queue', await self._send('PATCH', f"/v1/queues/{self._escaped(name)}", body=body))


class SyncQueues(SyncGroup):
    """The calls about queues."""

    def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.QueueList:
        """List queues."""
        return cast('models.QueueList', self._send('GET', '/v1/queues', query={"limit": limit, "after": after}))

    def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.Queue]:
        """List queues, page after page."""
        for item in self._pages('/v1/queues', query={"limit": limit, "after": after}):
            yield cast('models.Queue', item)

    def change(self, name: str, body: models.ChangeQueue) -> models.Queue:
        """Change a queue."""
        return cast('models.Queue', self._send('PATCH', f"/v1/queues/{self._escaped(name)}", body=body))


class AsyncInbox(AsyncGroup):
    """The calls about inbox."""

    async def list(self, id: str, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.InboxItemList:
        """List an inbox."""
        return cast('models.InboxItemList', await self._send('GET', f"/v1/recipients/{self._escaped(id)}/inbox", query={"limit": limit, "after": after}))

    async def all(self, id: str, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.InboxItem]:
        """List an inbox, page after page."""
        async for item in self._pages(f"/v1/recipients/{self._escaped(id)}/inbox", query={"limit": limit, "after": after}):
            yield cast('models.InboxItem', item)

    async def read_all(self, id: str) -> models.Unread:
        """Read everything."""
        return cast('models.Unread', await self._send('POST', f"/v1/recipients/{self._escaped(id)}/inbox/read-all"))

    async def token(self, id: str, body: Union[models.MakeInboxToken, None] = None) -> models.InboxToken:
        """Make an inbox token."""
        return cast('models.InboxToken', await self._send('POST', f"/v1/recipients/{self._escaped(id)}/inbox/token", body=body))

    async def unread(self, id: str) -> models.Unread:
        """Count unread items."""
        return cast('models.Unread', await self._send('GET', f"/v1/recipients/{self._escaped(id)}/inbox/unread"))

    async def read(self, id: str, item: str) -> models.Unread:
        """Read an item."""
        return cast('models.Unread', await self._send('POST', f"/v1/recipients/{self._escaped(id)}/inbox/{self._escaped(item)}/read"))


class SyncInbox(SyncGroup):
    """The calls about inbox."""

    def list(self, id: str, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.InboxItemList:
        """List an inbox."""
        return cast('models.InboxItemList', self._send('GET', f"/v1/recipients/{self._escaped(id)}/inbox", query={"limit": limit, "after": after}))

    def all(self, id: str, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.InboxItem]:
        """List an inbox, page after page."""
        for item in self._pages(f"/v1/recipients/{self._escaped(id)}/inbox", query={"limit": limit, "after": after}):
            yield cast('models.InboxItem', item)

    def read_all(self, id: str) -> models.Unread:
        """Read everything."""
        return cast('models.Unread', self._send('POST', f"/v1/recipients/{self._escaped(id)}/inbox/read-all"))

    def token(self, id: str, body: Union[models.MakeInboxToken, None] = None) -> models.InboxToken:
        """Make an inbox token."""
        return cast('models.InboxToken', self._send('POST', f"/v1/recipients/{self._escaped(id)}/inbox/token", body=body))

    def unread(self, id: str) -> models.Unread:
        """Count unread items."""
        return cast('models.Unread', self._send('GET', f"/v1/recipients/{self._escaped(id)}/inbox/unread"))

    def read(self, id: str, item: str) -> models.Unread:
        """Read an item."""
        return cast('models.Unread', self._send('POST', f"/v1/recipients/{self._escaped(id)}/inbox/{self._escaped(item)}/read"))


class AsyncSchedules(AsyncGroup):
    """The calls about schedules."""

    async def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.ScheduleList:
        """List schedules."""
        return cast('models.ScheduleList', await self._send('GET', '/v1/schedules', query={"limit": limit, "after": after}))

    async def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.Schedule]:
        """List schedules, page after page."""
        async for item in self._pages('/v1/schedules', query={"limit": limit, "after": after}):
            yield cast('models.Schedule', item)

    async def create(self, body: models.CreateSchedule) -> models.Schedule:
        """Create a schedule."""
        return cast('models.Schedule', await self._send('POST', '/v1/schedules', body=body))

    async def show(self, id: str) -> models.Schedule:
        """Show a schedule."""
        return cast('models.Schedule', await self._send('GET', f"/v1/schedules/{self._escaped(id)}"))

    async def delete(self, id: str) -> None:
        """Delete a schedule."""
        await self._send('DELETE', f"/v1/schedules/{self._escaped(id)}")

    async def change(self, id: str, body: models.ChangeSchedule) -> models.Schedule:
        """Change a schedule."""
        return cast('models.Schedule', await self._send('PATCH', f"/v1/schedules/{self._escaped(id)}", body=body))

    async def fire(self, id: str) -> models.Fire:
        """Fire a schedule now."""
        return cast('models.Fire', await self._send('POST', f"/v1/schedules/{self._escaped(id)}/fire"))

    async def fires(self, id: str, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.FireList:
        """Show what a schedule has made."""
        return cast('models.FireList', await self._send('GET', f"/v1/schedules/{self._escaped(id)}/fires", query={"limit": limit, "after": after}))

    async def all_fires(self, id: str, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> AsyncIterator[models.Fire]:
        """Show what a schedule has made, page after page."""
        async for item in self._pages(f"/v1/schedules/{self._escaped(id)}/fires", query={"limit": limit, "after": after}):
            yield cast('models.Fire', item)

    async def next(self, id: str, *, count: Union[int, None] = None) -> models.NextTimeList:
        """Show the next times of a schedule."""
        return cast('models.NextTimeList', await self._send('GET', f"/v1/schedules/{self._escaped(id)}/next", query={"count": count}))

    async def pause(self, id: str) -> models.Schedule:
        """Pause a schedule."""
        return cast('models.Schedule', await self._send('POST', f"/v1/schedules/{self._escaped(id)}/pause"))

    async def resume(self, id: str) -> models.Schedule:
        """Resume a schedule."""
        return cast('models.Schedule', await self._send('POST', f"/v1/schedules/{self._escaped(id)}/resume"))


class SyncSchedules(SyncGroup):
    """The calls about schedules."""

    def list(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.ScheduleList:
        """List schedules."""
        return cast('models.ScheduleList', self._send('GET', '/v1/schedules', query={"limit": limit, "after": after}))

    def all(self, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.Schedule]:
        """List schedules, page after page."""
        for item in self._pages('/v1/schedules', query={"limit": limit, "after": after}):
            yield cast('models.Schedule', item)

    def create(self, body: models.CreateSchedule) -> models.Schedule:
        """Create a schedule."""
        return cast('models.Schedule', self._send('POST', '/v1/schedules', body=body))

    def show(self, id: str) -> models.Schedule:
        """Show a schedule."""
        return cast('models.Schedule', self._send('GET', f"/v1/schedules/{self._escaped(id)}"))

    def delete(self, id: str) -> None:
        """Delete a schedule."""
        self._send('DELETE', f"/v1/schedules/{self._escaped(id)}")

    def change(self, id: str, body: models.ChangeSchedule) -> models.Schedule:
        """Change a schedule."""
        return cast('models.Schedule', self._send('PATCH', f"/v1/schedules/{self._escaped(id)}", body=body))

    def fire(self, id: str) -> models.Fire:
        """Fire a schedule now."""
        return cast('models.Fire', self._send('POST', f"/v1/schedules/{self._escaped(id)}/fire"))

    def fires(self, id: str, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> models.FireList:
        """Show what a schedule has made."""
        return cast('models.FireList', self._send('GET', f"/v1/schedules/{self._escaped(id)}/fires", query={"limit": limit, "after": after}))

    def all_fires(self, id: str, *, limit: Union[int, None] = None, after: Union[str, None] = None) -> Iterator[models.Fire]:
        """Show what a schedule has made, page after page."""
        for item in self._pages(f"/v1/schedules/{self._escaped(id)}/fires", query={"limit": limit, "after": after}):
            yield cast('models.Fire', item)

    def next(self, id: str, *, count: Union[int, None] = None) -> models.NextTimeList:
        """Show the next times of a schedule."""
        return cast('models.NextTimeList', self._send('GET', f"/v1/schedules/{self._escaped(id)}/next", query={"count": count}))

    def pause(self, id: str) -> models.Schedule:
        """Pause a schedule."""
        return cast('models.Schedule', self._send('POST', f"/v1/schedules/{self._escaped(id)}/pause"))

    def resume(self, id: str) -> models.Schedule:
        """Resume a schedule."""
        return cast('models.Schedule', self._send('POST', f"/v1/schedules/{self._escaped(id)}/resume"))


class AsyncCalls:
    """All groups of calls."""

    def __init__(self, group_of: Any) -> None:
        self.jobs: AsyncJobs = group_of(AsyncJobs)
        self.recipients: AsyncRecipients = group_of(AsyncRecipients)
        self.audit: AsyncAudit = group_of(AsyncAudit)
        self.campaigns: AsyncCampaigns = group_of(AsyncCampaigns)
        self.dead_letters: AsyncDeadLetters = group_of(AsyncDeadLetters)
        self.events: AsyncEvents = group_of(AsyncEvents)
        self.access: AsyncAccess = group_of(AsyncAccess)
        self.workers: AsyncWorkers = group_of(AsyncWorkers)
        self.nodes: AsyncNodes = group_of(AsyncNodes)
        self.notifications: AsyncNotifications = group_of(AsyncNotifications)
        self.operations: AsyncOperations = group_of(AsyncOperations)
        self.queues: AsyncQueues = group_of(AsyncQueues)
        self.inbox: AsyncInbox = group_of(AsyncInbox)
        self.schedules: AsyncSchedules = group_of(AsyncSchedules)


class SyncCalls:
    """All groups of calls."""

    def __init__(self, group_of: Any) -> None:
        self.jobs: SyncJobs = group_of(SyncJobs)
        self.recipients: SyncRecipients = group_of(SyncRecipients)
        self.audit: SyncAudit = group_of(SyncAudit)
        self.campaigns: SyncCampaigns = group_of(SyncCampaigns)
        self.dead_letters: SyncDeadLetters = group_of(SyncDeadLetters)
        self.events: SyncEvents = group_of(SyncEvents)
        self.access: SyncAccess = group_of(SyncAccess)
        self.workers: SyncWorkers = group_of(SyncWorkers)
        self.nodes: SyncNodes = group_of(SyncNodes)
        self.notifications: SyncNotifications = group_of(SyncNotifications)
        self.operations: SyncOperations = group_of(SyncOperations)
        self.queues: SyncQueues = group_of(SyncQueues)
        self.inbox: SyncInbox = group_of(SyncInbox)
        self.schedules: SyncSchedules = group_of(SyncSchedules)
