import { Resolver } from 'node:dns/promises';
import type { HostAddress, HostLookup } from './resolve-host.ts';

/** How long one DNS server may take, and how often each is asked. */
const TIMEOUT_MS = 2500;
const TRIES = 2;

/** Codes of c-ares for a name that does not exist, or has no address of the family. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks the DNS servers of the system for the addresses of a complete name, without a thread, so that any number of servers
 * that do not answer delay nothing else. Ends at once when `signal` is aborted.
 *
 * @param servers Default: those of /etc/resolv.conf.
 */
export async function dnsLookup(
  name: string,
  signal: AbortSignal,
  servers?: readonly string[],
): ReturnType<HostLookup> {
  signal.throwIfAborted();
  // One for each call: it can be cancelled only as a whole, and reads the servers anew.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    const found = [...toAddresses(ipv4, 4), ...toAddresses(ipv6, 6)];
    if (found.length > 0) return found;
    const errors = [ipv4, ipv6].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    throw errors.find(({ code }) => !MISSING.has(code)) ?? errors[0];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** IPv4 comes first: on a machine without IPv6, the other order would cost a failed attempt. */
const toAddresses = (result: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly HostAddress[] =>
  result.status === 'rejected' ? [] : result.value.map((address) => ({ address, family }));
