import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problem } from '../../../packages/contract/src/domain/problem.ts';
import { issueRefreshToken } from '../../../packages/service/src/auth/token-operations.ts';
import { ADDRESS, createAuthHarness } from '../../support/auth-harness.ts';
import { sampledRuns } from '../../support/sampled.ts';

const FAMILIES = 3;

/** A token in the model of the rules. Times are in seconds since the start. */
interface Modelled {
  readonly text: string;
  readonly family: number;
  readonly issuedAt: number;
  readonly parent?: Modelled;
  readonly children: Modelled[];
  usedAt?: number;
}

const step = fc.record({
  /** Seconds before the request: around the grace period, sometimes around the 30 days. */
  wait: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(0, 1, 10, 29, 30, 31, 3600) },
    { weight: 1, arbitrary: fc.constantFrom(29, 30).map((days) => days * 24 * 3600) },
  ),
  /** Which of the known tokens is sent, counted from the newest. */
  back: fc.nat({ max: 6 }),
  /** How often it is sent at once. */
  times: fc.constantFrom(1, 1, 1, 2, 3),
});

test('token families follow the rules for any sequence of requests, and never affect each other', {
  timeout: 30_000,
}, async () => {
  const client = { clientId: 'studio', secretHash: '-', scopes: ['jobs:read'], createdAt: '' } as const;

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { tokens, stores, now, advance } = await createAuthHarness();
      await stores.clients.add(client);
      const known: Modelled[] = [];
      const dead = new Set<number>();
      let at = 0;
      for (let family = 0; family < FAMILIES; family += 1) {
        const minted = issueRefreshToken(client, { family: `f${family}`, scopes: client.scopes }, now());
        await stores.refreshTokens.add(minted.record);
        known.push({ text: minted.refreshToken, family, issuedAt: at, children: [] });
      }

      /** Whether the service should accept the token. Updates the model of its family. */
      function predict(token: Modelled): boolean {
        if (dead.has(token.family) || at - token.issuedAt >= 30 * 24 * 3600) return false;
        token.usedAt ??= at;
        const kin = [...token.children, ...(token.parent?.children ?? [])];
        const wentOn = kin.some((one) => one !== token && one.usedAt !== undefined);
        if (at - token.usedAt <= 30 && !wentOn && token.children.length < 6) return true;
        dead.add(token.family);
        return false;
      }

      for (const { wait, back, times } of steps) {
        advance(wait);
        at += wait;
        const token = known[Math.max(0, known.length - 1 - back)];
        if (token === undefined) throw new Error('There is always a token');
        const replies = await Promise.all(
          Array.from({ length: times }, () =>
            tokens.refresh({ refreshToken: token.text, address: ADDRESS }).catch((error: unknown) => {
              if (error instanceof Problem && error.code === 'INVALID_TOKEN') return undefined;
              throw error;
            }),
          ),
        );
        for (const reply of replies) {
          expect(reply !== undefined).toBe(predict(token));
          if (reply === undefined) continue;
          const { family } = token;
          const child = { text: reply.refreshToken, family, issuedAt: at, parent: token, children: [] };
          token.children.push(child);
          known.push(child);
        }
      }
    }),
    { numRuns: sampledRuns(150) },
  );
});
