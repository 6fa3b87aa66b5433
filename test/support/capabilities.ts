import { componentOf } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { parseClasses } from '../../packages/ffmpeg/src/catalogue/help-full.ts';
import { capabilityOperations } from '../../packages/service/src/jobs/capabilities/capabilities.ts';
import type { InstalledFfmpeg } from '../../packages/service/src/jobs/capabilities/search-page.ts';
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
