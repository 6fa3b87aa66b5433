import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** What the checks of one of several outputs must know of the others, which the same run of ffmpeg writes. */
export interface OtherOutputs {
  /** Their options, without those that this output has too. */
  readonly options: readonly ArgvOption[];
  /** The facts that the options of all outputs require. */
  readonly catalogue: Catalogue;
  /** The values of `map` of the outputs before this one. */
  readonly mappedBefore: ReadonlySet<string>;
}

/** Returns what an output must know of the others. `all`: the options of every output. `catalogue`: see `OtherOutputs`. */
export function otherOutputs(
  all: readonly (readonly ArgvOption[])[],
  index: number,
  catalogue: Catalogue,
): OtherOutputs {
  const own = new Set((all[index] ?? []).map(({ field }) => field));
  const others = all.filter((_options, at) => at !== index).flat();
  return {
    catalogue,
    options: [...new Map(others.map((option) => [option.field, option])).values()].filter(
      ({ field }) => !own.has(field),
    ),
    mappedBefore: new Set(all.slice(0, index).flatMap(mapsIn)),
  };
}

/** The values of `map`. */
export const mapsIn = (options: readonly ArgvOption[]): readonly string[] =>
  options.flatMap(({ name, values }) => (name.name === 'map' ? values : []));
