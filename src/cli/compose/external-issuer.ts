import type { ExternalIssuer } from '../../auth/external-issuer.ts';
import type { Config } from '../../config/config.ts';
import { issuerKeys } from '../../issuer/issuer-keys.ts';
import type { ProtectedResource } from '../../wire/protected-resource.ts';

/** The issuer whose tokens are taken besides our own, and what its clients are told; undefined: there is none. */
export function externalIssuer(
  config: Config,
): { readonly external: ExternalIssuer; readonly oauth: ProtectedResource } | undefined {
  const { oauthIssuer: issuer, oauthScopePrefix: scopePrefix = '', oauthJwksUri, publicUrl } = config;
  if (issuer === undefined || publicUrl === undefined) return undefined;
  return {
    external: {
      issuer,
      // Libraries write an address without a path with a slash at its end, also where they are told it without.
      audiences: config.oauthAudiences ?? [publicUrl, `${publicUrl}/`, `${publicUrl}/mcp`],
      scopePrefix,
      plainJwt: config.oauthTokenType === 'jwt',
      keys: issuerKeys({ issuer, ...(oauthJwksUri !== undefined && { keysUrl: oauthJwksUri }) }),
    },
    oauth: { publicUrl, issuer, scopePrefix },
  };
}
