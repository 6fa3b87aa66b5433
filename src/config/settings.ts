import { availableParallelism } from 'node:os';
import { CLIENT_LIMITS_FORM, defaultClientLimits, readClientLimitsSetting } from './client-limits.ts';
import { OAUTH_SETTINGS } from './oauth-settings.ts';
import { DEFAULT_RATE_LIMITS, RATE_LIMITS_FORM, readRateLimits } from './rate-limits.ts';
import {
  readChoice,
  readFlag,
  readFolder,
  readHostNames,
  readInteger,
  readNetworks,
  readSize,
  readText,
  readWebAddress,
  type Setting,
} from './setting.ts';

const setting = <T>(s: Setting<T>): Setting<T> => s;

/** Every environment variable that the service reads. Nothing outside of `config/` touches the environment. */
export const SETTINGS = {
  host: setting({
    names: ['TELECINE_HOST'],
    about: 'Address to listen on. The default is reachable from this machine alone.',
    form: 'an address, such as 0.0.0.0',
    fallback: '127.0.0.1',
    read: readText,
  }),
  port: setting({
    names: ['TELECINE_PORT', 'PORT'],
    about: 'Port to listen on; 0 takes a free one and logs it.',
    form: '0 to 65535',
    fallback: '8080',
    read: readInteger(0, 65_535),
  }),
  dataDir: setting({
    names: ['TELECINE_DATA_DIR'],
    about: 'Folder of the database, the admin client and what was learned of ffmpeg. One server at a time may use it.',
    form: 'a folder',
    fallback: './data',
    read: readFolder,
  }),
  mediaRoot: setting({
    names: ['TELECINE_MEDIA_ROOT'],
    about:
      'Folder that inputs are read from and outputs are written to. Clients may be given folders of their own. `/` makes the paths of requests literal.',
    form: 'a folder',
    fallback: './media',
    read: readFolder,
  }),
  concurrency: setting({
    names: ['TELECINE_CONCURRENCY'],
    about: 'Conversions at once. The default is one for every two cores, at least one.',
    form: '1 to 256',
    fallback: String(Math.max(1, Math.floor(availableParallelism() / 2))),
    read: readInteger(1, 256),
  }),
  jobTimeoutSeconds: setting({
    names: ['TELECINE_JOB_TIMEOUT_SECONDS'],
    about: 'A conversion that runs longer fails with TIMEOUT.',
    form: 'seconds',
    fallback: '21600',
    read: readInteger(1, 31_536_000),
  }),
  stallTimeoutSeconds: setting({
    names: ['TELECINE_STALL_TIMEOUT_SECONDS'],
    about: 'A conversion that makes no progress for so long fails with STALLED.',
    form: 'seconds',
    fallback: '120',
    read: readInteger(1, 86_400),
  }),
  probeTimeoutSeconds: setting({
    names: ['TELECINE_PROBE_TIMEOUT_SECONDS'],
    about: 'A probe (`POST /api/probe`) that takes longer is ended, and answered with TIMEOUT.',
    form: 'seconds',
    fallback: '30',
    read: readInteger(1, 600),
  }),
  drainSeconds: setting({
    names: ['TELECINE_DRAIN_SECONDS'],
    about:
      'After SIGTERM, running conversions get so long to end; what still runs then goes back to the queue without losing a try. Keep it under the grace period of what stops the service.',
    form: 'seconds',
    fallback: '25',
    read: readInteger(0, 86_400),
  }),
  limits: setting({
    names: ['TELECINE_RATE_LIMIT'],
    about:
      'Submissions a minute and waiting jobs a client, waiting jobs in all, and failed token requests a minute: of a client at an address, and of an address. Beyond them: 429. What the list leaves out keeps its default. `off` takes the limits from submissions and waiting jobs, never from failed token requests.',
    form: RATE_LIMITS_FORM,
    fallback: DEFAULT_RATE_LIMITS,
    read: readRateLimits,
  }),
  clientLimits: setting({
    names: ['TELECINE_CLIENT_LIMITS'],
    about:
      'What one conversion may take, of clients that have no limits of their own (`telecine client set`): bytes of its inputs, of one file that it writes and of all, and their number; length of the output; pixels of a picture; streams of a file; threads of an encoder; threads in all; address space; processor time; time. Beyond them: LIMIT_EXCEEDED or TIMEOUT. What the list leaves out keeps its default.',
    form: CLIENT_LIMITS_FORM,
    fallback: defaultClientLimits(),
    read: readClientLimitsSetting,
  }),
  sandbox: setting({
    names: ['TELECINE_SANDBOX'],
    about:
      'Whether ffmpeg runs in a bubblewrap sandbox. `auto` uses one where it works; `required` refuses to start without; `off` never does. What is checked before is the same.',
    form: 'auto, required or off',
    fallback: 'auto',
    read: readChoice('auto', 'required', 'off'),
  }),
  minFreeBytes: setting({
    names: ['TELECINE_MIN_FREE_DISK'],
    about:
      'With less space free under the media root, the service is not ready, uploads are refused, and a conversion is put off, for 5 s and then 30 s; the third try fails with NO_SPACE. Of those that run, the one that has written most is ended.',
    form: 'a size, such as 500M or 2G',
    fallback: '500M',
    read: readSize,
  }),
  maxUploadBytes: setting({
    names: ['TELECINE_MAX_UPLOAD_SIZE'],
    about:
      'The largest file that a client may upload. A larger one is answered with 413, before it is read where its length is said.',
    form: 'a size, such as 500M or 2G',
    fallback: '50G',
    read: readSize,
  }),
  linkSeconds: setting({
    names: ['TELECINE_LINK_SECONDS'],
    about: 'How long signed links to the outputs of jobs are good. Who asks for one may ask for less.',
    form: 'seconds',
    fallback: '900',
    read: readInteger(1, 86_400),
  }),
  publicUrl: setting({
    names: ['TELECINE_PUBLIC_URL'],
    about: 'Address under which clients reach the service, for links, where it is not the address listened on.',
    form: 'an http(s) address',
    fallback: undefined,
    read: readWebAddress,
  }),
  ...OAUTH_SETTINGS,
  allowedHosts: setting({
    names: ['TELECINE_ALLOWED_HOSTS'],
    about:
      'Host names, beside the loopback ones and that of TELECINE_PUBLIC_URL, under which MCP clients reach /mcp and whose pages may call it. Other names in Host or Origin are answered with 403. Without any of these settings, a service that listens for other machines takes every Host, and an Origin of the same name.',
    form: 'a list such as media.lan,10.0.0.5',
    fallback: undefined,
    read: readHostNames,
  }),
  trustProxy: setting({
    names: ['TELECINE_TRUST_PROXY'],
    about:
      'Addresses or networks of reverse proxies whose X-Forwarded-For is believed. Failed token requests are counted by the address that results.',
    form: 'a list such as 127.0.0.1,10.0.0.0/8',
    fallback: undefined,
    read: readNetworks,
  }),
  adminSecretFile: setting({
    names: ['TELECINE_ADMIN_SECRET_FILE'],
    about:
      'File that holds the secret of the admin client. Without it, the first start makes one up and writes it to admin-client.json in the data folder; with it, that file is removed.',
    form: 'a file',
    fallback: undefined,
    read: readFolder,
  }),
  ffmpegPath: setting({
    names: ['FFMPEG_PATH'],
    about: 'The ffmpeg program, where it is not the one on PATH.',
    form: 'a file',
    fallback: undefined,
    read: readText,
  }),
  ffprobePath: setting({
    names: ['FFPROBE_PATH'],
    about: 'The ffprobe program, where it is neither beside ffmpeg nor on PATH.',
    form: 'a file',
    fallback: undefined,
    read: readText,
  }),
  allowOldFfmpeg: setting({
    names: ['TELECINE_ALLOW_OLD_FFMPEG'],
    about: 'Starts with an ffmpeg older than 5.1, or one that does not tell its version. Old builds have known holes.',
    form: '1 or 0',
    fallback: '0',
    read: readFlag,
  }),
  logLevel: setting({
    names: ['TELECINE_LOG_LEVEL'],
    about: 'How much is logged, as JSON lines on standard output.',
    form: 'fatal, error, warn, info, debug, trace or silent',
    fallback: 'info',
    read: readChoice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  failpoint: setting({
    names: ['TELECINE_FAILPOINT'],
    about: 'For tests of crash safety alone: the service ends itself with SIGKILL at this point.',
    form: 'after-claim, after-intent, after-link or after-commit',
    fallback: undefined,
    read: readChoice('after-claim', 'after-intent', 'after-link', 'after-commit'),
  }),
} as const;
