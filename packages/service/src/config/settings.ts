import { availableParallelism } from 'node:os';
import { defaultClientLimits, readClientLimitsSetting } from './client-limits.ts';
import { DEVICES_FORM, readDevices } from './devices.ts';
import { readOAuth } from './oauth.ts';
import { OUTGOING_HOSTS_FORM, readOutgoingHosts } from './outgoing-hosts.ts';
import { DEFAULT_SERVICE_LIMITS, readServiceLimits } from './service-limits.ts';
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
  secret,
  setting,
  size,
  text,
  WEB_ADDRESS,
  wholeNumber,
} from './setting.ts';
import { readEndpoint, readStorage } from './storage-location.ts';

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

const BASICS = {
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
  publicUrl: optional(
    'TELECINE_PUBLIC_URL',
    WEB_ADDRESS,
    'Address under which clients reach the service, for example behind a proxy. Used in links and in OAuth metadata.',
  ),
  dataDir: setting(
    'TELECINE_DATA_DIR',
    FOLDER,
    './data',
    'Folder of the database, the admin credentials and the ffmpeg catalogue. One service at a time may use it.',
  ),
  mediaRoot: setting(
    'TELECINE_MEDIA_ROOT',
    FOLDER,
    './media',
    'Folder for inputs and outputs. A client can have its own (`telecine client add --root`). It must exist; only the default is created. With `/`, paths in requests are host paths.',
  ),
  concurrency: setting(
    'TELECINE_CONCURRENCY',
    wholeNumber(1, 256),
    String(defaultConcurrency(availableParallelism())),
    'Number of ordinary conversions that run at the same time. Heavy encoders (x265, AV1, VP9) count two, audio files a half, copies and thumbnails a quarter. Light conversions can run in addition. The default is one per core up to 4, and half the cores from 8 cores on.',
  ),
  sandbox: setting(
    'TELECINE_SANDBOX',
    choice('auto', 'required', 'bubblewrap', 'landlock', 'off'),
    'auto',
    'The sandbox in which ffmpeg runs. `auto`: bubblewrap if it works on this machine, else Landlock with a filter of system calls, else none. `required`: the same, but the service does not start without one. `bubblewrap`, `landlock`: this one, or the service does not start. `off`: none. Requests are checked the same way in each case.',
  ),
  clientLimits: setting(
    'TELECINE_CLIENT_LIMITS',
    { form: 'a list such as `duration=2h,memory=8G`; `none` removes a limit', read: readClientLimitsSetting },
    defaultClientLimits(),
    'Limits of each client ([keys](#keys-of-telecine_client_limits)). Missing keys keep their defaults. `telecine client set` overrides them for one client.',
  ),
  jobRetentionDays: setting(
    'TELECINE_JOB_RETENTION_DAYS',
    wholeNumber(0, 36_500),
    '30',
    'Days for which finished jobs and their logs are kept. Older ones are deleted, within an hour; their outputs stay, unless `retention` of TELECINE_CLIENT_LIMITS or the request says otherwise. 0 keeps them for ever.',
  ),
  logLevel: setting(
    'TELECINE_LOG_LEVEL',
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Lowest level of log lines. The log is JSON lines on standard output.',
  ),
};

