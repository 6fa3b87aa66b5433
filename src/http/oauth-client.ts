/** How an OAuth client proved who it is (RFC 6749, 2.3.1). */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Basic credentials are form-encoded before they are put together (RFC 6749, 2.3.1). Throws URIError. */
const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));

/** Reads HTTP Basic credentials; undefined where the header is of another scheme or cannot be read. */
export function readBasic(header: string | undefined): OAuthClient | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  try {
    return { clientId: decode(text.slice(0, colon)), clientSecret: decode(text.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}
