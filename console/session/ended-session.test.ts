import { expect, test } from 'vitest';
import { endedText } from './ended-session.ts';

const SESSION = { clientId: 'shop', expiresAt: '2026-01-31T12:00:00.000Z' };

test('a session that has expired is told from one that was ended', () => {
  expect(endedText(SESSION, Date.parse('2026-01-31T12:00:00.000Z'))).toContain('has expired');
  expect(endedText(SESSION, Date.parse('2026-01-31T11:59:59.000Z'))).toContain('was revoked');
});
