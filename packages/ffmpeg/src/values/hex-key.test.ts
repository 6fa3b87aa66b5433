import { expect, test } from 'vitest';
import { checkHexKey } from './hex-key.ts';

const KEY = '76a6c65c5ea762046bd749a2e632ccbb';

test.each([
  ['encryption_key', KEY],
  ['decryption_key', KEY.toUpperCase()],
  ['activation_bytes', '1c2d3e4f'],
  ['cryptokey', KEY.repeat(2)],
  ['decryption_keys', `${KEY}=${KEY}:${KEY}=${KEY}`],
])('%s accepts its digits', (name, value) => expect(checkHexKey(name, name, value)).toBeUndefined());

test.each([
  ['encryption_key', KEY.slice(2), '32 hexadecimal digits (16 bytes), and has 30 digits'],
  ['decryption_key', 'dqbGXF6nYgRr10mi5jLMuw==', 'has other characters'],
  ['decryption_key', `0x${KEY}`, 'has other characters'],
  ['activation_bytes', KEY, '8 hexadecimal digits (4 bytes), and has 32 digits'],
  ['cryptokey', '76a', 'pairs of hexadecimal digits'],
  ['decryption_keys', `${KEY}=76a6`, 'An identifier or a key in "decryption_keys" must be 32'],
])('%s of %s is an error that does not contain the key', (name, value, message) => {
  const error = checkHexKey(name, name, value);
  expect(error?.message).toContain(message);
  expect(JSON.stringify(error)).not.toContain(value);
});
