import { type LimitTable, limitsForm, overDefaults, readLimits, splitLimits } from './limit-list.ts';
import { readInteger, readSize, type SettingReader } from './setting.ts';

/** The minimum of `bytes-in-flight`: room for eight request bodies of the largest size. */
const MIN_BYTES = 8 * 2 ** 20;

const bytesInFlight: SettingReader<number> = (text) => {
  const bytes = readSize(text);
  if (bytes < MIN_BYTES) throw new Error('must be 8M or more');
  return bytes;
};

/** How the value of each limit is read, and what it limits, for the manual. */
export const SERVICE_LIMITS = {
  'pending-in-all': [readInteger(1, 1_000_000_000), 'queued jobs of all clients; 429 TOO_MANY_PENDING above it'],
  'token-failures': [readInteger(1, 1_000_000_000), 'failed token requests a minute of a client from one address'],
  'token-failures-per-address': [readInteger(1, 1_000_000_000), 'failed token requests a minute from one address'],
  connections: [
    readInteger(1, 9_999_999),
    'open connections. When all are in use, the one that has been idle longest is closed for a new one. A client can have half as many running requests; all who use links together a quarter',
  ],
  'connections-without-token': [
    readInteger(1, 9_999_999),
    'connections on which no valid token was sent yet; the oldest is closed for a new one',
  ],
  'connections-without-token-per-address': [
    readInteger(1, 9_999_999),
    'the same from one address, or one /64 of IPv6, and at most half of them; 429 above it. Behind TELECINE_TRUST_PROXY it counts running requests by the address of the caller. As many requests by links can run from one address',
  ],
  'bytes-in-flight': [
    bytesInFlight,
    'memory for request bodies and replies that are not sent yet, at least 8M. A client can have half of it, all who use links a quarter, and one address of them an eighth; 503 above it',
  ],
} as const satisfies LimitTable<string>;

type Key = keyof typeof SERVICE_LIMITS;

/** The limits that always have a value. The others are computed from the number of files that the process may open. */
type Fixed = Exclude<Key, 'pending-in-all' | 'connections' | 'connections-without-token'>;

/** Limits of the service. An absent `pending-in-all`: no limit. Another absent limit: the default of the machine. */
export type ServiceLimits = { readonly [K in Fixed]: number } & { readonly [K in Exclude<Key, Fixed>]?: number };

export const DEFAULT_SERVICE_LIMITS =
  'pending-in-all=100000,token-failures=10,token-failures-per-address=100,connections-without-token-per-address=256,bytes-in-flight=96M';

export const SERVICE_LIMITS_FORM = limitsForm('connections=2000,bytes-in-flight=96M', SERVICE_LIMITS).replace(
  'a limit',
  '`pending-in-all`',
);

const read = (text: string) => readLimits(splitLimits(text), SERVICE_LIMITS, SERVICE_LIMITS_FORM);

/** Reads TELECINE_SERVICE_LIMITS. A limit that is not in the text keeps its default. */
export const readServiceLimits: SettingReader<ServiceLimits> = (text) => {
  const limits = Object.entries(overDefaults(read(DEFAULT_SERVICE_LIMITS), read(text)));
  // Without the others, guesses of secrets and open connections would have no bound.
  const removed = limits.find(([key, limit]) => limit === null && key !== 'pending-in-all');
  if (removed !== undefined) throw new Error(`${removed[0]} must not be none`);
  return Object.fromEntries(limits.filter(([, limit]) => limit !== null)) as ServiceLimits;
};
