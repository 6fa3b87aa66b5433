import { randomBytes, scryptSync } from 'node:crypto';
import type { ClientLimits } from '../../packages/contract/src/domain/client-limits.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { FailureLimits } from '../../packages/service/src/auth/authenticate.ts';
import { type Clients, createClients } from '../../packages/service/src/auth/clients.ts';
import { openTokens, type TokenService } from '../../packages/service/src/auth/token-service.ts';
import { mediaRoot } from './media-root.ts';
import { type MemoryAuthStores, memoryAuthStores } from './memory-auth-stores.ts';

export const ISSUER = 'https://telecine.test';
export const AUDIENCE = 'telecine';
export const ADDRESS = '192.0.2.1';

/** Tokens and clients of a service on one store, with a clock that the test advances. */
export interface AuthHarness {
  readonly stores: MemoryAuthStores;
  readonly clients: Clients;
  readonly tokens: TokenService;
  readonly now: () => number;
  /** Advances the clock. */
  advance(seconds: number): void;
  /** Opens a second token service on the same store and clock, as another process would. */
  openAnother(): Promise<TokenService>;
  /** Adds a client. Returns its credentials and `ADDRESS`, for a token request. */
  addClient(
    name: string,
    options?: Parameters<Clients['add']>[1],
  ): Promise<{ clientId: string; clientSecret: string; address: string }>;
}

/** Limits that are higher than the number of failed logins in any other test. */
export const UNLIMITED_FAILURES: FailureLimits = { perClientAndAddressAMinute: 1e6, perAddressAMinute: 1e6 };

export async function createAuthHarness(
  failureLimits: FailureLimits = UNLIMITED_FAILURES,
  policy: ClientLimits = { threads: 8 },
): Promise<AuthHarness> {
  let at = Date.parse('2026-01-01T12:00:00.250Z');
  const now = () => at;
  const stores = memoryAuthStores();
  const openAnother = () =>
    openTokens({
      ...stores,
      now,
      issuer: ISSUER,
      audience: AUDIENCE,
      rootOf: (root = '/srv/media') => mediaRoot(root),
      policy,
      failureLimits,
    });
  const clients = createClients({ ...stores, now });
  return {
    stores,
    clients,
    tokens: await openAnother(),
    now,
    advance: (seconds) => {
      at += seconds * 1000;
    },
    openAnother,
    async addClient(name, options) {
      const { clientSecret } = await clients.add(name, options);
      await stores.clients.update(name, { secretHash: cheapHash(clientSecret) });
      return { clientId: name, clientSecret, address: ADDRESS };
    },
  };
}

/** A hash in the format of stored secrets with the lowest cost. Checking it takes no time, unlike the real ones (35 ms). */
function cheapHash(secret: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(secret, salt, 32, { N: 2, r: 8, p: 1 });
  return ['scrypt', 2, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Returns the problem that `act` throws or rejects with. Any other outcome fails the test. */
export async function rejectionOf(act: () => unknown): Promise<Problem> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('It did not throw a Problem');
}
