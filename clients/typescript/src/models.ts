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
        /** @description What the operator has set for the key and the service. */
        Account: {
            /** @description Scopes of the key: `read`, `submit`, `admin`. */
            scopes: string[];
            /** @description Where to ask for points or help: an email address or a URL. Null if the operator has not set it. */
            contact?: string | null;
        };
        /** @description One attempt to deliver. */
        Attempt: {
            /**
             * Format: date-time
             * @description When it began.
             */
            time: string;
            /**
             * Format: int64
             * @description Milliseconds until it was answered or given up; null when the service stopped meanwhile.
             */
            durationMs?: number | null;
            /**
             * Format: int32
             * @description HTTP status of the answer; null without one.
             */
            status?: number | null;
            /** @description Why it does not count as delivered; null when it does. */
            error?: string | null;
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
             * @description Points set aside for tasks under way.
             */
            held: number;
            /**
             * Format: int64
             * @description Both together.
             */
            total: number;
            account?: components["schemas"]["Account"] | null;
        };
        /** @description The callback of a batch and its delivery so far. */
        BatchCallback: {
            /** @description The `callbackUrl`. */
            url?: string | null;
            /**
             * @description `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: to be sent at `nextAttemptTime`;
             *     `sending`; `delivered`; `failed`: no attempt will follow.
             */
            status: components["schemas"]["CallbackStatus"];
            /** @description The `webhook-id` of every attempt; null before the end. */
            eventId?: string | null;
            /**
             * Format: date-time
             * @description When the task or batch ended.
             */
            createTime?: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null where none is.
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
             * @description Number of output videos of all rows.
             */
            totalItems: number;
            /**
             * Format: int64
             * @description Points that would be held.
             */
            estimatedDotCount: number;
            /** @description Paths begin with `/rows/…`, counted from 0. */
            warnings: components["schemas"]["Remark"][];
        };
        /** @description An event of a batch. */
        BatchEvent: {
            /** @description `state` or `progress`. */
            event: string;
            /** @description Stands for all events up to this one; a client that connects again sends it as `Last-Event-ID`. */
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
            /** @description Its values, as they came. */
            values: Record<string, never>;
            state: components["schemas"]["RowStateName"];
            /** @description The task that it became. */
            taskNo?: string | null;
            /**
             * Format: int32
             * @description State of that task, while it is kept.
             */
            taskStatus?: number | null;
            /**
             * Format: int32
             * @description Videos of that task: delivered ones, and those that failed.
             */
            completedItems: number;
            /** Format: int32 */
            failedItems: number;
            /** @description Summary of the failures in that task. */
            taskError?: string | null;
            /** @description Why it never became a task. */
            error?: string | null;
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
            /** @description Whether no further row becomes a task for now. */
            paused: boolean;
            /**
             * Format: int32
             * @description 100 only when it has ended.
             */
            progressPercent: number;
            /**
             * Format: int64
             * @description Seconds left, by its own pace so far; null where that is not known.
             */
            etaSeconds?: number | null;
            /** Format: int32 */
            totalRows: number;
            /**
             * Format: int32
             * @description Rows that are no tasks yet.
             */
            waitingRows: number;
            /**
             * Format: int32
             * @description Rows that are tasks.
             */
            madeRows: number;
            /**
             * Format: int32
             * @description Rows that never became tasks: for want of points, or because the batch was cancelled.
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
             * @description Points held when it was submitted.
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
            /** @description All videos as one zip, by a signed link that needs no key; null while there is none, left out in lists. */
            downloadUrl?: string | null;
            warnings: components["schemas"]["Remark"][];
        };
        /** @description A text in both languages. */
        Bilingual: {
            en: string;
            zh: string;
        };
        /**
         * @description State of a callback.
         * @enum {string}
         */
        CallbackStatus: "none" | "waiting" | "due" | "sending" | "delivered" | "failed";
        /** @description The address to be tested, and the event to pretend. */
        CallbackTestRequest: {
            /** @description Where the sample is sent; checked like a `callbackUrl`. */
            url: string;
            type?: components["schemas"]["EventType"] | null;
        };
        /** @description How the receiver answered the sample. */
        CallbackTest: {
            /** @description The `webhook-id` it was sent with. */
            eventId: string;
            /** @description Whether a real callback would count as delivered. */
            delivered: boolean;
            /** @description The attempt as the log would show it. */
            attempt: components["schemas"]["Attempt"];
            warnings: components["schemas"]["Remark"][];
        };
        /** @description The callback of a task and its delivery so far. */
        Callback: {
            /** @description The `callbackUrl`. */
            url?: string | null;
            /**
             * @description `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: to be sent at `nextAttemptTime`;
             *     `sending`; `delivered`; `failed`: no attempt will follow.
             */
            status: components["schemas"]["CallbackStatus"];
            /** @description The `webhook-id` of every attempt; null before the end. */
            eventId?: string | null;
            /**
             * Format: date-time
             * @description When the task or batch ended.
             */
            createTime?: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null where none is.
             */
            nextAttemptTime?: string | null;
            /** @description The oldest first. */
            attempts: components["schemas"]["Attempt"][];
            /** @description Task number. */
            taskNo: string;
            type?: components["schemas"]["EventType"] | null;
        };
        /** @description A catalogue, whole. */
        Catalogue: {
            list: components["schemas"]["CatalogueEntry"][];
            total: number;
        };
        /** @description One entry of a catalogue. */
        CatalogueEntry: {
            /**
             * @description As requests and recipes name it.
             * @example light-leak
             */
            name: string;
            title: components["schemas"]["Bilingual"];
            description: components["schemas"]["Bilingual"];
            /** @description A small WebP picture, animated for effects; no key is needed. */
            previewUrl: string;
        };
        /** @description Points to be taken away. */
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
             * @description `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: to be sent at `nextAttemptTime`;
             *     `sending`; `delivered`; `failed`: no attempt will follow.
             */
            status: components["schemas"]["CallbackStatus"];
            /** @description The `webhook-id` of every attempt; null before the end. */
            eventId?: string | null;
            /**
             * Format: date-time
             * @description When the task or batch ended.
             */
            createTime?: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null where none is.
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
             * @description Whether to send it in parts, which can go side by side and be repeated one by one; always above 5 GiB.
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
             * @description Seconds of source footage that both show.
             */
            sharedSeconds: number;
            /**
             * Format: double
             * @description How alike they look, 0 to 1; null until the task has ended, in lists, and where it is not known.
             */
            similarity?: number | null;
        };
        /** @description Footage that outputs of a task share, and their similarity. */
        Diversity: {
            /** @description All of up to 20 pairs in the order of their items; of more, the 20 that share most, those first. */
            pairs: components["schemas"]["DiversityPair"][];
            /**
             * Format: int64
             * @description Number of all pairs; `diversity/{taskNo}` lists them. Left out where `pairs` has them all for certain.
             */
            totalPairs?: number | null;
            /** @description The pair that shares most. */
            mostSimilar: components["schemas"]["DiversityPair"];
            mostAlike?: components["schemas"]["DiversityPair"] | null;
        };
        /**
         * @description Kind of a failure inside a task.
         * @enum {string}
         */
        ErrorCodeName: "URL_BLOCKED" | "URL_SCHEME" | "DOWNLOAD_FAILED" | "NOT_MEDIA" | "FORMAT_NOT_ALLOWED" | "CODEC_NOT_ALLOWED" | "MEDIA_TOO_LARGE" | "MEDIA_DAMAGED" | "NO_VIDEO_STREAM" | "CLIP_TOO_SHORT" | "SUBTITLE_INVALID" | "MASK_INVALID" | "RENDER_FAILED" | "RENDER_TIMEOUT" | "CANCELLED" | "INTERNAL";
        ItemError: {
            /** @description Kind of failure. */
            code: components["schemas"]["ErrorCodeName"];
            /** @description Cause of the failure, and how to fix it. */
            message: string;
            /** @description The url to blame, as the client gave it. */
            input?: string | null;
            /** @description Whether sending the same again may succeed. */
            retryable: boolean;
            /** @description Whether points were taken for the item all the same. */
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
             * @description Pieces of picture to be encoded; outputs that share a clip share its piece.
             */
            uniqueSegments: number;
            /**
             * Format: double
             * @description Seconds of all outputs together.
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
            /** @description Stands for all events up to this one; a client that connects again sends it as `Last-Event-ID`. */
            id: string;
            /** @description JSON: a task without its items, its progress, or one item. */
            data: string;
        };
        /**
         * @description Content of an event.
         * @enum {string}
         */
        EventType: "task.completed" | "task.failed" | "task.cancelled" | "task.rejected";
        /** @description How often outputs failed by one cause. */
        FailureCause: {
            code: components["schemas"]["ErrorCodeName"];
            /**
             * Format: int64
             * @description Outputs that failed so.
             */
            items: number;
            /**
             * Format: int64
             * @description Tasks that these outputs belong to.
             */
            tasks: number;
            /**
             * Format: int64
             * @description Users whose tasks these are.
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
             * @description Outputs that failed, by any cause.
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
            input?: string | null;
            retryable: boolean;
            /**
             * Format: date-time
             * @description When the task ended; null while other items of it go on.
             */
            finishTime?: string | null;
        };
        /** @description One file and a moment in it. */
        FileRequest: {
            /** @description An upload of yours or a web address. */
            url: string;
            /**
             * Format: double
             * @description Early in the file when absent.
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
            /** @description Signed link to the file; a fresh one at each call. */
            url?: string | null;
            /** @description Signed link to a cover picture (JPEG). */
            coverUrl?: string | null;
            /**
             * Format: date-time
             * @description When the links stop working.
             */
            expiresAt?: string | null;
            /**
             * Format: date-time
             * @description When the file is removed.
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
             * @description Frames a second.
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
            /** @description `aac`, or null for an output without sound. */
            audioCodec?: string | null;
        };
        /** @description The catalogue of fonts, whole. */
        FontCatalogue: {
            list: components["schemas"]["FontEntry"][];
            total: number;
        };
        /** @description A font for captions. */
        FontEntry: {
            /**
             * @description As `subtitle.style.font` names it.
             * @example noto-serif-sc
             */
            name: string;
            title: components["schemas"]["Bilingual"];
            /** @description What it draws by itself, by ISO 15924; other fonts step in for the rest. */
            scripts: string[];
            weights: string[];
        };
        /** @description Points for a user. */
        GrantRequest: {
            /** Format: int64 */
            userId: number;
            /** Format: int64 */
            points: number;
            /** @description Stands in the user's records. */
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
        /** @description One output video. Whatever is about the finished file is null until there is one. */
        Item: {
            /** @description Signed link to the file; a fresh one at each call. */
            url?: string | null;
            /** @description Signed link to a cover picture (JPEG). */
            coverUrl?: string | null;
            /**
             * Format: date-time
             * @description When the links stop working.
             */
            expiresAt?: string | null;
            /**
             * Format: date-time
             * @description When the file is removed.
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
             * @description Frames a second.
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
            /** @description `aac`, or null for an output without sound. */
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
             * @description Makes this item again.
             */
            seed: number;
            /** @description Every value that chance chose; null until the inputs are known. */
            recipe?: Record<string, never> | null;
            quality?: components["schemas"]["Quality"] | null;
            /** @description Remarks on this output. */
            warnings: components["schemas"]["Remark"][];
            error?: components["schemas"]["ItemError"] | null;
        };
        /** @description Scopes and expiry of a key. */
        KeyRequest: {
            /** @description `read`, `submit`, `admin`; the first two when absent. */
            scopes?: string[] | null;
            /** @description RFC 3339, or a date (its beginning in UTC); without end when absent. */
            expireTime?: string | null;
        };
        /** @description A key as it is stored: never the key itself. */
        Key: {
            /** Format: int64 */
            keyId: number;
            /** @description How it begins. */
            prefix: string;
            /** @description `read`, `submit`, `admin`. */
            scopes: string[];
            /** Format: date-time */
            createTime: string;
            /**
             * Format: date-time
             * @description When it ends by itself; null: never.
             */
            expireTime?: string | null;
            /** Format: date-time */
            revokeTime?: string | null;
            /**
             * Format: date-time
             * @description To the minute.
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
            /** @description `upload://…`; urls of earlier uploads of the same file stay good. */
            url: string;
            name?: string | null;
            kind?: components["schemas"]["MediaKindName"] | null;
            /** Format: int64 */
            sizeBytes: number;
            /** @description Lower-case hexadecimal. */
            sha256: string;
            /**
             * Format: double
             * @description Seconds; null for pictures and what is not media.
             */
            duration?: number | null;
            media?: components["schemas"]["Media"] | null;
            /** @description Signed link to the file itself, which needs no key. */
            fileUrl: string;
            /**
             * Format: date-time
             * @description When that link stops working.
             */
            expiresAt: string;
            /** @description Path of a thumbnail of the file, which needs your key; null for audio and other files without video. */
            thumbnail?: string | null;
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When a task named it last.
             */
            usedTime?: string | null;
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
             * @description Pixels, as shown.
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
        /** @description A batch as it is sent. Exactly one of `template` and `request`, and of `rows` and `csvUrl`. */
        NewBatch: {
            /** @description Your own id of the batch. The same batch with the same id answers with the first and costs nothing. */
            clientBatchId: string;
            name?: string | null;
            /** @description Number of a template of yours. */
            template?: string | null;
            /**
             * Format: int32
             * @description Of the template; the newest when absent.
             */
            version?: number | null;
            /** @description A request with variables, in place of a template. */
            request?: Record<string, never> | null;
            /** @description Of `request`. */
            variables?: components["schemas"]["Variable"][] | null;
            /** @description Values of the variables, a row for each task. */
            rows?: Record<string, never>[] | null;
            /** @description An upload of yours with the rows: CSV whose first line names the variables. */
            csvUrl?: string | null;
            /**
             * @description Whether to take as many rows, from the first on, as there are points for; else all or none are taken.
             * @default false
             */
            partial?: boolean | null;
            /**
             * Format: int64
             * @description The most that all rows together may cost. A batch whose estimate is higher is refused (40201); a row whose confirmed
             *     price would take the batch above it is rejected.
             */
            maxPoints?: number | null;
            /** @description Called once when the batch has ended; tasks have callbacks of their own, as the request says. */
            callbackUrl?: string | null;
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
        /** @description Outputs to show, and expiry. */
        NewShare: {
            /** @description Numbers of items; all when absent. */
            items?: number[] | null;
            /** @description RFC 3339, or a date (its beginning in UTC); with the files when absent. */
            expiresAt?: string | null;
        };
        /** @description A template as it is sent. */
        NewTemplate: {
            name: string;
            /**
             * @description A request of any kind. `{{name}}` in a string is replaced by that variable's value; a string that is nothing but
             *     a variable takes the value's type; `\{{` stands for the braces themselves.
             */
            request: Record<string, never>;
            /** @description Declarations of all variables in its strings. */
            variables?: components["schemas"]["Variable"][] | null;
            /**
             * Format: int32
             * @description When you replace a template: the version that you know. A newer one is not overwritten.
             */
            version?: number | null;
        };
        /** @description A user to be made. */
        NewUserRequest: {
            name: string;
            /**
             * Format: int64
             * @description Points to begin with.
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
            /** @description Signed link to the file; a fresh one at each call. */
            url?: string | null;
            /** @description Signed link to a cover picture (JPEG). */
            coverUrl?: string | null;
            /**
             * Format: date-time
             * @description When the links stop working.
             */
            expiresAt?: string | null;
            /**
             * Format: date-time
             * @description When the file is removed.
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
             * @description Frames a second.
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
            /** @description `aac`, or null for an output without sound. */
            audioCodec?: string | null;
            taskNo: string;
            /**
             * Format: int32
             * @description From 1, in the order of the request.
             */
            itemNo: number;
            taskType: components["schemas"]["TaskTypeName"];
            /** @description Your own id of the task. */
            clientTaskId?: string | null;
            /** @description Of the task. */
            name?: string | null;
            /** @description Of the task. */
            labels: string[];
            /**
             * Format: int64
             * @description Makes this output again.
             */
            seed: number;
        };
        /** @description A page of tasks, newest first; with `batches=fold` also of batches. */
        PageTask: {
            list: components["schemas"]["Task"][];
            /**
             * @description The batches of this page, newest first, if they were asked for. Tasks and batches together fill the page, in the
             *     order of `createTime`.
             */
            batches?: components["schemas"]["Batch"][] | null;
            /**
             * Format: int64
             * @description Of tasks, and of batches where these are listed.
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
             * @description The exact number of bytes that the link takes.
             */
            sizeBytes: number;
            /** @description Takes the part as its body. */
            url: string;
        };
        /** @description Reason for the pause. */
        PauseRequest: {
            /** @description Users whose tasks wait see it. */
            reason?: string | null;
        };
        /** @description No new work starts. */
        Pause: {
            /** Format: date-time */
            since: string;
            /** @description Note of the operator. */
            reason?: string | null;
        };
        /** @description Whether anything changed. */
        Paused: {
            paused: boolean;
            changed: boolean;
        };
        /** @description Where to send a file. */
        Presign: {
            /** @description Names the upload when it is confirmed. */
            uploadId: string;
            /** @description `PUT` */
            method: string;
            /** @description Takes the whole file as its body; null where it is sent in parts. */
            url?: string | null;
            /**
             * Format: int64
             * @description The exact number of bytes that the link takes.
             */
            sizeBytes: number;
            /** @description The parts in order; empty where the file is sent whole. */
            parts: components["schemas"]["Part"][];
            /**
             * Format: date-time
             * @description When the links stop working.
             */
            expiresAt: string;
            warnings: components["schemas"]["Remark"][];
        };
        /** @description A submission, and which seconds of its outputs are wanted. */
        PreviewClip: {
            /** @description Request as it would be submitted. Errors in it have the same paths. */
            request: components["schemas"]["Submission"];
            /**
             * Format: int32
             * @description Which output.
             * @default 1
             */
            itemNo?: number | null;
            /**
             * Format: int32
             * @description Which clip or scene of the output, from 0; `atSeconds` counts from its beginning then, else from the
             *     output's.
             */
            clip?: number | null;
            /**
             * Format: double
             * @description Where to begin. Later than a second before the output's end, it begins there.
             * @default 0
             */
            atSeconds?: number | null;
            /**
             * Format: double
             * @description How much is played; less where the output ends before.
             * @default 4
             */
            seconds?: number | null;
        };
        /** @description A submission, and which frame of its outputs is wanted. */
        Preview: {
            /** @description Request as it would be submitted. Errors in it have the same paths. */
            request: components["schemas"]["Submission"];
            /**
             * Format: int32
             * @description Which output.
             * @default 1
             */
            itemNo?: number | null;
            /**
             * Format: int32
             * @description Which clip or scene of the output, from 0; `atSeconds` counts from its beginning then, else from the
             *     output's. With it, the frame is found without fetching the other clips where they have no influence.
             */
            clip?: number | null;
            /**
             * Format: double
             * @description A moment beyond the end is the last frame. When absent: the middle of the effect or of the first
             *     caption, else a third of the way.
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
        /** @description The check made on a finished file. */
        Quality: {
            /** Format: int64 */
            framesPlanned: number;
            /** Format: int64 */
            framesFound: number;
            /**
             * Format: double
             * @description End of sound minus end of picture; null without sound.
             */
            avDifferenceMs?: number | null;
            /**
             * Format: double
             * @description Integrated loudness (EBU R128); null for silence or no sound.
             */
            loudnessLufs?: number | null;
            /**
             * Format: double
             * @description dBTP, of the file as it decodes.
             */
            truePeakDbtp?: number | null;
            /**
             * Format: double
             * @description End of the longer of sound and picture minus the planned length.
             */
            durationErrorMs: number;
            /**
             * Format: double
             * @description Length of the black parts.
             */
            blackSeconds: number;
            /**
             * Format: double
             * @description Length of the parts that stand still.
             */
            frozenSeconds: number;
            /**
             * Format: double
             * @description Seconds of output for each second of work.
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
            /** @description No new work starts. */
            paused: boolean;
            /** Format: date-time */
            pausedSince?: string | null;
            /** @description The reason that users see whose tasks wait. */
            pauseReason?: string | null;
            /**
             * Format: int64
             * @description How long the oldest ready work waits; null when none does.
             */
            oldestAgeSeconds?: number | null;
            depth: components["schemas"]["QueueDepth"][];
            /** @description Users with work that is ready or running. */
            users: components["schemas"]["UserLoad"][];
            /** @description The longest running first; at most 200. */
            running: components["schemas"]["Running"][];
        };
        /**
         * @description Kind of a movement.
         * @enum {string}
         */
        RecordType: "grant" | "hold" | "settle" | "release" | "adjust";
        /**
         * @description One movement of points. `dotCount` is the signed change of the spendable balance, `amount` the points
         *     concerned: a settlement has an amount and changes nothing, because the hold took the points before.
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
             * @description Signed change of the points that can be spent.
             */
            dotCount: number;
            /**
             * Format: int64
             * @description Points concerned.
             */
            amount: number;
            /**
             * Format: int64
             * @description Points that can be spent afterwards.
             */
            balanceAfter: number;
            /** @description Task it was for; null for a grant. */
            taskNo?: string | null;
            /** @description Batch it was for, while its rows were no tasks yet; null otherwise. */
            batchNo?: string | null;
            /**
             * Format: int32
             * @description Item it was for; of a batch of an earlier version, the row.
             */
            itemNo?: number | null;
            /** @description Why. */
            remark: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            createTime: string;
        };
        Requeued: {
            /**
             * Format: int64
             * @description Pieces of work that are ready again.
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
            /** @description Of a shared segment, the oldest task that waits for it. */
            taskNo?: string | null;
            /** Format: int32 */
            itemNo?: number | null;
            worker: string;
            /** Format: int64 */
            runningSeconds: number;
            /**
             * Format: int64
             * @description Until the lease ends, unless it is renewed; negative once it has ended.
             */
            leaseSeconds: number;
            /**
             * Format: int32
             * @description Failures so far, and leases lost.
             */
            attempts: number;
            /** Format: int32 */
            lostLeases: number;
        };
        /** @description A template that was kept. */
        SavedTemplate: {
            /** @description `TP` and 26 characters. */
            templateNo: string;
            name: string;
            /**
             * Format: int32
             * @description From 1; each change makes the next.
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
            /** @description As `presign` answered it. */
            uploadId: string;
            /** @description A name for you. */
            fileName?: string | null;
            /** @description For parts: the header `ETag` of each answer, in order. */
            etags?: string[] | null;
        };
        /** @description A page that shows outputs of a task. */
        Share: {
            /** Format: int64 */
            shareId: number;
            taskNo: string;
            /** @description The page; null once it has ended. */
            url?: string | null;
            /** @description Numbers of the items that it shows; null for all. */
            items?: number[] | null;
            /** @description What it shows of each task, where it shows several; `taskNo` and `items` are then those of the task that ended last. */
            tasks?: components["schemas"]["SharedTask"][] | null;
            /**
             * Format: date-time
             * @description When it ends; null where it ends with the files.
             */
            expiresAt?: string | null;
            /** Format: date-time */
            createTime: string;
            revoked: boolean;
        };
        /** @description Part of a share that belongs to one task. */
        SharedTask: {
            taskNo: string;
            /** @description Numbers of the items that it shows; null for all. */
            items?: number[] | null;
        };
        /** @description One file, and which seconds of its sound are wanted. */
        SoundRequest: {
            /** @description An upload of yours or a web address. */
            url: string;
            /**
             * Format: double
             * @default 0
             */
            atSeconds?: number | null;
            /**
             * Format: double
             * @description Less where the sound ends before.
             * @default 30
             */
            seconds?: number | null;
        };
        /**
         * @description State in words.
         * @enum {string}
         */
        StateName: "pending submission" | "queued" | "executing" | "completed" | "failed" | "cancelled" | "rejected";
        /** @description A request, or a template of yours with values. */
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
            /** @description True when this `clientTaskId` was submitted before; else left out. */
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
             * @description Rows that will never be made, for want of points.
             */
            refusedRows: number;
            /**
             * Format: int64
             * @description Number of output videos of all rows.
             */
            totalItems: number;
            /** @description True when this `clientBatchId` was submitted before; else left out. */
            duplicate?: boolean;
            /** @description Paths begin with `/rows/…`, counted from 0. */
            warnings?: components["schemas"]["Remark"][];
        };
        /** @description Why a user is switched off. */
        SwitchOff: {
            /** @description The user sees it. */
            reason: string;
            /**
             * @description Cancel the user's open tasks and batches; otherwise they are finished.
             * @default false
             */
            cancel?: boolean | null;
        };
        /** @description Whether a user is switched off. */
        Switched: {
            /** Format: int64 */
            userId: number;
            /** Format: date-time */
            offSince?: string | null;
            /** @description The reason that the user is given. */
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
            /** @description In place of those that the task has. */
            labels?: components["schemas"]["TaskLabel"][] | null;
        };
        /** @description A request of any kind, told apart by `taskType`. */
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
        /** @description State of a task; `items` is left out in lists. */
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
             * @description Work done over work planned; never falls; 100 only when completed.
             */
            progressPercent: number;
            /**
             * Format: int64
             * @description Task id.
             */
            taskId: number;
            /** @description Your own id of the job. */
            clientTaskId?: string | null;
            /** @description As it was submitted, or named since. */
            name?: string | null;
            /** @description As they were submitted, or changed since. */
            labels: string[];
            template?: components["schemas"]["TemplateRef"] | null;
            /**
             * Format: int32
             * @description Number of output videos.
             */
            totalItems: number;
            /**
             * Format: int32
             * @description Delivered ones.
             */
            completedItems: number;
            /**
             * Format: int32
             * @description Those that ended with an error.
             */
            failedItems: number;
            /**
             * Format: int64
             * @description The confirmed price once it is known.
             */
            estimatedDotCount: number;
            /**
             * Format: int64
             * @description The price found from the files, also of a task that was rejected for it; null until they were probed.
             */
            price?: number | null;
            /**
             * Format: int64
             * @description Points charged so far.
             */
            consumedDotCount: number;
            /**
             * Format: int64
             * @description Place among the tasks that have not started; 1 is next.
             */
            queuePosition?: number | null;
            /**
             * Format: int64
             * @description Seconds left: of a queued task by what is before it and how fast work went of late, of an executing one
             *     more and more by its own pace.
             */
            etaSeconds?: number | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             */
            createTime: string;
            /**
             * Format: date-time
             * @description When work began.
             */
            startTime?: string | null;
            /**
             * Format: date-time
             * @description When the task ended.
             */
            finishTime?: string | null;
            /** @description Summary of the failures. */
            errorMsg?: string | null;
            /**
             * @description Things that have no effect, wrong declared lengths; that the operator has stopped the queue, while the task waits
             *     for it.
             */
            warnings: components["schemas"]["Remark"][];
            paused?: components["schemas"]["Pause"] | null;
            diversity?: components["schemas"]["Diversity"] | null;
            /**
             * @description Signed link to a picture of the first output that there is a file of; null while there is none, left out in live
             *     events.
             */
            coverUrl?: string | null;
            /**
             * @description All files as one zip, by a signed link that is good for as long as those of the items; null while there
             *     is none, left out in lists.
             */
            downloadUrl?: string | null;
            /** @description The output videos, in order; left out in lists. */
            items?: components["schemas"]["Item"][] | null;
        };
        /** @description Template as listed. */
        TemplateOverview: {
            /** @description `TP` and 26 characters. */
            templateNo: string;
            name: string;
            /**
             * Format: int32
             * @description From 1; each change makes the next.
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
             * @description From 1; each change makes the next.
             */
            version: number;
            /** Format: date-time */
            createTime: string;
            /** Format: date-time */
            updateTime: string;
            /** @description The request with its variables. */
            request: Record<string, never>;
            variables: components["schemas"]["Variable"][];
        };
        /** @description A name. */
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
             * @description Their seconds together.
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
            /** @description Of all users that were found, on whichever page. */
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
             * @description Their seconds together.
             */
            outputSeconds: number;
            /** Format: int64 */
            userId: number;
            userName: string;
            /**
             * Format: int64
             * @description Bytes of results and uploads that are kept now.
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
             * @description Tasks that are still known.
             */
            tasks: number;
            /** Format: date-time */
            createTime: string;
            /**
             * Format: date-time
             * @description Since when the user is switched off; null while the user is not.
             */
            offSince?: string | null;
            /** @description The reason that the user is given. */
            offReason?: string | null;
        };
        /** @description A variable of a template. */
        Variable: {
            /** @description Letters and digits of any script, `_`, `-`, `.`, and spaces between them. */
            name: string;
            type: components["schemas"]["VariableTypeName"];
            default?: components["schemas"]["VariableValue"] | null;
            /** @description Label of the variable in forms. */
            label?: string | null;
            /**
             * Format: int32
             * @description Of a text.
             */
            maxLength?: number | null;
            /**
             * Format: double
             * @description Of a number.
             */
            minimum?: number | null;
            /**
             * Format: double
             * @description Of a number.
             */
            maximum?: number | null;
            /** @description Of a choice. */
            choices?: components["schemas"]["VariableValue"][] | null;
        };
        /**
         * @description Kind of a variable.
         * @enum {string}
         */
        VariableTypeName: "text" | "number" | "url" | "color" | "choice";
        /** @description Value of a variable: a text, a number, true or false. */
        VariableValue: string | number | boolean;
        /** @description A remark; `path` is a JSON Pointer into the request, empty where no one place is meant. */
        Remark: {
            path: string;
            message: string;
        };
        /** @description Tasks and outputs to show, and expiry. */
        WideShare: {
            /** @description In the order of the page; 1,000 videos at most. */
            tasks: components["schemas"]["TaskToShare"][];
            /** @description RFC 3339, or a date (its beginning in UTC); with the files when absent. */
            expiresAt?: string | null;
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
            /** @description Kinds of work it takes. */
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
        /** @description A template of yours with values, in place of a request. */
        TemplateUse: {
            /** @description Number of the template. */
            template: string;
            /** @description The newest when absent. */
            version?: number | null;
            /** @description Values of its variables, by name. */
            values?: Record<string, never> | null;
            /** @description As in a request; in place of the template's. */
            clientTaskId?: string | null;
            /** @description As in a request; in place of the template's. */
            callbackUrl?: string | null;
            /** @description As in a request; in place of the template's. */
            name?: string | null;
            /** @description As in a request; in place of the template's. */
            labels?: string[] | null;
            /** @description As in a request; in place of the template's. */
            maxPoints?: number | null;
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
             * @description Which kind of task this is; the structure of `params` depends on it. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            taskType: "videoDeduplication";
            /**
             * VideoDeduplicationParams
             * @description Parameters of the task.
             */
            params: {
                /** @description Seed of everything that is left to chance; drawn when absent. */
                seed?: number;
                /**
                 * VideoDeduplicationOptions
                 * @description Options; each has a default.
                 */
                options?: {
                    /**
                     * @description How much work goes into the picture: `draft` is the fastest, `high` the best to look at. Absent, the installation's, usually `standard`.
                     * @enum {string}
                     */
                    preset?: "draft" | "standard" | "high";
                    /**
                     * VideoDeduplicationOptionsFrameExtraction
                     * @description Drop frames down to a rate drawn from `start` to `end`, before the output rate is set.
                     */
                    frameExtraction?: {
                        /**
                         * @description Switches frame extraction on.
                         * @default false
                         */
                        isExtract?: boolean;
                        /**
                         * @description Lowest rate kept, in frames a second.
                         * @default 25
                         */
                        start?: number;
                        /**
                         * @description Highest rate kept, in frames a second.
                         * @default 30
                         */
                        end?: number;
                    };
                    /**
                     * VideoDeduplicationOptionsSpeed
                     * @description Another speed for picture and sound, pitch kept, drawn from `start` to `end`.
                     */
                    speed?: {
                        /**
                         * @description Switches the speed change on.
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
                    /**
                     * @description Frames a second of the output.
                     * @default 30
                     * @enum {integer}
                     */
                    fps?: 25 | 30 | 50 | 60;
                    /**
                     * @description Mirror the picture left to right.
                     * @default false
                     */
                    isMirror?: boolean;
                    /**
                     * VideoDeduplicationOptionsRotation
                     * @description Turn the picture by an angle drawn from `minAngle` to `maxAngle`, without empty corners.
                     */
                    rotation?: {
                        /**
                         * @description Switches rotation on.
                         * @default false
                         */
                        isRotate?: boolean;
                        /**
                         * @description Which way it turns.
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
                    /**
                     * VideoDeduplicationOptionsZoom
                     * @description Enlarge about the centre by a factor drawn from `minScale` to `maxScale`, cropped to size.
                     */
                    zoom?: {
                        /**
                         * @description Switches zoom on.
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
                    /**
                     * VideoDeduplicationOptionsColourMixing
                     * @description Brightness, contrast, saturation and gamma, each drawn from its range.
                     */
                    colourMixing?: {
                        /**
                         * @description Switches colour adjustment on.
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
                    /**
                     * VideoDeduplicationOptionsHueMixing
                     * @description Hue, saturation and brightness moved by fixed amounts.
                     */
                    hueMixing?: {
                        /**
                         * @description Switches hue adjustment on.
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
                         * @description Brightness added; 1 is a tenth of full scale.
                         * @default 0
                         */
                        b?: number;
                    };
                    /**
                     * VideoDeduplicationOptionsColorBalance
                     * @description Red, green and blue raised in shadows, midtones and highlights, by lightness.
                     */
                    colorBalance?: {
                        /**
                         * @description Switches colour balance on.
                         * @default false
                         */
                        isBalance?: boolean;
                        /**
                         * @description Red in the shadows, most in black.
                         * @default 0
                         */
                        rs?: number;
                        /**
                         * @description Green in the shadows, most in black.
                         * @default 0
                         */
                        gs?: number;
                        /**
                         * @description Blue in the shadows, most in black.
                         * @default 0
                         */
                        bs?: number;
                        /**
                         * @description Red in the midtones, most in middle grey.
                         * @default 0
                         */
                        rm?: number;
                        /**
                         * @description Green in the midtones, most in middle grey.
                         * @default 0
                         */
                        gm?: number;
                        /**
                         * @description Blue in the midtones, most in middle grey.
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
                    /**
                     * @description Apply one colour look, drawn from the catalogue of looks.
                     * @default false
                     */
                    isFilter?: boolean;
                    /**
                     * VideoDeduplicationOptionsPIP
                     * @description The picture smaller, in the middle of a background.
                     */
                    PIP?: {
                        /**
                         * @description Switches picture-in-picture on.
                         * @default false
                         */
                        isPIP?: boolean;
                        /**
                         * @description The picture is scaled to 100 minus this many percent.
                         * @default 10
                         */
                        padding?: number;
                        /**
                         * @description 1: over `fillVideoPath`, or a flat colour without one; 2: over `fillVideoPath`, or the picture itself, blurred and darkened.
                         * @default 2
                         */
                        fillMode?: number;
                        /**
                         * @description URL of the video for the background; its sound is not used.
                         * @example https://media.example.com/clip.mp4
                         */
                        fillVideoPath?: string;
                    };
                    /**
                     * VideoDeduplicationOptionsPicMask
                     * @description Layers of pictures, scaled to cover and laid over the picture.
                     */
                    picMask?: {
                        /**
                         * @description Switches the mask on.
                         * @default false
                         */
                        isMask?: boolean;
                        /** @description Mask files; each layer draws one. Needed when the mask is on. */
                        picFiles?: string[];
                        /**
                         * @description Number of layers; 0 lays none.
                         * @default 1
                         */
                        layerCount?: number;
                        /**
                         * @description Opacity of a layer in percent: 3 is barely visible, 100 covers.
                         * @default 3
                         */
                        trans?: number;
                    };
                    /**
                     * VideoDeduplicationOptionsVideoMask
                     * @description Layers of videos, looped, scaled to cover and laid over the picture.
                     */
                    videoMask?: {
                        /**
                         * @description Switches the mask on.
                         * @default false
                         */
                        isMask?: boolean;
                        /** @description Mask files; each layer draws one. Needed when the mask is on. */
                        videoFiles?: string[];
                        /**
                         * @description Number of layers; 0 lays none.
                         * @default 1
                         */
                        layerCount?: number;
                        /**
                         * @description Opacity of a layer in percent: 3 is barely visible, 100 covers.
                         * @default 3
                         */
                        trans?: number;
                    };
                    /**
                     * VideoDeduplicationOptionsEffect
                     * @description A special effect for a part of the video.
                     */
                    effect?: {
                        /**
                         * @description Name of an effect of the catalogue; without one nothing is applied.
                         * @enum {string}
                         */
                        value?: "flash" | "strobe" | "light-leak" | "lens-flare" | "rainbow" | "sparkle" | "bokeh" | "snow" | "rain" | "fog" | "confetti" | "dream" | "lens-blur" | "vignette" | "spotlight" | "cinema-bars" | "zoom-pulse" | "shake" | "ripple" | "mirror-tile" | "pixelate" | "film-grain" | "old-film" | "vhs" | "glitch" | "rgb-split" | "neon-edges" | "comic" | "thermal" | "duotone";
                        /**
                         * @description Strength in percent.
                         * @default 3
                         */
                        trans?: number;
                        /**
                         * @description Seconds the effect lasts; 0 applies none.
                         * @default 0.5
                         */
                        duration?: number;
                        /**
                         * @description Where it begins, in percent of the length.
                         * @default 0
                         */
                        position?: number;
                    };
                };
                /** @description Videos to vary; each gives one output. An installation may allow another number. */
                videoList: {
                    /**
                     * @description URL of the video.
                     * @example https://media.example.com/clip.mp4
                     */
                    filename: string;
                    /** @description Declared length in seconds; it prices the task at submit and cuts nothing. */
                    duration: number;
                    /**
                     * @description Use the file from this second on.
                     * @default 0
                     */
                    from?: number;
                    /** @description Use the file up to this second only. */
                    to?: number;
                    /**
                     * @description Outputs to make of this video, all different; they follow each other in the order of the list.
                     * @default 1
                     */
                    copies?: number;
                }[];
            };
            /**
             * @description Address that is called once when the task is in a final state.
             * @example https://example.com/hooks/clipmill
             */
            callbackUrl?: string;
            /** @description Your own id of the job. The same body with the same id answers with the first task and costs nothing. */
            clientTaskId?: string;
            /** @description What you call the task; `list` finds it by it. It changes nothing about the videos, nor whether a request is the same as an earlier one. */
            name?: string;
            /** @description Labels by which `list` finds the task; up to ten. */
            labels?: string[];
            /** @description The most that the task may cost. A submission whose estimate is higher is refused (40201); a task whose confirmed price is higher is rejected. */
            maxPoints?: number;
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
             * @description Which kind of task this is; the structure of `params` depends on it. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            taskType: "baseVideoMix";
            /**
             * BaseVideoMixParams
             * @description Parameters of the task.
             */
            params: {
                /** @description Seed of everything that is left to chance; drawn when absent. */
                seed?: number;
                /**
                 * BaseVideoMixOptions
                 * @description Options; each has a default.
                 */
                options?: {
                    /**
                     * @description How much work goes into the picture: `draft` is the fastest, `high` the best to look at. Absent, the installation's, usually `standard`.
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
                     * @description `none` fits the whole picture in, `crop` fills and crops, `stretch` stretches.
                     * @default none
                     * @enum {string}
                     */
                    resolutionMode?: "none" | "crop" | "stretch";
                    /**
                     * @description Behind a picture that does not fill the frame or can be seen through: black, or a blurred copy of itself.
                     * @default black
                     * @enum {string}
                     */
                    background?: "black" | "blur";
                    /**
                     * @description Frames a second of the output.
                     * @default 30
                     * @enum {integer}
                     */
                    fps?: 25 | 30 | 50 | 60;
                    /**
                     * @description Volume of the clips' own sound in percent.
                     * @default 100
                     */
                    originalVolume?: number;
                    /**
                     * @description Turn the music down while somebody speaks.
                     * @default false
                     */
                    ducking?: boolean;
                    /** @description Bring the mix to this loudness in LUFS (EBU R128). */
                    loudness?: number;
                    /**
                     * @description Seconds over which the whole sound fades out at the end of the video.
                     * @default 0
                     */
                    fadeOut?: number;
                    /**
                     * BaseVideoMixOptionsBackgroundMusic
                     * @description Music that loops to the picture's end.
                     */
                    backgroundMusic?: {
                        /**
                         * @description URL of a sound file, or of a video with sound; without one nothing plays.
                         * @example https://media.example.com/clip.mp4
                         */
                        url?: string;
                        /** @description A name for you; it has no effect. */
                        fileName?: string;
                        /** @description Use only this many seconds from the file's start; with 0 nothing is heard. */
                        duration?: number;
                        /**
                         * @description Percent of amplitude.
                         * @default 80
                         */
                        volume?: number;
                        /**
                         * @description Seconds of fade at the start of what is heard.
                         * @default 0.5
                         */
                        fadeIn?: number;
                        /**
                         * @description Seconds of fade at the end of what is heard.
                         * @default 0.5
                         */
                        fadeOut?: number;
                    };
                    /**
                     * BaseVideoMixOptionsAudio
                     * @description Voice-over that plays once from the start.
                     */
                    audio?: {
                        /**
                         * @description URL of a sound file, or of a video with sound; without one nothing plays.
                         * @example https://media.example.com/clip.mp4
                         */
                        url?: string;
                        /** @description A name for you; it has no effect. */
                        fileName?: string;
                        /** @description Use only this many seconds from the file's start; with 0 nothing is heard. */
                        duration?: number;
                        /**
                         * @description Percent of amplitude.
                         * @default 80
                         */
                        volume?: number;
                        /**
                         * @description Seconds of fade at the start of what is heard.
                         * @default 0.5
                         */
                        fadeIn?: number;
                        /**
                         * @description Seconds of fade at the end of what is heard.
                         * @default 0.5
                         */
                        fadeOut?: number;
                    };
                    /**
                     * BaseVideoMixOptionsSubtitle
                     * @description Subtitles, drawn into the picture.
                     */
                    subtitle?: {
                        /**
                         * @description URL of an SRT or VTT file; without one none are shown.
                         * @example https://media.example.com/clip.mp4
                         */
                        url?: string;
                        /** @description A name for you; it has no effect. */
                        fileName?: string;
                        /**
                         * BaseVideoMixOptionsSubtitleStyle
                         * @description How the text looks.
                         * @default {}
                         */
                        style?: {
                            /**
                             * @description Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output.
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
                             * @description Output pixels from the bottom edge to the text.
                             * @default 50
                             */
                            bottom?: number;
                            /**
                             * @description Multiplies `fontSize`.
                             * @default 2.5
                             */
                            magnification?: number;
                            /**
                             * @description Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks.
                             * @enum {string}
                             */
                            font?: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
                            /**
                             * @description How strong the letters are.
                             * @default regular
                             * @enum {string}
                             */
                            weight?: "regular" | "bold";
                            /**
                             * @description Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle.
                             * @default bottom
                             * @enum {string}
                             */
                            place?: "bottom" | "lower-third" | "middle" | "top";
                            /**
                             * @description How far a black shadow falls to the right and below, in hundredths of the em; 0 is none.
                             * @default 0
                             */
                            shadow?: number;
                            /**
                             * @description Radius of the box's corners, in hundredths of the em.
                             * @default 0
                             */
                            radius?: number;
                            /**
                             * BaseVideoMixOptionsSubtitleStyleHighlight
                             * @description Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words.
                             */
                            highlight?: {
                                /**
                                 * @description Colour of the word that is being spoken.
                                 * @example #FFFFFF
                                 */
                                color?: string;
                            };
                        };
                    };
                    /**
                     * @description How pictures that stand in place of clips move: nearer, away, to the left or to the right over the picture; `random` draws one for each picture.
                     * @default none
                     * @enum {string}
                     */
                    imageMotion?: "none" | "zoomIn" | "zoomOut" | "panLeft" | "panRight" | "random";
                    /** @description Clips that stand before everything else: one per output, dealt out so that all come before any comes again. */
                    introPool?: {
                        /**
                         * @description URL of the clip.
                         * @example https://media.example.com/clip.mp4
                         */
                        url: string;
                    }[];
                    /** @description Clips that stand behind everything else: one per output, dealt out likewise. */
                    outroPool?: {
                        /**
                         * @description URL of the clip.
                         * @example https://media.example.com/clip.mp4
                         */
                        url: string;
                    }[];
                    /**
                     * BaseVideoMixOptionsTransition
                     * @description How clips go over into one another: they overlap, and the output is shorter by the overlaps.
                     */
                    transition?: {
                        /** @description Names of the catalogue; one is drawn for each change of clips, all before any comes again. */
                        names: ("fade" | "fadeblack" | "fadewhite" | "fadegrays" | "dissolve" | "pixelize" | "hblur" | "slideleft" | "slideright" | "slideup" | "slidedown" | "wipeleft" | "wiperight" | "wipeup" | "wipedown" | "smoothleft" | "smoothright" | "smoothup" | "smoothdown" | "circleopen" | "circleclose" | "circlecrop" | "rectcrop" | "vertopen" | "vertclose" | "horzopen" | "horzclose" | "radial" | "diagtl" | "diagbr" | "hlslice" | "hrslice" | "vuslice" | "vdslice" | "squeezeh" | "squeezev")[];
                        /**
                         * @description Seconds that two clips overlap; fewer where a clip is too short.
                         * @default 0.5
                         */
                        duration?: number;
                    };
                    /**
                     * @description Pictures and texts over the clips and under the captions: pictures in this order, the texts above them.
                     * @default []
                     */
                    overlays?: {
                        /**
                         * @description What it is.
                         * @enum {string}
                         */
                        type: "image" | "text";
                        /**
                         * @description URL of the picture: PNG, JPEG or WebP, alpha included. Of one that moves the first frame is shown.
                         * @example https://media.example.com/clip.mp4
                         */
                        url?: string;
                        /**
                         * @description Width of the picture, in percent of the output's; less where it would be higher than the output.
                         * @default 20
                         */
                        width?: number;
                        /**
                         * @description How far the picture covers what lies below, times its own alpha.
                         * @default 100
                         */
                        opacity?: number;
                        /** @description The text. Lines break where it has line breaks, and where they would be too wide. */
                        text?: string;
                        /** @description Several texts in place of `text`: one per output, dealt out so that all come before any comes again. */
                        texts?: string[];
                        /**
                         * @description Width that no line of the text goes beyond, in percent of the output's.
                         * @default 90
                         */
                        maxWidth?: number;
                        /** @description Where it stands: a corner, the middle of an edge or of the picture; or `{x, y}`, where its middle lies. Nothing of it is outside the picture. */
                        place?: ("top-left" | "top" | "top-right" | "left" | "middle" | "right" | "bottom-left" | "bottom" | "bottom-right") | {
                            /** @description From the left, in percent of the output's width. */
                            x: number;
                            /** @description From the top, in percent of the output's height. */
                            y: number;
                        };
                        /**
                         * @description Distance from the edges that it stands at, in percent of the output's short side; `{x, y}` needs none.
                         * @default 4
                         */
                        margin?: number;
                        /**
                         * @description Second of the output from which on it is seen.
                         * @default 0
                         */
                        start?: number;
                        /** @description Second up to which it is seen. */
                        end?: number;
                        /**
                         * BaseVideoMixOptionsOverlayStyle
                         * @description How the text looks: as captions' style; `bottom`, `place` and `highlight` mean nothing here.
                         * @default {}
                         */
                        style?: {
                            /**
                             * @description Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output.
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
                             * @description Output pixels from the bottom edge to the text.
                             * @default 50
                             */
                            bottom?: number;
                            /**
                             * @description Multiplies `fontSize`.
                             * @default 2.5
                             */
                            magnification?: number;
                            /**
                             * @description Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks.
                             * @enum {string}
                             */
                            font?: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
                            /**
                             * @description How strong the letters are.
                             * @default regular
                             * @enum {string}
                             */
                            weight?: "regular" | "bold";
                            /**
                             * @description Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle.
                             * @default bottom
                             * @enum {string}
                             */
                            place?: "bottom" | "lower-third" | "middle" | "top";
                            /**
                             * @description How far a black shadow falls to the right and below, in hundredths of the em; 0 is none.
                             * @default 0
                             */
                            shadow?: number;
                            /**
                             * @description Radius of the box's corners, in hundredths of the em.
                             * @default 0
                             */
                            radius?: number;
                            /**
                             * BaseVideoMixOptionsOverlayStyleHighlight
                             * @description Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words.
                             */
                            highlight?: {
                                /**
                                 * @description Colour of the word that is being spoken.
                                 * @example #FFFFFF
                                 */
                                color?: string;
                            };
                        };
                    }[];
                    /** @description Music in place of `backgroundMusic`: one per output, dealt out so that all come before any comes again. */
                    backgroundMusicPool?: {
                        /**
                         * @description URL of a sound file, or of a video with sound.
                         * @example https://media.example.com/clip.mp4
                         */
                        url: string;
                        /** @description A name for you; it has no effect. */
                        fileName?: string;
                        /** @description Use only this many seconds from the file's start; with 0 nothing is heard. */
                        duration?: number;
                        /**
                         * @description Percent of amplitude.
                         * @default 80
                         */
                        volume?: number;
                        /**
                         * @description Seconds of fade at the start of what is heard.
                         * @default 0.5
                         */
                        fadeIn?: number;
                        /**
                         * @description Seconds of fade at the end of what is heard.
                         * @default 0.5
                         */
                        fadeOut?: number;
                    }[];
                    /** @description Voices with their captions in place of `audio` and `subtitle`: one per output, dealt out likewise. */
                    voicePool?: {
                        /**
                         * BaseVideoMixOptionsVoicePoolAudio
                         * @description The voice.
                         */
                        audio: {
                            /**
                             * @description URL of a sound file, or of a video with sound.
                             * @example https://media.example.com/clip.mp4
                             */
                            url: string;
                            /** @description A name for you; it has no effect. */
                            fileName?: string;
                            /** @description Use only this many seconds from the file's start; with 0 nothing is heard. */
                            duration?: number;
                            /**
                             * @description Percent of amplitude.
                             * @default 80
                             */
                            volume?: number;
                            /**
                             * @description Seconds of fade at the start of what is heard.
                             * @default 0.5
                             */
                            fadeIn?: number;
                            /**
                             * @description Seconds of fade at the end of what is heard.
                             * @default 0.5
                             */
                            fadeOut?: number;
                        };
                        /**
                         * BaseVideoMixOptionsVoicePoolSubtitle
                         * @description Captions of this voice.
                         */
                        subtitle?: {
                            /**
                             * @description URL of an SRT or VTT file.
                             * @example https://media.example.com/clip.mp4
                             */
                            url: string;
                            /** @description A name for you; it has no effect. */
                            fileName?: string;
                            /**
                             * BaseVideoMixOptionsVoicePoolSubtitleStyle
                             * @description How the text looks.
                             * @default {}
                             */
                            style?: {
                                /**
                                 * @description Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output.
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
                                 * @description Output pixels from the bottom edge to the text.
                                 * @default 50
                                 */
                                bottom?: number;
                                /**
                                 * @description Multiplies `fontSize`.
                                 * @default 2.5
                                 */
                                magnification?: number;
                                /**
                                 * @description Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks.
                                 * @enum {string}
                                 */
                                font?: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
                                /**
                                 * @description How strong the letters are.
                                 * @default regular
                                 * @enum {string}
                                 */
                                weight?: "regular" | "bold";
                                /**
                                 * @description Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle.
                                 * @default bottom
                                 * @enum {string}
                                 */
                                place?: "bottom" | "lower-third" | "middle" | "top";
                                /**
                                 * @description How far a black shadow falls to the right and below, in hundredths of the em; 0 is none.
                                 * @default 0
                                 */
                                shadow?: number;
                                /**
                                 * @description Radius of the box's corners, in hundredths of the em.
                                 * @default 0
                                 */
                                radius?: number;
                                /**
                                 * BaseVideoMixOptionsVoicePoolSubtitleStyleHighlight
                                 * @description Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words.
                                 */
                                highlight?: {
                                    /**
                                     * @description Colour of the word that is being spoken.
                                     * @example #FFFFFF
                                     */
                                    color?: string;
                                };
                            };
                        };
                    }[];
                };
                /** @description Groups of clips; each group gives one output. */
                videoList: {
                    /** @description Clips of the group, in order. */
                    videos: {
                        /**
                         * @description URL of the clip.
                         * @example https://media.example.com/clip.mp4
                         */
                        url: string;
                        /** @description Declared length in seconds; it only prices. Of a picture, how long it is shown: 3 s where it is absent. */
                        duration?: number;
                        /**
                         * @description How it moves if it is a picture.
                         * @enum {string}
                         */
                        imageMotion?: "none" | "zoomIn" | "zoomOut" | "panLeft" | "panRight" | "random";
                        /**
                         * @description Use the file from this second on.
                         * @default 0
                         */
                        from?: number;
                        /** @description Use the file up to this second only. */
                        to?: number;
                        /** @description A name for you; it has no effect. */
                        sceneName?: string;
                    }[];
                    /** @description Cuts the output to this many seconds; a shorter one stays as it is. */
                    totalDuration?: number;
                }[];
                /**
                 * @description Cut every clip of a group to the group's shortest.
                 * @default false
                 */
                isShortest?: boolean;
            };
            /**
             * @description Address that is called once when the task is in a final state.
             * @example https://example.com/hooks/clipmill
             */
            callbackUrl?: string;
            /** @description Your own id of the job. The same body with the same id answers with the first task and costs nothing. */
            clientTaskId?: string;
            /** @description What you call the task; `list` finds it by it. It changes nothing about the videos, nor whether a request is the same as an earlier one. */
            name?: string;
            /** @description Labels by which `list` finds the task; up to ten. */
            labels?: string[];
            /** @description The most that the task may cost. A submission whose estimate is higher is refused (40201); a task whose confirmed price is higher is rejected. */
            maxPoints?: number;
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
             * @description Which kind of task this is; the structure of `params` depends on it. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            taskType: "proVideoMix";
            /**
             * ProVideoMixParams
             * @description Parameters of the task.
             */
            params: {
                /** @description Seed of everything that is left to chance; drawn when absent. */
                seed?: number;
                /**
                 * ProVideoMixOptions
                 * @description Options; each has a default.
                 */
                options?: {
                    /**
                     * @description How much work goes into the picture: `draft` is the fastest, `high` the best to look at. Absent, the installation's, usually `standard`.
                     * @enum {string}
                     */
                    preset?: "draft" | "standard" | "high";
                    /**
                     * @description Where in their files clips begin: `begin`, each with its first picture; `random`, drawn so that outputs share as little footage as can be; `shots`, drawn in the same way of the cuts that are found in the files, black, still and blurred stretches left out while there are others.
                     * @default begin
                     * @enum {string}
                     */
                    clipStart?: "begin" | "random" | "shots";
                    /**
                     * @description Cut every scene of an output to its shortest.
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
                     * @description `none` fits the whole picture in, `crop` fills and crops, `stretch` stretches.
                     * @default none
                     * @enum {string}
                     */
                    resolutionMode?: "none" | "crop" | "stretch";
                    /**
                     * @description Behind a picture that does not fill the frame or can be seen through: black, or a blurred copy of itself.
                     * @default black
                     * @enum {string}
                     */
                    background?: "black" | "blur";
                    /**
                     * @description Frames a second of the output.
                     * @default 30
                     * @enum {integer}
                     */
                    fps?: 25 | 30 | 50 | 60;
                    /**
                     * @description Volume of the clips' own sound in percent.
                     * @default 100
                     */
                    originalVolume?: number;
                    /**
                     * @description Turn the music down while somebody speaks.
                     * @default false
                     */
                    ducking?: boolean;
                    /** @description Bring the mix to this loudness in LUFS (EBU R128). */
                    loudness?: number;
                    /**
                     * @description Seconds over which the whole sound fades out at the end of the video.
                     * @default 0
                     */
                    fadeOut?: number;
                    /**
                     * ProVideoMixOptionsBackgroundMusic
                     * @description Music that loops to the picture's end.
                     */
                    backgroundMusic?: {
                        /**
                         * @description URL of a sound file, or of a video with sound; without one nothing plays.
                         * @example https://media.example.com/clip.mp4
                         */
                        url?: string;
                        /** @description A name for you; it has no effect. */
                        fileName?: string;
                        /** @description Use only this many seconds from the file's start; with 0 nothing is heard. */
                        duration?: number;
                        /**
                         * @description Percent of amplitude.
                         * @default 80
                         */
                        volume?: number;
                        /**
                         * @description Seconds of fade at the start of what is heard.
                         * @default 0.5
                         */
                        fadeIn?: number;
                        /**
                         * @description Seconds of fade at the end of what is heard.
                         * @default 0.5
                         */
                        fadeOut?: number;
                    };
                    /**
                     * ProVideoMixOptionsAudio
                     * @description Voice-over that plays once from the start.
                     */
                    audio?: {
                        /**
                         * @description URL of a sound file, or of a video with sound; without one nothing plays.
                         * @example https://media.example.com/clip.mp4
                         */
                        url?: string;
                        /** @description A name for you; it has no effect. */
                        fileName?: string;
                        /** @description Use only this many seconds from the file's start; with 0 nothing is heard. */
                        duration?: number;
                        /**
                         * @description Percent of amplitude.
                         * @default 80
                         */
                        volume?: number;
                        /**
                         * @description Seconds of fade at the start of what is heard.
                         * @default 0.5
                         */
                        fadeIn?: number;
                        /**
                         * @description Seconds of fade at the end of what is heard.
                         * @default 0.5
                         */
                        fadeOut?: number;
                    };
                    /**
                     * ProVideoMixOptionsSubtitle
                     * @description Subtitles, drawn into the picture.
                     */
                    subtitle?: {
                        /**
                         * @description URL of an SRT or VTT file; without one none are shown.
                         * @example https://media.example.com/clip.mp4
                         */
                        url?: string;
                        /** @description A name for you; it has no effect. */
                        fileName?: string;
                        /**
                         * ProVideoMixOptionsSubtitleStyle
                         * @description How the text looks.
                         * @default {}
                         */
                        style?: {
                            /**
                             * @description Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output.
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
                             * @description Output pixels from the bottom edge to the text.
                             * @default 50
                             */
                            bottom?: number;
                            /**
                             * @description Multiplies `fontSize`.
                             * @default 2.5
                             */
                            magnification?: number;
                            /**
                             * @description Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks.
                             * @enum {string}
                             */
                            font?: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
                            /**
                             * @description How strong the letters are.
                             * @default regular
                             * @enum {string}
                             */
                            weight?: "regular" | "bold";
                            /**
                             * @description Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle.
                             * @default bottom
                             * @enum {string}
                             */
                            place?: "bottom" | "lower-third" | "middle" | "top";
                            /**
                             * @description How far a black shadow falls to the right and below, in hundredths of the em; 0 is none.
                             * @default 0
                             */
                            shadow?: number;
                            /**
                             * @description Radius of the box's corners, in hundredths of the em.
                             * @default 0
                             */
                            radius?: number;
                            /**
                             * ProVideoMixOptionsSubtitleStyleHighlight
                             * @description Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words.
                             */
                            highlight?: {
                                /**
                                 * @description Colour of the word that is being spoken.
                                 * @example #FFFFFF
                                 */
                                color?: string;
                            };
                        };
                    };
                    /**
                     * @description How pictures that stand in place of clips move: nearer, away, to the left or to the right over the picture; `random` draws one for each picture.
                     * @default none
                     * @enum {string}
                     */
                    imageMotion?: "none" | "zoomIn" | "zoomOut" | "panLeft" | "panRight" | "random";
                    /** @description Clips that stand before everything else: one per output, dealt out so that all come before any comes again. */
                    introPool?: {
                        /**
                         * @description URL of the clip.
                         * @example https://media.example.com/clip.mp4
                         */
                        url: string;
                    }[];
                    /** @description Clips that stand behind everything else: one per output, dealt out likewise. */
                    outroPool?: {
                        /**
                         * @description URL of the clip.
                         * @example https://media.example.com/clip.mp4
                         */
                        url: string;
                    }[];
                    /**
                     * ProVideoMixOptionsTransition
                     * @description How clips go over into one another: they overlap, and the output is shorter by the overlaps.
                     */
                    transition?: {
                        /** @description Names of the catalogue; one is drawn for each change of clips, all before any comes again. */
                        names: ("fade" | "fadeblack" | "fadewhite" | "fadegrays" | "dissolve" | "pixelize" | "hblur" | "slideleft" | "slideright" | "slideup" | "slidedown" | "wipeleft" | "wiperight" | "wipeup" | "wipedown" | "smoothleft" | "smoothright" | "smoothup" | "smoothdown" | "circleopen" | "circleclose" | "circlecrop" | "rectcrop" | "vertopen" | "vertclose" | "horzopen" | "horzclose" | "radial" | "diagtl" | "diagbr" | "hlslice" | "hrslice" | "vuslice" | "vdslice" | "squeezeh" | "squeezev")[];
                        /**
                         * @description Seconds that two clips overlap; fewer where a clip is too short.
                         * @default 0.5
                         */
                        duration?: number;
                    };
                    /**
                     * @description Pictures and texts over the clips and under the captions: pictures in this order, the texts above them.
                     * @default []
                     */
                    overlays?: {
                        /**
                         * @description What it is.
                         * @enum {string}
                         */
                        type: "image" | "text";
                        /**
                         * @description URL of the picture: PNG, JPEG or WebP, alpha included. Of one that moves the first frame is shown.
                         * @example https://media.example.com/clip.mp4
                         */
                        url?: string;
                        /**
                         * @description Width of the picture, in percent of the output's; less where it would be higher than the output.
                         * @default 20
                         */
                        width?: number;
                        /**
                         * @description How far the picture covers what lies below, times its own alpha.
                         * @default 100
                         */
                        opacity?: number;
                        /** @description The text. Lines break where it has line breaks, and where they would be too wide. */
                        text?: string;
                        /** @description Several texts in place of `text`: one per output, dealt out so that all come before any comes again. */
                        texts?: string[];
                        /**
                         * @description Width that no line of the text goes beyond, in percent of the output's.
                         * @default 90
                         */
                        maxWidth?: number;
                        /** @description Where it stands: a corner, the middle of an edge or of the picture; or `{x, y}`, where its middle lies. Nothing of it is outside the picture. */
                        place?: ("top-left" | "top" | "top-right" | "left" | "middle" | "right" | "bottom-left" | "bottom" | "bottom-right") | {
                            /** @description From the left, in percent of the output's width. */
                            x: number;
                            /** @description From the top, in percent of the output's height. */
                            y: number;
                        };
                        /**
                         * @description Distance from the edges that it stands at, in percent of the output's short side; `{x, y}` needs none.
                         * @default 4
                         */
                        margin?: number;
                        /**
                         * @description Second of the output from which on it is seen.
                         * @default 0
                         */
                        start?: number;
                        /** @description Second up to which it is seen. */
                        end?: number;
                        /**
                         * ProVideoMixOptionsOverlayStyle
                         * @description How the text looks: as captions' style; `bottom`, `place` and `highlight` mean nothing here.
                         * @default {}
                         */
                        style?: {
                            /**
                             * @description Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output.
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
                             * @description Output pixels from the bottom edge to the text.
                             * @default 50
                             */
                            bottom?: number;
                            /**
                             * @description Multiplies `fontSize`.
                             * @default 2.5
                             */
                            magnification?: number;
                            /**
                             * @description Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks.
                             * @enum {string}
                             */
                            font?: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
                            /**
                             * @description How strong the letters are.
                             * @default regular
                             * @enum {string}
                             */
                            weight?: "regular" | "bold";
                            /**
                             * @description Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle.
                             * @default bottom
                             * @enum {string}
                             */
                            place?: "bottom" | "lower-third" | "middle" | "top";
                            /**
                             * @description How far a black shadow falls to the right and below, in hundredths of the em; 0 is none.
                             * @default 0
                             */
                            shadow?: number;
                            /**
                             * @description Radius of the box's corners, in hundredths of the em.
                             * @default 0
                             */
                            radius?: number;
                            /**
                             * ProVideoMixOptionsOverlayStyleHighlight
                             * @description Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words.
                             */
                            highlight?: {
                                /**
                                 * @description Colour of the word that is being spoken.
                                 * @example #FFFFFF
                                 */
                                color?: string;
                            };
                        };
                    }[];
                    /** @description Music in place of `backgroundMusic`: one per output, dealt out so that all come before any comes again. */
                    backgroundMusicPool?: {
                        /**
                         * @description URL of a sound file, or of a video with sound.
                         * @example https://media.example.com/clip.mp4
                         */
                        url: string;
                        /** @description A name for you; it has no effect. */
                        fileName?: string;
                        /** @description Use only this many seconds from the file's start; with 0 nothing is heard. */
                        duration?: number;
                        /**
                         * @description Percent of amplitude.
                         * @default 80
                         */
                        volume?: number;
                        /**
                         * @description Seconds of fade at the start of what is heard.
                         * @default 0.5
                         */
                        fadeIn?: number;
                        /**
                         * @description Seconds of fade at the end of what is heard.
                         * @default 0.5
                         */
                        fadeOut?: number;
                    }[];
                    /** @description Voices with their captions in place of `audio` and `subtitle`: one per output, dealt out likewise. */
                    voicePool?: {
                        /**
                         * ProVideoMixOptionsVoicePoolAudio
                         * @description The voice.
                         */
                        audio: {
                            /**
                             * @description URL of a sound file, or of a video with sound.
                             * @example https://media.example.com/clip.mp4
                             */
                            url: string;
                            /** @description A name for you; it has no effect. */
                            fileName?: string;
                            /** @description Use only this many seconds from the file's start; with 0 nothing is heard. */
                            duration?: number;
                            /**
                             * @description Percent of amplitude.
                             * @default 80
                             */
                            volume?: number;
                            /**
                             * @description Seconds of fade at the start of what is heard.
                             * @default 0.5
                             */
                            fadeIn?: number;
                            /**
                             * @description Seconds of fade at the end of what is heard.
                             * @default 0.5
                             */
                            fadeOut?: number;
                        };
                        /**
                         * ProVideoMixOptionsVoicePoolSubtitle
                         * @description Captions of this voice.
                         */
                        subtitle?: {
                            /**
                             * @description URL of an SRT or VTT file.
                             * @example https://media.example.com/clip.mp4
                             */
                            url: string;
                            /** @description A name for you; it has no effect. */
                            fileName?: string;
                            /**
                             * ProVideoMixOptionsVoicePoolSubtitleStyle
                             * @description How the text looks.
                             * @default {}
                             */
                            style?: {
                                /**
                                 * @description Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output.
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
                                 * @description Output pixels from the bottom edge to the text.
                                 * @default 50
                                 */
                                bottom?: number;
                                /**
                                 * @description Multiplies `fontSize`.
                                 * @default 2.5
                                 */
                                magnification?: number;
                                /**
                                 * @description Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks.
                                 * @enum {string}
                                 */
                                font?: "noto-sans-sc" | "noto-sans-tc" | "noto-sans-jp" | "noto-sans-kr" | "noto-sans" | "noto-sans-display" | "noto-serif-sc" | "noto-serif-tc" | "noto-serif-jp" | "noto-serif-kr" | "noto-serif" | "noto-serif-display";
                                /**
                                 * @description How strong the letters are.
                                 * @default regular
                                 * @enum {string}
                                 */
                                weight?: "regular" | "bold";
                                /**
                                 * @description Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle.
                                 * @default bottom
                                 * @enum {string}
                                 */
                                place?: "bottom" | "lower-third" | "middle" | "top";
                                /**
                                 * @description How far a black shadow falls to the right and below, in hundredths of the em; 0 is none.
                                 * @default 0
                                 */
                                shadow?: number;
                                /**
                                 * @description Radius of the box's corners, in hundredths of the em.
                                 * @default 0
                                 */
                                radius?: number;
                                /**
                                 * ProVideoMixOptionsVoicePoolSubtitleStyleHighlight
                                 * @description Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words.
                                 */
                                highlight?: {
                                    /**
                                     * @description Colour of the word that is being spoken.
                                     * @example #FFFFFF
                                     */
                                    color?: string;
                                };
                            };
                        };
                    }[];
                };
                /** @description Scenes in order; together they last as long as an output may at most. */
                scenes: {
                    /** @description Unique key of the scene. */
                    sceneKey: string;
                    /** @description Name of the scene. */
                    sceneName: string;
                    /** @description Length of the scene in seconds. A longer clip is cut, one a little short holds its last picture, a shorter one loops. */
                    duration: number;
                    /**
                     * @description Where in their files the clips of this scene begin.
                     * @enum {string}
                     */
                    clipStart?: "begin" | "random" | "shots";
                    /** @description Clips to choose from: one per output. */
                    resources: {
                        /** @description A key for you; it has no effect. */
                        key?: string;
                        /**
                         * @description URL of the clip.
                         * @example https://media.example.com/clip.mp4
                         */
                        url: string;
                        /** @description Declared length in seconds; it only prices. */
                        duration?: number;
                        /**
                         * @description How it moves if it is a picture.
                         * @enum {string}
                         */
                        imageMotion?: "none" | "zoomIn" | "zoomOut" | "panLeft" | "panRight" | "random";
                        /**
                         * @description Use the file from this second on.
                         * @default 0
                         */
                        from?: number;
                        /** @description Use the file up to this second only. */
                        to?: number;
                    }[];
                    /**
                     * @description Sounds of the scene; where there are several, one is drawn per output.
                     * @default []
                     */
                    audioResources?: {
                        /**
                         * @description URL of a sound file, or of a video with sound; without one the entry is left out with a warning.
                         * @example https://media.example.com/clip.mp4
                         */
                        url?: string;
                        /** @description Use only this many seconds from the file's start; with 0 nothing is heard. */
                        duration?: number;
                        /**
                         * @description `split`: seconds after the scene's start; `merge`: the gap before this sound.
                         * @default 0
                         */
                        startTime?: number;
                    }[];
                }[];
                /**
                 * @description `split`: each scene's sound plays within its scene; `merge`: the scenes' sounds are joined into one track from the start.
                 * @enum {string}
                 */
                audioMode: "merge" | "split";
                /** @description Number of different videos to make. */
                generateCount?: number;
                /** @description Like `generateCount`, for more videos; one of the two is needed. An installation may allow fewer. */
                outputCount?: number;
                /**
                 * @description Combinations to use first: rows of one index into `resources` for each scene. The rest is drawn.
                 * @default []
                 */
                combinations?: number[][];
                /**
                 * @description Where the clips of `combinations` begin: a row for each of its rows, as `recipe.starts` tells.
                 * @default []
                 */
                starts?: number[][];
            };
            /**
             * @description Address that is called once when the task is in a final state.
             * @example https://example.com/hooks/clipmill
             */
            callbackUrl?: string;
            /** @description Your own id of the job. The same body with the same id answers with the first task and costs nothing. */
            clientTaskId?: string;
            /** @description What you call the task; `list` finds it by it. It changes nothing about the videos, nor whether a request is the same as an earlier one. */
            name?: string;
            /** @description Labels by which `list` finds the task; up to ten. */
            labels?: string[];
            /** @description The most that the task may cost. A submission whose estimate is higher is refused (40201); a task whose confirmed price is higher is rejected. */
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
         * @description Which rows are wanted: those in a state, or those that failed, refused ones among them.
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
            code: 40000 | 40001 | 40100 | 40101 | 40200 | 40201 | 40300 | 40301 | 40400 | 40500 | 40900 | 40901 | 40902 | 40903 | 40904 | 40905 | 40906 | 40907 | 40908 | 41000 | 41300 | 41500 | 42200 | 42900 | 42901 | 42902 | 42903 | 42904 | 42905 | 50000 | 50300;
            /** @description Cause of the failure, and how to fix it. */
            msg: string;
            /** @description Depends on `code`; null where an error has no data. */
            data: components["schemas"]["ErrorData"] | null;
        };
        /** @description Details of an error, by its code. */
        ErrorData: {
            /** @description 40001: every field that cannot be accepted. */
            errors?: components["schemas"]["FieldError"][];
            /** @description 40001 of a batch: number of all errors, of which `errors` may list only the first. */
            total?: number;
            /** @description 40200: points that are needed. */
            needed?: number;
            /** @description 40200: points that can be spent. */
            available?: number;
            /** @description 40201: the estimate. */
            price?: number;
            /** @description 40201: the limit of the request. */
            maxPoints?: number;
            /** @description 40201: the row of a batch whose limit is exceeded. */
            row?: number;
            /** @description 40300: the scope that the key lacks. */
            scope?: string;
            /** @description 40301: why the user is switched off. */
            reason?: string;
            /** @description 40900, 40901, 40903, 41000: the task; 40903 of a batch: its number. */
            taskNo?: string;
            /** @description 40900, 40907: the batch. */
            batchNo?: string;
            /** @description 40901, 40907: state of the task or batch. */
            status?: number;
            /** @description 40901, 40907: the state in words. */
            statusName?: string;
            /** @description 40902: bytes that are stored. */
            storedBytes?: number;
            /** @description 40904: number of the task, template or batch that needs the file. */
            neededBy?: string;
            /** @description 40905: newest version of the template. */
            version?: number;
            /** @description 42900, 42903: seconds to wait. */
            seconds?: number;
            /** @description 42901: tasks that have not ended. */
            openTasks?: number;
            /** @description 42902: streams that are open. */
            openStreams?: number;
            /** @description 42904: batches that have not ended. */
            openBatches?: number;
            /** @description 42905: outputs that were cancelled or rejected within an hour. */
            givenUp?: number;
            /** @description 40902, 40906, 40908, 42901, 42902, 42904, 42905: the limit. */
            limit?: number;
        };
        /** @description One field that cannot be accepted. */
        FieldError: {
            /** @description JSON Pointer into the body; `/query/…` for a parameter. */
            path: string;
            message: string;
            /** @description Value that was sent, shortened when long. */
            got: unknown;
            /** @description Allowed values, briefly. */
            allowed: string | null;
            /** @description Of an error in the table of a batch: its row, from 1. */
            row?: number;
            /** @description Of an error in the table of a batch: its column; null if the error is not in one. */
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
export type CallbackStatus = components['schemas']['CallbackStatus'];
export type CallbackTestRequest = components['schemas']['CallbackTestRequest'];
export type CallbackTest = components['schemas']['CallbackTest'];
export type Callback = components['schemas']['Callback'];
export type Catalogue = components['schemas']['Catalogue'];
export type CatalogueEntry = components['schemas']['CatalogueEntry'];
export type Deduction = components['schemas']['Deduction'];
export type Delivery = components['schemas']['Delivery'];
export type DirectUpload = components['schemas']['DirectUpload'];
export type DiversityPair = components['schemas']['DiversityPair'];
export type Diversity = components['schemas']['Diversity'];
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
export type Item = components['schemas']['Item'];
export type KeyRequest = components['schemas']['KeyRequest'];
export type Key = components['schemas']['Key'];
export type Keys = components['schemas']['Keys'];
export type LibraryFile = components['schemas']['LibraryFile'];
export type MediaAudio = components['schemas']['MediaAudio'];
export type MediaKindName = components['schemas']['MediaKindName'];
export type Media = components['schemas']['Media'];
export type MediaVideo = components['schemas']['MediaVideo'];
export type NewBatch = components['schemas']['NewBatch'];
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
export type Presign = components['schemas']['Presign'];
export type PreviewClip = components['schemas']['PreviewClip'];
export type Preview = components['schemas']['Preview'];
export type Probe = components['schemas']['Probe'];
export type Quality = components['schemas']['Quality'];
export type QueueDepth = components['schemas']['QueueDepth'];
export type Queue = components['schemas']['Queue'];
export type RecordType = components['schemas']['RecordType'];
export type PointsRecord = components['schemas']['PointsRecord'];
export type Requeued = components['schemas']['Requeued'];
export type RowStateName = components['schemas']['RowStateName'];
export type Running = components['schemas']['Running'];
export type SavedTemplate = components['schemas']['SavedTemplate'];
export type SentUpload = components['schemas']['SentUpload'];
export type Share = components['schemas']['Share'];
export type SharedTask = components['schemas']['SharedTask'];
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
export type UserUsage = components['schemas']['UserUsage'];
export type User = components['schemas']['User'];
export type Variable = components['schemas']['Variable'];
export type VariableTypeName = components['schemas']['VariableTypeName'];
export type VariableValue = components['schemas']['VariableValue'];
export type Remark = components['schemas']['Remark'];
export type WideShare = components['schemas']['WideShare'];
export type Worker = components['schemas']['Worker'];
export type Workers = components['schemas']['Workers'];
export type PageBatchRow = components['schemas']['PageBatchRow'];
export type PageBatch = components['schemas']['PageBatch'];
export type PageDiversityPair = components['schemas']['PageDiversityPair'];
export type PageFailure = components['schemas']['PageFailure'];
export type PageLibraryFile = components['schemas']['PageLibraryFile'];
export type PageOutput = components['schemas']['PageOutput'];
export type PageRecord = components['schemas']['PageRecord'];
export type PageTemplateOverview = components['schemas']['PageTemplateOverview'];
export type PageUser = components['schemas']['PageUser'];
export type TemplateUse = components['schemas']['TemplateUse'];
export type VideoDeduplicationRequest = components['schemas']['VideoDeduplicationRequest'];
export type BaseVideoMixRequest = components['schemas']['BaseVideoMixRequest'];
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
