import { stat } from 'node:fs/promises';
import type { Mount } from '../domain/plan.ts';
import type { StagedInput } from '../jobs/ports/media-store.ts';

/** What an engine knows of a staged input. Its callers see only a `StagedInput`. */
type EngineInput = Mount & Pick<StagedInput, 'sizeBytes' | 'gap'>;

export const asStaged = <T extends EngineInput>(input: T): StagedInput => input as unknown as StagedInput;

/** The input as the engine staged it. */
export const stagedAs = <T extends EngineInput>(input: StagedInput): T => input as unknown as T;

/** Adds the id of a copied file, by which its readers recognise it. */
export async function identify<T extends Mount>(input: T): Promise<T> {
  const { dev, ino } = await stat(input.hostPath, { bigint: true });
  return { ...input, identities: [`${dev}:${ino}`] };
}

/** Puts the results of two engines back into the order of `items`: `some` of those that are `isSome`, and `others`. */
export function inOrder<T, R>(
  items: readonly T[],
  isSome: (item: T) => boolean,
  some: readonly R[],
  others: readonly R[],
): readonly R[] {
  const [ofSome, ofOthers] = [some.values(), others.values()];
  return items.map((item) => {
    const { value } = (isSome(item) ? ofSome : ofOthers).next();
    if (value === undefined) throw new Error('An engine returned too few results.');
    return value;
  });
}

/** For calls without a signal. */
export const NEVER = new AbortController().signal;
