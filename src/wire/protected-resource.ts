import { z } from 'zod';

/** RFC 9728, 2. */
export const protectedResource = z
  .object({
    resource: z.url().meta({ description: 'What tokens are to be for.' }),
    authorization_servers: z.array(z.url()).meta({ description: 'Who issues them.' }),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.literal('header')),
    resource_name: z.string(),
    resource_documentation: z.url(),
  })
  .meta({ id: 'ProtectedResource', description: 'OAuth 2.0 protected resource metadata (RFC 9728).' });

export type ProtectedResourceView = z.infer<typeof protectedResource>;
