import { getJson } from './get-json.ts';

/** Where RFC 8414 and OpenID Connect Discovery have an issuer publish its metadata. */
function places(issuer: string): readonly URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
    new URL(`${origin}${path}/.well-known/openid-configuration`),
  ];
}

/**
 * Where an issuer publishes its keys, by its own metadata. Throws where that is not to be had, is not about this issuer
 * (RFC 8414, 3.3), or names a place on another origin: an answer must not send us anywhere that no operator named.
 */
export async function discoverKeys(issuer: string, signal: AbortSignal): Promise<URL> {
  const statuses: string[] = [];
  for (const place of places(issuer)) {
    const found = await getJson(place, signal);
    if ('value' in found) return keysOf(found.value, issuer, place);
    statuses.push(`${place.href} answers ${found.status}`);
  }
  throw new Error(`The issuer ${issuer} has no metadata: ${statuses.join(', ')}`);
}

function keysOf(metadata: unknown, issuer: string, place: URL): URL {
  const { issuer: named, jwks_uri: keys } = (metadata ?? {}) as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer)
    throw new Error(`${place.href} is about the issuer ${JSON.stringify(named)}, not ${JSON.stringify(issuer)}`);
  if (typeof keys !== 'string' || !URL.canParse(keys)) throw new Error(`${place.href} names no jwks_uri`);
  const url = new URL(keys);
  if (url.origin !== place.origin)
    throw new Error(
      `${place.href} names keys on another origin, ${url.href}: set TELECINE_OAUTH_JWKS_URI if they are meant`,
    );
  return url;
}
