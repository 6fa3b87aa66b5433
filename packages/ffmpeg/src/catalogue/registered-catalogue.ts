import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { weaklyCached } from '@telecine/contract/domain/remember.ts';
import { z } from 'zod';
import type { Build } from './build.ts';
import { type Catalogue, componentOf, type MissingFacts, stillMissing } from './catalogue.ts';
import { deserialise, serialise } from './catalogue-file.ts';
import type { CatalogueFrom } from './changed-source.ts';
import { isRequestableComponent, isRequestableOption } from './complete-catalogue.ts';
import { parseClasses } from './help-full.ts';
import type { LiveCatalogue } from './live-catalogue.ts';
import { type RequestFacts, remoteFacts } from './remote-facts.ts';

/** The catalogue of a build, which may be on another machine. */
export interface CatalogueSource extends Omit<LiveCatalogue, 'flush'> {
  /** Present if missing facts come from tasks of workers. A task takes longer than a query, and may get no answer. */
  readonly isPartial?: true;
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Quality 5 takes an eighth of the time of quality 9, and makes a fifth more bytes. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The maximum size of a decoded catalogue in bytes. A build with all libraries needs 2.6 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * `catalogue`: a complete catalogue. `partial`: a catalogue that lacks facts; older versions of Telecine cannot request missing facts; they
 * do not know this field and ignore the catalogue. `help`: the output of `-h full`, with the option classes that people search. `speech`,
 * `lacksVmafModel`: as in the catalogue.
 */
const Registered = z.object({
  build: z.object({
    version: z.string(),
    versionLine: z.string(),
    release: z.tuple([z.number(), z.number()]).readonly().exactOptional(),
    key: z.string(),
  }),
  catalogue: z.string().exactOptional(),
  partial: z.string().exactOptional(),
  speech: z.literal(true).exactOptional(),
  lacksVmafModel: z.literal(true).exactOptional(),
  help: z.string(),
});

/**
 * Encodes a catalogue for machines without its ffmpeg. The result for a build with all libraries has 220 kB.
 *
 * @param options.isPartial True if the catalogue lacks facts that workers with the build can provide.
 */
export async function encodeCatalogue(
  catalogue: Catalogue,
  help: string,
  { isPartial = false } = {},
): Promise<Uint8Array> {
  const { path: _, stamp: _ofFile, ...build } = catalogue.build;
  const { speech, lacksVmafModel } = catalogue;
  const content: z.input<typeof Registered> = {
    build,
    [isPartial ? 'partial' : 'catalogue']: serialise(catalogue),
    ...(speech && { speech }),
    ...(lacksVmafModel && { lacksVmafModel }),
    help,
  };
  return compress(JSON.stringify(content), COMPRESSION);
}

/** A catalogue from another version of Telecine lacks a fact that this version needs. */
export class FactsMissing extends Error {
  override readonly name = 'FactsMissing';
}

/**
 * Decodes a catalogue from another machine. The path of its build is empty. undefined: another version of Telecine encoded it in another
 * form.
 *
 * @param request Requests the facts that a partial catalogue lacks. undefined: a partial catalogue is not decoded.
 */
export async function decodeCatalogue(
  content: Uint8Array,
  request?: RequestFacts,
): Promise<CatalogueSource | undefined> {
  const text = await decompress(content, { maxOutputLength: MAX_BYTES });
  const read = Registered.safeParse(JSON.parse(text.toString()));
  if (!read.success) return undefined;
  const { build, catalogue, partial, speech, lacksVmafModel, help } = read.data;
  const facts = catalogue ?? (request && partial);
  const stored = facts === undefined ? undefined : deserialise(facts, { path: '', ...build } satisfies Build);
  if (stored === undefined) return undefined;
  const current = { ...stored, ...(speech && { speech }), ...(lacksVmafModel && { lacksVmafModel }) };
  const compressed = await compress(help, COMPRESSION);
  return request !== undefined && catalogue === undefined
    ? partialSource(remoteFacts(current, request), compressed)
    : completeSource(current, compressed);
}

const completeSource = (current: Catalogue, help: Uint8Array): CatalogueSource => ({
  current,
  ensure: async (findMissing) => {
    const missing = findMissing(current);
    if (missing === undefined) return current;
    throw new FactsMissing(`The catalogue of ${current.build.version} lacks ${JSON.stringify(missing)}.`);
  },
  component: async (kind, name) => componentOf(current, kind, name),
  option: async (name) => current.cli.get(name) ?? undefined,
  classes: classesOf(help),
});

function partialSource(facts: CatalogueFrom, help: Uint8Array): CatalogueSource {
  const ensureOnly = async (missing: MissingFacts): Promise<Catalogue> =>
    facts.ensure((known) => stillMissing(known, missing));
  return {
    get current() {
      return facts.current;
    },
    ensure: facts.ensure,
    isPartial: true,
    component: async (kind, name) => {
      if (!isRequestableComponent(facts.current, { kind, name })) return undefined;
      return componentOf(await ensureOnly({ options: [], components: [{ kind, name }] }), kind, name);
    },
    option: async (name) => {
      const known = isRequestableOption(name) ? await ensureOnly({ options: [name], components: [] }) : facts.current;
      return known.cli.get(name) ?? undefined;
    },
    classes: classesOf(help),
  };
}

const classesOf = (help: Uint8Array): CatalogueSource['classes'] =>
  weaklyCached(async () => parseClasses((await decompress(help, { maxOutputLength: MAX_BYTES })).toString()));
