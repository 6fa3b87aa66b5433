import type { Rule } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import { type MediaFacts, withField } from '../facts/media-facts.ts';
import { emptySelection } from '../failures/nothing-written.ts';

/** Streams without a frame in an output that has others. Of sound, only an expression is a sure cause. */
function emptiedStreams(
  facts: MediaFacts,
  kinds: readonly ('video' | 'audio')[],
): readonly (RunWarning & { readonly key: string })[] {
  return kinds.flatMap((kind) => {
    const found = emptySelection(facts, kind);
    if (found === undefined) return kind === 'video' ? [NO_FRAME] : [];
    const { key, reason, fix } = found;
    const what = kind === 'video' ? 'no picture' : 'no sound';
    return { key, code: 'EMPTY_STREAM', message: `The output has ${what}: ${reason}.`, fix };
  });
}

const NO_FRAME: RunWarning & { readonly key: string } = {
  key: 'filter:v',
  code: 'EMPTY_STREAM',
  message: 'The output has no picture: no frame of the input is in the part that the request asks for.',
  fix: 'Compare ss, t, to and the filters with the duration of the picture, or send "vn": "" for the sound alone.',
};

/** Kinds of streams of which nothing was written, because of a filter. A copy has another cause. */
export function emptied(
  facts: MediaFacts,
  pass: Pick<FinishedPass, 'lastBlock' | 'used' | 'outputStreams' | 'complaints'>,
) {
  const isWritten = (kind: 'video' | 'audio'): boolean =>
    pass.outputStreams.some(
      ({ type, index }) => type === kind && !pass.used.some(({ output, copied }) => output === index && copied),
    );
  const kinds = [
    ...(pass.lastBlock?.frame === 0 && isWritten('video') ? (['video'] as const) : []),
    ...(pass.complaints.wroteSound === false && isWritten('audio') ? (['audio'] as const) : []),
  ];
  return emptiedStreams(facts, kinds).map(({ key, ...warning }) => withField(facts, key, warning));
}

const EMPTY_STREAMS: Rule = {
  id: 'empty-streams',
  finds: 'a stream of the output that a filter left empty',
  run: ({ facts, pass }) => emptied(facts, pass),
};

export const EMPTY_STREAM_RULES: readonly Rule[] = [EMPTY_STREAMS];
