import { lookup } from 'node:dns/promises';
import pLimit from 'p-limit';
import type { HostAddress, HostLookup } from './resolve-host.ts';

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
