import { availableParallelism } from 'node:os';
import { CLIENT_LIMITS_FORM, defaultClientLimits, readClientLimitsSetting } from './client-limits.ts';
import { CONNECTIONS_FORM, DEFAULT_CONNECTIONS, readConnectionLimits } from './connection-limits.ts';
import { DEVICES_FORM, readDevices } from './devices.ts';
import { OAUTH_SETTINGS } from './oauth-settings.ts';
import { OUTGOING_HOSTS_FORM, readOutgoingHosts } from './outgoing-hosts.ts';
import { DEFAULT_RATE_LIMITS, RATE_LIMITS_FORM, readRateLimits } from './rate-limits.ts';
import {
  choice,
  FILE,
  FOLDER,
  flag,
  optional,
  POSTGRES_URL,
  readHostNames,
  readNetworks,
  readOrigins,
  readWebAddress,
  type SettingReader,
  seconds,
  setting,
  size,
  text,
  WEB_ADDRESS,
  wholeNumber,
} from './setting.ts';
import { STORAGE_SETTINGS } from './storage-settings.ts';

const readRatio: SettingReader<number> = (text) => {
  const value = Number(text);
  if (!/^(\d+|\d*\.\d+)$/.test(text) || value > 1) throw new Error('must be a number from 0 to 1, such as 0.1');
  return value;
};

/**
 * Returns the default number of concurrent conversions. Small conversions use one core each. Large ones are not faster
 * if several run at the same time, and need more memory.
 */
export const defaultConcurrency = (cores: number): number => Math.max(Math.min(cores, 4), Math.floor(cores / 2));

