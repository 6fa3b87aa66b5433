import { registerHooks } from 'node:module';
import { countClient } from './postgres.ts';

let loading = 0;

/** Whether Node is loading a module now. Its file system calls are not counted. */
export const isLoading = (): boolean => loading > 0;

function whileLoading<T>(load: () => T): T {
  loading += 1;
  try {
    return load();
  } finally {
    loading -= 1;
  }
}

const CLIENT = '/pg/lib/client.js';

/** Counts the statements of PostgreSQL clients. The source of their class is changed: nothing of it can be wrapped from outside. */
export function countPostgresClients(): void {
  Object.assign(globalThis, { telecineCountClient: countClient });
  registerHooks({
    resolve: (specifier, context, next) => whileLoading(() => next(specifier, context)),
    load(url, context, next) {
      const loaded = whileLoading(() => next(url, context));
      if (!url.endsWith(CLIENT)) return loaded;
      const source =
        typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
      return { ...loaded, source: `${source}\nglobalThis.telecineCountClient(module.exports);\n` };
    },
  });
}
