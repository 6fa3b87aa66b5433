/** What clients may ask of the service. */
export interface RequestLimits {
  /** Submissions a minute and client. */
  readonly submissionsPerMinute: number;
  /** Jobs of one client that may wait at a time. */
  readonly pendingPerClient: number;
  /** Jobs of all clients that may wait at a time. */
  readonly pendingInAll: number;
}

/** What a guesser of secrets may ask: never without limit. */
export interface TokenFailureLimits {
  /** Failed token requests a minute, per client and address. */
  readonly perClientAndAddressAMinute: number;
  /** Failed token requests a minute and address, whatever the client. */
  readonly perAddressAMinute: number;
}

export interface RateLimits {
  /** undefined: requests are not limited. */
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

/** How `readLimits` wants it written. */
export const RATE_LIMITS_FORM = `off, or a list such as ${DEFAULT_RATE_LIMITS}; of the keys only the last two go with off`;

/** A key that is left out keeps its default; `off` is about requests alone. */
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
