import type { TokensView } from '@telecine/contract/wire/token.ts';
import type { ClientAuth, RetryBudget } from './options.ts';

/** Provides the access token for each call. */
interface ClientTokens {
  /** Returns a valid token. Obtains or renews the token if necessary. '' for a session, because the browser sends its cookie. */
  current(budget?: RetryBudget): Promise<string>;
  /** Discards a token that the service rejected. Returns false if the client cannot obtain another token. */
  discard(token: string): boolean;
}

interface CachedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When to renew the token, in milliseconds of `performance.now()`. */
  readonly renewAt: number;
}

/** How long before its expiry a token is renewed, so that it does not expire during a call. */
const EARLY_SECONDS = 30;

/** The calls that obtain tokens. They do not need an access token. */
interface TokenCalls {
  obtain(body: { clientId: string; clientSecret: string }, budget?: RetryBudget): Promise<TokensView>;
  refresh(body: { refreshToken: string }, budget?: RetryBudget): Promise<TokensView>;
}

export function clientTokens(calls: TokenCalls, auth: ClientAuth): ClientTokens {
  if ('session' in auth) return { current: async () => '', discard: () => false };
  if ('accessToken' in auth) return providedTokens(auth.accessToken);
  const { clientId, clientSecret } = auth;
  let cached: CachedTokens | undefined;
  let pending: Promise<string> | undefined;

  async function renew(budget: RetryBudget | undefined): Promise<string> {
    const refreshToken = cached?.refreshToken;
    const login = () => calls.obtain({ clientId, clientSecret }, budget);
    const tokens =
      refreshToken === undefined
        ? await login()
        : // If the refresh fails for any reason, obtain new tokens with the secret.
          await calls.refresh({ refreshToken }, budget).catch(login);
    const lifetimeSeconds = Math.max(tokens.expiresIn - EARLY_SECONDS, tokens.expiresIn / 2);
    cached = {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken,
      renewAt: performance.now() + lifetimeSeconds * 1000,
    };
    return tokens.accessToken;
  }

  return {
    current: async (budget) => {
      if (cached !== undefined && performance.now() < cached.renewAt) return cached.accessToken;
      // Concurrent calls share one request.
      pending ??= renew(budget).finally(() => {
        pending = undefined;
      });
      return pending;
    },
    discard: (token) => {
      // The service rejected the token before it expired. Its refresh token is then invalid too.
      if (cached?.accessToken === token) cached = undefined;
      return true;
    },
  };
}

function providedTokens(accessToken: string | (() => string | Promise<string>)): ClientTokens {
  if (typeof accessToken === 'string') return { current: async () => accessToken, discard: () => false };
  let current: Promise<string> | undefined;
  let known: string | undefined;
  const obtain = async (): Promise<string> => {
    try {
      known = await accessToken();
      return known;
    } catch (error) {
      current = undefined;
      throw error;
    }
  };
  return {
    // Concurrent calls share one token.
    current: () => (current ??= obtain()),
    discard: (token) => {
      if (token === known) current = undefined;
      return true;
    },
  };
}
