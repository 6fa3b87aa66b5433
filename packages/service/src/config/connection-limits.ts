import { readSize } from './setting.ts';

/** Limits of open connections. An absent limit is computed from the number of files that the process may open. */
export interface ConnectionSettings {
  readonly all?: number;
  readonly withoutToken?: number;
  readonly withoutTokenPerAddress: number;
  readonly bytesInFlight: number;
}

const KEYS: ReadonlyMap<string, keyof ConnectionSettings> = new Map([
  ['all', 'all'],
  ['without-token', 'withoutToken'],
  ['without-token-per-address', 'withoutTokenPerAddress'],
]);

const DEFAULTS: ConnectionSettings = { withoutTokenPerAddress: 256, bytesInFlight: 96 * 2 ** 20 };

/** The minimum of `bytes`: room for eight request bodies of the largest size. */
const MIN_BYTES = 8 * 2 ** 20;

/** The default limits that are the same on all machines. */
export const DEFAULT_CONNECTIONS = 'without-token-per-address=256,bytes=96M';

export const CONNECTIONS_FORM = `a list such as all=2000,without-token=500,${DEFAULT_CONNECTIONS}; bytes is at least 8M`;

/** Reads a list of limits. A limit that is not in the list keeps its default. */
export function readConnectionLimits(text: string): ConnectionSettings {
  const found: { -readonly [key in keyof ConnectionSettings]: ConnectionSettings[key] } = { ...DEFAULTS };
  for (const part of text.split(',').flatMap((one) => one.trim() || [])) {
    const [, name = '', value = ''] = /^([a-z-]+)\s*=\s*(\w+)$/.exec(part) ?? [];
    const key = KEYS.get(name);
    if (name === 'bytes') found.bytesInFlight = readBytes(value);
    else if (key !== undefined && /^[1-9]\d{0,6}$/.test(value)) found[key] = Number(value);
    else throw new Error(`must be ${CONNECTIONS_FORM}`);
  }
  return found;
}

function readBytes(text: string): number {
  const bytes = /^\d/.test(text) ? readSize(text) : 0;
  if (bytes < MIN_BYTES) throw new Error(`must be ${CONNECTIONS_FORM}`);
  return bytes;
}
