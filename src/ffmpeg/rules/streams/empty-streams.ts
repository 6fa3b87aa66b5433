import type { Rule } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import type { MediaFacts } from '../facts/media-facts.ts';
import { emptySelection } from '../failures/nothing-written.ts';

const NO_FRAME: RunWarning = {
  key: 'filter:v',
  code: 'EMPTY_STREAM',
  message: 'The output has no picture: no frame of the input is in the part that the request asks for.',
  fix: 'Compare ss, t, to and the filters with the duration of the picture, or send "vn": "" for the sound alone.',
};

/**
 * Streams of an output that has others, of which nothing was written because of a filter. A copy has another cause. Of sound, only an
 * expression is a sure cause.
 */
export function emptied(
  facts: MediaFacts,
  {
    lastBlock,
    used,
    outputStreams,
    complaints,
  }: Pick<FinishedPass, 'lastBlock' | 'used' | 'outputStreams' | 'complaints'>,
): readonly RunWarning[] {
  const isEncoded = (kind: string): boolean =>
    outputStreams.some(
      ({ type, index }) => type === kind && !used.some(({ output, copied }) => output === index && copied),
    );
  const isEmpty = { video: lastBlock?.frame === 0, audio: complaints.wroteSound === false };
  return (['video', 'audio'] as const).flatMap((kind): RunWarning | [] => {
    if (!isEmpty[kind] || !isEncoded(kind)) return [];
    const found = emptySelection(facts, kind);
    if (found === undefined) return kind === 'video' ? NO_FRAME : [];
    const { key, reason, fix } = found;
    const what = kind === 'video' ? 'no picture' : 'no sound';
    return { key, code: 'EMPTY_STREAM', message: `The output has ${what}: ${reason}.`, fix };
  });
}

const EMPTY_STREAMS: Rule = {
  id: 'empty-streams',
  finds: 'a stream of the output that a filter left empty',
  run: ({ facts, pass }) => emptied(facts, pass),
};

export const EMPTY_STREAM_RULES: readonly Rule[] = [EMPTY_STREAMS];
