/**
 * The sizes of keys in bytes, as ffmpeg's demuxers and muxers require them (mov.c, movenc.c, aadec.c, dashdec.c). undefined:
 * the size depends on the file.
 */
const KEY_BYTES: ReadonlyMap<string, number | undefined> = new Map([
  ['encryption_key', 16],
  ['encryption_kid', 16],
  ['decryption_key', 16],
  ['cenc_decryption_key', 16],
  ['activation_bytes', 4],
  ['audible_fixed_key', 16],
  ['audible_key', 16],
  ['audible_iv', 16],
  ['aa_fixed_key', 16],
  ['cryptokey', undefined],
]);

/** Options that are a list of keys by their identifiers, each of 16 bytes: `kid=key:kid=key`. */
export const KEY_LISTS: ReadonlySet<string> = new Set(['decryption_keys', 'cenc_decryption_keys']);

/** The size of an entry of a key list, and of its identifier. */
export const LISTED_KEY_BYTES = 16;

export const keyBytes = (name: string): number | undefined => KEY_BYTES.get(name);
