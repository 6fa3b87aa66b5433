/**
 * The types that browsers play, show or read as text. None of them is a script, a style sheet or a page: with
 * `nosniff`, browsers execute nothing of these types, whatever the bytes are. An SVG runs scripts only as a document, and
 * the policy of downloads forbids that.
 */
const MEDIA = /^(?:audio|image|video)\//;
const PLAYED_OR_READ: ReadonlySet<string> = new Set([
  'application/dash+xml',
  'application/json',
  'application/mp4',
  'application/mxf',
  'application/ogg',
  'application/vnd.apple.mpegurl',
  'application/x-subrip',
  'text/plain',
  'text/vtt',
]);

const BYTES = 'application/octet-stream';

/**
 * The type of a download, from the type of its name. The console has the same origin as downloads and executes scripts of
 * its own origin, so a client's file must not be one: it is bytes, unless it is media or plain text.
 */
export const downloadType = (typeOfName: string | null): string =>
  typeOfName !== null && (MEDIA.test(typeOfName) || PLAYED_OR_READ.has(typeOfName)) ? typeOfName : BYTES;
