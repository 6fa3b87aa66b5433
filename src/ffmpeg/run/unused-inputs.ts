import { addOption } from '../../domain/edit.ts';
import { JOIN_OR_MAP } from '../../domain/join.ts';
import type { Warning } from '../../domain/plan.ts';
import type { RunWarning } from './finished-pass.ts';
import type { MediaFacts } from './media-facts.ts';
import { readOptionFacts } from './option-facts.ts';
import { fixOfUnusedInput } from './unused-input-fix.ts';

/** Inputs of which no stream is read. An input without streams has only metadata. `planned`: what the plan warns of. */
export function unusedInputs(facts: MediaFacts, planned: readonly Warning[]): readonly RunWarning[] {
  const { plan, inputs, used } = facts;
  // What the run before the passes transcribes is in the captions.
  if (used.length === 0 || plan.transcript !== undefined) return [];
  const { metadataInputs } = readOptionFacts(facts.argv);
  const read = new Set([...used.map(({ input }) => input), ...metadataInputs]);
  const hasSubtitleWarning = planned.some(({ field }) => field?.endsWith('/parameters/c:s'));
  return inputs.flatMap(({ streams }, index) => {
    const own = plan.inputs[index];
    if (own === undefined || read.has(index)) return [];
    if (streams.length === 0) return metadataInputs.length > 0 ? [] : unusedTags(inputs, index, own);
    // The plan names the codec that this file of subtitles needs.
    if (hasSubtitleWarning && streams.every(({ type }) => type === 'subtitle')) return [];
    return [
      {
        field: own.field,
        code: 'UNUSED_INPUT',
        message: `Nothing of "${own.path}" is in the output: ffmpeg takes all streams from other inputs.`,
        fix: fixOfUnusedInput(facts, used, index) ?? unusedByGraph(facts, read, index) ?? JOIN_OR_MAP,
      },
    ];
  });
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['video', 'v'],
  ['audio', 'a'],
]);

/** An input that a filtergraph does not read, whose request cannot join its inputs. undefined without a filtergraph. */
function unusedByGraph(facts: MediaFacts, read: ReadonlySet<number>, index: number): string | undefined {
  if (!facts.graphs.some(({ key }) => key === 'filter_complex')) return undefined;
  const letter = facts.inputs[index]?.streams.map(({ type }) => LETTERS.get(type)).find((one) => one !== undefined);
  // Graphs have no subtitles.
  if (letter === undefined) return `Send "${index}" in "map" as well.`;
  // The numbers of the inputs after it would change.
  const isLast = ![...read].some((one) => one > index);
  return `Use [${index}:${letter}] in "filter_complex"${isLast ? ', or leave the input out' : ''}.`;
}

/**
 * A file of tags and chapters that no option names. ffmpeg takes the chapters of the first input that has any, but tags
 * only of the first input.
 */
function unusedTags(
  inputs: MediaFacts['inputs'],
  index: number,
  { field, path }: MediaFacts['plan']['inputs'][number],
): readonly RunWarning[] {
  const takesChapters = inputs.findIndex(({ chapters = 0 }) => chapters > 0) === index;
  if (inputs[index]?.demuxer !== 'ffmetadata' || index === 0 || takesChapters) return [];
  const name = (inputs[index]?.chapters ?? 0) > 0 ? 'map_chapters' : 'map_metadata';
  return [
    {
      field,
      code: 'UNUSED_INPUT',
      message: `Nothing of "${path}" is in the output: it is a file of tags and chapters, and ffmpeg took those of another input.`,
      fix: addOption(name, String(index)),
    },
  ];
}
