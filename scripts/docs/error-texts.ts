import type { FailureCode } from '../../packages/contract/src/domain/failure.ts';
import type { ProblemCode } from '../../packages/contract/src/domain/problem.ts';

/** What a client does about a problem, by its code. */
export const PROBLEM_FIXES: Readonly<Record<ProblemCode, string>> = {
  BAD_REQUEST: 'send one JSON object; `detail` gives line and column',
  INVALID_JSON: 'send one JSON object; `detail` gives line and column',
  INVALID_REQUEST: 'fix each of [`errors`](errors.md)',
  INVALID_TOKEN: '[obtain or refresh](tokens.md) the token; `detail` says which',
  INVALID_CLIENT: 'the client id or the secret is wrong, or the client is revoked',
  INSUFFICIENT_SCOPE: 'request the [scope](tokens.md#scopes), or use a client that has it',
  JOB_HAS_KEYS:
    '[retry](jobs.md#retry-with-another-request) it without a body, or let its client send the changed request',
  NOT_A_CLIENT: 'ask the operator to add a client for the subject of the [external token](../operate/sign-in.md)',
  NOT_SAME_ORIGIN: 'send a token: only a page of the service itself may use the session of a browser',
  NOT_FOUND: '`detail` names the nearest path',
  METHOD_NOT_ALLOWED: 'use one of the methods in `Allow`',
  JOB_NOT_FOUND: 'check the id; the job may be deleted, or belong to another client',
  JOB_FINISHED: 'the job has ended: nothing to [cancel](jobs.md#cancel-retry-delete)',
  JOB_NOT_FINISHED: 'wait for the end of the job, or [cancel](jobs.md#cancel-retry-delete) it first',
  LAST_ADMIN: 'give another client the scope `admin` first, or send `lastAdmin`',
  BATCH_NOT_FOUND: '`GET /api/conversions` lists batches; a batch may belong to another client',
  BATCH_FINISHED: 'all jobs of the batch have ended',
  WORKER_NOT_FOUND: '`GET /api/workers` lists the workers',
  WEBHOOK_NOT_FOUND: '`GET /api/webhooks` lists your webhooks',
  WEBHOOK_DISABLED: 'enable the webhook with `PATCH {"enabled": true}` first',
  TOO_MANY_WEBHOOKS: 'delete a webhook first',
  WATCH_NOT_FOUND: '`GET /api/watches` lists your watches',
  TOO_MANY_WATCHES: 'delete a watch first',
  JOB_OF_WATCH: 'retry the file in its watch: `POST /api/watches/ID/retry`',
  CLIENT_REVOKED:
    'pause or delete the watch, or make one of another client; submit the request of the job for another client',
  CLIENT_LACKS_SCOPE:
    'give the client that `detail` names the [scope](tokens.md#scopes), submit the request of the job for another client, or let the watch keep its files',
  FOLDER_UNREACHABLE:
    '`detail` says why it cannot be read: create the folder or mount its disk, give the service access, or wait for its storage',
  RECIPE_CONFLICT:
    'the service has a recipe of that name, or yours has this version or a newer one: `detail` says what to send',
  TOO_MANY_RECIPES: 'delete a recipe of yours first',
  DELIVERY_NOT_FOUND: 'list the deliveries; they are stored for a week',
  DELIVERY_NOT_FINISHED: 'wait until the attempt that runs has ended',
  TOO_MANY_DELIVERIES:
    'repair your receivers and wait for [unfinished deliveries](../webhooks.md#deliveries), or delete webhooks without a receiver',
  FILE_NOT_FOUND: '`GET /api/files` lists existing files; a failed job has no outputs',
  NOT_A_FILE: 'the path is a folder or another non-file; use another path',
  FILE_EXISTS: 'send another path; a file can be replaced with `"replace": true`',
  FILE_IN_USE: 'wait for the job that `detail` names, or cancel it',
  FOLDER_NOT_EMPTY: 'delete its content first',
  UPLOAD_NOT_FOUND: 'create another upload: this one was deleted, has expired, or belongs to another client',
  UPLOAD_CONFLICT: 'continue at the offset that `HEAD` of the upload returns',
  UPLOAD_LOCKED: 'ask for the offset of the upload and continue there',
  UNSUPPORTED_TUS_VERSION: 'send `Tus-Resumable: 1.0.0`',
  OUTPUT_GONE: 'the file was deleted or replaced: run the job again',
  SHARE_NOT_FOUND: '`GET /api/shares` lists the shared links that still work',
  TOO_MANY_SHARES: 'revoke a shared link first',
  TOO_MANY_FILES: 'download the files one by one, or fewer folders',
  PRECONDITION_FAILED: 'read the file again; `detail` gives its ETag',
  RANGE_NOT_SATISFIABLE: 'use a range within `Content-Range` of the reply',
  INVALID_LINK: 'request a new link: this one was cut or changed, or its client lost access',
  LINK_EXPIRED: 'request a new link',
  LINK_REVOKED: 'request a new link',
  LINK_USED: 'request a new link',
  IDEMPOTENCY_CONFLICT: 'use a new key for a new request',
  INPUT_NOT_FOUND: 'probes: the file is not in the media root',
  INPUT_INVALID: 'probes and previews: the file is not media, damaged, empty or above a limit',
  INPUT_UNAVAILABLE:
    'probes, and dry runs of recipes that read the input: the server of the URL cannot be reached, is not allowed, or does not send the file',
  UNSUPPORTED: 'probes and previews: the kind of file is not supported, or has no such view',
  TIMEOUT:
    'probes, previews, and dry runs of recipes that read the input: if the reply has `Retry-After`, the service goes on reading the file: send the request again after these seconds. Otherwise use a smaller file, or ask the operator for more time',
  REQUEST_TIMEOUT: 'send the request again, without pauses',
  BODY_TOO_LARGE: 'send at most 1 MiB; for a file, at most the limit of the operator',
  UNSUPPORTED_MEDIA_TYPE:
    'send `Content-Type: application/json`, not compressed; a file as the body (`curl -T`), not as a form',
  HEADERS_TOO_LARGE: 'send at most 16 KiB with the request line',
  RATE_LIMITED: 'retry after `Retry-After` seconds',
  TOO_MANY_PENDING: 'retry after `Retry-After` seconds',
  TOO_MANY_UPLOADS: 'retry when an upload has ended; `detail` says if unfinished resumable ones count',
  TOO_MANY_STREAMS: 'close another event stream of the client, then retry',
  TOO_MANY_CONNECTIONS:
    'close connections, or retry after `Retry-After` seconds: too many without a valid token from your address, or too many running requests',
  QUOTA_EXCEEDED:
    '`quota` has its name, use and limit. Retry after `Retry-After` seconds, when the day ends. Without that header time does not help: the request needs more than a whole day, or `storage` is used up',
  INTERNAL: 'tell the operator the `requestId`',
  STORAGE_FAULT: 'tell the operator the `requestId`: the disk failed, or the service may not write there',
  NO_SPACE: 'delete files, or ask the operator for space',
  STORAGE_EXCEEDED:
    'delete files, or ask the operator for more: `quota` has what is used, and its limit. The bin has given way already',
  NOT_IMPLEMENTED: 'the service has no ffprobe, or not this extension of tus; it is not a proxy for `CONNECT`',
  UNAVAILABLE:
    'retry after `Retry-After` seconds: the service stops, its database or its disk is not available, too many probes or previews are queued, no worker can do it, or the file was replaced meanwhile',
};

