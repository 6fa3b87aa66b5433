import { stat } from 'node:fs/promises';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import type { StagedInput } from '../jobs/ports/media-store.ts';

/** A staged input as the engine that created it sees it. Other code sees only a `StagedInput`. */
type EngineInput = Mount & Pick<StagedInput, 'sizeBytes' | 'gap' | 'isPartial' | 'file' | 'version'>;

export const asStaged = <T extends EngineInput>(input: T): StagedInput => input as unknown as StagedInput;

/** Returns a `StagedInput` as the type with which the engine created it. */
export const stagedAs = <T extends EngineInput>(input: StagedInput): T => input as unknown as T;

/** Adds to an input the device and inode number of its local copy. */
export async function identify<T extends Mount>(input: T): Promise<T> {
  const { dev, ino } = await stat(input.hostPath, { bigint: true });
  return { ...input, identities: [`${dev}:${ino}`] };
}

/**
 * Merges results for two kinds of items, in the order of `items`. `some`: the results for the items for which `isSome`
 * is true. `others`: the results for the other items.
 */
export function inOrder<T, R>(
  items: readonly T[],
  isSome: (item: T) => boolean,
  some: readonly R[],
  others: readonly R[],
): readonly R[] {
  const [nextSome, nextOthers] = [some.values(), others.values()];
  return items.map((item) => {
    const { value } = (isSome(item) ? nextSome : nextOthers).next();
    if (value === undefined) throw new Error('A media engine returned fewer results than it got inputs.');
    return value;
  });
}
