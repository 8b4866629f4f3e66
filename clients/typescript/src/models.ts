// Request and response types, generated from docs/openapi.json by scripts/generate-clients.sh; do not edit.

export type paths = Record<string, never>;
export interface webhooks {
    taskEnded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task has ended.
         * @description Sent to the task's `callbackUrl` once the task is in a final state. The message is signed by the Standard Webhooks scheme and repeated until the receiver returns 2xx or 410. Verify the signature before you use the message.
         */
        post: operations["taskEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    batchEnded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A batch has ended.
         * @description Sent to the batch's `callbackUrl` once all of its rows have ended. The message is signed by the Standard Webhooks scheme and repeated until the receiver returns 2xx or 410. Verify the signature before you use the message.
         */
        post: operations["batchEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The user, and what the operator has set for the key and the service. */
        Account: {
            /** @description Name of the user. */
            userName: string;
            /** @description Scopes of the key: `read`, `submit`, `admin`. */
            scopes: string[];
            /** @description Where to ask for points or help: an email address or a URL. Null if the operator has not set it. */
            contact?: string | null;
        };
        /** @description One delivery attempt. */
        Attempt: {
            /**
             * Format: date-time
             * @description When it began.
             */
            time: string;
            /**
             * Format: int64
             * @description Milliseconds until the receiver responded or the attempt was abandoned; null if the service stopped meanwhile.
             */
            durationMs?: number | null;
            /**
             * Format: int32
             * @description HTTP status of the response; null without one.
             */
            status?: number | null;
            /** @description Why it does not count as delivered; null if it does. */
            error?: string | null;
            /** @description Stable code of `error`, listed in docs/api/messages.md; null without a text, and for texts of early versions. */
            errorCode?: string | null;
            errorParams?: components["schemas"]["MessageParams"] | null;
        };
        /** @description `balance` can be spent; `total` also includes the points held for open tasks. */
        Balance: {
            /**
             * Format: int64
             * @description Points that can be spent.
             */
            balance: number;
            /**
             * Format: int64
             * @description Points held for open tasks and batches.
             */
            held: number;
            /**
             * Format: int64
             * @description Sum of `balance` and `held`.
             */
            total: number;
            account?: components["schemas"]["Account"] | null;
        };
        /** @description The callback of a batch and its delivery so far. */
        BatchCallback: {
            /** @description The `callbackUrl`. */
            url?: string | null;
            /**
             * @description `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: will be sent at `nextAttemptTime`;
             *     `sending`; `delivered`; `failed`: no attempt will follow.
             */
            status: components["schemas"]["CallbackStatus"];
            /** @description The `webhook-id` of every attempt; null until the task or batch has ended. */
            eventId?: string | null;
            /**
             * Format: date-time
             * @description When the task or batch ended.
             */
            createTime?: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null if none is.
             */
            nextAttemptTime?: string | null;
            /** @description The oldest first. */
            attempts: components["schemas"]["Attempt"][];
            /** @description Number of the batch. */
            batchNo: string;
            type?: components["schemas"]["BatchEventType"] | null;
        };
        /** @description Price and size of a batch. */
        BatchEstimate: {
            /** Format: int64 */
            totalRows: number;
            /**
             * Format: int64
             * @description Number of output videos in all rows.
             */
            totalItems: number;
            /**
             * Format: int64
             * @description Points that would be held.
             */
            estimatedDotCount: number;
            /** @description Paths begin with `/rows/N`, N from 0, followed by the path in the row's request. */
            warnings: components["schemas"]["Remark"][];
        };
        /** @description An event of a batch. */
        BatchEvent: {
            /** @description `state` or `progress`. */
            event: string;
            /** @description Identifies all events up to this one; a client that reconnects sends it as `Last-Event-ID`. */
            id: string;
            data: components["schemas"]["Batch"];
        };
        /**
         * @description Content of a batch event.
         * @enum {string}
         */
        BatchEventType: "batch.completed" | "batch.failed" | "batch.cancelled";
        /** @description A row of a batch. */
        BatchRow: {
            /**
             * Format: int32
             * @description From 1.
             */
            row: number;
            /** @description Its values as submitted. */
            values: {
                [key: string]: unknown;
            };
            state: components["schemas"]["RowStateName"];
            /** @description The task created from the row. */
            taskNo?: string | null;
            /**
             * Format: int32
             * @description State of that task; null once the task has been deleted.
             */
            taskStatus?: number | null;
            /**
             * Format: int32
             * @description Delivered and failed videos of that task.
             */
            completedItems: number;
            /** Format: int32 */
            failedItems: number;
            /** @description Summary of the failures in that task. */
            taskError?: string | null;
            /** @description Stable code of `taskError`, listed in docs/api/messages.md; null without a text, and for texts of early versions. */
            taskErrorCode?: string | null;
            taskErrorParams?: components["schemas"]["MessageParams"] | null;
            /** @description Why it never became a task. */
            error?: string | null;
            /** @description Stable code of `error`, listed in docs/api/messages.md; null without a text, and for texts of early versions. */
            errorCode?: string | null;
            errorParams?: components["schemas"]["MessageParams"] | null;
        };
        /** @description State of a batch. */
        Batch: {
            batchNo: string;
            clientBatchId: string;
            name?: string | null;
            template?: components["schemas"]["TemplateRef"] | null;
            /**
             * Format: int32
             * @description As for tasks: 2 executing, 3 completed (at least one video), 4 failed (none), 5 cancelled.
             */
            status: number;
            /** @description The state in words. */
            statusName: components["schemas"]["StateName"];
            /** @description Whether the batch is paused: no further row becomes a task. */
            paused: boolean;
            /**
             * Format: int32
             * @description 100 only once the batch has ended.
             */
            progressPercent: number;
            /**
             * Format: int64
             * @description Estimated seconds remaining, from the batch's own progress so far; null if unknown.
             */
            etaSeconds?: number | null;
            /** Format: int32 */
            totalRows: number;
            /**
             * Format: int32
             * @description Rows that have not become tasks yet.
             */
            waitingRows: number;
            /**
             * Format: int32
             * @description Rows that have become tasks.
             */
            madeRows: number;
            /**
             * Format: int32
             * @description Rows that never became tasks because points ran out or the batch was cancelled.
             */
            refusedRows: number;
            /** Format: int64 */
            totalItems: number;
            /** Format: int64 */
            completedItems: number;
            /** Format: int64 */
            failedItems: number;
            /**
             * Format: int64
             * @description Points held at submission.
             */
            estimatedDotCount: number;
            /**
             * Format: int64
             * @description Points charged so far.
             */
            consumedDotCount: number;
            /** Format: date-time */
            createTime: string;
            /** Format: date-time */
            finishTime?: string | null;
            /** @description Signed link to all videos as one zip; no key is required. Null while there is no video, omitted in lists. */
            downloadUrl?: string | null;
            warnings: components["schemas"]["Remark"][];
        };
        /** @description A text in both languages. */
        Bilingual: {
            en: string;
            zh: string;
        };
        /** @description A brand to save. Files are `upload://` URLs of your uploads. */
        BrandRequest: {
            /** @description An image. */
            logo?: string | null;
            /** @description Font files, for captions and overlays. */
            fonts?: string[] | null;
            /** @description Colours such as `#1B1B2F`. */
            colors?: string[] | null;
            /** @description A video or an image. */
            intro?: string | null;
            /** @description A video or an image. */
            outro?: string | null;
            /** @description Name of a caption style, as in `subtitle.style.preset`. */
            captionPreset?: string | null;
        };
        /** @description Brand of a user. Files are `upload://` URLs. */
        Brand: {
            logo?: string | null;
            fonts: string[];
            colors: string[];
            intro?: string | null;
            outro?: string | null;
            /** @description Name of a caption style. */
            captionPreset?: string | null;
            /**
             * Format: date-time
             * @description When it was last saved; null: never.
             */
            updateTime?: string | null;
        };
        /**
         * @description State of a callback.
         * @enum {string}
         */
        CallbackStatus: "none" | "waiting" | "due" | "sending" | "delivered" | "failed";
        /** @description The address to test, and the event to simulate. */
        CallbackTestRequest: {
            /** @description Address to send the sample to; checked like a `callbackUrl`. */
            url: string;
            type?: components["schemas"]["EventType"] | null;
        };
        /** @description How the receiver responded to the sample. */
        CallbackTest: {
            /** @description The `webhook-id` it was sent with. */
            eventId: string;
            /** @description Whether a real callback would count as delivered. */
            delivered: boolean;
            /** @description The attempt as it would appear in the log. */
            attempt: components["schemas"]["Attempt"];
            warnings: components["schemas"]["Remark"][];
        };
        /** @description The callback of a task and its delivery so far. */
        Callback: {
            /** @description The `callbackUrl`. */
            url?: string | null;
            /**
             * @description `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: will be sent at `nextAttemptTime`;
             *     `sending`; `delivered`; `failed`: no attempt will follow.
             */
            status: components["schemas"]["CallbackStatus"];
            /** @description The `webhook-id` of every attempt; null until the task or batch has ended. */
            eventId?: string | null;
            /**
             * Format: date-time
             * @description When the task or batch ended.
             */
            createTime?: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null if none is.
             */
            nextAttemptTime?: string | null;
            /** @description The oldest first. */
            attempts: components["schemas"]["Attempt"][];
            /** @description Task number. */
            taskNo: string;
            type?: components["schemas"]["EventType"] | null;
        };
        /** @description The complete catalogue of caption styles. */
        CaptionStyleCatalogue: {
            list: components["schemas"]["CaptionStyleEntry"][];
            total: number;
        };
        /** @description A named style of captions. */
        CaptionStyleEntry: {
            /**
             * @description The name used in `subtitle.style.preset`. Its fields never change.
             * @example karaoke
             */
            name: string;
            title: components["schemas"]["Bilingual"];
            description: components["schemas"]["Bilingual"];
            /** @description The fields of `subtitle.style` that it sets. */
            style: {
                [key: string]: unknown;
            };
            /** @description A small animated WebP image; no key is required. */
            previewUrl: string;
        };
        /** @description A complete catalogue. */
        Catalogue: {
            list: components["schemas"]["CatalogueEntry"][];
            total: number;
        };
        /** @description One entry of a catalogue. */
        CatalogueEntry: {
            /**
             * @description The name used in requests and recipes.
             * @example light-leak
             */
            name: string;
            title: components["schemas"]["Bilingual"];
            description: components["schemas"]["Bilingual"];
            /** @description A small WebP image, animated for effects and transitions; no key is required. */
            previewUrl: string;
        };
        /** @description A change of a draft. */
        ChangedDraft: {
            name: string;
            taskType?: components["schemas"]["TaskTypeName"] | null;
            /** @description Any object, such as an unfinished request. It is stored as it is. Uploads that it names (`upload://…`) are kept. */
            body: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description `updateTime` of the draft that you last read or saved. A newer version is not overwritten.
             */
            updateTime: string;
        };
        /** @description A comment. */
        CommentRequest: {
            /** @description Plain text; can have several lines. */
            text: string;
            /** @description Your name. */
            name?: string | null;
            /** @description Name of the video in this share; by default, the comment is about all of them. */
            item?: string | null;
        };
        /** @description Points to deduct. */
        Deduction: {
            /** Format: int64 */
            userId: number;
            /** Format: int64 */
            points: number;
            /** @description Reason, shown in the user's records. */
            remark: string;
        };
        /** @description State of a callback. */
        Delivery: {
            /** @description The `callbackUrl`. */
            url?: string | null;
            /**
             * @description `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: will be sent at `nextAttemptTime`;
             *     `sending`; `delivered`; `failed`: no attempt will follow.
             */
            status: components["schemas"]["CallbackStatus"];
            /** @description The `webhook-id` of every attempt; null until the task or batch has ended. */
            eventId?: string | null;
            /**
             * Format: date-time
             * @description When the task or batch ended.
             */
            createTime?: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null if none is.
             */
            nextAttemptTime?: string | null;
            /** @description The oldest first. */
            attempts: components["schemas"]["Attempt"][];
        };
        /** @description Size of the file, and whether it is sent in parts. */
        DirectUpload: {
            /**
             * Format: int64
             * @description Exact size of the file.
             */
            sizeBytes: number;
            /**
             * @description Whether to upload in parts, which can be sent in parallel and retried individually. Files larger than 5 GiB
             *     are always sent in parts.
             * @default false
             */
            multipart?: boolean | null;
        };
        /** @description Two outputs of a task. */
        DiversityPair: {
            /** @description Numbers of the two items. */
            items: number[];
            /**
             * Format: double
             * @description Seconds of source footage shown in both.
             */
            sharedSeconds: number;
            /**
             * Format: double
             * @description Visual similarity, 0 to 1; null until the task has ended, in lists, and if unknown.
             */
            similarity?: number | null;
        };
        /** @description Footage that outputs of a task share, and their similarity. */
        Diversity: {
            /**
             * @description All pairs in the order of their items if there are at most 20; otherwise the 20 pairs that share most, in
             *     descending order.
             */
            pairs: components["schemas"]["DiversityPair"][];
            /**
             * Format: int64
             * @description Number of all pairs; `diversity/{taskNo}` lists them. Omitted if `pairs` is certain to be complete.
             */
            totalPairs?: number | null;
            /** @description The pair that shares the most footage. */
            mostSimilar: components["schemas"]["DiversityPair"];
            mostAlike?: components["schemas"]["DiversityPair"] | null;
        };
        /** @description Draft as listed. */
        DraftOverview: {
            /** @description `DP` and 26 characters. */
            draftNo: string;
            name: string;
            taskType?: components["schemas"]["TaskTypeName"] | null;
            /**
             * Format: date-time
             * @description Identifies the version: it is later with every change.
             */
            updateTime: string;
        };
        /** @description A draft. */
        Draft: {
            /** @description `DP` and 26 characters. */
            draftNo: string;
            name: string;
            taskType?: components["schemas"]["TaskTypeName"] | null;
            /**
             * Format: date-time
             * @description Identifies the version: it is later with every change.
             */
            updateTime: string;
            /** @description The unfinished request, as it was saved. */
            body: {
                [key: string]: unknown;
            };
        };
        /**
         * @description Kind of a failure inside a task.
         * @enum {string}
         */
        ErrorCodeName: "URL_BLOCKED" | "URL_SCHEME" | "DOWNLOAD_FAILED" | "NOT_MEDIA" | "FORMAT_NOT_ALLOWED" | "CODEC_NOT_ALLOWED" | "MEDIA_TOO_LARGE" | "MEDIA_DAMAGED" | "NO_VIDEO_STREAM" | "CLIP_TOO_SHORT" | "SUBTITLE_INVALID" | "FONT_INVALID" | "MASK_INVALID" | "SPEECH_FAILED" | "RENDER_FAILED" | "RENDER_TIMEOUT" | "CANCELLED" | "INTERNAL";
        ItemError: {
            /** @description Kind of failure. */
            code: components["schemas"]["ErrorCodeName"];
            /** @description Cause of the failure, and how to fix it. */
            message: string;
            /** @description Stable code of `message`, listed in docs/api/messages.md; null without a text, and for texts of early versions. */
            messageCode?: string | null;
            messageParams?: components["schemas"]["MessageParams"] | null;
            /** @description URL of the file that caused the failure, as sent by the client. */
            input?: string | null;
            /** @description Whether sending the same request again may succeed. */
            retryable: boolean;
            /** @description Whether the item was charged despite the failure. */
            charged: boolean;
        };
        /** @description Price and size of a submission. */
        Estimate: {
            /**
             * Format: int64
             * @description Points that would be held.
             */
            estimatedDotCount: number;
            /**
             * Format: int32
             * @description Number of output videos.
             */
            totalItems: number;
            /**
             * Format: int64
             * @description proVideoMix: distinct combinations of the scenes' resources, at most 2^53−1; else null.
             */
            distinctCombinations?: number | null;
            /**
             * Format: int64
             * @description Video segments to encode; outputs that share a clip share its segment.
             */
            uniqueSegments: number;
            /**
             * Format: double
             * @description Total length of all outputs in seconds.
             */
            outputSeconds: number;
            mostSimilar?: components["schemas"]["DiversityPair"] | null;
            warnings: components["schemas"]["Remark"][];
        };
        /**
         * @description Content of an event.
         * @enum {string}
         */
        EventName: "state" | "progress" | "item";
        /** @description One server-sent event of a task. */
        TaskEvent: {
            event: components["schemas"]["EventName"];
            /** @description Identifies all events up to this one; a client that reconnects sends it as `Last-Event-ID`. */
            id: string;
            /** @description JSON: a task without its items, its progress, or one item. */
            data: string;
        };
        /**
         * @description Content of an event.
         * @enum {string}
         */
        EventType: "task.completed" | "task.failed" | "task.cancelled" | "task.rejected";
        /** @description Number of failures with one cause. */
        FailureCause: {
            code: components["schemas"]["ErrorCodeName"];
            /**
             * Format: int64
             * @description Outputs that failed with this cause.
             */
            items: number;
            /**
             * Format: int64
             * @description Tasks that these outputs belong to.
             */
            tasks: number;
            /**
             * Format: int64
             * @description Users who own these tasks.
             */
            users: number;
            /**
             * Format: date-time
             * @description When the last of these tasks ended.
             */
            lastTime: string;
        };
        /** @description Causes in a period, the most frequent first. */
        FailureCauses: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            list: components["schemas"]["FailureCause"][];
            /**
             * Format: int64
             * @description Outputs that failed, with any cause.
             */
            total: number;
        };
        /** @description An item that ended without an output. */
        Failure: {
            taskNo: string;
            /** Format: int32 */
            itemNo: number;
            userName: string;
            code: components["schemas"]["ErrorCodeName"];
            message: string;
            /** @description Stable code of `message`, listed in docs/api/messages.md; null without a text, and for texts of early versions. */
            messageCode?: string | null;
            messageParams?: components["schemas"]["MessageParams"] | null;
            input?: string | null;
            retryable: boolean;
            /**
             * Format: date-time
             * @description When the task ended; null while other items of it are still running.
             */
            finishTime?: string | null;
        };
        /** @description A file and a time in it. */
        FileRequest: {
            /** @description One of your uploads or a web address. */
            url: string;
            /**
             * Format: double
             * @description By default, a time near the beginning of the file.
             */
            atSeconds?: number | null;
            /**
             * Format: int32
             * @description Maximum width of the frame, in pixels.
             * @default 720
             */
            width?: number | null;
        };
        /** @description The output file. `url` and `expiresAt` are null once the file is gone. */
        OutputFile: {
            /** @description Signed link to the file; renewed with each call. */
            url?: string | null;
            /** @description Signed link to a cover image (JPEG). */
            coverUrl?: string | null;
            /**
             * Format: date-time
             * @description When the links stop working.
             */
            expiresAt?: string | null;
            /**
             * Format: date-time
             * @description When the file is deleted.
             */
            fileExpiresAt?: string | null;
            /**
             * Format: double
             * @description Seconds.
             */
            duration?: number | null;
            /**
             * Format: int32
             * @description Pixels.
             */
            width?: number | null;
            /**
             * Format: int32
             * @description Pixels.
             */
            height?: number | null;
            /**
             * Format: int32
             * @description Frames per second.
             */
            fps?: number | null;
            /**
             * Format: int64
             * @description Size of the file.
             */
            sizeBytes?: number | null;
            /** @description Of the file, lower-case hexadecimal. */
            sha256?: string | null;
            /** @description `h264`. */
            videoCodec?: string | null;
            /** @description `aac`, or null for an output without audio. */
            audioCodec?: string | null;
        };
        /** @description The complete catalogue of fonts. */
        FontCatalogue: {
            list: components["schemas"]["FontEntry"][];
            total: number;
        };
        /** @description A font for captions. */
        FontEntry: {
            /**
             * @description The name used in `subtitle.style.font`.
             * @example noto-serif-sc
             */
            name: string;
            title: components["schemas"]["Bilingual"];
            /** @description Scripts that the font contains (ISO 15924); other fonts are substituted for the rest. */
            scripts: string[];
            weights: string[];
        };
        /** @description Points for a user. */
        GrantRequest: {
            /** Format: int64 */
            userId: number;
            /** Format: int64 */
            points: number;
            /** @description Shown in the user's records. */
            remark?: string | null;
        };
        Grant: {
            /** Format: int64 */
            userId: number;
            /** Format: int64 */
            points: number;
            /**
             * Format: int64
             * @description Balance of the user afterwards.
             */
            balance: number;
            /** Format: int64 */
            held: number;
        };
        Health: {
            status: string;
            version: string;
        };
        /** @description Code of an invitation. */
        InvitationCode: {
            /** @description `cm_inv_` and 36 characters. */
            code: string;
        };
        /** @description User, scopes and validity of an invitation. */
        InvitationRequest: {
            /** Format: int64 */
            userId: number;
            /** @description Scopes of the key: `read`, `submit`, `admin`; by default `read` and `submit`. */
            scopes?: string[] | null;
            /**
             * Format: int32
             * @description Hours until the link expires.
             * @default 24
             */
            hours?: number | null;
        };
        /**
         * @description An invitation, without its link. It can be used if `useTime` and `revokeTime` are null and `expireTime` has not
         *     passed.
         */
        Invitation: {
            /** Format: int64 */
            invitationId: number;
            /** Format: int64 */
            userId: number;
            userName: string;
            /** @description Scopes of the key: `read`, `submit`, `admin`. */
            scopes: string[];
            /** Format: date-time */
            createTime: string;
            /** Format: date-time */
            expireTime: string;
            /** Format: date-time */
            useTime?: string | null;
            /** Format: date-time */
            revokeTime?: string | null;
            /**
             * Format: int64
             * @description The key that was issued for it.
             */
            keyId?: number | null;
        };
        /** @description One output video. Fields about the finished file are null until it exists. */
        Item: {
            /** @description Signed link to the file; renewed with each call. */
            url?: string | null;
            /** @description Signed link to a cover image (JPEG). */
            coverUrl?: string | null;
            /**
             * Format: date-time
             * @description When the links stop working.
             */
            expiresAt?: string | null;
            /**
             * Format: date-time
             * @description When the file is deleted.
             */
            fileExpiresAt?: string | null;
            /**
             * Format: double
             * @description Seconds.
             */
            duration?: number | null;
            /**
             * Format: int32
             * @description Pixels.
             */
            width?: number | null;
            /**
             * Format: int32
             * @description Pixels.
             */
            height?: number | null;
            /**
             * Format: int32
             * @description Frames per second.
             */
            fps?: number | null;
            /**
             * Format: int64
             * @description Size of the file.
             */
            sizeBytes?: number | null;
            /** @description Of the file, lower-case hexadecimal. */
            sha256?: string | null;
            /** @description `h264`. */
            videoCodec?: string | null;
            /** @description `aac`, or null for an output without audio. */
            audioCodec?: string | null;
            /**
             * Format: int32
             * @description From 1, in the order of the request.
             */
            itemNo: number;
            /**
             * Format: int32
             * @description As for tasks.
             */
            status: number;
            /** @description The state in words. */
            statusName: components["schemas"]["StateName"];
            /**
             * Format: int32
             * @description As for tasks.
             */
            progressPercent: number;
            /**
             * Format: int64
             * @description Seed that reproduces this item.
             */
            seed: number;
            recipe?: {
                [key: string]: unknown;
            } | null;
            quality?: components["schemas"]["Quality"] | null;
            /** @description Warnings about this output. */
            warnings: components["schemas"]["Remark"][];
            error?: components["schemas"]["ItemError"] | null;
        };
        /** @description Scopes and expiry of a key. */
        KeyRequest: {
            /** @description `read`, `submit`, `admin`; by default `read` and `submit`. */
            scopes?: string[] | null;
            /** @description RFC 3339, or a date (its beginning in UTC); the key does not expire when absent. */
            expireTime?: string | null;
        };
        /** @description A stored key, without the key itself. */
        Key: {
            /** Format: int64 */
            keyId: number;
            /** @description First characters of the key. */
            prefix: string;
            /** @description `read`, `submit`, `admin`. */
            scopes: string[];
            /** Format: date-time */
            createTime: string;
            /**
             * Format: date-time
             * @description When it expires; null: never.
             */
            expireTime?: string | null;
            /** Format: date-time */
            revokeTime?: string | null;
            /**
             * Format: date-time
             * @description Last use, to the minute.
             */
            lastUseTime?: string | null;
            /** @description Whether this call was made with this key. */
            current: boolean;
        };
        Keys: {
            list: components["schemas"]["Key"][];
            total: number;
        };
        /** @description A file of your library. `media` is null for a file that is not media, such as a subtitle. */
        LibraryFile: {
            /** @description `upload://…`; URLs of earlier uploads of the same file remain valid. */
            url: string;
            name?: string | null;
            kind?: components["schemas"]["MediaKindName"] | null;
            /** Format: int64 */
            sizeBytes: number;
            /** @description Lower-case hexadecimal. */
            sha256: string;
            /**
             * Format: double
             * @description Seconds; null for images and files that are not media.
             */
            duration?: number | null;
            media?: components["schemas"]["Media"] | null;
            /** @description Signed link to the file itself; no key is required. */
            fileUrl: string;
            /**
             * Format: date-time
             * @description When that link stops working.
             */
            expiresAt: string;
            /** @description Path of a thumbnail; requires your key. Null for audio and other files without video. */
            thumbnail?: string | null;
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When a task last used it.
             */
            usedTime?: string | null;
        };
        /** @description A text to listen to. */
        Listening: {
            text: string;
            /** @description A name in the list of voices; the default voice if omitted. */
            voice?: string | null;
            /**
             * Format: double
             * @default 1
             */
            speed?: number | null;
        };
        MediaAudio: {
            codec: string;
            /** Format: int32 */
            channels: number;
            /** Format: int32 */
            sampleRate: number;
            /**
             * Format: double
             * @description Seconds.
             */
            duration: number;
        };
        /**
         * @description Kind of a file.
         * @enum {string}
         */
        MediaKindName: "video" | "picture" | "audio";
        /** @description Streams found in an uploaded file. */
        Media: {
            format: string;
            video?: components["schemas"]["MediaVideo"] | null;
            audio?: components["schemas"]["MediaAudio"] | null;
        };
        MediaVideo: {
            codec: string;
            /**
             * Format: int32
             * @description Pixels, after rotation.
             */
            width: number;
            /** Format: int32 */
            height: number;
            /**
             * Format: double
             * @description Seconds.
             */
            duration: number;
            /** Format: int64 */
            frames: number;
            /** Format: double */
            frameRate: number;
            /**
             * Format: int32
             * @description Degrees clockwise.
             */
            rotation: number;
            /** @description Whether it is an image. */
            still: boolean;
        };
        /** @description Values in the text of a message, by name: texts, messages, or lists of these. */
        MessageParams: {
            [key: string]: string | components["schemas"]["Message"] | (string | components["schemas"]["Message"])[];
        };
        /** @description A text in the language of the request, with its code and parameters. */
        Message: {
            /** @description Text in the language of the request. */
            message: string;
            /** @description Stable code of the message, listed in docs/api/messages.md; null for messages of early versions. */
            code?: string | null;
            params?: components["schemas"]["MessageParams"] | null;
        };
        /** @description A batch to submit. Set exactly one of `template` and `request`, and exactly one of `rows` and `csvUrl`. */
        NewBatch: {
            /**
             * @description Your own ID for the batch. Submitting the same batch with the same ID again returns the existing batch and
             *     costs nothing.
             */
            clientBatchId: string;
            name?: string | null;
            /** @description Number of one of your templates. */
            template?: string | null;
            /**
             * Format: int32
             * @description Version of the template; the newest when absent.
             */
            version?: number | null;
            request?: {
                [key: string]: unknown;
            } | null;
            /** @description Declarations of the variables in `request`. */
            variables?: components["schemas"]["Variable"][] | null;
            /** @description Values of the variables, one row per task. */
            rows?: {
                [key: string]: unknown;
            }[] | null;
            /** @description One of your uploads with the rows, as CSV. The first line names the variables. */
            csvUrl?: string | null;
            /**
             * @description If true, accepts as many rows as your balance covers, starting with the first; otherwise all rows or none.
             * @default false
             */
            partial?: boolean | null;
            /**
             * Format: int64
             * @description Maximum price of the whole batch. A batch whose estimate is higher is refused (40201); a row whose confirmed
             *     price would exceed the limit is rejected.
             */
            maxPoints?: number | null;
            /** @description Called once when the batch has ended. Tasks have their own callbacks, set in the request. */
            callbackUrl?: string | null;
        };
        /** @description A draft to save. */
        NewDraft: {
            name: string;
            taskType?: components["schemas"]["TaskTypeName"] | null;
            /** @description Any object, such as an unfinished request. It is stored as it is. Uploads that it names (`upload://…`) are kept. */
            body: {
                [key: string]: unknown;
            };
        };
        /** @description A new invitation with its link, which is shown only here. */
        NewInvitation: {
            /** Format: int64 */
            invitationId: number;
            /** Format: int64 */
            userId: number;
            userName: string;
            /** @description Scopes of the key: `read`, `submit`, `admin`. */
            scopes: string[];
            /** Format: date-time */
            createTime: string;
            /** Format: date-time */
            expireTime: string;
            /** Format: date-time */
            useTime?: string | null;
            /** Format: date-time */
            revokeTime?: string | null;
            /**
             * Format: int64
             * @description The key that was issued for it.
             */
            keyId?: number | null;
            /** @description Send it to the person. The code is after `#`, so servers and proxies do not see it. */
            url: string;
        };
        /** @description A new key, which is shown only here. */
        NewKey: {
            /** Format: int64 */
            keyId: number;
            /** Format: int64 */
            userId: number;
            apiKey: string;
            scopes: string[];
            /** Format: date-time */
            expireTime?: string | null;
        };
        /** @description Outputs to show, expiry and texts of the page. */
        NewShare: {
            /** @description Numbers of items; all when absent. */
            items?: number[] | null;
            /** @description RFC 3339, or a date (its beginning in UTC); by default the share expires with the files. */
            expiresAt?: string | null;
            /** @description Title of the page. */
            title?: string | null;
            /** @description Text above the videos; can have several lines. */
            message?: string | null;
            /**
             * @description Whether viewers can pick videos and comment.
             * @default false
             */
            feedback?: boolean | null;
        };
        /** @description A template to save. */
        NewTemplate: {
            name: string;
            /**
             * @description A request of any kind. `{{name}}` in a string is replaced by that variable's value; a string that is nothing but
             *     a variable takes the value's type; `\{{` produces literal braces. A clip whose URL is a variable of type `urls`
             *     becomes one clip for each entry. An object with `"$if": "{{name}}"` is dropped if the value is empty, false or 0.
             */
            request: {
                [key: string]: unknown;
            };
            /** @description Declarations of all variables in its strings. */
            variables?: components["schemas"]["Variable"][] | null;
            /**
             * Format: int32
             * @description When you replace a template: the version that you last read. A newer version is not overwritten.
             */
            version?: number | null;
        };
        /** @description A user to create. */
        NewUserRequest: {
            name: string;
            /**
             * Format: int64
             * @description Initial points.
             * @default 0
             */
            points?: number | null;
        };
        /** @description A new user. The key and the secret are shown only here. */
        NewUser: {
            /** Format: int64 */
            userId: number;
            name: string;
            apiKey: string;
            webhookSecret: string;
        };
        /** @description A delivered output, and the name of its task. */
        Output: {
            /** @description Signed link to the file; renewed with each call. */
            url?: string | null;
            /** @description Signed link to a cover image (JPEG). */
            coverUrl?: string | null;
            /**
             * Format: date-time
             * @description When the links stop working.
             */
            expiresAt?: string | null;
            /**
             * Format: date-time
             * @description When the file is deleted.
             */
            fileExpiresAt?: string | null;
            /**
             * Format: double
             * @description Seconds.
             */
            duration?: number | null;
            /**
             * Format: int32
             * @description Pixels.
             */
            width?: number | null;
            /**
             * Format: int32
             * @description Pixels.
             */
            height?: number | null;
            /**
             * Format: int32
             * @description Frames per second.
             */
            fps?: number | null;
            /**
             * Format: int64
             * @description Size of the file.
             */
            sizeBytes?: number | null;
            /** @description Of the file, lower-case hexadecimal. */
            sha256?: string | null;
            /** @description `h264`. */
            videoCodec?: string | null;
            /** @description `aac`, or null for an output without audio. */
            audioCodec?: string | null;
            taskNo: string;
            /**
             * Format: int32
             * @description From 1, in the order of the request.
             */
            itemNo: number;
            taskType: components["schemas"]["TaskTypeName"];
            /** @description Your own ID for the task. */
            clientTaskId?: string | null;
            /** @description Of the task. */
            name?: string | null;
            /** @description Of the task. */
            labels: string[];
            /**
             * Format: int64
             * @description Seed that reproduces this output.
             */
            seed: number;
        };
        /** @description A page of tasks, newest first; with `batches=fold` also of batches. */
        PageTask: {
            list: components["schemas"]["Task"][];
            /**
             * @description The batches of this page, newest first, if requested. Tasks and batches fill the page in the order of
             *     `createTime`.
             */
            batches?: components["schemas"]["Batch"][] | null;
            /**
             * Format: int64
             * @description Number of tasks, plus batches if they are listed.
             */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description One part of a file. */
        Part: {
            /**
             * Format: int64
             * @description From 1.
             */
            partNumber: number;
            /**
             * Format: int64
             * @description Exact number of bytes that the link accepts.
             */
            sizeBytes: number;
            /** @description Accepts the part as its body. */
            url: string;
        };
        /** @description Reason for the pause. */
        PauseRequest: {
            /** @description Shown to users whose tasks are waiting. */
            reason?: string | null;
        };
        /** @description The queue is paused: no new work starts. */
        Pause: {
            /** Format: date-time */
            since: string;
            /** @description The operator's note. */
            reason?: string | null;
        };
        /** @description Whether anything changed. */
        Paused: {
            paused: boolean;
            changed: boolean;
        };
        /** @description A video, and whether it is picked. */
        PickRequest: {
            /** @description Name of the video in this share. */
            item: string;
            picked: boolean;
        };
        /** @description A picked video. */
        Pick: {
            taskNo: string;
            /** Format: int32 */
            itemNo: number;
        };
        /** @description Links for sending a file. */
        Presign: {
            /** @description ID to send when you confirm the upload. */
            uploadId: string;
            /** @description `PUT` */
            method: string;
            /** @description Accepts the whole file as its body; null if the file is sent in parts. */
            url?: string | null;
            /**
             * Format: int64
             * @description Exact number of bytes that the link accepts.
             */
            sizeBytes: number;
            /** @description The parts in order; empty if the file is sent whole. */
            parts: components["schemas"]["Part"][];
            /**
             * Format: date-time
             * @description When the links stop working.
             */
            expiresAt: string;
            warnings: components["schemas"]["Remark"][];
        };
        /** @description A request, and the seconds of its outputs to preview. */
        PreviewClip: {
            /** @description The request as it would be submitted. Errors use the same paths. */
            request: components["schemas"]["Submission"];
            /**
             * Format: int32
             * @description Number of the output.
             * @default 1
             */
            itemNo?: number | null;
            /**
             * Format: int32
             * @description Clip or scene of the output, from 0; `atSeconds` then counts from its beginning instead of the output's.
             */
            clip?: number | null;
            /**
             * Format: double
             * @description Start of the clip; at the latest one second before the end of the output.
             * @default 0
             */
            atSeconds?: number | null;
            /**
             * Format: double
             * @description Length of the clip; shorter if the output ends before.
             * @default 4
             */
            seconds?: number | null;
        };
        /** @description A request, and the frame of its outputs to preview. */
        Preview: {
            /** @description The request as it would be submitted. Errors use the same paths. */
            request: components["schemas"]["Submission"];
            /**
             * Format: int32
             * @description Number of the output.
             * @default 1
             */
            itemNo?: number | null;
            /**
             * Format: int32
             * @description Clip or scene of the output, from 0; `atSeconds` then counts from its beginning instead of the output's. Other
             *     clips are not fetched unless they affect the frame.
             */
            clip?: number | null;
            /**
             * Format: double
             * @description A time beyond the end selects the last frame. Default: the middle of the effect or of the first caption,
             *     otherwise a third of the output.
             */
            atSeconds?: number | null;
            /**
             * Format: int32
             * @description Maximum width of the frame, in pixels.
             * @default 720
             */
            width?: number | null;
        };
        /** @description A file and the streams found in it. */
        Probe: {
            url: string;
            media: components["schemas"]["Media"];
        };
        /** @description Result of verifying a finished file. */
        Quality: {
            /** Format: int64 */
            framesPlanned: number;
            /** Format: int64 */
            framesFound: number;
            /**
             * Format: double
             * @description End of the audio minus end of the video; null without audio.
             */
            avDifferenceMs?: number | null;
            /**
             * Format: double
             * @description Integrated loudness (EBU R128); null for silence or without audio.
             */
            loudnessLufs?: number | null;
            /**
             * Format: double
             * @description dBTP, of the decoded file.
             */
            truePeakDbtp?: number | null;
            /**
             * Format: double
             * @description End of the longer of audio and video minus the planned length.
             */
            durationErrorMs: number;
            /**
             * Format: double
             * @description Total length of black frames.
             */
            blackSeconds: number;
            /**
             * Format: double
             * @description Total length of frozen sections.
             */
            frozenSeconds: number;
            /**
             * Format: double
             * @description Seconds of output per second of rendering.
             */
            speed?: number | null;
        };
        QueueDepth: {
            /** @description `preflight`, `segment` or `finish`. */
            kind: string;
            /** @description `ready`, `delayed`, `waiting` or `running`. */
            state: string;
            /** Format: int64 */
            count: number;
            /** Format: int64 */
            oldestAgeSeconds: number;
        };
        /** @description Waiting and running work, and waiting times. */
        Queue: {
            /** @description The queue is paused: no new work starts. */
            paused: boolean;
            /** Format: date-time */
            pausedSince?: string | null;
            /** @description The reason shown to users whose tasks are waiting. */
            pauseReason?: string | null;
            /**
             * Format: int64
             * @description How long the oldest ready job has been waiting; null if none is.
             */
            oldestAgeSeconds?: number | null;
            depth: components["schemas"]["QueueDepth"][];
            /** @description Users with work that is ready or running. */
            users: components["schemas"]["UserLoad"][];
            /** @description The longest running first; at most 200. */
            running: components["schemas"]["Running"][];
        };
        /**
         * @description Kind of a record.
         * @enum {string}
         */
        RecordType: "grant" | "hold" | "settle" | "release" | "adjust";
        /**
         * @description One record of the ledger. `dotCount` is the signed change of the spendable balance, `amount` the number of points
         *     concerned. A settlement has an amount but leaves the balance unchanged, because the hold already deducted the
         *     points.
         */
        PointsRecord: {
            /**
             * Format: int64
             * @description Unique in the installation.
             */
            recordNo: number;
            type: components["schemas"]["RecordType"];
            /**
             * Format: int64
             * @description Signed change of the spendable balance.
             */
            dotCount: number;
            /**
             * Format: int64
             * @description Points concerned.
             */
            amount: number;
            /**
             * Format: int64
             * @description Spendable balance afterwards.
             */
            balanceAfter: number;
            /** @description Task of the record; null for a grant. */
            taskNo?: string | null;
            /** @description Batch of the record, if its rows had not become tasks yet; null otherwise. */
            batchNo?: string | null;
            /**
             * Format: int32
             * @description Item of the record; for a batch of an earlier version, the row.
             */
            itemNo?: number | null;
            /** @description Reason. */
            remark: string;
            /** @description Stable code of `remark`, listed in docs/api/messages.md; null without a text, and for texts of early versions. */
            remarkCode?: string | null;
            remarkParams?: components["schemas"]["MessageParams"] | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            createTime: string;
        };
        /** @description The key of an invitation, which is shown only here. */
        RedeemedInvitation: {
            /** Format: int64 */
            keyId: number;
            /** Format: int64 */
            userId: number;
            userName: string;
            apiKey: string;
            scopes: string[];
        };
        Requeued: {
            /**
             * Format: int64
             * @description Number of jobs that are ready again.
             */
            requeued: number;
        };
        /**
         * @description State of a row.
         * @enum {string}
         */
        RowStateName: "waiting" | "made" | "refused" | "cancelled";
        Running: {
            /** Format: int64 */
            workId: number;
            kind: string;
            userName: string;
            /** @description For a shared segment, the oldest task that waits for it. */
            taskNo?: string | null;
            /** Format: int32 */
            itemNo?: number | null;
            worker: string;
            /** Format: int64 */
            runningSeconds: number;
            /**
             * Format: int64
             * @description Time until the lease expires unless renewed; negative once expired.
             */
            leaseSeconds: number;
            /**
             * Format: int32
             * @description Failed attempts so far, including lost leases.
             */
            attempts: number;
            /** Format: int32 */
            lostLeases: number;
        };
        /** @description A saved template. */
        SavedTemplate: {
            /** @description `TP` and 26 characters. */
            templateNo: string;
            name: string;
            /**
             * Format: int32
             * @description Starts at 1 and increases with each change.
             */
            version: number;
            /** Format: date-time */
            createTime: string;
            /** Format: date-time */
            updateTime: string;
            warnings: components["schemas"]["Remark"][];
        };
        /** @description The finished upload. */
        SentUpload: {
            /** @description The ID that `presign` returned. */
            uploadId: string;
            /** @description Display name of the file. */
            fileName?: string | null;
            /** @description For parts: the `ETag` header of each response, in order. */
            etags?: string[] | null;
        };
        /** @description A comment of a viewer. All texts are plain text. */
        ShareComment: {
            /** Format: int64 */
            commentId: number;
            /** @description The task of the video; null if the comment is about all videos, or the task was deleted. */
            taskNo?: string | null;
            /**
             * Format: int32
             * @description The number of the video; null as `taskNo`.
             */
            itemNo?: number | null;
            /** @description The name that the viewer gave; it is not verified. */
            name?: string | null;
            text: string;
            /** Format: date-time */
            createTime: string;
        };
        /** @description The feedback on a share, for its owner. */
        ShareFeedback: {
            /** @description Picked videos, in the order of the page. */
            picks: components["schemas"]["Pick"][];
            /** @description The oldest first. */
            comments: components["schemas"]["ShareComment"][];
        };
        /** @description A page that shows outputs of a task. */
        Share: {
            /** Format: int64 */
            shareId: number;
            taskNo: string;
            /** @description URL of the page; null once the share has expired. */
            url?: string | null;
            /** @description Numbers of the items shown; null for all. */
            items?: number[] | null;
            /**
             * @description Items shown of each task, if it shows several tasks; `taskNo` and `items` then belong to the task that ended
             *     last.
             */
            tasks?: components["schemas"]["SharedTask"][] | null;
            /**
             * Format: date-time
             * @description When it expires; null if it expires with the files.
             */
            expiresAt?: string | null;
            /** Format: date-time */
            createTime: string;
            revoked: boolean;
            /** @description Title of the page. */
            title?: string | null;
            /** @description Text above the videos. */
            message?: string | null;
            /** @description Whether viewers can pick videos and comment. */
            feedback: boolean;
        };
        /** @description Part of a share that belongs to one task. */
        SharedTask: {
            taskNo: string;
            /** @description Numbers of the items shown; null for all. */
            items?: number[] | null;
        };
        /** @description A video of a share. */
        SharedVideo: {
            /** @description Name of the video in this share; use it in `picks` and `comments`. */
            item: string;
            /** @description The file. */
            url: string;
            picked: boolean;
            /**
             * Format: double
             * @description In seconds.
             */
            duration: number;
            /** Format: int32 */
            width: number;
            /** Format: int32 */
            height: number;
        };
        /** @description A file, and the seconds of its audio to return. */
        SoundRequest: {
            /** @description One of your uploads or a web address. */
            url: string;
            /**
             * Format: double
             * @default 0
             */
            atSeconds?: number | null;
            /**
             * Format: double
             * @description Length of the excerpt; shorter if the audio ends before.
             * @default 30
             */
            seconds?: number | null;
        };
        /**
         * @description State in words.
         * @enum {string}
         */
        StateName: "pending submission" | "queued" | "executing" | "completed" | "failed" | "cancelled" | "rejected";
        /** @description A request, or one of your templates with values. */
        Submission: components["schemas"]["TaskRequest"] | components["schemas"]["TemplateUse"];
        /** @description Response to a submission. `duplicate` is only present when the task existed before. */
        Submit: {
            /** @description Task number: `VP` and 26 characters. */
            taskNo: string;
            /**
             * Format: int64
             * @description Task id.
             */
            taskId: number;
            /**
             * Format: int64
             * @description Points held for the task.
             */
            estimatedDotCount: number;
            /**
             * Format: int32
             * @description Number of output videos.
             */
            totalItems: number;
            /** @description True if this `clientTaskId` was submitted before; otherwise omitted. */
            duplicate?: boolean;
            warnings?: components["schemas"]["Remark"][];
        };
        /** @description Response to a batch. `duplicate` is only present when the batch existed before. */
        SubmittedBatch: {
            /** @description `BP` and 26 characters. */
            batchNo: string;
            /**
             * Format: int64
             * @description Points held for the batch.
             */
            estimatedDotCount: number;
            /** Format: int32 */
            totalRows: number;
            /**
             * Format: int32
             * @description Rows rejected because the balance did not cover them.
             */
            refusedRows: number;
            /**
             * Format: int64
             * @description Number of output videos in all rows.
             */
            totalItems: number;
            /** @description True if this `clientBatchId` was submitted before; otherwise omitted. */
            duplicate?: boolean;
            /** @description Paths begin with `/rows/N`, N from 0, followed by the path in the row's request. */
            warnings?: components["schemas"]["Remark"][];
        };
        /** @description Why a user is disabled. */
        SwitchOff: {
            /** @description The user sees it. */
            reason: string;
            /**
             * @description Cancel the user's open tasks and batches; otherwise they are finished.
             * @default false
             */
            cancel?: boolean | null;
        };
        /** @description Whether a user is disabled. */
        Switched: {
            /** Format: int64 */
            userId: number;
            /** Format: date-time */
            offSince?: string | null;
            /** @description The reason shown to the user. */
            offReason?: string | null;
            /**
             * Format: int64
             * @description Tasks and batches that were cancelled.
             */
            cancelled: number;
        };
        /** @description A label. */
        TaskLabel: string;
        /** @description New name and labels of a task. Omitted fields are left unchanged; null clears them. */
        TaskNaming: {
            name?: string | null;
            /** @description Replaces the labels of the task. */
            labels?: components["schemas"]["TaskLabel"][] | null;
        };
        /** @description A request of any kind, distinguished by `taskType`. */
        TaskRequest: components["schemas"]["VideoDeduplicationRequest"] | components["schemas"]["BaseVideoMixRequest"] | components["schemas"]["ProVideoMixRequest"];
        /** @description Outputs of a task to show. */
        TaskToShare: {
            taskNo: string;
            /** @description Numbers of items; all when absent. */
            items?: number[] | null;
        };
        /**
         * @description Kind of task.
         * @enum {string}
         */
        TaskTypeName: "videoDeduplication" | "baseVideoMix" | "proVideoMix";
        /** @description State of a task; `items` is omitted in lists. */
        Task: {
            /** @description Task number. */
            taskNo: string;
            /** @description Kind of task. */
            taskType: components["schemas"]["TaskTypeName"];
            /**
             * Format: int32
             * @description 0 pending submission, 1 queued, 2 executing, 3 completed, 4 failed, 5 cancelled, 6 rejected.
             */
            status: number;
            /** @description The state in words. */
            statusName: components["schemas"]["StateName"];
            /**
             * Format: int32
             * @description Completed share of the planned work; never decreases; 100 only when completed.
             */
            progressPercent: number;
            /**
             * Format: int64
             * @description Task id.
             */
            taskId: number;
            /** @description Your own ID for the job. */
            clientTaskId?: string | null;
            /** @description Name of the task. */
            name?: string | null;
            /** @description Labels of the task. */
            labels: string[];
            template?: components["schemas"]["TemplateRef"] | null;
            /**
             * Format: int32
             * @description Number of output videos.
             */
            totalItems: number;
            /**
             * Format: int32
             * @description Number of delivered videos.
             */
            completedItems: number;
            /**
             * Format: int32
             * @description Number of videos that failed.
             */
            failedItems: number;
            /**
             * Format: int64
             * @description The confirmed price once it is known.
             */
            estimatedDotCount: number;
            /**
             * Format: int64
             * @description The price computed from the probed files, also for a task that was rejected because of it; null until the
             *     files are probed.
             */
            price?: number | null;
            /**
             * Format: int64
             * @description Points charged so far.
             */
            consumedDotCount: number;
            /**
             * Format: int64
             * @description Position among the tasks that have not started; 1 is next.
             */
            queuePosition?: number | null;
            /**
             * Format: int64
             * @description Estimated seconds remaining. For a queued task, based on the work ahead of it and recent throughput; for an
             *     executing task, increasingly on its own progress.
             */
            etaSeconds?: number | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When rendering began.
             */
            startTime?: string | null;
            /**
             * Format: date-time
             * @description When the task ended.
             */
            finishTime?: string | null;
            /** @description Summary of the failures. */
            errorMsg?: string | null;
            /** @description Stable code of `errorMsg`, listed in docs/api/messages.md; null without a text, and for texts of early versions. */
            errorMsgCode?: string | null;
            errorMsgParams?: components["schemas"]["MessageParams"] | null;
            /** @description Options without effect, wrong declared lengths, and a paused queue while the task waits for it. */
            warnings: components["schemas"]["Remark"][];
            paused?: components["schemas"]["Pause"] | null;
            diversity?: components["schemas"]["Diversity"] | null;
            /**
             * @description Signed link to a cover image of the first output that has a file; null while there is none, omitted in live
             *     events.
             */
            coverUrl?: string | null;
            /**
             * @description Signed link to all files as one zip, valid for as long as the links of the items; null while there is no file,
             *     omitted in lists.
             */
            downloadUrl?: string | null;
            /** @description The output videos, in order; omitted in lists. */
            items?: components["schemas"]["Item"][] | null;
        };
        /** @description Template as listed. */
        TemplateOverview: {
            /** @description `TP` and 26 characters. */
            templateNo: string;
            name: string;
            /**
             * Format: int32
             * @description Starts at 1 and increases with each change.
             */
            version: number;
            /** Format: date-time */
            createTime: string;
            /** Format: date-time */
            updateTime: string;
        };
        /** @description Source of a task. */
        TemplateRef: {
            templateNo: string;
            /** Format: int32 */
            version: number;
        };
        /** @description A template. */
        Template: {
            /** @description `TP` and 26 characters. */
            templateNo: string;
            name: string;
            /**
             * Format: int32
             * @description Starts at 1 and increases with each change.
             */
            version: number;
            /** Format: date-time */
            createTime: string;
            /** Format: date-time */
            updateTime: string;
            /** @description The request with its variables. */
            request: {
                [key: string]: unknown;
            };
            variables: components["schemas"]["Variable"][];
        };
        /** @description A new name. */
        UploadName: {
            name: string;
        };
        /** @description `media` is null for a file that is not media, such as a subtitle. */
        Upload: {
            /** @description `upload://…` */
            url: string;
            /** Format: int64 */
            sizeBytes: number;
            /** @description Lower-case hexadecimal. */
            sha256: string;
            media?: components["schemas"]["Media"] | null;
        };
        UsageSum: {
            /**
             * Format: int64
             * @description Points spent.
             */
            points: number;
            /**
             * Format: int64
             * @description Outputs delivered.
             */
            outputs: number;
            /**
             * Format: double
             * @description Total length of these outputs in seconds.
             */
            outputSeconds: number;
        };
        /** @description Usage of users in a period, the most expensive first. */
        Usage: {
            /**
             * Format: date-time
             * @description Beginning of the first day.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the last day.
             */
            to: string;
            list: components["schemas"]["UserUsage"][];
            /** @description Totals of all matching users, not only of this page. */
            sum: components["schemas"]["UsageSum"];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        UserLoad: {
            userName: string;
            /** Format: int64 */
            ready: number;
            /** Format: int64 */
            running: number;
        };
        /** @description A task of any user, without links to its files. */
        UserTask: {
            /** @description Task number. */
            taskNo: string;
            /** @description Kind of task. */
            taskType: components["schemas"]["TaskTypeName"];
            /**
             * Format: int32
             * @description 0 pending submission, 1 queued, 2 executing, 3 completed, 4 failed, 5 cancelled, 6 rejected.
             */
            status: number;
            /** @description The state in words. */
            statusName: components["schemas"]["StateName"];
            /**
             * Format: int32
             * @description Completed share of the planned work; never decreases; 100 only when completed.
             */
            progressPercent: number;
            /**
             * Format: int64
             * @description Task id.
             */
            taskId: number;
            /** @description Your own ID for the job. */
            clientTaskId?: string | null;
            /** @description Name of the task. */
            name?: string | null;
            /** @description Labels of the task. */
            labels: string[];
            template?: components["schemas"]["TemplateRef"] | null;
            /**
             * Format: int32
             * @description Number of output videos.
             */
            totalItems: number;
            /**
             * Format: int32
             * @description Number of delivered videos.
             */
            completedItems: number;
            /**
             * Format: int32
             * @description Number of videos that failed.
             */
            failedItems: number;
            /**
             * Format: int64
             * @description The confirmed price once it is known.
             */
            estimatedDotCount: number;
            /**
             * Format: int64
             * @description The price computed from the probed files, also for a task that was rejected because of it; null until the
             *     files are probed.
             */
            price?: number | null;
            /**
             * Format: int64
             * @description Points charged so far.
             */
            consumedDotCount: number;
            /**
             * Format: int64
             * @description Position among the tasks that have not started; 1 is next.
             */
            queuePosition?: number | null;
            /**
             * Format: int64
             * @description Estimated seconds remaining. For a queued task, based on the work ahead of it and recent throughput; for an
             *     executing task, increasingly on its own progress.
             */
            etaSeconds?: number | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When rendering began.
             */
            startTime?: string | null;
            /**
             * Format: date-time
             * @description When the task ended.
             */
            finishTime?: string | null;
            /** @description Summary of the failures. */
            errorMsg?: string | null;
            /** @description Stable code of `errorMsg`, listed in docs/api/messages.md; null without a text, and for texts of early versions. */
            errorMsgCode?: string | null;
            errorMsgParams?: components["schemas"]["MessageParams"] | null;
            /** @description Options without effect, wrong declared lengths, and a paused queue while the task waits for it. */
            warnings: components["schemas"]["Remark"][];
            paused?: components["schemas"]["Pause"] | null;
            diversity?: components["schemas"]["Diversity"] | null;
            /**
             * @description Signed link to a cover image of the first output that has a file; null while there is none, omitted in live
             *     events.
             */
            coverUrl?: string | null;
            /**
             * @description Signed link to all files as one zip, valid for as long as the links of the items; null while there is no file,
             *     omitted in lists.
             */
            downloadUrl?: string | null;
            /** @description The output videos, in order; omitted in lists. */
            items?: components["schemas"]["Item"][] | null;
            /** Format: int64 */
            userId: number;
            userName: string;
            /** @description Items that ended without an output, in their order. */
            failures: components["schemas"]["Failure"][];
        };
        /** @description Usage of a user in the period, and bytes stored now. */
        UserUsage: {
            /**
             * Format: int64
             * @description Points spent.
             */
            points: number;
            /**
             * Format: int64
             * @description Outputs delivered.
             */
            outputs: number;
            /**
             * Format: double
             * @description Total length of these outputs in seconds.
             */
            outputSeconds: number;
            /** Format: int64 */
            userId: number;
            userName: string;
            /**
             * Format: int64
             * @description Bytes of results and uploads stored now.
             */
            storedBytes: number;
        };
        User: {
            /** Format: int64 */
            userId: number;
            name: string;
            /**
             * Format: int64
             * @description Points that can be spent.
             */
            balance: number;
            /** Format: int64 */
            held: number;
            /**
             * Format: int64
             * @description Number of stored tasks.
             */
            tasks: number;
            /** Format: date-time */
            createTime: string;
            /**
             * Format: date-time
             * @description When the user was disabled; null if enabled.
             */
            offSince?: string | null;
            /** @description The reason shown to the user. */
            offReason?: string | null;
        };
        /** @description Default of a variable: a value, or an array of texts for a list. */
        VariableDefault: (string | number | boolean) | string[];
        /** @description A variable of a template. */
        Variable: {
            /** @description Letters and digits of any script, `_`, `-`, `.`, and spaces between other characters. */
            name: string;
            type: components["schemas"]["VariableTypeName"];
            default?: components["schemas"]["VariableDefault"] | null;
            /** @description Label of the variable in forms. */
            label?: string | null;
            /**
             * Format: int32
             * @description For a text, and for each entry of a list of texts.
             */
            maxLength?: number | null;
            /**
             * Format: int32
             * @description For a list: the minimum number of entries of a value that is not empty.
             */
            minItems?: number | null;
            /**
             * Format: int32
             * @description For a list: the maximum number of entries, 100 if absent.
             */
            maxItems?: number | null;
            /**
             * Format: double
             * @description For a number.
             */
            minimum?: number | null;
            /**
             * Format: double
             * @description For a number.
             */
            maximum?: number | null;
            /** @description For a choice. */
            choices?: components["schemas"]["VariableValue"][] | null;
        };
        /**
         * @description Kind of a variable.
         * @enum {string}
         */
        VariableTypeName: "text" | "number" | "url" | "color" | "choice" | "urls" | "texts";
        /** @description Value of a variable: a text, a number, true or false. */
        VariableValue: string | number | boolean;
        /** @description A comment as viewers see it. All texts are plain text. */
        ViewerComment: {
            /** Format: int64 */
            commentId: number;
            /** @description The video; null if the comment is about all of them. */
            item?: string | null;
            /** @description The name that the viewer gave; it is not verified. */
            name?: string | null;
            text: string;
            /** Format: date-time */
            createTime: string;
        };
        /** @description A share as its viewers see it. */
        ViewerFeedback: {
            title?: string | null;
            message?: string | null;
            /** @description Finished videos, in the order of the page. */
            videos: components["schemas"]["SharedVideo"][];
            /** @description The oldest first. */
            comments: components["schemas"]["ViewerComment"][];
        };
        /** @description All voices, and the speech services. */
        VoiceCatalogue: {
            list: components["schemas"]["VoiceEntry"][];
            total: number;
            /** @description The speech service; null if there is none. */
            service?: string | null;
            /**
             * Format: int32
             * @description Points for 1,000 characters of a text.
             */
            pointsPer1000Characters: number;
            /** @description The service that transcribes audio (`subtitle.from`); null if there is none. */
            transcriptionService?: string | null;
            /**
             * Format: int32
             * @description Points for a minute of audio that is transcribed.
             */
            pointsPerMinute: number;
        };
        /** @description A voice that speaks texts. */
        VoiceEntry: {
            /**
             * @description The name used in `audio.voice`.
             * @example en-us
             */
            name: string;
            title?: components["schemas"]["Bilingual"] | null;
        };
        /** @description A warning; `path` is a JSON Pointer into the request, empty if the warning concerns the whole. */
        Remark: {
            /** @description Text in the language of the request. */
            message: string;
            /** @description Stable code of the message, listed in docs/api/messages.md; null for messages of early versions. */
            code?: string | null;
            params?: components["schemas"]["MessageParams"] | null;
            path: string;
        };
        /** @description Tasks and outputs to show, expiry and texts of the page. */
        WideShare: {
            /** @description In the order of the page; at most 1,000 videos. */
            tasks: components["schemas"]["TaskToShare"][];
            /** @description RFC 3339, or a date (its beginning in UTC); by default the share expires with the files. */
            expiresAt?: string | null;
            /** @description Title of the page. */
            title?: string | null;
            /** @description Text above the videos; can have several lines. */
            message?: string | null;
            /**
             * @description Whether viewers can pick videos and comment.
             * @default false
             */
            feedback?: boolean | null;
        };
        /** @description A worker that has reported within the last day. */
        Worker: {
            name: string;
            host: string;
            version: string;
            /** Format: int32 */
            slots: number;
            /** Format: int32 */
            running: number;
            /** @description Kinds of work it accepts. */
            kinds: string[];
            /** @description It takes no new work and exits when its current work is done. */
            draining: boolean;
            /** @description It has reported within the last half minute. */
            alive: boolean;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            seenAt: string;
        };
        Workers: {
            list: components["schemas"]["Worker"][];
            total: number;
        };
        /** @description A page of a list, newest first. */
        PageBatchRow: {
            list: components["schemas"]["BatchRow"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageBatch: {
            list: components["schemas"]["Batch"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageDiversityPair: {
            list: components["schemas"]["DiversityPair"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageDraftOverview: {
            list: components["schemas"]["DraftOverview"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageFailure: {
            list: components["schemas"]["Failure"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageInvitation: {
            list: components["schemas"]["Invitation"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageLibraryFile: {
            list: components["schemas"]["LibraryFile"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageOutput: {
            list: components["schemas"]["Output"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageRecord: {
            list: components["schemas"]["PointsRecord"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageTemplateOverview: {
            list: components["schemas"]["TemplateOverview"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description A page of a list, newest first. */
        PageUser: {
            list: components["schemas"]["User"][];
            /** Format: int64 */
            total: number;
            /** Format: int32 */
            pageNo: number;
            /** Format: int32 */
            pageSize: number;
        };
        /** @description One of your templates with values, instead of a request. */
        TemplateUse: {
            /** @description Number of the template. */
            template: string;
            /** @description The newest when absent. */
            version?: number | null;
            /** @description Values of its variables, by name. */
            values?: {
                [key: string]: unknown;
            } | null;
            /** @description As in a request; overrides the template's. */
            clientTaskId?: string | null;
            /** @description As in a request; overrides the template's. */
            callbackUrl?: string | null;
            /** @description As in a request; overrides the template's. */
            name?: string | null;
            /** @description As in a request; overrides the template's. */
            labels?: string[] | null;
            /** @description As in a request; overrides the template's. */
            maxPoints?: number | null;
        };
        /** @description Drops frames down to a random rate between `start` and `end`, before the output rate is applied. */
        VideoDeduplicationOptionsFrameExtraction: {
            /**
             * @description Enables frame extraction.
             * @default false
             */
            isExtract?: boolean;
            /**
             * @description Lowest rate, in frames per second.
             * @default 25
             */
            start?: number;
            /**
             * @description Highest rate, in frames per second.
             * @default 30
             */
            end?: number;
        };
        /** @description Changes the speed of video and audio by a random factor between `start` and `end`. The pitch is preserved. */
        VideoDeduplicationOptionsSpeed: {
            /**
             * @description Enables the speed change.
             * @default false
             */
            isSpeed?: boolean;
            /**
             * @description Lowest speed multiplier.
             * @default 1
             */
            start?: number;
            /**
             * @description Highest speed multiplier.
             * @default 1.5
             */
            end?: number;
        };
        /** @description Rotates the video by a random angle between `minAngle` and `maxAngle`, without empty corners. */
        VideoDeduplicationOptionsRotation: {
            /**
             * @description Enables rotation.
             * @default false
             */
            isRotate?: boolean;
            /**
             * @description Direction of the rotation.
             * @default clockwise
             * @enum {string}
             */
            direction?: "clockwise" | "counterclockwise";
            /**
             * @description Smallest angle in degrees.
             * @default 0
             */
            minAngle?: number;
            /**
             * @description Largest angle in degrees.
             * @default 2
             */
            maxAngle?: number;
        };
        /** @description Enlarges the video around the centre by a random factor between `minScale` and `maxScale` and crops it. */
        VideoDeduplicationOptionsZoom: {
            /**
             * @description Enables zoom.
             * @default false
             */
            isZoom?: boolean;
            /**
             * @description Smallest factor.
             * @default 1
             */
            minScale?: number;
            /**
             * @description Largest factor.
             * @default 1.1
             */
            maxScale?: number;
        };
        /** @description Adjusts brightness, contrast, saturation and gamma, each by a random value from its range. */
        VideoDeduplicationOptionsColourMixing: {
            /**
             * @description Enables colour adjustment.
             * @default false
             */
            isMixing?: boolean;
            /**
             * @description Lowest brightness; 0 is unchanged.
             * @default -0.1
             */
            brightnessMin?: number;
            /**
             * @description Highest brightness; 0 is unchanged.
             * @default 0.1
             */
            brightnessMax?: number;
            /**
             * @description Lowest contrast; 1 is unchanged.
             * @default 0.9
             */
            contrastMin?: number;
            /**
             * @description Highest contrast; 1 is unchanged.
             * @default 1.1
             */
            contrastMax?: number;
            /**
             * @description Lowest saturation; 1 is unchanged.
             * @default 0.9
             */
            saturationMin?: number;
            /**
             * @description Highest saturation; 1 is unchanged.
             * @default 1.1
             */
            saturationMax?: number;
            /**
             * @description Lowest gamma; 1 is unchanged.
             * @default 0.9
             */
            gammaMin?: number;
            /**
             * @description Highest gamma; 1 is unchanged.
             * @default 1.1
             */
            gammaMax?: number;
        };
        /** @description Shifts hue, saturation and brightness by fixed amounts. */
        VideoDeduplicationOptionsHueMixing: {
            /**
             * @description Enables the hue shift.
             * @default false
             */
            isMixing?: boolean;
            /**
             * @description Hue offset in degrees.
             * @default 0
             */
            h?: number;
            /**
             * @description Saturation offset from neutral.
             * @default 0
             */
            s?: number;
            /**
             * @description Added brightness; 1 is a tenth of full scale.
             * @default 0
             */
            b?: number;
        };
        /** @description Raises red, green and blue in shadows, midtones and highlights. */
        VideoDeduplicationOptionsColorBalance: {
            /**
             * @description Enables colour balance.
             * @default false
             */
            isBalance?: boolean;
            /**
             * @description Red in the shadows, strongest in black.
             * @default 0
             */
            rs?: number;
            /**
             * @description Green in the shadows, strongest in black.
             * @default 0
             */
            gs?: number;
            /**
             * @description Blue in the shadows, strongest in black.
             * @default 0
             */
            bs?: number;
            /**
             * @description Red in the midtones, strongest in middle grey.
             * @default 0
             */
            rm?: number;
            /**
             * @description Green in the midtones, strongest in middle grey.
             * @default 0
             */
            gm?: number;
            /**
             * @description Blue in the midtones, strongest in middle grey.
             * @default 0
             */
            bm?: number;
            /**
             * @description Red in the highlights, up to white.
             * @default 0
             */
            rh?: number;
            /**
             * @description Green in the highlights, up to white.
             * @default 0
             */
            gh?: number;
            /**
             * @description Blue in the highlights, up to white.
             * @default 0
             */
            bh?: number;
        };
        /** @description Shows the video smaller, in the centre of a background. */
        VideoDeduplicationOptionsPIP: {
            /**
             * @description Enables picture-in-picture.
             * @default false
             */
            isPIP?: boolean;
            /**
             * @description Margin: the video is scaled to 100 minus this many percent.
             * @default 10
             */
            padding?: number;
            /**
             * @description Background. 1: `fillVideoPath`, or a flat colour if it is omitted; 2: `fillVideoPath`, or the video itself, blurred and darkened.
             * @default 2
             */
            fillMode?: number;
            /**
             * @description URL of a video or an image for the background. Its audio is ignored.
             * @example https://media.example.com/clip.mp4
             */
            fillVideoPath?: string;
        };
        /** @description Overlays layers of images, each scaled to cover the frame. */
        VideoDeduplicationOptionsPicMask: {
            /**
             * @description Enables the mask.
             * @default false
             */
            isMask?: boolean;
            /** @description Mask files; each layer uses a random one. Required if the mask is enabled. */
            picFiles?: string[];
            /**
             * @description Number of layers; 0 disables the mask.
             * @default 1
             */
            layerCount?: number;
            /**
             * @description Opacity of a layer in percent: 3 is barely visible, 100 covers.
             * @default 3
             */
            trans?: number;
        };
        /** @description Overlays layers of looping videos, each scaled to cover the frame. */
        VideoDeduplicationOptionsVideoMask: {
            /**
             * @description Enables the mask.
             * @default false
             */
            isMask?: boolean;
            /** @description Mask files; each layer uses a random one. Required if the mask is enabled. */
            videoFiles?: string[];
            /**
             * @description Number of layers; 0 disables the mask.
             * @default 1
             */
            layerCount?: number;
            /**
             * @description Opacity of a layer in percent: 3 is barely visible, 100 covers.
             * @default 3
             */
            trans?: number;
        };
        /** @description A special effect during a part of the video. */
        VideoDeduplicationOptionsEffect: {
            /**
             * @description Name of an effect in the catalogue. If omitted, no effect is applied.
             * @enum {string}
             */
            value?: "flash" | "strobe" | "light-leak" | "lens-flare" | "rainbow" | "sparkle" | "bokeh" | "snow" | "rain" | "fog" | "confetti" | "dream" | "lens-blur" | "vignette" | "spotlight" | "cinema-bars" | "zoom-pulse" | "shake" | "ripple" | "mirror-tile" | "pixelate" | "film-grain" | "old-film" | "vhs" | "glitch" | "rgb-split" | "neon-edges" | "comic" | "thermal" | "duotone";
            /**
             * @description Strength in percent.
             * @default 3
             */
            trans?: number;
            /**
             * @description Duration in seconds; 0 disables the effect.
             * @default 0.5
             */
            duration?: number;
            /**
             * @description Start of the effect, in percent of the length.
             * @default 0
             */
            position?: number;
        };
        /** @enum {unknown} */
        VideoDeduplicationOptionsCoverTitleStyleFontName: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
        /** @description Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words. */
        VideoDeduplicationOptionsCoverTitleStyleHighlight: {
            /**
             * @description Colour of the spoken word.
             * @example #FFFFFF
             */
            color?: string;
            /**
             * @description Colour of a box behind the spoken word. `radius` rounds its corners.
             * @example #FFFFFF
             */
            box?: string;
            /** @description Size of the spoken word, relative to the other words. Nothing else moves. */
            scale?: number;
        };
        /** @description Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here. */
        VideoDeduplicationOptionsCoverTitleStyle: {
            /**
             * @description Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.
             * @enum {string}
             */
            preset?: "clean" | "bold-pop" | "karaoke" | "karaoke-box" | "impact" | "build" | "typewriter" | "label" | "neon" | "headline";
            /**
             * @description Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.
             * @default 14
             */
            fontSize?: number;
            /**
             * @description Colour of the text.
             * @default #FFFFFF
             * @example #FFFFFF
             */
            fontColor?: string;
            /**
             * @description Colour of the outline.
             * @example #FFFFFF
             */
            outlineColor?: string;
            /**
             * @description Colour of a box behind the text.
             * @example #FFFFFF
             */
            backColor?: string;
            /**
             * @description Distance from the bottom edge to the text, in pixels of the output.
             * @default 50
             */
            bottom?: number;
            /**
             * @description Multiplies `fontSize`.
             * @default 2.5
             */
            magnification?: number;
            /** @description Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks. */
            font?: string | components["schemas"]["VideoDeduplicationOptionsCoverTitleStyleFontName"] | unknown;
            /**
             * @description Weight of the letters.
             * @default regular
             * @enum {string}
             */
            weight?: "regular" | "bold";
            /**
             * @description Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.
             * @default bottom
             * @enum {string}
             */
            place?: "bottom" | "lower-third" | "middle" | "top";
            /**
             * @description Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.
             * @default 0
             */
            shadow?: number;
            /**
             * @description Corner radius of the box, in hundredths of an em.
             * @default 0
             */
            radius?: number;
            highlight?: components["schemas"]["VideoDeduplicationOptionsCoverTitleStyleHighlight"];
            /**
             * @description The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.
             * @default line
             * @enum {string}
             */
            words?: "line" | "one" | "grow";
            /**
             * @description How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word.
             * @default none
             * @enum {string}
             */
            motion?: "none" | "fade" | "pop" | "rise" | "typewriter";
            /**
             * @description Shows the text in capitals, as far as the fonts have them. Times do not change.
             * @default false
             */
            uppercase?: boolean;
            /** @description The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words. */
            maxWords?: number;
            /** @description The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons. */
            maxWidth?: number;
        };
        /** @description A text in the middle of the cover. */
        VideoDeduplicationOptionsCoverTitle: {
            /** @description The text. Lines break at its line breaks and wherever they would exceed 90 percent of the width. */
            text: string;
            style?: components["schemas"]["VideoDeduplicationOptionsCoverTitleStyle"];
        };
        /** @description The cover of each output: a frame of it (`at`) or an image (`url`), with a title. Without `at` and `url`, the service chooses a sharp, well-exposed frame. */
        VideoDeduplicationOptionsCover: {
            /** @description Time in the output of the frame that becomes the cover, in seconds. A time after the end means the last frame, with a warning. */
            at?: number;
            /**
             * @description URL of an image (PNG, JPEG or WebP), in place of `at`. It fills the frame; the rest is cropped.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            title?: components["schemas"]["VideoDeduplicationOptionsCoverTitle"];
        };
        /** @description Options; each has a default. */
        VideoDeduplicationOptions: {
            /**
             * @description Encoding effort: `draft` is the fastest, `high` gives the best quality. The default is set by the installation, usually `standard`.
             * @enum {string}
             */
            preset?: "draft" | "standard" | "high";
            frameExtraction?: components["schemas"]["VideoDeduplicationOptionsFrameExtraction"];
            speed?: components["schemas"]["VideoDeduplicationOptionsSpeed"];
            /**
             * @description Frame rate of the output, in frames per second.
             * @default 30
             * @enum {integer}
             */
            fps?: 25 | 30 | 50 | 60;
            /**
             * @description Mirrors the video horizontally.
             * @default false
             */
            isMirror?: boolean;
            rotation?: components["schemas"]["VideoDeduplicationOptionsRotation"];
            zoom?: components["schemas"]["VideoDeduplicationOptionsZoom"];
            colourMixing?: components["schemas"]["VideoDeduplicationOptionsColourMixing"];
            hueMixing?: components["schemas"]["VideoDeduplicationOptionsHueMixing"];
            colorBalance?: components["schemas"]["VideoDeduplicationOptionsColorBalance"];
            /**
             * @description Applies a random colour look from the catalogue.
             * @default false
             */
            isFilter?: boolean;
            PIP?: components["schemas"]["VideoDeduplicationOptionsPIP"];
            picMask?: components["schemas"]["VideoDeduplicationOptionsPicMask"];
            videoMask?: components["schemas"]["VideoDeduplicationOptionsVideoMask"];
            effect?: components["schemas"]["VideoDeduplicationOptionsEffect"];
            cover?: components["schemas"]["VideoDeduplicationOptionsCover"];
        };
        /** @description One video. */
        VideoDeduplicationVideo: {
            /**
             * @description URL of the video.
             * @example https://media.example.com/clip.mp4
             */
            filename: string;
            /** @description Declared length in seconds. Used only to estimate the price at submission; it never trims the video. */
            duration?: number;
            /**
             * @description Start of the excerpt, in seconds from the beginning of the file.
             * @default 0
             */
            from?: number;
            /** @description End of the excerpt, in seconds from the beginning of the file. */
            to?: number;
            /**
             * @description Number of different outputs of this video. Outputs are in the order of the list.
             * @default 1
             */
            copies?: number;
        };
        /** @description Parameters of the task. */
        VideoDeduplicationParams: {
            /** @description Seed of all random choices. If omitted, a random seed is used. */
            seed?: number;
            options?: components["schemas"]["VideoDeduplicationOptions"];
            /** @description Videos to vary; each produces `copies` outputs. An installation can set another limit. */
            videoList: components["schemas"]["VideoDeduplicationVideo"][];
        };
        /**
         * @example {
         *       "taskType": "videoDeduplication",
         *       "clientTaskId": "order-1001",
         *       "params": {
         *         "videoList": [
         *           {
         *             "filename": "https://media.example.com/city.mp4",
         *             "duration": 7.6
         *           }
         *         ],
         *         "options": {
         *           "isMirror": true,
         *           "isFilter": true,
         *           "speed": {
         *             "isSpeed": true,
         *             "start": 1,
         *             "end": 1.2
         *           },
         *           "zoom": {
         *             "isZoom": true,
         *             "minScale": 1,
         *             "maxScale": 1.1
         *           }
         *         }
         *       }
         *     }
         */
        VideoDeduplicationRequest: {
            /**
             * @description Type of the task; it determines the structure of `params`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            taskType: "videoDeduplication";
            params: components["schemas"]["VideoDeduplicationParams"];
            /**
             * @description URL that receives one callback when the task has reached a final state.
             * @example https://example.com/hooks/clipmill
             */
            callbackUrl?: string;
            /** @description Your own ID for this job (idempotency key). Sending the same body with the same ID again returns the existing task and costs nothing. */
            clientTaskId?: string;
            /** @description Name of the task, for use in `list`. It affects neither the videos nor the comparison with earlier requests. */
            name?: string;
            /** @description Up to ten labels, for use in `list`. */
            labels?: string[];
            /** @description Maximum price of the task. A submission with a higher estimate fails with 40201; a task with a higher confirmed price is rejected. */
            maxPoints?: number;
        };
        /** @enum {unknown} */
        BaseVideoMixOptionsBackgroundName: "black" | "blur";
        /** @description Music that loops until the video ends. */
        BaseVideoMixOptionsBackgroundMusic: {
            /**
             * @description URL of an audio file, or of a video with audio. If omitted, nothing plays.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /**
             * @description Where in its file the used part begins, in seconds. This part is repeated until the video ends.
             * @default 0
             */
            from?: number;
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            /** @description Use only this many seconds of the file; 0 plays nothing. */
            duration?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Duration of the fade-in, in seconds.
             * @default 0.5
             */
            fadeIn?: number;
            /**
             * @description Duration of the fade-out, in seconds.
             * @default 0.5
             */
            fadeOut?: number;
        };
        /** @description Voice-over that plays once from the start: a file, or a text to speak. */
        BaseVideoMixOptionsAudio: {
            /**
             * @description URL of an audio file, or of a video with audio. Without `url` and `text`, nothing plays.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /** @description A text to speak, in place of `url`. */
            text?: string;
            /** @description The voice that speaks `text`: a name in the list of voices. */
            voice?: string;
            /**
             * @description The speed at which `text` is spoken.
             * @default 1
             */
            speed?: number;
            /**
             * @description Time at which the voice-over begins, in seconds after the intro. Captions that follow it begin as much later.
             * @default 0
             */
            start?: number;
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            /** @description Use only this many seconds of the file; 0 plays nothing. */
            duration?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Duration of the fade-in, in seconds.
             * @default 0.5
             */
            fadeIn?: number;
            /**
             * @description Duration of the fade-out, in seconds.
             * @default 0.5
             */
            fadeOut?: number;
        };
        /** @description A word. */
        BaseVideoMixOptionsSubtitleCueWord: {
            /** @description Time at which the word begins, in seconds after the intro. */
            start: number;
            /** @description Time at which the word ends, in seconds after the intro. It stays highlighted until the next one begins. */
            end: number;
            /** @description The word as it is written in the text of the caption. */
            text: string;
        };
        /** @description A caption. */
        BaseVideoMixOptionsSubtitleCue: {
            /** @description Time at which the caption appears, in seconds after the intro. */
            start: number;
            /** @description Time at which the caption disappears, in seconds after the intro. */
            end: number;
            /** @description Text of the caption. Lines break at its line breaks and wherever they would be too wide. */
            text: string;
            /**
             * @description Words of the text with the times at which they are spoken, for `highlight`.
             * @default []
             */
            words?: components["schemas"]["BaseVideoMixOptionsSubtitleCueWord"][];
        };
        /** @enum {unknown} */
        BaseVideoMixOptionsSubtitleStyleFontName: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
        /** @description Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words. */
        BaseVideoMixOptionsSubtitleStyleHighlight: {
            /**
             * @description Colour of the spoken word.
             * @example #FFFFFF
             */
            color?: string;
            /**
             * @description Colour of a box behind the spoken word. `radius` rounds its corners.
             * @example #FFFFFF
             */
            box?: string;
            /** @description Size of the spoken word, relative to the other words. Nothing else moves. */
            scale?: number;
        };
        /**
         * @description Style of the text.
         * @default {}
         */
        BaseVideoMixOptionsSubtitleStyle: {
            /**
             * @description Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.
             * @enum {string}
             */
            preset?: "clean" | "bold-pop" | "karaoke" | "karaoke-box" | "impact" | "build" | "typewriter" | "label" | "neon" | "headline";
            /**
             * @description Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.
             * @default 14
             */
            fontSize?: number;
            /**
             * @description Colour of the text.
             * @default #FFFFFF
             * @example #FFFFFF
             */
            fontColor?: string;
            /**
             * @description Colour of the outline.
             * @example #FFFFFF
             */
            outlineColor?: string;
            /**
             * @description Colour of a box behind the text.
             * @example #FFFFFF
             */
            backColor?: string;
            /**
             * @description Distance from the bottom edge to the text, in pixels of the output.
             * @default 50
             */
            bottom?: number;
            /**
             * @description Multiplies `fontSize`.
             * @default 2.5
             */
            magnification?: number;
            /** @description Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks. */
            font?: string | components["schemas"]["BaseVideoMixOptionsSubtitleStyleFontName"] | unknown;
            /**
             * @description Weight of the letters.
             * @default regular
             * @enum {string}
             */
            weight?: "regular" | "bold";
            /**
             * @description Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.
             * @default bottom
             * @enum {string}
             */
            place?: "bottom" | "lower-third" | "middle" | "top";
            /**
             * @description Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.
             * @default 0
             */
            shadow?: number;
            /**
             * @description Corner radius of the box, in hundredths of an em.
             * @default 0
             */
            radius?: number;
            highlight?: components["schemas"]["BaseVideoMixOptionsSubtitleStyleHighlight"];
            /**
             * @description The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.
             * @default line
             * @enum {string}
             */
            words?: "line" | "one" | "grow";
            /**
             * @description How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word.
             * @default none
             * @enum {string}
             */
            motion?: "none" | "fade" | "pop" | "rise" | "typewriter";
            /**
             * @description Shows the text in capitals, as far as the fonts have them. Times do not change.
             * @default false
             */
            uppercase?: boolean;
            /** @description The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words. */
            maxWords?: number;
            /** @description The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons. */
            maxWidth?: number;
        };
        /** @description Subtitles, burned into the video, from one of `url`, `text`, `cues` and `from`. */
        BaseVideoMixOptionsSubtitle: {
            /**
             * @description URL of an SRT or VTT file. Without `url`, `text`, `cues` and `from`, no subtitles are shown.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /** @description The text to show, in place of `url`. It is split into captions of at most two lines, each line of the text separately. */
            text?: string;
            /**
             * @description How the captions of `text` get their times. `voice`: when the voice-over speaks them, found by its pauses; `even`: by the length of their texts, over the voice-over if there is one, otherwise over the video without its intro and outro. Without a voice-over, both are the same.
             * @enum {string}
             */
            timing?: "voice" | "even";
            /**
             * @description The audio that the speech service transcribes for the captions, in place of `url`. `voice`: the voice-over, and the audio of the scenes; `clips`: the clips' own audio. An error if the installation cannot transcribe.
             * @enum {string}
             */
            from?: "voice" | "clips";
            /** @description Captions with their times, in place of `url`, in any order. */
            cues?: components["schemas"]["BaseVideoMixOptionsSubtitleCue"][];
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            style?: components["schemas"]["BaseVideoMixOptionsSubtitleStyle"];
        };
        /** @description An intro. */
        BaseVideoMixOptionsIntroPool: {
            /**
             * @description URL of the clip.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
        };
        /** @description An outro. */
        BaseVideoMixOptionsOutroPool: {
            /**
             * @description URL of the clip.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
        };
        /** @description Transitions between clips. Clips overlap, so the output is shorter by the overlaps. */
        BaseVideoMixOptionsTransition: {
            /** @description Names in the catalogue. One is chosen at random for each cut; all are used before any is repeated. */
            names: ("fade" | "fadeblack" | "fadewhite" | "fadegrays" | "dissolve" | "pixelize" | "hblur" | "slideleft" | "slideright" | "slideup" | "slidedown" | "zoomthrough" | "whippan" | "spin" | "glitch" | "wipeleft" | "wiperight" | "wipeup" | "wipedown" | "smoothleft" | "smoothright" | "smoothup" | "smoothdown" | "circleopen" | "circleclose" | "circlecrop" | "rectcrop" | "vertopen" | "vertclose" | "horzopen" | "horzclose" | "radial" | "diagtl" | "diagbr" | "hlslice" | "hrslice" | "vuslice" | "vdslice" | "squeezeh" | "squeezev")[];
            /**
             * @description Overlap of two clips in seconds; less if a clip is too short.
             * @default 0.5
             */
            duration?: number;
        };
        /** @description Makes one colour of the video transparent (green screen) and removes its reflection from the rest. */
        BaseVideoMixOptionsOverlayKey: {
            /**
             * @description The colour that becomes transparent, such as the green of a screen. It must not be a grey.
             * @example #FFFFFF
             */
            color: string;
            /**
             * @description How much a pixel may differ from the colour and still be fully transparent, in percent of the way from the colour to one that has none of it.
             * @default 10
             */
            tolerance?: number;
            /**
             * @description The part of the rest of that way over which pixels become opaque, in percent: 100 keeps edges exactly as soft as they are, 0 makes them hard.
             * @default 90
             */
            softness?: number;
        };
        /** @enum {string} */
        BaseVideoMixOptionsOverlayPlaceName: "top-left" | "top" | "top-right" | "left" | "middle" | "right" | "bottom-left" | "bottom" | "bottom-right";
        BaseVideoMixOptionsOverlayPlace: {
            /** @description Distance of the centre from the left edge, in percent of the output's width. */
            x: number;
            /** @description Distance of the centre from the top edge, in percent of the output's height. */
            y: number;
        };
        /** @enum {unknown} */
        BaseVideoMixOptionsOverlayStyleFontName: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
        /** @description Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words. */
        BaseVideoMixOptionsOverlayStyleHighlight: {
            /**
             * @description Colour of the spoken word.
             * @example #FFFFFF
             */
            color?: string;
            /**
             * @description Colour of a box behind the spoken word. `radius` rounds its corners.
             * @example #FFFFFF
             */
            box?: string;
            /** @description Size of the spoken word, relative to the other words. Nothing else moves. */
            scale?: number;
        };
        /**
         * @description Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here.
         * @default {}
         */
        BaseVideoMixOptionsOverlayStyle: {
            /**
             * @description Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.
             * @enum {string}
             */
            preset?: "clean" | "bold-pop" | "karaoke" | "karaoke-box" | "impact" | "build" | "typewriter" | "label" | "neon" | "headline";
            /**
             * @description Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.
             * @default 14
             */
            fontSize?: number;
            /**
             * @description Colour of the text.
             * @default #FFFFFF
             * @example #FFFFFF
             */
            fontColor?: string;
            /**
             * @description Colour of the outline.
             * @example #FFFFFF
             */
            outlineColor?: string;
            /**
             * @description Colour of a box behind the text.
             * @example #FFFFFF
             */
            backColor?: string;
            /**
             * @description Distance from the bottom edge to the text, in pixels of the output.
             * @default 50
             */
            bottom?: number;
            /**
             * @description Multiplies `fontSize`.
             * @default 2.5
             */
            magnification?: number;
            /** @description Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks. */
            font?: string | components["schemas"]["BaseVideoMixOptionsOverlayStyleFontName"] | unknown;
            /**
             * @description Weight of the letters.
             * @default regular
             * @enum {string}
             */
            weight?: "regular" | "bold";
            /**
             * @description Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.
             * @default bottom
             * @enum {string}
             */
            place?: "bottom" | "lower-third" | "middle" | "top";
            /**
             * @description Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.
             * @default 0
             */
            shadow?: number;
            /**
             * @description Corner radius of the box, in hundredths of an em.
             * @default 0
             */
            radius?: number;
            highlight?: components["schemas"]["BaseVideoMixOptionsOverlayStyleHighlight"];
            /**
             * @description The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.
             * @default line
             * @enum {string}
             */
            words?: "line" | "one" | "grow";
            /**
             * @description How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word.
             * @default none
             * @enum {string}
             */
            motion?: "none" | "fade" | "pop" | "rise" | "typewriter";
            /**
             * @description Shows the text in capitals, as far as the fonts have them. Times do not change.
             * @default false
             */
            uppercase?: boolean;
            /** @description The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words. */
            maxWords?: number;
            /** @description The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons. */
            maxWidth?: number;
        };
        /** @description An image, a video or a text. */
        BaseVideoMixOptionsOverlay: {
            /**
             * @description Type of the overlay.
             * @enum {string}
             */
            type: "image" | "video" | "text";
            /**
             * @description URL of the file. For an image: PNG, JPEG or WebP, with or without alpha; of an animated image, the first frame is shown. For a video: a video file, an animated GIF, PNG or WebP, at most 3840 pixels on its long side.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /**
             * @description Width of the image or video in percent of the output's width; less if it would be taller than the output.
             * @default 20
             */
            width?: number;
            /**
             * @description Opacity of the image or video, multiplied by its own alpha.
             * @default 100
             */
            opacity?: number;
            /**
             * @description Whether the video repeats until `end`. Otherwise it disappears when it ends.
             * @default false
             */
            loop?: boolean;
            /**
             * @description Volume of the video's own audio, in percent of amplitude.
             * @default 0
             */
            volume?: number;
            key?: components["schemas"]["BaseVideoMixOptionsOverlayKey"];
            /** @description The text. Lines break at its line breaks and wherever they would exceed `maxWidth`. */
            text?: string;
            /** @description Several texts instead of `text`. Each output uses one; all are used before any is repeated. */
            texts?: string[];
            /**
             * @description Maximum width of a line, in percent of the output's width.
             * @default 90
             */
            maxWidth?: number;
            /** @description Position: a corner, the middle of an edge or of the frame, or `{x, y}` for its centre. An overlay is always fully inside the frame. */
            place?: components["schemas"]["BaseVideoMixOptionsOverlayPlaceName"] | components["schemas"]["BaseVideoMixOptionsOverlayPlace"];
            /**
             * @description Distance from the nearest edges, in percent of the output's short side. It does not apply to `{x, y}`.
             * @default 4
             */
            margin?: number;
            /**
             * @description Time in the output at which the overlay appears, in seconds.
             * @default 0
             */
            start?: number;
            /** @description Time in the output at which the overlay disappears, in seconds. */
            end?: number;
            /**
             * @description Motion with which the overlay appears. A slide moves in the direction of its name, from outside the frame.
             * @default none
             * @enum {string}
             */
            enter?: "none" | "fade" | "pop" | "slide-left" | "slide-right" | "slide-up" | "slide-down";
            /**
             * @description Length of that motion in seconds.
             * @default 0.3
             */
            enterSeconds?: number;
            /**
             * @description Motion with which the overlay disappears. A slide moves in the direction of its name, out of the frame.
             * @default none
             * @enum {string}
             */
            leave?: "none" | "fade" | "pop" | "slide-left" | "slide-right" | "slide-up" | "slide-down";
            /**
             * @description Length of that motion in seconds. If both motions together are longer than the overlay is shown, both are shortened in proportion, with a warning.
             * @default 0.3
             */
            leaveSeconds?: number;
            style?: components["schemas"]["BaseVideoMixOptionsOverlayStyle"];
        };
        /** @enum {unknown} */
        BaseVideoMixOptionsCoverTitleStyleFontName: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
        /** @description Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words. */
        BaseVideoMixOptionsCoverTitleStyleHighlight: {
            /**
             * @description Colour of the spoken word.
             * @example #FFFFFF
             */
            color?: string;
            /**
             * @description Colour of a box behind the spoken word. `radius` rounds its corners.
             * @example #FFFFFF
             */
            box?: string;
            /** @description Size of the spoken word, relative to the other words. Nothing else moves. */
            scale?: number;
        };
        /** @description Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here. */
        BaseVideoMixOptionsCoverTitleStyle: {
            /**
             * @description Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.
             * @enum {string}
             */
            preset?: "clean" | "bold-pop" | "karaoke" | "karaoke-box" | "impact" | "build" | "typewriter" | "label" | "neon" | "headline";
            /**
             * @description Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.
             * @default 14
             */
            fontSize?: number;
            /**
             * @description Colour of the text.
             * @default #FFFFFF
             * @example #FFFFFF
             */
            fontColor?: string;
            /**
             * @description Colour of the outline.
             * @example #FFFFFF
             */
            outlineColor?: string;
            /**
             * @description Colour of a box behind the text.
             * @example #FFFFFF
             */
            backColor?: string;
            /**
             * @description Distance from the bottom edge to the text, in pixels of the output.
             * @default 50
             */
            bottom?: number;
            /**
             * @description Multiplies `fontSize`.
             * @default 2.5
             */
            magnification?: number;
            /** @description Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks. */
            font?: string | components["schemas"]["BaseVideoMixOptionsCoverTitleStyleFontName"] | unknown;
            /**
             * @description Weight of the letters.
             * @default regular
             * @enum {string}
             */
            weight?: "regular" | "bold";
            /**
             * @description Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.
             * @default bottom
             * @enum {string}
             */
            place?: "bottom" | "lower-third" | "middle" | "top";
            /**
             * @description Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.
             * @default 0
             */
            shadow?: number;
            /**
             * @description Corner radius of the box, in hundredths of an em.
             * @default 0
             */
            radius?: number;
            highlight?: components["schemas"]["BaseVideoMixOptionsCoverTitleStyleHighlight"];
            /**
             * @description The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.
             * @default line
             * @enum {string}
             */
            words?: "line" | "one" | "grow";
            /**
             * @description How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word.
             * @default none
             * @enum {string}
             */
            motion?: "none" | "fade" | "pop" | "rise" | "typewriter";
            /**
             * @description Shows the text in capitals, as far as the fonts have them. Times do not change.
             * @default false
             */
            uppercase?: boolean;
            /** @description The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words. */
            maxWords?: number;
            /** @description The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons. */
            maxWidth?: number;
        };
        /** @description A text in the middle of the cover. */
        BaseVideoMixOptionsCoverTitle: {
            /** @description The text. Lines break at its line breaks and wherever they would exceed 90 percent of the width. */
            text: string;
            style?: components["schemas"]["BaseVideoMixOptionsCoverTitleStyle"];
        };
        /** @description The cover of each output: a frame of it (`at`) or an image (`url`), with a title. Without `at` and `url`, the service chooses a sharp, well-exposed frame. */
        BaseVideoMixOptionsCover: {
            /** @description Time in the output of the frame that becomes the cover, in seconds. A time after the end means the last frame, with a warning. */
            at?: number;
            /**
             * @description URL of an image (PNG, JPEG or WebP), in place of `at`. It fills the frame; the rest is cropped.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            title?: components["schemas"]["BaseVideoMixOptionsCoverTitle"];
        };
        /** @description An effect. */
        BaseVideoMixOptionsEffect: {
            /**
             * @description Name of an effect in the catalogue. If omitted, no effect is applied.
             * @enum {string}
             */
            value?: "flash" | "strobe" | "light-leak" | "lens-flare" | "rainbow" | "sparkle" | "bokeh" | "snow" | "rain" | "fog" | "confetti" | "dream" | "lens-blur" | "vignette" | "spotlight" | "cinema-bars" | "zoom-pulse" | "shake" | "ripple" | "mirror-tile" | "pixelate" | "film-grain" | "old-film" | "vhs" | "glitch" | "rgb-split" | "neon-edges" | "comic" | "thermal" | "duotone";
            /**
             * @description Strength in percent.
             * @default 3
             */
            trans?: number;
            /**
             * @description Duration in seconds; 0 disables the effect.
             * @default 0.5
             */
            duration?: number;
            /**
             * @description Start of the effect, in percent of the length.
             * @default 0
             */
            position?: number;
        };
        /** @description A sound. */
        BaseVideoMixOptionsSound: {
            /**
             * @description URL of an audio file, or of a video with audio.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
            /**
             * @description Time in the output at which the sound begins, in seconds. A sound that begins after the end is not played, with a warning.
             * @default 0
             */
            at?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Where in its file the used part begins, in seconds.
             * @default 0
             */
            from?: number;
            /** @description Use only this many seconds. */
            duration?: number;
        };
        /** @description Music for some of the outputs. */
        BaseVideoMixOptionsBackgroundMusicPool: {
            /**
             * @description URL of an audio file, or of a video with audio.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
            /**
             * @description Where in its file the used part begins, in seconds. This part is repeated until the video ends.
             * @default 0
             */
            from?: number;
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            /** @description Use only this many seconds of the file; 0 plays nothing. */
            duration?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Duration of the fade-in, in seconds.
             * @default 0.5
             */
            fadeIn?: number;
            /**
             * @description Duration of the fade-out, in seconds.
             * @default 0.5
             */
            fadeOut?: number;
        };
        /** @description The voice-over: a file, or a text to speak. */
        BaseVideoMixOptionsVoicePoolAudio: {
            /**
             * @description URL of an audio file, or of a video with audio.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /** @description A text to speak, in place of `url`. */
            text?: string;
            /** @description The voice that speaks `text`: a name in the list of voices. */
            voice?: string;
            /**
             * @description The speed at which `text` is spoken.
             * @default 1
             */
            speed?: number;
            /**
             * @description Time at which the voice-over begins, in seconds after the intro. Captions that follow it begin as much later.
             * @default 0
             */
            start?: number;
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            /** @description Use only this many seconds of the file; 0 plays nothing. */
            duration?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Duration of the fade-in, in seconds.
             * @default 0.5
             */
            fadeIn?: number;
            /**
             * @description Duration of the fade-out, in seconds.
             * @default 0.5
             */
            fadeOut?: number;
        };
        /** @description A word. */
        BaseVideoMixOptionsVoicePoolSubtitleCueWord: {
            /** @description Time at which the word begins, in seconds after the intro. */
            start: number;
            /** @description Time at which the word ends, in seconds after the intro. It stays highlighted until the next one begins. */
            end: number;
            /** @description The word as it is written in the text of the caption. */
            text: string;
        };
        /** @description A caption. */
        BaseVideoMixOptionsVoicePoolSubtitleCue: {
            /** @description Time at which the caption appears, in seconds after the intro. */
            start: number;
            /** @description Time at which the caption disappears, in seconds after the intro. */
            end: number;
            /** @description Text of the caption. Lines break at its line breaks and wherever they would be too wide. */
            text: string;
            /**
             * @description Words of the text with the times at which they are spoken, for `highlight`.
             * @default []
             */
            words?: components["schemas"]["BaseVideoMixOptionsVoicePoolSubtitleCueWord"][];
        };
        /** @enum {unknown} */
        BaseVideoMixOptionsVoicePoolSubtitleStyleFontName: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
        /** @description Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words. */
        BaseVideoMixOptionsVoicePoolSubtitleStyleHighlight: {
            /**
             * @description Colour of the spoken word.
             * @example #FFFFFF
             */
            color?: string;
            /**
             * @description Colour of a box behind the spoken word. `radius` rounds its corners.
             * @example #FFFFFF
             */
            box?: string;
            /** @description Size of the spoken word, relative to the other words. Nothing else moves. */
            scale?: number;
        };
        /**
         * @description Style of the text.
         * @default {}
         */
        BaseVideoMixOptionsVoicePoolSubtitleStyle: {
            /**
             * @description Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.
             * @enum {string}
             */
            preset?: "clean" | "bold-pop" | "karaoke" | "karaoke-box" | "impact" | "build" | "typewriter" | "label" | "neon" | "headline";
            /**
             * @description Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.
             * @default 14
             */
            fontSize?: number;
            /**
             * @description Colour of the text.
             * @default #FFFFFF
             * @example #FFFFFF
             */
            fontColor?: string;
            /**
             * @description Colour of the outline.
             * @example #FFFFFF
             */
            outlineColor?: string;
            /**
             * @description Colour of a box behind the text.
             * @example #FFFFFF
             */
            backColor?: string;
            /**
             * @description Distance from the bottom edge to the text, in pixels of the output.
             * @default 50
             */
            bottom?: number;
            /**
             * @description Multiplies `fontSize`.
             * @default 2.5
             */
            magnification?: number;
            /** @description Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks. */
            font?: string | components["schemas"]["BaseVideoMixOptionsVoicePoolSubtitleStyleFontName"] | unknown;
            /**
             * @description Weight of the letters.
             * @default regular
             * @enum {string}
             */
            weight?: "regular" | "bold";
            /**
             * @description Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.
             * @default bottom
             * @enum {string}
             */
            place?: "bottom" | "lower-third" | "middle" | "top";
            /**
             * @description Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.
             * @default 0
             */
            shadow?: number;
            /**
             * @description Corner radius of the box, in hundredths of an em.
             * @default 0
             */
            radius?: number;
            highlight?: components["schemas"]["BaseVideoMixOptionsVoicePoolSubtitleStyleHighlight"];
            /**
             * @description The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.
             * @default line
             * @enum {string}
             */
            words?: "line" | "one" | "grow";
            /**
             * @description How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word.
             * @default none
             * @enum {string}
             */
            motion?: "none" | "fade" | "pop" | "rise" | "typewriter";
            /**
             * @description Shows the text in capitals, as far as the fonts have them. Times do not change.
             * @default false
             */
            uppercase?: boolean;
            /** @description The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words. */
            maxWords?: number;
            /** @description The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons. */
            maxWidth?: number;
        };
        /** @description Captions of this voice-over. */
        BaseVideoMixOptionsVoicePoolSubtitle: {
            /**
             * @description URL of an SRT or VTT file.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /** @description The text to show, in place of `url`. It is split into captions of at most two lines, each line of the text separately. */
            text?: string;
            /**
             * @description How the captions of `text` get their times. `voice`: when the voice-over speaks them, found by its pauses; `even`: by the length of their texts, over the voice-over if there is one, otherwise over the video without its intro and outro. Without a voice-over, both are the same.
             * @enum {string}
             */
            timing?: "voice" | "even";
            /**
             * @description The audio that the speech service transcribes for the captions, in place of `url`. `voice`: the voice-over, and the audio of the scenes; `clips`: the clips' own audio. An error if the installation cannot transcribe.
             * @enum {string}
             */
            from?: "voice" | "clips";
            /** @description Captions with their times, in place of `url`, in any order. */
            cues?: components["schemas"]["BaseVideoMixOptionsVoicePoolSubtitleCue"][];
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            style?: components["schemas"]["BaseVideoMixOptionsVoicePoolSubtitleStyle"];
        };
        /** @description A voice-over and its captions. */
        BaseVideoMixOptionsVoicePool: {
            audio: components["schemas"]["BaseVideoMixOptionsVoicePoolAudio"];
            subtitle?: components["schemas"]["BaseVideoMixOptionsVoicePoolSubtitle"];
        };
        /** @description Options; each has a default. */
        BaseVideoMixOptions: {
            /**
             * @description Encoding effort: `draft` is the fastest, `high` gives the best quality. The default is set by the installation, usually `standard`.
             * @enum {string}
             */
            preset?: "draft" | "standard" | "high";
            /**
             * @description Width and height of the output.
             * @default 720:1280
             * @enum {string}
             */
            resolution?: "720:1280" | "1080:1920" | "1280:720" | "1920:1080" | "1080:1080" | "1080:1350" | "720:720";
            /**
             * @description How a clip of another shape is scaled: `none` shows all of it with bars, `crop` fills the frame and crops, `stretch` distorts.
             * @default none
             * @enum {string}
             */
            resolutionMode?: "none" | "crop" | "stretch";
            /**
             * @description Background of a clip that does not fill the frame or is transparent: black, a blurred copy of the clip, or a colour (#RRGGBB).
             * @default black
             */
            background?: string | components["schemas"]["BaseVideoMixOptionsBackgroundName"] | unknown;
            /**
             * @description Colour look of the clips, but not of intros and outros: a name in the catalogue of looks; `random` draws one for each output.
             * @default none
             * @enum {string}
             */
            look?: "none" | "random" | "warm" | "cool" | "teal-orange" | "faded" | "vivid" | "mono" | "noir" | "sepia" | "forest" | "rose" | "dusk" | "bleach" | "film";
            /**
             * @description Frame rate of the output, in frames per second.
             * @default 30
             * @enum {integer}
             */
            fps?: 25 | 30 | 50 | 60;
            /**
             * @description What determines the length of an output. `clips`: its clips or scenes; `voice`: its voice-over and `tail`. Clips of `baseVideoMix` are then shown in turn until the voice ends; scenes of `proVideoMix` become longer or shorter.
             * @default clips
             * @enum {string}
             */
            length?: "clips" | "voice";
            /** @description How long an output continues after its voice-over, with `length: "voice"`. */
            tail?: number;
            /** @description The maximum length of one showing of a clip. Longer clips continue the next time if they are shown again. */
            clipSeconds?: number;
            /**
             * @description Volume of the clips' own audio in percent.
             * @default 100
             */
            originalVolume?: number;
            /**
             * @description Lowers the music during speech.
             * @default false
             */
            ducking?: boolean;
            /** @description Normalizes the mix to this loudness in LUFS (EBU R128). */
            loudness?: number;
            /**
             * @description Duration of a fade-out of the whole mix at the end of the video, in seconds.
             * @default 0
             */
            fadeOut?: number;
            backgroundMusic?: components["schemas"]["BaseVideoMixOptionsBackgroundMusic"];
            audio?: components["schemas"]["BaseVideoMixOptionsAudio"];
            subtitle?: components["schemas"]["BaseVideoMixOptionsSubtitle"];
            /**
             * @description Motion of images used as clips: zoom in or out, or pan left or right; `random` chooses one for each image.
             * @default none
             * @enum {string}
             */
            imageMotion?: "none" | "zoomIn" | "zoomOut" | "panLeft" | "panRight" | "random";
            /** @description Intro clips, shown before everything else. Each output uses one; all are used before any is repeated. */
            introPool?: components["schemas"]["BaseVideoMixOptionsIntroPool"][];
            /** @description Outro clips, shown after everything else. Each output uses one; all are used before any is repeated. */
            outroPool?: components["schemas"]["BaseVideoMixOptionsOutroPool"][];
            transition?: components["schemas"]["BaseVideoMixOptionsTransition"];
            /**
             * @description Images, videos and texts above the clips and below the captions: images and videos in this order, then the texts. At most 3 are videos.
             * @default []
             */
            overlays?: components["schemas"]["BaseVideoMixOptionsOverlay"][];
            cover?: components["schemas"]["BaseVideoMixOptionsCover"];
            /**
             * @description Effects during parts of the output, above the clips and below overlays and captions.
             * @default []
             */
            effects?: components["schemas"]["BaseVideoMixOptionsEffect"][];
            /**
             * @description Sounds that are played once, such as a whoosh or a click.
             * @default []
             */
            sounds?: components["schemas"]["BaseVideoMixOptionsSound"][];
            /** @description Several music files instead of `backgroundMusic`. Each output uses one; all are used before any is repeated. */
            backgroundMusicPool?: components["schemas"]["BaseVideoMixOptionsBackgroundMusicPool"][];
            /** @description Voice-overs with their captions, instead of `audio` and `subtitle`. Each output uses one; all are used before any is repeated. */
            voicePool?: components["schemas"]["BaseVideoMixOptionsVoicePool"][];
        };
        /** @description The clip in the right or bottom half. It is trimmed to the length of this one, or repeats if it is shorter. */
        BaseVideoMixVideoVideoSecond: {
            /**
             * @description URL of the second clip.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
            /**
             * @description Start of its excerpt, in seconds from the beginning of the file.
             * @default 0
             */
            from?: number;
            /** @description End of its excerpt, in seconds from the beginning of the file. */
            to?: number;
        };
        /** @description One clip. */
        BaseVideoMixVideoVideo: {
            /**
             * @description URL of the clip.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
            /** @description Declared length in seconds, used only to estimate the price. For an image: how long it is shown; 3 s if omitted. */
            duration?: number;
            /**
             * @description Volume of the clip's own audio in percent. It multiplies `options.originalVolume`.
             * @default 100
             */
            volume?: number;
            /**
             * @description Speed of the clip; the pitch of its audio is kept. Its length in the output is divided by it. It has no effect on an image.
             * @default 1
             */
            speed?: number;
            /**
             * @description Colour look of the clip.
             * @enum {string}
             */
            look?: "none" | "random" | "warm" | "cool" | "teal-orange" | "faded" | "vivid" | "mono" | "noir" | "sepia" | "forest" | "rose" | "dusk" | "bleach" | "film";
            /**
             * @description Motion, if the clip is an image.
             * @enum {string}
             */
            imageMotion?: "none" | "zoomIn" | "zoomOut" | "panLeft" | "panRight" | "random";
            /**
             * @description Start of the excerpt, in seconds from the beginning of the file.
             * @default 0
             */
            from?: number;
            /** @description End of the excerpt, in seconds from the beginning of the file. */
            to?: number;
            /**
             * @description Shows two clips at once: this one in the left or top half of the frame, `second` in the other half.
             * @enum {string}
             */
            layout?: "left-right" | "top-bottom";
            second?: components["schemas"]["BaseVideoMixVideoVideoSecond"];
            /** @description A name for your own use; it has no effect. */
            sceneName?: string;
        };
        /** @description One group. */
        BaseVideoMixVideo: {
            /** @description Clips of the group, in order. */
            videos: components["schemas"]["BaseVideoMixVideoVideo"][];
            /** @description Trims the output to this many seconds; a shorter output is not changed. */
            totalDuration?: number;
        };
        /** @description Parameters of the task. */
        BaseVideoMixParams: {
            /** @description Seed of all random choices. If omitted, a random seed is used. */
            seed?: number;
            options?: components["schemas"]["BaseVideoMixOptions"];
            /** @description Groups of clips; each group produces one output. */
            videoList: components["schemas"]["BaseVideoMixVideo"][];
            /**
             * @description Trims every clip of a group to the length of the shortest clip.
             * @default false
             */
            isShortest?: boolean;
        };
        /**
         * @example {
         *       "taskType": "baseVideoMix",
         *       "clientTaskId": "order-1002",
         *       "params": {
         *         "videoList": [
         *           {
         *             "videos": [
         *               {
         *                 "url": "https://media.example.com/opening.mp4",
         *                 "duration": 5.3
         *               },
         *               {
         *                 "url": "https://media.example.com/city.mp4",
         *                 "duration": 7.6
         *               }
         *             ]
         *           }
         *         ],
         *         "options": {
         *           "resolution": "720:1280",
         *           "resolutionMode": "crop",
         *           "backgroundMusic": {
         *             "url": "https://media.example.com/music.mp3",
         *             "volume": 40
         *           },
         *           "subtitle": {
         *             "url": "https://media.example.com/captions.srt",
         *             "style": {
         *               "bottom": 160
         *             }
         *           }
         *         }
         *       }
         *     }
         */
        BaseVideoMixRequest: {
            /**
             * @description Type of the task; it determines the structure of `params`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            taskType: "baseVideoMix";
            params: components["schemas"]["BaseVideoMixParams"];
            /**
             * @description URL that receives one callback when the task has reached a final state.
             * @example https://example.com/hooks/clipmill
             */
            callbackUrl?: string;
            /** @description Your own ID for this job (idempotency key). Sending the same body with the same ID again returns the existing task and costs nothing. */
            clientTaskId?: string;
            /** @description Name of the task, for use in `list`. It affects neither the videos nor the comparison with earlier requests. */
            name?: string;
            /** @description Up to ten labels, for use in `list`. */
            labels?: string[];
            /** @description Maximum price of the task. A submission with a higher estimate fails with 40201; a task with a higher confirmed price is rejected. */
            maxPoints?: number;
        };
        /** @enum {unknown} */
        ProVideoMixOptionsBackgroundName: "black" | "blur";
        /** @description Music that loops until the video ends. */
        ProVideoMixOptionsBackgroundMusic: {
            /**
             * @description URL of an audio file, or of a video with audio. If omitted, nothing plays.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /**
             * @description Where in its file the used part begins, in seconds. This part is repeated until the video ends.
             * @default 0
             */
            from?: number;
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            /** @description Use only this many seconds of the file; 0 plays nothing. */
            duration?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Duration of the fade-in, in seconds.
             * @default 0.5
             */
            fadeIn?: number;
            /**
             * @description Duration of the fade-out, in seconds.
             * @default 0.5
             */
            fadeOut?: number;
        };
        /** @description Voice-over that plays once from the start: a file, or a text to speak. */
        ProVideoMixOptionsAudio: {
            /**
             * @description URL of an audio file, or of a video with audio. Without `url` and `text`, nothing plays.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /** @description A text to speak, in place of `url`. */
            text?: string;
            /** @description The voice that speaks `text`: a name in the list of voices. */
            voice?: string;
            /**
             * @description The speed at which `text` is spoken.
             * @default 1
             */
            speed?: number;
            /**
             * @description Time at which the voice-over begins, in seconds after the intro. Captions that follow it begin as much later.
             * @default 0
             */
            start?: number;
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            /** @description Use only this many seconds of the file; 0 plays nothing. */
            duration?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Duration of the fade-in, in seconds.
             * @default 0.5
             */
            fadeIn?: number;
            /**
             * @description Duration of the fade-out, in seconds.
             * @default 0.5
             */
            fadeOut?: number;
        };
        /** @description A word. */
        ProVideoMixOptionsSubtitleCueWord: {
            /** @description Time at which the word begins, in seconds after the intro. */
            start: number;
            /** @description Time at which the word ends, in seconds after the intro. It stays highlighted until the next one begins. */
            end: number;
            /** @description The word as it is written in the text of the caption. */
            text: string;
        };
        /** @description A caption. */
        ProVideoMixOptionsSubtitleCue: {
            /** @description Time at which the caption appears, in seconds after the intro. */
            start: number;
            /** @description Time at which the caption disappears, in seconds after the intro. */
            end: number;
            /** @description Text of the caption. Lines break at its line breaks and wherever they would be too wide. */
            text: string;
            /**
             * @description Words of the text with the times at which they are spoken, for `highlight`.
             * @default []
             */
            words?: components["schemas"]["ProVideoMixOptionsSubtitleCueWord"][];
        };
        /** @enum {unknown} */
        ProVideoMixOptionsSubtitleStyleFontName: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
        /** @description Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words. */
        ProVideoMixOptionsSubtitleStyleHighlight: {
            /**
             * @description Colour of the spoken word.
             * @example #FFFFFF
             */
            color?: string;
            /**
             * @description Colour of a box behind the spoken word. `radius` rounds its corners.
             * @example #FFFFFF
             */
            box?: string;
            /** @description Size of the spoken word, relative to the other words. Nothing else moves. */
            scale?: number;
        };
        /**
         * @description Style of the text.
         * @default {}
         */
        ProVideoMixOptionsSubtitleStyle: {
            /**
             * @description Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.
             * @enum {string}
             */
            preset?: "clean" | "bold-pop" | "karaoke" | "karaoke-box" | "impact" | "build" | "typewriter" | "label" | "neon" | "headline";
            /**
             * @description Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.
             * @default 14
             */
            fontSize?: number;
            /**
             * @description Colour of the text.
             * @default #FFFFFF
             * @example #FFFFFF
             */
            fontColor?: string;
            /**
             * @description Colour of the outline.
             * @example #FFFFFF
             */
            outlineColor?: string;
            /**
             * @description Colour of a box behind the text.
             * @example #FFFFFF
             */
            backColor?: string;
            /**
             * @description Distance from the bottom edge to the text, in pixels of the output.
             * @default 50
             */
            bottom?: number;
            /**
             * @description Multiplies `fontSize`.
             * @default 2.5
             */
            magnification?: number;
            /** @description Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks. */
            font?: string | components["schemas"]["ProVideoMixOptionsSubtitleStyleFontName"] | unknown;
            /**
             * @description Weight of the letters.
             * @default regular
             * @enum {string}
             */
            weight?: "regular" | "bold";
            /**
             * @description Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.
             * @default bottom
             * @enum {string}
             */
            place?: "bottom" | "lower-third" | "middle" | "top";
            /**
             * @description Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.
             * @default 0
             */
            shadow?: number;
            /**
             * @description Corner radius of the box, in hundredths of an em.
             * @default 0
             */
            radius?: number;
            highlight?: components["schemas"]["ProVideoMixOptionsSubtitleStyleHighlight"];
            /**
             * @description The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.
             * @default line
             * @enum {string}
             */
            words?: "line" | "one" | "grow";
            /**
             * @description How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word.
             * @default none
             * @enum {string}
             */
            motion?: "none" | "fade" | "pop" | "rise" | "typewriter";
            /**
             * @description Shows the text in capitals, as far as the fonts have them. Times do not change.
             * @default false
             */
            uppercase?: boolean;
            /** @description The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words. */
            maxWords?: number;
            /** @description The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons. */
            maxWidth?: number;
        };
        /** @description Subtitles, burned into the video, from one of `url`, `text`, `cues` and `from`. */
        ProVideoMixOptionsSubtitle: {
            /**
             * @description URL of an SRT or VTT file. Without `url`, `text`, `cues` and `from`, no subtitles are shown.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /** @description The text to show, in place of `url`. It is split into captions of at most two lines, each line of the text separately. */
            text?: string;
            /**
             * @description How the captions of `text` get their times. `voice`: when the voice-over speaks them, found by its pauses; `even`: by the length of their texts, over the voice-over if there is one, otherwise over the video without its intro and outro. Without a voice-over, both are the same.
             * @enum {string}
             */
            timing?: "voice" | "even";
            /**
             * @description The audio that the speech service transcribes for the captions, in place of `url`. `voice`: the voice-over, and the audio of the scenes; `clips`: the clips' own audio. An error if the installation cannot transcribe.
             * @enum {string}
             */
            from?: "voice" | "clips";
            /** @description Captions with their times, in place of `url`, in any order. */
            cues?: components["schemas"]["ProVideoMixOptionsSubtitleCue"][];
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            style?: components["schemas"]["ProVideoMixOptionsSubtitleStyle"];
        };
        /** @description An intro. */
        ProVideoMixOptionsIntroPool: {
            /**
             * @description URL of the clip.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
        };
        /** @description An outro. */
        ProVideoMixOptionsOutroPool: {
            /**
             * @description URL of the clip.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
        };
        /** @description Transitions between clips. Clips overlap, so the output is shorter by the overlaps. */
        ProVideoMixOptionsTransition: {
            /** @description Names in the catalogue. One is chosen at random for each cut; all are used before any is repeated. */
            names: ("fade" | "fadeblack" | "fadewhite" | "fadegrays" | "dissolve" | "pixelize" | "hblur" | "slideleft" | "slideright" | "slideup" | "slidedown" | "zoomthrough" | "whippan" | "spin" | "glitch" | "wipeleft" | "wiperight" | "wipeup" | "wipedown" | "smoothleft" | "smoothright" | "smoothup" | "smoothdown" | "circleopen" | "circleclose" | "circlecrop" | "rectcrop" | "vertopen" | "vertclose" | "horzopen" | "horzclose" | "radial" | "diagtl" | "diagbr" | "hlslice" | "hrslice" | "vuslice" | "vdslice" | "squeezeh" | "squeezev")[];
            /**
             * @description Overlap of two clips in seconds; less if a clip is too short.
             * @default 0.5
             */
            duration?: number;
        };
        /** @description Makes one colour of the video transparent (green screen) and removes its reflection from the rest. */
        ProVideoMixOptionsOverlayKey: {
            /**
             * @description The colour that becomes transparent, such as the green of a screen. It must not be a grey.
             * @example #FFFFFF
             */
            color: string;
            /**
             * @description How much a pixel may differ from the colour and still be fully transparent, in percent of the way from the colour to one that has none of it.
             * @default 10
             */
            tolerance?: number;
            /**
             * @description The part of the rest of that way over which pixels become opaque, in percent: 100 keeps edges exactly as soft as they are, 0 makes them hard.
             * @default 90
             */
            softness?: number;
        };
        /** @enum {string} */
        ProVideoMixOptionsOverlayPlaceName: "top-left" | "top" | "top-right" | "left" | "middle" | "right" | "bottom-left" | "bottom" | "bottom-right";
        ProVideoMixOptionsOverlayPlace: {
            /** @description Distance of the centre from the left edge, in percent of the output's width. */
            x: number;
            /** @description Distance of the centre from the top edge, in percent of the output's height. */
            y: number;
        };
        /** @enum {unknown} */
        ProVideoMixOptionsOverlayStyleFontName: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
        /** @description Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words. */
        ProVideoMixOptionsOverlayStyleHighlight: {
            /**
             * @description Colour of the spoken word.
             * @example #FFFFFF
             */
            color?: string;
            /**
             * @description Colour of a box behind the spoken word. `radius` rounds its corners.
             * @example #FFFFFF
             */
            box?: string;
            /** @description Size of the spoken word, relative to the other words. Nothing else moves. */
            scale?: number;
        };
        /**
         * @description Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here.
         * @default {}
         */
        ProVideoMixOptionsOverlayStyle: {
            /**
             * @description Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.
             * @enum {string}
             */
            preset?: "clean" | "bold-pop" | "karaoke" | "karaoke-box" | "impact" | "build" | "typewriter" | "label" | "neon" | "headline";
            /**
             * @description Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.
             * @default 14
             */
            fontSize?: number;
            /**
             * @description Colour of the text.
             * @default #FFFFFF
             * @example #FFFFFF
             */
            fontColor?: string;
            /**
             * @description Colour of the outline.
             * @example #FFFFFF
             */
            outlineColor?: string;
            /**
             * @description Colour of a box behind the text.
             * @example #FFFFFF
             */
            backColor?: string;
            /**
             * @description Distance from the bottom edge to the text, in pixels of the output.
             * @default 50
             */
            bottom?: number;
            /**
             * @description Multiplies `fontSize`.
             * @default 2.5
             */
            magnification?: number;
            /** @description Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks. */
            font?: string | components["schemas"]["ProVideoMixOptionsOverlayStyleFontName"] | unknown;
            /**
             * @description Weight of the letters.
             * @default regular
             * @enum {string}
             */
            weight?: "regular" | "bold";
            /**
             * @description Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.
             * @default bottom
             * @enum {string}
             */
            place?: "bottom" | "lower-third" | "middle" | "top";
            /**
             * @description Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.
             * @default 0
             */
            shadow?: number;
            /**
             * @description Corner radius of the box, in hundredths of an em.
             * @default 0
             */
            radius?: number;
            highlight?: components["schemas"]["ProVideoMixOptionsOverlayStyleHighlight"];
            /**
             * @description The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.
             * @default line
             * @enum {string}
             */
            words?: "line" | "one" | "grow";
            /**
             * @description How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word.
             * @default none
             * @enum {string}
             */
            motion?: "none" | "fade" | "pop" | "rise" | "typewriter";
            /**
             * @description Shows the text in capitals, as far as the fonts have them. Times do not change.
             * @default false
             */
            uppercase?: boolean;
            /** @description The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words. */
            maxWords?: number;
            /** @description The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons. */
            maxWidth?: number;
        };
        /** @description An image, a video or a text. */
        ProVideoMixOptionsOverlay: {
            /**
             * @description Type of the overlay.
             * @enum {string}
             */
            type: "image" | "video" | "text";
            /**
             * @description URL of the file. For an image: PNG, JPEG or WebP, with or without alpha; of an animated image, the first frame is shown. For a video: a video file, an animated GIF, PNG or WebP, at most 3840 pixels on its long side.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /**
             * @description Width of the image or video in percent of the output's width; less if it would be taller than the output.
             * @default 20
             */
            width?: number;
            /**
             * @description Opacity of the image or video, multiplied by its own alpha.
             * @default 100
             */
            opacity?: number;
            /**
             * @description Whether the video repeats until `end`. Otherwise it disappears when it ends.
             * @default false
             */
            loop?: boolean;
            /**
             * @description Volume of the video's own audio, in percent of amplitude.
             * @default 0
             */
            volume?: number;
            key?: components["schemas"]["ProVideoMixOptionsOverlayKey"];
            /** @description The text. Lines break at its line breaks and wherever they would exceed `maxWidth`. */
            text?: string;
            /** @description Several texts instead of `text`. Each output uses one; all are used before any is repeated. */
            texts?: string[];
            /**
             * @description Maximum width of a line, in percent of the output's width.
             * @default 90
             */
            maxWidth?: number;
            /** @description Position: a corner, the middle of an edge or of the frame, or `{x, y}` for its centre. An overlay is always fully inside the frame. */
            place?: components["schemas"]["ProVideoMixOptionsOverlayPlaceName"] | components["schemas"]["ProVideoMixOptionsOverlayPlace"];
            /**
             * @description Distance from the nearest edges, in percent of the output's short side. It does not apply to `{x, y}`.
             * @default 4
             */
            margin?: number;
            /**
             * @description Time in the output at which the overlay appears, in seconds.
             * @default 0
             */
            start?: number;
            /** @description Time in the output at which the overlay disappears, in seconds. */
            end?: number;
            /**
             * @description Motion with which the overlay appears. A slide moves in the direction of its name, from outside the frame.
             * @default none
             * @enum {string}
             */
            enter?: "none" | "fade" | "pop" | "slide-left" | "slide-right" | "slide-up" | "slide-down";
            /**
             * @description Length of that motion in seconds.
             * @default 0.3
             */
            enterSeconds?: number;
            /**
             * @description Motion with which the overlay disappears. A slide moves in the direction of its name, out of the frame.
             * @default none
             * @enum {string}
             */
            leave?: "none" | "fade" | "pop" | "slide-left" | "slide-right" | "slide-up" | "slide-down";
            /**
             * @description Length of that motion in seconds. If both motions together are longer than the overlay is shown, both are shortened in proportion, with a warning.
             * @default 0.3
             */
            leaveSeconds?: number;
            style?: components["schemas"]["ProVideoMixOptionsOverlayStyle"];
        };
        /** @enum {unknown} */
        ProVideoMixOptionsCoverTitleStyleFontName: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
        /** @description Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words. */
        ProVideoMixOptionsCoverTitleStyleHighlight: {
            /**
             * @description Colour of the spoken word.
             * @example #FFFFFF
             */
            color?: string;
            /**
             * @description Colour of a box behind the spoken word. `radius` rounds its corners.
             * @example #FFFFFF
             */
            box?: string;
            /** @description Size of the spoken word, relative to the other words. Nothing else moves. */
            scale?: number;
        };
        /** @description Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here. */
        ProVideoMixOptionsCoverTitleStyle: {
            /**
             * @description Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.
             * @enum {string}
             */
            preset?: "clean" | "bold-pop" | "karaoke" | "karaoke-box" | "impact" | "build" | "typewriter" | "label" | "neon" | "headline";
            /**
             * @description Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.
             * @default 14
             */
            fontSize?: number;
            /**
             * @description Colour of the text.
             * @default #FFFFFF
             * @example #FFFFFF
             */
            fontColor?: string;
            /**
             * @description Colour of the outline.
             * @example #FFFFFF
             */
            outlineColor?: string;
            /**
             * @description Colour of a box behind the text.
             * @example #FFFFFF
             */
            backColor?: string;
            /**
             * @description Distance from the bottom edge to the text, in pixels of the output.
             * @default 50
             */
            bottom?: number;
            /**
             * @description Multiplies `fontSize`.
             * @default 2.5
             */
            magnification?: number;
            /** @description Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks. */
            font?: string | components["schemas"]["ProVideoMixOptionsCoverTitleStyleFontName"] | unknown;
            /**
             * @description Weight of the letters.
             * @default regular
             * @enum {string}
             */
            weight?: "regular" | "bold";
            /**
             * @description Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.
             * @default bottom
             * @enum {string}
             */
            place?: "bottom" | "lower-third" | "middle" | "top";
            /**
             * @description Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.
             * @default 0
             */
            shadow?: number;
            /**
             * @description Corner radius of the box, in hundredths of an em.
             * @default 0
             */
            radius?: number;
            highlight?: components["schemas"]["ProVideoMixOptionsCoverTitleStyleHighlight"];
            /**
             * @description The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.
             * @default line
             * @enum {string}
             */
            words?: "line" | "one" | "grow";
            /**
             * @description How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word.
             * @default none
             * @enum {string}
             */
            motion?: "none" | "fade" | "pop" | "rise" | "typewriter";
            /**
             * @description Shows the text in capitals, as far as the fonts have them. Times do not change.
             * @default false
             */
            uppercase?: boolean;
            /** @description The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words. */
            maxWords?: number;
            /** @description The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons. */
            maxWidth?: number;
        };
        /** @description A text in the middle of the cover. */
        ProVideoMixOptionsCoverTitle: {
            /** @description The text. Lines break at its line breaks and wherever they would exceed 90 percent of the width. */
            text: string;
            style?: components["schemas"]["ProVideoMixOptionsCoverTitleStyle"];
        };
        /** @description The cover of each output: a frame of it (`at`) or an image (`url`), with a title. Without `at` and `url`, the service chooses a sharp, well-exposed frame. */
        ProVideoMixOptionsCover: {
            /** @description Time in the output of the frame that becomes the cover, in seconds. A time after the end means the last frame, with a warning. */
            at?: number;
            /**
             * @description URL of an image (PNG, JPEG or WebP), in place of `at`. It fills the frame; the rest is cropped.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            title?: components["schemas"]["ProVideoMixOptionsCoverTitle"];
        };
        /** @description An effect. */
        ProVideoMixOptionsEffect: {
            /**
             * @description Name of an effect in the catalogue. If omitted, no effect is applied.
             * @enum {string}
             */
            value?: "flash" | "strobe" | "light-leak" | "lens-flare" | "rainbow" | "sparkle" | "bokeh" | "snow" | "rain" | "fog" | "confetti" | "dream" | "lens-blur" | "vignette" | "spotlight" | "cinema-bars" | "zoom-pulse" | "shake" | "ripple" | "mirror-tile" | "pixelate" | "film-grain" | "old-film" | "vhs" | "glitch" | "rgb-split" | "neon-edges" | "comic" | "thermal" | "duotone";
            /**
             * @description Strength in percent.
             * @default 3
             */
            trans?: number;
            /**
             * @description Duration in seconds; 0 disables the effect.
             * @default 0.5
             */
            duration?: number;
            /**
             * @description Start of the effect, in percent of the length.
             * @default 0
             */
            position?: number;
        };
        /** @description A sound. */
        ProVideoMixOptionsSound: {
            /**
             * @description URL of an audio file, or of a video with audio.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
            /**
             * @description Time in the output at which the sound begins, in seconds. A sound that begins after the end is not played, with a warning.
             * @default 0
             */
            at?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Where in its file the used part begins, in seconds.
             * @default 0
             */
            from?: number;
            /** @description Use only this many seconds. */
            duration?: number;
        };
        /** @description Music for some of the outputs. */
        ProVideoMixOptionsBackgroundMusicPool: {
            /**
             * @description URL of an audio file, or of a video with audio.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
            /**
             * @description Where in its file the used part begins, in seconds. This part is repeated until the video ends.
             * @default 0
             */
            from?: number;
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            /** @description Use only this many seconds of the file; 0 plays nothing. */
            duration?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Duration of the fade-in, in seconds.
             * @default 0.5
             */
            fadeIn?: number;
            /**
             * @description Duration of the fade-out, in seconds.
             * @default 0.5
             */
            fadeOut?: number;
        };
        /** @description The voice-over: a file, or a text to speak. */
        ProVideoMixOptionsVoicePoolAudio: {
            /**
             * @description URL of an audio file, or of a video with audio.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /** @description A text to speak, in place of `url`. */
            text?: string;
            /** @description The voice that speaks `text`: a name in the list of voices. */
            voice?: string;
            /**
             * @description The speed at which `text` is spoken.
             * @default 1
             */
            speed?: number;
            /**
             * @description Time at which the voice-over begins, in seconds after the intro. Captions that follow it begin as much later.
             * @default 0
             */
            start?: number;
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            /** @description Use only this many seconds of the file; 0 plays nothing. */
            duration?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 80
             */
            volume?: number;
            /**
             * @description Duration of the fade-in, in seconds.
             * @default 0.5
             */
            fadeIn?: number;
            /**
             * @description Duration of the fade-out, in seconds.
             * @default 0.5
             */
            fadeOut?: number;
        };
        /** @description A word. */
        ProVideoMixOptionsVoicePoolSubtitleCueWord: {
            /** @description Time at which the word begins, in seconds after the intro. */
            start: number;
            /** @description Time at which the word ends, in seconds after the intro. It stays highlighted until the next one begins. */
            end: number;
            /** @description The word as it is written in the text of the caption. */
            text: string;
        };
        /** @description A caption. */
        ProVideoMixOptionsVoicePoolSubtitleCue: {
            /** @description Time at which the caption appears, in seconds after the intro. */
            start: number;
            /** @description Time at which the caption disappears, in seconds after the intro. */
            end: number;
            /** @description Text of the caption. Lines break at its line breaks and wherever they would be too wide. */
            text: string;
            /**
             * @description Words of the text with the times at which they are spoken, for `highlight`.
             * @default []
             */
            words?: components["schemas"]["ProVideoMixOptionsVoicePoolSubtitleCueWord"][];
        };
        /** @enum {unknown} */
        ProVideoMixOptionsVoicePoolSubtitleStyleFontName: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
        /** @description Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words. */
        ProVideoMixOptionsVoicePoolSubtitleStyleHighlight: {
            /**
             * @description Colour of the spoken word.
             * @example #FFFFFF
             */
            color?: string;
            /**
             * @description Colour of a box behind the spoken word. `radius` rounds its corners.
             * @example #FFFFFF
             */
            box?: string;
            /** @description Size of the spoken word, relative to the other words. Nothing else moves. */
            scale?: number;
        };
        /**
         * @description Style of the text.
         * @default {}
         */
        ProVideoMixOptionsVoicePoolSubtitleStyle: {
            /**
             * @description Name of a style in the catalogue of caption styles. It sets the fields that this object does not have.
             * @enum {string}
             */
            preset?: "clean" | "bold-pop" | "karaoke" | "karaoke-box" | "impact" | "build" | "typewriter" | "label" | "neon" | "headline";
            /**
             * @description Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output.
             * @default 14
             */
            fontSize?: number;
            /**
             * @description Colour of the text.
             * @default #FFFFFF
             * @example #FFFFFF
             */
            fontColor?: string;
            /**
             * @description Colour of the outline.
             * @example #FFFFFF
             */
            outlineColor?: string;
            /**
             * @description Colour of a box behind the text.
             * @example #FFFFFF
             */
            backColor?: string;
            /**
             * @description Distance from the bottom edge to the text, in pixels of the output.
             * @default 50
             */
            bottom?: number;
            /**
             * @description Multiplies `fontSize`.
             * @default 2.5
             */
            magnification?: number;
            /** @description Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks. */
            font?: string | components["schemas"]["ProVideoMixOptionsVoicePoolSubtitleStyleFontName"] | unknown;
            /**
             * @description Weight of the letters.
             * @default regular
             * @enum {string}
             */
            weight?: "regular" | "bold";
            /**
             * @description Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred.
             * @default bottom
             * @enum {string}
             */
            place?: "bottom" | "lower-third" | "middle" | "top";
            /**
             * @description Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it.
             * @default 0
             */
            shadow?: number;
            /**
             * @description Corner radius of the box, in hundredths of an em.
             * @default 0
             */
            radius?: number;
            highlight?: components["schemas"]["ProVideoMixOptionsVoicePoolSubtitleStyleHighlight"];
            /**
             * @description The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption.
             * @default line
             * @enum {string}
             */
            words?: "line" | "one" | "grow";
            /**
             * @description How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word.
             * @default none
             * @enum {string}
             */
            motion?: "none" | "fade" | "pop" | "rise" | "typewriter";
            /**
             * @description Shows the text in capitals, as far as the fonts have them. Times do not change.
             * @default false
             */
            uppercase?: boolean;
            /** @description The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words. */
            maxWords?: number;
            /** @description The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons. */
            maxWidth?: number;
        };
        /** @description Captions of this voice-over. */
        ProVideoMixOptionsVoicePoolSubtitle: {
            /**
             * @description URL of an SRT or VTT file.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /** @description The text to show, in place of `url`. It is split into captions of at most two lines, each line of the text separately. */
            text?: string;
            /**
             * @description How the captions of `text` get their times. `voice`: when the voice-over speaks them, found by its pauses; `even`: by the length of their texts, over the voice-over if there is one, otherwise over the video without its intro and outro. Without a voice-over, both are the same.
             * @enum {string}
             */
            timing?: "voice" | "even";
            /**
             * @description The audio that the speech service transcribes for the captions, in place of `url`. `voice`: the voice-over, and the audio of the scenes; `clips`: the clips' own audio. An error if the installation cannot transcribe.
             * @enum {string}
             */
            from?: "voice" | "clips";
            /** @description Captions with their times, in place of `url`, in any order. */
            cues?: components["schemas"]["ProVideoMixOptionsVoicePoolSubtitleCue"][];
            /** @description A name for your own use; it has no effect. */
            fileName?: string;
            style?: components["schemas"]["ProVideoMixOptionsVoicePoolSubtitleStyle"];
        };
        /** @description A voice-over and its captions. */
        ProVideoMixOptionsVoicePool: {
            audio: components["schemas"]["ProVideoMixOptionsVoicePoolAudio"];
            subtitle?: components["schemas"]["ProVideoMixOptionsVoicePoolSubtitle"];
        };
        /** @description Options; each has a default. */
        ProVideoMixOptions: {
            /**
             * @description Encoding effort: `draft` is the fastest, `high` gives the best quality. The default is set by the installation, usually `standard`.
             * @enum {string}
             */
            preset?: "draft" | "standard" | "high";
            /**
             * @description Where in their files clips start. `begin`: with the first frame; `random`: at random positions, chosen so that outputs share as little footage as possible; `shots`: likewise, but at detected cuts. `shots` avoids black, frozen and blurred footage as long as there is other footage.
             * @default begin
             * @enum {string}
             */
            clipStart?: "begin" | "random" | "shots";
            /**
             * @description Trims every scene of an output to the length of its shortest scene.
             * @default false
             */
            isShortest?: boolean;
            /**
             * @description Width and height of the output.
             * @default 720:1280
             * @enum {string}
             */
            resolution?: "720:1280" | "1080:1920" | "1280:720" | "1920:1080" | "1080:1080" | "1080:1350" | "720:720";
            /**
             * @description How a clip of another shape is scaled: `none` shows all of it with bars, `crop` fills the frame and crops, `stretch` distorts.
             * @default none
             * @enum {string}
             */
            resolutionMode?: "none" | "crop" | "stretch";
            /**
             * @description Background of a clip that does not fill the frame or is transparent: black, a blurred copy of the clip, or a colour (#RRGGBB).
             * @default black
             */
            background?: string | components["schemas"]["ProVideoMixOptionsBackgroundName"] | unknown;
            /**
             * @description Colour look of the clips, but not of intros and outros: a name in the catalogue of looks; `random` draws one for each output.
             * @default none
             * @enum {string}
             */
            look?: "none" | "random" | "warm" | "cool" | "teal-orange" | "faded" | "vivid" | "mono" | "noir" | "sepia" | "forest" | "rose" | "dusk" | "bleach" | "film";
            /**
             * @description Frame rate of the output, in frames per second.
             * @default 30
             * @enum {integer}
             */
            fps?: 25 | 30 | 50 | 60;
            /**
             * @description What determines the length of an output. `clips`: its clips or scenes; `voice`: its voice-over and `tail`. Clips of `baseVideoMix` are then shown in turn until the voice ends; scenes of `proVideoMix` become longer or shorter.
             * @default clips
             * @enum {string}
             */
            length?: "clips" | "voice";
            /** @description How long an output continues after its voice-over, with `length: "voice"`. */
            tail?: number;
            /** @description The maximum length of one showing of a clip. Longer clips continue the next time if they are shown again. */
            clipSeconds?: number;
            /**
             * @description Volume of the clips' own audio in percent.
             * @default 100
             */
            originalVolume?: number;
            /**
             * @description Lowers the music during speech.
             * @default false
             */
            ducking?: boolean;
            /** @description Normalizes the mix to this loudness in LUFS (EBU R128). */
            loudness?: number;
            /**
             * @description Duration of a fade-out of the whole mix at the end of the video, in seconds.
             * @default 0
             */
            fadeOut?: number;
            backgroundMusic?: components["schemas"]["ProVideoMixOptionsBackgroundMusic"];
            audio?: components["schemas"]["ProVideoMixOptionsAudio"];
            subtitle?: components["schemas"]["ProVideoMixOptionsSubtitle"];
            /**
             * @description Motion of images used as clips: zoom in or out, or pan left or right; `random` chooses one for each image.
             * @default none
             * @enum {string}
             */
            imageMotion?: "none" | "zoomIn" | "zoomOut" | "panLeft" | "panRight" | "random";
            /** @description Intro clips, shown before everything else. Each output uses one; all are used before any is repeated. */
            introPool?: components["schemas"]["ProVideoMixOptionsIntroPool"][];
            /** @description Outro clips, shown after everything else. Each output uses one; all are used before any is repeated. */
            outroPool?: components["schemas"]["ProVideoMixOptionsOutroPool"][];
            transition?: components["schemas"]["ProVideoMixOptionsTransition"];
            /**
             * @description Images, videos and texts above the clips and below the captions: images and videos in this order, then the texts. At most 3 are videos.
             * @default []
             */
            overlays?: components["schemas"]["ProVideoMixOptionsOverlay"][];
            cover?: components["schemas"]["ProVideoMixOptionsCover"];
            /**
             * @description Effects during parts of the output, above the clips and below overlays and captions.
             * @default []
             */
            effects?: components["schemas"]["ProVideoMixOptionsEffect"][];
            /**
             * @description Sounds that are played once, such as a whoosh or a click.
             * @default []
             */
            sounds?: components["schemas"]["ProVideoMixOptionsSound"][];
            /** @description Several music files instead of `backgroundMusic`. Each output uses one; all are used before any is repeated. */
            backgroundMusicPool?: components["schemas"]["ProVideoMixOptionsBackgroundMusicPool"][];
            /** @description Voice-overs with their captions, instead of `audio` and `subtitle`. Each output uses one; all are used before any is repeated. */
            voicePool?: components["schemas"]["ProVideoMixOptionsVoicePool"][];
        };
        /** @description One clip. */
        ProVideoMixSceneResource: {
            /** @description A key for your own use; it has no effect. */
            key?: string;
            /**
             * @description URL of the clip.
             * @example https://media.example.com/clip.mp4
             */
            url: string;
            /** @description Declared length in seconds, used only to estimate the price. */
            duration?: number;
            /**
             * @description Volume of the clip's own audio in percent. It multiplies `options.originalVolume`.
             * @default 100
             */
            volume?: number;
            /**
             * @description Speed of the clip; the pitch of its audio is kept. Its length in the output is divided by it. It has no effect on an image.
             * @default 1
             */
            speed?: number;
            /**
             * @description Colour look of the clip.
             * @enum {string}
             */
            look?: "none" | "random" | "warm" | "cool" | "teal-orange" | "faded" | "vivid" | "mono" | "noir" | "sepia" | "forest" | "rose" | "dusk" | "bleach" | "film";
            /**
             * @description Motion, if the clip is an image.
             * @enum {string}
             */
            imageMotion?: "none" | "zoomIn" | "zoomOut" | "panLeft" | "panRight" | "random";
            /**
             * @description Start of the excerpt, in seconds from the beginning of the file.
             * @default 0
             */
            from?: number;
            /** @description End of the excerpt, in seconds from the beginning of the file. */
            to?: number;
        };
        /** @description One audio file, or a text to speak. */
        ProVideoMixSceneAudioResource: {
            /**
             * @description URL of an audio file, or of a video with audio. An entry without `url` and `text` is skipped with a warning.
             * @example https://media.example.com/clip.mp4
             */
            url?: string;
            /** @description A text to speak, in place of `url`. */
            text?: string;
            /** @description The voice that speaks `text`: a name in the list of voices. */
            voice?: string;
            /**
             * @description The speed at which `text` is spoken.
             * @default 1
             */
            speed?: number;
            /** @description Use only this many seconds from the beginning of the file; 0 plays nothing. */
            duration?: number;
            /**
             * @description `split`: seconds after the start of the scene; `merge`: silence before this audio, in seconds.
             * @default 0
             */
            startTime?: number;
            /**
             * @description Volume in percent of amplitude.
             * @default 100
             */
            volume?: number;
        };
        /** @description One scene. */
        ProVideoMixScene: {
            /** @description Unique key of the scene. */
            sceneKey: string;
            /** @description Name of the scene. */
            sceneName: string;
            /** @description Length of the scene in seconds. A longer clip is trimmed, a slightly shorter one holds its last frame, a shorter one loops. */
            duration: number;
            /**
             * @description What determines how long the scene lasts. `duration`: its `duration`; `voice`: its audio, from the start of the scene to the end of the audio. `duration` is then only the declared length.
             * @default duration
             * @enum {string}
             */
            length?: "duration" | "voice";
            /**
             * @description Where in their files the clips of this scene start.
             * @enum {string}
             */
            clipStart?: "begin" | "random" | "shots";
            /** @description Candidate clips; each output uses one. */
            resources: components["schemas"]["ProVideoMixSceneResource"][];
            /**
             * @description Audio of the scene. If there are several entries, each output uses a random one.
             * @default []
             */
            audioResources?: components["schemas"]["ProVideoMixSceneAudioResource"][];
            /** @description The script of the scene, shown as captions when its audio speaks it, or spread over the scene. `options.subtitle` can set the `style` and `timing` of these captions, but no other captions. */
            text?: string;
        };
        /** @description Parameters of the task. */
        ProVideoMixParams: {
            /** @description Seed of all random choices. If omitted, a random seed is used. */
            seed?: number;
            options?: components["schemas"]["ProVideoMixOptions"];
            /** @description Scenes in order. Their total length must not exceed the maximum length of an output. */
            scenes: components["schemas"]["ProVideoMixScene"][];
            /**
             * @description `split`: the audio of each scene plays within its scene; `merge`: the audio of all scenes is joined into one track from the start.
             * @enum {string}
             */
            audioMode: "merge" | "split";
            /** @description Number of different videos to make. */
            generateCount?: number;
            /** @description Like `generateCount`, for more videos. Set exactly one of the two. An installation can set a lower limit. */
            outputCount?: number;
            /**
             * @description Combinations to use first: each row has one index into `resources` for each scene. The remaining combinations are chosen at random.
             * @default []
             */
            combinations?: number[][];
            /**
             * @description Where the clips of `combinations` start: one row for each row of `combinations`, in the form of `recipe.starts`.
             * @default []
             */
            starts?: number[][];
            /**
             * @description Which clips the scenes of `combinations` show one after another: one row for each row of `combinations`, in the form of `recipe.fill`.
             * @default []
             */
            fill?: {
                /** @description Index into the scene's `resources`. */
                resource: number;
                /** @description Where it begins, in seconds from the beginning of the file. */
                start: number;
                /** @description How long it is shown. The last one is cut or continues until the scene ends. */
                seconds: number;
            }[][][];
        };
        /**
         * @example {
         *       "taskType": "proVideoMix",
         *       "clientTaskId": "order-1003",
         *       "params": {
         *         "audioMode": "split",
         *         "generateCount": 2,
         *         "scenes": [
         *           {
         *             "sceneKey": "opening",
         *             "sceneName": "Opening",
         *             "duration": 3,
         *             "resources": [
         *               {
         *                 "url": "https://media.example.com/opening-1.mp4"
         *               },
         *               {
         *                 "url": "https://media.example.com/opening-2.mp4"
         *               }
         *             ]
         *           },
         *           {
         *             "sceneKey": "product",
         *             "sceneName": "Product",
         *             "duration": 4,
         *             "resources": [
         *               {
         *                 "url": "https://media.example.com/product-1.mp4"
         *               },
         *               {
         *                 "url": "https://media.example.com/product-2.mp4"
         *               }
         *             ],
         *             "audioResources": [
         *               {
         *                 "url": "https://media.example.com/voice.mp3",
         *                 "startTime": 0.5
         *               }
         *             ]
         *           }
         *         ],
         *         "options": {
         *           "resolution": "1080:1920"
         *         }
         *       }
         *     }
         */
        ProVideoMixRequest: {
            /**
             * @description Type of the task; it determines the structure of `params`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            taskType: "proVideoMix";
            params: components["schemas"]["ProVideoMixParams"];
            /**
             * @description URL that receives one callback when the task has reached a final state.
             * @example https://example.com/hooks/clipmill
             */
            callbackUrl?: string;
            /** @description Your own ID for this job (idempotency key). Sending the same body with the same ID again returns the existing task and costs nothing. */
            clientTaskId?: string;
            /** @description Name of the task, for use in `list`. It affects neither the videos nor the comparison with earlier requests. */
            name?: string;
            /** @description Up to ten labels, for use in `list`. */
            labels?: string[];
            /** @description Maximum price of the task. A submission with a higher estimate fails with 40201; a task with a higher confirmed price is rejected. */
            maxPoints?: number;
        };
        /** @description A task has ended. */
        TaskCallbackEvent: {
            type: components["schemas"]["EventType"];
            /**
             * Format: date-time
             * @description When the task ended.
             */
            timestamp: string;
            /** @description `true` in a message that `testCallback` sent; otherwise absent. */
            test?: boolean;
            data: components["schemas"]["Task"];
        };
        /** @description A batch has ended. */
        BatchCallbackEvent: {
            type: components["schemas"]["BatchEventType"];
            /**
             * Format: date-time
             * @description When the batch ended.
             */
            timestamp: string;
            /** @description `true` in a message that `testCallback` sent; otherwise absent. */
            test?: boolean;
            data: components["schemas"]["Batch"];
        };
        /**
         * @description Selects rows by state; `failed` includes refused rows.
         * @enum {string}
         */
        RowFilterName: "waiting" | "made" | "refused" | "cancelled" | "failed";
        /**
         * @description How batches are listed among tasks.
         * @enum {string}
         */
        FoldName: "fold";
        /** @description An error. */
        ErrorAnswer: {
            /**
             * @description The first three digits are the HTTP status.
             * @enum {integer}
             */
            code: 40000 | 40001 | 40100 | 40101 | 40200 | 40201 | 40300 | 40301 | 40400 | 40401 | 40500 | 40900 | 40901 | 40902 | 40903 | 40904 | 40905 | 40906 | 40907 | 40908 | 40909 | 40910 | 40911 | 40912 | 40913 | 41000 | 41300 | 41500 | 42200 | 42900 | 42901 | 42902 | 42903 | 42904 | 42905 | 42906 | 42907 | 50000 | 50300 | 50301;
            /** @description Cause of the failure, and how to fix it. */
            msg: string;
            /** @description Depends on `code`; null if the error has no data. */
            data: components["schemas"]["ErrorData"] | null;
        };
        /** @description Details of an error, by its code. */
        ErrorData: {
            /** @description 40001: every field that cannot be accepted. */
            errors?: components["schemas"]["FieldError"][];
            /** @description 40001 of a batch: number of all errors, `errors` may list only the first ones. */
            total?: number;
            /** @description 40000, 40909, 42200, 50301: the cause that `msg` contains. */
            cause?: components["schemas"]["Message"];
            /** @description 40200: points that are needed. */
            needed?: number;
            /** @description 40200: points that can be spent. */
            available?: number;
            /** @description 40201: the estimate. */
            price?: number;
            /** @description 40201: the limit of the request. */
            maxPoints?: number;
            /** @description 40201: the row of a batch whose limit is exceeded; 40913: the row that has not failed. */
            row?: number;
            /** @description 40300: the scope that the key lacks. */
            scope?: string;
            /** @description 40301: why the user is disabled. */
            reason?: string;
            /** @description 40900, 40901, 40903, 41000: the task; 40903 of a batch: its number. */
            taskNo?: string;
            /** @description 40900, 40907, 40913: the batch. */
            batchNo?: string;
            /** @description 40901, 40907: state of the task or batch. */
            status?: number;
            /** @description 40901, 40907: the state in words. */
            statusName?: string;
            /** @description 40902: bytes that are stored. */
            storedBytes?: number;
            /** @description 40904: number of the task, template or batch that needs the file. */
            neededBy?: string;
            /** @description 40910: `updateTime` of the stored draft. */
            updateTime?: string;
            /** @description 40905: newest version of the template. */
            version?: number;
            /** @description 42900, 42903, 42906, 42907: seconds to wait. */
            seconds?: number;
            /** @description 42901: tasks that have not ended. */
            openTasks?: number;
            /** @description 42902: streams that are open. */
            openStreams?: number;
            /** @description 42904: batches that have not ended. */
            openBatches?: number;
            /** @description 42905: outputs that were cancelled or rejected within an hour. */
            givenUp?: number;
            /** @description 42906: characters of texts that you listened to today. */
            spokenCharacters?: number;
            /** @description 40902, 40906, 40908, 40911, 42901, 42902, 42904, 42905, 42906: the limit. */
            limit?: number;
        };
        /** @description One field that cannot be accepted. */
        FieldError: {
            /** @description JSON Pointer into the body; `/query/…` for a parameter. */
            path: string;
            message: string;
            /** @description Stable code of the message, listed in docs/api/messages.md; null for messages of early versions. */
            code: string | null;
            /** @description Values in the text by name; null without a code. */
            params: components["schemas"]["MessageParams"] | null;
            /** @description Value that was sent, shortened when long. */
            got: unknown;
            /** @description Summary of the allowed values. */
            allowed: string | null;
            /** @description For an error in the table of a batch: the row, from 1. */
            row?: number;
            /** @description For an error in the table of a batch: the column; null if the error does not concern a column. */
            column?: string | null;
        };
        OptionString: null | string;
        VecShare: components["schemas"]["Share"][];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Account = components['schemas']['Account'];
export type Attempt = components['schemas']['Attempt'];
export type Balance = components['schemas']['Balance'];
export type BatchCallback = components['schemas']['BatchCallback'];
export type BatchEstimate = components['schemas']['BatchEstimate'];
export type BatchEvent = components['schemas']['BatchEvent'];
export type BatchEventType = components['schemas']['BatchEventType'];
export type BatchRow = components['schemas']['BatchRow'];
export type Batch = components['schemas']['Batch'];
export type Bilingual = components['schemas']['Bilingual'];
export type BrandRequest = components['schemas']['BrandRequest'];
export type Brand = components['schemas']['Brand'];
export type CallbackStatus = components['schemas']['CallbackStatus'];
export type CallbackTestRequest = components['schemas']['CallbackTestRequest'];
export type CallbackTest = components['schemas']['CallbackTest'];
export type Callback = components['schemas']['Callback'];
export type CaptionStyleCatalogue = components['schemas']['CaptionStyleCatalogue'];
export type CaptionStyleEntry = components['schemas']['CaptionStyleEntry'];
export type Catalogue = components['schemas']['Catalogue'];
export type CatalogueEntry = components['schemas']['CatalogueEntry'];
export type ChangedDraft = components['schemas']['ChangedDraft'];
export type CommentRequest = components['schemas']['CommentRequest'];
export type Deduction = components['schemas']['Deduction'];
export type Delivery = components['schemas']['Delivery'];
export type DirectUpload = components['schemas']['DirectUpload'];
export type DiversityPair = components['schemas']['DiversityPair'];
export type Diversity = components['schemas']['Diversity'];
export type DraftOverview = components['schemas']['DraftOverview'];
export type Draft = components['schemas']['Draft'];
export type ErrorCodeName = components['schemas']['ErrorCodeName'];
export type ItemError = components['schemas']['ItemError'];
export type Estimate = components['schemas']['Estimate'];
export type EventName = components['schemas']['EventName'];
export type TaskEvent = components['schemas']['TaskEvent'];
export type EventType = components['schemas']['EventType'];
export type FailureCause = components['schemas']['FailureCause'];
export type FailureCauses = components['schemas']['FailureCauses'];
export type Failure = components['schemas']['Failure'];
export type FileRequest = components['schemas']['FileRequest'];
export type OutputFile = components['schemas']['OutputFile'];
export type FontCatalogue = components['schemas']['FontCatalogue'];
export type FontEntry = components['schemas']['FontEntry'];
export type GrantRequest = components['schemas']['GrantRequest'];
export type Grant = components['schemas']['Grant'];
export type Health = components['schemas']['Health'];
export type InvitationCode = components['schemas']['InvitationCode'];
export type InvitationRequest = components['schemas']['InvitationRequest'];
export type Invitation = components['schemas']['Invitation'];
export type Item = components['schemas']['Item'];
export type KeyRequest = components['schemas']['KeyRequest'];
export type Key = components['schemas']['Key'];
export type Keys = components['schemas']['Keys'];
export type LibraryFile = components['schemas']['LibraryFile'];
export type Listening = components['schemas']['Listening'];
export type MediaAudio = components['schemas']['MediaAudio'];
export type MediaKindName = components['schemas']['MediaKindName'];
export type Media = components['schemas']['Media'];
export type MediaVideo = components['schemas']['MediaVideo'];
export type MessageParams = components['schemas']['MessageParams'];
export type Message = components['schemas']['Message'];
export type NewBatch = components['schemas']['NewBatch'];
export type NewDraft = components['schemas']['NewDraft'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type NewKey = components['schemas']['NewKey'];
export type NewShare = components['schemas']['NewShare'];
export type NewTemplate = components['schemas']['NewTemplate'];
export type NewUserRequest = components['schemas']['NewUserRequest'];
export type NewUser = components['schemas']['NewUser'];
export type Output = components['schemas']['Output'];
export type PageTask = components['schemas']['PageTask'];
export type Part = components['schemas']['Part'];
export type PauseRequest = components['schemas']['PauseRequest'];
export type Pause = components['schemas']['Pause'];
export type Paused = components['schemas']['Paused'];
export type PickRequest = components['schemas']['PickRequest'];
export type Pick = components['schemas']['Pick'];
export type Presign = components['schemas']['Presign'];
export type PreviewClip = components['schemas']['PreviewClip'];
export type Preview = components['schemas']['Preview'];
export type Probe = components['schemas']['Probe'];
export type Quality = components['schemas']['Quality'];
export type QueueDepth = components['schemas']['QueueDepth'];
export type Queue = components['schemas']['Queue'];
export type RecordType = components['schemas']['RecordType'];
export type PointsRecord = components['schemas']['PointsRecord'];
export type RedeemedInvitation = components['schemas']['RedeemedInvitation'];
export type Requeued = components['schemas']['Requeued'];
export type RowStateName = components['schemas']['RowStateName'];
export type Running = components['schemas']['Running'];
export type SavedTemplate = components['schemas']['SavedTemplate'];
export type SentUpload = components['schemas']['SentUpload'];
export type ShareComment = components['schemas']['ShareComment'];
export type ShareFeedback = components['schemas']['ShareFeedback'];
export type Share = components['schemas']['Share'];
export type SharedTask = components['schemas']['SharedTask'];
export type SharedVideo = components['schemas']['SharedVideo'];
export type SoundRequest = components['schemas']['SoundRequest'];
export type StateName = components['schemas']['StateName'];
export type Submission = components['schemas']['Submission'];
export type Submit = components['schemas']['Submit'];
export type SubmittedBatch = components['schemas']['SubmittedBatch'];
export type SwitchOff = components['schemas']['SwitchOff'];
export type Switched = components['schemas']['Switched'];
export type TaskLabel = components['schemas']['TaskLabel'];
export type TaskNaming = components['schemas']['TaskNaming'];
export type TaskRequest = components['schemas']['TaskRequest'];
export type TaskToShare = components['schemas']['TaskToShare'];
export type TaskTypeName = components['schemas']['TaskTypeName'];
export type Task = components['schemas']['Task'];
export type TemplateOverview = components['schemas']['TemplateOverview'];
export type TemplateRef = components['schemas']['TemplateRef'];
export type Template = components['schemas']['Template'];
export type UploadName = components['schemas']['UploadName'];
export type Upload = components['schemas']['Upload'];
export type UsageSum = components['schemas']['UsageSum'];
export type Usage = components['schemas']['Usage'];
export type UserLoad = components['schemas']['UserLoad'];
export type UserTask = components['schemas']['UserTask'];
export type UserUsage = components['schemas']['UserUsage'];
export type User = components['schemas']['User'];
export type VariableDefault = components['schemas']['VariableDefault'];
export type Variable = components['schemas']['Variable'];
export type VariableTypeName = components['schemas']['VariableTypeName'];
export type VariableValue = components['schemas']['VariableValue'];
export type ViewerComment = components['schemas']['ViewerComment'];
export type ViewerFeedback = components['schemas']['ViewerFeedback'];
export type VoiceCatalogue = components['schemas']['VoiceCatalogue'];
export type VoiceEntry = components['schemas']['VoiceEntry'];
export type Remark = components['schemas']['Remark'];
export type WideShare = components['schemas']['WideShare'];
export type Worker = components['schemas']['Worker'];
export type Workers = components['schemas']['Workers'];
export type PageBatchRow = components['schemas']['PageBatchRow'];
export type PageBatch = components['schemas']['PageBatch'];
export type PageDiversityPair = components['schemas']['PageDiversityPair'];
export type PageDraftOverview = components['schemas']['PageDraftOverview'];
export type PageFailure = components['schemas']['PageFailure'];
export type PageInvitation = components['schemas']['PageInvitation'];
export type PageLibraryFile = components['schemas']['PageLibraryFile'];
export type PageOutput = components['schemas']['PageOutput'];
export type PageRecord = components['schemas']['PageRecord'];
export type PageTemplateOverview = components['schemas']['PageTemplateOverview'];
export type PageUser = components['schemas']['PageUser'];
export type TemplateUse = components['schemas']['TemplateUse'];
export type VideoDeduplicationOptionsFrameExtraction = components['schemas']['VideoDeduplicationOptionsFrameExtraction'];
export type VideoDeduplicationOptionsSpeed = components['schemas']['VideoDeduplicationOptionsSpeed'];
export type VideoDeduplicationOptionsRotation = components['schemas']['VideoDeduplicationOptionsRotation'];
export type VideoDeduplicationOptionsZoom = components['schemas']['VideoDeduplicationOptionsZoom'];
export type VideoDeduplicationOptionsColourMixing = components['schemas']['VideoDeduplicationOptionsColourMixing'];
export type VideoDeduplicationOptionsHueMixing = components['schemas']['VideoDeduplicationOptionsHueMixing'];
export type VideoDeduplicationOptionsColorBalance = components['schemas']['VideoDeduplicationOptionsColorBalance'];
export type VideoDeduplicationOptionsPip = components['schemas']['VideoDeduplicationOptionsPIP'];
export type VideoDeduplicationOptionsPicMask = components['schemas']['VideoDeduplicationOptionsPicMask'];
export type VideoDeduplicationOptionsVideoMask = components['schemas']['VideoDeduplicationOptionsVideoMask'];
export type VideoDeduplicationOptionsEffect = components['schemas']['VideoDeduplicationOptionsEffect'];
export type VideoDeduplicationOptionsCoverTitleStyleFontName = components['schemas']['VideoDeduplicationOptionsCoverTitleStyleFontName'];
export type VideoDeduplicationOptionsCoverTitleStyleHighlight = components['schemas']['VideoDeduplicationOptionsCoverTitleStyleHighlight'];
export type VideoDeduplicationOptionsCoverTitleStyle = components['schemas']['VideoDeduplicationOptionsCoverTitleStyle'];
export type VideoDeduplicationOptionsCoverTitle = components['schemas']['VideoDeduplicationOptionsCoverTitle'];
export type VideoDeduplicationOptionsCover = components['schemas']['VideoDeduplicationOptionsCover'];
export type VideoDeduplicationOptions = components['schemas']['VideoDeduplicationOptions'];
export type VideoDeduplicationVideo = components['schemas']['VideoDeduplicationVideo'];
export type VideoDeduplicationParams = components['schemas']['VideoDeduplicationParams'];
export type VideoDeduplicationRequest = components['schemas']['VideoDeduplicationRequest'];
export type BaseVideoMixOptionsBackgroundName = components['schemas']['BaseVideoMixOptionsBackgroundName'];
export type BaseVideoMixOptionsBackgroundMusic = components['schemas']['BaseVideoMixOptionsBackgroundMusic'];
export type BaseVideoMixOptionsAudio = components['schemas']['BaseVideoMixOptionsAudio'];
export type BaseVideoMixOptionsSubtitleCueWord = components['schemas']['BaseVideoMixOptionsSubtitleCueWord'];
export type BaseVideoMixOptionsSubtitleCue = components['schemas']['BaseVideoMixOptionsSubtitleCue'];
export type BaseVideoMixOptionsSubtitleStyleFontName = components['schemas']['BaseVideoMixOptionsSubtitleStyleFontName'];
export type BaseVideoMixOptionsSubtitleStyleHighlight = components['schemas']['BaseVideoMixOptionsSubtitleStyleHighlight'];
export type BaseVideoMixOptionsSubtitleStyle = components['schemas']['BaseVideoMixOptionsSubtitleStyle'];
export type BaseVideoMixOptionsSubtitle = components['schemas']['BaseVideoMixOptionsSubtitle'];
export type BaseVideoMixOptionsIntroPool = components['schemas']['BaseVideoMixOptionsIntroPool'];
export type BaseVideoMixOptionsOutroPool = components['schemas']['BaseVideoMixOptionsOutroPool'];
export type BaseVideoMixOptionsTransition = components['schemas']['BaseVideoMixOptionsTransition'];
export type BaseVideoMixOptionsOverlayKey = components['schemas']['BaseVideoMixOptionsOverlayKey'];
export type BaseVideoMixOptionsOverlayPlaceName = components['schemas']['BaseVideoMixOptionsOverlayPlaceName'];
export type BaseVideoMixOptionsOverlayPlace = components['schemas']['BaseVideoMixOptionsOverlayPlace'];
export type BaseVideoMixOptionsOverlayStyleFontName = components['schemas']['BaseVideoMixOptionsOverlayStyleFontName'];
export type BaseVideoMixOptionsOverlayStyleHighlight = components['schemas']['BaseVideoMixOptionsOverlayStyleHighlight'];
export type BaseVideoMixOptionsOverlayStyle = components['schemas']['BaseVideoMixOptionsOverlayStyle'];
export type BaseVideoMixOptionsOverlay = components['schemas']['BaseVideoMixOptionsOverlay'];
export type BaseVideoMixOptionsCoverTitleStyleFontName = components['schemas']['BaseVideoMixOptionsCoverTitleStyleFontName'];
export type BaseVideoMixOptionsCoverTitleStyleHighlight = components['schemas']['BaseVideoMixOptionsCoverTitleStyleHighlight'];
export type BaseVideoMixOptionsCoverTitleStyle = components['schemas']['BaseVideoMixOptionsCoverTitleStyle'];
export type BaseVideoMixOptionsCoverTitle = components['schemas']['BaseVideoMixOptionsCoverTitle'];
export type BaseVideoMixOptionsCover = components['schemas']['BaseVideoMixOptionsCover'];
export type BaseVideoMixOptionsEffect = components['schemas']['BaseVideoMixOptionsEffect'];
export type BaseVideoMixOptionsSound = components['schemas']['BaseVideoMixOptionsSound'];
export type BaseVideoMixOptionsBackgroundMusicPool = components['schemas']['BaseVideoMixOptionsBackgroundMusicPool'];
export type BaseVideoMixOptionsVoicePoolAudio = components['schemas']['BaseVideoMixOptionsVoicePoolAudio'];
export type BaseVideoMixOptionsVoicePoolSubtitleCueWord = components['schemas']['BaseVideoMixOptionsVoicePoolSubtitleCueWord'];
export type BaseVideoMixOptionsVoicePoolSubtitleCue = components['schemas']['BaseVideoMixOptionsVoicePoolSubtitleCue'];
export type BaseVideoMixOptionsVoicePoolSubtitleStyleFontName = components['schemas']['BaseVideoMixOptionsVoicePoolSubtitleStyleFontName'];
export type BaseVideoMixOptionsVoicePoolSubtitleStyleHighlight = components['schemas']['BaseVideoMixOptionsVoicePoolSubtitleStyleHighlight'];
export type BaseVideoMixOptionsVoicePoolSubtitleStyle = components['schemas']['BaseVideoMixOptionsVoicePoolSubtitleStyle'];
export type BaseVideoMixOptionsVoicePoolSubtitle = components['schemas']['BaseVideoMixOptionsVoicePoolSubtitle'];
export type BaseVideoMixOptionsVoicePool = components['schemas']['BaseVideoMixOptionsVoicePool'];
export type BaseVideoMixOptions = components['schemas']['BaseVideoMixOptions'];
export type BaseVideoMixVideoVideoSecond = components['schemas']['BaseVideoMixVideoVideoSecond'];
export type BaseVideoMixVideoVideo = components['schemas']['BaseVideoMixVideoVideo'];
export type BaseVideoMixVideo = components['schemas']['BaseVideoMixVideo'];
export type BaseVideoMixParams = components['schemas']['BaseVideoMixParams'];
export type BaseVideoMixRequest = components['schemas']['BaseVideoMixRequest'];
export type ProVideoMixOptionsBackgroundName = components['schemas']['ProVideoMixOptionsBackgroundName'];
export type ProVideoMixOptionsBackgroundMusic = components['schemas']['ProVideoMixOptionsBackgroundMusic'];
export type ProVideoMixOptionsAudio = components['schemas']['ProVideoMixOptionsAudio'];
export type ProVideoMixOptionsSubtitleCueWord = components['schemas']['ProVideoMixOptionsSubtitleCueWord'];
export type ProVideoMixOptionsSubtitleCue = components['schemas']['ProVideoMixOptionsSubtitleCue'];
export type ProVideoMixOptionsSubtitleStyleFontName = components['schemas']['ProVideoMixOptionsSubtitleStyleFontName'];
export type ProVideoMixOptionsSubtitleStyleHighlight = components['schemas']['ProVideoMixOptionsSubtitleStyleHighlight'];
export type ProVideoMixOptionsSubtitleStyle = components['schemas']['ProVideoMixOptionsSubtitleStyle'];
export type ProVideoMixOptionsSubtitle = components['schemas']['ProVideoMixOptionsSubtitle'];
export type ProVideoMixOptionsIntroPool = components['schemas']['ProVideoMixOptionsIntroPool'];
export type ProVideoMixOptionsOutroPool = components['schemas']['ProVideoMixOptionsOutroPool'];
export type ProVideoMixOptionsTransition = components['schemas']['ProVideoMixOptionsTransition'];
export type ProVideoMixOptionsOverlayKey = components['schemas']['ProVideoMixOptionsOverlayKey'];
export type ProVideoMixOptionsOverlayPlaceName = components['schemas']['ProVideoMixOptionsOverlayPlaceName'];
export type ProVideoMixOptionsOverlayPlace = components['schemas']['ProVideoMixOptionsOverlayPlace'];
export type ProVideoMixOptionsOverlayStyleFontName = components['schemas']['ProVideoMixOptionsOverlayStyleFontName'];
export type ProVideoMixOptionsOverlayStyleHighlight = components['schemas']['ProVideoMixOptionsOverlayStyleHighlight'];
export type ProVideoMixOptionsOverlayStyle = components['schemas']['ProVideoMixOptionsOverlayStyle'];
export type ProVideoMixOptionsOverlay = components['schemas']['ProVideoMixOptionsOverlay'];
export type ProVideoMixOptionsCoverTitleStyleFontName = components['schemas']['ProVideoMixOptionsCoverTitleStyleFontName'];
export type ProVideoMixOptionsCoverTitleStyleHighlight = components['schemas']['ProVideoMixOptionsCoverTitleStyleHighlight'];
export type ProVideoMixOptionsCoverTitleStyle = components['schemas']['ProVideoMixOptionsCoverTitleStyle'];
export type ProVideoMixOptionsCoverTitle = components['schemas']['ProVideoMixOptionsCoverTitle'];
export type ProVideoMixOptionsCover = components['schemas']['ProVideoMixOptionsCover'];
export type ProVideoMixOptionsEffect = components['schemas']['ProVideoMixOptionsEffect'];
export type ProVideoMixOptionsSound = components['schemas']['ProVideoMixOptionsSound'];
export type ProVideoMixOptionsBackgroundMusicPool = components['schemas']['ProVideoMixOptionsBackgroundMusicPool'];
export type ProVideoMixOptionsVoicePoolAudio = components['schemas']['ProVideoMixOptionsVoicePoolAudio'];
export type ProVideoMixOptionsVoicePoolSubtitleCueWord = components['schemas']['ProVideoMixOptionsVoicePoolSubtitleCueWord'];
export type ProVideoMixOptionsVoicePoolSubtitleCue = components['schemas']['ProVideoMixOptionsVoicePoolSubtitleCue'];
export type ProVideoMixOptionsVoicePoolSubtitleStyleFontName = components['schemas']['ProVideoMixOptionsVoicePoolSubtitleStyleFontName'];
export type ProVideoMixOptionsVoicePoolSubtitleStyleHighlight = components['schemas']['ProVideoMixOptionsVoicePoolSubtitleStyleHighlight'];
export type ProVideoMixOptionsVoicePoolSubtitleStyle = components['schemas']['ProVideoMixOptionsVoicePoolSubtitleStyle'];
export type ProVideoMixOptionsVoicePoolSubtitle = components['schemas']['ProVideoMixOptionsVoicePoolSubtitle'];
export type ProVideoMixOptionsVoicePool = components['schemas']['ProVideoMixOptionsVoicePool'];
export type ProVideoMixOptions = components['schemas']['ProVideoMixOptions'];
export type ProVideoMixSceneResource = components['schemas']['ProVideoMixSceneResource'];
export type ProVideoMixSceneAudioResource = components['schemas']['ProVideoMixSceneAudioResource'];
export type ProVideoMixScene = components['schemas']['ProVideoMixScene'];
export type ProVideoMixParams = components['schemas']['ProVideoMixParams'];
export type ProVideoMixRequest = components['schemas']['ProVideoMixRequest'];
export type TaskCallbackEvent = components['schemas']['TaskCallbackEvent'];
export type BatchCallbackEvent = components['schemas']['BatchCallbackEvent'];
export type RowFilterName = components['schemas']['RowFilterName'];
export type FoldName = components['schemas']['FoldName'];
export type ErrorAnswer = components['schemas']['ErrorAnswer'];
export type ErrorData = components['schemas']['ErrorData'];
export type FieldError = components['schemas']['FieldError'];
export type OptionString = components['schemas']['OptionString'];
export type VecShare = components['schemas']['VecShare'];
export type $defs = Record<string, never>;
export interface operations {
    taskEnded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same at every attempt.
                 * @example evt_VP01M7Y7SJE4P7BM18RVJ8SFE3ZB
                 */
                "webhook-id": string;
                /**
                 * @description The time of this attempt, in seconds since 1970.
                 * @example 1795237418
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body, separated by spaces; several while a secret is replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "task.completed",
                 *       "timestamp": "2026-11-21T05:03:38.517Z",
                 *       "data": {
                 *         "taskNo": "VP01M7Y7SJE4P7BM18RVJ8SFE3ZB",
                 *         "taskType": "videoDeduplication",
                 *         "status": 3,
                 *         "statusName": "completed",
                 *         "progressPercent": 100,
                 *         "taskId": 3,
                 *         "clientTaskId": null,
                 *         "name": "Spring sale",
                 *         "labels": [
                 *           "shop"
                 *         ],
                 *         "template": null,
                 *         "totalItems": 2,
                 *         "completedItems": 2,
                 *         "failedItems": 0,
                 *         "estimatedDotCount": 13,
                 *         "price": 13,
                 *         "consumedDotCount": 13,
                 *         "queuePosition": null,
                 *         "etaSeconds": null,
                 *         "createTime": "2026-11-21T05:03:18.980Z",
                 *         "startTime": "2026-11-21T05:03:28.102Z",
                 *         "finishTime": "2026-11-21T05:03:38.517Z",
                 *         "errorMsg": null,
                 *         "errorMsgCode": null,
                 *         "errorMsgParams": null,
                 *         "warnings": [],
                 *         "paused": null,
                 *         "diversity": {
                 *           "pairs": [
                 *             {
                 *               "items": [
                 *                 1,
                 *                 2
                 *               ],
                 *               "sharedSeconds": 0,
                 *               "similarity": 0.228
                 *             }
                 *           ],
                 *           "mostSimilar": {
                 *             "items": [
                 *               1,
                 *               2
                 *             ],
                 *             "sharedSeconds": 0,
                 *             "similarity": 0.228
                 *           },
                 *           "mostAlike": {
                 *             "items": [
                 *               1,
                 *               2
                 *             ],
                 *             "sharedSeconds": 0,
                 *             "similarity": 0.228
                 *           }
                 *         },
                 *         "coverUrl": "http://127.0.0.1:8080/files/VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1.jpg?expires=1795323827&signature=hQ2mT6x0Yb7cDkq1RrPzS5vVbN2uLhE6aXoG9iTfW48",
                 *         "downloadUrl": "http://127.0.0.1:8080/open-api/v1/download/VP01M7Y7SJE4P7BM18RVJ8SFE3ZB?expires=1795323827&signature=Jw8mFQ0x3Yc7tDkq1RrPzS5vVbN2uLhE6aXoG9iTfW4",
                 *         "items": [
                 *           {
                 *             "itemNo": 1,
                 *             "status": 3,
                 *             "statusName": "completed",
                 *             "progressPercent": 100,
                 *             "url": "http://127.0.0.1:8080/files/VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1.mp4?expires=1795323827&signature=fz8mFQ0x3Yc7tDkq1RrPzS5vVbN2uLhE6aXoG9iTfW4",
                 *             "coverUrl": "http://127.0.0.1:8080/files/VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1.jpg?expires=1795323827&signature=hQ2mT6x0Yb7cDkq1RrPzS5vVbN2uLhE6aXoG9iTfW48",
                 *             "expiresAt": "2026-11-22T05:03:47.000Z",
                 *             "fileExpiresAt": "2026-11-28T05:03:38.139Z",
                 *             "duration": 4.4,
                 *             "width": 1280,
                 *             "height": 720,
                 *             "fps": 30,
                 *             "sizeBytes": 1602622,
                 *             "sha256": "d3042a46f3b1c0de9a8b7c6d5e4f30211223344556677889900aabbccddeeff0",
                 *             "videoCodec": "h264",
                 *             "audioCodec": "aac",
                 *             "seed": 2024,
                 *             "recipe": {
                 *               "frameRate": 25.68,
                 *               "speed": 1.2,
                 *               "angle": 1.432,
                 *               "scale": 1.006,
                 *               "look": "noir",
                 *               "colour": {
                 *                 "brightness": 0,
                 *                 "contrast": 1.019,
                 *                 "saturation": 0.909,
                 *                 "gamma": 0.952
                 *               }
                 *             },
                 *             "quality": {
                 *               "framesPlanned": 132,
                 *               "framesFound": 132,
                 *               "durationErrorMs": 0,
                 *               "avDifferenceMs": 0,
                 *               "loudnessLufs": -34.1,
                 *               "truePeakDbtp": -13.5,
                 *               "blackSeconds": 0,
                 *               "frozenSeconds": 0,
                 *               "speed": 2.1
                 *             },
                 *             "warnings": [],
                 *             "error": null
                 *           },
                 *           {
                 *             "itemNo": 2,
                 *             "status": 3,
                 *             "statusName": "completed",
                 *             "progressPercent": 100,
                 *             "url": "http://127.0.0.1:8080/files/VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/2.mp4?expires=1795323827&signature=fz8mFQ0x3Yc7tDkq1RrPzS5vVbN2uLhE6aXoG9iTfW4",
                 *             "coverUrl": "http://127.0.0.1:8080/files/VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/2.jpg?expires=1795323827&signature=hQ2mT6x0Yb7cDkq1RrPzS5vVbN2uLhE6aXoG9iTfW48",
                 *             "expiresAt": "2026-11-22T05:03:47.000Z",
                 *             "fileExpiresAt": "2026-11-28T05:03:38.139Z",
                 *             "duration": 7.2,
                 *             "width": 1280,
                 *             "height": 720,
                 *             "fps": 30,
                 *             "sizeBytes": 2410233,
                 *             "sha256": "5b0c6e1f5c8b4f9d0a7de3c2b19f6a8877e4d5c3b2a1f0e9d8c7b6a594837261",
                 *             "videoCodec": "h264",
                 *             "audioCodec": "aac",
                 *             "seed": 2025,
                 *             "recipe": {
                 *               "frameRate": 26.11,
                 *               "speed": 1.06,
                 *               "angle": -0.871,
                 *               "scale": 1.012,
                 *               "look": "warm",
                 *               "colour": {
                 *                 "brightness": 0.01,
                 *                 "contrast": 1.004,
                 *                 "saturation": 1.082,
                 *                 "gamma": 1.021
                 *               }
                 *             },
                 *             "quality": {
                 *               "framesPlanned": 216,
                 *               "framesFound": 216,
                 *               "durationErrorMs": 0,
                 *               "avDifferenceMs": 0,
                 *               "loudnessLufs": -34.1,
                 *               "truePeakDbtp": -13.5,
                 *               "blackSeconds": 0,
                 *               "frozenSeconds": 0,
                 *               "speed": 2.1
                 *             },
                 *             "warnings": [],
                 *             "error": null
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TaskCallbackEvent"];
            };
        };
        responses: {
            /** @description The receiver wants no further attempts. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the message. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The message is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    batchEnded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event's id, the same at every attempt.
                 * @example evt_VP01M7Y7SJE4P7BM18RVJ8SFE3ZB
                 */
                "webhook-id": string;
                /**
                 * @description The time of this attempt, in seconds since 1970.
                 * @example 1795237418
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body, separated by spaces; several while a secret is replaced.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "batch.completed",
                 *       "timestamp": "2026-11-21T06:10:41.318Z",
                 *       "data": {
                 *         "batchNo": "BP01M7Y82K7QW3T9D5XN6RC4HMJA",
                 *         "clientBatchId": "june",
                 *         "name": "June",
                 *         "template": {
                 *           "templateNo": "TP01M7Y7SJE4P7BM18RVJ8SFE3ZB",
                 *           "version": 1
                 *         },
                 *         "status": 3,
                 *         "statusName": "completed",
                 *         "paused": false,
                 *         "progressPercent": 100,
                 *         "etaSeconds": null,
                 *         "totalRows": 2,
                 *         "waitingRows": 0,
                 *         "madeRows": 2,
                 *         "refusedRows": 0,
                 *         "totalItems": 2,
                 *         "completedItems": 2,
                 *         "failedItems": 0,
                 *         "estimatedDotCount": 10,
                 *         "consumedDotCount": 10,
                 *         "createTime": "2026-11-21T06:10:00.000Z",
                 *         "finishTime": "2026-11-21T06:10:41.318Z",
                 *         "downloadUrl": "http://127.0.0.1:8080/open-api/v1/batches/BP01M7Y82K7QW3T9D5XN6RC4HMJA/download?expires=1795323827&signature=Jw8mFQ0x3Yc7tDkq1RrPzS5vVbN2uLhE6aXoG9iTfW4",
                 *         "warnings": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BatchCallbackEvent"];
            };
        };
        responses: {
            /** @description The receiver wants no further attempts. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver accepted the message. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The message is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
