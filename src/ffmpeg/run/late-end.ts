import type { FinishedPass, ForeseenPass, RunWarning } from './finished-pass.ts';
import { sendInstead } from './graph-fixes.ts';
import { argumentOf, inputArgs, inputStream, type MediaFacts, pathOf, secondsText, withField } from './media-facts.ts';
import { secondsOfSound } from './sound-seconds.ts';

/** What encoders buffer of a picture, in seconds, is more. */
const TOLERANCE_SECONDS = 1;

/**
 * `shortest` beside a looped picture. Up to ffmpeg 5, the output ends only after the frames that the encoder of the picture
 * has buffered, so its end is silent.
 */
export function lateEnd(facts: MediaFacts, pass: FinishedPass): readonly RunWarning[] {
  const sound = soundBesideLoop(facts, pass);
  const { writtenSeconds } = pass;
  if (sound === undefined || writtenSeconds === undefined) return [];
  const late = writtenSeconds - sound.seconds;
  return late <= TOLERANCE_SECONDS ? [] : [lateBy(facts, sound, `"shortest" ended the output ${secondsText(late)}`)];
}

/** What libx264 buffers of a picture, in frames. Of other presets, it is little. Measured with ffmpeg 5.1. */
const BUFFERED_FRAMES: Readonly<Record<string, number>> = {
  veryfast: 20,
  faster: 30,
  fast: 40,
  medium: 50,
  slow: 60,
  slower: 70,
  veryslow: 70,
};

/** The same before the run. The release of the worker's ffmpeg is not known here. */
export function foreseenLateEnd(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  const sound = soundBesideLoop(facts, pass);
  const { codec, fps } = pass.outputStreams.find(({ type }) => type === 'video') ?? {};
  const frames = BUFFERED_FRAMES[argumentOf(facts, 'preset') ?? argumentOf(facts, 'preset:v') ?? 'medium'];
  const isDirect = argumentOf(facts, 'tune') === 'zerolatency';
  if (sound === undefined || codec !== 'libx264' || fps === undefined || frames === undefined || isDirect) return [];
  const late = frames / fps;
  if (late <= TOLERANCE_SECONDS) return [];
  return [lateBy(facts, sound, `With ffmpeg 5, "shortest" ends the output up to ${secondsText(late)}`)];
}

/** A sound and its seconds. */
interface TimedSound {
  readonly input: number;
  readonly seconds: number;
}

const lateBy = (facts: MediaFacts, { input, seconds }: TimedSound, what: string): RunWarning =>
  withField(facts, 'shortest', {
    code: 'UNEQUAL_LENGTHS',
    message: `${what} after ${pathOf(facts, input)}, which has ${secondsText(seconds)}: the end is silent.`,
    fix: sendInstead('shortest', 't', `${Number(seconds.toFixed(2))}`),
  });

/** The sound with which "shortest" should end a looped picture. undefined if the output has no such picture, or another end. */
function soundBesideLoop(
  facts: MediaFacts,
  { used, outputStreams }: Pick<ForeseenPass, 'used' | 'outputStreams'>,
): TimedSound | undefined {
  if (!facts.argv.includes('-shortest') || facts.plan.span.output.duration !== undefined) return undefined;
  if (facts.plan.span.output.end !== undefined || !outputStreams.some(({ type }) => type === 'video')) return undefined;
  const sound = used.find(({ input, stream }) => inputStream(facts, input, stream)?.type === 'audio');
  const seconds = secondsOfSound(facts, used);
  const isLooped = facts.inputs.some((_one, input) => {
    const args = inputArgs(facts, input);
    return input !== sound?.input && (args.includes('-loop') || args.includes('-stream_loop'));
  });
  return isLooped && sound !== undefined && seconds !== undefined ? { input: sound.input, seconds } : undefined;
}
