/** Limits of requests of clients. */
interface RequestLimits {
  /** Submissions per client and minute. */
  readonly submissionsPerMinute: number;
  /** Queued jobs of one client. */
  readonly pendingPerClient: number;
  /** Queued jobs of all clients. */
  readonly pendingInAll: number;
}

/** Limits of failed token requests. They stop clients from guessing secrets, and cannot be switched off. */
interface TokenFailureLimits {
  /** Failed token requests per minute from one address for one client id. */
  readonly perClientAndAddressAMinute: number;
  /** Failed token requests per minute from one address for all client ids. */
  readonly perAddressAMinute: number;
}

export interface RateLimits {
  /** The limits of requests. undefined: requests are not limited. */
  readonly requests: RequestLimits | undefined;
  readonly tokenFailures: TokenFailureLimits;
}

const OF_REQUESTS = { submissions: 600, pending: 10_000, 'pending-in-all': 100_000 };
const OF_TOKENS = { 'token-failures': 10, 'token-failures-per-address': 100 };
const DEFAULTS = { ...OF_REQUESTS, ...OF_TOKENS };

/** All keys with their defaults. */
export const DEFAULT_RATE_LIMITS = Object.entries(DEFAULTS)
  .map((entry) => entry.join('='))
  .join(',');

/** The form that `readRateLimits` accepts. */
export const RATE_LIMITS_FORM = `off, or a list such as ${DEFAULT_RATE_LIMITS}; with off, only the last two keys are allowed`;

/** Reads `off` or a list of limits. A limit that is not in the list keeps its default. `off` removes only the limits of requests. */
export function readRateLimits(text: string): RateLimits {
  const counts: Record<string, number> & typeof DEFAULTS = { ...DEFAULTS };
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  const isOff = parts.includes('off');
  for (const part of parts.filter((one) => one !== 'off')) {
    const [, key = '', digits] = /^([a-z-]+)\s*=\s*(\d{1,9})$/.exec(part) ?? [];
    const isAllowed = Object.hasOwn(isOff ? OF_TOKENS : DEFAULTS, key) && Number(digits) >= 1;
    if (!isAllowed) throw new Error(`must be ${RATE_LIMITS_FORM}`);
    counts[key] = Number(digits);
  }
  return {
    requests: isOff
      ? undefined
      : {
          submissionsPerMinute: counts.submissions,
          pendingPerClient: counts.pending,
          pendingInAll: counts['pending-in-all'],
        },
    tokenFailures: {
      perClientAndAddressAMinute: counts['token-failures'],
      perAddressAMinute: counts['token-failures-per-address'],
    },
  };
}
