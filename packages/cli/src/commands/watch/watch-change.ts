import type { WatchChange } from '@telecine/client/api.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { usageError } from '../../session/command-failed.ts';
import type { ServiceFlags } from '../../session/service-verbs.ts';
import { type RequestFlags, readRequestFlags, sourceOf } from './new-watch.ts';

/** The options of `telecine watch change`, as commander passes them. false: with `--no-…`. */
export interface ChangeFlags extends ServiceFlags, RequestFlags {
  readonly name?: string | false;
  readonly pattern?: readonly string[] | false;
  readonly exclude?: readonly string[] | false;
  readonly subfolders?: boolean;
  readonly source?: string;
  readonly changed?: boolean;
  readonly settle?: number;
  readonly maxUnfinished?: number;
  readonly every?: number;
}

const REQUEST_FLAGS = ['to', 'parameter', 'preset', 'argument', 'format', 'y', 'priority', 'request'] as const;

/** Reads what the flags change of a watch. The service checks it. Throws `CommandFailed`. */
export async function watchChangeOf(flags: ChangeFlags): Promise<WatchChange> {
  const { name, pattern, exclude, subfolders, source, changed, settle, maxUnfinished, every } = flags;
  const hasRequest = REQUEST_FLAGS.some((flag) => flags[flag] !== undefined);
  const change = definedMembers<WatchChange>({
    name: name === false ? null : name,
    patterns: pattern === false ? null : pattern && [...pattern],
    exclude: exclude === false ? null : exclude && [...exclude],
    subfolders,
    request: hasRequest ? await readRequestFlags(flags, subfolders ?? true) : undefined,
    source: source === undefined ? undefined : sourceOf(source),
    changed: changed === undefined ? undefined : changed ? 'convert' : 'ignore',
    settleSeconds: settle,
    maxUnfinished,
    every,
  });
  if (Object.keys(change).length === 0)
    throw usageError(
      'NO_CHANGE',
      'Nothing is to be changed.',
      'Add an option, such as --pattern \'*.mov\'. "telecine watch change --help" lists them.',
    );
  return change;
}
