import { stat } from 'node:fs/promises';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import type { StagedInput } from '../jobs/ports/media-store.ts';

/** A staged input inside an engine. Code outside the engine sees only a `StagedInput`. */
type EngineInput = Mount & Pick<StagedInput, 'sizeBytes' | 'gap'>;

export const asStaged = <T extends EngineInput>(input: T): StagedInput => input as unknown as StagedInput;

/** Converts a `StagedInput` back to the type that the engine created. */
export const stagedAs = <T extends EngineInput>(input: StagedInput): T => input as unknown as T;

/** Adds the device and inode number of a copied file to the input. */
export async function identify<T extends Mount>(input: T): Promise<T> {
  const { dev, ino } = await stat(input.hostPath, { bigint: true });
  return { ...input, identities: [`${dev}:${ino}`] };
}

/**
 * Merges the results of two engines in the order of `items`. `some`: the results for items with `isSome`. `others`: the results for all
 * other items.
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
    if (value === undefined) throw new Error('An engine returned too few results.');
    return value;
  });
}

/** For calls without a signal. */
export const NEVER: AbortSignal = new AbortController().signal;
