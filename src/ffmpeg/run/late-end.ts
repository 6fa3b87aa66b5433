import { sendOption } from '../values/value-error.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { inputArgs, inputStream, type MediaFacts, pathOf, secondsText, withField } from './media-facts.ts';
import { secondsOfSound } from './sound-seconds.ts';

/** What encoders buffer of a picture, in seconds, is more. */
const TOLERANCE_SECONDS = 1;

/**
 * `shortest` beside a looped picture. Up to ffmpeg 5, the output ends only after the frames that the encoder of the picture
 * has buffered, so its end is silent.
 */
export function lateEnd(
  facts: MediaFacts,
  { used, writtenSeconds, outputStreams }: FinishedPass,
): readonly RunWarning[] {
  if (!facts.argv.includes('-shortest') || facts.plan.span.output.duration !== undefined) return [];
  if (facts.plan.span.output.end !== undefined || !outputStreams.some(({ type }) => type === 'video')) return [];
  const sound = used.find(({ input, stream }) => inputStream(facts, input, stream)?.type === 'audio');
  const seconds = secondsOfSound(facts, used);
  const isLooped = facts.inputs.some((_one, input) => {
    const args = inputArgs(facts, input);
    return input !== sound?.input && (args.includes('-loop') || args.includes('-stream_loop'));
  });
  if (!isLooped || sound === undefined || seconds === undefined || writtenSeconds === undefined) return [];
  if (writtenSeconds - seconds <= TOLERANCE_SECONDS) return [];
  return [
    withField(facts, 'shortest', {
      code: 'UNEQUAL_LENGTHS',
      message: `"shortest" ended the output ${secondsText(writtenSeconds - seconds)} after ${pathOf(facts, sound.input)}, which has ${secondsText(seconds)}: the end is silent.`,
      fix: sendOption('t', String(Number(seconds.toFixed(2)))).replace(/\.$/, ' instead of "shortest".'),
    }),
  ];
}
