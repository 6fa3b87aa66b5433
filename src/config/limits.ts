/** What a client may ask of the service. */
export interface Limits {
  /** Submissions a minute and client. */
  readonly submissionsPerMinute: number;
  /** Jobs of one client that may wait at a time. */
  readonly pendingPerClient: number;
  /** Jobs of all clients that may wait at a time. */
  readonly pendingInAll: number;
  /** Failed token requests a minute, per client and address. */
  readonly tokenFailuresPerMinute: number;
}

const DEFAULTS: Limits = {
  submissionsPerMinute: 600,
  pendingPerClient: 10_000,
  pendingInAll: 100_000,
  tokenFailuresPerMinute: 10,
};

const KEYS = {
  submissions: 'submissionsPerMinute',
  pending: 'pendingPerClient',
  'pending-in-all': 'pendingInAll',
  'token-failures': 'tokenFailuresPerMinute',
} as const satisfies Record<string, keyof Limits>;

/** How `readLimits` wants it written. */
export const LIMITS_FORM =
  'off, or a list such as submissions=600,pending=10000,pending-in-all=100000,token-failures=10';

/** `off`: undefined. A key that is left out keeps its default. */
export function readLimits(text: string): Limits | undefined {
  if (text === 'off') return undefined;
  const limits: Record<keyof Limits, number> = { ...DEFAULTS };
  for (const part of text.split(',').filter((p) => p.trim() !== '')) {
    const [, key, digits] = /^\s*([a-z-]+)\s*=\s*(\d{1,9})\s*$/.exec(part) ?? [];
    if (key === undefined || !Object.hasOwn(KEYS, key) || Number(digits) < 1) throw new Error(`must be ${LIMITS_FORM}`);
    limits[KEYS[key as keyof typeof KEYS]] = Number(digits);
  }
  return limits;
}
