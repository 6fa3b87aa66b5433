import type { ArgvOption } from '../request/argv-option.ts';

/** What the checks of one of several outputs must know of the others, which the same run of ffmpeg writes. */
export interface OtherOutputs {
  /** Their options, without those that this output has too. */
  readonly options: readonly ArgvOption[];
  /** What the filtergraphs of all outputs use. Found at the first call, once for the run. */
  graphUse(): GraphUse;
  /** The values of `map` of the outputs before this one. */
  readonly mappedBefore: ReadonlySet<string>;
}

/** What filtergraphs use of the inputs. */
export interface GraphUse {
  /** The indexes of the inputs that filters read as files. */
  readonly files: ReadonlySet<number>;
  /** The logical names of files whose format filters detect by content. */
  readonly byContent: ReadonlySet<string>;
  /** The numbers of inputs in maps and labels. */
  readonly numbers: ReadonlySet<number>;
}

/**
 * Returns what each output must know of the others. `all`: the options of every output. `findUse`: finds what the graphs among
 * options use.
 */
export function otherOutputs(
  all: readonly (readonly ArgvOption[])[],
  findUse: (options: readonly ArgvOption[]) => GraphUse,
): readonly OtherOutputs[] {
  const options = [...new Map(all.flat().map((option) => [option.field, option])).values()];
  let use: GraphUse | undefined;
  let mappedBefore: ReadonlySet<string> = new Set();
  return all.map((own) => {
    const fields = new Set(own.map(({ field }) => field));
    const before = mappedBefore;
    const maps = mapsIn(own).filter((map) => !before.has(map));
    if (maps.length > 0) mappedBefore = new Set([...before, ...maps]);
    return {
      options: options.filter(({ field }) => !fields.has(field)),
      mappedBefore: before,
      graphUse() {
        use ??= findUse(options);
        return use;
      },
    };
  });
}

/** The values of `map`. */
export const mapsIn = (options: readonly ArgvOption[]): readonly string[] =>
  options.flatMap(({ name, values }) => (name.name === 'map' ? values : []));