const SEVERAL = {
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
  storage: optional(
    'TELECINE_STORAGE',
    { form: 's3://BUCKET or s3://BUCKET/PREFIX', read: readStorage },
    'Bucket for inputs and outputs, in S3 or a compatible store, instead of TELECINE_MEDIA_ROOT. All keys begin with the prefix. The credentials come from where the AWS SDK finds them: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, the file that `AWS_SHARED_CREDENTIALS_FILE` names, or the role of the machine.',
  ),
  storageEndpoint: optional(
    'TELECINE_STORAGE_ENDPOINT',
    secret({ form: 'an http(s) address', read: readEndpoint }),
    'Address of the S3-compatible server of TELECINE_STORAGE. The default is AWS. For a server that expects the bucket in the host name, write `https://{bucket}.oss.example.org`.',
  ),
  storagePublicEndpoint: optional(
    'TELECINE_STORAGE_PUBLIC_ENDPOINT',
    secret({ form: 'an http(s) address', read: readEndpoint }),
    'Address at which clients reach the S3-compatible server of TELECINE_STORAGE. If it is set, downloads and signed links are redirected there, to an address that is valid for five minutes; otherwise the service sends the files itself. It must have another origin than the service.',
  ),
  storageRegion: setting(
    'TELECINE_STORAGE_REGION',
    text('a name such as eu-central-1'),
    'us-east-1',
    'Region of the bucket of TELECINE_STORAGE. Most S3-compatible servers accept any.',
  ),
  storageBuckets: optional(
    'TELECINE_STORAGE_BUCKETS',
    FILE,
    'JSON file with other buckets that requests may name as `s3://bucket/key`, with what each client may do there ([format](operate/s3.md#other-buckets)). It is read once, at the start.',
  ),
  scratchDir: optional(
    'TELECINE_SCRATCH_DIR',
    FOLDER,
    'Folder for the files of running conversions with TELECINE_STORAGE: copies of their inputs, and what ffmpeg writes. The default is the data folder. It must exist.',
  ),
  trustProxy: optional(
    'TELECINE_TRUST_PROXY',
    { form: 'a list such as 127.0.0.1,10.0.5.0/28', read: readNetworks },
    'Addresses of reverse proxies whose X-Forwarded-For header is trusted, or networks that contain nothing else: a host that connects from one of them can claim any client address. Failed token requests, and requests without a token, are counted by the client address in it.',
  ),
  stopDelaySeconds: setting(
    'TELECINE_STOP_DELAY_SECONDS',
    seconds(0, 300),
    '0',
    'How long the service still accepts connections after SIGTERM, while `/ready` is 503, so that a load balancer notices before the port closes. Set it to more than its checks take. The drain runs at the same time.',
  ),
  drainSeconds: setting(
    'TELECINE_DRAIN_SECONDS',
    seconds(0, 86_400),
    '25',
    'Time for running conversions to finish after SIGTERM. Conversions that still run then return to the queue; the attempt does not count. Keep it shorter than the stop timeout of your service manager.',
  ),
};

const ACCESS = {
  adminSecretFile: optional(
    'TELECINE_ADMIN_SECRET_FILE',
    FILE,
    'File with the secret of the admin client. Without it, the first start generates a secret and writes it to admin-client.json in the data folder. With it, that file is deleted.',
  ),
  oauth: optional(
    'TELECINE_OAUTH',
    { form: 'a JSON object, such as {"issuer": "https://login.example.org"}', read: readOAuth },
    'OAuth or OpenID Connect issuer whose access tokens are accepted too, and its sign-in to the console ([members](operate/sign-in.md#members-of-telecine_oauth)). Requires TELECINE_PUBLIC_URL. Without it there is no OAuth discovery.',
  ),
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
};