/** All environment variables of the service. Only code in `config/` reads the environment. */
export const SETTINGS = {
  host: setting(
    'TELECINE_HOST',
    text('an address, such as 0.0.0.0'),
    '127.0.0.1',
    'Address to listen on. The default accepts connections from this machine only.',
  ),
  port: setting(
    ['TELECINE_PORT', 'PORT'],
    wholeNumber(0, 65_535),
    '8080',
    'Port to listen on. 0 picks a free port and logs it.',
  ),
  dataDir: setting(
    'TELECINE_DATA_DIR',
    FOLDER,
    './data',
    'Folder of the database, the admin credentials and the ffmpeg catalogue. One service at a time may use it.',
  ),
  databaseUrl: optional(
    'TELECINE_DATABASE_URL',
    POSTGRES_URL,
    'PostgreSQL database (version 15 or newer) for jobs, clients and the queue. Any number of services may use it. The default is SQLite in the data folder.',
  ),
  databaseListenUrl: optional(
    'TELECINE_DATABASE_LISTEN_URL',
    POSTGRES_URL,
    'Address of the same database for LISTEN, which needs a direct connection: not through a pooler in transaction mode. With it, services learn at once when another service accepts, cancels or ends a job, and idle workers poll every three seconds. Without it, services poll every second.',
  ),
  mediaRoot: setting(
    'TELECINE_MEDIA_ROOT',
    FOLDER,
    './media',
    'Folder for inputs and outputs. A client can have its own (`telecine client add --root`). It must exist; only the default is created. With `/`, paths in requests are host paths.',
  ),
  ...STORAGE_SETTINGS,
  concurrency: setting(
    'TELECINE_CONCURRENCY',
    wholeNumber(1, 256),
    String(defaultConcurrency(availableParallelism())),
    'Number of ordinary conversions that run at the same time. Heavy encoders (x265, AV1, VP9) count two, audio files a half, copies and thumbnails a quarter. Light conversions can run in addition. The default is one per core up to 4, and half the cores from 8 cores on.',
  ),
  niceness: setting(
    'TELECINE_NICENESS',
    wholeNumber(0, 19),
    '19',
    'Niceness of ffmpeg and ffprobe. With 19 they use the processor time that the service and other programs leave, so that replies do not wait for encoders. Lower it if other programs keep the processors of the machine busy and conversions wait for them.',
  ),
  jobTimeoutSeconds: setting(
    'TELECINE_JOB_TIMEOUT_SECONDS',
    seconds(1, 31_536_000),
    '7200',
    'Longest run time of a conversion. A longer one fails with TIMEOUT. Raise it for long videos or slow encoders. The limit `time` of a client (TELECINE_CLIENT_LIMITS) can only shorten it. With PostgreSQL at most 82800 (23 hours).',
  ),
  stallTimeoutSeconds: setting(
    'TELECINE_STALL_TIMEOUT_SECONDS',
    seconds(1, 86_400),
    '120',
    'Longest time without progress. A conversion that stalls longer fails with STALLED.',
  ),
  workerWaitSeconds: setting(
    'TELECINE_WORKER_WAIT_SECONDS',
    seconds(1, 31_536_000),
    '3600',
    'Only with PostgreSQL: longest time that a queued job waits while workers run but no worker has what the job needs, such as an encoder. A job that waits longer fails with NO_WORKER.',
  ),
  storageWaitSeconds: setting(
    'TELECINE_STORAGE_WAIT_SECONDS',
    seconds(0, 31_536_000),
    '43200',
    'How long a job waits for a storage that is down: an object store that replies with 429 or 5xx, the server of an input URL that replies with 429, 502, 503 or 504, or a network disk whose server is unreachable. During this time, an attempt that meets the outage does not count, unless it has converted and an earlier attempt met an outage too. Later attempts count, and the job fails. 0: every attempt counts.',
  ),
  buildRetentionDays: setting(
    'TELECINE_BUILD_RETENTION_DAYS',
    wholeNumber(1, 365),
    '7',
    'Only with PostgreSQL: days after the last report of its workers for which requests for an ffmpeg build or a hardware device are still accepted. Their jobs are queued until such a worker returns. Set the same value on all machines.',
  ),
  probeTimeoutSeconds: setting(
    'TELECINE_PROBE_TIMEOUT_SECONDS',
    seconds(1, 600),
    '30',
    'Longest run time of a probe (`POST /api/probe`, and when a recipe reads its input). A longer one fails with TIMEOUT. A file that is slow to read is read on for up to ten minutes, without more processor time, and a later request finds the result.',
  ),
  previewTimeoutSeconds: setting(
    'TELECINE_PREVIEW_TIMEOUT_SECONDS',
    seconds(1, 600),
    '60',
    'Longest time to make a preview (`?view=`, the tool `render_preview`). A longer one fails with TIMEOUT. Copying its file from an object store has the same limit, counted separately. A waveform reads the whole audio stream: raise it for videos of many hours.',
  ),
  previewCacheBytes: setting(
    'TELECINE_PREVIEW_CACHE',
    size('a size, such as 64M or 1G, or 0'),
    '256M',
    'Disk space for previews in the data folder. Above it, the service removes the previews that were used longest ago. `0` keeps none.',
  ),
  drainSeconds: setting(
    'TELECINE_DRAIN_SECONDS',
    seconds(0, 86_400),
    '25',
    'Time for running conversions to finish after SIGTERM. Conversions that still run then return to the queue; the attempt does not count. Keep it shorter than the stop timeout of your service manager.',
  ),
  stopDelaySeconds: setting(
    'TELECINE_STOP_DELAY_SECONDS',
    seconds(0, 300),
    '0',
    'How long the service still accepts connections after SIGTERM, while `/ready` is 503, so that a load balancer notices before the port closes. Set it to more than its checks take. The drain runs at the same time.',
  ),
  jobRetentionDays: setting(
    'TELECINE_JOB_RETENTION_DAYS',
    wholeNumber(0, 36_500),
    '30',
    'Days for which finished jobs and their logs are kept. Older ones are deleted, within an hour; their outputs stay, unless `retention` of TELECINE_CLIENT_LIMITS or the request says otherwise. 0 keeps them for ever.',
  ),
  auditDays: setting(
    'TELECINE_AUDIT_DAYS',
    wholeNumber(0, 36_500),
    '365',
    'Days for which records of the audit log are kept. Older ones are deleted, within an hour. 0 keeps them for ever.',
  ),
  limits: setting(
    'TELECINE_RATE_LIMIT',
    { form: RATE_LIMITS_FORM, read: readRateLimits },
    DEFAULT_RATE_LIMITS,
    'Request limits. Requests above a limit get 429. `submissions`: per client and minute. `pending`: queued jobs per client. `pending-in-all`: queued jobs of all clients. `token-failures`: failed token requests per minute, client and address. `token-failures-per-address`: the same per address. Missing keys keep their defaults. `off` removes the first three limits; `requests` and `replies` are limits of a client and stay (`TELECINE_CLIENT_LIMITS=requests=none,replies=none` removes them).',
  ),
  clientLimits: setting(
    'TELECINE_CLIENT_LIMITS',
    { form: CLIENT_LIMITS_FORM, read: readClientLimitsSetting },
    defaultClientLimits(),
    'Limits of each client. A conversion above a limit fails with LIMIT_EXCEEDED or TIMEOUT. `input`: bytes of all inputs. `fetch`: time to fetch inputs from URLs. `output`: bytes of one written file. `scratch`: bytes of all written files. `files`: number of written files. `duration`: length of the output. `pixels`: per image. `streams`: per file. `threads`: per encoder, decoder or filtergraph. `processes`: processes and threads in total. `memory`: address space. `cpu`: processor time. `time`: run time. For all jobs of a client together: `running`: jobs that run at the same time; others wait. `priority`: the highest `priority` of its requests, -10 to 10; `none` is 10. `urls=deny`, `buckets=deny`: its requests cannot name URLs or objects in other buckets, whatever other settings allow. `jobs`: jobs submitted on a UTC day. `media`: length of the media that they publish, such as 10h; submissions above these two get 429 QUOTA_EXCEEDED, and a job whose outputs are longer than what is left fails with LIMIT_EXCEEDED. `storage`: bytes of its files and unfinished uploads, such as 50G; uploads above it get 429, and so do submissions while it is used up; a job whose outputs do not fit fails with LIMIT_EXCEEDED. `records`: about the bytes of its jobs, and of the paths of its files, in the database; submissions, uploads and moves of folders above it get 429. `retention`: how long the outputs of a job are kept after its end; then they are removed. Without it, only the outputs of requests with `expiresAfterSeconds` are. `requests`: requests a minute to one service, besides submissions. `replies`: bytes a minute of its replies and event streams, besides contents of files; requests above these two get 429 RATE_LIMITED. `tokens`: access tokens, refreshes and sign-ins a minute by one service; further ones get 429 too. Missing keys keep their defaults. `telecine client set` overrides them per client.',
  ),
  sandbox: setting(
    'TELECINE_SANDBOX',
    choice('auto', 'required', 'bubblewrap', 'landlock', 'off'),
    'auto',
    'The sandbox in which ffmpeg runs. `auto`: bubblewrap if it works on this machine, else Landlock with a filter of system calls, else none. `required`: the same, but the service does not start without one. `bubblewrap`, `landlock`: this one, or the service does not start. `off`: none. Requests are checked the same way in each case.',
  ),
  devices: setting(
    'TELECINE_DEVICES',
    { form: DEVICES_FORM, read: readDevices },
    'none',
    'Hardware devices that conversions may use to decode, filter and encode: `vaapi:PATH` for a device with a VA-API driver (Intel, AMD), `cuda:NUMBER` for a card of NVIDIA. The service tries each at its start, in the sandbox, and offers the encoders that work ([hardware devices](operate/hardware-devices.md)).',
  ),
  deviceSessions: setting(
    'TELECINE_DEVICE_SESSIONS',
    wholeNumber(1, 64),
    '2',
    'Number of conversions that use one device of TELECINE_DEVICES at the same time; others wait. A conversion with several renditions opens a session of the driver for each, and drivers of NVIDIA for consumer cards limit these.',
  ),
  whisperModel: optional(
    'TELECINE_WHISPER_MODEL',
    FILE,
    'File of a model of whisper.cpp, with which `transcribe` makes captions of speech. It needs an ffmpeg 8 that was built with `--enable-whisper`. Without both, such requests are rejected ([captions of speech](operate/captions.md)).',
  ),
  minFreeBytes: setting(
    'TELECINE_MIN_FREE_DISK',
    size('a size, such as 500M or 2G'),
    '500M',
    'Free disk space to keep under the media root. With less, the service reports not ready, rejects uploads, and stops the running conversion that has written most. If that has filled the disk alone, it fails with NO_SPACE at once. Otherwise it and other conversions are retried after 5 s and 30 s, then fail with NO_SPACE.',
  ),
  minFreeDataBytes: setting(
    'TELECINE_MIN_FREE_DATA_DISK',
    size('a size, such as 100M or 1G'),
    '100M',
    'Free disk space to keep in the data folder, so that running conversions can record their end. With less, the service reports not ready, rejects new jobs with 503, and starts no queued job. With less than half of it, it also rejects requests for refresh tokens. At least 1M.',
  ),
  eventStreams: setting(
    'TELECINE_EVENT_STREAMS',
    wholeNumber(1, 100_000),
    '100',
    'Number of event streams (`GET /api/events`) that a client can have open at a service. More get 429.',
  ),
  eventHeartbeatSeconds: setting(
    'TELECINE_EVENT_HEARTBEAT_SECONDS',
    seconds(1, 3600),
    '15',
    'Longest time without data on an event stream. Then the service sends a comment, so that proxies keep the connection open. Set it lower than their timeouts.',
  ),
  connectionLimits: setting(
    'TELECINE_CONNECTION_LIMITS',
    { form: CONNECTIONS_FORM, read: readConnectionLimits },
    DEFAULT_CONNECTIONS,
    'Limits of open connections. `all`: of the service; when they are in use, the one that has been idle longest is closed for a new one. By default half of the files that the service may open (`LimitNOFILE=`), at most 4096. A client can have half as many running requests; all who use links can have a quarter. `without-token`: connections on which no valid token was sent yet; the oldest is closed for a new one. By default a quarter of `all`. `without-token-per-address`: the same from one address, or from one /64 of IPv6; more get 429. It is at most half of `without-token`. For connections from TELECINE_TRUST_PROXY it counts running requests by the address of the caller. As many requests by links can run from one address. `bytes`: memory for request bodies and for replies that are not yet sent; a client can have half of it, all who use links a quarter, and one address of them an eighth; above it, requests get 503.',
  ),
  inputUrls: setting(
    'TELECINE_INPUT_URLS',
    { form: OUTGOING_HOSTS_FORM, read: readOutgoingHosts },
    'deny',
    'Hosts from which the service fetches inputs that are http(s) URLs. `public` allows every public address, on the ports 80, 443, and 1024 to 65535. Each other entry allows one host, address or network with its port, also in a private network. Set the same value on all services of a database ([what is checked](operate/input-urls.md)).',
  ),
  webhookHosts: setting(
    'TELECINE_WEBHOOK_HOSTS',
    { form: OUTGOING_HOSTS_FORM, read: readOutgoingHosts },
    'public',
    'Hosts to which the service may send webhooks and callbacks of clients. `public` allows every public address, on the ports 80, 443, and 1024 to 65535. Each other entry allows one host, address or network with its port, also in a private network. `deny` allows none.',
  ),
  maxWebhooks: setting(
    'TELECINE_WEBHOOKS_PER_CLIENT',
    wholeNumber(1, 1000),
    '20',
    'Number of webhooks that a client can register.',
  ),
  watchesPerClient: setting(
    'TELECINE_WATCHES_PER_CLIENT',
    wholeNumber(1, 1000),
    '20',
    'Number of watched folders that a client can have.',
  ),
  maxUploadBytes: setting(
    'TELECINE_MAX_UPLOAD_SIZE',
    size('a size, such as 500M or 2G'),
    '50G',
    'Largest upload. A larger one gets 413, before it is read if its length is declared.',
  ),
  uploadExpirySeconds: setting(
    'TELECINE_UPLOAD_EXPIRY_SECONDS',
    seconds(60, 2_592_000),
    '86400',
    'Time after its last use for which an unfinished resumable upload (`/api/uploads`) is kept. Older ones are deleted, within an hour.',
  ),
  binSeconds: setting(
    'TELECINE_BIN_SECONDS',
    seconds(0, 31_536_000),
    '86400',
    'How long files that a client deletes with `"keep": true` or replaces with `Keep-Replaced: true`, as the console does, can be restored. Older ones are deleted, and earlier ones when the quota `storage` of the client or the disk needs the room. `0` keeps none.',
  ),
  linkSeconds: setting(
    'TELECINE_LINK_SECONDS',
    seconds(1, 86_400),
    '900',
    'Lifetime of signed links to outputs and for uploads. A client can request a shorter one.',
  ),
  sharesPerClient: setting(
    'TELECINE_SHARES_PER_CLIENT',
    wholeNumber(0, 10_000),
    '100',
    'Number of shared links of a client that work at the same time. They last up to 30 days. 0: clients cannot share files.',
  ),
  publicUrl: optional(
    'TELECINE_PUBLIC_URL',
    WEB_ADDRESS,
    'Address under which clients reach the service, for example behind a proxy. Used in links and in OAuth metadata.',
  ),
  ...OAUTH_SETTINGS,
  allowedHosts: optional(
    'TELECINE_ALLOWED_HOSTS',
    { form: 'a list such as media.lan,10.0.0.5', read: readHostNames },
    'Additional host names for `/mcp`, besides localhost and the host of TELECINE_PUBLIC_URL. Requests with another name in Host or Origin get 403. If the service listens on a public address and neither setting is set, every Host is accepted, and an Origin with the same name.',
  ),
  corsOrigins: optional(
    'TELECINE_CORS_ORIGINS',
    { form: 'a list such as https://app.example.org,http://localhost:5173, or `*`', read: readOrigins },
    'Origins of web pages whose scripts may call the API from a browser (CORS). `*` allows all. The pages send their token; cookies are never used. For `/mcp`, add their hosts to TELECINE_ALLOWED_HOSTS too.',
  ),
  console: setting(
    'TELECINE_CONSOLE',
    flag('on or off'),
    'on',
    'Whether the web console is served at `/`. With `off`, browsers are redirected to `/docs`.',
  ),
  trustProxy: optional(
    'TELECINE_TRUST_PROXY',
    { form: 'a list such as 127.0.0.1,10.0.5.0/28', read: readNetworks },
    'Addresses of reverse proxies whose X-Forwarded-For header is trusted, or networks that contain nothing else: a host that connects from one of them can claim any client address. Failed token requests, and requests without a token, are counted by the client address in it.',
  ),
  adminSecretFile: optional(
    'TELECINE_ADMIN_SECRET_FILE',
    FILE,
    'File with the secret of the admin client. Without it, the first start generates a secret and writes it to admin-client.json in the data folder. With it, that file is deleted.',
  ),
  metricsTokenFile: optional(
    'TELECINE_METRICS_TOKEN_FILE',
    FILE,
    'File with the token that Prometheus sends to read `/metrics` (`authorization: Bearer`). Without it, only callers on the same machine may read them, and not through a proxy.',
  ),
  otlpEndpoint: optional(
    'TELECINE_OTLP_ENDPOINT',
    { form: 'an http(s) address, such as http://127.0.0.1:4318', read: readWebAddress },
    'Collector to which traces are sent: OpenTelemetry, as OTLP over HTTP in JSON. `/v1/traces` is appended. Without it nothing is traced.',
  ),
  otlpHeadersFile: optional(
    'TELECINE_OTLP_HEADERS_FILE',
    FILE,
    'File with header fields for the collector, one `name: value` per line, such as one with its API key.',
  ),
  traceRatio: setting(
    'TELECINE_TRACE_RATIO',
    { form: '0 to 1', read: readRatio },
    '1',
    'Share of the requests that are traced. If a request belongs to a trace already (`traceparent`), its sender decides.',
  ),
  ffmpegPath: optional('FFMPEG_PATH', text('a file'), 'Path of ffmpeg. The default is the ffmpeg on PATH.'),
  ffprobePath: optional(
    'FFPROBE_PATH',
    text('a file'),
    'Path of ffprobe. The default is the ffprobe next to ffmpeg, else the one on PATH.',
  ),
  catalogueDir: optional(
    'TELECINE_CATALOGUE_DIR',
    FOLDER,
    'Folder to which `telecine catalogue prepare` writes all that ffmpeg offers, and from which services with the same ffmpeg read it, instead of querying it for a minute or two. Only root and the owner of ffmpeg may be able to write to it. The container image has one.',
  ),
  recipesDir: optional(
    'TELECINE_RECIPES_DIR',
    FOLDER,
    'Folder of your own recipes, which all clients can use: a file `NAME.json` for each. The service reads them at its start, and does not start if one is invalid.',
  ),
  allowOldFfmpeg: setting(
    'TELECINE_ALLOW_OLD_FFMPEG',
    flag('1 or 0'),
    '0',
    'Allows an ffmpeg older than 5.1, or of unknown version. Old builds have known vulnerabilities.',
  ),
  logLevel: setting(
    'TELECINE_LOG_LEVEL',
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Lowest level of log lines. The log is JSON lines on standard output.',
  ),
  failpoint: optional(
    'TELECINE_FAILPOINT',
    choice(
      ...(['after-claim', 'after-intent', 'after-link', 'after-commit', 'after-expired-removal'] as const),
      ...(['before-watch-page', 'after-watch-mark', 'after-watch-source'] as const),
    ),
    'For crash tests only: the service kills itself at this point.',
  ),
  failpointSignal: setting(
    'TELECINE_FAILPOINT_SIGNAL',
    choice('SIGKILL', 'SIGSTOP'),
    'SIGKILL',
    'For crash tests only: the signal that the service sends itself at its failpoint.',
  ),
};
