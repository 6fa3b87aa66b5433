import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Build } from './build.ts';
import type { AvUse, Catalogue } from './catalogue.ts';

/** Rises whenever the shape or the meaning of what is kept changes: older files are then asked for anew. */
const FORMAT = 1;

const owners = ['codec', 'format', 'protocol', 'scaler', 'resampler', 'private'] as const;
const facts = z.object({ argument: z.boolean(), place: z.enum(['global', 'input', 'output', 'both', 'nowhere']) });
const use = z.tuple([z.enum(owners), z.string(), z.enum(['E', 'D', 'ED']), z.string()]);

const Stored = z.object({
  format: z.literal(FORMAT),
  key: z.string(),
  cli: z.record(z.string(), facts.nullable()),
  avOptions: z.array(z.tuple([z.string(), z.array(use)])),
  muxers: z.array(z.string()),
  demuxers: z.array(z.string()),
  encoders: z.array(z.tuple([z.string(), z.enum(['video', 'audio', 'subtitle']), z.string()])),
  muxerOptions: z.array(z.tuple([z.string(), z.array(z.string())])),
});

/** A catalogue as text (JSON). Of its build only the key is kept: the rest is known where it is read back. */
export function serialise(catalogue: Catalogue): string {
  const stored: z.infer<typeof Stored> = {
    format: FORMAT,
    key: catalogue.build.key,
    cli: Object.fromEntries(catalogue.cli),
    avOptions: [...catalogue.avOptions].map(([name, uses]) => [
      name,
      uses.map(({ owner, type, encoding, decoding, media }) => [
        owner,
        type,
        encoding ? (decoding ? 'ED' : 'E') : 'D',
        media,
      ]),
    ]),
    muxers: [...catalogue.muxers],
    demuxers: [...catalogue.demuxers],
    encoders: [...catalogue.encoders].map(([name, { kind, codec }]) => [name, kind, codec]),
    muxerOptions: [...catalogue.muxerOptions].map(([name, options]) => [name, [...options]]),
  };
  return JSON.stringify(stored);
}

/** undefined: not what `serialise` wrote for this build. */
export function deserialise(text: string, build: Build): Catalogue | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = Stored.safeParse(json);
  if (!read.success || read.data.key !== build.key) return undefined;
  const { cli, avOptions, muxers, demuxers, encoders, muxerOptions } = read.data;
  return {
    build,
    cli: new Map(Object.entries(cli)),
    avOptions: new Map(
      avOptions.map(([name, uses]) => [
        name,
        uses.map(
          ([owner, type, direction, media]): AvUse => ({
            owner,
            type,
            encoding: direction !== 'D',
            decoding: direction !== 'E',
            media,
          }),
        ),
      ]),
    ),
    muxers: new Set(muxers),
    demuxers: new Set(demuxers),
    encoders: new Map(encoders.map(([name, kind, codec]) => [name, { kind, codec }])),
    muxerOptions: new Map(muxerOptions.map(([name, options]) => [name, new Set(options)])),
  };
}

const fileOf = (folder: string, build: Build): string => join(folder, `ffmpeg-${build.key}.json`);

/** What an earlier start learned of this build; undefined where there is nothing, or nothing readable. */
export async function loadCatalogue(folder: string, build: Build): Promise<Catalogue | undefined> {
  const text = await readFile(fileOf(folder, build), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : deserialise(text, build);
}

/** Replaces the file at once, so that a reader finds the old one or the new one. */
export async function saveCatalogue(folder: string, catalogue: Catalogue): Promise<void> {
  const path = fileOf(folder, catalogue.build);
  const temporary = `${path}.${randomUUID()}`;
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(temporary, serialise(catalogue));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
