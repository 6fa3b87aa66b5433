import { DEFAULT_SCOPES } from '../domain/client.ts';
import type { ProtectedResourceView } from '../wire/protected-resource.ts';

/** This service as a resource of an external OAuth issuer. */
export interface ProtectedResource {
  /** Where clients reach the service, without a slash at its end. */
  readonly publicUrl: string;
  readonly issuer: string;
  /** What the names of our scopes begin with there. */
  readonly scopePrefix: string;
}

/** Where RFC 9728 has clients look. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The door of language models is a resource by its own name: their clients compare it with the address they use. */
const MCP = '/mcp';

/** Our scopes as the issuer calls them. */
export const scopesThere = ({ scopePrefix }: ProtectedResource, scopes: readonly string[]): readonly string[] =>
  scopes.map((scope) => scopePrefix + scope);

/** Which document speaks of what is at `path` of this service. */
export const metadataUrl = ({ publicUrl }: ProtectedResource, path: string | undefined): string =>
  publicUrl + METADATA_PATH + (path === MCP ? MCP : '');

/** The document of all doors, or of `/mcp`. Clients ask for all the scopes that it lists, so `admin` is none of them. */
export const resourceMetadata = (resource: ProtectedResource, door: '' | typeof MCP): ProtectedResourceView => ({
  resource: resource.publicUrl + door,
  authorization_servers: [resource.issuer],
  scopes_supported: [...scopesThere(resource, DEFAULT_SCOPES)],
  bearer_methods_supported: ['header'],
  resource_name: 'Telecine',
  resource_documentation: `${resource.publicUrl}/docs`,
});
