import { describe, expect, test } from 'vitest';
import type { SessionRecord } from '../../packages/service/src/auth/ports.ts';
import { AT, type Engine } from './engine.ts';

const session = (sessionHash: string, expiresAt = '2026-11-20T22:00:00.000Z'): SessionRecord => ({
  sessionHash,
  clientId: 'amy',
  scopes: ['jobs:read', 'files:read'],
  issuedAt: AT,
  expiresAt,
});

export function sessionsContract(engine: Engine): void {
  describe(`sessions on ${engine.name}`, () => {
    test('stores a session unchanged, until it is removed', async () => {
      const { sessions } = await engine.openStore();
      await sessions.add(session('one'));
      await sessions.add(session('two'));
      expect(await sessions.get('one')).toEqual(session('one'));
      await sessions.remove('one');
      await sessions.remove('never stored');
      expect(await sessions.get('one')).toBeUndefined();
      expect(await sessions.get('two')).toEqual(session('two'));
    });

    test('forgets the sessions that have expired, and no others', async () => {
      const { sessions } = await engine.openStore();
      await sessions.add(session('expired', '2026-11-20T09:59:59.999Z'));
      await sessions.add(session('valid', '2026-11-20T10:00:00.000Z'));
      await sessions.forget(AT);
      expect(await sessions.get('expired')).toBeUndefined();
      expect(await sessions.get('valid')).toEqual(session('valid', '2026-11-20T10:00:00.000Z'));
    });
  });
}
