import { readFile, stat } from 'node:fs/promises';
import { parseAddress } from './public-address.ts';
import type { HostAddress } from './resolve-host.ts';

/** Finds the addresses that a file such as /etc/hosts gives a name. Resolves to none if there is no such file. */
export type HostsFile = (name: string) => Promise<readonly HostAddress[]>;

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
export function parseHosts(text: string): ReadonlyMap<string, readonly HostAddress[]> {
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
