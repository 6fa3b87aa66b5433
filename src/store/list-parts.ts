/** A part of a list that is stored in rows of its own. */
export interface ListPart {
  /** The index of its first entry in the list. */
  readonly first: number;
  /** Its entries as JSON. */
  readonly entries: string;
}

/** The parts of at most `size` entries of a list, from the entry `first` on. Those before it are stored elsewhere. */
export function listParts(all: readonly unknown[], first: number, size: number): readonly ListPart[] {
  const parts: ListPart[] = [];
  for (let at = first; at < all.length; at += size)
    parts.push({ first: at, entries: JSON.stringify(all.slice(at, at + size)) });
  return parts;
}

/** The entries from `first` to before `end` that these parts, in their order, have. */
export const entriesOfParts = <T>(parts: readonly ListPart[], first: number, end: number): readonly T[] =>
  parts.flatMap((part) =>
    (JSON.parse(part.entries) as readonly T[]).slice(Math.max(0, first - part.first), end - part.first),
  );
