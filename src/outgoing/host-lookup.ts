import { dnsLookup } from './dns-lookup.ts';
import { hostsFile } from './hosts-file.ts';
import type { HostLookup } from './resolve-host.ts';
import { systemLookup } from './system-lookup.ts';

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
