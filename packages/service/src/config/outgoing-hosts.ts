import { isIP, isIPv6 } from 'node:net';
import { isNetwork, type SettingReader } from './setting.ts';

/** The hosts to which the service may connect for clients. See `OutgoingPolicy` in `outgoing/`. */
export interface OutgoingHosts {
  /** true: all public addresses are allowed. */
  readonly isPublicAllowed: boolean;
  /** Hosts that are allowed even if their addresses are private: a name in lower case, an address, or a network. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
}

/** The form of a setting with hosts, for the configuration page. */
export const OUTGOING_HOSTS_FORM = 'deny, or a list such as public,media.lan:8080,10.0.0.0/8:443,[fd00::1]:80';

const WRONG = `must be ${OUTGOING_HOSTS_FORM}; each entry except public needs a port`;

/** Reads `deny`, or a list of `public` and hosts with ports. IPv6 is written in brackets: `[fd00::/8]:443`. */
export const readOutgoingHosts: SettingReader<OutgoingHosts> = (text) => {
  const parts = text.split(',').map((part) => part.trim().toLowerCase());
  if (parts.length === 1 && parts[0] === 'deny') return { isPublicAllowed: false, hosts: [] };
  return {
    isPublicAllowed: parts.includes('public'),
    hosts: parts.filter((part) => part !== 'public').map(readHost),
  };
};

function readHost(text: string): OutgoingHosts['hosts'][number] {
  const [, bracketed, plain = '', digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (port < 1 || port > 65_535) throw new Error(WRONG);
  const host = bracketed ?? plain;
  // Reject `public:443`. It is meant as "public addresses on this port", but would be read as a host with this name.
  if (host === 'public' || host === 'deny') throw new Error(WRONG);
  const isValid = bracketed === undefined ? isNetwork(host, 4) || isName(host) : isNetwork(host, 6);
  if (!isValid) throw new Error(WRONG);
  return { host: isIPv6(host) ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host, port };
}

/** Whether a text is a host name as in a URL, not an IPv4 address in another form, such as `127.1` or `0x7f000001`. */
const isName = (text: string): boolean =>
  /^[a-z\d_-]+(?:\.[a-z\d_-]+)*$/.test(text) &&
  URL.canParse(`http://${text}`) &&
  new URL(`http://${text}`).hostname === text &&
  isIP(text) === 0;
