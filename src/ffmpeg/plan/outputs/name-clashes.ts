import { sendValue } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, SERVICE_FIELD } from '../request/argv-option.ts';
import { canOverlap, comparisonBudget, type NamePattern } from './name-pattern.ts';

/** One or several files that ffmpeg writes under one name or one name pattern. */
export interface OutputFilePattern {
  /** The option that names the files. Absent if their names come from the output or from ffmpeg. */
  readonly option?: ArgvOption;
  /** What messages call the files: `the segments`. */
  readonly what: string;
  /** The name below `out/`, in which counters are not expanded. */
  readonly name: string;
  readonly pattern: NamePattern;
  /** A valid value for the option. */
  readonly example?: string;
}

/** The facts that determine the names of an output's files. */
export interface OutputNaming {
  /** The name of the output below `out/`: `index.m3u8`, `v%v/index.m3u8`. */
  readonly name: string;
  readonly options: readonly ArgvOption[];
  /** The files that options name, by option name. Their paths are below `out/`. */
  readonly named: ReadonlyMap<string, { readonly option: ArgvOption; readonly path: string }>;
  /** Whether ffmpeg expands dates in the names (`strftime`). */
  readonly dated: boolean;
  readonly errors: FieldError[];
  readonly warnings: Warning[];
}

/** Returns the files that this option names, or none if it was not sent. */
export function filesOfOption(
  { named }: OutputNaming,
  optionName: string,
  what: string,
  more: { readonly pattern?: NamePattern; readonly example: string },
): readonly OutputFilePattern[] {
  const file = named.get(optionName);
  if (file === undefined) return [];
  const { option, path } = file;
  const { pattern = [...path], example } = more;
  // The client cannot change an option that the service added.
  return [{ what, name: path, pattern, ...(option.field !== SERVICE_FIELD && { option, example }) }];
}

/**
 * Returns the error for the first two files that can get the same name. ffmpeg does not check this: it overwrites one
 * file with the other, and usually exits without an error.
 */
export function findNameClash(files: readonly OutputFilePattern[]): FieldError | undefined {
  const budget = comparisonBudget();
  for (const [index, one] of files.entries()) {
    const other = files.slice(index + 1).find(({ pattern }) => canOverlap(one.pattern, pattern, budget));
    if (other !== undefined) return other.option === undefined ? nameClash(one, other) : nameClash(other, one);
  }
  return undefined;
}

/** `files` are the files whose option must change. */
function nameClash(files: OutputFilePattern, other: OutputFilePattern): FieldError {
  const name =
    files.name === other.name
      ? `the name ${quoted(files.name)}`
      : `the same name (${quoted(files.name)}, ${quoted(other.name)})`;
  const both =
    files.what === other.what ? `${files.what.replace(/s?$/, 's')} of two variants` : `${files.what} and ${other.what}`;
  return {
    field: files.option?.field ?? '/output',
    code: 'SAME_NAME',
    message: `${both.replace(/^t/, 'T')} would both have ${name}, so one would overwrite the other.`,
    allowed: ['a name that no other file of the output has'],
    fix: files.example === undefined ? 'Give the output another name.' : sendValue(files.example),
  };
}
