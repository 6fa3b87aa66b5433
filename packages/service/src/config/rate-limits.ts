interface RequestLimits {
  /** How many submissions a client may make in a minute. */
  readonly submissionsPerMinute: number;
  /** How many jobs of one client may be queued. */
  readonly pendingPerClient: number;
  /** How many jobs of all clients together may be queued. */
  readonly pendingInAll: number;
}

/** Limits of failed token requests, so that nobody can guess secrets. They cannot be switched off. */
interface TokenFailureLimits {
  /** How many token requests with one client id may fail in a minute from one address. */
  readonly perClientAndAddressAMinute: number;
  /** How many token requests with any client id may fail in a minute from one address. */
  readonly perAddressAMinute: number;
}

export interface RateLimits {
  /** undefined: requests are not limited. */
  readonly requests: RequestLimits | undefined;
  readonly tokenFailures: TokenFailureLimits;
}

const OF_REQUESTS = { submissions: 600, pending: 10_000, 'pending-in-all': 100_000 };
const OF_TOKENS = { 'token-failures': 10, 'token-failures-per-address': 100 };
const DEFAULTS = { ...OF_REQUESTS, ...OF_TOKENS };

/** All keys with their defaults, as a text that the setting accepts. */
export const DEFAULT_RATE_LIMITS = Object.entries(DEFAULTS)
  .map((entry) => entry.join('='))
  .join(',');

export const RATE_LIMITS_FORM = `off, or a list such as ${DEFAULT_RATE_LIMITS}; with off, only the last two keys are allowed`;

/**
 * Reads `off` or a list of limits. A limit that is not in the list keeps its default. `off` removes only the limits of
 * requests.
 */
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
