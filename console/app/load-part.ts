import { client } from './client.ts';

/**
 * Loads a part of the console that is loaded on demand. If the service cannot be reached, such as while it is restarted, it waits for
 * the service, as calls do. Rejects if the part is still missing: browsers remember that it could not be loaded, and an upgraded service
 * does not have it. The page then has to be loaded again, which the router does for pages.
 */
export const loadPart = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch(async () => {
    await client.health();
    return load();
  });
