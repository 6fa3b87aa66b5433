import { overDefaults, readLimits, splitLimits } from './limit-list.ts';
import { readInteger, readSize, type SettingReader } from './setting.ts';

/** What each limit of the service limits, for the manual. */
export const SERVICE_LIMITS = {
  'pending-in-all': 'queued jobs of all clients; 429 TOO_MANY_PENDING above it',
  'token-failures': 'failed token requests a minute of a client from one address',
  'token-failures-per-address': 'failed token requests a minute from one address',
  connections:
    'open connections. When all are in use, the one that has been idle longest is closed for a new one. A client can have half as many running requests; all who use links together a quarter',
  'connections-without-token': 'connections on which no valid token was sent yet; the oldest is closed for a new one',
  'connections-without-token-per-address':
    'the same from one address, or one /64 of IPv6, and at most half of them; 429 above it. Behind TELECINE_TRUST_PROXY it counts running requests by the address of the caller. As many requests by links can run from one address',
  'bytes-in-flight':
    'memory for request bodies and replies that are not sent yet, at least 8M. A client can have half of it, all who use links a quarter, and one address of them an eighth; 503 above it',
} as const;

type Key = keyof typeof SERVICE_LIMITS;

export const DEFAULT_SERVICE_LIMITS =
  'pending-in-all=100000,token-failures=10,token-failures-per-address=100,connections-without-token-per-address=256,bytes-in-flight=96M';

type Optional = 'pending-in-all' | 'connections' | 'connections-without-token';

/** Limits of the service. An absent `pending-in-all`: no limit. Another absent limit: computed from the machine. */
export type ServiceLimits = { readonly [K in Exclude<Key, Optional>]: number } & { readonly [K in Optional]?: number };

/** The minimum of `bytes-in-flight`: room for eight request bodies of the largest size. */
const MIN_BYTES = 8 * 2 ** 20;

const bytesInFlight: SettingReader<number> = (text) => {
  const bytes = readSize(text);
  if (bytes < MIN_BYTES) throw new Error('must be 8M or more');
  return bytes;
};

const whole = readInteger(1, 1_000_000_000);

const READERS = {
  'pending-in-all': whole,
  'token-failures': whole,
  'token-failures-per-address': whole,
  connections: whole,
  'connections-without-token': whole,
  'connections-without-token-per-address': whole,
  'bytes-in-flight': bytesInFlight,
} as const satisfies Readonly<Record<Key, SettingReader<number>>>;

const read = (text: string) => readLimits(splitLimits(text), READERS);

/** Reads TELECINE_SERVICE_LIMITS. A limit that is not in the text keeps its default. */
export const readServiceLimits: SettingReader<ServiceLimits> = (text) => {
  const limits = Object.entries(overDefaults(read(DEFAULT_SERVICE_LIMITS), read(text)));
  // Without the others, guesses of secrets and open connections would have no bound.
  const removed = limits.find(([key, limit]) => limit === null && key !== 'pending-in-all');
  if (removed !== undefined) throw new Error(`${removed[0]} must not be none`);
  return Object.fromEntries(limits.filter(([, limit]) => limit !== null)) as ServiceLimits;
};
