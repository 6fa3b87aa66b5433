/** Limits for requests of clients. */
export interface RequestLimits {
  /** Submissions per client and minute. */
  readonly submissionsPerMinute: number;
  /** Queued jobs of one client. */
  readonly pendingPerClient: number;
  /** Queued jobs of all clients. */
  readonly pendingInAll: number;
}

/** Limits for failed token requests, which prevent guessing of secrets. They cannot be switched off. */
export interface TokenFailureLimits {
  /** Failed token requests per minute with one client id from one address. */
  readonly perClientAndAddressAMinute: number;
  /** Failed token requests per minute from one address, with any client id. */
  readonly perAddressAMinute: number;
}

export interface RateLimits {
  /** The limits for requests; undefined if requests are not limited. */
  readonly requests: RequestLimits | undefined;
  readonly tokenFailures: TokenFailureLimits;
}

const REQUESTS: RequestLimits = { submissionsPerMinute: 600, pendingPerClient: 10_000, pendingInAll: 100_000 };
const TOKEN_FAILURES: TokenFailureLimits = { perClientAndAddressAMinute: 10, perAddressAMinute: 100 };

const REQUEST_KEYS: ReadonlyMap<string, keyof RequestLimits> = new Map([
  ['submissions', 'submissionsPerMinute'],
  ['pending', 'pendingPerClient'],
  ['pending-in-all', 'pendingInAll'],
]);
const TOKEN_KEYS: ReadonlyMap<string, keyof TokenFailureLimits> = new Map([
  ['token-failures', 'perClientAndAddressAMinute'],
  ['token-failures-per-address', 'perAddressAMinute'],
]);

/** All keys with their defaults. */
export const DEFAULT_RATE_LIMITS =
  'submissions=600,pending=10000,pending-in-all=100000,token-failures=10,token-failures-per-address=100';

/** The form that `readRateLimits` accepts. */
export const RATE_LIMITS_FORM = `off, or a list such as ${DEFAULT_RATE_LIMITS}; with off, only the last two keys are allowed`;

/** Reads `off` or a list of limits. A missing key keeps its default. `off` removes the request limits only. */
export function readRateLimits(text: string): RateLimits {
  const requests: Record<keyof RequestLimits, number> = { ...REQUESTS };
  const tokenFailures: Record<keyof TokenFailureLimits, number> = { ...TOKEN_FAILURES };
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  const off = parts.includes('off');
  for (const part of parts) {
    if (part === 'off') continue;
    const [, key = '', digits] = /^([a-z-]+)\s*=\s*(\d{1,9})$/.exec(part) ?? [];
    const ofRequests = off ? undefined : REQUEST_KEYS.get(key);
    const ofTokens = TOKEN_KEYS.get(key);
    if (Number(digits) >= 1 && ofRequests !== undefined) requests[ofRequests] = Number(digits);
    else if (Number(digits) >= 1 && ofTokens !== undefined) tokenFailures[ofTokens] = Number(digits);
    else throw new Error(`must be ${RATE_LIMITS_FORM}`);
  }
  return { requests: off ? undefined : requests, tokenFailures };
}
