import { lookup, Resolver } from 'node:dns/promises';
import { readFile, stat } from 'node:fs/promises';
import pLimit from 'p-limit';
import { parseAddress } from './outgoing-policy.ts';

/** One address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

interface HostLookupOptions {
  /** Whether the operator's list has the name, so that no client chose it. */
  readonly isListed: boolean;
  /** Aborted when nobody waits for the addresses any more. */
  readonly signal: AbortSignal;
}

/** Finds all addresses of a host name. Rejects with an error whose code is ENOTFOUND if there are none. */
export type HostLookup = (name: string, options: HostLookupOptions) => Promise<readonly HostAddress[]>;

/** The signature of Node's `dns.lookup` with the option `all`. */
type Lookup = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/**
 * How many names are looked up at a time. A look-up blocks a thread until it has ended, whoever still waits for it. libuv
 * lets look-ups have half of its four threads, and the database and object store need one of these two.
 */
const AT_ONCE = 1;

/** A look-up that is queued or runs, and the signals of those who wait for it. */
interface SharedLookup {
  readonly signals: AbortSignal[];
  readonly result: Promise<readonly HostAddress[]>;
}

/**
 * Asks the system as all programs do: by its order of sources, such as /etc/hosts and DNS, and with its search domains. One
 * look-up at a time, once for all who wait for the name. A name that nobody waits for any more in its turn is not looked up. A
 * name of the operator's list waits for one other at most, however many names clients have chosen.
 */
export function systemLookup(find: Lookup = (name) => lookup(name, { all: true })): HostLookup {
  const limit = pLimit(AT_ONCE);
  const ofClients = pLimit(AT_ONCE);
  const lookups = new Map<string, SharedLookup>();
  return (name, { isListed, signal }) => {
    // A host can be listed with one port only.
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

/** Finds the addresses that a file such as /etc/hosts gives a name. Resolves to none if there is no such file. */
type HostsFile = (name: string) => Promise<readonly HostAddress[]>;

/** Reads the file at the first call, and again after it has changed. */
export function hostsFile(path = '/etc/hosts'): HostsFile {
  let read: { readonly version: string; readonly names: ReadonlyMap<string, readonly HostAddress[]> } | undefined;
  return async (name) => {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (found === undefined) return [];
    const version = `${found.ino}:${found.mtimeNs}:${found.size}`;
    if (read?.version !== version) read = { version, names: parseHosts(await readFile(path, 'utf8').catch(() => '')) };
    return read.names.get(name.toLowerCase()) ?? [];
  };
}

/** Names in lower case → their addresses (hosts(5)). Passes over what is not an address, and addresses with a zone. */
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

/** Shared by all clients of the process, because they share its threads. */
const askSystem = systemLookup();
const inHostsFile = hostsFile();

/**
 * Finds the addresses of a host. A name that the operator lists, and one without a dot, which only the search domains of the
 * machine complete, is looked up as all programs do. Any other name is its client's choice, and so are the DNS servers that
 * answer for it: /etc/hosts has it, or it is asked for as a complete name in a way that can be cancelled.
 */
export const hostLookup: HostLookup = async (name, { isListed, signal }) => {
  if (isListed || !name.includes('.')) return askSystem(name, { isListed, signal });
  const known = await inHostsFile(name);
  return known.length > 0 ? known : dnsLookup(name, signal);
};
