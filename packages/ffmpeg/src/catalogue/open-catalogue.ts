import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { queryBuild, type StartedQueries } from './answers.ts';
import type { Build } from './build.ts';
import type { Catalogue } from './catalogue.ts';
import { ASKED_OPTIONS, catalogueOf } from './parse-answers.ts';
import { lackedOptions } from './recorded-releases.ts';
import { FORMAT, parseCatalogue, serializeCatalogue } from './serialized-catalogue.ts';

/** Identifies the answers of a build. The key also changes with the queries of Telecine. */
export const catalogueKeyOf = ({ key }: Pick<Build, 'key'>): string =>
  createHash('sha256')
    .update(JSON.stringify([key, FORMAT, ASKED_OPTIONS]))
    .digest('hex');

/**
 * Opens the catalogue of `build`: from the answers that an earlier start saved in `folder`, or else from those of ffmpeg, which take 0.2 to
 * 0.4 s.
 *
 * @param folder undefined: nothing is read or saved.
 * @param onFault Called when `folder` cannot be written.
 * @param started The queries, if they run already.
 */
export async function openCatalogue(
  build: Build,
  folder?: string,
  onFault: (error: unknown) => void = () => {},
  started?: StartedQueries,
): Promise<Catalogue> {
  const file = folder === undefined ? undefined : join(folder, `ffmpeg-${catalogueKeyOf(build)}.json`);
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  const saved = parseCatalogue(text);
  if (saved !== undefined) return { ...saved, build };
  const lacks = lackedOptions(build);
  const asked = ASKED_OPTIONS.filter((name) => !lacks.includes(name));
  const catalogue = catalogueOf(build, await queryBuild(build, asked, started));
  if (file !== undefined) await save(file, serializeCatalogue(catalogue)).catch(onFault);
  return catalogue;
}

/** Saves a text. The new file replaces the old one in one step, so that a reader gets one of the two, whole. */
async function save(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(temporary, text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
