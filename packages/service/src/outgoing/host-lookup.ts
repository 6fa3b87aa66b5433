import { lookup, Resolver } from 'node:dns/promises';
import { readFile, stat } from 'node:fs/promises';
import pLimit from 'p-limit';
import { parseAddress } from './outgoing-policy.ts';

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

interface HostLookupOptions {
  /** true: the name is in the list of the operator. false: a client chose it. */
  readonly isListed: boolean;
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** Finds all addresses of a host name. If there are none, rejects with an error whose code is ENOTFOUND. */
export type HostLookup = (name: string, options: HostLookupOptions) => Promise<readonly HostAddress[]>;

/** The signature of Node's `dns.lookup` with the option `all`. */
type Lookup = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/**
 * How many look-ups run at the same time. Each blocks one of libuv's four threads, and libuv uses at most two threads
 * for look-ups. The second one is for look-ups of the database and of the object store.
 */
const AT_ONCE = 1;

/** A look-up that is queued or running, with the signals of all callers that wait for it. */
interface SharedLookup {
  readonly signals: AbortSignal[];
  readonly result: Promise<readonly HostAddress[]>;
}

/**
 * Looks up names like other programs: in the sources of the system (such as /etc/hosts and DNS), with its search
 * domains. Runs one look-up at a time. Callers that want the same name share one. If no caller waits for a name any
 * more, skips it. A name in the list of the operator waits for at most one other look-up.
 */
export function systemLookup(find: Lookup = (name) => lookup(name, { all: true })): HostLookup {
  const limit = pLimit(AT_ONCE);
  const ofClients = pLimit(AT_ONCE);
  const lookups = new Map<string, SharedLookup>();
  return (name, { isListed, signal }) => {
    // A host can be in the list for one port and not for another, so `isListed` is part of the key.
    const key = `${isListed} ${name}`;
    const shared = lookups.get(key);
    shared?.signals.push(signal);
    if (shared !== undefined) return shared.result;
    const signals = [signal];
    const ask = async (): Promise<readonly HostAddress[]> => {
      try {
        if (signals.every(({ aborted }) => aborted)) throw signal.reason;
        return (await find(name)).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
      } finally {
        lookups.delete(key);
      }
    };
    const result = isListed ? limit(ask) : ofClients(() => limit(ask));
    lookups.set(key, { signals, result });
    return result;
  };
}

/**
 * Returns a function that finds the addresses of a name in a hosts file. It reads the file again when the file has
 * changed.
 */
export function hostsFile(path = '/etc/hosts'): (name: string) => Promise<readonly HostAddress[]> {
  let read: { readonly version: string; readonly names: ReadonlyMap<string, readonly HostAddress[]> } | undefined;
  return async (name) => {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (found === undefined) return [];
    const version = `${found.ino}:${found.mtimeNs}:${found.size}`;
    if (read?.version !== version) read = { version, names: parseHosts(await readFile(path, 'utf8').catch(() => '')) };
    return read.names.get(name.toLowerCase()) ?? [];
  };
}

/**
 * Reads a hosts file (hosts(5)): the addresses by name in lower case. Ignores invalid addresses, and addresses with a
 * zone.
 */
function parseHosts(text: string): ReadonlyMap<string, readonly HostAddress[]> {
  const names = new Map<string, HostAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...hosts] = line.replace(/#.*/, '').trim().split(/\s+/);
    const kind = parseAddress(address)?.kind();
    if (kind === undefined) continue;
    const one: HostAddress = { address, family: kind === 'ipv6' ? 6 : 4 };
    for (const host of hosts) {
      const name = host.toLowerCase().replace(/\.$/, '');
      names.set(name, [...(names.get(name) ?? []), one]);
    }
  }
  return names;
}

/** The time limit for one try at one DNS server. */
const TIMEOUT_MS = 2500;
const TRIES = 2;

/** Error codes of c-ares for a name that does not exist, or that has no address of the requested family. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks DNS servers for the addresses of a complete name. This needs no thread, so that slow servers delay nothing else.
 * Ends at once if `signal` is aborted.
 *
 * @param servers Default: the servers in /etc/resolv.conf.
 */
export async function dnsLookup(
  name: string,
  signal: AbortSignal,
  servers?: readonly string[],
): ReturnType<HostLookup> {
  signal.throwIfAborted();
  // Create a resolver for each call, because `cancel` ends all queries of a resolver.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    // IPv4 first: in the other order, a machine without IPv6 would lose time.
    const found = [...toAddresses(ipv4, 4), ...toAddresses(ipv6, 6)];
    if (found.length > 0) return found;
    const errors = [ipv4, ipv6].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    throw errors.find(({ code }) => !MISSING.has(code)) ?? errors[0];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

const toAddresses = (result: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly HostAddress[] =>
  result.status === 'rejected' ? [] : result.value.map((address) => ({ address, family }));

/** All outgoing clients share this look-up, because they share the threads of the process. */
const askSystem = systemLookup();
const inHostsFile = hostsFile();

/**
 * Finds the addresses of a host. Asks the system about a name in the list of the operator, and about a name without a
 * dot, which needs the search domains. Any other name comes from a client, and its DNS server may be slow: so reads
 * /etc/hosts and then asks DNS, because a DNS query can be cancelled.
 */
export const hostLookup: HostLookup = async (name, { isListed, signal }) => {
  if (isListed || !name.includes('.')) return askSystem(name, { isListed, signal });
  const known = await inHostsFile(name);
  return known.length > 0 ? known : dnsLookup(name, signal);
};
