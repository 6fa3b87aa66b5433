import type { Failure } from '../../../domain/failure.ts';
import { printChanged } from '../graph-fixes.ts';
import { type MediaFacts, optionValue, pathOf, streamsOf } from '../media-facts.ts';
import { failed, inputFix, type MediaFailure } from './media-failure.ts';

/** Extensions of files with one subtitle stream. */
const SUBTITLE_FILE = /\.(?:srt|ass|ssa|vtt|sub|webvtt|smi)$/i;

export function absentSubtitles(logical: string, facts: MediaFacts): Failure | undefined {
  const input = facts.plan.inputs.findIndex((one) => one.logical === logical);
  const planned = facts.plan.inputs[input];
  if (planned === undefined) return undefined;
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      const index = optionValue(filter, 'si', 'stream_index');
      if (filter.name !== 'subtitles' || !filter.options.some(({ value }) => value === logical)) continue;
      // Inputs that only a filter reads are not in ffmpeg's report.
      const isOpened = facts.inputs.length === facts.plan.inputs.length || input < facts.inputs.length;
      const count = SUBTITLE_FILE.test(planned.path)
        ? 1
        : isOpened
          ? streamsOf(facts, input, 'subtitle').length
          : undefined;
      if (count === 0 || (count === undefined && index === undefined)) return undefined;
      const has =
        count === undefined
          ? 'has too few subtitle streams'
          : `has ${count} subtitle ${count === 1 ? 'stream' : 'streams'}`;
      return failed(
        'INPUT_INVALID',
        `"${planned.path}" ${has} for "si=${index}": "si" counts subtitle streams only, from 0.`,
        `Send "si=${count === undefined ? 0 : count - 1}".`,
      );
    }
  return undefined;
}

/** Encodings that are common in subtitles of Western languages. */
const WINDOWS = 'WINDOWS-1252';

/** Says which subtitles are not UTF-8. Also for a run that succeeds, without those subtitles. */
export function notUtf8(facts: MediaFacts): MediaFailure {
  const filter = facts.graphs.flatMap(({ filters }) => filters).find(({ name }) => name === 'subtitles');
  const logical = filter?.options.find(({ value }) => value.startsWith('in/'))?.value;
  const ofFilter = facts.plan.inputs.find((one) => one.logical === logical);
  if (filter !== undefined && ofFilter !== undefined) {
    const options = filter.options.map((one) => (one.value === logical ? { ...one, value: ofFilter.path } : one));
    const withEncoding = printChanged({ ...filter, options }, { charenc: WINDOWS });
    return failed(
      'INPUT_INVALID',
      `The subtitles in "${ofFilter.path}" are not UTF-8.`,
      `Name their encoding in the filter, such as ${JSON.stringify(withEncoding)}, or save the file as UTF-8.`,
    );
  }
  const input = facts.inputs.findIndex(({ streams }) => streams.some(({ type }) => type === 'subtitle'));
  const only = facts.inputs.findIndex(({ streams }) => streams.every(({ type }) => type === 'subtitle'));
  const at = only >= 0 ? only : Math.max(0, input);
  return failed(
    'INPUT_INVALID',
    `The subtitles in ${pathOf(facts, at)} are not UTF-8.`,
    `Name their encoding with the input, such as ${inputFix(facts, at, { sub_charenc: WINDOWS })}, or save the file as UTF-8.`,
  );
}
