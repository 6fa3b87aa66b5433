import { addOption } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { encodersOfMuxer } from '../../allowlist/container-codecs.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import { walkOf } from '../../filtergraph/graph-walk.ts';
import { areAllCopied, type StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Rejects filters on copied streams. ffmpeg does not start if a stream is both copied and filtered. */
export function rejectFilteredCopies(
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  { muxer, catalogue }: { readonly muxer: string; readonly catalogue: Catalogue },
  errors: FieldError[],
): void {
  for (const option of options) {
    const { name, field } = option;
    if (option.graphs === undefined) continue;
    const specifier = name.name === 'filter_complex' ? outputKind(option, catalogue) : name.specifier;
    const isGraph = name.name === 'filter' || specifier !== undefined;
    if (!isGraph || !areAllCopied(encoders, specifier)) continue;
    if (errors.some((error) => error.field === field)) continue;
    const [kind, letter, usual] = specifier?.startsWith('a')
      ? (['audio', 'a', 'aac'] as const)
      : (['video', 'v', 'libx264'] as const);
    const held = encodersOfMuxer(muxer, kind).find((one) => catalogue.lists.encoders.has(one)) ?? usual;
    const copy = options.findLast(
      ({ name: { name: own, specifier: of = letter }, values }) =>
        own === 'c' && values[0] === 'copy' && (of.toLowerCase().startsWith(letter) || /^\d/.test(of)),
    );
    const sent = copy === undefined ? 'copied' : `copied by "${sentName(copy)}": "copy"`;
    errors.push({
      field,
      code: 'NEEDS_ENCODER',
      message: `"${sentName(option)}" filters ${kind} that is ${sent}. Only a re-encoded stream can be filtered.`,
      // Two names of the same option would be an error.
      fix: addOption(copy?.name.specifier === letter ? sentName(copy) : `c:${letter}`, held),
    });
  }
}

/** The kind of the streams that a complex graph outputs. Undefined if they differ, or if a filter decides it. */
function outputKind({ checkedGraphs = [] }: ArgvOption, catalogue: Catalogue): 'v' | 'a' | undefined {
  const kinds = new Set(
    checkedGraphs.flatMap((graph) => {
      const { taken } = walkOf(graph);
      const ends = graph.chains.flatMap((chain) => chain.at(-1) ?? []);
      return ends
        .filter(({ outputs }) => outputs.length === 0 || outputs.some((label) => !taken.has(label)))
        .map(({ name }) => {
          const pads = componentOf(catalogue, 'filter', name)?.outputs;
          return pads === undefined || pads === 'dynamic' ? undefined : pads[0]?.media;
        });
    }),
  );
  const [kind] = kinds;
  if (kinds.size !== 1 || kind === undefined) return undefined;
  return kind === 'audio' ? 'a' : 'v';
}
