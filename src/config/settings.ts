import { availableParallelism } from 'node:os';
import { CLIENT_LIMITS_FORM, defaultClientLimits, readClientLimitsSetting } from './client-limits.ts';
import { CONNECTIONS_FORM, DEFAULT_CONNECTIONS, readConnectionLimits } from './connection-limits.ts';
import { DEVICES_FORM, readDevices } from './devices.ts';
import { OAUTH_SETTINGS } from './oauth-settings.ts';
import { OUTGOING_HOSTS_FORM, readOutgoingHosts } from './outgoing-hosts.ts';
import { DEFAULT_RATE_LIMITS, RATE_LIMITS_FORM, readRateLimits } from './rate-limits.ts';
import {
  readChoice,
  readFlag,
  readHostNames,
  readInteger,
  readNetworks,
  readOrigins,
  readPath,
  readPostgresUrl,
  readSize,
  readText,
  readWebAddress,
  type Setting,
} from './setting.ts';
import { STORAGE_SETTINGS } from './storage-settings.ts';
import { TRACE_SETTINGS } from './trace-settings.ts';

/**
 * The number of conversions at a time on a machine with `cores`. Small conversions use one core each, and large ones that share
 * cores take as long together as one after the other; but each takes memory, which grows with the threads that it starts.
 */
export const defaultConcurrency = (cores: number): number => Math.max(Math.min(cores, 4), Math.floor(cores / 2));

const setting = <T>(s: Setting<T>): Setting<T> => s;

