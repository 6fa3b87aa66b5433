import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Build } from './build.ts';
import { AV_OWNERS, type AvUse, type Catalogue, CLI_OPTION_SIDES, STREAM_KINDS } from './catalogue.ts';
import { AV_TYPES, type AvOption, byGenericClass } from './component.ts';

/** The version of the file's form. Increase it if the form or its meaning changes. A file of another version is ignored. */
export const FORMAT = 2;

const named = <T extends z.ZodType>(value: T) => z.array(z.tuple([z.string(), value]));

const use = z.tuple([z.enum(AV_OWNERS), z.enum(AV_TYPES), z.enum(['E', 'D', 'ED']), z.string()]);
const option = z.object({
  name: z.string(),
  type: z.enum(AV_TYPES),
  list: z.boolean(),
  encoding: z.boolean(),
  decoding: z.boolean(),
  media: z.string(),
  runtime: z.boolean(),
  deprecated: z.boolean(),
  readOnly: z.boolean(),
  help: z.string(),
  min: z.number().exactOptional(),
  max: z.number().exactOptional(),
  fallback: z.string().exactOptional(),
  constants: z.array(z.object({ name: z.string(), value: z.number().exactOptional(), help: z.string() })),
});
const codec = z.object({
  kind: z.enum(STREAM_KINDS),
  codec: z.string(),
  description: z.string(),
  experimental: z.boolean(),
});
const format = z.object({ description: z.string() });
const filter = z.object({ description: z.string(), inputs: z.string(), outputs: z.string(), timeline: z.boolean() });

const Stored = z.object({
  format: z.literal(FORMAT),
  key: z.string(),
  cli: named(z.object({ argument: z.boolean(), place: z.enum(CLI_OPTION_SIDES) }).nullable()),
  cliHelp: named(z.object({ line: z.string(), help: z.string() })),
  avOptions: named(z.array(use)),
  generic: z.object(byGenericClass(() => z.array(option))),
  encoders: named(codec),
  decoders: named(codec),
  muxers: named(format),
  demuxers: named(format),
  filters: named(filter),
  bsfs: z.array(z.string()),
  pixelFormats: z.array(z.string()),
  sampleFormats: z.array(z.string()),
  channelLayouts: z.array(z.string()),
  colors: z.array(z.string()),
  components: named(z.string()),
});
type Stored = z.infer<typeof Stored>;

/** A catalogue as JSON, with only the key of its build. `deserialise` gets the build from its caller. */
export function serialise({ build, cli, cliHelp, avOptions, generic, lists, components }: Catalogue): string {
  const stored: z.input<typeof Stored> = {
    format: FORMAT,
    key: build.key,
    cli: [...cli],
    cliHelp: [...cliHelp],
    avOptions: [...avOptions].map(([name, uses]) => [name, uses.map(packUse)]),
    // Copy the constants, because the types of zod are not read-only, but those of a catalogue are.
    generic: byGenericClass((name) =>
      [...generic[name].values()].map((one) => ({ ...one, constants: [...one.constants] })),
    ),
    encoders: [...lists.encoders],
    decoders: [...lists.decoders],
    muxers: [...lists.muxers],
    demuxers: [...lists.demuxers],
    filters: [...lists.filters],
    bsfs: [...lists.bsfs],
    pixelFormats: [...lists.pixelFormats],
    sampleFormats: [...lists.sampleFormats],
    channelLayouts: [...lists.channelLayouts],
    colors: [...lists.colors],
    components: [...components].map(([key, { text }]) => [key, text]),
  };
  return JSON.stringify(stored);
}

/** Parses the JSON of `serialise`. undefined: it has another form, or is of another build. */
export function deserialise(text: string, build: Build): Catalogue | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = Stored.safeParse(json);
  return read.success && read.data.key === build.key ? catalogueOf(read.data, build) : undefined;
}

const catalogueOf = (stored: Stored, build: Build): Catalogue => ({
  build,
  cli: new Map(stored.cli),
  cliHelp: new Map(stored.cliHelp),
  avOptions: new Map(stored.avOptions.map(([name, uses]) => [name, uses.map(unpackUse)])),
  generic: byGenericClass((name) => new Map(stored.generic[name].map((one): [string, AvOption] => [one.name, one]))),
  lists: {
    encoders: new Map(stored.encoders),
    decoders: new Map(stored.decoders),
    muxers: new Map(stored.muxers),
    demuxers: new Map(stored.demuxers),
    filters: new Map(stored.filters),
    bsfs: new Set(stored.bsfs),
    pixelFormats: new Set(stored.pixelFormats),
    sampleFormats: new Set(stored.sampleFormats),
    channelLayouts: new Set(stored.channelLayouts),
    colors: new Set(stored.colors),
  },
  components: new Map(stored.components.map(([key, help]) => [key, { text: help }])),
});

const packUse = ({ owner, type, encoding, decoding, media }: AvUse): z.input<typeof use> => [
  owner,
  type,
  encoding ? (decoding ? 'ED' : 'E') : 'D',
  media,
];

const unpackUse = ([owner, type, direction, media]: z.infer<typeof use>): AvUse => ({
  owner,
  type,
  encoding: direction !== 'D',
  decoding: direction !== 'E',
  media,
});

export const catalogueFile = (folder: string, build: Pick<Build, 'key'>): string =>
  join(folder, `ffmpeg-${build.key}.json`);

/** Loads the saved catalogue of a build. undefined: there is none, or it cannot be read. */
export async function loadCatalogue(folder: string, build: Build): Promise<Catalogue | undefined> {
  const text = await readFile(catalogueFile(folder, build), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : deserialise(text, build);
}

/**
 * The age from which a temporary file counts as abandoned, in milliseconds. Writing a file takes milliseconds, so the process of an old
 * temporary file has ended.
 */
const ABANDONED_MS = 10 * 60_000;

const TEMPORARY = /^ffmpeg-[^/]+\.json\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Removes the temporary files of processes that were killed while they saved a catalogue. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (TEMPORARY.test(name) && Date.now() - (await lstat(path)).mtimeMs > ABANDONED_MS)
      await rm(path, { force: true });
  }
}

/** Saves a catalogue. The new file replaces the old one in one step, so that a reader gets one of the two, whole. */
export async function saveCatalogue(folder: string, catalogue: Catalogue): Promise<void> {
  const path = catalogueFile(folder, catalogue.build);
  const temporary = `${path}.${randomUUID()}`;
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(temporary, serialise(catalogue));
    await rename(temporary, path);
    // Ignore errors: a temporary file does no harm, and another process may remove it at the same time.
    await removeAbandoned(folder).catch(() => undefined);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
