/* What the API takes and gives. Written by tools/generate.mjs: do not edit. */

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the process alive?
         * @description Asks nobody: restarting a process does not repair its database.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alive"];
                    };
                };
                /** @description `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics
         * @description In the Prometheus text format.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every metric. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `metrics`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Can the server do its work?
         * @description Looks at the database, at whether the server is stopping, and at its routines.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It can. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
                /** @description `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `not-ready`: a problem that also says which part is not. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["NotReady"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List attempts
         * @description Those of some jobs, job by job in the order of their ids, each job's first to last. For programs that
         *     read a whole history; a job that does not exist has no attempts. A history with a row that cannot be read is answered with the problem `unreadable`.
         */
        get: {
            parameters: {
                query: {
                    /** @description The ids of the jobs, with commas between them; 100 at most. */
                    jobs: string;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every attempt of these jobs. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Attempt"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audiences/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an audience
         * @description How many recipients it means at this moment, exactly, and some of them. Nothing is sent.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreviewAudience"];
                };
            };
            responses: {
                /** @description Whom it means. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AudiencePreview"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `recipients:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the audit log
         * @description Who did what to what, the newest first: changes by people and programs, sign-ins, refusals, and people looking at people.
         */
        get: {
            parameters: {
                query?: {
                    /** @description By whom. */
                    principal?: string;
                    /** @description Of this action. */
                    action?: components["schemas"]["AuditAction"];
                    /** @description To this object. */
                    object?: string;
                    /** @description Not before this moment. */
                    since?: components["schemas"]["Moment"];
                    /** @description Before this moment. */
                    until?: components["schemas"]["Moment"];
                    /** @description How many at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of entries. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_AuditEntry"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `audit:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description Every entry that matches, the newest first, as one JSON object a line; with a `limit` so many at most. The export stands in the log
         *     itself. An answer that breaks off is not whole.
         */
        get: {
            parameters: {
                query?: {
                    /** @description By whom. */
                    principal?: string;
                    /** @description Of this action. */
                    action?: components["schemas"]["AuditAction"];
                    /** @description To this object. */
                    object?: string;
                    /** @description Not before this moment. */
                    since?: components["schemas"]["Moment"];
                    /** @description Before this moment. */
                    until?: components["schemas"]["Moment"];
                    /** @description How many at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Entries, one a line. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/x-ndjson": string;
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `audit:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns
         * @description The newest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of campaigns. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Campaign"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a campaign
         * @description A message to an audience. Its deliveries are written chunk by chunk, each exactly once, and sent from
         *     a line of its own. Who joins while it runs waits for the next one.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateCampaign"];
                };
            };
            responses: {
                /** @description The key was known, with the same content. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description The campaign is new. */
                201: {
                    headers: {
                        /** @description Where the campaign is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `campaigns:send`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `key-conflict` */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a campaign
         * @description What it would do if it were created now: how many it would reach, what some of them would read, and
         *     what is missing. Nothing is written.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateCampaign"];
                };
            };
            responses: {
                /** @description What it would do. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CampaignPreview"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `campaigns:send`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a campaign */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The campaign. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read` or `campaigns:send`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a campaign while it runs
         * @description The new rate acts on the next call.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeCampaign"];
                };
            };
            responses: {
                /** @description The campaign, changed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `campaigns:send` or `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/campaigns/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a campaign
         * @description For one that has more recipients than one person may send to: its `approval` says who asked for it, and somebody else
         *     who may send campaigns approves it. That starts it. One that is approved stays as it is.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Nothing"] | null;
                };
            };
            responses: {
                /** @description The campaign, approved. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `second-person-needed`: whoever approves has asked for it. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `illegal-transition`: nobody has to approve it, or it is canceled. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign
         * @description For good: what was not sent is canceled.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["CommandCampaign"] | null;
                };
            };
            responses: {
                /** @description The campaign, as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `campaigns:send` or `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /**
                 * @description `illegal-transition`: it is done or canceled. `awaits-approval`: somebody else has to approve it before it can
                 *     be resumed.
                 */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a campaign
         * @description The last recipient first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description In this state. */
                    state?: components["schemas"]["JobState"];
                    /** @description How many deliveries at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of deliveries: jobs. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Job"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List why deliveries of a campaign failed
         * @description Its dead letters in groups of one cause, the largest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every cause. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_DeadLetters"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show how far a campaign is */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description How far it has come. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CampaignProgress"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/rest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whom a campaign has not reached
         * @description How many recipients of its frozen audience have not got it, exactly, and why: they were never written
         *     down, or their deliveries were canceled, have failed or were skipped. The campaign must be done or canceled.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description How many there are. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CampaignRest"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-ended`: it can still reach everybody itself. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `deliveries-gone`: whom it has reached is not known any more. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a campaign
         * @description Exactly where it was stopped: the walk goes on after its cursor, and what was not sent is sent.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["CommandCampaign"] | null;
                };
            };
            responses: {
                /** @description The campaign, as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `campaigns:send` or `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /**
                 * @description `illegal-transition`: it is done or canceled. `awaits-approval`: somebody else has to approve it before it can
                 *     be resumed.
                 */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run failed deliveries again
         * @description Begins an operation on those that failed until now, all or those of one cause. Its progress is at the
         *     address in `Location`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["RetryFailed"] | null;
                };
            };
            responses: {
                /** @description The operation has begun. */
                202: {
                    headers: {
                        /** @description Where the operation is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Operation"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `campaigns:send` or `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/send-to-rest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a campaign to the rest
         * @description Creates a campaign that says the same, at once, to those recipients of the frozen audience who have not
         *     got it. A campaign has one rest: asked for again, the answer is the campaign that is there. If that one
         *     is canceled, too, it has a rest of its own.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SendToRest"] | null;
                };
            };
            responses: {
                /** @description The same was asked for before. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description The campaign for the rest is new. */
                201: {
                    headers: {
                        /** @description Where the campaign is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `campaigns:send`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-ended`, or `key-conflict` with a rest that was asked for otherwise. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `deliveries-gone`: whom it has reached is not known any more. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a campaign
         * @description From the answer on no chunk is written, and no call starts later than two seconds after it; the calls
         *     under way (`in_flight`) come to their end. Nothing else is touched.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The campaign's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["CommandCampaign"] | null;
                };
            };
            responses: {
                /** @description The campaign, as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Campaign"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `campaigns:send` or `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `campaign-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /**
                 * @description `illegal-transition`: it is done or canceled. `awaits-approval`: somebody else has to approve it before it can
                 *     be resumed.
                 */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dead letters
         * @description Failed jobs in groups of one kind and one cause, the group that last grew first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of groups. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_DeadLetters"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard dead letters
         * @description Takes those that match now off the list; the jobs stay `failed`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SelectDeadLetters"];
                };
            };
            responses: {
                /** @description The operation has begun. */
                202: {
                    headers: {
                        /** @description Where the operation is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Operation"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run dead letters again
         * @description Begins an operation on those that match now; jobs that fail later are not touched. Its progress is
         *     at the address in `Location`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SelectDeadLetters"];
                };
            };
            responses: {
                /** @description The operation has begun. */
                202: {
                    headers: {
                        /** @description Where the operation is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Operation"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Every change is one event, densely numbered, in an order that is safe to follow. `next` is null at
         *     the end of the feed; `position` says how far the page has looked, to go on later. In the place of
         *     one that cannot be read stands one of the type `event.unreadable`, whatever the filter, unless its
         *     subject or queue is known and not meant.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Of these types, with commas between; one that ends in a dot stands for all that begin so
                     *     (`job.`).
                     * @example job.failed,queue.
                     */
                    types?: string;
                    /** @description About this job, queue or worker. */
                    subject?: string;
                    /** @description Of this queue. */
                    queue?: string;
                    /** @description How many events at most. */
                    limit?: number;
                    /** @description After this event; from the first that is kept if none is given. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of events, in order. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventPage"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `events-gone`: the events after this place cannot be replayed. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events
         * @description A stream of server-sent events. `id` is the event's id, `event` its type, `data` the event as in
         *     the list. After a break, `Last-Event-ID` (which browsers send by themselves) or `after` goes on
         *     without a gap. When that cannot be done, the first thing said is the event `reset`: read the
         *     present state, then follow what comes. A comment every 15 seconds keeps the line open. Without a
         *     place, the stream begins now.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Of these types, with commas between; one that ends in a dot stands for all that begin so
                     *     (`job.`).
                     * @example job.failed,queue.
                     */
                    types?: string;
                    /** @description About this job, queue or worker. */
                    subject?: string;
                    /** @description Of this queue. */
                    queue?: string;
                    /** @description After this event, where no `Last-Event-ID` header says it; from now if neither does. */
                    after?: string;
                };
                header?: {
                    /** @description The last event that was seen; it goes before `after`. */
                    "Last-Event-ID"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Events, as they come. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["Event"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description Newest first. A page looks at a bounded number of jobs: it can be short, even empty, and still
         *     have a `next`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description In this state. */
                    state?: components["schemas"]["JobState"];
                    /** @description Of this kind. */
                    kind?: string;
                    /** @description In this queue. */
                    queue?: string;
                    /** @description With this tag. */
                    tag?: string;
                    /** @description Of this campaign. */
                    campaign?: string;
                    /** @description With this key. */
                    key?: string;
                    /** @description How many jobs at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of jobs. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Job"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Enqueue a job
         * @description The answer comes once the job is durable. With a `key`, the call is safe to repeat: the same key
         *     with the same content answers 200 with the first job, with other content 409. A job that was forgotten before its
         *     key (`retention.jobs` below `retention.keys`) is answered as it was asked, with the state it ended in.
         *
         *     A job that names no `trace` has that of the request's headers `traceparent` and `tracestate`, if there is one.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnqueueJob"];
                };
            };
            responses: {
                /** @description The key was known: this is the job. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Job"];
                    };
                };
                /** @description The job was added. */
                201: {
                    headers: {
                        /** @description The queue it stands in, if no live worker claims from it. */
                        "Baton-Unserved"?: string;
                        /** @description Where the job is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Job"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:create`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `key-conflict`: the key belongs to a job with other content. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enqueue many jobs
         * @description Up to 10,000 jobs in one transaction: all are added, or none. Jobs whose key is known are
         *     answered with the first job and `"created": false`. Jobs that name no `trace` have that of the request's headers.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnqueueBatch"];
                };
            };
            responses: {
                /** @description Every key was known; nothing was added. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description At least one job was added. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:create`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `key-conflict`: a key belongs to a job with other content; nothing was added. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel many jobs
         * @description Begins an operation on the jobs that match now; those that come or move later are not touched. Running ones are asked to stop.
         *     Its progress is at the address in `Location`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SelectJobs"];
                };
            };
            responses: {
                /** @description The operation has begun. */
                202: {
                    headers: {
                        /** @description Where the operation is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Operation"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `illegal-transition`: jobs in this state cannot be canceled. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run many jobs again
         * @description Begins an operation on the jobs that match now; those that come or move later are not touched. Each begins its next run with all
         *     its tries. Its progress is at the address in `Location`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SelectJobs"];
                };
            };
            responses: {
                /** @description The operation has begun. */
                202: {
                    headers: {
                        /** @description Where the operation is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Operation"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `illegal-transition`: jobs in this state cannot be run again. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a job
         * @description With `wait`, answers when the job has ended, or with what it is when the wait is over.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Answers when the job has ended, or with what it is after this span, 25s at the most. */
                    wait?: components["schemas"]["Span"];
                };
                header?: never;
                path: {
                    /** @description The job's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The job, in one clear state. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Job"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `job-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a job's attempts
         * @description First to last, the running one included. A history with a row that cannot be read is answered with the problem `unreadable`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path: {
                    /** @description The job's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every attempt. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Attempt"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `job-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description A job that waits is canceled at once. A running one is asked to stop and shows `cancel_asked_at`
         *     until its worker confirms; with `"force": true` it is taken away from its worker and canceled at
         *     once, and what the worker says later is history only.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The job's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Cancel"] | null;
                };
            };
            responses: {
                /** @description The job, canceled or asked to stop. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Job"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `job-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `illegal-transition`: the job has come to an end. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a job's events
         * @description Every fact about it that is still kept, in order. A history with a row that cannot be read is answered with the problem `unreadable`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path: {
                    /** @description The job's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Its events. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Event"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `job-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a job
         * @description Why it is, or is not, running; what holds it up, and what would move it.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The job's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The answer, in sentences. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Explanation"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `job-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say how an uncertain job ended */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The job's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Resolve"];
                };
            };
            responses: {
                /** @description The job, succeeded or failed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Job"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `job-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `illegal-transition`: the job is not uncertain. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a job again
         * @description A job that failed, was canceled or skipped, or whose outcome is uncertain, begins its next run with
         *     all its tries, and with another idempotency key. If it had moved its cursor it goes on behind it; with `"afresh": true` it
         *     begins anew.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The job's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Retry"] | null;
                };
            };
            responses: {
                /** @description The job, queued. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Job"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `job-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `illegal-transition`: the job waits, runs or has succeeded. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/run-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a waiting job now
         * @description A job that waits for its time or for its next attempt becomes claimable at once.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The job's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Nothing"] | null;
                };
            };
            responses: {
                /** @description The job, queued. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Job"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `job-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `illegal-transition`: the job does not wait. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The newest first, those that were revoked or have expired among them. None of them tells its secret.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of keys. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_ApiKey"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `keys:admin`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Make an API key
         * @description The answer tells the key itself, this once; nobody can find it out again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateKey"];
                };
            };
            responses: {
                /** @description The key was made. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedKey"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `keys:admin`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description Within five seconds it is worth nothing on any node, and the streams it has opened end. Revoked before, it stays so.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The key's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The key, revoked. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKey"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `keys:admin`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `key-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Makes a key with a new secret and the name, the permissions and the bounds of this one, good for as long as this one was made for. This one ends after
         *     the overlap, if it does not end before. The answer tells the new key itself, this once.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The key's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RotateKey"];
                };
            };
            responses: {
                /** @description The new key was made. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RotatedKey"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `keys:admin`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `key-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List kinds
         * @description The kinds that the servers run, and those that remote workers handle or have handled not long ago.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every kind. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Kind"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List nodes
         * @description Every process of the installation that is there, whatever its roles, and those that have gone without a word in the last hour. One
         *     that stops in order is listed no more; one that is killed is `gone` 45 seconds after its last beat.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every node. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Node"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Notify recipients
         * @description Writes what lies in inboxes and the jobs that bring it in one transaction, and sends at once, from a
         *     queue of its own (`notifications`) that bulk cannot delay. A recipient that is disabled, or has not
         *     opted in to the topic, is skipped; one that there is not is refused. For many recipients there are
         *     campaigns.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Notify"];
                };
            };
            responses: {
                /** @description The key was known, with the same content: what became of the first request. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Notification"];
                    };
                };
                /** @description It is written. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Notification"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:create`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `key-conflict`: the key is taken, with other content. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operations
         * @description Newest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of operations. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Operation"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an operation */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The operation's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The operation and its progress. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Operation"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `operation-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop an operation
         * @description What it has done stays done, and the rest is left as it is. One that has ended stays as it is; an erasure cannot be stopped.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The operation's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The operation, stopped. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Operation"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `operation-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List queues
         * @description A page of the queues that were ever named, by name: how much stands in each, since when the oldest waits, how
         *     fast it moves. The lines of campaigns are shown with the campaigns.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of queues. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Queue"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queues/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a queue
         * @description Pauses, resumes or limits it; what is not given stays. A queue that does not exist yet is made.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The queue's name. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeQueue"];
                };
            };
            responses: {
                /** @description The queue, changed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Queue"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recipients
         * @description The newest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of recipients. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Recipient"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `recipients:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recipients/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import recipients
         * @description A stream of rows, as long as you like: NDJSON, each line the body of a PUT with the `id`; or CSV with
         *     a header, whose columns are `id`, `platform`, `lat`, `lon`, `topics` (with `|` between them),
         *     `enabled`, `time_zone` and `address.<channel>`. Each row is a PUT: it describes a recipient as a
         *     whole, and the same file again changes nothing. A row that is not accepted is told with its line, and
         *     the others count all the same. What makes the rest unreadable, such as a quote that is not closed,
         *     stops the import: `complete` is false, `stopped` says where, and what came before counts.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Whether to read and check everything, and to write nothing. */
                    dry_run?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/x-ndjson": components["schemas"]["RecipientRow"];
                    "text/csv": string;
                };
            };
            responses: {
                /** @description What became of the rows. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `recipients:write`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recipients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a recipient */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Your own id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The recipient. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recipient"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `recipients:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `recipient-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        /**
         * Put a recipient
         * @description Writes a recipient down as it is described now, and makes it if there is none. It is described as a
         *     whole: what is not given is empty from now on. The same again changes nothing.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Your own id: 1 to 200 characters. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PutRecipient"];
                };
            };
            responses: {
                /** @description The recipient was known. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recipient"];
                    };
                };
                /** @description The recipient is new. */
                201: {
                    headers: {
                        /** @description Where the recipient is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recipient"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `recipients:write`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `recipient-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Delete a recipient
         * @description Forgets the recipient and its inbox. Put again, it is somebody new. With `erase=true` an operation goes through
         *     everything else that names or quotes it as well: deliveries and their results, notifications, events,
         *     audiences, schedules. Who was deleted before can be erased, too; who is being erased already is shown the
         *     operation that does it. Until it has ended, nothing new can be made for the recipient.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Whether everything else that names or quotes it is erased as well, by an operation. */
                    erase?: boolean;
                };
                header?: never;
                path: {
                    /** @description Your own id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The recipient is forgotten, and the operation has begun. */
                202: {
                    headers: {
                        /** @description Where the operation is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Operation"];
                    };
                };
                /** @description The recipient is forgotten. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `recipients:write` or `recipients:erase`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `recipient-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recipients/{id}/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an inbox
         * @description What the recipient was told, the newest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path: {
                    /** @description Your own id of the recipient. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of the inbox. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_InboxItem"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `inbox`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `recipient-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recipients/{id}/inbox/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read everything
         * @description Takes note that the recipient has read everything that lies in its inbox now.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Your own id of the recipient. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description How many are unread now: none. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `inbox`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `recipient-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recipients/{id}/inbox/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an inbox
         * @description A stream of server-sent events for one recipient: `inbox.added` with each item that comes, and
         *     `inbox.unread` with the count whenever it has changed, first of all at once. `id` is the epoch of the
         *     history, a dash, and the version of the inbox; after a break, `Last-Event-ID` (which browsers send by themselves) goes on without a gap.
         *     When that cannot be done, the first thing said is the event `reset`: read the inbox, then follow what
         *     comes. A comment every 15 seconds keeps the line open. The stream ends when the recipient is deleted.
         */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The last event that was seen. */
                    "Last-Event-ID"?: string | null;
                };
                path: {
                    /** @description Your own id of the recipient. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What comes, as it comes. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["InboxItem"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `inbox`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `recipient-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recipients/{id}/inbox/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an inbox token
         * @description A token that opens the inbox of this recipient and nothing else, for a while: what a backend hands to the app of its own user, who
         *     reads, marks and follows the inbox with it as with a key (`Authorization: Bearer bit_...`). It is worth nothing any more when the key that made it is revoked.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Your own id of the recipient. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["MakeInboxToken"] | null;
                };
            };
            responses: {
                /** @description The token. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InboxToken"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `inbox`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `recipient-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recipients/{id}/inbox/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count unread items
         * @description Exact, and as quick for a full inbox as for an empty one.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Your own id of the recipient. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description How many are unread. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `inbox`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `recipient-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recipients/{id}/inbox/{item}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an item
         * @description Takes note that the recipient has read it. What is read already stays as it is.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Your own id of the recipient. */
                    id: string;
                    /** @description The item. */
                    item: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description How many are unread now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `inbox`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `recipient-not-found` or `inbox-item-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * @description Newest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of schedules. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Schedule"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a schedule
         * @description It fires from now on: for each of its times it makes a job once, whatever dies. The same under the
         *     same name is the same schedule.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateSchedule"];
                };
            };
            responses: {
                /** @description The same schedule was known. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Schedule"];
                    };
                };
                /** @description The schedule is new. */
                201: {
                    headers: {
                        /** @description Where the schedule is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Schedule"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `schedules:write`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `name-taken`: another schedule has the name. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a schedule */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The schedule's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The schedule. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Schedule"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `schedule-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Delete a schedule
         * @description It fires no more; what it has made stays.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The schedule's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The schedule is forgotten. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `schedules:write`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `schedule-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a schedule
         * @description What is not given stays. The change holds at once: the next time is that of the new line.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The schedule's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeSchedule"];
                };
            };
            responses: {
                /** @description The schedule, changed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Schedule"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `schedules:write`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `schedule-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `name-taken`: another schedule has the name. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/schedules/{id}/fire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire a schedule now
         * @description Out of turn, paused or not; its next time stays.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The schedule's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Nothing"] | null;
                };
            };
            responses: {
                /** @description What was made. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Fire"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `schedules:write` or `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `schedule-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/fires": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what a schedule has made
         * @description The latest nominal time first, with what was made for it, or why nothing was.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path: {
                    /** @description The schedule's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of its history. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Fire"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `schedule-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the next times of a schedule
         * @description As its time zone has them; also while it is paused.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many. */
                    count?: number;
                };
                header?: never;
                path: {
                    /** @description The schedule's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The next times, the soonest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_NextTime"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `schedule-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a schedule
         * @description It fires no more until it is resumed; what it has made goes on.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The schedule's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Nothing"] | null;
                };
            };
            responses: {
                /** @description The schedule, paused. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Schedule"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `schedules:write` or `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `schedule-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a schedule
         * @description It goes on with its next time; what was due while it was paused is not made up for.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The schedule's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Nothing"] | null;
                };
            };
            responses: {
                /** @description The schedule, resumed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Schedule"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `schedules:write` or `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `schedule-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description By name.
         */
        get: {
            parameters: {
                query?: {
                    /** @description How many items at most. */
                    limit?: number;
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page of users. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_User"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `keys:admin`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add a user
         * @description Somebody who can sign in to the console.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AddUser"];
                };
            };
            responses: {
                /** @description The user was added. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `keys:admin`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description The role, the password, or whether they are kept out; what is not given stays. All their sessions end with it.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The user's name. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeUser"];
                };
            };
            responses: {
                /** @description The user, changed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `keys:admin`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `user-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `last-admin`: nobody would be left who may say who may do what. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/users/{name}/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a user out
         * @description Ends every session of theirs; they can sign in again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The user's name. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description How many sessions have ended. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedOut"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `keys:admin`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `user-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workers
         * @description Those that are alive, and those that left or went silent not long ago.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the last page ended, as its `next` said. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every worker. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Worker"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `jobs:read`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Register a worker
         * @description Says who a worker is. Its id is `wrk_` and a UUIDv7 that it draws as it starts; a restart is another worker. Safe to repeat,
         *     and to say anew.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The worker's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RegisterWorker"];
                };
            };
            responses: {
                /** @description It was known before. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Registered"];
                    };
                };
                /** @description The worker is taken up. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Registered"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `worker`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-left`: it has said goodbye. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Say goodbye
         * @description What the worker still holds is given back. Safe to repeat.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The worker's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The worker has left. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `worker`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-left`: it has said goodbye. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a worker
         * @description `{"drain": true}` asks it to take nothing new and to finish what it has; `false` has it go on.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The worker's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeWorker"];
                };
            };
            responses: {
                /** @description The worker, as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Worker"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `operate`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-left`: it has said goodbye. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/workers/{id}/beat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Beat
         * @description Renews the leases of a worker as it arrives, and is answered when there is news for it: a job that is to stop, a drain, a lost
         *     lease; at the latest after `wait`, which is a third of a lease at the most.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The worker's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BeatWorker"];
                };
            };
            responses: {
                /** @description The news, if there are any. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["News"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `worker`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-left`: it has said goodbye. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers/{id}/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save checkpoints
         * @description Moves the cursors of jobs, each under its lease and with the jobs that it makes, in a transaction of its own. What is answered
         *     is on disk. Safe to repeat in the same words: it makes no job twice.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The worker's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SaveCheckpoints"];
                };
            };
            responses: {
                /** @description What became of each, in their order. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedCheckpoints"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `worker`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-left`: it has said goodbye. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim jobs
         * @description Answers as soon as there is a job for the worker, and with none when it has waited long enough. The worker draws the leases, so
         *     a claim whose answer was lost is asked again in the same words, with `repeat` counted up, and answered with the same jobs. While
         *     it waits its worker is known to live: one that holds nothing need not beat beside it.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The worker's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimJobs"];
                };
            };
            responses: {
                /** @description The jobs, by lease; none if there were none in time. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClaimedJobs"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `worker`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-left`: it has said goodbye. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release leases
         * @description Gives back everything unsettled under these leases: none of it was started. Safe to repeat.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The worker's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReleaseLeases"];
                };
            };
            responses: {
                /** @description How many jobs were given back. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GivenBack"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `worker`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-left`: it has said goodbye. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell results
         * @description Records how attempts ended, each by itself. Safe to repeat in the same words.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The worker's id. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TellResults"];
                };
            };
            responses: {
                /** @description What became of each, in their order. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SettledResults"];
                    };
                };
                /** @description `malformed`, or `bad-cursor` for a list: it cannot be read. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unauthenticated`: there is no API key, or it is worth nothing. */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `permission-denied`: it needs the permission `worker`. `forbidden`: a page of another site, or a foreign host name. */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-not-found` */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `worker-left`: it has said goodbye. */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `too-large` */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unsupported-media-type`: the body is not of a type that this call takes. */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `invalid`: `errors` names the fields. */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `internal`: a mistake of Baton's own. */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description `unavailable`, `unconfirmed`, `timeout`, `draining`, `busy` or `overloaded`: come back after `Retry-After`. */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description What an operation does: to each dead letter, to each job of a state, or to a person.
         * @enum {string}
         */
        Action: "retry" | "cancel" | "discard" | "erase";
        /** @description A user who is to sign in. */
        AddUser: {
            /**
             * @description What they type, and are called by.
             * @example kim.lee
             */
            name: string;
            /**
             * Format: password
             * @description Their password, of 12 to 256 letters.
             */
            password: string;
            /** @description What they may do. */
            role: components["schemas"]["Role"];
        };
        /** @description The process is alive. */
        Alive: {
            /**
             * @description Always `alive`.
             * @example alive
             */
            status: string;
            /** @description Baton's version. */
            version: string;
        };
        /** @description An API key, without its secret. */
        ApiKey: {
            /** @description When it was made. */
            created_at: components["schemas"]["Moment"];
            /**
             * @description By whom.
             * @example usr_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            created_by: string;
            expires_at?: components["schemas"]["Moment"] | null;
            /**
             * @description Its id, which is also the second part of the key.
             * @example key_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            id: string;
            /** @description The kinds of jobs its bearer may enqueue; all if there are none. */
            kinds: string[];
            last_used_at?: components["schemas"]["Moment"] | null;
            /** @description What people call it. */
            name: string;
            /** @description What its bearer may do. */
            permissions: components["schemas"]["Permission"][];
            /** @description The queues its bearer may enqueue to; all if there are none. */
            queues: string[];
            revoked_at?: components["schemas"]["Moment"] | null;
        };
        /** @description One attempt of a job, as history keeps it. */
        Attempt: {
            /**
             * Format: int32
             * @description Which attempt: 1, 2, 3 without a gap.
             */
            attempt: number;
            ended_at?: components["schemas"]["Moment"] | null;
            error?: components["schemas"]["Failure"] | null;
            /** @description The job. */
            job_id: string;
            late?: components["schemas"]["Late"] | null;
            next_run_at?: components["schemas"]["Moment"] | null;
            outcome?: components["schemas"]["Outcome"] | null;
            /**
             * Format: int32
             * @description Which run of the job it belongs to.
             */
            run: number;
            started_at?: components["schemas"]["Moment"] | null;
            state?: components["schemas"]["JobState"] | null;
            /** @description The worker that had it. */
            worker: string;
        };
        /**
         * @description One condition, or some combined.
         *
         *     An object with one field: `{"all": true}`, `{"platform": "ios"}`, `{"topic": "daily-quiz"}` (who has
         *     opted in), `{"within": {"lat": 37.57, "lon": 126.98, "radius_m": 5000}}`, `{"ids": ["a", "b"]}`; or
         *     `{"all_of": [...]}`, `{"any_of": [...]}`, `{"not": {...}}` of these. 8 levels and 100 conditions at
         *     most, and 10,000 ids.
         */
        Audience: Record<string, unknown>;
        /** @description Whom an audience means at this moment. */
        AudiencePreview: {
            /**
             * Format: int64
             * @description How many recipients belong to it, exactly.
             */
            count: number;
            /**
             * Format: int64
             * @description How many of them are disabled, and would be skipped.
             */
            disabled: number;
            /** @description Some of them, those who came first. */
            samples: components["schemas"]["Recipient"][];
        };
        /**
         * @description What was done.
         * @enum {string}
         */
        AuditAction: "job.enqueue" | "job.cancel" | "job.force_cancel" | "job.retry" | "job.run_now" | "job.resolve" | "queue.change" | "worker.drain" | "campaign.create" | "campaign.stop" | "campaign.resume" | "campaign.approve" | "campaign.cancel" | "campaign.rate" | "operation.start" | "operation.stop" | "schedule.add" | "schedule.change" | "schedule.delete" | "schedule.fire" | "recipient.put" | "recipient.delete" | "recipient.erase" | "recipient.import" | "recipient.read" | "inbox.read" | "payload.read" | "key.create" | "key.rotate" | "key.revoke" | "user.add" | "user.change" | "session.sign_in" | "session.sign_out" | "audit.export" | "access.denied";
        /** @description One act. */
        AuditEntry: {
            /** @description What they did. */
            action: components["schemas"]["AuditAction"];
            /** @description How it was to be. */
            after?: Record<string, unknown> | null;
            /** @description When. */
            at: components["schemas"]["Moment"];
            /** @description How it was before, where that is known. */
            before?: Record<string, unknown> | null;
            /**
             * Format: int64
             * @description How many things it concerned, where it was more than one.
             */
            count?: number | null;
            /**
             * @description Its id.
             * @example aud_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            id: string;
            /** @description What people called them at that time. */
            name: string;
            /** @description To what: an id, or the name of a queue; a recipient by the digest of its id. */
            object: string;
            /** @description Who: `usr_...`, `key_...`, `command-line`, `anonymous`, `nobody` or `system:...`. */
            principal: string;
            /** @description Why, in the words of whoever did it. */
            reason?: string | null;
            /** @description The id of the request. */
            request_id?: string | null;
        };
        /** @description How the wait between tries grows, and how far. */
        Backoff: {
            /**
             * @description The wait after the first try.
             * @default 5s
             */
            base: components["schemas"]["Span"];
            /**
             * @description The longest wait.
             * @default 15m
             */
            cap: components["schemas"]["Span"];
            /**
             * @description Whether chance shortens the wait, so that jobs that failed together do not return together.
             * @default full
             */
            jitter: components["schemas"]["Jitter"];
            /**
             * @description How the wait grows.
             * @default exponential
             */
            strategy: components["schemas"]["Strategy"];
        };
        /** @description What became of a batch, in the order of its jobs. */
        Batch: {
            /** @description One answer for each job. */
            items: components["schemas"]["BatchItem"][];
        };
        /** @description What became of one job of a batch. */
        BatchItem: {
            /** @description Whether this request made it. */
            created: boolean;
            /**
             * @description The job that has the key, or the new one.
             * @example job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            id: string;
        };
        /** @description A worker lives. */
        BeatWorker: {
            /** @default null */
            asked_ago?: components["schemas"]["Span"] | null;
            /**
             * @description Whether it takes nothing new.
             * @default false
             */
            draining?: boolean;
            /**
             * Format: int32
             * @description How many more it could run.
             * @default 0
             */
            free?: number;
            /**
             * @description The leases it works under, and those of claims that it has heard no answer to.
             * @default []
             */
            heard?: string[];
            /**
             * @description How far its jobs have come.
             * @default []
             */
            progress?: components["schemas"]["TellProgress"][];
            /**
             * Format: int32
             * @description How many jobs it runs.
             * @default 0
             */
            running?: number;
            /**
             * @description How long to wait for news; a third of a lease at the most.
             * @default 0s
             */
            wait?: components["schemas"]["Span"];
        };
        /** @description A campaign: what it is to do, and how far it has come. */
        Campaign: {
            /** @description What becomes of each recipient. */
            action: components["schemas"]["MessageAction"];
            approval?: components["schemas"]["CampaignApproval"] | null;
            /** @description Whom it is for. */
            audience: components["schemas"]["Audience"];
            began_at?: components["schemas"]["Moment"] | null;
            /** @description `popular`, `question`, `notice`, `activity`, or a word of your own. */
            category: string;
            /** @description By which address. */
            channel: string;
            /**
             * Format: int32
             * @description How many recipients a chunk holds at most.
             */
            chunk?: number | null;
            completed_at?: components["schemas"]["Moment"] | null;
            /** @description When it came. */
            created_at: components["schemas"]["Moment"];
            /** @description What to do in doubt. */
            delivery: components["schemas"]["Delivery"];
            expires_after?: components["schemas"]["Span"] | null;
            finished_at?: components["schemas"]["Moment"] | null;
            /**
             * @description Its id.
             * @example cmp_0199a1b2-c3d4-7e5f-8a9b-0c0000000000
             */
            id: string;
            /** @description Your own key. */
            key?: string | null;
            /** @description Where it waits for others. */
            lane: string;
            /** @description How long before that its deliveries are written. */
            lead: components["schemas"]["Span"];
            /** @description What is said. */
            message: components["schemas"]["Message"];
            /** @description What people call it. */
            name: string;
            /** @description How far it has come. */
            progress: components["schemas"]["CampaignProgress"];
            /** @description Who delivers. */
            provider?: string | null;
            /**
             * Format: double
             * @description How many deliveries may start each second.
             */
            rate?: number | null;
            /** @description Of which campaign it is for the rest only; null if it is for its whole audience. */
            rest_of?: string | null;
            send_at?: components["schemas"]["Moment"] | null;
            /** @description At which time on each recipient's clock it is sent. */
            send_at_local?: string | null;
            /** @description When its deliveries begin to be written. */
            start_at: components["schemas"]["Moment"];
            /** @description Where it is. */
            state: components["schemas"]["CampaignState"];
            /** @description The zone of those who have none. */
            time_zone?: string | null;
            /** @description The topic that a recipient must still be opted in to when it is sent. */
            topic?: string | null;
            /** @description When it last moved. */
            updated_at: components["schemas"]["Moment"];
            /** @description Who is ahead of it in its lane, while it waits for that. */
            waits_for?: string | null;
            /** @description Why it was stopped or canceled, when somebody said so. */
            why?: string | null;
        };
        /** @description Who asked for a campaign that one person may not send alone, and who has approved it. */
        CampaignApproval: {
            approved_at?: components["schemas"]["Moment"] | null;
            /** @description Who has approved it; null while it waits for that. */
            approved_by?: string | null;
            /** @description What people called them at that time. */
            approved_by_name?: string | null;
            /** @description When. */
            asked_at: components["schemas"]["Moment"];
            /** @description Who asked for it: a user, an API key, or `system:scheduler`. */
            asked_by: string;
            /** @description What people called them at that time. */
            asked_by_name: string;
            /**
             * Format: int64
             * @description How many recipients it had when it was asked for.
             */
            recipients: number;
        };
        /** @description What a campaign would do now. */
        CampaignPreview: {
            /**
             * Format: int64
             * @description How many members were looked at one by one, those who came first; 20,000 at most.
             */
            looked_at: number;
            /**
             * Format: int64
             * @description How many members its audience has, exactly.
             */
            members: number;
            /** @description What is missing: a provider that brings it, and what fills the message, for some of those who lack it. */
            missing: string[];
            /** @description What some of them would read: each text at least once that any of them would. */
            samples: components["schemas"]["CampaignSample"][];
            /** @description How many of those would get nothing, by reason, such as `disabled`, `opted_out`, `no_address`, `address_dead`, `missing_value` or `too_long`. */
            skipped: {
                [key: string]: number;
            };
            /**
             * @description How many of those would read each translation, by the name of its locale, if they are told anything; all others read the message
             *     as it is.
             */
            translations?: {
                [key: string]: number;
            };
        };
        /** @description How far a campaign has come. */
        CampaignProgress: {
            /**
             * Format: int64
             * @description How many recipients were written down so far: the sum of the counts, as soon as the last facts
             *     are numbered.
             */
            audience: number;
            /**
             * Format: int64
             * @description In how many chunks.
             */
            chunks: number;
            /** @description How many deliveries are in which state. */
            counts: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description The number of the last recipient it has come to.
             */
            cursor: number;
            /**
             * Format: int64
             * @description How many recipients have come to their end: their delivery has, or there is none and the item lies in
             *     their inbox.
             */
            ended: number;
            /**
             * Format: int64
             * @description How many seconds it takes to its end at this speed, if that can be said.
             */
            eta_seconds?: number | null;
            /**
             * Format: int64
             * @description How many members its audience had when it began, when that was counted.
             */
            expected?: number | null;
            /**
             * Format: int64
             * @description How many are being called: after a stop, these still come to their end.
             */
            in_flight: number;
            /**
             * Format: int64
             * @description How many items were laid into inboxes.
             */
            items: number;
            /** @description What keeps it from going faster. */
            limited_by: string;
            /**
             * Format: double
             * @description How many ended a second, over the last 60 seconds, or since it began.
             */
            per_second: number;
            /** @description Where it is. */
            state: components["schemas"]["CampaignState"];
            /**
             * Format: int64
             * @description The number of the last recipient it is for.
             */
            until?: number | null;
            /**
             * Format: double
             * @description How much of the audience was walked, as a share of one.
             */
            walked: number;
        };
        /** @description How many recipients of its audience a campaign that has ended has not reached, and why. */
        CampaignRest: {
            /**
             * Format: int64
             * @description Their deliveries were canceled.
             */
            canceled: number;
            /**
             * Format: int64
             * @description Their deliveries have failed for good.
             */
            failed: number;
            /**
             * Format: int64
             * @description It was canceled before it came to them.
             */
            never_written: number;
            /**
             * Format: int64
             * @description All whom `send-to-rest` would be for: the sum of the next four.
             */
            recipients: number;
            /**
             * Format: int64
             * @description They were skipped; whoever would be skipped again is.
             */
            skipped: number;
            /**
             * Format: int64
             * @description How many besides may have been reached: they are left out until a person has resolved them.
             */
            uncertain: number;
        };
        /** @description What one recipient would read. */
        CampaignSample: {
            /** @description What there is to say. */
            body: string;
            /** @description Who. */
            recipient: components["schemas"]["Recipient"];
            /** @description One line. */
            title: string;
            /** @description The locale of the translation that it would read; none if it is the message as it is. */
            translation?: string | null;
        };
        /**
         * @description Where a campaign is.
         * @enum {string}
         */
        CampaignState: "scheduled" | "expanding" | "sending" | "done" | "stopped" | "canceled";
        /** @description Cancels a job. */
        Cancel: {
            /** @description Takes a running job away from its worker at once, instead of asking it to stop. */
            force?: boolean;
            /** @description Why, as the job will show it; 500 characters at most. */
            reason?: string | null;
        };
        /** @description Changes a campaign while it runs. */
        ChangeCampaign: {
            /**
             * Format: double
             * @description How many deliveries may start each second; `null` for as many as can.
             */
            rate?: number | null;
        };
        /** @description A change to a queue; what is not given stays. */
        ChangeQueue: {
            /**
             * Format: int64
             * @description Limits how many of its jobs run at once in the whole fleet; null lifts the limit.
             */
            max_running?: number | null;
            /** @description Pauses or resumes it. What runs goes on; nothing new is claimed. */
            paused?: boolean | null;
            /**
             * Format: double
             * @description Limits how many of its jobs start each second in the whole fleet; null lifts the limit.
             */
            rate?: number | null;
        };
        /** @description A change to a schedule; what is not given stays. It holds at once. */
        ChangeSchedule: {
            /** @description The campaign that it makes from now on, as a whole. */
            campaign?: Record<string, unknown> | null;
            /**
             * @description 5 fields, or 6 with seconds in front.
             * @example 0 10 * * *
             */
            cron?: string | null;
            job?: components["schemas"]["ScheduledJob"] | null;
            lead?: components["schemas"]["Span"] | null;
            missed?: components["schemas"]["Missed"] | null;
            /**
             * Format: int64
             * @description How many missed times are made up for where `missed` is `all`.
             */
            missed_max?: number | null;
            /** @description What it is called. */
            name?: string | null;
            /** @description The IANA name of the time zone whose clock it goes by. */
            time_zone?: string | null;
        };
        /** @description What is to become of a user; what is not given stays. All their sessions end with it. */
        ChangeUser: {
            /** @description Whether they are kept out. */
            disabled?: boolean | null;
            /**
             * Format: password
             * @description A new password.
             */
            password?: string | null;
            role?: components["schemas"]["Role"] | null;
        };
        /** @description A change to a worker. */
        ChangeWorker: {
            /** @description Whether it is to take nothing new. */
            drain: boolean;
        };
        /** @description What a worker asks for. */
        ClaimJobs: {
            /**
             * Format: int32
             * @description How many jobs at the most, of all queues together.
             */
            limit: number;
            /**
             * Format: int32
             * @description How many bytes of payload at the most; one job always fits.
             */
            max_bytes?: number | null;
            /**
             * Format: int32
             * @description How often this was asked before without an answer being heard.
             */
            repeat?: number;
            /**
             * @description How long to wait until there is one; 50s at the most.
             * @default 0s
             */
            wait?: components["schemas"]["Span"];
            /** @description From which queues, the most wanted first. */
            wants: components["schemas"]["Want"][];
        };
        /** @description The jobs under one lease. */
        ClaimedBatch: {
            /** @description The jobs, the most urgent first. */
            jobs: components["schemas"]["ClaimedJob"][];
            /** @description The lease. */
            lease: string;
            /** @description The queue. */
            queue: string;
        };
        /** @description Where an earlier attempt left off. */
        ClaimedCheckpoint: {
            /** @description How long ago that was. */
            ago: components["schemas"]["Span"];
            /** @description The job's own word for where it is. */
            cursor?: components["schemas"]["Json"];
            /**
             * Format: int32
             * @description 1, and one more each time somebody had the job begin anew.
             */
            era: number;
            progress?: components["schemas"]["Progress"] | null;
            /**
             * Format: int64
             * @description How often the cursor was moved.
             */
            seq: number;
        };
        /** @description A job, for one attempt. */
        ClaimedJob: {
            /**
             * Format: int32
             * @description Numbers the claims of the job.
             */
            attempt: number;
            checkpoint?: components["schemas"]["ClaimedCheckpoint"] | null;
            /** @description How long ago it was accepted. */
            created_ago: components["schemas"]["Span"];
            /** @description What to do in doubt. */
            delivery: components["schemas"]["Delivery"];
            expires_in?: components["schemas"]["Span"] | null;
            /** @description Its id. */
            id: string;
            /** @description The same for every attempt of this run, and for no other. */
            idempotency_key: string;
            /** @description The caller's own key, if one was given. */
            key?: string | null;
            /** @description Its kind. */
            kind: string;
            /**
             * Format: int32
             * @description How many attempts of this run were lost with their worker.
             */
            losses: number;
            /**
             * Format: int32
             * @description How many tries it has.
             */
            max_attempts: number;
            /** @description What was asked, as any JSON. */
            payload: components["schemas"]["Json"];
            /** @description For how long it could have been claimed. */
            queued_ago: components["schemas"]["Span"];
            /**
             * Format: int32
             * @description Which run of the job this is.
             */
            run: number;
            /** @description Words to find it by. */
            tags?: string[];
            /** @description How long the attempt may take, from its start or its last checkpoint. */
            timeout: components["schemas"]["Span"];
            /** @description The right to this attempt. Whoever has it can settle the job: it belongs in no log. */
            token: string;
            trace?: components["schemas"]["Trace"] | null;
            /**
             * Format: int32
             * @description Attempts that count towards `max_attempts`, this one included.
             */
            tries: number;
        };
        /** @description What a worker gets. */
        ClaimedJobs: {
            /** @description The jobs, by lease; empty if there was none in time. */
            batches: components["schemas"]["ClaimedBatch"][];
            /** @description Whether the worker is to take nothing new; then it hears by its beats when it may again. */
            drain?: boolean;
            /** @description How long each lease lasts, from so long after the claim was sent as `waited` says. */
            lease: components["schemas"]["Span"];
            waited?: components["schemas"]["Span"] | null;
        };
        /** @description Stops, resumes or cancels a campaign. */
        CommandCampaign: {
            /** @description Why, as the campaign will show it; 500 characters at most. */
            reason?: string | null;
        };
        /** @description Something the server needs to work, or works better with. */
        Component: {
            /** @description How it is, in a few words. */
            detail: string;
            /**
             * @description Its name.
             * @example store
             */
            name: string;
            /** @description Whether it is as it should be. */
            ready: boolean;
        };
        /** @description A message to an audience. */
        CreateCampaign: {
            /** @description What becomes of each recipient: `inbox`, `push` or `both`. */
            action: components["schemas"]["MessageAction"];
            /** @description Whom it is for. */
            audience: components["schemas"]["Audience"];
            backoff?: components["schemas"]["Backoff"] | null;
            /**
             * @description `popular`, `question`, `notice`, `activity`, or a word of your own.
             * @example question
             */
            category: string;
            /** @description By which of a recipient's addresses; `push` if none is given. */
            channel?: string | null;
            /**
             * Format: int64
             * @description How many recipients are written in one transaction at most; as many as take 50 ms if nothing is
             *     given.
             */
            chunk?: number | null;
            delivery?: components["schemas"]["Delivery"] | null;
            expires_after?: components["schemas"]["Span"] | null;
            /**
             * @description Your own key. The same key with the same content is the same campaign, with other content a
             *     conflict.
             */
            key?: string | null;
            /** @description One campaign of a lane is walked at a time, the others wait; `default` if none is given. */
            lane?: string | null;
            lead?: components["schemas"]["Span"] | null;
            /**
             * Format: int64
             * @description How many tries a delivery has; 4 if none is given.
             */
            max_attempts?: number | null;
            /** @description What is said. */
            message: components["schemas"]["Message"];
            /**
             * @description What people call it.
             * @example Daily quiz
             */
            name: string;
            /** @description Who delivers: the name of a configured provider. */
            provider?: string | null;
            /**
             * Format: double
             * @description How many deliveries may start each second; as many as can if nothing is given.
             */
            rate?: number | null;
            send_at?: components["schemas"]["Moment"] | null;
            /**
             * @description Or when the clock of each recipient shows this time.
             * @example 2026-01-31T09:00
             */
            send_at_local?: string | null;
            /**
             * @description The zone of recipients who have none; UTC if none is given.
             * @example Asia/Seoul
             */
            time_zone?: string | null;
            timeout?: components["schemas"]["Span"] | null;
            /**
             * @description The topic that a recipient must still be opted in to when it is sent; the audience's, if that is
             *     a topic.
             */
            topic?: string | null;
        };
        /** @description A key that is asked for. */
        CreateKey: {
            /**
             * @description How long it is worth something; for ever if that is not given.
             * @example 90d
             */
            expires_in?: string | null;
            /** @description The kinds of jobs its bearer may enqueue, as names or patterns with `*`; all if there are none. */
            kinds?: string[];
            /**
             * @description What people call it: 1 to 100 letters.
             * @example billing service
             */
            name: string;
            /**
             * @description What its bearer may do. Nobody can grant what they lack.
             * @example [
             *       "jobs:create",
             *       "jobs:read"
             *     ]
             */
            permissions: components["schemas"]["Permission"][];
            /** @description The queues its bearer may enqueue to, as names or patterns with `*`; all if there are none. */
            queues?: string[];
        };
        /** @description A cron line in a time zone, and what it makes each time: a job or a campaign. */
        CreateSchedule: {
            /** @description The campaign that it makes each time. */
            campaign?: Record<string, unknown> | null;
            /**
             * @description 5 fields (minute, hour, day of month, month, day of week), or 6 with seconds in front.
             * @example 0 9 * * *
             */
            cron: string;
            job?: components["schemas"]["ScheduledJob"] | null;
            lead?: components["schemas"]["Span"] | null;
            missed?: components["schemas"]["Missed"] | null;
            /**
             * Format: int64
             * @description How many missed times are made up for where `missed` is `all`; 100 if nothing is given.
             */
            missed_max?: number | null;
            /**
             * @description What it is called; no two schedules have the same name.
             * @example daily quiz
             */
            name: string;
            /**
             * @description The IANA name of the time zone whose clock it goes by.
             * @example Asia/Seoul
             */
            time_zone: string;
        };
        /** @description A key that was made. */
        CreatedKey: components["schemas"]["ApiKey"] & {
            /** @description The key itself, told this once. */
            token: string;
        };
        /** @description Which dead letters; what is not given does not matter. */
        DeadLetterFilter: {
            /** @description Of this group. */
            fingerprint?: string | null;
            /** @description Of this kind. */
            kind?: string | null;
            /** @description Of this queue. */
            queue?: string | null;
            /** @description Failed for this reason. */
            reason?: string | null;
        };
        /** @description Dead letters of one cause. */
        DeadLetters: {
            /**
             * Format: int64
             * @description How many there are.
             */
            count: number;
            /**
             * @description The name of the group.
             * @example fp_9f86d081884c7d65
             */
            fingerprint: string;
            /** @description When the first of them failed. */
            first: components["schemas"]["Moment"];
            /** @description The kind of its jobs. */
            kind: string;
            /** @description When the last of them failed. */
            last: components["schemas"]["Moment"];
            /**
             * @description The reason most lately seen.
             * @example exhausted
             */
            reason: string;
            /** @description One of them. */
            sample: components["schemas"]["Sample"];
        };
        /**
         * @description How often a call may be made when its outcome is in doubt.
         * @enum {string}
         */
        Delivery: "at_least_once" | "at_most_once";
        /** @description Jobs to be added in one transaction: all or none. */
        EnqueueBatch: {
            /** @description The jobs. */
            jobs: components["schemas"]["EnqueueJob"][];
        };
        /** @description A job to be run once to completion. */
        EnqueueJob: {
            backoff?: components["schemas"]["Backoff"] | null;
            delay?: components["schemas"]["Span"] | null;
            delivery?: components["schemas"]["Delivery"] | null;
            expires_at?: components["schemas"]["Moment"] | null;
            /**
             * @description Your own key. The same key with the same content is the same job, with other content a conflict.
             * @example order-4711
             */
            key?: string | null;
            /**
             * @description The name that chooses the handler.
             * @example http
             */
            kind: string;
            /**
             * Format: int64
             * @description How many tries it has; 4 if none is given.
             */
            max_attempts?: number | null;
            /**
             * @description The handler's arguments, kept to the letter; 256 KiB at most. Those of the kind `http` are `url`, or
             *     `destination` (one that the configuration names, with its credentials) and `path` below it; `method`,
             *     `headers` and `body`; those of `baton.walk` are `url`, `job` (what to make of each row) and how to page.
             */
            payload?: components["schemas"]["Json"];
            /**
             * Format: int64
             * @description Smaller is sooner; 0 if none is given.
             */
            priority?: number | null;
            /** @description The queue it stands in; if none is given `default`, or for a custom kind the queue of its own name. */
            queue?: string | null;
            run_at?: components["schemas"]["Moment"] | null;
            /** @description Words to find it by. */
            tags?: string[];
            timeout?: components["schemas"]["Span"] | null;
            trace?: components["schemas"]["Trace"] | null;
        };
        /** @description One fact. */
        Event: {
            /** @description When. */
            at: components["schemas"]["Moment"];
            /** @description The particulars. A job's move says `queue`, `from` and `to`. */
            data: Record<string, unknown>;
            /**
             * @description Its number: the epoch of the history, a dash, and `seq`.
             * @example 1-4711
             */
            id: string;
            /**
             * Format: int64
             * @description Its place in the history: 1, 2, 3 without a gap.
             */
            seq: number;
            /** @description To whom: a prefixed id, or a queue's name. */
            subject: string;
            /**
             * @description What happened.
             * @example job.succeeded
             */
            type: string;
        };
        /** @description A page of the feed. */
        EventPage: {
            /** @description The events, in order. */
            items: components["schemas"]["Event"][];
            /**
             * @description Give it as `after` to go on at once; null when the feed has been read to its end. A page can
             *     be short, even empty, and still have a next one.
             */
            next?: string | null;
            /**
             * @description How far this page has looked. At the end of the feed, give it as `after` to go on later.
             * @example 1-4711
             */
            position: string;
        };
        /** @description Why a job is, or is not, running. */
        Explanation: {
            /** @description What holds it up, each in one sentence; empty when nothing does. */
            blockers: string[];
            /** @description The job. */
            job_id: string;
            /** @description What will happen, or what a person can do. */
            next: string;
            /** @description Where it is. */
            state: components["schemas"]["JobState"];
            /** @description The answer in one sentence. */
            summary: string;
        };
        /** @description Why an attempt failed. */
        Failure: {
            /** @description What sort of failure it was. */
            class: components["schemas"]["FailureClass"];
            /**
             * @description A stable word for it.
             * @example http_503
             */
            code: string;
            /** @description What happened. */
            message: string;
        };
        /**
         * @description What sort of failure it was.
         * @enum {string}
         */
        FailureClass: "retry" | "throttled" | "gone" | "refused" | "permanent" | "misconfigured" | "unknown" | "lost";
        /** @description One thing wrong with a request, and where. */
        FieldError: {
            /**
             * @description The field, as a path.
             * @example jobs[3].backoff.base
             */
            field: string;
            /** @description What is wrong with it, and what would be right. */
            message: string;
        };
        /** @description What became of a nominal time; of several, where they were missed in a row. */
        Fire: {
            /** @description The nominal time; the first of those that were missed. */
            at: components["schemas"]["Moment"];
            /** @description Whether a person asked for it, out of turn. */
            by_hand: boolean;
            /**
             * @description The id of what was made; null if the time was missed.
             * @example job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            made?: string | null;
            /**
             * Format: int32
             * @description How many times in a row were missed, counted up to 1,000; 0 if something was made.
             */
            missed: number;
            missed_until?: components["schemas"]["Moment"] | null;
            /** @description Why they were missed. */
            reason?: string | null;
            /** @description When it fired, or was given up. */
            recorded_at: components["schemas"]["Moment"];
        };
        /** @description How many jobs were given back. */
        GivenBack: {
            /**
             * Format: int32
             * @description How many.
             */
            given_back: number;
        };
        /** @description What became of an import. */
        Import: {
            /**
             * Format: int64
             * @description How many recipients were new.
             */
            added: number;
            /**
             * Format: int64
             * @description How many were described differently before.
             */
            changed: number;
            /** @description Whether every row was read. If not, `stopped` says where and why; what came before counts. */
            complete: boolean;
            /** @description Whether nothing was written; then the counts say what would have become of the rows. */
            dry_run: boolean;
            /** @description Why rows were not accepted, for the first 100 of them. */
            errors: components["schemas"]["RowErrors"][];
            /**
             * Format: int64
             * @description How many rows were not accepted.
             */
            refused: number;
            /**
             * Format: int64
             * @description How many rows were read, refused ones included.
             */
            rows: number;
            stopped?: components["schemas"]["ImportStop"] | null;
            /**
             * Format: int64
             * @description How many were as they are.
             */
            unchanged: number;
        };
        /** @description Where and why an import stopped. */
        ImportStop: {
            /**
             * Format: int64
             * @description The first line that did not count; those before it did.
             */
            line: number;
            /** @description What happened, and what to do. */
            message: string;
        };
        /** @description One thing a recipient was told. */
        InboxItem: {
            /** @description What there is to say. */
            body: string;
            /** @description The campaign it came from. */
            campaign_id?: string | null;
            /** @description What sort of thing it is. */
            category: string;
            /** @description When it came. */
            created_at: components["schemas"]["Moment"];
            /** @description What goes along for the receiving app, to the letter. */
            data?: components["schemas"]["Json"];
            /**
             * @description Its id.
             * @example inb_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            id: string;
            /** @description The notification it came from. */
            notification_id?: string | null;
            read_at?: components["schemas"]["Moment"] | null;
            /** @description One line. */
            title: string;
        };
        /** @description What opens the inbox of one recipient for a while. */
        InboxToken: {
            /** @description From when on it opens nothing. */
            expires_at: components["schemas"]["Moment"];
            /** @description The token, for `Authorization: Bearer`. */
            token: string;
        };
        /**
         * @description Whether chance shortens the wait.
         * @enum {string}
         */
        Jitter: "full" | "none";
        /** @description A job: what was asked, and where it is now. */
        Job: {
            /**
             * Format: int32
             * @description Numbers the claims; 0 before the first.
             */
            attempt: number;
            /** @description When to try again. */
            backoff: components["schemas"]["Backoff"];
            /** @description The campaign it belongs to. */
            campaign_id?: string | null;
            cancel_asked_at?: components["schemas"]["Moment"] | null;
            checkpointed_at?: components["schemas"]["Moment"] | null;
            /** @description When it was accepted. */
            created_at: components["schemas"]["Moment"];
            /** @description Its own word for where it is, behind which its next attempt begins; told of one job alone, and null in lists. */
            cursor?: components["schemas"]["Json"];
            /** @description What to do when the outcome of a call is in doubt. */
            delivery: components["schemas"]["Delivery"];
            expires_at?: components["schemas"]["Moment"] | null;
            finished_at?: components["schemas"]["Moment"] | null;
            /**
             * @description Its id.
             * @example job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            id: string;
            /** @description The caller's own key, if one was given. */
            key?: string | null;
            /** @description The name that chooses the handler. */
            kind: string;
            last_error?: components["schemas"]["Failure"] | null;
            leased_until?: components["schemas"]["Moment"] | null;
            /**
             * Format: int32
             * @description Attempts that ended without a word, in this run.
             */
            losses: number;
            /**
             * Format: int32
             * @description How many tries it has.
             */
            max_attempts: number;
            /** @description The handler's arguments, to the letter as they came, but for headers that carry credentials: those say `(hidden)`. */
            payload: components["schemas"]["Json"];
            /**
             * Format: int32
             * @description Smaller is sooner.
             */
            priority: number;
            progress?: components["schemas"]["Progress"] | null;
            /** @description The queue it stands in. */
            queue: string;
            /** @description Why it is there, for `failed`, `canceled` and `skipped`. */
            reason?: string | null;
            /** @description The recipient it is for. */
            recipient_id?: string | null;
            /** @description What the handler answered. */
            result?: components["schemas"]["Json"];
            /**
             * Format: int32
             * @description 1, and one more each time a person runs it again.
             */
            run: number;
            /** @description Not before this moment. */
            run_at: components["schemas"]["Moment"];
            /** @description Where it is. */
            state: components["schemas"]["JobState"];
            /** @description Words to find it by. */
            tags: string[];
            /** @description How long one attempt may take. */
            timeout: components["schemas"]["Span"];
            trace?: components["schemas"]["Trace"] | null;
            /**
             * Format: int32
             * @description Attempts that count against `max_attempts`, the present or last one included.
             */
            tries: number;
            /** @description When it last moved. */
            updated_at: components["schemas"]["Moment"];
            /** @description The worker that has it, while it runs. */
            worker?: string | null;
        };
        /** @description Which jobs: those of one state; what else is not given does not matter. */
        JobSelection: {
            /** @description Of this kind. */
            kind?: string | null;
            /** @description In this queue. */
            queue?: string | null;
            /** @description In this state. */
            state: components["schemas"]["JobState"];
            /** @description With this tag. */
            tag?: string | null;
        };
        /**
         * @description Where a job is.
         * @enum {string}
         */
        JobState: "pending" | "queued" | "running" | "retry_wait" | "succeeded" | "failed" | "canceled" | "skipped" | "uncertain";
        /** @description Any JSON value, kept to the letter. */
        Json: unknown;
        /** @description A kind, and who handles it. */
        Kind: {
            /** @description Whether the servers run it themselves. */
            built_in: boolean;
            /**
             * Format: int32
             * @description How many more they could run.
             */
            free: number;
            /** @description Its name. */
            kind: string;
            last_served_at?: components["schemas"]["Moment"] | null;
            /** @description The queues they claim from. */
            queues: string[];
            /**
             * Format: int32
             * @description How many jobs these run at once, of all their kinds together.
             */
            slots: number;
            /**
             * Format: int32
             * @description How many live workers handle it.
             */
            workers: number;
        };
        /** @description A result that came too late. */
        Late: {
            /** @description Whether it became the job's state, as nobody had claimed the job since. */
            adopted: boolean;
            /** @description When it was recorded. */
            at: components["schemas"]["Moment"];
            /** @description How the attempt really ended. */
            outcome: components["schemas"]["Outcome"];
        };
        /** @description One page of a list. */
        List_ApiKey: {
            /** @description What the page shows. */
            items: {
                /** @description When it was made. */
                created_at: components["schemas"]["Moment"];
                /**
                 * @description By whom.
                 * @example usr_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
                 */
                created_by: string;
                expires_at?: components["schemas"]["Moment"] | null;
                /**
                 * @description Its id, which is also the second part of the key.
                 * @example key_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
                 */
                id: string;
                /** @description The kinds of jobs its bearer may enqueue; all if there are none. */
                kinds: string[];
                last_used_at?: components["schemas"]["Moment"] | null;
                /** @description What people call it. */
                name: string;
                /** @description What its bearer may do. */
                permissions: components["schemas"]["Permission"][];
                /** @description The queues its bearer may enqueue to; all if there are none. */
                queues: string[];
                revoked_at?: components["schemas"]["Moment"] | null;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Attempt: {
            /** @description What the page shows. */
            items: {
                /**
                 * Format: int32
                 * @description Which attempt: 1, 2, 3 without a gap.
                 */
                attempt: number;
                ended_at?: components["schemas"]["Moment"] | null;
                error?: components["schemas"]["Failure"] | null;
                /** @description The job. */
                job_id: string;
                late?: components["schemas"]["Late"] | null;
                next_run_at?: components["schemas"]["Moment"] | null;
                outcome?: components["schemas"]["Outcome"] | null;
                /**
                 * Format: int32
                 * @description Which run of the job it belongs to.
                 */
                run: number;
                started_at?: components["schemas"]["Moment"] | null;
                state?: components["schemas"]["JobState"] | null;
                /** @description The worker that had it. */
                worker: string;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_AuditEntry: {
            /** @description What the page shows. */
            items: {
                /** @description What they did. */
                action: components["schemas"]["AuditAction"];
                /** @description How it was to be. */
                after?: Record<string, unknown> | null;
                /** @description When. */
                at: components["schemas"]["Moment"];
                /** @description How it was before, where that is known. */
                before?: Record<string, unknown> | null;
                /**
                 * Format: int64
                 * @description How many things it concerned, where it was more than one.
                 */
                count?: number | null;
                /**
                 * @description Its id.
                 * @example aud_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
                 */
                id: string;
                /** @description What people called them at that time. */
                name: string;
                /** @description To what: an id, or the name of a queue; a recipient by the digest of its id. */
                object: string;
                /** @description Who: `usr_...`, `key_...`, `command-line`, `anonymous`, `nobody` or `system:...`. */
                principal: string;
                /** @description Why, in the words of whoever did it. */
                reason?: string | null;
                /** @description The id of the request. */
                request_id?: string | null;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Campaign: {
            /** @description What the page shows. */
            items: {
                /** @description What becomes of each recipient. */
                action: components["schemas"]["MessageAction"];
                approval?: components["schemas"]["CampaignApproval"] | null;
                /** @description Whom it is for. */
                audience: components["schemas"]["Audience"];
                began_at?: components["schemas"]["Moment"] | null;
                /** @description `popular`, `question`, `notice`, `activity`, or a word of your own. */
                category: string;
                /** @description By which address. */
                channel: string;
                /**
                 * Format: int32
                 * @description How many recipients a chunk holds at most.
                 */
                chunk?: number | null;
                completed_at?: components["schemas"]["Moment"] | null;
                /** @description When it came. */
                created_at: components["schemas"]["Moment"];
                /** @description What to do in doubt. */
                delivery: components["schemas"]["Delivery"];
                expires_after?: components["schemas"]["Span"] | null;
                finished_at?: components["schemas"]["Moment"] | null;
                /**
                 * @description Its id.
                 * @example cmp_0199a1b2-c3d4-7e5f-8a9b-0c0000000000
                 */
                id: string;
                /** @description Your own key. */
                key?: string | null;
                /** @description Where it waits for others. */
                lane: string;
                /** @description How long before that its deliveries are written. */
                lead: components["schemas"]["Span"];
                /** @description What is said. */
                message: components["schemas"]["Message"];
                /** @description What people call it. */
                name: string;
                /** @description How far it has come. */
                progress: components["schemas"]["CampaignProgress"];
                /** @description Who delivers. */
                provider?: string | null;
                /**
                 * Format: double
                 * @description How many deliveries may start each second.
                 */
                rate?: number | null;
                /** @description Of which campaign it is for the rest only; null if it is for its whole audience. */
                rest_of?: string | null;
                send_at?: components["schemas"]["Moment"] | null;
                /** @description At which time on each recipient's clock it is sent. */
                send_at_local?: string | null;
                /** @description When its deliveries begin to be written. */
                start_at: components["schemas"]["Moment"];
                /** @description Where it is. */
                state: components["schemas"]["CampaignState"];
                /** @description The zone of those who have none. */
                time_zone?: string | null;
                /** @description The topic that a recipient must still be opted in to when it is sent. */
                topic?: string | null;
                /** @description When it last moved. */
                updated_at: components["schemas"]["Moment"];
                /** @description Who is ahead of it in its lane, while it waits for that. */
                waits_for?: string | null;
                /** @description Why it was stopped or canceled, when somebody said so. */
                why?: string | null;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_DeadLetters: {
            /** @description What the page shows. */
            items: {
                /**
                 * Format: int64
                 * @description How many there are.
                 */
                count: number;
                /**
                 * @description The name of the group.
                 * @example fp_9f86d081884c7d65
                 */
                fingerprint: string;
                /** @description When the first of them failed. */
                first: components["schemas"]["Moment"];
                /** @description The kind of its jobs. */
                kind: string;
                /** @description When the last of them failed. */
                last: components["schemas"]["Moment"];
                /**
                 * @description The reason most lately seen.
                 * @example exhausted
                 */
                reason: string;
                /** @description One of them. */
                sample: components["schemas"]["Sample"];
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Event: {
            /** @description What the page shows. */
            items: {
                /** @description When. */
                at: components["schemas"]["Moment"];
                /** @description The particulars. A job's move says `queue`, `from` and `to`. */
                data: Record<string, unknown>;
                /**
                 * @description Its number: the epoch of the history, a dash, and `seq`.
                 * @example 1-4711
                 */
                id: string;
                /**
                 * Format: int64
                 * @description Its place in the history: 1, 2, 3 without a gap.
                 */
                seq: number;
                /** @description To whom: a prefixed id, or a queue's name. */
                subject: string;
                /**
                 * @description What happened.
                 * @example job.succeeded
                 */
                type: string;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Fire: {
            /** @description What the page shows. */
            items: {
                /** @description The nominal time; the first of those that were missed. */
                at: components["schemas"]["Moment"];
                /** @description Whether a person asked for it, out of turn. */
                by_hand: boolean;
                /**
                 * @description The id of what was made; null if the time was missed.
                 * @example job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
                 */
                made?: string | null;
                /**
                 * Format: int32
                 * @description How many times in a row were missed, counted up to 1,000; 0 if something was made.
                 */
                missed: number;
                missed_until?: components["schemas"]["Moment"] | null;
                /** @description Why they were missed. */
                reason?: string | null;
                /** @description When it fired, or was given up. */
                recorded_at: components["schemas"]["Moment"];
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_InboxItem: {
            /** @description What the page shows. */
            items: {
                /** @description What there is to say. */
                body: string;
                /** @description The campaign it came from. */
                campaign_id?: string | null;
                /** @description What sort of thing it is. */
                category: string;
                /** @description When it came. */
                created_at: components["schemas"]["Moment"];
                /** @description What goes along for the receiving app, to the letter. */
                data?: components["schemas"]["Json"];
                /**
                 * @description Its id.
                 * @example inb_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
                 */
                id: string;
                /** @description The notification it came from. */
                notification_id?: string | null;
                read_at?: components["schemas"]["Moment"] | null;
                /** @description One line. */
                title: string;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Job: {
            /** @description What the page shows. */
            items: {
                /**
                 * Format: int32
                 * @description Numbers the claims; 0 before the first.
                 */
                attempt: number;
                /** @description When to try again. */
                backoff: components["schemas"]["Backoff"];
                /** @description The campaign it belongs to. */
                campaign_id?: string | null;
                cancel_asked_at?: components["schemas"]["Moment"] | null;
                checkpointed_at?: components["schemas"]["Moment"] | null;
                /** @description When it was accepted. */
                created_at: components["schemas"]["Moment"];
                /** @description Its own word for where it is, behind which its next attempt begins; told of one job alone, and null in lists. */
                cursor?: components["schemas"]["Json"];
                /** @description What to do when the outcome of a call is in doubt. */
                delivery: components["schemas"]["Delivery"];
                expires_at?: components["schemas"]["Moment"] | null;
                finished_at?: components["schemas"]["Moment"] | null;
                /**
                 * @description Its id.
                 * @example job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
                 */
                id: string;
                /** @description The caller's own key, if one was given. */
                key?: string | null;
                /** @description The name that chooses the handler. */
                kind: string;
                last_error?: components["schemas"]["Failure"] | null;
                leased_until?: components["schemas"]["Moment"] | null;
                /**
                 * Format: int32
                 * @description Attempts that ended without a word, in this run.
                 */
                losses: number;
                /**
                 * Format: int32
                 * @description How many tries it has.
                 */
                max_attempts: number;
                /** @description The handler's arguments, to the letter as they came, but for headers that carry credentials: those say `(hidden)`. */
                payload: components["schemas"]["Json"];
                /**
                 * Format: int32
                 * @description Smaller is sooner.
                 */
                priority: number;
                progress?: components["schemas"]["Progress"] | null;
                /** @description The queue it stands in. */
                queue: string;
                /** @description Why it is there, for `failed`, `canceled` and `skipped`. */
                reason?: string | null;
                /** @description The recipient it is for. */
                recipient_id?: string | null;
                /** @description What the handler answered. */
                result?: components["schemas"]["Json"];
                /**
                 * Format: int32
                 * @description 1, and one more each time a person runs it again.
                 */
                run: number;
                /** @description Not before this moment. */
                run_at: components["schemas"]["Moment"];
                /** @description Where it is. */
                state: components["schemas"]["JobState"];
                /** @description Words to find it by. */
                tags: string[];
                /** @description How long one attempt may take. */
                timeout: components["schemas"]["Span"];
                trace?: components["schemas"]["Trace"] | null;
                /**
                 * Format: int32
                 * @description Attempts that count against `max_attempts`, the present or last one included.
                 */
                tries: number;
                /** @description When it last moved. */
                updated_at: components["schemas"]["Moment"];
                /** @description The worker that has it, while it runs. */
                worker?: string | null;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Kind: {
            /** @description What the page shows. */
            items: {
                /** @description Whether the servers run it themselves. */
                built_in: boolean;
                /**
                 * Format: int32
                 * @description How many more they could run.
                 */
                free: number;
                /** @description Its name. */
                kind: string;
                last_served_at?: components["schemas"]["Moment"] | null;
                /** @description The queues they claim from. */
                queues: string[];
                /**
                 * Format: int32
                 * @description How many jobs these run at once, of all their kinds together.
                 */
                slots: number;
                /**
                 * Format: int32
                 * @description How many live workers handle it.
                 */
                workers: number;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_NextTime: {
            /** @description What the page shows. */
            items: {
                /** @description The nominal time. */
                at: components["schemas"]["Moment"];
                /** @description When it fires for it: the lead before. */
                fires_at: components["schemas"]["Moment"];
                /**
                 * @description The same on the clock of the schedule's time zone, with its offset.
                 * @example 2026-01-31T09:00:00+09:00
                 */
                local: string;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Node: {
            /** @description What the page shows. */
            items: {
                /**
                 * @description Where it listens, if it has said so.
                 * @example http://10.0.0.7:7700
                 */
                address?: string | null;
                clock?: components["schemas"]["NodeClock"] | null;
                /** @description Its id; a restart is another node. A worker inside it has the same one. */
                id: string;
                /** @description Whether it leads. */
                leads: boolean;
                /**
                 * @description The machine it runs on, and its process id there.
                 * @example host:4711
                 */
                name: string;
                /** @description What it does: `api`, `engine`, `worker`. */
                roles: string[];
                /** @description When it last wrote that it is there. */
                seen_at: components["schemas"]["Moment"];
                /** @description When it started. */
                started_at: components["schemas"]["Moment"];
                /** @description How it is. */
                state: components["schemas"]["NodeState"];
                /** @description Baton's version. */
                version: string;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Operation: {
            /** @description What the page shows. */
            items: {
                /** @description What it does. */
                action: components["schemas"]["Action"];
                /** @description When it began. */
                created_at: components["schemas"]["Moment"];
                /**
                 * Format: int64
                 * @description How many it has changed.
                 */
                done: number;
                /** @description To which dead letters. */
                filter: components["schemas"]["DeadLetterFilter"];
                finished_at?: components["schemas"]["Moment"] | null;
                /**
                 * @description Its id.
                 * @example op_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
                 */
                id: string;
                jobs?: components["schemas"]["JobSelection"] | null;
                /** @description Why, in the words of whoever began it. */
                reason?: string | null;
                /**
                 * Format: int64
                 * @description How many it found already gone.
                 */
                skipped: number;
                stage?: components["schemas"]["Stage"] | null;
                /** @description Whether it is under way or has ended. */
                state: components["schemas"]["OperationState"];
                /**
                 * Format: int64
                 * @description How many matched when it began; later failures are not touched. An erasure learns on its way how many
                 *     there are, and says as many as it has changed.
                 */
                total: number;
                /** @description Whether `total` is only the least: more than were counted may have matched. */
                total_is_least?: boolean;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Queue: {
            /** @description What the page shows. */
            items: {
                /**
                 * Format: int64
                 * @description How many jobs are dead letters, discarded ones included.
                 */
                failed: number;
                /**
                 * Format: int32
                 * @description How many of its jobs may run at once, in the whole fleet; null means no limit.
                 */
                max_running?: number | null;
                /** @description Its name. */
                name: string;
                oldest_queued_at?: components["schemas"]["Moment"] | null;
                /** @description Whether nothing is claimed from it. */
                paused: boolean;
                /**
                 * Format: int64
                 * @description How many jobs wait for their time.
                 */
                pending: number;
                /**
                 * Format: double
                 * @description Jobs that ended a second, over the last 60 seconds.
                 */
                per_second: number;
                /**
                 * Format: int64
                 * @description How many jobs any worker may claim.
                 */
                queued: number;
                /**
                 * Format: double
                 * @description How many of its jobs may start each second, in the whole fleet; null means no limit.
                 */
                rate?: number | null;
                /**
                 * Format: int64
                 * @description How many jobs wait for their next attempt.
                 */
                retry_wait: number;
                /**
                 * Format: int64
                 * @description How many jobs run.
                 */
                running: number;
                /**
                 * Format: int32
                 * @description How many of its jobs the live workers can run at once; a worker counts once it has met the queue.
                 */
                slots: number;
                /**
                 * Format: int64
                 * @description How many jobs succeeded, pruned ones included.
                 */
                succeeded: number;
                /**
                 * Format: int64
                 * @description How many at-most-once jobs ended without anybody knowing whether they were done.
                 */
                uncertain?: number;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Recipient: {
            /** @description What the page shows. */
            items: {
                /** @description Where it is reached, by the name of the channel. */
                addresses: {
                    [key: string]: string;
                };
                /** @description When it came. */
                created_at: components["schemas"]["Moment"];
                /** @description Channels whose address a provider called dead; a new address is used again. */
                dead_addresses?: string[];
                /** @description Whether anything is sent to it at all. */
                enabled: boolean;
                /** @description Your own id. */
                id: string;
                /**
                 * Format: double
                 * @description Degrees north of the equator.
                 */
                lat?: number | null;
                /** @description The language it reads, by its BCP 47 name. */
                locale?: string | null;
                /**
                 * Format: double
                 * @description Degrees east of Greenwich.
                 */
                lon?: number | null;
                /** @description What it is reached on. */
                platform: string;
                /** @description The IANA name of its time zone. */
                time_zone?: string | null;
                /** @description What it has opted in to. */
                topics: string[];
                /** @description When it last changed. */
                updated_at: components["schemas"]["Moment"];
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Schedule: {
            /** @description What the page shows. */
            items: {
                /** @description The campaign that it makes each time. */
                campaign?: Record<string, unknown> | null;
                /** @description When it was made. */
                created_at: components["schemas"]["Moment"];
                /** @description The cron line. */
                cron: string;
                /** @description Its id. */
                id: string;
                job?: components["schemas"]["ScheduledJob"] | null;
                last_at?: components["schemas"]["Moment"] | null;
                /** @description How long before its time it fires. */
                lead: components["schemas"]["Span"];
                /** @description What becomes of missed times. */
                missed: components["schemas"]["Missed"];
                /**
                 * Format: int32
                 * @description How many missed times are made up for; null unless `missed` is `all`.
                 */
                missed_max?: number | null;
                /** @description What it is called. */
                name: string;
                next_at?: components["schemas"]["Moment"] | null;
                /** @description Whether a person has stopped it. */
                paused: boolean;
                /**
                 * Format: int64
                 * @description 1, and one more with each change.
                 */
                revision: number;
                /** @description The IANA name of the time zone whose clock it goes by. */
                time_zone: string;
                /** @description When it was last changed. */
                updated_at: components["schemas"]["Moment"];
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_User: {
            /** @description What the page shows. */
            items: {
                /** @description When they were added. */
                created_at: components["schemas"]["Moment"];
                /** @description Whether they are kept out. */
                disabled: boolean;
                /**
                 * @description Their id, as the audit log has it.
                 * @example usr_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
                 */
                id: string;
                /**
                 * @description The identity provider that they sign in at, as it calls itself; `null` for whoever has a password here.
                 * @example https://sso.example/realms/ours
                 */
                issuer?: string | null;
                /** @description What they type, and are called by. */
                name: string;
                /** @description What they may do. */
                role: components["schemas"]["Role"];
                signed_in_at?: components["schemas"]["Moment"] | null;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description One page of a list. */
        List_Worker: {
            /** @description What the page shows. */
            items: {
                /** @description Whether somebody has asked it to take nothing new. */
                drain?: boolean;
                /** @description Its id; a restart is another worker. */
                id: string;
                left_at?: components["schemas"]["Moment"] | null;
                /**
                 * @description The machine it runs on, and its process id there.
                 * @example host:4711
                 */
                name: string;
                remote?: components["schemas"]["RemoteWorker"] | null;
                /**
                 * Format: int32
                 * @description How many it runs now.
                 */
                running: number;
                /** @description When it was last heard of. */
                seen_at: components["schemas"]["Moment"];
                /** @description How many jobs it runs at once, by queue. */
                slots: {
                    [key: string]: number;
                };
                /** @description When it started. */
                started_at: components["schemas"]["Moment"];
                /** @description How it is. */
                state: components["schemas"]["Presence"];
                /** @description Baton's version. */
                version: string;
            }[];
            /**
             * @description Give it as `after` to get the next page; null at the end. A page can be short, even empty, and
             *     still have a next one.
             */
            next?: string | null;
        };
        /** @description How long an inbox token is to last. */
        MakeInboxToken: {
            /**
             * @description How long it is worth something, 24h at most; 15m if that is not given.
             * @example 15m
             */
            expires_in?: string | null;
        };
        /** @description What is said. */
        Message: {
            /**
             * @description What there is to say, 10,000 characters at most, filled in the same way.
             * @example Good morning, {{id}}!
             */
            body: string;
            /** @description What goes along for the receiving app. */
            data?: Record<string, unknown> | null;
            /**
             * @description One line, 500 characters at most; `{{id}}`, `{{platform}}`, `{{time_zone}}`,
             *     `{{addresses.push}}` and `{{data.name}}` are filled in for each recipient.
             * @example Your quiz is here
             */
            title: string;
            /**
             * @description The same in other languages, by their BCP 47 names, 50 at most: a recipient reads the one of its
             *     locale, or else of the language without its region, or else the title and the body above.
             * @example {
             *       "ko": {
             *         "body": "좋은 아침이에요, {{id}} 님!",
             *         "title": "퀴즈가 왔어요"
             *       }
             *     }
             */
            translations?: {
                [key: string]: components["schemas"]["Translation"];
            };
        };
        /**
         * @description What a message does: it lies in the inbox, is brought to the recipient, or both.
         * @enum {string}
         */
        MessageAction: "inbox" | "push" | "both";
        /**
         * @description What becomes of times at which no server was there to fire.
         * @enum {string}
         */
        Missed: "skip" | "latest" | "all";
        /**
         * Format: date-time
         * @description A moment, RFC 3339; in UTC in every response.
         * @example 2026-01-31T09:00:00.000000Z
         */
        Moment: string;
        /** @description News for a worker. */
        News: {
            /** @description Whether it is to take nothing new. */
            drain: boolean;
            /** @description The leases it has, of those it named. */
            held: string[];
            /** @description How long its leases last, from before the call was sent. */
            lease: components["schemas"]["Span"];
            /** @description Those it has not any more: work under them ends now. */
            lost: string[];
            /** @description Its jobs that are to stop. */
            stop: components["schemas"]["StopJob"][];
        };
        /** @description One of the next times of a schedule. */
        NextTime: {
            /** @description The nominal time. */
            at: components["schemas"]["Moment"];
            /** @description When it fires for it: the lead before. */
            fires_at: components["schemas"]["Moment"];
            /**
             * @description The same on the clock of the schedule's time zone, with its offset.
             * @example 2026-01-31T09:00:00+09:00
             */
            local: string;
        };
        /** @description A node: one incarnation of a process of Baton, with a worker or without. */
        Node: {
            /**
             * @description Where it listens, if it has said so.
             * @example http://10.0.0.7:7700
             */
            address?: string | null;
            clock?: components["schemas"]["NodeClock"] | null;
            /** @description Its id; a restart is another node. A worker inside it has the same one. */
            id: string;
            /** @description Whether it leads. */
            leads: boolean;
            /**
             * @description The machine it runs on, and its process id there.
             * @example host:4711
             */
            name: string;
            /** @description What it does: `api`, `engine`, `worker`. */
            roles: string[];
            /** @description When it last wrote that it is there. */
            seen_at: components["schemas"]["Moment"];
            /** @description When it started. */
            started_at: components["schemas"]["Moment"];
            /** @description How it is. */
            state: components["schemas"]["NodeState"];
            /** @description Baton's version. */
            version: string;
        };
        /** @description How far a machine's clock is from the database's, which is the one that is followed. */
        NodeClock: {
            /**
             * Format: double
             * @description How many seconds that can be wrong by.
             */
            bound_seconds: number;
            /**
             * Format: double
             * @description How many seconds the database's clock is ahead of the machine's; behind, if below zero.
             */
            offset_seconds: number;
        };
        /**
         * @description How a node is.
         * @enum {string}
         */
        NodeState: "live" | "gone";
        /** @description The server is not ready: a problem that also says which part is not. */
        NotReady: components["schemas"]["Problem"] & components["schemas"]["Readiness"];
        /** @description A call that has nothing to say: no body, or an empty object. */
        Nothing: Record<string, unknown>;
        /** @description What became of a notification. */
        Notification: {
            /** @description Whether this request made it. */
            created: boolean;
            /**
             * @description Its id.
             * @example ntf_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            id: string;
            /** @description What became of it for each recipient, in the order of the request. */
            items: components["schemas"]["Sent"][];
        };
        /** @description Something that one or a few recipients are to be told at once. */
        Notify: {
            action?: components["schemas"]["MessageAction"] | null;
            /**
             * @description What sort of thing it is: any word of your own; `activity` if none is given.
             * @example activity
             */
            category?: string | null;
            /** @description Which address of the recipient is used; `push` if none is given. */
            channel?: string | null;
            delivery?: components["schemas"]["Delivery"] | null;
            expires_after?: components["schemas"]["Span"] | null;
            /**
             * @description Your own key. The same key with the same content is the same notification, with other content a
             *     conflict.
             * @example like-4711
             */
            key?: string | null;
            /** @description What they are told. */
            message: components["schemas"]["Message"];
            /** @description Who brings it, as the configuration names it; the only one there is if none is given. */
            provider?: string | null;
            /** @description Who is told, by your own ids. */
            recipients: string[];
            /** @description What a recipient has to have opted in to; who has not is skipped. */
            topic?: string | null;
        };
        /** @description A bulk operation and how far it is. */
        Operation: {
            /** @description What it does. */
            action: components["schemas"]["Action"];
            /** @description When it began. */
            created_at: components["schemas"]["Moment"];
            /**
             * Format: int64
             * @description How many it has changed.
             */
            done: number;
            /** @description To which dead letters. */
            filter: components["schemas"]["DeadLetterFilter"];
            finished_at?: components["schemas"]["Moment"] | null;
            /**
             * @description Its id.
             * @example op_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            id: string;
            jobs?: components["schemas"]["JobSelection"] | null;
            /** @description Why, in the words of whoever began it. */
            reason?: string | null;
            /**
             * Format: int64
             * @description How many it found already gone.
             */
            skipped: number;
            stage?: components["schemas"]["Stage"] | null;
            /** @description Whether it is under way or has ended. */
            state: components["schemas"]["OperationState"];
            /**
             * Format: int64
             * @description How many matched when it began; later failures are not touched. An erasure learns on its way how many
             *     there are, and says as many as it has changed.
             */
            total: number;
            /** @description Whether `total` is only the least: more than were counted may have matched. */
            total_is_least?: boolean;
        };
        /**
         * @description Whether an operation is under way or has ended.
         * @enum {string}
         */
        OperationState: "running" | "done" | "stopped";
        /**
         * @description How an attempt ended.
         * @enum {string}
         */
        Outcome: "succeeded" | "skipped" | "failed" | "lost" | "given_back" | "snoozed" | "throttled" | "canceled" | "uncertain";
        /**
         * @description One thing that somebody can be allowed.
         * @enum {string}
         */
        Permission: "jobs:read" | "jobs:create" | "payloads:read" | "recipients:read" | "recipients:write" | "recipients:erase" | "schedules:write" | "campaigns:send" | "inbox" | "worker" | "operate" | "keys:admin" | "audit:read" | "metrics";
        /**
         * @description How a worker is.
         * @enum {string}
         */
        Presence: "live" | "draining" | "deaf" | "silent" | "left";
        /** @description Whom an audience means, before anything is sent. */
        PreviewAudience: {
            /** @description The audience. */
            audience: components["schemas"]["Audience"];
            /**
             * Format: int32
             * @description How many of its members to show; 10 if nothing is given.
             */
            samples?: number | null;
        };
        /** @description What went wrong, what it means and what to do. */
        Problem: {
            /**
             * @description The last word of `type`, to compare with.
             * @example job-not-found
             */
            code: string;
            current_state?: components["schemas"]["JobState"] | null;
            /** @description What happened this time. */
            detail: string;
            /** @description What is wrong with the request, field by field. */
            errors?: components["schemas"]["FieldError"][];
            /** @description The job that holds the key, when that is why it cannot be done. */
            existing_id?: string | null;
            /** @description The path that was asked for. */
            instance?: string | null;
            /** @description Finds this request in the server's log. */
            request_id?: string | null;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description The kind of problem in a few words; the same for each problem of a kind. */
            title: string;
            /**
             * Format: uri-reference
             * @description Names the kind of problem, and is where its page is served.
             * @example /docs/problems/job-not-found
             */
            type: string;
        };
        /** @description How far a job has come, for people; it decides nothing. */
        Progress: {
            /**
             * Format: int64
             * @description How much is done.
             */
            done: number;
            /** @description A word about it. */
            note?: string | null;
            /**
             * Format: int64
             * @description Of how much, where that is known.
             */
            total?: number | null;
        };
        /** @description A recipient as it is described from now on; what is not given is empty from now on. */
        PutRecipient: {
            /**
             * @description Where it is reached, by the name of the channel; 16 at most.
             * @example {
             *       "push": "token-4711"
             *     }
             */
            addresses?: {
                [key: string]: string;
            };
            /**
             * @description Whether anything is sent to it at all; true if nothing is given.
             * @default true
             */
            enabled?: boolean;
            /**
             * Format: double
             * @description Degrees north of the equator; with `lon`, or not at all.
             */
            lat?: number | null;
            /**
             * @description The language it reads, by its BCP 47 name: which text of a message it is told.
             * @example ko
             */
            locale?: string | null;
            /**
             * Format: double
             * @description Degrees east of Greenwich; with `lat`, or not at all.
             */
            lon?: number | null;
            /**
             * @description What it is reached on; any word of your own.
             * @example ios
             */
            platform: string;
            /**
             * @description The IANA name of its time zone.
             * @example Asia/Seoul
             */
            time_zone?: string | null;
            /** @description What it has opted in to. */
            topics?: string[];
        };
        /** @description A queue and what stands in it. */
        Queue: {
            /**
             * Format: int64
             * @description How many jobs are dead letters, discarded ones included.
             */
            failed: number;
            /**
             * Format: int32
             * @description How many of its jobs may run at once, in the whole fleet; null means no limit.
             */
            max_running?: number | null;
            /** @description Its name. */
            name: string;
            oldest_queued_at?: components["schemas"]["Moment"] | null;
            /** @description Whether nothing is claimed from it. */
            paused: boolean;
            /**
             * Format: int64
             * @description How many jobs wait for their time.
             */
            pending: number;
            /**
             * Format: double
             * @description Jobs that ended a second, over the last 60 seconds.
             */
            per_second: number;
            /**
             * Format: int64
             * @description How many jobs any worker may claim.
             */
            queued: number;
            /**
             * Format: double
             * @description How many of its jobs may start each second, in the whole fleet; null means no limit.
             */
            rate?: number | null;
            /**
             * Format: int64
             * @description How many jobs wait for their next attempt.
             */
            retry_wait: number;
            /**
             * Format: int64
             * @description How many jobs run.
             */
            running: number;
            /**
             * Format: int32
             * @description How many of its jobs the live workers can run at once; a worker counts once it has met the queue.
             */
            slots: number;
            /**
             * Format: int64
             * @description How many jobs succeeded, pruned ones included.
             */
            succeeded: number;
            /**
             * Format: int64
             * @description How many at-most-once jobs ended without anybody knowing whether they were done.
             */
            uncertain?: number;
        };
        /** @description Whether the server can do its work, part by part. */
        Readiness: {
            /** @description What the server needs to work, and `redis` where there is one: without it work goes on. */
            components: components["schemas"]["Component"][];
            /** @description Whether requests should be sent here. */
            ready: boolean;
            /** @description The repeated duties of the server. */
            routines: components["schemas"]["Routine"][];
        };
        /** @description A recipient. */
        Recipient: {
            /** @description Where it is reached, by the name of the channel. */
            addresses: {
                [key: string]: string;
            };
            /** @description When it came. */
            created_at: components["schemas"]["Moment"];
            /** @description Channels whose address a provider called dead; a new address is used again. */
            dead_addresses?: string[];
            /** @description Whether anything is sent to it at all. */
            enabled: boolean;
            /** @description Your own id. */
            id: string;
            /**
             * Format: double
             * @description Degrees north of the equator.
             */
            lat?: number | null;
            /** @description The language it reads, by its BCP 47 name. */
            locale?: string | null;
            /**
             * Format: double
             * @description Degrees east of Greenwich.
             */
            lon?: number | null;
            /** @description What it is reached on. */
            platform: string;
            /** @description The IANA name of its time zone. */
            time_zone?: string | null;
            /** @description What it has opted in to. */
            topics: string[];
            /** @description When it last changed. */
            updated_at: components["schemas"]["Moment"];
        };
        /** @description One line of an NDJSON import: the body of a PUT, with the id. */
        RecipientRow: {
            /** @description As in [`PutRecipient`]. */
            addresses?: {
                [key: string]: string;
            };
            /** @description As in [`PutRecipient`]. */
            enabled?: boolean;
            /** @description Your own id. */
            id: string;
            /**
             * Format: double
             * @description As in [`PutRecipient`].
             */
            lat?: number | null;
            /** @description As in [`PutRecipient`]. */
            locale?: string | null;
            /**
             * Format: double
             * @description As in [`PutRecipient`].
             */
            lon?: number | null;
            /** @description As in [`PutRecipient`]. */
            platform: string;
            /** @description As in [`PutRecipient`]. */
            time_zone?: string | null;
            /** @description As in [`PutRecipient`]. */
            topics?: string[];
        };
        /** @description Who a worker is. */
        RegisterWorker: {
            /** @description The kinds it handles, 1 to 100. */
            kinds: string[];
            /** @description Words of its operator's, 16 at the most. */
            labels?: {
                [key: string]: string;
            };
            /**
             * @description The machine it runs on, and its process id there.
             * @example host:4711
             */
            name: string;
            /**
             * Format: int32
             * @description The version of the protocol that it speaks.
             * @example 1
             */
            protocol: number;
            /** @description The queues it claims from, 1 to 200; those of the names of its kinds if none are named. */
            queues?: string[];
            /**
             * @description What it is written with.
             * @example python/0.1.0
             */
            sdk: string;
            /**
             * Format: int32
             * @description How many jobs it runs at once, 1 to 10,000.
             */
            slots: number;
            /**
             * @description The version of the program it is part of.
             * @example shop 2026.11.3
             */
            version?: string | null;
        };
        /** @description What a worker is told as it registers. */
        Registered: {
            /** @description How often to beat, at the least. */
            beat: components["schemas"]["Span"];
            /** @description Its id. */
            id: string;
            /** @description How long a lease lasts without a renewal. */
            lease: components["schemas"]["Span"];
            /** @description How much fits into a call. */
            limits: components["schemas"]["RemoteLimits"];
            /**
             * Format: int32
             * @description The version of the protocol.
             */
            protocol: number;
            /** @description The server's version. */
            server: string;
        };
        /** @description Leases under which nothing was started. */
        ReleaseLeases: {
            /** @description The leases. */
            leases: string[];
        };
        /** @description How much fits into a call. */
        RemoteLimits: {
            /**
             * Format: int32
             * @description Bytes of a call.
             */
            body: number;
            /**
             * Format: int32
             * @description Checkpoints of a call.
             */
            checkpoints: number;
            /**
             * Format: int32
             * @description Jobs of a claim.
             */
            claim: number;
            /**
             * Format: int32
             * @description Bytes of a cursor.
             */
            cursor: number;
            /**
             * Format: int32
             * @description Jobs that the checkpoints of a call make.
             */
            jobs: number;
            /**
             * Format: int32
             * @description Bytes of a result.
             */
            result: number;
            /**
             * Format: int32
             * @description Results of a call.
             */
            results: number;
            /** @description How long a claim waits at the most. */
            wait: components["schemas"]["Span"];
        };
        /** @description What a remote worker says of itself. */
        RemoteWorker: {
            /** @description The version of the program it is part of. */
            app_version?: string | null;
            asked_at?: components["schemas"]["Moment"] | null;
            /**
             * Format: int32
             * @description How many more it could run.
             */
            free: number;
            /** @description The kinds it handles. */
            kinds: string[];
            /** @description Words of its operator's. */
            labels: {
                [key: string]: string;
            };
            /** @description The queues it claims from. */
            queues: string[];
            /**
             * @description What it is written with.
             * @example python/0.1.0
             */
            sdk: string;
            /**
             * Format: int32
             * @description How many jobs it runs at once.
             */
            slots: number;
        };
        /**
         * @description How an uncertain job ended.
         * @enum {string}
         */
        Resolution: "succeeded" | "failed";
        /** @description Says how an uncertain job ended. */
        Resolve: {
            /** @description How it ended. */
            as: components["schemas"]["Resolution"];
        };
        /** @description Runs a job again. */
        Retry: {
            /** @description Begins anew instead of behind its cursor, which is emptied. */
            afresh?: boolean;
        };
        /** @description Runs failed deliveries of a campaign again. */
        RetryFailed: {
            /** @description Those of one cause only, as the failures of the campaign name it. */
            fingerprint?: string | null;
        };
        /**
         * @description What a person is to the server: a fixed set of permissions.
         * @enum {string}
         */
        Role: "viewer" | "operator" | "sender" | "admin";
        /** @description How a key is rotated. */
        RotateKey: {
            /**
             * @description How long the old key stays good beside the new one, 90 days at most; `0s` ends it now.
             * @default 1d
             * @example 1d
             */
            overlap?: string;
        };
        /** @description A key that was put in the place of another. */
        RotatedKey: components["schemas"]["CreatedKey"] & {
            /** @description The old key, with its end. */
            replaces: components["schemas"]["ApiKey"];
        };
        /** @description A repeated duty of the server. */
        Routine: {
            /** @description What it does, in one sentence. */
            duty: string;
            /**
             * Format: int32
             * @description Turns that failed in a row.
             */
            failures: number;
            /** @description Why the last failed turn failed. */
            last_error?: string | null;
            last_turn_at?: components["schemas"]["Moment"] | null;
            /**
             * @description Its name.
             * @example releaser
             */
            name: string;
            /** @description Whether it makes progress. */
            ready: boolean;
            /**
             * @description How it is.
             * @example idle
             */
            state: string;
            /**
             * Format: int64
             * @description How many turns it has made.
             */
            turns: number;
        };
        /** @description Why a row was not accepted. */
        RowErrors: {
            /** @description What is wrong with it. */
            errors: components["schemas"]["FieldError"][];
            /**
             * Format: int64
             * @description Where it begins; the first line is 1.
             */
            line: number;
        };
        /** @description What went wrong, as one job of a group said it. */
        Sample: {
            /** @description What sort of failure it was. */
            class: components["schemas"]["FailureClass"];
            /** @description A stable word for it. */
            code: string;
            /** @description The job. */
            job_id: string;
            /** @description What happened. */
            message: string;
        };
        /** @description A cursor to be moved. */
        SaveCheckpoint: {
            /** @description The job's own word for where it is, 16 KiB at the most. */
            cursor: components["schemas"]["Json"];
            /** @description The jobs that it makes, written with the cursor or not at all. One that names no trace has that of the job. */
            jobs?: components["schemas"]["EnqueueJob"][];
            progress?: components["schemas"]["Progress"] | null;
            /**
             * Format: int64
             * @description The number of the move: one more than the one before, which the claim told.
             */
            seq: number;
            /** @description The right to the attempt. */
            token: string;
        };
        /** @description Cursors to be moved. */
        SaveCheckpoints: {
            /** @description 1 to 100 of them, each in a transaction of its own. */
            checkpoints: components["schemas"]["SaveCheckpoint"][];
        };
        /**
         * @description What became of a move.
         * @enum {string}
         */
        Saved: "recorded" | "repeated" | "lost" | "out_of_order" | "refused";
        /** @description What became of a move. */
        SavedCheckpoint: {
            /** @description What is wrong with it, if it is refused. */
            errors?: components["schemas"]["FieldError"][];
            /** @description The job, if the token could be read. */
            job?: string | null;
            /** @description The jobs it has made, in their order. */
            jobs?: components["schemas"]["BatchItem"][];
            /** @description What became of it. */
            saved: components["schemas"]["Saved"];
            /**
             * Format: int64
             * @description The number of the one that stands.
             */
            seq?: number | null;
            /** @description Whether the job is to stop, and why; null if it is not. */
            stop?: string | null;
        };
        /** @description What became of the moves, in their order. */
        SavedCheckpoints: {
            /** @description Each of them. */
            items: components["schemas"]["SavedCheckpoint"][];
        };
        /** @description A schedule. */
        Schedule: {
            /** @description The campaign that it makes each time. */
            campaign?: Record<string, unknown> | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Moment"];
            /** @description The cron line. */
            cron: string;
            /** @description Its id. */
            id: string;
            job?: components["schemas"]["ScheduledJob"] | null;
            last_at?: components["schemas"]["Moment"] | null;
            /** @description How long before its time it fires. */
            lead: components["schemas"]["Span"];
            /** @description What becomes of missed times. */
            missed: components["schemas"]["Missed"];
            /**
             * Format: int32
             * @description How many missed times are made up for; null unless `missed` is `all`.
             */
            missed_max?: number | null;
            /** @description What it is called. */
            name: string;
            next_at?: components["schemas"]["Moment"] | null;
            /** @description Whether a person has stopped it. */
            paused: boolean;
            /**
             * Format: int64
             * @description 1, and one more with each change.
             */
            revision: number;
            /** @description The IANA name of the time zone whose clock it goes by. */
            time_zone: string;
            /** @description When it was last changed. */
            updated_at: components["schemas"]["Moment"];
        };
        /** @description A job as a schedule makes it each time. It has no time of its own, and no key: each is another job. */
        ScheduledJob: {
            backoff?: components["schemas"]["Backoff"] | null;
            delivery?: components["schemas"]["Delivery"] | null;
            expires_after?: components["schemas"]["Span"] | null;
            /**
             * @description The name that chooses the handler.
             * @example http
             */
            kind: string;
            /**
             * Format: int64
             * @description How many tries it has; 4 if none is given.
             */
            max_attempts?: number | null;
            /** @description The handler's arguments, kept to the letter. */
            payload?: components["schemas"]["Json"];
            /**
             * Format: int64
             * @description Smaller is sooner; 0 if none is given.
             */
            priority?: number | null;
            /** @description The queue it stands in; if none is given `default`, or for a custom kind the queue of its own name. */
            queue?: string | null;
            /** @description Words to find it by. */
            tags?: string[];
            timeout?: components["schemas"]["Span"] | null;
        };
        /** @description Which dead letters a bulk operation is about. */
        SelectDeadLetters: {
            /** @description The dead letters; `{}` means all of them. */
            filter: components["schemas"]["DeadLetterFilter"];
        };
        /** @description Which jobs an operation is about, and why. */
        SelectJobs: {
            /** @description The jobs: those of one state. */
            filter: components["schemas"]["JobSelection"];
            /** @description Why, as canceled jobs and the audit log will say; 500 characters at most. */
            reason?: string | null;
        };
        /** @description What may be different about the campaign for the rest of another one. */
        SendToRest: {
            /** @description What people call it; the name of the other one with `, the rest` if nothing is given. */
            name?: string | null;
            /**
             * Format: double
             * @description How many deliveries may start each second; as with the other one if nothing is given.
             */
            rate?: number | null;
        };
        /** @description What became of a notification for one recipient. */
        Sent: {
            /** @description What lies in the inbox. */
            item_id?: string | null;
            /** @description The job that brings it. */
            job_id?: string | null;
            /** @description Who. */
            recipient_id: string;
            /** @description Why there is neither: `disabled` or `opted_out`. */
            skipped?: string | null;
        };
        /**
         * @description What became of a result.
         * @enum {string}
         */
        Settled: "recorded" | "adopted" | "stale" | "refused";
        /** @description What became of a result. */
        SettledResult: {
            /** @description What is wrong with it, if it is refused. */
            errors?: components["schemas"]["FieldError"][];
            /** @description The job, if the token could be read. */
            job?: string | null;
            run_at?: components["schemas"]["Moment"] | null;
            /** @description What became of it. */
            settled: components["schemas"]["Settled"];
            state?: components["schemas"]["JobState"] | null;
        };
        /** @description What became of results, in their order. */
        SettledResults: {
            /** @description Each of them. */
            items: components["schemas"]["SettledResult"][];
        };
        /** @description How many sessions have ended. */
        SignedOut: {
            /**
             * Format: int64
             * @description How many.
             */
            sessions: number;
        };
        /**
         * @description A span of time, such as "250ms", "30s", "5m", "24h" or "1h30m".
         * @example 30s
         */
        Span: string;
        /**
         * @description What an erasure looks through.
         * @enum {string}
         */
        Stage: "schedules" | "deliveries" | "campaigns" | "notifications" | "facts" | "events" | "dead_letters";
        /** @description A job that is to stop. */
        StopJob: {
            /** @description The job. */
            job: string;
            /** @description Why: `canceled`. */
            why: string;
        };
        /**
         * @description How the wait before the next attempt grows.
         * @enum {string}
         */
        Strategy: "exponential" | "linear" | "fixed";
        /** @description How far a job has come. */
        TellProgress: components["schemas"]["Progress"] & {
            /** @description The right to the attempt. */
            token: string;
        };
        /** @description How an attempt ended. */
        TellResult: {
            after?: components["schemas"]["Span"] | null;
            class?: components["schemas"]["FailureClass"] | null;
            /**
             * @description A stable word for the failure.
             * @example S3_503
             */
            code?: string | null;
            /** @description What happened. */
            message?: string | null;
            ran?: components["schemas"]["Span"] | null;
            /** @description What it answers, when it is accepted. */
            result?: components["schemas"]["Json"];
            retry_after?: components["schemas"]["Span"] | null;
            started_ago?: components["schemas"]["Span"] | null;
            /** @description The right to the attempt. */
            token: string;
            /** @description What the handler says. */
            verdict: components["schemas"]["VerdictWord"];
            /** @description Why there was nothing to do, when it is skipped. */
            why?: string | null;
        };
        /** @description How attempts ended. */
        TellResults: {
            /** @description 1 to 1,000 of them. */
            results: components["schemas"]["TellResult"][];
        };
        /** @description The trace context of whoever asked for a job, after W3C Trace Context. */
        Trace: {
            /**
             * @description The trace and the span that asked for the job.
             * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
             */
            traceparent: string;
            /**
             * @description What vendors of tracing add to it, 512 bytes at the most.
             * @example vendor=opaque
             */
            tracestate?: string | null;
        };
        /** @description What a message says in one language. */
        Translation: {
            /** @description What there is to say, as the body of the message. */
            body: string;
            /** @description One line, as the title of the message. */
            title: string;
        };
        /** @description How many items of an inbox are unread. */
        Unread: {
            /**
             * Format: int64
             * @description How many.
             */
            unread: number;
            /**
             * Format: int64
             * @description Higher with each change of the inbox: of two answers, drop the one with the lower version.
             */
            version: number;
        };
        /** @description A user. */
        User: {
            /** @description When they were added. */
            created_at: components["schemas"]["Moment"];
            /** @description Whether they are kept out. */
            disabled: boolean;
            /**
             * @description Their id, as the audit log has it.
             * @example usr_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b
             */
            id: string;
            /**
             * @description The identity provider that they sign in at, as it calls itself; `null` for whoever has a password here.
             * @example https://sso.example/realms/ours
             */
            issuer?: string | null;
            /** @description What they type, and are called by. */
            name: string;
            /** @description What they may do. */
            role: components["schemas"]["Role"];
            signed_in_at?: components["schemas"]["Moment"] | null;
        };
        /**
         * @description What a handler can say.
         * @enum {string}
         */
        VerdictWord: "accepted" | "failed" | "snoozed" | "skipped" | "canceled" | "given_back";
        /** @description What a worker asks for of one queue. */
        Want: {
            /**
             * @description The lease under which it wants them: `lse_` and a random UUID that it has drawn, used for this want alone.
             * @example lse_5b0cd10a-6f9e-4a63-9f0d-9b0a3c7b7d10
             */
            lease: string;
            /**
             * Format: int32
             * @description How many jobs at the most.
             */
            limit: number;
            /** @description The queue. */
            queue: string;
        };
        /** @description A worker: one incarnation of a process that runs jobs. */
        Worker: {
            /** @description Whether somebody has asked it to take nothing new. */
            drain?: boolean;
            /** @description Its id; a restart is another worker. */
            id: string;
            left_at?: components["schemas"]["Moment"] | null;
            /**
             * @description The machine it runs on, and its process id there.
             * @example host:4711
             */
            name: string;
            remote?: components["schemas"]["RemoteWorker"] | null;
            /**
             * Format: int32
             * @description How many it runs now.
             */
            running: number;
            /** @description When it was last heard of. */
            seen_at: components["schemas"]["Moment"];
            /** @description How many jobs it runs at once, by queue. */
            slots: {
                [key: string]: number;
            };
            /** @description When it started. */
            started_at: components["schemas"]["Moment"];
            /** @description How it is. */
            state: components["schemas"]["Presence"];
            /** @description Baton's version. */
            version: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Action = components['schemas']['Action'];
export type AddUser = components['schemas']['AddUser'];
export type Alive = components['schemas']['Alive'];
export type ApiKey = components['schemas']['ApiKey'];
export type Attempt = components['schemas']['Attempt'];
export type Audience = components['schemas']['Audience'];
export type AudiencePreview = components['schemas']['AudiencePreview'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type Backoff = components['schemas']['Backoff'];
export type Batch = components['schemas']['Batch'];
export type BatchItem = components['schemas']['BatchItem'];
export type BeatWorker = components['schemas']['BeatWorker'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignApproval = components['schemas']['CampaignApproval'];
export type CampaignPreview = components['schemas']['CampaignPreview'];
export type CampaignProgress = components['schemas']['CampaignProgress'];
export type CampaignRest = components['schemas']['CampaignRest'];
export type CampaignSample = components['schemas']['CampaignSample'];
export type CampaignState = components['schemas']['CampaignState'];
export type Cancel = components['schemas']['Cancel'];
export type ChangeCampaign = components['schemas']['ChangeCampaign'];
export type ChangeQueue = components['schemas']['ChangeQueue'];
export type ChangeSchedule = components['schemas']['ChangeSchedule'];
export type ChangeUser = components['schemas']['ChangeUser'];
export type ChangeWorker = components['schemas']['ChangeWorker'];
export type ClaimJobs = components['schemas']['ClaimJobs'];
export type ClaimedBatch = components['schemas']['ClaimedBatch'];
export type ClaimedCheckpoint = components['schemas']['ClaimedCheckpoint'];
export type ClaimedJob = components['schemas']['ClaimedJob'];
export type ClaimedJobs = components['schemas']['ClaimedJobs'];
export type CommandCampaign = components['schemas']['CommandCampaign'];
export type Component = components['schemas']['Component'];
export type CreateCampaign = components['schemas']['CreateCampaign'];
export type CreateKey = components['schemas']['CreateKey'];
export type CreateSchedule = components['schemas']['CreateSchedule'];
export type CreatedKey = components['schemas']['CreatedKey'];
export type DeadLetterFilter = components['schemas']['DeadLetterFilter'];
export type DeadLetters = components['schemas']['DeadLetters'];
export type Delivery = components['schemas']['Delivery'];
export type EnqueueBatch = components['schemas']['EnqueueBatch'];
export type EnqueueJob = components['schemas']['EnqueueJob'];
export type Event = components['schemas']['Event'];
export type EventPage = components['schemas']['EventPage'];
export type Explanation = components['schemas']['Explanation'];
export type Failure = components['schemas']['Failure'];
export type FailureClass = components['schemas']['FailureClass'];
export type FieldError = components['schemas']['FieldError'];
export type Fire = components['schemas']['Fire'];
export type GivenBack = components['schemas']['GivenBack'];
export type Import = components['schemas']['Import'];
export type ImportStop = components['schemas']['ImportStop'];
export type InboxItem = components['schemas']['InboxItem'];
export type InboxToken = components['schemas']['InboxToken'];
export type Jitter = components['schemas']['Jitter'];
export type Job = components['schemas']['Job'];
export type JobSelection = components['schemas']['JobSelection'];
export type JobState = components['schemas']['JobState'];
export type Json = components['schemas']['Json'];
export type Kind = components['schemas']['Kind'];
export type Late = components['schemas']['Late'];
export type ListApiKey = components['schemas']['List_ApiKey'];
export type ListAttempt = components['schemas']['List_Attempt'];
export type ListAuditEntry = components['schemas']['List_AuditEntry'];
export type ListCampaign = components['schemas']['List_Campaign'];
export type ListDeadLetters = components['schemas']['List_DeadLetters'];
export type ListEvent = components['schemas']['List_Event'];
export type ListFire = components['schemas']['List_Fire'];
export type ListInboxItem = components['schemas']['List_InboxItem'];
export type ListJob = components['schemas']['List_Job'];
export type ListKind = components['schemas']['List_Kind'];
export type ListNextTime = components['schemas']['List_NextTime'];
export type ListNode = components['schemas']['List_Node'];
export type ListOperation = components['schemas']['List_Operation'];
export type ListQueue = components['schemas']['List_Queue'];
export type ListRecipient = components['schemas']['List_Recipient'];
export type ListSchedule = components['schemas']['List_Schedule'];
export type ListUser = components['schemas']['List_User'];
export type ListWorker = components['schemas']['List_Worker'];
export type MakeInboxToken = components['schemas']['MakeInboxToken'];
export type Message = components['schemas']['Message'];
export type MessageAction = components['schemas']['MessageAction'];
export type Missed = components['schemas']['Missed'];
export type Moment = components['schemas']['Moment'];
export type News = components['schemas']['News'];
export type NextTime = components['schemas']['NextTime'];
export type Node = components['schemas']['Node'];
export type NodeClock = components['schemas']['NodeClock'];
export type NodeState = components['schemas']['NodeState'];
export type NotReady = components['schemas']['NotReady'];
export type Nothing = components['schemas']['Nothing'];
export type Notification = components['schemas']['Notification'];
export type Notify = components['schemas']['Notify'];
export type Operation = components['schemas']['Operation'];
export type OperationState = components['schemas']['OperationState'];
export type Outcome = components['schemas']['Outcome'];
export type Permission = components['schemas']['Permission'];
export type Presence = components['schemas']['Presence'];
export type PreviewAudience = components['schemas']['PreviewAudience'];
export type Problem = components['schemas']['Problem'];
export type Progress = components['schemas']['Progress'];
export type PutRecipient = components['schemas']['PutRecipient'];
export type Queue = components['schemas']['Queue'];
export type Readiness = components['schemas']['Readiness'];
export type Recipient = components['schemas']['Recipient'];
export type RecipientRow = components['schemas']['RecipientRow'];
export type RegisterWorker = components['schemas']['RegisterWorker'];
export type Registered = components['schemas']['Registered'];
export type ReleaseLeases = components['schemas']['ReleaseLeases'];
export type RemoteLimits = components['schemas']['RemoteLimits'];
export type RemoteWorker = components['schemas']['RemoteWorker'];
export type Resolution = components['schemas']['Resolution'];
export type Resolve = components['schemas']['Resolve'];
export type Retry = components['schemas']['Retry'];
export type RetryFailed = components['schemas']['RetryFailed'];
export type Role = components['schemas']['Role'];
export type RotateKey = components['schemas']['RotateKey'];
export type RotatedKey = components['schemas']['RotatedKey'];
export type Routine = components['schemas']['Routine'];
export type RowErrors = components['schemas']['RowErrors'];
export type Sample = components['schemas']['Sample'];
export type SaveCheckpoint = components['schemas']['SaveCheckpoint'];
export type SaveCheckpoints = components['schemas']['SaveCheckpoints'];
export type Saved = components['schemas']['Saved'];
export type SavedCheckpoint = components['schemas']['SavedCheckpoint'];
export type SavedCheckpoints = components['schemas']['SavedCheckpoints'];
export type Schedule = components['schemas']['Schedule'];
export type ScheduledJob = components['schemas']['ScheduledJob'];
export type SelectDeadLetters = components['schemas']['SelectDeadLetters'];
export type SelectJobs = components['schemas']['SelectJobs'];
export type SendToRest = components['schemas']['SendToRest'];
export type Sent = components['schemas']['Sent'];
export type Settled = components['schemas']['Settled'];
export type SettledResult = components['schemas']['SettledResult'];
export type SettledResults = components['schemas']['SettledResults'];
export type SignedOut = components['schemas']['SignedOut'];
export type Span = components['schemas']['Span'];
export type Stage = components['schemas']['Stage'];
export type StopJob = components['schemas']['StopJob'];
export type Strategy = components['schemas']['Strategy'];
export type TellProgress = components['schemas']['TellProgress'];
export type TellResult = components['schemas']['TellResult'];
export type TellResults = components['schemas']['TellResults'];
export type Trace = components['schemas']['Trace'];
export type Translation = components['schemas']['Translation'];
export type Unread = components['schemas']['Unread'];
export type User = components['schemas']['User'];
export type VerdictWord = components['schemas']['VerdictWord'];
export type Want = components['schemas']['Want'];
export type Worker = components['schemas']['Worker'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
