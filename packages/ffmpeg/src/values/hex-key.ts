import { readDictionary } from './dictionary.ts';
import type { ValueError } from './value-error.ts';

/**
 * Checks a key in hexadecimal digits, or a list of keys. A message never contains a key, which is a secret.
 *
 * @param key The option as sent.
 * @param name The name of the option.
 */
export function checkHexKey(key: string, name: string, value: string): ValueError | undefined {
  if (!KEY_LISTS.has(name)) return checkDigits(`"${key}"`, value, KEY_BYTES.get(name));
  const pairs = readDictionary(value);
  if (pairs === undefined)
    return {
      code: 'BAD_VALUE',
      message: `"${key}" must be a list of KID=KEY joined by ":". In one pair, the KID, the "=" or the KEY is missing.`,
      allowed: ['KID=KEY:KID=KEY, each in 32 hexadecimal digits'],
    };
  for (const word of pairs.flat()) {
    const error = checkDigits(`An identifier or a key in "${key}"`, word, LISTED_KEY_BYTES);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** True if `text` is `bytes` bytes in hexadecimal digits. `bytes` undefined: any number of bytes. */
const isKey = (text: string, bytes: number | undefined): boolean =>
  /^[0-9a-f]+$/i.test(text) && (bytes === undefined ? text.length % 2 === 0 : text.length === 2 * bytes);

function checkDigits(what: string, value: string, bytes: number | undefined): ValueError | undefined {
  if (isKey(value, bytes)) return undefined;
  const shape = bytes === undefined ? 'pairs of hexadecimal digits' : `${2 * bytes} hexadecimal digits`;
  const count = /^[0-9a-f]+$/i.test(value) ? `${value.length} digits` : 'other characters';
  return {
    code: 'BAD_VALUE',
    message: `${what} must be ${shape}${bytes === undefined ? '' : ` (${bytes} bytes)`}, and has ${count}.`,
    allowed: [shape],
  };
}

/** The size of each key in bytes (mov.c, movenc.c, aadec.c, dashdec.c). For other keys, the size depends on the file. */
const KEY_BYTES: ReadonlyMap<string, number> = new Map([
  ['encryption_key', 16],
  ['encryption_kid', 16],
  ['decryption_key', 16],
  ['cenc_decryption_key', 16],
  ['activation_bytes', 4],
  ['audible_fixed_key', 16],
  ['audible_key', 16],
  ['audible_iv', 16],
  ['aa_fixed_key', 16],
]);

/** Options with a list of keys: `kid=key:kid=key`. A KID identifies the key. */
const KEY_LISTS: ReadonlySet<string> = new Set(['decryption_keys', 'cenc_decryption_keys']);

/** The size of a KID and of its key, in bytes. */
const LISTED_KEY_BYTES = 16;
