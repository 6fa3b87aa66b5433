import type { TokensView } from '../wire/token.ts';
import type { Patience } from './retry.ts';

/** Who the client is: a client's id and secret, or an access token that someone else obtained. */
export type Credentials =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly accessToken: string };

/** The token of the next call. */
export interface Tokens {
  /** Obtained or renewed where that is due. */
  current(patience?: Patience): Promise<string>;
  /** `stale` was refused. false: there is no way to another one. */
  drop(stale: string): boolean;
}

interface Held {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** By `performance.now()`. */
  readonly renewAt: number;
}

/** A token is renewed so long before it ends, so that none ends on its way. */
const EARLY_SECONDS = 30;

/** `ask` posts a body without a token and rejects where that is refused. */
export function keepTokens(
  ask: (path: string, body: Readonly<Record<string, string>>, patience?: Patience) => Promise<TokensView>,
  credentials: Credentials,
): Tokens {
  if ('accessToken' in credentials) return { current: async () => credentials.accessToken, drop: () => false };
  const { clientId, clientSecret } = credentials;
  let held: Held | undefined;
  let pending: Promise<string> | undefined;

  async function obtain(patience: Patience | undefined): Promise<string> {
    const refreshToken = held?.refreshToken;
    const login = () => ask('/api/auth/token', { clientId, clientSecret }, patience);
    const view =
      refreshToken === undefined
        ? await login()
        : // Whatever is wrong with it, the secret gives new ones.
          await ask('/api/auth/refresh', { refreshToken }, patience).catch(login);
    const lasts = Math.max(view.expiresIn - EARLY_SECONDS, view.expiresIn / 2);
    held = {
      accessToken: view.accessToken,
      refreshToken: view.refreshToken,
      renewAt: performance.now() + lasts * 1000,
    };
    return view.accessToken;
  }

  return {
    current: async (patience) => {
      if (held !== undefined && performance.now() < held.renewAt) return held.accessToken;
      // Calls that come meanwhile wait for the same one.
      pending ??= obtain(patience).finally(() => {
        pending = undefined;
      });
      return pending;
    },
    drop: (stale) => {
      // Refused before its time: its refresh token will not be better.
      if (held?.accessToken === stale) held = undefined;
      return true;
    },
  };
}
