import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Build } from './build.ts';
import type { AvUse, Catalogue } from './catalogue.ts';
import type { AvOption } from './component.ts';

/**
 * The version of the file format. Increase it if the form or the meaning of the file changes: files with another
 * version are ignored.
 */
export const FORMAT = 2;

const types = [
  ...(['boolean', 'int', 'int64', 'uint', 'uint64', 'float', 'double', 'rational', 'flags', 'duration'] as const),
  ...(['image_size', 'video_rate', 'color', 'pix_fmt', 'sample_fmt', 'channel_layout'] as const),
  ...(['string', 'binary', 'dictionary'] as const),
];
const owners = ['codec', 'format', 'protocol', 'scaler', 'resampler', 'private'] as const;
const sides = ['global', 'input', 'output', 'both', 'nowhere'] as const;
const named = <T extends z.ZodType>(value: T) => z.array(z.tuple([z.string(), value]));

const use = z.tuple([z.enum(owners), z.enum(types), z.enum(['E', 'D', 'ED']), z.string()]);
const option = z.object({
  name: z.string(),
  type: z.enum(types),
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
  kind: z.enum(['video', 'audio', 'subtitle']),
  codec: z.string(),
  description: z.string(),
  experimental: z.boolean(),
});
const format = z.object({ description: z.string() });
const filter = z.object({ description: z.string(), inputs: z.string(), outputs: z.string(), timeline: z.boolean() });

const Stored = z.object({
  format: z.literal(FORMAT),
  key: z.string(),
  cli: named(z.object({ argument: z.boolean(), place: z.enum(sides) }).nullable()),
  cliHelp: named(z.object({ line: z.string(), help: z.string() })),
  avOptions: named(z.array(use)),
  generic: z.object({
    codec: z.array(option),
    format: z.array(option),
    scaler: z.array(option),
    resampler: z.array(option),
  }),
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

/**
 * Returns a catalogue as JSON. It contains only the key of the build, because `deserialise` gets the build as an
 * argument.
 */
export function serialise({ build, cli, cliHelp, avOptions, generic, lists, components }: Catalogue): string {
  const stored: z.input<typeof Stored> = {
    format: FORMAT,
    key: build.key,
    cli: [...cli],
    cliHelp: [...cliHelp],
    avOptions: [...avOptions].map(([name, uses]) => [name, uses.map(packUse)]),
    generic: {
      codec: values(generic.codec),
      format: values(generic.format),
      scaler: values(generic.scaler),
      resampler: values(generic.resampler),
    },
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

/**
 * Parses the JSON that `serialise` returns. Returns undefined if the text has another format or belongs to another
 * build.
 */
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
  generic: {
    codec: byName(stored.generic.codec),
    format: byName(stored.generic.format),
    scaler: byName(stored.generic.scaler),
    resampler: byName(stored.generic.resampler),
  },
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

/** Copies the options, because zod's types are not read-only. */
const values = (options: ReadonlyMap<string, AvOption>): z.input<typeof option>[] =>
  [...options.values()].map((one) => ({ ...one, constants: [...one.constants] }));

const byName = (options: readonly AvOption[]): ReadonlyMap<string, AvOption> =>
  new Map(options.map((one) => [one.name, one]));

/** The file of the catalogue of `build` in `folder`. */
export const catalogueFile = (folder: string, build: Pick<Build, 'key'>): string =>
  join(folder, `ffmpeg-${build.key}.json`);

/**
 * Loads the catalogue that an earlier start saved for this build. Returns undefined if there is none or it cannot be
 * read.
 */
export async function loadCatalogue(folder: string, build: Build): Promise<Catalogue | undefined> {
  const text = await readFile(catalogueFile(folder, build), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : deserialise(text, build);
}

/** A file with the name of a temporary one that is older than this belongs to no process: writing takes milliseconds. */
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

/**
 * Saves a catalogue. The file is replaced atomically, so a concurrent reader gets either the old one or the new one.
 */
export async function saveCatalogue(folder: string, catalogue: Catalogue): Promise<void> {
  const path = catalogueFile(folder, catalogue.build);
  const temporary = `${path}.${randomUUID()}`;
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(temporary, serialise(catalogue));
    await rename(temporary, path);
    // What cannot be removed harms nobody. Another process may remove it at the same time.
    await removeAbandoned(folder).catch(() => undefined);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
