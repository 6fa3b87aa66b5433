import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Answers, queryBuild, type StartedQueries } from './answers.ts';
import type { Build } from './build.ts';
import type { Catalogue } from './catalogue.ts';
import { ASKED_OPTIONS, catalogueOf } from './parse-answers.ts';
import { lackedOptions } from './recorded-releases.ts';

/** The version of the queries. Increase it if they change. Answers to others are not used. */
const FORMAT = 3;

/** Identifies the answers of a build. The key also changes with the queries of Telecine. */
export const catalogueKeyOf = ({ key }: Pick<Build, 'key'>): string =>
  createHash('sha256')
    .update(JSON.stringify([key, FORMAT, ASKED_OPTIONS]))
    .digest('hex');

export const answersSchema = z.object({
  full: z.string(),
  encoders: z.string(),
  decoders: z.string(),
  muxers: z.string(),
  demuxers: z.string(),
  filters: z.string(),
  bsfs: z.string(),
  options: z.string(),
}) satisfies z.ZodType<Answers>;

interface OpenedCatalogue {
  readonly catalogue: Catalogue;
  /** The answers from which the catalogue is made. */
  readonly answers: Answers;
}

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
): Promise<OpenedCatalogue> {
  const file = folder === undefined ? undefined : join(folder, `ffmpeg-${catalogueKeyOf(build)}.json`);
  const saved = file === undefined ? undefined : await readCatalogue(build, file);
  if (saved !== undefined) return saved;
  const lacks = lackedOptions(build);
  const asked = ASKED_OPTIONS.filter((name) => !lacks.includes(name));
  const answers = await queryBuild(build, asked, started);
  const catalogue = catalogueOf(build, answers);
  if (file !== undefined) await saveAnswers(file, answers).catch(onFault);
  return { catalogue, answers };
}

/** Reads a saved catalogue. undefined: there is none, or it is damaged. */
async function readCatalogue(build: Build, file: string): Promise<OpenedCatalogue | undefined> {
  try {
    const answers = answersSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return { catalogue: catalogueOf(build, answers), answers };
  } catch {
    return undefined;
  }
}

/** Saves answers. The new file replaces the old one in one step, so that a reader gets one of the two, whole. */
async function saveAnswers(file: string, answers: Answers): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(temporary, JSON.stringify(answers));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
