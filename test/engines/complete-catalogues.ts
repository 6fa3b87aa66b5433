import type { TestProject } from 'vitest/node';
import { saveCompleteCatalogue } from '../support/cached-catalogue.ts';

/** Completes the catalogue with which the services of the tests start, for the workers on PostgreSQL. */
export default async function setUp({ vitest }: TestProject): Promise<void> {
  const { tools, catalogues } = vitest.getProvidedContext();
  if (tools !== undefined && catalogues !== undefined) await saveCompleteCatalogue(tools.ffmpegPath, catalogues);
}