/** What a failure of a job means, and what to do. */
interface FailureText {
  readonly means: string;
  readonly fix: string;
}

export const FAILURE_TEXTS: Readonly<Record<FailureCode, FailureText>> = {
  INPUT_NOT_FOUND: {
    means: 'the file did not exist when the job started',
    fix: 'upload it and retry, or correct the path',
  },
  INPUT_INVALID: {
    means:
      'the input is empty, damaged, not media, unreadable, a folder, outside the media root, lacks a stream that `map` or the recipe reads, or does not match others that it is [joined](join.md) with',
    fix: 'check that it plays and is complete',
  },
  INPUT_UNAVAILABLE: {
    means:
      'the server of a [URL](inputs.md#urls) cannot be reached, is not allowed, or does not send the file; the message has host and status',
    fix: 'check the URL and its signature, then retry; or upload the file',
  },
  UNSUPPORTED: {
    means:
      'this ffmpeg, format or service cannot do it: an unknown filter, a codec that the container does not support, a playlist as input, an output path below a file, a file that stays larger than the `size` of its recipe',
    fix: 'choose another codec, format, path or `size`',
  },
  OUTPUT_EXISTS: { means: 'the output exists; it was not changed', fix: 'send another output, or `"y": ""`' },
  LIMIT_EXCEEDED: {
    means: 'the job exceeded a [limit](limits.md) of its client; `message` names it',
    fix: 'use less, or ask the operator for a higher limit',
  },
  NO_SPACE: {
    means: 'too little free disk space; after three attempts, or at once if the job itself wrote too much',
    fix: 'free space, lower the bit rate or the duration',
  },
  TIMEOUT: {
    means: 'the job took more time (`time`) or processor time (`cpu`) than allowed',
    fix: 'convert a shorter part, use a faster preset, ask for a higher limit',
  },
  STALLED: { means: 'nothing was read or written for too long', fix: 'retry; then check the input and the options' },
  CANCELLED: { means: 'a caller cancelled the job (its status is `CANCELLED`)', fix: '' },
  WORKER_LOST: {
    means: 'the service that ran this job was killed, or lost its database, three times',
    fix: 'check the machine (memory, restarts, network), then retry',
  },
  NO_WORKER: {
    means:
      'no live worker had what the job needs, such as an encoder, for an hour, or none that was [ready](../operate/metrics.md#workers-that-are-not-ready) took it for half a day',
    fix: 'ask the operator for such a worker, then retry; or use another encoder or filter',
  },
  DEPENDENCY_FAILED: {
    means: 'a job that `after` names failed or was cancelled',
    fix: 'run that job again, then send this request with the id of the new one',
  },
  STORAGE_FAULT: {
    means:
      'the storage was down for twelve hours (or what the operator has set), three attempts could not write their outputs, a file on it failed in three attempts, or the service may not write there',
    fix: 'check the permissions of the folder; the log of the operator says more; retry once the storage works',
  },
  STRICT_WARNING: {
    means: 'the job is [`strict`](submit.md#strict), and its run has warnings; nothing was published',
    fix: 'follow the fix, or leave `strict` out',
  },
  DEVICE_FAILED: {
    means: 'a hardware device could not be opened, has no free session, or does not support the encoding',
    fix: 'send [`fallback`](hardware-devices.md), or other options of the encoder',
  },
  FFMPEG_FAILED: {
    means: 'ffmpeg failed for another reason; the message quotes it',
    fix: 'read the [log](jobs.md#log-of-ffmpeg) of the job',
  },
};
