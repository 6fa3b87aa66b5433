/** One part of a planned name: a text, a number, a part of a date (letters, digits, dashes), or one of several texts. */
export type PlannedNamePart = string | { readonly any: 'number' | 'date' } | { readonly oneOf: readonly string[] };

/** A file name or file name pattern that a conversion can write, as a sequence of parts. It may contain folders. */
export type PlannedName = readonly PlannedNamePart[];

/** Whether `name` matches a planned name. The time grows only with the product of both lengths, even for a hostile pattern. */
export const isPlannedName = (planned: readonly PlannedName[], name: string): boolean =>
  planned.some((parts) => matches(parts, name));

/** Whether `name` matches `parts`. Finds all positions at which each part can end: backtracking could take years for `%d%d%d…`. */
function matches(parts: PlannedName, name: string): boolean {
  let ends: ReadonlySet<number> = new Set([0]);
  for (const part of parts) {
    ends = typeof part === 'string' ? endsOfText([part], name, ends) : endsOfMark(part, name, ends);
    if (ends.size === 0) return false;
  }
  return ends.has(name.length);
}

/** The positions at which a part can end if it begins at one of `starts`. */
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

/** The positions after one or more allowed characters. */
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

/** An option that names an additional output file. */
export interface FileNameOption {
  /** The folder that the name in the option is relative to: ffmpeg's working folder, or the folder of the output. */
  readonly relativeTo: 'working folder' | 'output folder';
  /** Whether the name may contain folders. This is allowed if the playlist or manifest repeats the folders when it refers to the file. */
  readonly allowsFolders: boolean;
  /** Present if the file lists the other files of the output. It is then published after them. */
  readonly isManifest?: true;
}

/** All options that name an additional output file. No other allowed option can name a file that ffmpeg writes. */
export const FILE_NAME_OPTIONS: ReadonlyMap<string, FileNameOption> = new Map<string, FileNameOption>([
  ['hls_segment_filename', { relativeTo: 'working folder', allowsFolders: true }],
  ['segment_list', { relativeTo: 'working folder', allowsFolders: false, isManifest: true }],
  ['hls_fmp4_init_filename', { relativeTo: 'output folder', allowsFolders: true }],
  ['master_pl_name', { relativeTo: 'output folder', allowsFolders: false, isManifest: true }],
  ['init_seg_name', { relativeTo: 'output folder', allowsFolders: true }],
  ['media_seg_name', { relativeTo: 'output folder', allowsFolders: true }],
  ['single_file_name', { relativeTo: 'output folder', allowsFolders: false }],
  ['hls_master_name', { relativeTo: 'output folder', allowsFolders: false }],
]);
