import type { Rules } from '../contexts.ts';
import { isCopied, ofKind } from '../facts/converted-streams.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import type { MediaFacts } from '../facts/media-facts.ts';
import { emptySelection } from '../failures/nothing-written.ts';

/**
 * Finds encoded streams that are empty because of a filter. Copied streams are excluded: they have another cause. Audio is reported only if
 * a filter expression certainly caused it.
 */
export function emptied(
  facts: MediaFacts,
  pass: Pick<FinishedPass, 'lastBlock' | 'used' | 'outputStreams' | 'complaints'>,
): readonly RunWarning[] {
  const isEmpty = { video: pass.lastBlock?.frame === 0, audio: pass.complaints.wroteSound === false };
  return (['video', 'audio'] as const).flatMap((kind): RunWarning | [] => {
    const isEncoded = ofKind(pass.outputStreams, kind).some(({ index }) => !isCopied(pass, index));
    if (!isEmpty[kind] || !isEncoded) return [];
    const found = emptySelection(facts, kind);
    if (found !== undefined)
      return {
        key: found.key,
        code: 'EMPTY_STREAM',
        message: `The output has no ${kind}: ${found.reason}.`,
        fix: found.fix,
      };
    return kind === 'audio'
      ? []
      : {
          key: 'filter:v',
          code: 'EMPTY_STREAM',
          message: 'The output has no video: no frame of the input is in the part that the request asks for.',
          fix: 'Compare ss, t, to and the filters with the duration of the video, or send "vn": "" for the audio alone.',
        };
  });
}

export const EMPTY_STREAM_RULES: Rules = {
  'empty-streams': {
    finds: 'a stream of the output that a filter left empty',
    run: ({ facts, pass }) => emptied(facts, pass),
  },
};
