import type { Warning } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, serviceOption } from '../request/resolve-options.ts';
import { canOverlap, comparisonBudget, type NamePattern } from './name-pattern.ts';

/** Files of one name, or of one pattern, that a request makes ffmpeg write. */
export interface OutputFiles {
  /** The option that names them; absent: the output does, or ffmpeg itself. */
  readonly option?: ArgvOption;
  /** `the segments` */
  readonly what: string;
  /** Below `out/`, with its counters as ffmpeg takes them. */
  readonly name: string;
  /** What `name` can come out as. */
  readonly pattern: NamePattern;
  /** What the option might say instead. */
  readonly example?: string;
}

/** What names the files of an output. */
export interface OutputNaming {
  /** The output below `out/`: `index.m3u8`, `v%v/index.m3u8`. */
  readonly name: string;
  readonly options: readonly ArgvOption[];
  /** By option, what those of `FILE_NAME_OPTIONS` say, below `out/`. */
  readonly named: ReadonlyMap<string, { readonly option: ArgvOption; readonly path: string }>;
  /** Whether the files get their names by the date. */
  readonly dated: boolean;
  readonly errors: FieldError[];
  readonly warnings: Warning[];
}

/** The field of options that the service adds. */
const ADDED = serviceOption('', []).field;

/** The files that the option `name` names, if it is there. */
export function filesOfOption(
  { named }: OutputNaming,
  name: string,
  what: string,
  more: { readonly pattern?: NamePattern; readonly example: string },
): readonly OutputFiles[] {
  const found = named.get(name);
  if (found === undefined) return [];
  const { option, path } = found;
  const { pattern = [...path], example } = more;
  // What the service added is nothing that the caller could change.
  return [{ what, name: path, pattern, ...(option.field !== ADDED && { option, example }) }];
}

/**
 * The first two of these that can come out as one file. ffmpeg does not look: it writes one over the other, and mostly
 * ends without an error.
 */
export function findNameClash(files: readonly OutputFiles[]): FieldError | undefined {
  const effort = comparisonBudget();
  for (const [index, one] of files.entries()) {
    const other = files.slice(index + 1).find(({ pattern }) => canOverlap(one.pattern, pattern, effort));
    if (other !== undefined) return other.option === undefined ? sameName(one, other) : sameName(other, one);
  }
  return undefined;
}

function sameName(blamed: OutputFiles, other: OutputFiles): FieldError {
  const called =
    blamed.name === other.name
      ? `both be called ${quoted(blamed.name)}`
      : `have one name (${quoted(blamed.name)}, ${quoted(other.name)})`;
  const who =
    blamed.what === other.what
      ? `${blamed.what.replace(/s?$/, 's')} of two variants`
      : `${blamed.what} and ${other.what}`;
  return {
    field: blamed.option?.field ?? '/output',
    code: 'SAME_NAME',
    message: `${who.replace(/^t/, 'T')} would ${called}, and one would be written over the other.`,
    allowed: ['a name that no other file of the output has'],
    fix: blamed.example === undefined ? 'Give the output another name.' : `Send "${blamed.example}".`,
  };
}
