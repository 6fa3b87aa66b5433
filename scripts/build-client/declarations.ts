import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { command } from '../setup/command.ts';
import { apiTypes } from './api-types.ts';

const TSC = resolve(import.meta.dirname, '../../node_modules/.bin/tsc');

/** The path of the types that are written from the schemas, and not emitted. */
const API = 'api.d.ts';

/**
 * The declarations of the client by their paths in the package: those that its entry points reach. `scratch`: an empty
 * folder. Throws if one of them imports anything else than another.
 */
export async function declarations(scratch: string): Promise<ReadonlyMap<string, string>> {
  const { ok, text } = await command(process.execPath, [
    TSC,
    '-p',
    join(import.meta.dirname, 'tsconfig.json'),
    '--outDir',
    scratch,
  ]);
  if (!ok) throw new Error(text);
  const found = new Map([[API, await apiTypes()]]);
  const add = async (path: string): Promise<void> => {
    if (found.has(path)) return;
    if (path.startsWith('..')) throw new Error(`The declarations of the client import ${path}.`);
    const source = await readFile(join(scratch, 'client/src', path), 'utf8');
    if (source.includes("'@telecine/")) throw new Error(`${path} of the client imports another package.`);
    // Importers that do not know TypeScript's own extension find the file by the usual one.
    found.set(
      path,
      source.replaceAll(IMPORT, (_, start: string, file: string) => `${start}'${file}.js'`),
    );
    for (const [, , file = ''] of source.matchAll(IMPORT)) await add(join(dirname(path), `${file}.d.ts`));
  };
  for (const entry of ['index.d.ts', 'node/node-client.d.ts']) await add(entry);
  return found;
}

const IMPORT = /(\bfrom |\bimport\()['"](\.[^'"]*)\.ts['"]/g;
