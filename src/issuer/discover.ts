import { getJson } from './get-json.ts';

/** The metadata URLs of an issuer, according to RFC 8414 and OpenID Connect Discovery. */
function metadataUrls(issuer: string): readonly URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
    new URL(`${origin}${path}/.well-known/openid-configuration`),
  ];
}

/**
 * Finds the URL of the keys in the metadata of the issuer. Throws if there is no metadata, if it names another issuer
 * (RFC 8414, 3.3), or if the keys are on another origin: only an operator may choose the hosts that the service
 * contacts.
 */
export async function discoverKeys(issuer: string, signal: AbortSignal): Promise<URL> {
  const statuses: string[] = [];
  for (const metadataUrl of metadataUrls(issuer)) {
    const found = await getJson(metadataUrl, signal);
    if ('value' in found) return keysUrlOf(found.value, issuer, metadataUrl);
    statuses.push(`${metadataUrl.href}: status ${found.status}`);
  }
  throw new Error(`No metadata of the issuer ${issuer}: ${statuses.join(', ')}`);
}

function keysUrlOf(metadata: unknown, issuer: string, metadataUrl: URL): URL {
  const { issuer: actualIssuer, jwks_uri: keys } = (metadata ?? {}) as { issuer?: unknown; jwks_uri?: unknown };
  if (actualIssuer !== issuer)
    throw new Error(
      `${metadataUrl.href} is the metadata of the issuer ${JSON.stringify(actualIssuer)}, not ${JSON.stringify(issuer)}`,
    );
  if (typeof keys !== 'string' || !URL.canParse(keys)) throw new Error(`${metadataUrl.href} has no jwks_uri`);
  const url = new URL(keys);
  if (url.origin !== metadataUrl.origin)
    throw new Error(
      `${metadataUrl.href} has its keys on another origin: ${url.href}. Set TELECINE_OAUTH_JWKS_URI to allow it`,
    );
  return url;
}
