import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import { ANSWERS } from './answers.ts';
import type { Catalogue } from './catalogue.ts';
import { withoutVmaf } from './changed-catalogue.ts';
import { catalogueOf } from './parse-answers.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Quality 5 takes an eighth of the time of quality 9, and makes a fifth more bytes. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The maximum size of a decoded catalogue in bytes. A build with all libraries needs 1.3 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The version of the queries and of the serialized form. Increase it if they change: catalogues of another version are not read. */
export const FORMAT = 4;

/** The parts of a catalogue. Those members of the build that differ between machines are left out. */
const Serialized = z.object({
  format: z.literal(FORMAT),
  build: z.object({
    version: z.string(),
    versionLine: z.string(),
    release: z.tuple([z.number(), z.number()]).readonly().exactOptional(),
    key: z.string(),
  }),
  answers: z.record(z.enum(ANSWERS), z.string()),
  speech: z.literal(true).exactOptional(),
  lacksVmafModel: z.literal(true).exactOptional(),
});

/** Serializes the answers of ffmpeg, and what this machine adds or lacks. */
export const serializeCatalogue = (catalogue: Catalogue): string =>
  JSON.stringify(Serialized.parse({ format: FORMAT, ...catalogue }));

/** Makes a catalogue from its serialized form. The path of its build is empty. undefined: it is damaged, or has another format. */
export function parseCatalogue(text: string): Catalogue | undefined {
  try {
    const { build, answers, speech, lacksVmafModel } = Serialized.parse(JSON.parse(text));
    const catalogue = catalogueOf({ path: '', ...build }, answers);
    const usable = lacksVmafModel === true ? withoutVmaf(catalogue) : catalogue;
    return { ...usable, build: catalogue.build, ...(speech && { speech }) };
  } catch {
    return undefined;
  }
}

/** Encodes a catalogue for machines without its ffmpeg. The result for a build with all libraries has 150 kB. */
export const encodeCatalogue = (catalogue: Catalogue): Promise<Uint8Array> =>
  compress(serializeCatalogue(catalogue), COMPRESSION);

/** Decodes a catalogue from another machine. undefined: another version of Telecine encoded it in another form. */
export const decodeCatalogue = async (content: Uint8Array): Promise<Catalogue | undefined> =>
  parseCatalogue((await decompress(content, { maxOutputLength: MAX_BYTES })).toString());
