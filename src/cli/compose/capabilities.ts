import { type CatalogueToSearch, mergeSources } from '../../ffmpeg/catalogue/merge-sources.ts';
import type { CatalogueSource } from '../../ffmpeg/catalogue/registered-catalogue.ts';
import { type CapabilityOperations, capabilityOperations } from '../../jobs/capabilities/capabilities.ts';
import type { FindBuilds } from './builds.ts';

/** What at least one of the builds offers. */
export function capabilitiesOf(findBuilds: FindBuilds): CapabilityOperations {
  let builds: readonly CatalogueSource[] = [];
  let merged: CatalogueToSearch | undefined;
  return capabilityOperations(async () => {
    const { recent, away } = await findBuilds();
    const found = [...recent, ...away];
    if (merged === undefined || found.length !== builds.length || found.some((one, index) => one !== builds[index])) {
      builds = found;
      merged = mergeSources(found);
    }
    const catalogue = merged;
    return {
      catalogue: () => catalogue.current,
      component: catalogue.component,
      option: catalogue.option,
      classes: catalogue.classes,
    };
  });
}
