/** Longer waits are shortened to this time, because proxies often time out after a minute. */
export const MAX_WAIT_SECONDS = 60;

/** `Prefer: wait=SECONDS` (RFC 7240), with the parameter `until=change` of this service. */
interface PreferredWait {
  readonly seconds: number;
  readonly until: 'change' | 'end';
}

/** Reads the first wait in a `Prefer` header. undefined: it has no number. RFC 7240 ignores such preferences. */
export function preferredWait(header: string | readonly string[] | undefined): PreferredWait | undefined {
  for (const preference of String(header ?? '').split(',')) {
    const [value = '', ...parameters] = preference
      .split(';')
      .map((part) => part.replaceAll(/[\s"]/g, '').toLowerCase());
    const digits = /^wait=(\d{1,9})$/.exec(value)?.[1];
    if (digits === undefined) continue;
    return {
      seconds: Math.min(Number(digits), MAX_WAIT_SECONDS),
      until: parameters.includes('until=change') ? 'change' : 'end',
    };
  }
  return undefined;
}
