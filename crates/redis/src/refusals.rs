//! What Redis says when it does not do its work.

/// What Redis says, and what that means. The first word that is found counts: on 6.2 the words of an
/// error inside a script stand somewhere in the text.
pub const REFUSALS: &[(&str, &str)] = &[
    (
        "OOM ",
        "is full (OOM), so it takes no hints: raise its maxmemory, or remove what else it holds",
    ),
    (
        "READONLY",
        "is a read-only replica (READONLY), so it takes no hints: point the URL at the primary, or promote this one",
    ),
    (
        "LOADING",
        "is loading its dump (LOADING) and answers when it is done: nothing to do; hints need no dump, so turning it off makes the start faster",
    ),
    (
        "WRONGPASS",
        "refuses our user or password (WRONGPASS): correct them in its URL",
    ),
    (
        "NOAUTH",
        "asks for a password (NOAUTH) and the URL has none: write it as redis://:password@host:6379",
    ),
    (
        "NOPERM",
        "does not allow this user what hints need (NOPERM): grant it +@all on the keys and channels that begin with {baton:",
    ),
    (
        "can't run this command",
        "does not allow this user what the scripts of hints do (NOPERM): grant it +@all on the keys and channels that begin with {baton:",
    ),
    (
        "MASTERDOWN",
        "is a replica that has lost its primary (MASTERDOWN): point the URL at the present primary",
    ),
    (
        "UNBLOCKED",
        "has just become a replica (UNBLOCKED): point the URL at the present primary",
    ),
    (
        "MOVED",
        "is a cluster, and these keys lie on another of its nodes (MOVED): point the URL at that node, or use a Redis of its own",
    ),
    (
        "CLUSTERDOWN",
        "is a cluster that is down (CLUSTERDOWN): see `redis-cli cluster info`",
    ),
    (
        "MISCONF",
        "refuses writes because it cannot save its dump (MISCONF): free its disk, or turn saving off, which hints do not need",
    ),
    (
        "NOREPLICAS",
        "refuses writes because it has too few replicas (NOREPLICAS): restore them, or lower min-replicas-to-write",
    ),
    (
        "BUSY ",
        "is busy with a script of somebody else's (BUSY): see `redis-cli script kill`",
    ),
    (
        "max number of clients",
        "has too many clients: raise its maxclients, or see who they are with `redis-cli client list`",
    ),
    (
        "unknown command",
        "is too old, or has commands renamed: hints need version 6.2 and its usual commands",
    ),
];
