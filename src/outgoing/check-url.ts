import { isIP } from 'node:net';
import { destinationOf, isAllowed, isListedName, type OutgoingPolicy } from './outgoing-policy.ts';

/** Why the text of a URL shows that it cannot be requested. */
export type UrlFault =
  | 'NOT_A_URL'
  /** Neither http nor https. */
  | 'SCHEME'
  /** It contains a user name or a password. */
  | 'USER'
  /** The policy allows nothing at all. */
  | 'NOTHING_ALLOWED'
  /** The host is an address that the policy does not allow, or no entry of the list can allow the name and port. */
  | 'HOST';

/**
 * What is wrong with a URL, as far as its text shows. undefined: it may be requested, unless its host name resolves to
 * addresses that the policy does not allow. `isUserAllowed`: for callers that send the user name and password of the URL.
 */
export function checkUrl(policy: OutgoingPolicy, text: string, isUserAllowed = false): UrlFault | undefined {
  if (!URL.canParse(text)) return 'NOT_A_URL';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'SCHEME';
  if (!isUserAllowed && (url.username !== '' || url.password !== '')) return 'USER';
  if (!policy.isPublicAllowed && policy.hosts.length === 0) return 'NOTHING_ALLOWED';
  return isHostPossible(policy, url) ? undefined : 'HOST';
}

function isHostPossible(policy: OutgoingPolicy, url: URL): boolean {
  const destination = destinationOf(url);
  if (isIP(destination.host) !== 0) return isAllowed(policy, destination, destination.host);
  // Names of this machine (RFC 6761, 6.3), which no network of the Internet can have.
  const isLocal = /(?:^|\.)localhost$/.test(destination.host);
  if (isListedName(policy, destination)) return true;
  if (policy.hosts.some(({ host, port }) => port === destination.port && isIP(host.split('/')[0] ?? '') !== 0))
    return true;
  return policy.isPublicAllowed && !isLocal && isAllowedPort(policy, destination.port);
}

/** Whether a public address on this port is allowed. Any public address does for the question. */
const isAllowedPort = (policy: OutgoingPolicy, port: number): boolean =>
  isAllowed({ ...policy, hosts: [] }, { host: '', port }, '1.1.1.1');
