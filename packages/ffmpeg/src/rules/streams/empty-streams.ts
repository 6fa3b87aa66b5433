import { emptyStream, type Rules, type RunWarning } from '../contexts.ts';
import { isCopied, ofKind } from '../facts/converted-streams.ts';
import type { FinishedPass, StreamFacts } from '../facts/finished-pass.ts';
import type { MediaFacts } from '../facts/media-facts.ts';
import { emptySelection } from '../failures/nothing-written.ts';

/** Finds encoded streams that a filter left empty (for audio, only `aselect`). `copyWithoutFrames` finds empty copies. */
export function emptied(facts: MediaFacts, pass: StreamFacts & Pick<FinishedPass, 'complaints'>) {
  const isEmpty = { video: pass.lastBlock?.frame === 0, audio: pass.complaints.wroteAudio === false };
  return (['video', 'audio'] as const).flatMap((kind): RunWarning | [] => {
    const isEncoded = ofKind(pass.outputStreams, kind).some(({ index }) => !isCopied(pass, index));
    if (!isEmpty[kind] || !isEncoded) return [];
    const found = emptySelection(facts, kind);
    if (found !== undefined)
      return emptyStream(`The output has no ${kind}: ${found.reason}.`, found.fix, { key: found.key });
    return kind === 'audio'
      ? []
      : emptyStream(
          'The output has no video: no frame of the input is in the part that the request asks for.',
          'Compare ss, t, to and the filters with the duration of the video, or send "vn": "" for the audio alone.',
          { key: 'filter:v' },
        );
  });
}

export const EMPTY_STREAM_RULES: Rules = {
  'empty-streams': {
    finds: 'a stream of the output that a filter left empty',
    run: ({ facts, pass }) => emptied(facts, pass),
  },
};
