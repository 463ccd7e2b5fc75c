// Printed from the OpenAPI document by `npm run build types`. Not to be edited.
export interface paths {
    "/brain/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remember a text
         * @description Splits the text into chunks, reads entities and facts from it, and stores them. A text that is already known is skipped: `deduplicated` is true and the counts are 0.
         */
        post: operations["ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/ingest/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remember several texts
         * @description Items are independent: `results` has one entry per item, in order. The whole cost is taken before the work. One invalid item refuses the call.
         */
        post: operations["ingestBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find what is known
         * @description Hybrid search over chunks, facts and the session. `context` can go into a system prompt as it is. Where a store is down, the others answer and the header `X-Degraded` names it.
         */
        post: operations["retrieve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/retrieve/graph-qa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from the graph
         * @description An LLM answers from numbered graph facts alone and cites them as `[n]`. Without an LLM on the server the answer is empty, `error` says so, and nothing is charged.
         */
        post: operations["graphQa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/consolidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run decay, pruning and compression
         * @description Runs every hour by itself. A run within the last 10 minutes answers `skipped: true` and costs nothing, unless `force` is true; so does one that is going on.
         */
        post: operations["consolidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/prune": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove low-confidence memories, or count them
         * @description Counts only, unless `dry_run` is false. With `in_days` it counts what would be below the threshold by then if nobody asked for any of it; with `limit` it also shows it.
         */
        post: operations["prune"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count memories
         * @description Counts one persona (default `shared`); `*` counts the whole namespace. `user_id` is required and its value ignored: the key decides.
         */
        post: operations["stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether the service can be used
         * @description Always 200, within milliseconds; `ready` is the signal to look at.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memories
         * @description Newest first. Pass `next_cursor` as `cursor` for the page after; it is null on the last one.
         */
        get: operations["listMemories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/memories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one memory
         * @description A text or a fact, also one that no longer holds. Unlike a retrieve it counts as no access.
         */
        get: operations["getMemory"];
        put?: never;
        post?: never;
        /**
         * Forget one memory
         * @description As `ids` of forget: `remaining` 0 is the proof. A fact takes the text with it that it was read from; a text takes the facts that nothing else told.
         */
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        /**
         * Correct a memory, or keep it from fading
         * @description At least one of the fields. `text` is stored as the user’s word, with the persona, session and metadata of the memory that it corrects, which stays as history: a chunk closes with the facts read from it, except those that the new text tells again; a fact closes alone. What the corrected memory had closed holds again, unless the new text closes it too. Of a text that was corrected already the last correction is corrected; `replaced` names it. Of a memory that is out of date the correction holds from now on, unless `occurred_at` says that it was so then. `pinned` exempts the memory, or with `text` the new one, from decay and pruning.
         */
        patch: operations["patchMemory"];
        trace?: never;
    };
    "/brain/memories/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what a memory replaced, and what replaced it
         * @description Of a fact every value of the same thing, oldest first; of a text the facts read from it, and what links it to texts before and after it.
         */
        get: operations["memoryHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget by id, entity, session, persona or metadata, or everything
         * @description Exactly one of `ids`, `entity`, `session_id`, `persona`, `everything`, `filter`; `session_id` and `persona` may narrow a `filter`. Removes from every store and counts again: `remaining` 0 is the proof. `entity` removes the facts about it and the texts they were read from; what else those texts told stays, and so do texts that only contain the word. A name that no entity has removes nothing. `dry_run` true changes nothing: the counts are of what would go, and `memories` lists up to 100 texts and 100 facts of it.
         */
        post: operations["forget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/extract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what ingest would make of a text
         * @description Takes the body of an ingest with a `text` and stores nothing; `external_id` and `metadata` are ignored. Shows the chunks, the entities, and every fact with the words it was read from, how sure that is, and what it would replace. Offsets are UTF-16 code units of the text without the invisible characters that are removed from it.
         */
        post: operations["extract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entities of the graph
         * @description By name, each with the number of facts that hold and touch it. Pass `next_cursor` as `cursor` for the page after; it is null on the last one.
         */
        get: operations["listEntities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the graph around an entity or a question
         * @description Exactly one of `entity` and `query`. A question starts at the entities that it names, or else at those near it. What is nearest is shown first, as far as `limit` goes; `more` says how many facts of an entity are not shown. An entity that is not there is 404.
         */
        get: operations["graph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what is known of the user
         * @description For the start of a prompt: what is pinned, then what there is one of (a name, a home), then the newest of the rest, as far as `max_tokens` goes. Tokens are estimated, rather too many than too few. Unlike a retrieve it counts as no access.
         */
        get: operations["profile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/lifecycle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how memories fade, and what the last runs did
         * @description The confidence of a memory is its own times 2^(−days since it was returned last / `half_life_days`); a pinned one keeps its own.
         */
        get: operations["lifecycle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what is used and what is left
         * @description The operations of this UTC month, the rate of this key with this call counted, and the programs that called last. A program is named by `x-client`, or else by its `User-Agent`; what it did shows within seconds.
         */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/known": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask which texts are kept already
         * @description Takes the items of a batch, more of them, and stores nothing: what goes on after an interruption asks this first. An item is known when the same text with the same source, session, metadata and time is kept under its `external_id`. One without an `external_id`, or with `messages`, is never known.
         */
        post: operations["known"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export what was told
         * @description Every text, whole and in the order of storing, then every document, in the form that `memoryd import` takes back: a record a line, as JSON. Facts and vectors are not part of it, they are read from the texts anew. It is the last page when `next_cursor` is null.
         */
        get: operations["exportTexts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/claude-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The lifecycle hooks of Claude Code
         * @description Takes what the agent sends to its hooks and answers what the agent reads; fields that are not listed here are ignored. Never fails for a reason of the server’s: then the answer is `{}`, within seconds.
         */
        post: operations["claudeCodeHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/codex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The lifecycle hooks of Codex
         * @description Takes what the agent sends to its hooks and answers what the agent reads; fields that are not listed here are ignored. Never fails for a reason of the server’s: then the answer is `{}`, within seconds.
         */
        post: operations["codexHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/documents/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document
         * @description The content byte for byte, with its type and an `ETag`. With `If-None-Match` and the same ETag the reply is 304 without content.
         */
        get: operations["getDocument"];
        /**
         * Keep a document, or its next version
         * @description Keeps the content as it is, and remembers what it says as source `document`, in pieces that carry the headings above them. Content and memories of the version before are replaced in one step; the same content, type and metadata again change nothing. The memories of a document do not fade.
         */
        put: operations["putDocument"];
        post?: never;
        /**
         * Delete a document and what was remembered of it
         * @description The content, the texts made of it and the facts that nothing else told, in one step.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brain/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description By path. Pass `next_after` as `after` for the page that follows; it is null on the last one.
         */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys and accounts
         * @description All of them, also keys that were revoked. A key itself is shown once, when it is issued.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Issue a key
         * @description Creates the account when it is new. Without `tier` an account keeps its own, and a new one is Enterprise, without limits. Without `monthly_ops` an override stays as it is; null removes it.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key
         * @description The old key stays valid for `grace_seconds` and shares its rate window with the new one.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description It is not valid from now on. Revoking it again changes nothing.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Erase an account
         * @description Ends its keys, then removes its memories, keys, usage and the account itself, for good, and counts again: `remaining` 0 is the proof. The name is free afterwards.
         */
        delete: operations["eraseAccount"];
        options?: never;
        head?: never;
        /**
         * Change the tier or the monthly budget of an account
         * @description A field that is absent stays as it is. It holds for all keys of the account, from the next call on.
         */
        patch: operations["patchAccount"];
        trace?: never;
    };
    "/admin/accounts/{account}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export an account
         * @description Everything that is kept of it but its keys, page by page: a record of the archive a line, as JSON, vectors as base64 of their bytes; or with `form=texts` what was told, as `GET /brain/export` gives it. A page may be empty; it is the last one when `next_cursor` is null.
         */
        get: operations["exportAccount"];
        put?: never;
        post?: never;
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
        Account: {
            /** @description the account */
            account: string;
            /** @description the plan of the account */
            tier: components["schemas"]["Tier"];
            /** @description replaces the budget of the tier; null: the own one of the tier */
            monthly_ops: number | null;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        ClaudeCodeHookReply: {
            /** @description absent when nothing is known, and for events that only tell something */
            hookSpecificOutput?: components["schemas"]["HookOutput"];
        };
        ClaudeCodeHookRequest: {
            /** @description `UserPromptSubmit`: what is known comes back, and the prompt is remembered; `Stop`: the answer is remembered; every other event is answered with `{}` */
            hook_event_name: string;
            /**
             * @description a conversation, under a name of your own
             * @default null
             */
            session_id?: string | null;
            /**
             * @description what the user wrote
             * @default
             */
            prompt?: string | null;
            /**
             * @description what the agent answered
             * @default
             */
            last_assistant_message?: string | null;
        };
        ClientCalls: {
            /** @description the program, by its own word */
            client: string;
            /** @description how often it called */
            calls: number;
            /** @description when it called last, in Unix seconds */
            last_call_at: number;
        };
        ClosedFact: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description what it says, for people and prompts */
            fact: string;
        };
        CodexHookReply: {
            /** @description absent when nothing is known, and for events that only tell something */
            hookSpecificOutput?: components["schemas"]["HookOutput"];
        };
        CodexHookRequest: {
            /** @description `UserPromptSubmit`: what is known comes back, and the prompt is remembered; `Stop`: the answer is remembered; every other event is answered with `{}` */
            hook_event_name: string;
            /**
             * @description a conversation, under a name of your own
             * @default null
             */
            session_id?: string | null;
            /**
             * @description what the user wrote
             * @default
             */
            prompt?: string | null;
            /**
             * @description what the agent answered
             * @default
             */
            last_assistant_message?: string | null;
        };
        ConsolidateReply: {
            /** @description relationships whose confidence rose since the last run */
            memories_reinforced: number;
            /** @description relationships whose confidence was reduced */
            memories_decayed: number;
            /** @description relationships and chunks deleted */
            memories_pruned: number;
            /** @description facts merged into abstractions */
            memories_compressed: number;
            /** @description new summaries */
            abstractions_created: number;
            /** @description total processing time in milliseconds */
            latency_ms: number;
            /** @description it ran recently: nothing was done or charged */
            skipped: boolean;
            /** @description of the run before, in Unix seconds; null when there was none */
            last_run_at: number | null;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        ConsolidateRequest: {
            /**
             * @description that persona alone; null: every persona
             * @default null
             */
            persona?: string | null;
            /**
             * @description run even when a run was recent
             * @default false
             */
            force?: boolean | null;
        };
        CreateKeyRequest: {
            /** @description the name of the account */
            account: string;
            /** @description the plan: free, starter, pro, scale, enterprise */
            tier?: string | null;
            /** @description operations a month, in place of those of the plan; null: those of the plan */
            monthly_ops?: number | null;
        };
        CutMemory: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description what it says, for people and prompts */
            fact: string;
            /** @description what it scored */
            score: number;
            /** @description the rule that left it out */
            rule: components["schemas"]["RankingRule"];
            /** @description the id of the memory that the rule is about */
            by: string | null;
        };
        DeleteDocumentReply: {
            /** @description where it lay */
            path: string;
            /** @description texts and facts that went with it */
            memories: number;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        Document: {
            /** @description where it lies */
            path: string;
            /** @description of its content */
            content_type: string;
            /** @description as it was sent */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description of its content in UTF-8 */
            bytes: number;
            /** @description changes with content, type and metadata */
            etag: string;
            /** @description when its first version was written, or else came, in Unix seconds */
            created_at: number;
            /** @description when this version was written, or else came, in Unix seconds */
            updated_at: number;
        };
        DuplicateText: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description the cosine that was measured */
            similarity: number;
            /** @description true: the stored one would take the more trusted source */
            upgrades: boolean;
        };
        Entity: {
            /** @description of the entity */
            id: string;
            /** @description its name, as it was told */
            name: string;
            /** @description what it is */
            type: components["schemas"]["EntityType"];
            /** @description other names of it, lower case */
            aliases: string[];
            /** @description facts that hold and touch it */
            facts: number;
            /** @description when it was first told of, in Unix seconds */
            created_at: number;
        };
        /** @enum {string} */
        EntityType: "person" | "organization" | "place" | "date" | "thing" | "concept" | "abstraction";
        EraseAccountReply: {
            /** @description the account */
            account: string;
            /** @description keys removed */
            keys: number;
            /** @description texts removed */
            chunks: number;
            /** @description facts removed */
            relations: number;
            /** @description entities removed */
            entities: number;
            /** @description memories that are left, counted again: 0 is the proof */
            remaining: number;
        };
        Evidence: {
            /** @description the words */
            text: string;
            /** @description where, in UTF-16 code units of the text */
            start: number;
            /** @description where, in UTF-16 code units of the text */
            end: number;
        };
        ExplainMemory: {
            /** @description of a memory */
            id: string;
        };
        ExportAccountReply: {
            /** @description one record each, as JSON */
            lines: string[];
            /** @description null on the last page */
            next_cursor: string | null;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        ExportTextsReply: {
            /** @description one record each, as JSON */
            lines: string[];
            /** @description null on the last page */
            next_cursor: string | null;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        ExtractReply: {
            /** @description the stored text that it repeats: ingest would skip it */
            duplicate: components["schemas"]["DuplicateText"] | null;
            /** @description the pieces that would be stored */
            chunks: components["schemas"]["ExtractedChunk"][];
            /** @description what the facts speak of */
            entities: components["schemas"]["ExtractedEntity"][];
            /** @description the facts that would be stored */
            facts: components["schemas"]["ExtractedFact"][];
            /** @description stored texts that it is likely to make out of date */
            replaces: components["schemas"]["ReplacedText"][];
            /** @description for example that there is no LLM; mostly null */
            notice: string | null;
            /** @description total processing time in milliseconds */
            latency_ms: number;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        ExtractRequest: {
            /** @description what would be remembered */
            text: string;
            /**
             * @description the sub-namespace it would be stored in
             * @default shared
             */
            persona?: string | null;
            /**
             * @description who said it; the user is believed most
             * @default user
             */
            source?: ("user" | "assistant" | "document") | null;
            /**
             * @description the conversation whose last texts say who `she` is
             * @default null
             */
            session_id?: string | null;
            /**
             * @description when it was said, in Unix seconds; null: now. Order in time and relative dates go by it. Not in the future
             * @default null
             */
            occurred_at?: number | null;
            /**
             * @description read facts with the LLM of the server, where it has one
             * @default false
             */
            use_llm_extraction?: boolean | null;
        };
        ExtractedChunk: {
            /** @description the piece */
            text: string;
            /** @description where, in UTF-16 code units of the text */
            start: number;
            /** @description where, in UTF-16 code units of the text */
            end: number;
        };
        ExtractedEntity: {
            /** @description of the entity that is meant; null: it would be a new one */
            id: string | null;
            /** @description its name, as it was told */
            name: string;
            /** @description what it is */
            type: components["schemas"]["EntityType"];
            /** @description other names of it */
            aliases: string[];
        };
        ExtractedFact: {
            /** @description what it says, for people and prompts */
            fact: string;
            /** @description whom or what it is about */
            subject: string;
            /** @description how the two stand to each other */
            relation: string;
            /** @description what is said of the subject */
            object: string;
            /** @description true: it says that this does not hold */
            negated: boolean;
            /** @description true: it says that this no longer holds */
            ended: boolean;
            /** @description when it holds, as the text says it */
            when: string | null;
            /** @description how sure the extractor is; what is below 0.61, or 0.66 in a document, is not stored */
            certainty: number;
            /** @description 1 for what the user said; less for documents and the assistant */
            confidence: number;
            /** @description the words it was read from */
            evidence: components["schemas"]["Evidence"];
            /**
             * @description `new`: it would hold; `known`: it holds already; `history`: it tells of an end, or something more trusted or told later holds
             * @enum {string}
             */
            outcome: "new" | "known" | "history";
            /** @description facts that it would make out of date */
            replaces: components["schemas"]["ReplacedFact"][];
        };
        FieldProblem: {
            /** @description where in the request, as `items.3.text` */
            path: string;
            /** @description what is wrong there */
            message: string;
        };
        ForgetReply: {
            /** @description texts removed */
            chunks: number;
            /** @description facts removed */
            relations: number;
            /** @description entities of which nothing is left */
            entities: number;
            /** @description sessions that were cleared; null in a dry run */
            sessions: number | null;
            /** @description counted again after the removal: 0 is the proof; null in a dry run */
            remaining: number | null;
            /** @description true: nothing was removed */
            dry_run: boolean;
            /** @description what a dry run would remove, at most 100 texts and 100 facts; null when it was removed */
            memories: components["schemas"]["ForgottenMemory"][] | null;
            /** @description total processing time in milliseconds */
            latency_ms: number;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        ForgetRequest: {
            /**
             * @description these memories; the text that a fact was read from goes with it
             * @default null
             */
            ids?: string[] | null;
            /**
             * @description the facts about it, and the texts they were read from
             * @default null
             */
            entity?: string | null;
            /**
             * @description what was told in that conversation
             * @default null
             */
            session_id?: string | null;
            /**
             * @description everything of that persona
             * @default null
             */
            persona?: string | null;
            /**
             * @description everything of the account
             * @default false
             */
            everything?: boolean | null;
            /**
             * @description everything with such metadata, as `filter` of retrieve; with `session_id` or `persona`, or both, only what is theirs; a document keeps its content, and is deleted by its path
             * @default null
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description show what would go, and remove nothing
             * @default false
             */
            dry_run?: boolean | null;
        };
        ForgottenMemory: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description `episodic`: a text as it was told; `semantic`: a fact read from one */
            type: components["schemas"]["MemoryType"];
            /** @description what it says, for people and prompts */
            fact: string;
        };
        GraphEdge: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description the subject */
            from: string;
            /** @description the object */
            to: string;
            /** @description how the two stand to each other */
            relation: string;
            /** @description true: it says that this does not hold */
            negated: boolean;
            /** @description what it says, for people and prompts */
            fact: string;
            /** @description when it was told, in Unix seconds */
            since: number;
            /** @description when it stopped to hold; null while it does */
            until: number | null;
        };
        GraphNode: {
            /** @description of the entity */
            id: string;
            /** @description its name, as it was told */
            name: string;
            /** @description what it is */
            type: components["schemas"]["EntityType"];
            /** @description facts that touch it */
            degree: number;
            /** @description of these, not shown */
            more: number;
            /** @description it was asked around this one */
            seed: boolean;
        };
        GraphQaReply: {
            /** @description grounded in the facts, which it cites as `[n]` */
            answer: string;
            /** @description graph facts that the model was given */
            facts_used: number;
            /** @description the numbered facts that the answer cites */
            facts?: string[];
            /** @description `LLM not available` when the server has none */
            error?: string;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        GraphQaRequest: {
            /** @description a question in plain language */
            query: string;
            /**
             * @description how far to follow relationships
             * @default 3
             */
            max_hops?: number | null;
            /**
             * @description how many facts the model is given at most
             * @default 10
             */
            k?: number | null;
            /**
             * @description that persona alone; null: every persona
             * @default null
             */
            persona?: string | null;
        };
        GraphReply: {
            /** @description those it was asked around first, then by degree */
            nodes: components["schemas"]["GraphNode"][];
            /** @description facts between them */
            edges: components["schemas"]["GraphEdge"][];
            /** @description there is more than is shown */
            truncated: boolean;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        HealthReply: {
            /** @description models are loaded and every store is connected: it can be used */
            ready: boolean;
            /** @description whether the models are loaded */
            models_loaded: boolean;
            /** @description `loaded`, `loading`, or `error: <reason>` */
            models: string;
            /** @description `connected`, or `error: <reason>` */
            neo4j: string;
            /** @description `connected`, or `error: <reason>` */
            redis: string;
            /** @description `connected`, or `error: <reason>` */
            qdrant: string;
            /** @description of the service */
            version: string;
            /** @description the model that turns texts into vectors */
            embedder: string;
            /**
             * @description where memories are kept: in a file of its own, or on servers
             * @enum {string}
             */
            mode: "embedded" | "server";
        };
        HistoryEntry: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description what it says, for people and prompts */
            fact: string;
            /** @description who said it; the user is believed most */
            source: components["schemas"]["Source"];
            /** @description when it was told, in Unix seconds */
            created_at: number;
            /** @description when it stopped to hold; null while it does */
            closed_at: number | null;
            /** @description ids in this history whose place it took */
            replaces: string[];
            /** @description the id that took its place; null while it holds */
            replaced_by: string | null;
            /** @description the sentence it was read from */
            evidence: string;
            /** @description it holds */
            current: boolean;
        };
        HistoryLink: {
            /** @description the statement that makes the older one out of date */
            newer: components["schemas"]["Statement"];
            /** @description the statement that is out of date */
            older: components["schemas"]["Statement"];
            /**
             * @description it says what holds instead, or only that it no longer does
             * @enum {string}
             */
            kind: "replaces" | "ends";
            /** @description how sure that is; 1 for a correction */
            probability: number;
            /** @description when the newer one was told, in Unix seconds */
            at: number;
        };
        HookOutput: {
            /** @description the event that was sent */
            hookEventName: string;
            /** @description what is known, in a marked block for the prompt */
            additionalContext: string;
        };
        IngestBatchReply: {
            /** @description graph relationships stored */
            facts_ingested: number;
            /** @description vector chunks stored */
            episodic_chunks: number;
            /** @description entity nodes created or updated */
            entities_extracted: number;
            /** @description equal to facts_ingested */
            triples_extracted: number;
            /** @description whether the session was updated */
            working_memory_updated: boolean;
            /** @description the counts as a sentence */
            msg: string;
            /** @description total processing time in milliseconds */
            latency_ms: number;
            /** @description the text was already known */
            deduplicated: boolean;
            /** @description one per item, in order */
            results: (components["schemas"]["IngestReply"] | components["schemas"]["ItemFailure"])[];
            /** @description items that were stored or known */
            succeeded: number;
            /** @description items that could not be stored, for a cause on the side of the server */
            failed: number;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        IngestBatchRequest: {
            /** @description what to remember; how many a call takes depends on the plan */
            items: components["schemas"]["IngestItem"][];
        };
        IngestItem: {
            /** @description what to remember; this or `messages` */
            text?: string | null;
            /**
             * @description instead of `text`: what was said in a conversation, in its order. Each message is a text of its own with its own source and costs as much as one
             * @default null
             */
            messages?: components["schemas"]["Message"][] | null;
            /**
             * @description the sub-namespace to store it in
             * @default shared
             */
            persona?: string | null;
            /**
             * @description who said it; the user is believed most
             * @default user
             */
            source?: ("user" | "assistant" | "document") | null;
            /**
             * @description a conversation, under a name of your own
             * @default null
             */
            session_id?: string | null;
            /**
             * @description read facts with the LLM of the server, where it has one
             * @default false
             */
            use_llm_extraction?: boolean | null;
            /**
             * @description key/value pairs of your own, kept with the memory
             * @default null
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description your own name for it: another text under the same name and persona takes its place, the same one again changes nothing
             * @default null
             */
            external_id?: string | null;
            /**
             * @description when it was said, in Unix seconds; null: now. Order in time and relative dates go by it. Not in the future
             * @default null
             */
            occurred_at?: number | null;
        };
        IngestReply: {
            /** @description graph relationships stored */
            facts_ingested: number;
            /** @description vector chunks stored */
            episodic_chunks: number;
            /** @description entity nodes created or updated */
            entities_extracted: number;
            /** @description equal to facts_ingested */
            triples_extracted: number;
            /** @description whether the session was updated */
            working_memory_updated: boolean;
            /** @description the counts as a sentence */
            msg: string;
            /** @description total processing time in milliseconds */
            latency_ms: number;
            /** @description the text was already known */
            deduplicated: boolean;
            /** @description the memories that hold the text, in its order */
            ids?: string[];
            /** @description the facts that the text tells, new or known already */
            facts?: components["schemas"]["LearnedFact"][];
            /** @description what the text made out of date */
            replaced?: components["schemas"]["ReplacedMemory"][];
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        IngestRequest: {
            /** @description what to remember; this or `messages` */
            text?: string | null;
            /**
             * @description instead of `text`: what was said in a conversation, in its order. Each message is a text of its own with its own source and costs as much as one
             * @default null
             */
            messages?: components["schemas"]["Message"][] | null;
            /**
             * @description the sub-namespace to store it in
             * @default shared
             */
            persona?: string | null;
            /**
             * @description who said it; the user is believed most
             * @default user
             */
            source?: ("user" | "assistant" | "document") | null;
            /**
             * @description a conversation, under a name of your own
             * @default null
             */
            session_id?: string | null;
            /**
             * @description read facts with the LLM of the server, where it has one
             * @default false
             */
            use_llm_extraction?: boolean | null;
            /**
             * @description key/value pairs of your own, kept with the memory
             * @default null
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description your own name for it: another text under the same name and persona takes its place, the same one again changes nothing
             * @default null
             */
            external_id?: string | null;
            /**
             * @description when it was said, in Unix seconds; null: now. Order in time and relative dates go by it. Not in the future
             * @default null
             */
            occurred_at?: number | null;
        };
        IssuedKey: {
            /** @description shown once: only its hash is kept */
            key: string;
            /** @description of the key, for `/admin/keys/{id}`; not the key itself */
            id: string;
            /** @description the account */
            account: string;
            /** @description the plan of the account */
            tier: components["schemas"]["Tier"];
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        ItemFailure: {
            /** @description a code for programs */
            error: string;
            /** @description one sentence for a person */
            detail: string;
        };
        Key: {
            /** @description of the key, for `/admin/keys/{id}`; not the key itself */
            id: string;
            /** @description the account */
            account: string;
            /** @description the plan of the account */
            tier: components["schemas"]["Tier"];
            /** @description the last four characters, to tell keys apart */
            last_four: string;
            /** @description when it was issued, in Unix seconds */
            created_at: number;
            /** @description not valid from then on; null: no end */
            expires_at: number | null;
            /** @description it opens the account */
            active: boolean;
        };
        KnownReply: {
            /** @description for each item the memories that hold it, in their order; null: it is not known */
            known: (string[] | null)[];
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        KnownRequest: {
            /** @description what to remember; how many a call takes depends on the plan */
            items: components["schemas"]["IngestItem"][];
        };
        LearnedFact: {
            /** @description the memory of this fact */
            id: string;
            /** @description the fact as a sentence */
            fact: string;
            /** @description the fact as an edge of the graph */
            triple: components["schemas"]["Triple"];
            /** @description how sure the extractor is */
            certainty: number;
        };
        LifecycleReply: {
            /** @description confidence halves in so many days without an access */
            half_life_days: number;
            /** @description what has less confidence is deleted by the next run; 0: nothing is */
            prune_threshold: number;
            /** @description the last 20, newest first */
            runs: components["schemas"]["LifecycleRun"][];
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        LifecycleRun: {
            /** @description when it ended, in Unix seconds */
            at: number;
            /** @description the hourly one; false: somebody asked for it */
            automatic: boolean;
            /** @description relationships whose confidence rose since the run before */
            reinforced: number;
            /** @description relationships whose confidence was reduced */
            decayed: number;
            /** @description relationships and chunks deleted */
            pruned: number;
            /** @description faded memories that it left for the runs after it */
            held_back: number;
            /** @description facts merged into abstractions */
            compressed: number;
            /** @description new summaries */
            abstractions: number;
        };
        ListDocumentsReply: {
            /** @description by path, without their content */
            documents: components["schemas"]["Document"][];
            /** @description null on the last page */
            next_after: string | null;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        ListEntitiesReply: {
            /** @description by name */
            entities: components["schemas"]["Entity"][];
            /** @description null on the last page */
            next_cursor: string | null;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        ListKeysReply: {
            /** @description of every account, ended ones too */
            keys: components["schemas"]["Key"][];
            /** @description every account */
            accounts: components["schemas"]["Account"][];
        };
        ListMemoriesReply: {
            /** @description newest first */
            memories: components["schemas"]["Memory"][];
            /** @description null on the last page */
            next_cursor: string | null;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        Memory: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description `episodic`: a text as it was told; `semantic`: a fact read from one */
            type: components["schemas"]["MemoryType"];
            /** @description what it says, for people and prompts */
            fact: string;
            /** @description the sub-namespace it belongs to */
            persona: string;
            /** @description the conversation it was told in */
            session_id: string | null;
            /** @description who said it; the user is believed most */
            source: components["schemas"]["Source"];
            /** @description 1 for what the user said; less for documents and the assistant */
            confidence: number;
            /** @description confidence after decay */
            retention: number;
            /** @description how often it was returned */
            access_count: number;
            /** @description when it was told, in Unix seconds */
            created_at: number;
            /** @description when it was returned last, in Unix seconds */
            last_access_at: number;
            /** @description as it was sent with the text */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description something told later took its place */
            superseded: boolean;
            /** @description it neither fades nor is pruned */
            pinned: boolean;
            /** @description the memory that took its place or said that it ended; null while it holds */
            replaced_by: string | null;
            /** @description when that was said, in Unix seconds */
            replaced_at: number | null;
            /** @description of a fact; null for a text */
            triple: components["schemas"]["Triple"] | null;
        };
        MemoryExplanation: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /**
             * @description `returned`, the rule that left it out, or why it was not looked at: `unknown` id, other `persona`, `outside` of the times or the filter, `closed` fact, `not_found` near the question by words or meaning
             * @enum {string}
             */
            outcome: "returned" | "replaced" | "replaces" | "text" | "folded" | "session" | "path" | "contradicted" | "copy" | "floor" | "k" | "unknown" | "persona" | "outside" | "closed" | "not_found";
            /** @description the id of the memory that the rule is about */
            by: string | null;
            /** @description null when it was not scored */
            explanation: components["schemas"]["ScoreExplanation"] | null;
        };
        MemoryHistoryReply: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description oldest first */
            history: components["schemas"]["HistoryEntry"][];
            /** @description newer and older statements that this text is linked with, oldest first */
            links: components["schemas"]["HistoryLink"][];
        };
        /** @enum {string} */
        MemoryType: "episodic" | "semantic";
        Message: {
            /**
             * @description who said it: its source is user, assistant, or document for system
             * @enum {string}
             */
            role: "user" | "assistant" | "system";
            /** @description what was said */
            content: string;
            /**
             * @description the name of who said it; `I` means that person then
             * @default null
             */
            name?: string | null;
            /**
             * @description when it was said, in Unix seconds; null: with the message before it
             * @default null
             */
            occurred_at?: number | null;
        };
        PatchAccountRequest: {
            /** @description the plan: free, starter, pro, scale, enterprise */
            tier?: string | null;
            /** @description operations a month, in place of those of the plan; null: those of the plan */
            monthly_ops?: number | null;
        };
        PatchMemoryReply: {
            /** @description the memory that holds now: the new one after a correction */
            id: string;
            /** @description the memory that was corrected and is history now; null without `text` */
            replaced: string | null;
            /** @description the memory that holds now */
            memory: components["schemas"]["Memory"];
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        PatchMemoryRequest: {
            /**
             * @description what holds instead
             * @default null
             */
            text?: string | null;
            /**
             * @description true: it neither fades nor is pruned
             * @default null
             */
            pinned?: boolean | null;
            /**
             * @description when `text` was said, in Unix seconds; null: now. Not in the future, nor before the memory was told
             * @default null
             */
            occurred_at?: number | null;
        };
        Problem: {
            /** @description one sentence for a person */
            detail: string;
            /** @description a code for programs */
            error?: string;
            /** @description every field that is wrong */
            errors?: components["schemas"]["FieldProblem"][];
            /** @description the plan of the account, where a plan is the reason */
            tier?: string;
            /** @description the least plan that may do this */
            required_tier?: string;
            /** @description requests per minute of the plan */
            limit?: number;
            /** @description how long to wait, as in `Retry-After` */
            retry_after_seconds?: number;
            /** @description where a larger plan is found */
            upgrade?: string;
            /** @description of a failure of ours: the log has the rest under it */
            request_id?: string;
        } & {
            [key: string]: unknown;
        };
        ProfileEntry: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /**
             * @description `pinned`; `lasting`: there is one of it; `recent`: the newest of the rest
             * @enum {string}
             */
            section: "pinned" | "lasting" | "recent";
            /** @description `episodic`: a text as it was told; `semantic`: a fact read from one */
            type: components["schemas"]["MemoryType"];
            /** @description what it says, for people and prompts */
            fact: string;
            /** @description the sub-namespace it belongs to */
            persona: string;
            /** @description who said it; the user is believed most */
            source: components["schemas"]["Source"];
            /** @description when it was told, in Unix seconds */
            created_at: number;
        };
        ProfileReply: {
            /** @description for the start of a prompt: one line each under a title; empty when nothing is known */
            text: string;
            /** @description what the text is made of, in its order */
            memories: components["schemas"]["ProfileEntry"][];
            /** @description something did not fit */
            truncated: boolean;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        PruneReply: {
            /** @description relationships and chunks below the threshold */
            candidates: number;
            /** @description of these, removed */
            pruned: number;
            /** @description as asked for */
            threshold: number;
            /** @description true: counted, nothing removed */
            dry_run: boolean;
            /** @description relationships among them */
            relations: number;
            /** @description chunks among them */
            chunks: number;
            /** @description entities that lose their last relationship */
            orphaned_entities: number;
            /** @description of a dry run: what would go, the most faded first, at most `limit`; `retention` is that of now */
            memories: components["schemas"]["Memory"][];
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        PruneRequest: {
            /**
             * @description what has less confidence goes
             * @default 0.05
             */
            threshold?: number | null;
            /**
             * @description count alone; false: remove
             * @default true
             */
            dry_run?: boolean | null;
            /**
             * @description that persona alone; null: every persona
             * @default null
             */
            persona?: string | null;
            /**
             * @description of a dry run: as it would be in so many days
             * @default 0
             */
            in_days?: number | null;
            /**
             * @description of a dry run: so many of those that would go are shown
             * @default 0
             */
            limit?: number | null;
        };
        PutDocumentReply: {
            /** @description the document as it is now */
            document: components["schemas"]["Document"];
            /** @description there was none at this path */
            created: boolean;
            /** @description what was remembered of it; `deduplicated`: it is the same as before */
            indexed: components["schemas"]["IngestReply"];
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        PutDocumentRequest: {
            /** @description the document, at most 1 MiB in UTF-8 */
            content: string;
            /**
             * @description of the content; it is sent with it when the document is read
             * @default text/markdown
             */
            content_type?: ("text/markdown" | "text/plain") | null;
            /**
             * @description kept with the document and its memories
             * @default null
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description when this version was written, in Unix seconds; null: now. Not in the future
             * @default null
             */
            occurred_at?: number | null;
        };
        /** @enum {string} */
        RankingRule: "replaced" | "replaces" | "text" | "folded" | "session" | "path" | "contradicted" | "copy" | "floor" | "k";
        RateState: {
            /** @description requests per minute */
            limit: number;
            /** @description calls that would be admitted now */
            remaining: number;
            /** @description whole seconds until it is more */
            reset_seconds: number;
        };
        ReasoningStep: {
            /** @description how many steps from the question */
            hop: number;
            /** @description the entity it starts at */
            from: string;
            /** @description the relation followed */
            relation: string;
            /** @description the entity it leads to */
            to: string;
            /** @description what it says, for people and prompts */
            fact: string;
            /** @description 1 for what the user said; less for documents and the assistant */
            confidence: number;
        };
        ReplacedFact: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description what it says, for people and prompts */
            fact: string;
            /**
             * @description it says what holds instead, or only that it no longer does
             * @enum {string}
             */
            kind: "replaces" | "ends";
            /** @description how sure that is */
            probability: number;
        };
        ReplacedMemory: {
            /** @description the memory that is history now */
            id: string;
            /** @description what it says */
            fact: string;
            /**
             * @description the text says what holds instead, or only that it no longer does
             * @enum {string}
             */
            kind: "replaces" | "ends";
            /** @description how sure that is */
            probability: number;
        };
        ReplacedText: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description what it says, for people and prompts */
            fact: string;
            /**
             * @description it says what holds instead, or only that it no longer does
             * @enum {string}
             */
            kind: "replaces" | "ends";
            /** @description how sure that is; below 0.99 the older text stays current */
            probability: number;
            /** @description facts that are out of date with it */
            closes: components["schemas"]["ClosedFact"][];
        };
        RetrieveExplanation: {
            /** @description what was found and left out, best first */
            cut: components["schemas"]["CutMemory"][];
            /** @description with `explain: {"id": …}` */
            memory: components["schemas"]["MemoryExplanation"] | null;
        };
        RetrieveReply: {
            /** @description one line per fact, ready for a system prompt */
            context: string;
            /** @description best at both ends: models read the middle worst */
            facts: components["schemas"]["RetrievedFact"][];
            /** @description facts from the texts */
            episodic_count: number;
            /** @description facts from the graph */
            semantic_count: number;
            /** @description facts from the session */
            working_count: number;
            /** @description the steps of the traversal with `max_hops` above 1; null otherwise */
            reasoning_chain: components["schemas"]["ReasoningStep"][] | null;
            /** @description a cap was reached: the traversal is partial */
            truncated: boolean;
            /** @description stores that could not answer; mostly empty */
            degraded: ("neo4j" | "qdrant" | "redis")[];
            /** @description total processing time in milliseconds */
            latency_ms: number;
            /** @description the chance that the memory holds the answer */
            answerable: number;
            /** @description with `explain` */
            explanation?: components["schemas"]["RetrieveExplanation"];
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        RetrieveRequest: {
            /** @description a question in plain language */
            query: string;
            /**
             * @description how many facts at most
             * @default 5
             */
            k?: number | null;
            /**
             * @description that persona and `shared`; null: every persona
             * @default null
             */
            persona?: string | null;
            /**
             * @description the conversation whose topic and facts come along
             * @default null
             */
            session_id?: string | null;
            /**
             * @description search the texts
             * @default true
             */
            include_episodic?: boolean | null;
            /**
             * @description search the facts of the graph
             * @default true
             */
            include_semantic?: boolean | null;
            /**
             * @description add the facts of the session
             * @default true
             */
            include_working?: boolean | null;
            /**
             * @description how far to follow relationships; null and 1: not at all
             * @default null
             */
            max_hops?: number | null;
            /**
             * @description what scores less is left out; null: 0.2
             * @default null
             */
            min_score?: number | null;
            /**
             * @description let the LLM of the server shorten the texts to what matters, where it has one
             * @default false
             */
            use_compression?: boolean | null;
            /**
             * @description only what was told then or later, in Unix seconds
             * @default null
             */
            since?: number | null;
            /**
             * @description only what was told before then, in Unix seconds
             * @default null
             */
            until?: number | null;
            /**
             * @description the memory as it stood then, in Unix seconds: nothing that was told later, and what was replaced later still holds. Without the session’s working memory, which is about now
             * @default null
             */
            as_of?: number | null;
            /**
             * @description only texts with such metadata, and the facts read from them. `{"field": value}`, `{"field": {"in": [value, …]}}`, `{"field": {"exists": true}}`, `{"and": [filter, …]}`, `{"or": [filter, …]}`, `{"not": filter}`. Several fields in one object must all be so. A value is a string, a number, true, false or null, and equals nothing of another type; a list equals what one of its entries is. `a.b` is the field `b` inside `a`, unless there is one of the name `a.b`. At most 4 levels of and, or, not, 64 conditions and 8,192 characters as JSON
             * @default null
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description how long `context` may be. It is filled in the order of rank; what does not fit is still in `facts`. Tokens are estimated, rather too many than too few: a token is three letters of an ASCII word or two capitals, a digit, a sign or a line break; any other character is one less than its UTF-8 bytes
             * @default null
             */
            max_tokens?: number | null;
            /**
             * @description true: how every score came about; `{"id": …}`: why that memory came back, or did not
             * @default false
             */
            explain?: (boolean | components["schemas"]["ExplainMemory"]) | null;
        };
        RetrievedFact: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description what it says, for people and prompts */
            fact: string;
            /** @description 0.7 and more: directly relevant; 0.4: probably; 0.2: tangential */
            score: number;
            /**
             * @description the memory it came from: a text, a fact, or the session
             * @enum {string}
             */
            source_type: "episodic" | "semantic" | "working";
            /** @description when it was told, in Unix seconds */
            created_at: number;
            /** @description how often it was returned */
            access_count: number;
            /** @description 1 for what the user said; less for documents and the assistant */
            confidence: number;
            /** @description as it was sent with the text */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description the sub-namespace it belongs to */
            persona: string;
            /** @description 1 is the best, whatever the place in the list */
            rank: number;
            /** @description confidence after decay */
            retention: number;
            /** @description something told later took its place */
            superseded: boolean;
            /** @description when it stopped to hold; null while it does, or when that is not known */
            until: number | null;
            /** @description when a part of a text stopped to hold, while the rest does; null otherwise */
            changed_at: number | null;
            /** @description how sure the extractor was of a fact; 1 for a text */
            certainty: number;
            /** @description with `explain: true` */
            explanation?: components["schemas"]["ScoreExplanation"];
        };
        RevokeKeyReply: {
            /** @description of the key, for `/admin/keys/{id}`; not the key itself */
            id: string;
            /** @description always true: it is not valid any more */
            revoked: boolean;
        };
        RotateKeyRequest: {
            /**
             * @description how long the old key stays valid
             * @default 86400
             */
            grace_seconds?: number | null;
        };
        ScoreExplanation: {
            /** @description those that are not 0; the contributions add up to `linear` */
            features: components["schemas"]["ScoreFeature"][];
            /** @description the sum of the contributions */
            linear: number;
            /** @description the chance that the memory holds an answer */
            answerable: number;
            /** @description that chance times the chance that it is this one over that of the best candidate */
            probability: number;
            /** @description the probability on the scale of scores */
            calibrated: number;
            /** @description what changed the score or the place afterwards, in order */
            rules: components["schemas"]["ScoreRule"][];
            /** @description the score in the reply */
            score: number;
        };
        ScoreFeature: {
            /** @description the feature */
            name: string;
            /** @description its value for this memory */
            value: number;
            /** @description its fitted weight */
            weight: number;
            /** @description value times weight */
            contribution: number;
        };
        ScoreRule: {
            /** @description the rule */
            rule: components["schemas"]["RankingRule"];
            /** @description the id of the memory that the rule is about */
            by: string | null;
        };
        /** @enum {string} */
        Source: "user" | "assistant" | "document";
        Statement: {
            /** @description of the memory, for `/brain/memories/{id}` */
            id: string;
            /** @description what it says; null when it has faded since */
            fact: string | null;
        };
        StatsReply: {
            /** @description chunks stored */
            episodic_count: number;
            /** @description entities in the graph */
            semantic_entities: number;
            /** @description relationships in the graph */
            semantic_relations: number;
            /** @description whether the models are loaded */
            models_loaded: boolean;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
        StatsRequest: {
            /** @description required and ignored: the key decides */
            user_id: string;
            /**
             * @description that persona alone; `*`: the whole namespace
             * @default shared
             */
            persona?: string | null;
        };
        /** @enum {string} */
        Tier: "free" | "starter" | "pro" | "scale" | "enterprise";
        Triple: {
            /** @description whom or what it is about */
            subject: string;
            /** @description how the two stand to each other */
            relation: string;
            /** @description what is said of the subject */
            object: string;
            /** @description true: it says that this does not hold */
            negated: boolean;
        };
        UsageReply: {
            /** @description the account of the key */
            account: string;
            /** @description the plan of the account */
            tier: components["schemas"]["Tier"];
            /** @description the UTC month, as `2026-11` */
            month: string;
            /** @description operations used in it */
            ops_used: number;
            /** @description operations that the month has; null: no limit */
            ops_limit: number | null;
            /** @description operations that are left; null: no limit */
            ops_remaining: number | null;
            /** @description when the next month begins, in Unix seconds */
            resets_at: number;
            /** @description items that one batch may have */
            batch_items: number;
            /** @description of this key, with this call counted; null: no limit */
            rate: components["schemas"]["RateState"] | null;
            /** @description the 20 last callers, the last one first */
            clients: components["schemas"]["ClientCalls"][];
        };
        WholeDocument: {
            /** @description where it lies */
            path: string;
            /** @description of its content */
            content_type: string;
            /** @description as it was sent */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description of its content in UTF-8 */
            bytes: number;
            /** @description changes with content, type and metadata */
            etag: string;
            /** @description when its first version was written, or else came, in Unix seconds */
            created_at: number;
            /** @description when this version was written, or else came, in Unix seconds */
            updated_at: number;
            /** @description as it was sent */
            content: string;
            /** @description fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none */
            warnings?: string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ingest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body within 24 hours get the same reply, without a second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "My sister Maria lives in Lisbon and works at the aquarium.",
                 *       "session_id": "today"
                 *     }
                 */
                "application/json": components["schemas"]["IngestRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description This Idempotency-Key was used with another body. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ingestBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body within 24 hours get the same reply, without a second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "text": "I am allergic to peanuts.",
                 *           "external_id": "note-1"
                 *         },
                 *         {
                 *           "text": "I moved to Berlin in May 2024."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["IngestBatchRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestBatchReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description This Idempotency-Key was used with another body. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retrieve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "Where does my sister live?",
                 *       "k": 3
                 *     }
                 */
                "application/json": components["schemas"]["RetrieveRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetrieveReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    graphQa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "Who works at the aquarium?"
                 *     }
                 */
                "application/json": components["schemas"]["GraphQaRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphQaReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Your plan does not include this feature. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    consolidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ConsolidateRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsolidateReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    prune: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "threshold": 0.05,
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["PruneRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PruneReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "me",
                 *       "persona": "*"
                 *     }
                 */
                "application/json": components["schemas"]["StatsRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReply"];
                };
            };
        };
    };
    listMemories: {
        parameters: {
            query?: {
                /** @description that persona alone */
                persona?: string;
                /** @description texts or facts alone */
                type?: "episodic" | "semantic";
                /** @description what was told in that conversation */
                session_id?: string;
                /** @description what that source said */
                source?: "user" | "assistant" | "document";
                /** @description told then or later, in Unix seconds */
                since?: number;
                /** @description told before then, in Unix seconds */
                until?: number;
                /** @description these words stand in it, in any case of letters */
                text?: string;
                /** @description only what is pinned, or is not */
                pinned?: boolean;
                /** @description true: only what no longer holds; false: only what does; without it every text, and the facts that hold */
                superseded?: boolean;
                /** @description only memories with such metadata: `filter` of retrieve, as JSON */
                filter?: string;
                /**
                 * @description memories a page
                 * @example 2
                 */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMemoriesReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a memory */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a memory */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgetReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body within 24 hours get the same reply, without a second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description of a memory */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "I live in Porto.",
                 *       "pinned": true
                 *     }
                 */
                "application/json": components["schemas"]["PatchMemoryRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatchMemoryReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description This Idempotency-Key was used with another body. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    memoryHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a memory */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryHistoryReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entity": "Maria",
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["ForgetRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgetReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    extract: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "My sister Maria moved from Lisbon to Porto."
                 *     }
                 */
                "application/json": components["schemas"]["ExtractRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtractReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEntities: {
        parameters: {
            query?: {
                /**
                 * @description how its name, or another name of it, begins
                 * @example mar
                 */
                prefix?: string;
                /** @description what stands anywhere in one of its names */
                text?: string;
                /** @description entities of this type alone */
                type?: "person" | "organization" | "place" | "date" | "thing" | "concept" | "abstraction";
                /** @description entities a page */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEntitiesReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    graph: {
        parameters: {
            query?: {
                /** @description the name or the id of an entity */
                entity?: string;
                /**
                 * @description a question in plain language
                 * @example Where does my sister live?
                 */
                query?: string;
                /**
                 * @description how many steps away from where it starts
                 * @example 2
                 */
                hops?: number;
                /** @description entities at most */
                limit?: number;
                /** @description facts that no longer hold, too */
                include_superseded?: boolean;
                /** @description facts of that persona and of `shared`; null: of all */
                persona?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    profile: {
        parameters: {
            query?: {
                /** @description that persona and `shared`; null: every persona */
                persona?: string;
                /** @description how long `text` may be */
                max_tokens?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    lifecycle: {
        parameters: {
            query?: {
                /** @description runs for that persona alone; null: those for every persona */
                persona?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LifecycleReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReply"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    known: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "text": "I am allergic to peanuts.",
                 *           "external_id": "note-1"
                 *         },
                 *         {
                 *           "text": "I have a cat.",
                 *           "external_id": "note-2"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["KnownRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportTexts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportTextsReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    claudeCodeHook: {
        parameters: {
            query?: {
                /** @description whose memory it is; `shared` without it */
                persona?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hook_event_name": "UserPromptSubmit",
                 *       "session_id": "tomorrow",
                 *       "prompt": "Where does my sister live?"
                 *     }
                 */
                "application/json": components["schemas"]["ClaudeCodeHookRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaudeCodeHookReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    codexHook: {
        parameters: {
            query?: {
                /** @description whose memory it is; `shared` without it */
                persona?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hook_event_name": "UserPromptSubmit",
                 *       "session_id": "tomorrow",
                 *       "prompt": "Where does my sister live?"
                 *     }
                 */
                "application/json": components["schemas"]["CodexHookRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodexHookReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: {
                /** @description the persona whose document it is */
                persona?: string;
            };
            header?: never;
            path: {
                /** @description names between slashes, at most 512 characters */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putDocument: {
        parameters: {
            query?: {
                /** @description the persona whose document it is */
                persona?: string;
            };
            header?: {
                /** @description The same key and body within 24 hours get the same reply, without a second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description names between slashes, at most 512 characters */
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "# Boats\n\n## Moorings\n\nThe red boat lies in Porto.\n"
                 *     }
                 */
                "application/json": components["schemas"]["PutDocumentRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutDocumentReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description This Idempotency-Key was used with another body. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query?: {
                /** @description the persona whose document it is */
                persona?: string;
            };
            header?: never;
            path: {
                /** @description names between slashes, at most 512 characters */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteDocumentReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description the persona whose document it is */
                persona?: string;
                /** @description only paths that begin with it */
                prefix?: string;
                /** @description only paths behind this one */
                after?: string;
                /** @description entries of a page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDocumentsReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid or inactive API key; send one in the header x-api-key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests in the last minute. Or: The monthly operations of your plan are used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Models are still loading; retry in about 30 seconds. Or: A store cannot be reached; retry shortly. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListKeysReply"];
                };
            };
            /** @description Invalid admin credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "account": "acme",
                 *       "tier": "pro"
                 *     }
                 */
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid admin credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "grace_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid admin credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description of a key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeKeyReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid admin credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    eraseAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the account */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseAccountReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid admin credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of the account */
                account: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tier": "scale",
                 *       "monthly_ops": 20000000
                 *     }
                 */
                "application/json": components["schemas"]["PatchAccountRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid admin credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Send the body as uncompressed application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAccount: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /**
                 * @description records as they are kept, or texts to be imported
                 * @example texts
                 */
                form?: "archive" | "texts";
            };
            header?: never;
            path: {
                /** @description the name of the account */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportAccountReply"];
                };
            };
            /** @description The request is invalid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Invalid admin credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description There is nothing at this address; GET /docs lists what there is. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
