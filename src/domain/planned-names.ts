/**
 * One part of a planned name: text, a number, a part of a date (letters, digits and dashes), or one of several texts.
 * The number may be negative.
 */
export type PlannedNamePart = string | { readonly any: 'number' | 'date' } | { readonly oneOf: readonly string[] };

/** A file name, or a file name pattern, that a conversion can write. Its parts follow each other. May contain folders. */
export type PlannedName = readonly PlannedNamePart[];

/** Whether one of the planned names is `name`. Takes time in proportion to both lengths, whatever the pattern. */
export const isPlannedName = (planned: readonly PlannedName[], name: string): boolean =>
  planned.some((parts) => matches(parts, name));

/**
 * Finds all positions at which each part can end, part by part. A backtracking matcher could take years for `%d%d%d…`.
 */
function matches(parts: PlannedName, name: string): boolean {
  let ends: ReadonlySet<number> = new Set([0]);
  for (const part of parts) {
    ends = typeof part === 'string' ? endsOfText([part], name, ends) : endsOfMark(part, name, ends);
    if (ends.size === 0) return false;
  }
  return ends.has(name.length);
}

/** The positions at which the part can end if it begins at one of `starts`. */
function endsOfMark(part: Exclude<PlannedNamePart, string>, name: string, starts: ReadonlySet<number>): Set<number> {
  if ('oneOf' in part) return endsOfText(part.oneOf, name, starts);
  if (part.any === 'date') return endsOfRun(IN_DATES, name, starts);
  const afterSign = [...starts].filter((at) => name[at] === '-').map((at) => at + 1);
  return endsOfRun(DIGIT, name, new Set([...starts, ...afterSign]));
}

function endsOfText(texts: readonly string[], name: string, starts: ReadonlySet<number>): Set<number> {
  const ends = new Set<number>();
  for (const at of starts) for (const text of texts) if (name.startsWith(text, at)) ends.add(at + text.length);
  return ends;
}

/** The positions after one or more of the allowed characters. */
function endsOfRun(allowed: RegExp, name: string, starts: ReadonlySet<number>): Set<number> {
  const ends = new Set<number>();
  let inRun = false;
  for (let at = 0; at < name.length; at += 1) {
    inRun = allowed.test(name.charAt(at)) && (inRun || starts.has(at));
    if (inRun) ends.add(at + 1);
  }
  return ends;
}

const DIGIT = /\d/;
const IN_DATES = /[A-Za-z0-9-]/;
