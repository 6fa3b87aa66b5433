import { type FieldError, hasEnough, MAX_FIELD_ERRORS } from '@telecine/contract/domain/problem.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type ArgvOption, mapsOf } from '../request/argv-option.ts';

/**
 * Checks that maps use each open label of the filtergraphs once, and no unknown label. With several outputs, exactly one of them must map a
 * label.
 *
 * @param openLabels The labels that no filter reads, each with the option that has its graph.
 */
export function checkMaps(
  options: readonly ArgvOption[],
  openLabels: ReadonlyMap<string, ArgvOption>,
  others: OtherOutputs | undefined,
  errors: FieldError[],
): void {
  const maps = options.filter(({ name }) => name.name === 'map');
  if (maps.length === 0 && openLabels.size === 0) return;
  const mapped = new Set<string>();
  for (const { field, values } of maps) {
    for (const value of values) {
      if (!LABEL.test(value) || hasEnough(errors)) continue;
      const label = labelOf(value);
      if (!openLabels.has(label))
        errors.push({ field, ...unknownLabel(label, errors.length === 0 ? openLabels : new Map()) });
      else if (others?.mappedBefore.has(value) === true)
        errors.push({ field, ...mappedTwice(label, 'is mapped in two outputs') });
      else if (mapped.has(label)) errors.push({ field, ...mappedTwice(label, 'is mapped twice') });
      mapped.add(label);
    }
  }
  const used = new Set([...mapsOf(options), ...(others?.mappedBefore ?? []), ...mapsOf(others?.options ?? [])]);
  const unused = [...openLabels].filter(([label]) => !used.has(`[${label}]`));
  // Report no more, because a reply shows only so many errors.
  for (const [label, option] of unused.slice(0, MAX_FIELD_ERRORS + 1))
    errors.push({
      field: (others === undefined ? maps[0] : undefined)?.field ?? option.field,
      code: 'UNUSED_LABEL',
      message: `The filtergraph has an output ${quotedLabel(label)} that ${others === undefined ? '"map" does not select' : 'none of "outputs" maps'}. "map" must name each output of the graph once.`,
    });
}

const LABEL = /^\[.*\]$/s;
const labelOf = (map: string): string => map.slice(1, -1);

const quotedLabel = (label: string): string => `"[${label.slice(0, 64)}]"`;

/** The error for a label that no graph outputs. `open`: empty after the first error, because comparing all labels of a graph takes seconds. */
const unknownLabel = (label: string, open: ReadonlyMap<string, unknown>): ValueError => ({
  code: 'UNKNOWN_LABEL',
  message: `No filtergraph has an output ${quotedLabel(label)} that no filter reads.`,
  nearest: { given: `[${label}]`, names: [...open.keys()].map((one) => `[${one}]`), is: 'word' },
});

const mappedTwice = (label: string, how: string): ValueError => ({
  code: 'LABEL_TWICE',
  message: `${quotedLabel(label)} ${how}, but ffmpeg uses each stream of a filtergraph once. "split" and "asplit" copy a stream.`,
});

/** What the checks of one output need to know about the other outputs of the same run of ffmpeg. */
export interface OtherOutputs {
  /** The options of the other outputs, without the options that this output has too. */
  readonly options: readonly ArgvOption[];
  /** How the filtergraphs of all outputs use the inputs. Computed at the first call, for the whole run. */
  graphUse(): GraphUse;
  /** The values of `map` in the outputs before this one. */
  readonly mappedBefore: ReadonlySet<string>;
}

export interface GraphUse {
  /** The indexes of the inputs that filters read as files. */
  readonly files: ReadonlySet<number>;
  /** The logical names of files whose format a filter detects by content. */
  readonly byContent: ReadonlySet<string>;
  /** The numbers of the inputs that maps and labels name. Empty if filters read no inputs as files. */
  readonly numbers: ReadonlySet<number>;
}

/** For each output, the facts about the other outputs. `all`: the options of every output. */
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
    const maps = mapsOf(own).filter((map) => !before.has(map));
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
