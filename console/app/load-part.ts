import { createClient } from '@telecine/client';

/** A restart may take any time, so the wait has no limit. */
const PATIENCE = { busySeconds: Number.POSITIVE_INFINITY, unreachableSeconds: Number.POSITIVE_INFINITY };

/**
 * Loads a part of the console at its first use. If the service cannot be reached, for example while it restarts, waits for it and tries
 * again. Rejects if that fails too: a browser does not load a module again after a failure, and an upgraded service has other modules. The
 * page must then be reloaded, which the router does for pages.
 */
export const loadPart = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch(async () => {
    await createClient(window.location.origin, { session: true }, { retries: PATIENCE }).health();
    return load();
  });
