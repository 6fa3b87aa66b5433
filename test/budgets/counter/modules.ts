import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { caller, count } from './counts.ts';
import { countClient } from './postgres.ts';

const SOURCES = `${pathToFileURL(resolve(import.meta.dirname, '../../../packages')).href}/`;

let loading = 0;

/** Whether Node is loading a module now. Its file system calls are part of the module, which is counted. */
export const isLoading = (): boolean => loading > 0;

function whileLoading<T>(load: () => T): T {
  loading += 1;
  try {
    return load();
  } finally {
    loading -= 1;
  }
}

/** The functions that the changed sources of packages call. */
const hooks = { parse: () => count('zod parses', caller()), client: countClient };
Object.assign(globalThis, { telecineBudgets: hooks });

/** What is changed in the source of a package, because nothing of it can be wrapped from outside. */
const CHANGES: readonly { readonly file: string; readonly change: (source: string) => string }[] = [
  {
    // Every `parse` and `safeParse`, and not what they call for the parts of a value.
    file: '/zod/v4/core/parse.js',
    change: (source) => source.replaceAll('schema._zod.run(', '(globalThis.telecineBudgets.parse(), schema)._zod.run('),
  },
  { file: '/pg/lib/client.js', change: (source) => `${source}\nglobalThis.telecineBudgets.client(module.exports);\n` },
];

/** Counts the modules that are loaded, and those zod parses and PostgreSQL clients that they contain. */
export function countModules(): void {
  registerHooks({
    resolve: (specifier, context, next) => whileLoading(() => next(specifier, context)),
    load(url, context, next) {
      if (url.startsWith(SOURCES)) count('modules loaded, ours', url.slice(SOURCES.length));
      else if (url.includes('/node_modules/'))
        count('modules loaded, packages', url.split('/node_modules/').at(-1) ?? '');
      const loaded = whileLoading(() => next(url, context));
      const change = CHANGES.find(({ file }) => url.endsWith(file))?.change;
      if (change === undefined) return loaded;
      const source = String(
        typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array),
      );
      const changed = change(source);
      if (changed === source) throw new Error(`The counter finds nothing to count in ${url}: its source has changed.`);
      return { ...loaded, source: changed };
    },
  });
}
