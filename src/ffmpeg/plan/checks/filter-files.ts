import { parseRequestPath } from '../../../domain/bucket-path.ts';
import type { PathScope } from '../../../domain/media-root.ts';
import type { ValueError } from '../../values/value-error.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Finds the inputs that filters name as files, and remembers them. */
export class FilterFiles {
  /** Indexes of the inputs that filters name. */
  readonly inputs = new Set<number>();
  readonly byContent = new Set<string>();
  readonly all: readonly ArgvInput[];
  readonly #scope: PathScope;

  constructor(all: readonly ArgvInput[], scope: PathScope) {
    this.all = all;
    this.#scope = scope;
  }

  /** Returns the logical name of the input with this path, or undefined if the request has no such input. */
  find(path: string, byContent: boolean): string | undefined {
    const parsed: unknown = parseRequestPath(path, this.#scope, 'read');
    const index = this.all.findIndex(({ source }) => source.path === parsed && source.sequence === undefined);
    const logical = this.all[index]?.source.logical;
    if (logical === undefined) return undefined;
    this.inputs.add(index);
    if (byContent) this.byContent.add(logical);
    return logical;
  }
}

/** Returns the error about a file that is not an input with the inputs to send. `field` is theirs. */
export function withInputs(error: ValueError, files: FilterFiles): ValueError & { readonly field?: string } {
  const path = /reads the file "(.*)", which/s.exec(error.message)?.[1];
  const [first, ...others] = files.all;
  // Inputs with options of their own, and long paths, which the message cuts, are not repeated.
  const isPlain = ({ source, options }: ArgvInput): boolean =>
    source.sequence === undefined && !options.some(({ field }) => field.startsWith('/inputs/'));
  if (path === undefined || !RELATIVE.test(path) || FONT.test(path) || first === undefined) return error;
  if (![first, ...others].every(isPlain)) return error;
  const inputs = [...files.all.map(({ source }) => source.path), path];
  return {
    ...error,
    field: /^\/inputs?/.exec(first.source.field)?.[0] ?? first.source.field,
    fix: `Send "inputs": ${JSON.stringify(inputs)}.`,
  };
}

/** A path in the media root. The message cuts longer ones. */
const RELATIVE = /^(?!\/|.*(?:\.\.|…))[^:%\\]+$/;

const FONT = /\.(?:ttf|otf|ttc|pfb)$/i;
