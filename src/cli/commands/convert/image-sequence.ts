import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MAX_FRAMES, parseNumberedName } from '../../../domain/numbered-name.ts';
import { wildcard } from '../../../domain/wildcard.ts';
import { usageError } from '../../session/usage-error.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { type CommandInput, isPicture, isWildcard, type LocalFrame } from './inputs.ts';

/**
 * The order with the frames of its local image sequences: inputs such as `img_%03d.png`, or `*.png` with `-i
 * pattern_type=glob`. A file of exactly that name stays a file. Throws `CommandFailed` for too many frames.
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

/** The frames of an input, in their order. Empty for any other input. */
async function findFrames(input: CommandInput): Promise<readonly LocalFrame[]> {
  const { on, path } = input.location;
  if (on === 'server' || !isPicture(path) || (await stat(path).catch(() => undefined)) !== undefined) return [];
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
      `${path} has ${frames.length} pictures, and an image sequence has at most ${MAX_FRAMES}.`,
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
