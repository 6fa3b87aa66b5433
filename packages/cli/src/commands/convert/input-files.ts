import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Recipe } from '@telecine/client/api.ts';
import { ClientError } from '@telecine/client/client-error.ts';
import type { TelecineClient } from '@telecine/client/telecine-client.ts';
import { MAX_FRAMES, parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import { wildcard } from '@telecine/contract/domain/wildcard.ts';
import { usageError } from '../../session/command-failed.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { fileLocation } from './file-names.ts';
import { type CommandInput, isImage, isWildcard, type LocalFrame } from './inputs.ts';
import { requireFile } from './local-files.ts';

/**
 * Adds the frames of local image sequences: inputs such as `img_%03d.png`, or `*.png` with `-i pattern_type=glob`. If a file has exactly
 * this name, the input is this file. Throws `CommandFailed` for too many frames.
 */
export async function withFrames(order: ConversionOrder): Promise<ConversionOrder> {
  const inputs = await Promise.all(
    order.inputs.map(async (input) => {
      const frames = await findFrames(input);
      return frames.length === 0 ? input : { ...input, frames };
    }),
  );
  return { ...order, inputs };
}

/** Finds the frames of an input, in order. Returns an empty list if the input is not an image sequence. */
async function findFrames(input: CommandInput): Promise<readonly LocalFrame[]> {
  const { on, path } = input.location;
  if (on === 'server' || !isImage(path) || (await stat(path).catch(() => undefined)) !== undefined) return [];
  const names = await readdir(dirname(path)).catch((): string[] => []);
  const fileOf = (name: string): string => join(dirname(path), name);
  const frames = isWildcard(input)
    ? names
        .filter(wildcard(basename(path)))
        .toSorted()
        .map((name, number) => ({ file: fileOf(name), number }))
    : numberedFrames(names, basename(path)).map(({ name, number }) => ({ file: fileOf(name), number }));
  if (frames.length > MAX_FRAMES)
    throw usageError(
      'TOO_MANY_FRAMES',
      `${path} has ${frames.length} images, and an image sequence has at most ${MAX_FRAMES}.`,
      'Convert parts of it by commands of their own, and join them.',
    );
  return frames;
}

function numberedFrames(
  names: readonly string[],
  pattern: string,
): readonly { readonly name: string; readonly number: number }[] {
  const counter = parseNumberedName(pattern);
  return names
    .flatMap((name) => {
      const number = counter?.read(name);
      return number === undefined ? [] : { name, number };
    })
    .toSorted((a, b) => a.number - b.number);
}

/**
 * Reads recipe arguments that are inputs as files of the command: `-a logo=logo.png` uploads a local file. An unknown recipe is not an
 * error here; the service rejects it later and suggests a similar one. Throws `CommandFailed` for a missing file, and `ClientError`.
 */
export async function withRoleFiles(
  order: ConversionOrder,
  client: Pick<TelecineClient, 'recipe'>,
  signal: AbortSignal,
): Promise<ConversionOrder> {
  const { preset } = order;
  const sent = Object.entries(preset?.arguments ?? {});
  if (preset === undefined || sent.length === 0) return order;
  const recipe = await readRecipe(client, preset.name, signal);
  const roles = new Set(recipe?.inputs.slice(1).map(({ role }) => role));
  const files = sent.flatMap(([role, value]) =>
    roles.has(role) ? [{ role, location: fileLocation(String(value)) }] : [],
  );
  for (const { role, location } of files)
    if (location.on === 'local')
      await requireFile(location.path, `Name an existing file, or one on the service: -a ${role}=server:path`);
  return files.length === 0 ? order : { ...order, roleFiles: files };
}

/** Reads the recipe. Returns undefined if it does not exist. */
async function readRecipe(
  client: Pick<TelecineClient, 'recipe'>,
  name: string,
  signal: AbortSignal,
): Promise<Recipe | undefined> {
  try {
    return await client.recipe(name, { signal });
  } catch (error) {
    // A rejection without a status comes from the client: a recipe cannot have this name.
    if (
      error instanceof ClientError &&
      (error.code === 'NOT_FOUND' || (error.kind === 'rejected' && error.status === undefined))
    )
      return undefined;
    throw error;
  }
}
