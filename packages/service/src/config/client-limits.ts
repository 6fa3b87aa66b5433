import { availableParallelism } from 'node:os';
import type { ClientLimitChanges, ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { overDefaults, readLimits, splitLimits } from './limit-list.ts';
import { readInteger, readSize, readTime, type SettingReader, TIME_UNITS } from './setting.ts';

/** Reads how long outputs are kept, with the same bounds as `expiresAfterSeconds` in a request. */
const lifetime: SettingReader<number> = (text) => {
  const seconds = readTime(text);
  if (seconds < TIME_UNITS.m || seconds > 3650 * TIME_UNITS.d)
    throw new Error('must be a time from 1m to 3650d, such as 48h or 30d');
  return seconds;
};

const bytes: SettingReader<number> = (text) => {
  const count = readSize(text);
  if (!Number.isSafeInteger(count) || count === 0) throw new Error('must be a size such as 500M or 2G');
  return count;
};

const pixels: SettingReader<number> = (text) => {
  const [, width, height = '1'] = /^(\d{1,10})(?:x(\d{1,5}))?$/.exec(text) ?? [];
  const count = Number(width) * Number(height);
  if (!(count >= 1)) throw new Error('must be a number of pixels or a size such as 7680x4320');
  return count;
};

/** The smallest address space with which ffmpeg starts, in bytes. */
const MIN_MEMORY = 2 ** 28;

const memory: SettingReader<number> = (text) => {
  const count = bytes(text);
  if (count < MIN_MEMORY) throw new Error('must be 256M or more');
  return count;
};

/** Reads a priority, with the same bounds as `priority` in a request. */
const priority: SettingReader<number> = (text) => {
  const value = Number(text);
  if (!/^-?\d{1,2}$/.test(text) || Math.abs(value) > 10) throw new Error('must be a whole number from -10 to 10');
  return value;
};

/** Reads a limit that can only deny a feature. `none` removes such a limit. */
const deny: SettingReader<number> = (text) => {
  if (text !== 'deny' && text !== '0') throw new Error('must be deny, or none to remove the limit');
  return 0;
};

/** How the value of each limit is read. */
const READERS = {
  input: bytes,
  fetch: readTime,
  output: bytes,
  scratch: bytes,
  // No limit can be higher, because a job can publish at most 10,000 files.
  files: readInteger(1, 10_000),
  duration: readTime,
  pixels,
  // No limit can be higher, because the service reads at most 1,000 streams of what ffmpeg reports.
  streams: readInteger(1, 1000),
  threads: readInteger(1, 1024),
  processes: readInteger(32, 65_536),
  memory,
  cpu: readTime,
  time: readTime,
  running: readInteger(1, 10_000),
  priority,
  urls: deny,
  buckets: deny,
  jobs: readInteger(1, 1_000_000_000),
  media: readTime,
  storage: bytes,
  records: bytes,
  retention: lifetime,
  requests: readInteger(1, 1_000_000_000),
  replies: bytes,
  tokens: readInteger(1, 1_000_000_000),
  submissions: readInteger(1, 1_000_000_000),
  pending: readInteger(1, 1_000_000_000),
  'event-streams': readInteger(1, 100_000),
  webhooks: readInteger(1, 1000),
  watches: readInteger(1, 1000),
  shares: readInteger(0, 10_000),
} as const satisfies Readonly<Record<keyof ClientLimits, SettingReader<number>>>;

/**
 * The default limits that are the same on all machines. `scratch`: twice the largest upload, or 28 hours of video at 8
 * Mbit/s. `pixels`: half of ffmpeg's maximum. `replies`: a service writes 75 MB of lists per second, so one client can
 * use a tenth of its time. `records`: 5,600,000 ordinary jobs, or 180,000 a day for 30 days.
 */
const FIXED =
  'input=256G,fetch=1h,output=100G,scratch=100G,files=10000,duration=48h,pixels=16384x8192,streams=256,threads=64,time=2h,priority=0,requests=6000,replies=512M,tokens=60,records=16G,submissions=600,pending=10000,event-streams=100,webhooks=20,watches=20,shares=100';

/**
 * The default limits of a client, as text. SVT-AV1 needs 2.3 GiB of address space for 1080p. Each thread needs another
 * 8 MiB, and ffmpeg starts more threads on more cores.
 */
export const defaultClientLimits = (cores = availableParallelism()): string =>
  `${FIXED},processes=${512 + 64 * cores},memory=${4096 + 256 * cores}M`;

/** The default limits for the manual, in a form that is right for all machines. */
export const DEFAULT_CLIENT_LIMITS = `${FIXED},processes=512 + 64 a core,memory=4G + 256M a core`;

/**
 * Reads texts such as `time=2h`. `none` removes a limit, and `default` restores its default. Throws an `Error` that
 * names all invalid limits.
 */
export const readClientLimits = (parts: readonly string[]): ClientLimitChanges => readLimits(parts, READERS);

/** Reads TELECINE_CLIENT_LIMITS, the limits of all clients. A limit that is not in the text keeps its default. */
export const readClientLimitsSetting: SettingReader<ClientLimitChanges> = (text) =>
  overDefaults(readClientLimits(defaultClientLimits().split(',')), readClientLimits(splitLimits(text)));
