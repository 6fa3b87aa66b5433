import { expect, test } from 'vitest';
import {
  hashSecret,
  MAX_SECRET_LENGTH,
  matchesGenerated,
  matchesSecret,
  newRefreshToken,
  newSecret,
} from './secrets.ts';

test('a secret has 256 random bits and a prefix that scanners recognize', () => {
  expect(newSecret()).toMatch(/^tcs_[\w-]{43}$/);
  expect(newRefreshToken()).toMatch(/^tcr_[\w-]{43}$/);
  expect(new Set(Array.from({ length: 100 }, newSecret)).size).toBe(100);
});

test('a stored secret matches itself and nothing else', async () => {
  const stored = await hashSecret('correct horse');
  expect(stored).not.toContain('horse');
  expect(await matchesSecret('correct horse', stored)).toBe(true);
  for (const wrong of ['', 'correct hors', 'correct horse ', 'Correct horse'])
    expect(await matchesSecret(wrong, stored), wrong).toBe(false);
});

test('the same secret is stored differently each time', async () => {
  expect(await hashSecret('same')).not.toBe(await hashSecret('same'));
});

test('no secret matches if there is no such client', async () => {
  expect(await matchesSecret('', undefined)).toBe(false);
  expect(await matchesSecret(newSecret(), undefined)).toBe(false);
});

test('a secret stored with another cost still matches', async () => {
  const cheap = 'scrypt$1024$8$1$c2FsdA$';
  const { scryptSync } = await import('node:crypto');
  const hash = scryptSync('old', 'salt', 32, { N: 1024, r: 8, p: 1 }).toString('base64url');
  expect(await matchesSecret('old', cheap + hash)).toBe(true);
});

test('an over-long secret is wrong, even one that begins with the right one', async () => {
  const right = 'x'.repeat(MAX_SECRET_LENGTH);
  const stored = await hashSecret(right);
  expect(await matchesSecret(right, stored)).toBe(true);
  expect(await matchesSecret(`${right}y`, stored)).toBe(false);
});

test('a generated secret is stored as a fast hash, and matches itself and nothing else', async () => {
  const secret = newSecret();
  const stored = await hashSecret(secret);
  expect(stored).toMatch(/^sha256\$[\w-]{43}$/);
  expect(stored).not.toContain(secret);
  expect(matchesGenerated(secret, stored)).toBe(true);
  expect(await matchesSecret(secret, stored)).toBe(true);
  for (const wrong of ['', newSecret(), `${secret}x`, secret.slice(0, -1)]) {
    expect(matchesGenerated(wrong, stored)).toBe(false);
    expect(await matchesSecret(wrong, stored)).toBe(false);
  }
});

test('a secret that an operator chose is never compared by a fast hash', async () => {
  const stored = await hashSecret('correct horse');
  expect(stored).toMatch(/^scrypt\$/);
  expect(matchesGenerated('correct horse', stored)).toBe(false);
  expect(matchesGenerated('correct horse', undefined)).toBe(false);
});
