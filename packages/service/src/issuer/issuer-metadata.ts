import type { IssuerKeys } from '../auth/ports.ts';

/** The maximum size of a document, in bytes. Real ones are much smaller. */
const MAX_BYTES = 256 * 1024;

/** A reply with any status other than 200. */
interface NoDocument {
  readonly status: number;
}

/**
 * Requests a JSON document. If the status is not 200, returns the status. Does not follow redirects, which could lead
 * to any host. Throws if there is no reply, or if the document is too long or not JSON.
 */
async function getJson(url: URL, signal: AbortSignal): Promise<{ readonly value: unknown } | NoDocument> {
  const reply = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } });
  if (reply.status !== 200 || reply.body === null) {
    await reply.body?.cancel();
    return { status: reply.status };
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of reply.body) {
    bytes += part.length;
    // The error ends the loop, which closes the connection.
    if (bytes > MAX_BYTES) throw new Error(`${url.href} is longer than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    throw new Error(`${url.href} is not JSON`, { cause });
  }
}

/** Returns the URLs at which an issuer may have its metadata, by RFC 8414 and by OpenID Connect Discovery. */
function metadataUrls(issuer: string): readonly URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
    new URL(`${origin}${path}/.well-known/openid-configuration`),
  ];
}

/** The metadata of an issuer, of which only the field `issuer` was checked. */
interface IssuerMetadata {
  readonly issuer: string;
  readonly [field: string]: unknown;
}

/** Reads the metadata of an issuer. Throws if they are missing or name another issuer (RFC 8414, 3.3). */
export async function discoverIssuer(issuer: string, signal: AbortSignal): Promise<IssuerMetadata> {
  const statuses: string[] = [];
  for (const metadataUrl of metadataUrls(issuer)) {
    const found = await getJson(metadataUrl, signal);
    if ('value' in found) return metadataOf(found.value, issuer, metadataUrl);
    statuses.push(`${metadataUrl.href}: status ${found.status}`);
  }
  throw new Error(`The issuer ${issuer} has no metadata at the usual addresses: ${statuses.join(', ')}`);
}

function metadataOf(value: unknown, issuer: string, metadataUrl: URL): IssuerMetadata {
  const metadata = (value ?? {}) as { readonly issuer?: unknown };
  if (metadata.issuer !== issuer)
    throw new Error(
      `${metadataUrl.href} is the metadata of the issuer ${JSON.stringify(metadata.issuer)}, not ${JSON.stringify(issuer)}`,
    );
  return { ...metadata, issuer };
}

/**
 * Returns an address in the metadata, which the service will call. Throws if its origin is not that of the issuer: only
 * an operator may choose other hosts. `fix`: what the operator can do then.
 */
export function addressIn(metadata: IssuerMetadata, field: string, fix?: string): URL {
  const { issuer, [field]: text } = metadata;
  if (typeof text !== 'string' || !URL.canParse(text)) throw new Error(`The metadata of ${issuer} has no ${field}`);
  const url = new URL(text);
  if (url.origin !== new URL(issuer).origin)
    throw new Error(
      `The ${field} of ${issuer} is on another origin: ${url.href}.${fix === undefined ? '' : ` ${fix}`}`,
    );
  return url;
}

/** Finds the URL of the keys of the issuer in its metadata. Throws the errors of `discoverIssuer` and `addressIn`. */
const discoverKeys = async (issuer: string, signal: AbortSignal): Promise<URL> =>
  addressIn(await discoverIssuer(issuer, signal), 'jwks_uri', 'Set "jwksUri" in TELECINE_OAUTH to allow it');

/**
 * Creates the source of the keys of an issuer, which fetches them at each call. Without `keysUrl`, it fetches the
 * metadata first, because the URL of the keys may change.
 */
export function issuerKeys({ issuer, keysUrl }: { readonly issuer: string; readonly keysUrl?: string }): IssuerKeys {
  return {
    async fetch(signal) {
      const url = keysUrl === undefined ? await discoverKeys(issuer, signal) : new URL(keysUrl);
      const found = await getJson(url, signal);
      if ('value' in found) return found.value;
      throw new Error(`${url.href}: status ${found.status}`);
    },
  };
}