/** Every environment variable that the service reads. No code outside `config/` reads the environment. */
export const SETTINGS = {
  host: setting({
    names: ['TELECINE_HOST'],
    about: 'Address to listen on. The default accepts connections from this machine only.',
    form: 'an address, such as 0.0.0.0',
    fallback: '127.0.0.1',
    read: readText,
  }),
  port: setting({
    names: ['TELECINE_PORT', 'PORT'],
    about: 'Port to listen on. 0 picks a free port and logs it.',
    form: '0 to 65535',
    fallback: '8080',
    read: readInteger(0, 65_535),
  }),
  dataDir: setting({
    names: ['TELECINE_DATA_DIR'],
    about: 'Folder of the database, the admin credentials and the ffmpeg catalogue. One service at a time may use it.',
    form: 'a folder',
    fallback: './data',
    read: readPath,
  }),
  databaseUrl: setting({
    names: ['TELECINE_DATABASE_URL'],
    about:
      'PostgreSQL database (version 15 or newer) for jobs, clients and the queue. Any number of services may use it. The default is SQLite in the data folder.',
    form: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    fallback: undefined,
    isSecret: true,
    read: readPostgresUrl,
  }),
  databaseListenUrl: setting({
    names: ['TELECINE_DATABASE_LISTEN_URL'],
    about:
      'The same database for LISTEN, which needs a connection of its own: not through a pooler in transaction mode. With it, services learn at once of jobs that others accept, cancel or end. Without it they poll every second; with it, idle workers poll every three.',
    form: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    fallback: undefined,
    isSecret: true,
    read: readPostgresUrl,
  }),
  mediaRoot: setting({
    names: ['TELECINE_MEDIA_ROOT'],
    about:
      'Folder for inputs and outputs. A client can have its own (`telecine client add --root`). It must exist; only the default is created. With `/`, paths in requests are host paths.',
    form: 'a folder',
    fallback: './media',
    read: readPath,
  }),
  ...STORAGE_SETTINGS,
  concurrency: setting({
    names: ['TELECINE_CONCURRENCY'],
    about:
      'Number of ordinary conversions that run at the same time. Heavy encoders (x265, AV1, VP9) count two, sounds a half, copies and thumbnails a quarter; light ones may run besides. The default is one per core up to 4, and half the cores from 8 cores on.',
    form: '1 to 256',
    fallback: String(defaultConcurrency(availableParallelism())),
    read: readInteger(1, 256),
  }),
  niceness: setting({
    names: ['TELECINE_NICENESS'],
    about:
      'Niceness of ffmpeg and ffprobe. With 19 they use the processor time that the service and other programs leave, so that replies do not wait for encoders. Lower it if other programs keep the processors of the machine busy and conversions wait for them.',
    form: '0 to 19',
    fallback: '19',
    read: readInteger(0, 19),
  }),
  jobTimeoutSeconds: setting({
    names: ['TELECINE_JOB_TIMEOUT_SECONDS'],
    about:
      'Longest run time of a conversion. A longer one fails with TIMEOUT. Raise it for long films or slow encoders. The limit `time` of a client (TELECINE_CLIENT_LIMITS) can only shorten it. With PostgreSQL at most 82800 (23 hours).',
    form: 'seconds',
    fallback: '7200',
    read: readInteger(1, 31_536_000),
  }),
  stallTimeoutSeconds: setting({
    names: ['TELECINE_STALL_TIMEOUT_SECONDS'],
    about: 'Longest time without progress. A conversion that stalls longer fails with STALLED.',
    form: 'seconds',
    fallback: '120',
    read: readInteger(1, 86_400),
  }),
  workerWaitSeconds: setting({
    names: ['TELECINE_WORKER_WAIT_SECONDS'],
    about:
      'Only with PostgreSQL: longest time that a queued job waits while workers run, but none has what it needs, such as an encoder. A job that waits longer fails with NO_WORKER.',
    form: 'seconds',
    fallback: '3600',
    read: readInteger(1, 31_536_000),
  }),
  storageWaitSeconds: setting({
    names: ['TELECINE_STORAGE_WAIT_SECONDS'],
    about:
      'How long a job waits for a storage that is down: an object store that replies with 429 or 5xx, the server of an input URL that replies with 429, 502, 503 or 504, a network disk whose server is away. Until then, an attempt that meets it does not count, unless it has converted and an earlier attempt met an outage. Later attempts count, and the job fails. 0: every attempt counts.',
    form: 'seconds',
    fallback: '43200',
    read: readInteger(0, 31_536_000),
  }),
  buildRetentionDays: setting({
    names: ['TELECINE_BUILD_RETENTION_DAYS'],
    about:
      'Only with PostgreSQL: days for which requests are accepted for an ffmpeg build, or a hardware device, after the last report of its workers. Their jobs are queued until such a worker comes back. Set it alike on all machines.',
    form: '1 to 365',
    fallback: '7',
    read: readInteger(1, 365),
  }),
  probeTimeoutSeconds: setting({
    names: ['TELECINE_PROBE_TIMEOUT_SECONDS'],
    about: 'Longest run time of a probe (`POST /api/probe`). A longer one fails with TIMEOUT.',
    form: 'seconds',
    fallback: '30',
    read: readInteger(1, 600),
  }),
  previewTimeoutSeconds: setting({
    names: ['TELECINE_PREVIEW_TIMEOUT_SECONDS'],
    about:
      'Longest time to make a preview (`?view=`, the tool `render_preview`). A longer one fails with TIMEOUT. A waveform reads the whole sound: raise it for films of many hours.',
    form: 'seconds',
    fallback: '60',
    read: readInteger(1, 600),
  }),
  previewCacheBytes: setting({
    names: ['TELECINE_PREVIEW_CACHE'],
    about:
      'Disk space for previews in the data folder. Above it, those that were used longest ago are removed. `0` keeps none.',
    form: 'a size, such as 64M or 1G, or 0',
    fallback: '256M',
    read: readSize,
  }),
  drainSeconds: setting({
    names: ['TELECINE_DRAIN_SECONDS'],
    about:
      'Time for running conversions to finish after SIGTERM. Conversions that still run then return to the queue; the attempt does not count. Keep it shorter than the stop timeout of your service manager.',
    form: 'seconds',
    fallback: '25',
    read: readInteger(0, 86_400),
  }),
  stopDelaySeconds: setting({
    names: ['TELECINE_STOP_DELAY_SECONDS'],
    about:
      'How long the service still accepts connections after SIGTERM, while `/ready` is 503, so that a load balancer notices before the port closes. Set it to more than its checks take. Runs beside the drain.',
    form: 'seconds',
    fallback: '0',
    read: readInteger(0, 300),
  }),
  jobRetentionDays: setting({
    names: ['TELECINE_JOB_RETENTION_DAYS'],
    about:
      'Days for which finished jobs and their logs are kept. Older ones are deleted, within an hour; their outputs stay, unless `retention` of TELECINE_CLIENT_LIMITS or the request says otherwise. 0 keeps them for ever.',
    form: '0 to 36500',
    fallback: '30',
    read: readInteger(0, 36_500),
  }),
  auditDays: setting({
    names: ['TELECINE_AUDIT_DAYS'],
    about:
      'Days for which records of the audit log are kept. Older ones are deleted, within an hour. 0 keeps them for ever.',
    form: '0 to 36500',
    fallback: '365',
    read: readInteger(0, 36_500),
  }),
  limits: setting({
    names: ['TELECINE_RATE_LIMIT'],
    about:
      'Request limits. Requests above a limit get 429. `submissions`: per client and minute. `pending`: queued jobs per client. `pending-in-all`: queued jobs of all clients. `token-failures`: failed token requests per minute, client and address. `token-failures-per-address`: the same per address. Missing keys keep their defaults. `off` removes the first three limits; `requests` and `replies` are limits of a client and stay (`TELECINE_CLIENT_LIMITS=requests=none,replies=none` removes them).',
    form: RATE_LIMITS_FORM,
    fallback: DEFAULT_RATE_LIMITS,
    read: readRateLimits,
  }),
  clientLimits: setting({
    names: ['TELECINE_CLIENT_LIMITS'],
    about:
      'Limits of each client. A conversion above a limit fails with LIMIT_EXCEEDED or TIMEOUT. `input`: bytes of all inputs. `fetch`: time to fetch inputs from URLs. `output`: bytes of one written file. `scratch`: bytes of all written files. `files`: number of written files. `duration`: length of the output. `pixels`: per picture. `streams`: per file. `threads`: per encoder, decoder or filtergraph. `processes`: processes and threads in total. `memory`: address space. `cpu`: processor time. `time`: run time. For all jobs of a client together: `running`: jobs that run at the same time; others wait. `priority`: the highest `priority` of its requests, -10 to 10; `none` is 10. `urls=deny`, `buckets=deny`: its requests cannot name URLs or objects in other buckets, whatever other settings allow. `jobs`: jobs submitted on a UTC day. `media`: length of the media that they publish, such as 10h; submissions above these two get 429 QUOTA_EXCEEDED, and a job whose outputs are longer than what is left fails with LIMIT_EXCEEDED. `storage`: bytes of its files and unfinished uploads, such as 50G; uploads above it get 429, and so do submissions while it is used up; a job whose outputs do not fit fails with LIMIT_EXCEEDED. `retention`: how long the outputs of a job are kept after its end; then they are removed. Without it, only the outputs of requests with `expiresAfterSeconds` are. `requests`: requests a minute to one service, besides submissions. `replies`: bytes a minute of its replies and event streams, besides contents of files; requests above these two get 429 RATE_LIMITED. `tokens`: access tokens, refreshes and sign-ins a minute by one service; further ones get the same. Missing keys keep their defaults. `telecine client set` overrides them per client.',
    form: CLIENT_LIMITS_FORM,
    fallback: defaultClientLimits(),
    read: readClientLimitsSetting,
  }),
  sandbox: setting({
    names: ['TELECINE_SANDBOX'],
    about:
      'The sandbox in which ffmpeg runs. `auto`: bubblewrap if it works on this machine, else Landlock with a filter of system calls, else none. `required`: the same, but the service does not start without one. `bubblewrap`, `landlock`: this one, or the service does not start. `off`: none. Requests are checked the same way in each case.',
    form: 'auto, required, bubblewrap, landlock or off',
    fallback: 'auto',
    read: readChoice('auto', 'required', 'bubblewrap', 'landlock', 'off'),
  }),
  devices: setting({
    names: ['TELECINE_DEVICES'],
    about:
      'Hardware devices that conversions may use to decode, filter and encode: `vaapi:PATH` for a device with a VA-API driver (Intel, AMD), `cuda:NUMBER` for a card of NVIDIA. The service tries each at its start, in the sandbox, and offers the encoders that work ([hardware devices](operations.md#hardware-devices)).',
    form: DEVICES_FORM,
    fallback: 'none',
    read: readDevices,
  }),
  deviceSessions: setting({
    names: ['TELECINE_DEVICE_SESSIONS'],
    about:
      'Number of conversions that use one device of TELECINE_DEVICES at the same time; others wait. A conversion with several renditions opens a session of the driver for each, and drivers of NVIDIA for consumer cards limit these.',
    form: '1 to 64',
    fallback: '2',
    read: readInteger(1, 64),
  }),
  whisperModel: setting({
    names: ['TELECINE_WHISPER_MODEL'],
    about:
      'File of a model of whisper.cpp, with which `transcribe` makes captions of speech. It needs an ffmpeg 8 that was built with `--enable-whisper`. Without both, such requests are rejected ([captions of speech](operations.md#captions-of-speech)).',
    form: 'a file',
    fallback: undefined,
    read: readPath,
  }),
  minFreeBytes: setting({
    names: ['TELECINE_MIN_FREE_DISK'],
    about:
      'Free disk space to keep under the media root. With less, the service reports not ready, rejects uploads, and stops the running conversion that has written most. Other conversions are retried after 5 s and 30 s, then fail with NO_SPACE.',
    form: 'a size, such as 500M or 2G',
    fallback: '500M',
    read: readSize,
  }),
  minFreeDataBytes: setting({
    names: ['TELECINE_MIN_FREE_DATA_DISK'],
    about:
      'Free disk space to keep in the data folder, so that running conversions can record their end. With less, the service reports not ready, rejects new jobs with 503, and starts no queued job. With less than half of it, it also rejects requests for refresh tokens. At least 1M.',
    form: 'a size, such as 100M or 1G',
    fallback: '100M',
    read: readSize,
  }),
  eventStreams: setting({
    names: ['TELECINE_EVENT_STREAMS'],
    about: 'Number of event streams (`GET /api/events`) that a client can have open at a service. More get 429.',
    form: '1 to 100000',
    fallback: '100',
    read: readInteger(1, 100_000),
  }),
  eventHeartbeatSeconds: setting({
    names: ['TELECINE_EVENT_HEARTBEAT_SECONDS'],
    about:
      'Longest silence of an event stream. Then a comment is sent, so that proxies keep the connection. Set it to less than their timeouts.',
    form: 'seconds',
    fallback: '15',
    read: readInteger(1, 3600),
  }),
  connectionLimits: setting({
    names: ['TELECINE_CONNECTION_LIMITS'],
    about:
      'Limits of open connections. `all`: of the service; when they are in use, the one that has been idle longest is closed for a new one. By default half of the files that the service may open (`LimitNOFILE=`), at most 4096. A client can have half as many running requests. `without-token`: connections on which no valid token was sent yet; the oldest is closed for a new one. By default a quarter of `all`. `without-token-per-address`: the same from one address, or from one /64 of IPv6; more get 429. It is at most half of `without-token`. For connections from TELECINE_TRUST_PROXY it counts running requests by the address of the caller. `bytes`: memory for request bodies and for replies that are not yet sent, of which a client can have half; above it, requests get 503.',
    form: CONNECTIONS_FORM,
    fallback: DEFAULT_CONNECTIONS,
    read: readConnectionLimits,
  }),
  inputUrls: setting({
    names: ['TELECINE_INPUT_URLS'],
    about:
      'Hosts from which the service fetches inputs that are http(s) URLs. `public` allows every public address, on the ports 80, 443, and 1024 to 65535. Each other entry allows one host, address or network with its port, also in a private network. Set it alike on all services of a database ([what is checked](operations.md#inputs-from-urls)).',
    form: OUTGOING_HOSTS_FORM,
    fallback: 'deny',
    read: readOutgoingHosts,
  }),
  webhookHosts: setting({
    names: ['TELECINE_WEBHOOK_HOSTS'],
    about:
      'Where webhooks and callbacks of clients may be sent. `public`: any public address, on ports 80, 443 and from 1024 on. Other entries allow a host and port wherever it is, such as one of your own network. `deny`: nowhere.',
    form: OUTGOING_HOSTS_FORM,
    fallback: 'public',
    read: readOutgoingHosts,
  }),
  maxWebhooks: setting({
    names: ['TELECINE_WEBHOOKS_PER_CLIENT'],
    about: 'Number of webhooks that a client can register.',
    form: '1 to 1000',
    fallback: '20',
    read: readInteger(1, 1000),
  }),
  maxUploadBytes: setting({
    names: ['TELECINE_MAX_UPLOAD_SIZE'],
    about: 'Largest upload. A larger one gets 413; if its length is declared, before it is read.',
    form: 'a size, such as 500M or 2G',
    fallback: '50G',
    read: readSize,
  }),
  uploadExpirySeconds: setting({
    names: ['TELECINE_UPLOAD_EXPIRY_SECONDS'],
    about:
      'Time after its last use for which an unfinished resumable upload (`/api/uploads`) is kept. Older ones are deleted, within an hour.',
    form: 'seconds',
    fallback: '86400',
    read: readInteger(60, 2_592_000),
  }),
  linkSeconds: setting({
    names: ['TELECINE_LINK_SECONDS'],
    about: 'Lifetime of signed links to outputs and for uploads. A client can request a shorter one.',
    form: 'seconds',
    fallback: '900',
    read: readInteger(1, 86_400),
  }),
  publicUrl: setting({
    names: ['TELECINE_PUBLIC_URL'],
    about:
      'Address under which clients reach the service, for example behind a proxy. Used in links and in OAuth metadata.',
    form: 'an http(s) address',
    fallback: undefined,
    read: readWebAddress,
  }),
  ...OAUTH_SETTINGS,
  allowedHosts: setting({
    names: ['TELECINE_ALLOWED_HOSTS'],
    about:
      'Additional host names for `/mcp`, besides localhost and the host of TELECINE_PUBLIC_URL. Requests with another name in Host or Origin get 403. If the service listens on a public address and neither setting is set, every Host is accepted, and an Origin with the same name.',
    form: 'a list such as media.lan,10.0.0.5',
    fallback: undefined,
    read: readHostNames,
  }),
  corsOrigins: setting({
    names: ['TELECINE_CORS_ORIGINS'],
    about:
      'Origins of web pages whose scripts may call the API from a browser (CORS). `*` allows all. The pages send their token; cookies are never used. For `/mcp`, add their hosts to TELECINE_ALLOWED_HOSTS too.',
    form: 'a list such as https://app.example.org,http://localhost:5173, or `*`',
    fallback: undefined,
    read: readOrigins,
  }),
  console: setting({
    names: ['TELECINE_CONSOLE'],
    about: 'Whether the web console is served at `/`. `off`: browsers are led to `/docs`.',
    form: 'on or off',
    fallback: 'on',
    read: readFlag,
  }),
  trustProxy: setting({
    names: ['TELECINE_TRUST_PROXY'],
    about:
      'Addresses of reverse proxies whose X-Forwarded-For header is trusted, or networks that have nothing else: whoever connects from one can name any address. Failed token requests, and requests without a token, are counted by the client address in it.',
    form: 'a list such as 127.0.0.1,10.0.5.0/28',
    fallback: undefined,
    read: readNetworks,
  }),
  adminSecretFile: setting({
    names: ['TELECINE_ADMIN_SECRET_FILE'],
    about:
      'File with the secret of the admin client. Without it, the first start generates a secret and writes it to admin-client.json in the data folder. With it, that file is deleted.',
    form: 'a file',
    fallback: undefined,
    read: readPath,
  }),
  metricsTokenFile: setting({
    names: ['TELECINE_METRICS_TOKEN_FILE'],
    about:
      'File with the token that Prometheus sends to read `/metrics` (`authorization: Bearer`). Without it, only callers on the same machine may read them, and not through a proxy.',
    form: 'a file',
    fallback: undefined,
    read: readPath,
  }),
  ...TRACE_SETTINGS,
  ffmpegPath: setting({
    names: ['FFMPEG_PATH'],
    about: 'Path of ffmpeg. The default is the ffmpeg on PATH.',
    form: 'a file',
    fallback: undefined,
    read: readText,
  }),
  ffprobePath: setting({
    names: ['FFPROBE_PATH'],
    about: 'Path of ffprobe. The default is the ffprobe next to ffmpeg, else the one on PATH.',
    form: 'a file',
    fallback: undefined,
    read: readText,
  }),
  catalogueDir: setting({
    names: ['TELECINE_CATALOGUE_DIR'],
    about:
      'Folder to which `telecine catalogue prepare` writes all that ffmpeg offers, and from which services with the same ffmpeg read it, instead of querying it for a minute or two. Only root and the owner of ffmpeg may be able to write to it. The container image has one.',
    form: 'a folder',
    fallback: undefined,
    read: readPath,
  }),
  recipesDir: setting({
    names: ['TELECINE_RECIPES_DIR'],
    about:
      'Folder of recipes of your own, which all clients can use: a file `NAME.json` for each. They are read at the start, which fails if one is wrong.',
    form: 'a folder',
    fallback: undefined,
    read: readPath,
  }),
  allowOldFfmpeg: setting({
    names: ['TELECINE_ALLOW_OLD_FFMPEG'],
    about: 'Allows an ffmpeg older than 5.1, or of unknown version. Old builds have known vulnerabilities.',
    form: '1 or 0',
    fallback: '0',
    read: readFlag,
  }),
  logLevel: setting({
    names: ['TELECINE_LOG_LEVEL'],
    about: 'Lowest level of log lines. The log is JSON lines on standard output.',
    form: 'fatal, error, warn, info, debug, trace or silent',
    fallback: 'info',
    read: readChoice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  failpoint: setting({
    names: ['TELECINE_FAILPOINT'],
    about: 'For crash tests only: the service kills itself at this point.',
    form: 'after-claim, after-intent, after-link, after-commit or after-expired-removal',
    fallback: undefined,
    read: readChoice('after-claim', 'after-intent', 'after-link', 'after-commit', 'after-expired-removal'),
  }),
  failpointSignal: setting({
    names: ['TELECINE_FAILPOINT_SIGNAL'],
    about: 'For crash tests only: the signal that the service sends itself at its failpoint.',
    form: 'SIGKILL or SIGSTOP',
    fallback: 'SIGKILL',
    read: readChoice('SIGKILL', 'SIGSTOP'),
  }),
} as const;
