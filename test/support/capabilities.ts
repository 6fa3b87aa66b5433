import { componentOf } from '../../src/ffmpeg/catalogue/catalogue.ts';
import { parseClasses } from '../../src/ffmpeg/catalogue/help-full.ts';
import { capabilityOperations } from '../../src/jobs/capabilities/capabilities.ts';
import type { InstalledFfmpeg } from '../../src/jobs/capabilities/search-page.ts';
import { type Recorded, recordedCatalogue, recording } from './recorded-catalogue.ts';

/** The operations behind `/api/capabilities` on a recorded ffmpeg. Only recorded components have options. */
export function recordedCapabilities(version: Recorded = '5.1', change: Partial<InstalledFfmpeg> = {}) {
  const catalogue = recordedCatalogue(version);
  const classes = parseClasses(recording(version).basics.full);
  return capabilityOperations(async () => ({
    catalogue: () => catalogue,
    component: async (kind, name) => componentOf(catalogue, kind, name),
    option: async (name) => catalogue.cli.get(name) ?? undefined,
    classes: async () => classes,
    ...change,
  }));
}
