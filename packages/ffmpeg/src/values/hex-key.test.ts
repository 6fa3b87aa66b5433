import { expect, test } from 'vitest';
import { checkHexKey } from './hex-key.ts';

const KEY = '76a6c65c5ea762046bd749a2e632ccbb';
const KID = 'a7e61c37-3e21-9033-c210-91fa607bf3b8';

test.each([
  ['encryption_key', KEY],
  ['decryption_key', KEY.toUpperCase()],
  ['activation_bytes', '1c2d3e4f'],
  ['cryptokey', KEY.repeat(2)],
  ['decryption_keys', `${KEY}=${KEY}:${KEY}=${KEY}`],
])('%s accepts its digits', (name, value) => expect(checkHexKey(name, name, value)).toBeUndefined());

test.each([
  ['encryption_key', KEY.slice(2), '32 hexadecimal digits (16 bytes), and has 30 digits', 'not as a password'],
  ['decryption_key', 'dqbGXF6nYgRr10mi5jLMuw==', 'has other characters', 'not as a password or in Base64'],
  ['decryption_key', `0x${KEY}`, 'has other characters', 'digits alone'],
  ['activation_bytes', KEY, '8 hexadecimal digits (4 bytes), and has 32 digits', 'not as a password'],
  ['cryptokey', '76a', 'pairs of hexadecimal digits', 'not as a password'],
  ['decryption_keys', `${KEY}=76a6`, 'An identifier or a key in "decryption_keys" must be 32', 'not as a password'],
])('%s of %s is an error that does not contain the key', (name, value, message, fix) => {
  const error = checkHexKey(name, name, value);
  expect(error).toMatchObject({ message: expect.stringContaining(message), fix: expect.stringContaining(fix) });
  expect(JSON.stringify(error)).not.toContain(value);
});

test('an identifier of a key is no secret, so the fix has its digits', () => {
  expect(checkHexKey('encryption_kid', 'encryption_kid', KID)?.fix).toEqual(`Send "${KID.replaceAll('-', '')}".`);
});
