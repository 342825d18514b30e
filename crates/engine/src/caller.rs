//! A caller: an actor at the engine, through whom alone use cases can be asked for.

use std::{fmt::Display, ops::Deref, sync::Arc};

use baton_domain::{
    AuditId,
    access::{Actor, Permission, Permissions},
    audit::{AuditAction, AuditEntry},
};
use baton_ports::{Store, layer::Layer};
use serde_json::Value;

use crate::{Engine, Error, Result, doubt::Doubt};

/// An actor at the engine. Every use case is a method of it, and begins by asking whether the actor may.
#[derive(Clone)]
pub struct Caller {
    engine: Engine,
    actor: Arc<Actor>,
    /// The store as one request has it, which remembers whether anything was done.
    request: Option<Arc<Layer<Doubt>>>,
}

/// What the audit log is told of a change, beside who makes it and when.
#[derive(Default)]
pub(crate) struct Particulars {
    pub before: Option<Value>,
    pub after: Option<Value>,
    pub reason: Option<String>,
    pub count: Option<u64>,
}

impl Engine {
    /// An actor at this engine.
    #[must_use]
    pub fn caller(&self, actor: Actor) -> Caller {
        Caller {
            engine: self.clone(),
            actor: Arc::new(actor),
            request: None,
        }
    }
}

impl Caller {
    /// The same for one request: once that has changed anything, or may have, no error of the store
    /// says any more that nothing was done.
    #[must_use]
    pub fn for_one_request(&self) -> Self {
        let below = Arc::clone(&self.engine.inner.store);
        Self {
            request: Some(Layer::over(below, Doubt::default())),
            ..self.clone()
        }
    }

    /// The same, who says why they ask; if they say nothing here, what they have said before stands.
    #[must_use]
    pub fn because(&self, reason: Option<String>) -> Self {
        let Some(reason) = reason else {
            return self.clone();
        };
        let actor = Actor {
            reason: Some(reason),
            ..(*self.actor).clone()
        };
        Self {
            actor: Arc::new(actor),
            ..self.clone()
        }
    }

    /// Who it is.
    #[must_use]
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Whether the actor may.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        self.actor.may(permission)
    }

    /// Refuses what the actor may not.
    pub(crate) fn needs(&self, permission: Permission) -> Result<()> {
        self.needs_one_of(&[permission])
    }

    /// Refuses what the actor may for none of these reasons.
    pub(crate) fn needs_one_of(&self, permissions: &[Permission]) -> Result<()> {
        if permissions.iter().any(|one| self.may(*one)) {
            return Ok(());
        }
        Err(self.refused(Error::Forbidden(Permissions::of(permissions))))
    }

    /// The same error, once it is on its way to the audit log; nobody waits for that.
    pub(crate) fn refused(&self, why: Error) -> Error {
        let (caller, told) = (self.clone(), why.to_string());
        tokio::spawn(async move {
            let object = "use case".to_owned();
            caller.note_denial(object, &told, None).await;
        });
        why
    }

    pub(crate) fn store(&self) -> &dyn Store {
        match &self.request {
            Some(request) => &**request,
            None => &*self.engine.inner.store,
        }
    }

    /// The store for one change, which writes it down in the audit log as well.
    pub(crate) fn audited(
        &self,
        action: AuditAction,
        object: impl Display,
        particulars: Particulars,
    ) -> Arc<dyn Store> {
        self.store()
            .audited(self.entry(action, object, particulars))
    }

    /// What the audit log is told.
    pub(crate) fn entry(
        &self,
        action: AuditAction,
        object: impl Display,
        particulars: Particulars,
    ) -> AuditEntry {
        let Particulars {
            before,
            after,
            reason,
            count,
        } = particulars;
        let at = self.now();
        AuditEntry {
            id: AuditId::new(at),
            at,
            principal: self.actor.principal.clone(),
            name: self.actor.name.clone(),
            action,
            object: object.to_string(),
            before,
            after,
            reason: reason.or_else(|| self.actor.reason.clone()),
            count,
            request_id: self.actor.request_id.clone(),
        }
    }

    /// Takes note that this request has done something past its own view of the store.
    pub(crate) fn has_written(&self) {
        if let Some(request) = &self.request {
            request.hook.done();
        }
    }
}

impl Deref for Caller {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.engine
    }
}