const MONITORING = {
  metricsTokenFile: optional(
    'TELECINE_METRICS_TOKEN_FILE',
    FILE,
    'File with the token that Prometheus sends to read `/metrics` (`authorization: Bearer`). Without it, only callers on the same machine may read them, and not through a proxy.',
  ),
  auditDays: setting(
    'TELECINE_AUDIT_DAYS',
    wholeNumber(0, 36_500),
    '365',
    'Days for which records of the audit log are kept. Older ones are deleted, within an hour. 0 keeps them for ever.',
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
};

const FILES = {
  maxUploadBytes: setting(
    'TELECINE_MAX_UPLOAD_SIZE',
    size('a size, such as 500M or 2G'),
    '50G',
    'Largest upload. A larger one gets 413, before it is read if its length is declared.',
  ),
  minFreeBytes: setting(
    'TELECINE_MIN_FREE_DISK',
    size('a size, such as 500M or 2G'),
    '500M',
    'Free disk space to keep under the media root. With less, the service reports not ready, rejects uploads, starts no job on this machine, and stops the running conversion that has written most. If that has filled the disk alone, it fails with NO_SPACE at once. Otherwise it is retried after 5 s and 30 s, by another worker if there is one, then fails with NO_SPACE.',
  ),
  minFreeDataBytes: setting(
    'TELECINE_MIN_FREE_DATA_DISK',
    size('a size, such as 100M or 1G'),
    '100M',
    'Free disk space to keep in the data folder, so that running conversions can record their end. With less, the service reports not ready, rejects new jobs with 503, and starts no queued job. With less than half of it, it also rejects requests for refresh tokens. At least 1M.',
  ),
  binSeconds: setting(
    'TELECINE_BIN_SECONDS',
    seconds(0, 31_536_000),
    '86400',
    'How long files that a client deletes with `"keep": true` or replaces with `Keep-Replaced: true`, as the console does, can be restored. Older ones are deleted, and earlier ones when the quota `storage` of the client or the disk needs the room. `0` keeps none. In a bucket, its versions and their lifecycle rules take the place of this.',
  ),
  linkSeconds: setting(
    'TELECINE_LINK_SECONDS',
    seconds(1, 86_400),
    '900',
    'Lifetime of signed links to outputs. A client can request a shorter one.',
  ),
};

const OTHER_HOSTS = {
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
};

const FFMPEG = {
  ffmpegPath: optional('FFMPEG_PATH', text('a file'), 'Path of ffmpeg. The default is the ffmpeg on PATH.'),
  ffprobePath: optional(
    'FFPROBE_PATH',
    text('a file'),
    'Path of ffprobe. The default is the ffprobe next to ffmpeg, else the one on PATH.',
  ),
  recipesDir: optional(
    'TELECINE_RECIPES_DIR',
    FOLDER,
    'Folder of your own recipes, which all clients can use: a file `NAME.json` for each. The service reads them at its start, and does not start if one is invalid.',
  ),
  devices: setting(
    'TELECINE_DEVICES',
    { form: DEVICES_FORM, read: readDevices },
    'none',
    'Hardware devices that conversions may use: `vaapi:PATH` for a device with a VA-API driver (Intel, AMD), `cuda:NUMBER` for a card of NVIDIA. Two conversions use a device at the same time, or as many as the number after `=`; others wait ([hardware devices](operate/hardware-devices.md)).',
  ),
  whisperModel: optional(
    'TELECINE_WHISPER_MODEL',
    FILE,
    'File of a model of whisper.cpp, with which `transcribe` makes captions of speech. It needs an ffmpeg 8 that was built with `--enable-whisper`. Without both, such requests are rejected ([captions of speech](operate/captions.md)).',
  ),
};

const RARE = {
  serviceLimits: setting(
    'TELECINE_SERVICE_LIMITS',
    { form: 'a list such as `connections=2000,bytes-in-flight=96M`', read: readServiceLimits },
    DEFAULT_SERVICE_LIMITS,
    'Limits of the service: for all clients together, or for callers without a token ([keys](#keys-of-telecine_service_limits)). Missing keys keep their defaults.',
  ),
  niceness: setting(
    'TELECINE_NICENESS',
    wholeNumber(0, 19),
    '19',
    'Niceness of ffmpeg and ffprobe. With 19 they use the processor time that the service and other programs leave, so that replies do not wait for encoders. Lower it if other programs keep the processors of the machine busy and conversions wait for them.',
  ),
  stallTimeoutSeconds: setting(
    'TELECINE_STALL_TIMEOUT_SECONDS',
    seconds(1, 86_400),
    '120',
    'Longest time without progress. A conversion that stalls longer fails with STALLED. With several outputs, this time is multiplied by their number.',
  ),
  probeTimeoutSeconds: setting(
    'TELECINE_PROBE_TIMEOUT_SECONDS',
    seconds(1, 600),
    '30',
    'Longest run time of a probe (`POST /api/probe`, and of dry runs). A longer one fails with TIMEOUT. A preview may take twice this time, and as long for copying its file from an object store; a waveform reads the whole audio. A file that is slow to read is read on for up to ten minutes, without more processor time, and a later request finds the result.',
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
    'How long a job waits while the object store, the server of an input URL or a network disk is down, or the machines are not ready to run jobs. During this time, an attempt that meets the outage does not count, unless it has converted and an earlier attempt met an outage too. Later attempts count, and the job fails. 0: every attempt counts.',
  ),
  buildRetentionDays: setting(
    'TELECINE_BUILD_RETENTION_DAYS',
    wholeNumber(1, 365),
    '7',
    'Only with PostgreSQL: days after the last report of its workers for which requests for an ffmpeg build or a hardware device are still accepted. Their jobs are queued until such a worker returns. Set the same value on all machines.',
  ),
  uploadExpirySeconds: setting(
    'TELECINE_UPLOAD_EXPIRY_SECONDS',
    seconds(60, 2_592_000),
    '86400',
    'Time after its last use for which an unfinished resumable upload (`/api/uploads`) is kept. Older ones are deleted, within an hour.',
  ),
  eventHeartbeatSeconds: setting(
    'TELECINE_EVENT_HEARTBEAT_SECONDS',
    seconds(1, 3600),
    '15',
    'Longest time without data on an event stream. Then the service sends a comment, so that proxies keep the connection open. Set it lower than their timeouts.',
  ),
};

/** All environment variables of the service. Only code in `config/` reads the environment. */
export const SETTINGS = {
  ...BASICS,
  ...SEVERAL,
  ...ACCESS,
  ...MONITORING,
  ...FILES,
  ...OTHER_HOSTS,
  ...FFMPEG,
  ...RARE,
};

/** The settings by task, for the manual: the common ones first. */
export const SETTING_GROUPS = {
  'Start with these': BASICS,
  'Several machines': SEVERAL,
  'Secrets, sign-in and browsers': ACCESS,
  Monitoring: MONITORING,
  'Files and disks': FILES,
  'Other hosts': OTHER_HOSTS,
  'ffmpeg and recipes': FFMPEG,
  'Rarely needed': RARE,
};
