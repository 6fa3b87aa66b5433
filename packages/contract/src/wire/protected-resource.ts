import { z } from 'zod';
import { DEFAULT_SCOPES } from '../domain/client.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { Shape } from './shape.ts';

export const protectedResource = z
  .object({
    resource: z.url().meta({ description: 'The audience that access tokens must have.' }),
    authorization_servers: z.array(z.url()).meta({ description: 'The issuers of these tokens.' }),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.literal('header')),
    resource_name: z.string(),
    resource_documentation: z.url(),
  })
  .meta({ id: 'ProtectedResource', description: 'OAuth 2.0 protected resource metadata (RFC 9728).' });

type ProtectedResourceView = Shape<typeof protectedResource>;

/** This service as a protected resource of an external OAuth issuer. */
export interface ProtectedResource {
  /** The URL that clients use for the service, without a trailing slash. */
  readonly publicUrl: string;
  readonly issuer: string;
  /** The prefix that the issuer puts before the names of the service's scopes. */
  readonly scopePrefix: string;
}

/** `/mcp` is a separate resource: MCP clients compare `resource` in the metadata with the URL that they call. */
const MCP = ENDPOINTS.submitForModel.path;

/** The names that the issuer uses for the service's scopes. */
export const issuerScopes = ({ scopePrefix }: ProtectedResource, scopes: readonly string[]): readonly string[] =>
  scopes.map((scope) => scopePrefix + scope);

/** The URL of the metadata for `path` of this service. */
export const metadataUrl = ({ publicUrl }: ProtectedResource, path: string | undefined): string =>
  publicUrl + (path === MCP ? ENDPOINTS.getMcpProtectedResource : ENDPOINTS.getProtectedResource).path;

/** The metadata of the whole service (`''`) or of `/mcp`. Clients request every scope in the list, so the list does not contain `admin`. */
export const resourceMetadata = (resource: ProtectedResource, path: '' | typeof MCP): ProtectedResourceView => ({
  resource: resource.publicUrl + path,
  authorization_servers: [resource.issuer],
  scopes_supported: issuerScopes(resource, DEFAULT_SCOPES),
  bearer_methods_supported: ['header'],
  resource_name: 'Telecine',
  resource_documentation: `${resource.publicUrl}${ENDPOINTS.getDocs.path}`,
});
