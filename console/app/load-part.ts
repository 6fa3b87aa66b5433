import { client } from './client.ts';

/**
 * Loads a part of the console at its first use. If the service cannot be reached, for example while it restarts, waits for it and tries
 * again. Rejects if that fails too: a browser does not load a module again after a failure, and an upgraded service has other modules. The
 * page must then be reloaded, which the router does for pages.
 */
export const loadPart = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch(async () => {
    await client.health();
    return load();
  });
