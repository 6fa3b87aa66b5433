import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { command } from '../setup/command.ts';

const TSC = resolve(import.meta.dirname, '../../node_modules/.bin/tsc');

interface PublishedPackage {
  /** The path of the tsconfig.json that names the entry points. Its `rootDir` is `packages`. */
  readonly project: string;
  /** The folder of the entry points in `packages`. */
  readonly folder: string;
  /** The declarations of the entry points, relative to `folder`. */
  readonly entries: readonly string[];
  /** Declarations that the caller has written, by their paths in the package. The compiler does not emit them. */
  readonly written?: ReadonlyMap<string, string>;
}

/**
 * Writes the declarations that the entry points of a package reach to `target`. Throws if a declaration imports anything except another of
 * these declarations.
 */
export async function writeDeclarations(source: PublishedPackage, target: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'telecine-declarations-'));
  try {
    for (const [path, text] of await declarations(source, scratch)) {
      await mkdir(dirname(join(target, path)), { recursive: true });
      await writeFile(join(target, path), text);
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** The declarations by their paths in the package. `scratch`: an empty folder. */
async function declarations(
  { project, folder, entries, written }: PublishedPackage,
  scratch: string,
): Promise<ReadonlyMap<string, string>> {
  const { ok, text } = await command(process.execPath, [TSC, '-p', project, '--outDir', scratch]);
  if (!ok) throw new Error(text);
  const found = new Map(written);
  const add = async (path: string): Promise<void> => {
    if (found.has(path)) return;
    if (path.startsWith('..')) throw new Error(`The declarations of ${folder} import ${path}.`);
    const source = await readFile(join(scratch, folder, path), 'utf8');
    if (source.includes("'@telecine/")) throw new Error(`${path} of ${folder} imports another package.`);
    // Replace the extension of TypeScript in imports, because some tools know only `.js`.
    found.set(
      path,
      source.replaceAll(IMPORT, (_, start: string, file: string) => `${start}'${file}.js'`),
    );
    for (const [, , file = ''] of source.matchAll(IMPORT)) await add(join(dirname(path), `${file}.d.ts`));
  };
  for (const entry of entries) await add(entry);
  return found;
}

const IMPORT = /(\bfrom |\bimport\()['"](\.[^'"]*)\.ts['"]/g;
