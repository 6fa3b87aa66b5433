/** How much older than the reply a file must be, in ms: servers state dates in seconds, and a file may change twice in one. */
const MIN_AGE_MS = 60_000;

/**
 * Returns how a server names the version of a file, as `If-Range` sends it: a strong ETag, or without any ETag a date of Last-Modified that is
 * old enough (RFC 9110, 13.1.5). undefined: the server names no version that only one content can have.
 */
export function fileVersion(headers: Readonly<Record<string, string>>): string | undefined {
  const { etag, date, 'last-modified': modified } = headers;
  if (etag !== undefined) return /^"[\x21\x23-\x7e]*"$/.test(etag) ? etag : undefined;
  if (modified === undefined || !HTTP_DATE.test(modified)) return undefined;
  return Date.parse(date ?? '') - Date.parse(modified) >= MIN_AGE_MS ? modified : undefined;
}

const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
