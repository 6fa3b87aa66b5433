import type { IssuerKeys } from '../auth/ports.ts';
import { discoverKeys } from './discover.ts';
import { getJson } from './get-json.ts';

/**
 * The keys of an issuer over HTTP, asked for anew at each call. `keysUrl`: where they are; left out, the issuer's
 * metadata tells, which is then read each time as well, so that they may move.
 */
export function issuerKeys({ issuer, keysUrl }: { readonly issuer: string; readonly keysUrl?: string }): IssuerKeys {
  return {
    async fetch(signal) {
      const url = keysUrl === undefined ? await discoverKeys(issuer, signal) : new URL(keysUrl);
      const found = await getJson(url, signal);
      if ('value' in found) return found.value;
      throw new Error(`${url.href} answers ${found.status}`);
    },
  };
}
