//! Recipients: write down, look, forget, take in many, and see whom an audience means.

use baton_protocol::{
    List, PageQuery,
    audience::{AudiencePreview, PreviewAudience},
    operation::Operation,
    recipient::{DeleteRecipient, Import, ImportQuery, PutRecipient, Recipient},
};
use bytes::Bytes;
use futures::{Stream, stream};
use reqwest::{Body, Method, header::CONTENT_TYPE};

use crate::{Client, Error, Result, repeat::Repeat};

/// How the rows of an import are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// A JSON object in each line.
    Ndjson,
    /// Cells with commas between, under a header.
    Csv,
}

impl RowFormat {
    const fn media_type(self) -> &'static str {
        match self {
            Self::Ndjson => "application/x-ndjson",
            Self::Csv => "text/csv",
        }
    }
}

impl Client {
    /// Writes a recipient down as it is described now.
    pub async fn put_recipient(&self, id: &str, recipient: &PutRecipient) -> Result<Recipient> {
        // The same description twice leaves it as it is after once.
        self.send(Method::PUT, &["recipients", id], recipient, Repeat::Safe)
            .await
    }

    /// One recipient.
    pub async fn recipient(&self, id: &str) -> Result<Recipient> {
        self.get(&["recipients", id]).await
    }

    /// Forgets a recipient.
    pub async fn delete_recipient(&self, id: &str) -> Result<()> {
        self.delete(&["recipients", id]).await
    }

    /// Begins to erase everything that names or quotes a recipient, also one who was deleted before.
    pub async fn erase_recipient(&self, id: &str) -> Result<Operation> {
        let url = self.url_with(&["recipients", id], &DeleteRecipient { erase: true });
        // Who is being erased already is shown the operation that does it.
        let request = || self.request(Method::DELETE, &url);
        self.answer(Repeat::Safe, request).await?.checked()?.json()
    }

    /// One page of recipients, the newest first.
    pub async fn recipients_page(&self, page: &PageQuery) -> Result<List<Recipient>> {
        self.get_with(&["recipients"], page).await
    }

    /// Recipients page by page, the newest first, until the list ends.
    pub fn recipients(
        &self,
        page: PageQuery,
    ) -> impl Stream<Item = Result<Vec<Recipient>>> + Send + use<> {
        let start = (self.clone(), Some(page));
        stream::try_unfold(start, |(client, page)| async move {
            let Some(page) = page else { return Ok(None) };
            let List { items, next } = client.recipients_page(&page).await?;
            let next = next.map(|after| PageQuery {
                after: Some(after),
                ..page
            });
            Ok(Some((items, (client, next))))
        })
    }

    /// Sends rows for as long as there are any, and answers what became of them.
    ///
    /// # Errors
    /// When nothing of it was accepted, the rows could not be read to their end, or no answer came.
    pub async fn import_recipients(
        &self,
        format: RowFormat,
        dry_run: bool,
        rows: impl Stream<Item = std::io::Result<Bytes>> + Send + 'static,
    ) -> Result<Import> {
        let query = ImportQuery { dry_run };
        let url = self.url_with(&["recipients", "import"], &query);
        let request = self
            .endless_request(Method::POST, &url)
            .header(CONTENT_TYPE, format.media_type())
            .body(Body::wrap_stream(rows));
        let sent = request.send().await;
        let response = sent.map_err(|error| Error::unreachable(self.address(), &error))?;
        self.read_answer(response).await
    }

    /// How many recipients an audience means at this moment, and some of them.
    pub async fn preview_audience(&self, preview: &PreviewAudience) -> Result<AudiencePreview> {
        self.post(&["audiences", "preview"], preview).await
    }
}
