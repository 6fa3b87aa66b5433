import { expect, test } from 'vitest';
import { shortName } from './session-cookie.ts';

/** The size of the cookie for a person whose name and subject are both this text. */
const cookieBytes = (text: string): number =>
  Buffer.from(JSON.stringify({ subject: shortName(text), name: shortName(text) })).toString('base64url').length;

test('an ordinary name is kept', () => {
  for (const name of ['', 'amy@example.org', 'Zoë 🎬', 'a'.repeat(1000)]) expect(shortName(name)).toBe(name);
});

test.each(['a', '\u0001', 'é', '漢', '🎬', '"', '\ud83c'])('a long name of %j fits in a cookie', (character) => {
  expect(cookieBytes(character.repeat(5000))).toBeLessThan(3000);
});

test('a name is not cut within a character', () => {
  expect(shortName(`a${'🎬'.repeat(5000)}`).isWellFormed()).toBe(true);
});
