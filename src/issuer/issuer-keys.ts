import type { IssuerKeys } from '../auth/ports.ts';
import { discoverKeys } from './discover.ts';
import { getJson } from './get-json.ts';

/**
 * Fetches the keys of an issuer over HTTP at each call. Without `keysUrl`, reads their URL from the metadata of the
 * issuer, which is also fetched at each call, because the URL may change.
 */
export function issuerKeys({ issuer, keysUrl }: { readonly issuer: string; readonly keysUrl?: string }): IssuerKeys {
  return {
    async fetch(signal) {
      const url = keysUrl === undefined ? await discoverKeys(issuer, signal) : new URL(keysUrl);
      const found = await getJson(url, signal);
      if ('value' in found) return found.value;
      throw new Error(`${url.href}: status ${found.status}`);
    },
  };
}
