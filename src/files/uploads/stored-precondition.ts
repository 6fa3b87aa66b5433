import type { Precondition } from '../precondition.ts';

interface Stored extends Pick<Precondition, 'ifMatch' | 'ifNoneMatch'> {
  readonly ifUnmodifiedSince?: string;
}

/** Writes the conditions of an upload as JSON. If-Modified-Since does not apply to uploads. */
export const writePrecondition = ({ ifModifiedSince: _, ...precondition }: Precondition): string =>
  JSON.stringify(precondition);

/** Reads what `writePrecondition` has written. */
export function readStoredPrecondition(text: string): Precondition {
  const { ifUnmodifiedSince, ...tags } = JSON.parse(text) as Stored;
  return { ...tags, ...(ifUnmodifiedSince !== undefined && { ifUnmodifiedSince: new Date(ifUnmodifiedSince) }) };
}
