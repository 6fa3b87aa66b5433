import type { encrypt } from '../wire/conversion.ts';
import type { Shape } from '../wire/shape.ts';
import type { FieldError } from './problem.ts';

/**
 * How the segments of HLS outputs are encrypted: as a whole, with AES-128 (RFC 8216, section 4.3.2.4). In the request of a job, `key` and
 * `iv` are always set. Only the owner of the job sees the key.
 */
export type HlsEncryption = Shape<typeof encrypt>;

/** The folder of the key inside the scratch folder of a job, as the argv names it. It is removed when ffmpeg has ended. */
export const KEY_FOLDER = 'in/key';

/** The file that tells ffmpeg where the key is, and which key URI to write into playlists. */
export const KEY_INFO_FILE = `${KEY_FOLDER}/info`;

/** The form of keys and initialization vectors. */
export const HEX_16_BYTES = /^[\da-fA-F]{32}$/;

/** ffmpeg reads at most 4,096 bytes of the URI. Playlists repeat the URI, so the limit is lower. */
export const MAX_KEY_URI_LENGTH = 2048;

/** A key of 16 bytes: `0x` and hex digits, or base64. Hex digits alone may be the name of a key file, such as a UUID without dashes. */
const KEY_ITSELF = /^0x[\da-f]{32}$|^[\w+/-]{22}==$/i;

/** Characters that need no escape in a URI and in a quoted string of a playlist. */
const PLAIN = /^[\x21-\x7e]+$/;
const QUOTES = /["'<>\\`]/;
const SCHEME = /^[a-z][\w+.-]*:/i;

const ALLOWED = ['an http(s) URL', 'a path relative to the playlist'];

/** Returns the error in the URI of a key. undefined: the URI is valid. */
export function keyUriError(keyUri: string): Omit<FieldError, 'field'> | undefined {
  const wrong = (message: string) => ({ code: 'BAD_KEY_URI', message, allowed: ALLOWED });
  if (!PLAIN.test(keyUri) || QUOTES.test(keyUri))
    return wrong(
      '"keyUri" has a space, a quote, a backslash, a control character or a letter outside of ASCII, which a playlist cannot contain. Percent-encode it: "%20" for a space.',
    );
  if (KEY_ITSELF.test(keyUri))
    return wrong(
      '"keyUri" looks like the key itself, and "keyUri" is visible in the playlists. It must be the URL from which players get the key.',
    );
  const scheme = SCHEME.exec(keyUri)?.[0];
  if (scheme === undefined && !keyUri.startsWith('//')) return undefined;
  if (!/^https?:$/i.test(scheme ?? '') || !URL.canParse(keyUri))
    return wrong(
      `"keyUri" must be an http(s) URL or a path, not ${scheme === undefined ? 'a URL without its scheme' : `a URL with "${scheme.slice(0, 30)}"`}.`,
    );
  const { username, password } = new URL(keyUri);
  if (username !== '' || password !== '')
    return wrong('"keyUri" has a user name or a password, which would be visible in the playlists.');
  return undefined;
}
