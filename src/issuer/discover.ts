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

/** The metadata of an issuer. Only the issuer is checked. */
export interface IssuerMetadata {
  readonly issuer: string;
  readonly [field: string]: unknown;
}

/** Reads the metadata of an issuer. Throws if there is none, or if it names another issuer (RFC 8414, 3.3). */
export async function discoverIssuer(issuer: string, signal: AbortSignal): Promise<IssuerMetadata> {
  const statuses: string[] = [];
  for (const metadataUrl of metadataUrls(issuer)) {
    const found = await getJson(metadataUrl, signal);
    if ('value' in found) return metadataOf(found.value, issuer, metadataUrl);
    statuses.push(`${metadataUrl.href}: status ${found.status}`);
  }
  throw new Error(`No metadata of the issuer ${issuer}: ${statuses.join(', ')}`);
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
 * An address in the metadata that the service calls itself. Throws if it is on another origin than the issuer: only an operator may
 * choose the hosts that the service contacts. `fix`: what the operator can do about that.
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

/** Finds the URL of the keys in the metadata of the issuer. Throws as `discoverIssuer` and `addressIn`. */
export const discoverKeys = async (issuer: string, signal: AbortSignal): Promise<URL> =>
  addressIn(await discoverIssuer(issuer, signal), 'jwks_uri', 'Set TELECINE_OAUTH_JWKS_URI to allow it');
