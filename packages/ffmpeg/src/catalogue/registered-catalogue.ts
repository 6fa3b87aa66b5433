import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import type { Answers } from './answers.ts';
import type { Build } from './build.ts';
import type { Catalogue } from './catalogue.ts';
import { withoutVmaf } from './changed-catalogue.ts';
import { answersSchema, FORMAT } from './open-catalogue.ts';
import { catalogueOf } from './parse-answers.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Quality 5 takes an eighth of the time of quality 9, and makes a fifth more bytes. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The maximum size of a decoded catalogue in bytes. A build with all libraries needs 1.3 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/** `speech`, `lacksVmafModel`: as in the catalogue. */
const Registered = z.object({
  /** A catalogue of another format has the answers to other queries, even if its fields are the same. */
  format: z.literal(FORMAT),
  build: z.object({
    version: z.string(),
    versionLine: z.string(),
    release: z.tuple([z.number(), z.number()]).readonly().exactOptional(),
    key: z.string(),
  }),
  answers: answersSchema,
  speech: z.literal(true).exactOptional(),
  lacksVmafModel: z.literal(true).exactOptional(),
});

/** Encodes a catalogue for machines without its ffmpeg. The result for a build with all libraries has 150 kB. */
export async function encodeCatalogue(
  { build: { path: _, stamp: __, ...build }, speech, lacksVmafModel }: Catalogue,
  answers: Answers,
): Promise<Uint8Array> {
  const content: z.input<typeof Registered> = {
    format: FORMAT,
    build,
    answers,
    ...(speech && { speech }),
    ...(lacksVmafModel && { lacksVmafModel }),
  };
  return compress(JSON.stringify(content), COMPRESSION);
}

/**
 * Decodes a catalogue from another machine. The path of its build is empty. undefined: another version of Telecine encoded it in another
 * form.
 */
export async function decodeCatalogue(content: Uint8Array): Promise<Catalogue | undefined> {
  const text = await decompress(content, { maxOutputLength: MAX_BYTES });
  const read = Registered.safeParse(JSON.parse(text.toString()));
  if (!read.success) return undefined;
  const { build, answers, speech, lacksVmafModel } = read.data;
  const catalogue = catalogueOf({ path: '', ...build } satisfies Build, answers);
  const usable = lacksVmafModel === true ? withoutVmaf(catalogue) : catalogue;
  return { ...usable, build: catalogue.build, ...(speech && { speech }) };
}
