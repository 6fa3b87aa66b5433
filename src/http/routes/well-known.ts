import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from '../deps.ts';
import { METADATA_PATH, resourceMetadata } from '../protected-resource.ts';

/**
 * What clients of an external issuer discover. Not there without one: some clients stop sending a token that they were
 * configured with as soon as this answers.
 */
export function addWellKnown(app: FastifyInstance, { oauth }: HttpDeps): void {
  if (oauth === undefined) return;
  for (const door of ['', '/mcp'] as const) app.get(METADATA_PATH + door, async () => resourceMetadata(oauth, door));
}
