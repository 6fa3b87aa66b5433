import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import type { Build } from './build.ts';
import { type Catalogue, componentOf, type MissingFacts, stillMissing } from './catalogue.ts';
import { deserialise, serialise } from './catalogue-file.ts';
import type { CatalogueFrom } from './changed-source.ts';
import { isRequestableComponent, isRequestableOption } from './complete-catalogue.ts';
import { type OptionClass, parseClasses } from './help-full.ts';
import type { LiveCatalogue } from './live-catalogue.ts';
import { type RequestFacts, remoteFacts } from './remote-facts.ts';

/** The catalogue of a build, wherever the build is. */
export interface CatalogueSource extends Omit<LiveCatalogue, 'flush'> {
  /** Present if it gets what it lacks by tasks of workers: that takes longer than a query, and none may answer. */
  readonly isPartial?: true;
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A fifth more bytes than level 9, in an eighth of its time. */
const LEVEL = 5;

/** The most bytes of a decoded catalogue. That of a build with all libraries has 2.6 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * `catalogue`: complete. `partial`: one that lacks facts, in its place; a version of Telecine that requests none does not read it.
 * `help`: the output of `-h full`, from which the options are listed for people. `speech`: as in the catalogue.
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
  help: z.string(),
});

/**
 * Encodes a catalogue for machines without its ffmpeg: 220 kB for a build with all libraries if it is complete.
 *
 * @param options.isPartial Whether it lacks facts, which workers with the build give by tasks.
 */
export async function encodeCatalogue(
  catalogue: Catalogue,
  help: string,
  { isPartial = false } = {},
): Promise<Uint8Array> {
  const { path: _, stamp: _ofFile, ...build } = catalogue.build;
  const { speech } = catalogue;
  const content: z.input<typeof Registered> = {
    build,
    [isPartial ? 'partial' : 'catalogue']: serialise(catalogue),
    ...(speech && { speech }),
    help,
  };
  return compress(JSON.stringify(content), { params: { [constants.BROTLI_PARAM_QUALITY]: LEVEL } });
}

/** Thrown if a catalogue of another version of Telecine lacks a fact that this version needs. */
export class FactsMissing extends Error {
  override readonly name = 'FactsMissing';
}

/**
 * Decodes a catalogue that another machine encoded. Returns undefined if a version of Telecine with another form encoded
 * it. The path of its build is '', because the build is not on this machine.
 *
 * @param request How a partial catalogue gets the facts that it lacks. Without it, none is decoded.
 */
export async function decodeCatalogue(
  content: Uint8Array,
  request?: RequestFacts,
): Promise<CatalogueSource | undefined> {
  const text = await decompress(content, { maxOutputLength: MAX_BYTES });
  const read = Registered.safeParse(JSON.parse(text.toString()));
  if (!read.success) return undefined;
  const { build, catalogue, partial, speech, help } = read.data;
  const facts = catalogue ?? (request && partial);
  const stored = facts === undefined ? undefined : deserialise(facts, { path: '', ...build } satisfies Build);
  if (stored === undefined) return undefined;
  const current = { ...stored, ...(speech && { speech }) };
  const compressed = await compress(help, { params: { [constants.BROTLI_PARAM_QUALITY]: LEVEL } });
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

/** Has what a complete one has, once it was requested. */
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

function classesOf(help: Uint8Array): CatalogueSource['classes'] {
  let classes: WeakRef<readonly OptionClass[]> | undefined;
  return async () => {
    const cached = classes?.deref();
    if (cached !== undefined) return cached;
    const parsed = parseClasses((await decompress(help, { maxOutputLength: MAX_BYTES })).toString());
    classes = new WeakRef(parsed);
    return parsed;
  };
}
