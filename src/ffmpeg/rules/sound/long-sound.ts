import { addOption } from '../../../domain/edit.ts';
import type { Rule } from '../contexts.ts';
import type { ForeseenPass, RunWarning } from '../facts/finished-pass.ts';
import { printChanged, sendInstead, withChoice, withFilter } from '../facts/graph-fixes.ts';
import { type MediaFacts, optionValue, secondsText, sourceOf, TIMES } from '../facts/media-facts.ts';
import { requestedSeconds } from '../facts/output-duration.ts';

/** Audio may be longer than the video by this, such as the last tone of a song. */
const TOLERANCE = 0.1;
const TOLERANCE_SECONDS = 1;
/** Options that end the whole output. */
const CUT = /^-(?:shortest|fs|vframes|d?frames(?::v(?::\d+)?)?)$/;

/** Whether the request says where the output ends, so that no audio is too long. */
const hasOwnEnd = ({ argv, plan }: MediaFacts): boolean =>
  argv.some((word) => CUT.test(word)) || requestedSeconds(plan.span.output) !== undefined;

/** Whether audio is so much longer than the video that players would show the last frame for long. */
const outlasts = (sound: number, picture: number): boolean =>
  sound - picture > Math.max(TOLERANCE_SECONDS, picture * TOLERANCE);

/** Ends the output with the video. */
const SHORTEST_FIX = addOption('shortest', '');

/** Audio that is longer than the video of another input: most players then show the last frame until the audio ends. */
const LONG_AUDIO: Rule = {
  id: 'long-audio',
  finds: 'audio that lasts longer than the video of another input',
  files({ facts, pass: { used, outputStreams } }) {
    if (hasOwnEnd(facts)) return [];
    if (facts.usesFilter(TIMES)) return [];
    const [picture, ...pictures] = ofKind(facts, used, 'video');
    const [sound, ...sounds] = ofKind(facts, used, 'audio');
    if (picture === undefined || sound === undefined || pictures.length + sounds.length > 0) return [];
    if (picture.input === sound.input || outputStreams.length < 2) return [];
    const isCover = facts.inputStream(picture.input, picture.stream)?.disposition?.includes('attached_pic') === true;
    const [film, song] = [picture, sound].map(({ input }) => facts.secondsOfInput(input));
    if (isCover || film === undefined || song === undefined) return [];
    if (!outlasts(song, film)) return [];
    const field = facts.plan.inputs[sound.input]?.field;
    return {
      ...(field === undefined ? {} : { field }),
      code: 'UNEQUAL_LENGTHS',
      message: `${facts.pathOf(sound.input)} lasts ${secondsText(song)}, but the picture of ${facts.pathOf(picture.input)} ends after ${secondsText(film)}: most players show its last frame until the end.`,
      fix: SHORTEST_FIX,
    };
  },
};

const ofKind = (facts: MediaFacts, used: ForeseenPass['used'], kind: 'video' | 'audio'): ForeseenPass['used'] =>
  facts.usedOf(kind, used);

const LONG_MIX: Rule = {
  id: 'long-mix',
  finds: 'an `amix` that goes on after the end of the video, or of its shorter inputs',
  /**
   * `amix` lasts as long as its longest sound, such as a song under a short film: most players then show the last picture up
   * to the end. Reported only for a picture that is mapped without filters, and for sound alone if amix has no `duration`.
   */
  filesAndRun({ facts, pass: { used, outputStreams } }) {
    if (hasOwnEnd(facts)) return [];
    const [picture, ...pictures] = used.filter(
      ({ output }) => outputStreams.find(({ index }) => index === output)?.type === 'video',
    );
    const ofPicture = picture && facts.secondsOfInput(picture.input);
    if ((picture !== undefined && ofPicture === undefined) || pictures.length > 0) return [];
    if (outputStreams.filter(({ type }) => type === 'audio').length !== 1) return [];
    const graph = facts.graphs.find(({ key }) => key === 'filter_complex');
    const [mix, ...mixes] = graph?.filters.filter(({ name }) => name === 'amix') ?? [];
    if (graph === undefined || mix === undefined || mixes.length > 0) return [];
    const ends = optionValue(mix, 'duration') ?? 'longest';
    const isAltered = graph.filters.some(({ name }) => TIMES.test(name));
    if (isAltered || !['longest', '0'].includes(ends)) return [];
    const pads = Array.from({ length: Number(optionValue(mix, 'inputs') ?? 2) }, (_, pad) => pad);
    const sounds = pads.flatMap((pad) => {
      const source = sourceOf(facts, graph, mix, pad, TIMES);
      const seconds = source && facts.secondsOfInput(source.input);
      return source === undefined || seconds === undefined ? [] : [{ pad, input: source.input, seconds }];
    });
    const [longest, ...shorter] = sounds.toSorted((a, b) => b.seconds - a.seconds);
    if (longest === undefined || sounds.length < pads.length) return [];
    if (picture === undefined || ofPicture === undefined) {
      const shortest = shorter.at(-1);
      // A fade or a cut of the mix says where it ends.
      const isAsked =
        optionValue(mix, 'duration') !== undefined || graph.filters.some(({ name }) => /^a(?:fade|trim)$/.test(name));
      if (isAsked || shortest === undefined || !outlasts(longest.seconds, shortest.seconds)) return [];
      const duration = shortest.pad === 0 ? 'first' : 'shortest';
      return {
        key: graph.key,
        code: 'UNEQUAL_LENGTHS',
        message: `The filter amix lasts as long as ${facts.pathOf(longest.input)} (${secondsText(longest.seconds)}), but ${facts.pathOf(shortest.input)} ends after ${secondsText(shortest.seconds)}.`,
        fix: withChoice(
          withFilter(facts, graph, mix, printChanged(mix, { duration })),
          'send "duration=longest" in amix if the longer one is to play on',
        ),
      };
    }
    if (!outlasts(longest.seconds, ofPicture)) return [];
    const isFirst = sounds.find(({ pad }) => pad === 0)?.input === picture.input;
    const isShortest = Math.min(...sounds.map(({ seconds }) => seconds)) >= ofPicture;
    const duration = isFirst ? 'first' : isShortest ? 'shortest' : undefined;
    return {
      key: graph.key,
      code: 'UNEQUAL_LENGTHS',
      message: `The filter amix lasts as long as ${facts.pathOf(longest.input)} (${secondsText(longest.seconds)}), but the picture of ${facts.pathOf(picture.input)} ends after ${secondsText(ofPicture)}.`,
      fix: duration === undefined ? SHORTEST_FIX : withFilter(facts, graph, mix, printChanged(mix, { duration })),
    };
  },
};

/** A delay up to this, in seconds, is not reported. Frames that an encoder buffers cause a longer delay. */
const BUFFERED_SECONDS = 1;

/** How many frames libx264 buffers, by preset. With the other presets, it buffers few. Measured with ffmpeg 5.1. */
const BUFFERED_FRAMES: Readonly<Record<string, number>> = {
  veryfast: 20,
  faster: 30,
  fast: 40,
  medium: 50,
  slow: 60,
  slower: 70,
  veryslow: 70,
};

const LATE_SHORTEST: Rule = {
  id: 'late-shortest',
  finds: '`shortest` beside a looped image, which ends the output later than the audio',
  /**
   * `shortest` beside a looped image. Up to ffmpeg 5, the output ends only after the frames that the video encoder has buffered, so
   * its end is silent.
   */
  run({ facts, pass }) {
    const sound = soundBesideLoop(facts, pass);
    const { writtenSeconds } = pass;
    if (sound === undefined || writtenSeconds === undefined) return [];
    const late = writtenSeconds - sound.seconds;
    return late <= BUFFERED_SECONDS ? [] : [lateBy(facts, sound, `"shortest" ended the output ${secondsText(late)}`)];
  },
  /** The same before the run. The release of the worker's ffmpeg is not known here. */
  files({ facts, pass }) {
    const sound = soundBesideLoop(facts, pass);
    const { codec, fps } = pass.outputStreams.find(({ type }) => type === 'video') ?? {};
    const frames = BUFFERED_FRAMES[facts.argumentOf('preset') ?? facts.argumentOf('preset:v') ?? 'medium'];
    const isDirect = facts.argumentOf('tune') === 'zerolatency';
    if (sound === undefined || codec !== 'libx264' || fps === undefined || frames === undefined || isDirect) return [];
    const late = frames / fps;
    if (late <= BUFFERED_SECONDS) return [];
    return [lateBy(facts, sound, `With ffmpeg 5, "shortest" ends the output up to ${secondsText(late)}`)];
  },
};

/** An audio input and its duration. */
interface TimedSound {
  readonly input: number;
  readonly seconds: number;
}

const lateBy = (facts: MediaFacts, { input, seconds }: TimedSound, what: string): RunWarning => ({
  key: 'shortest',
  code: 'UNEQUAL_LENGTHS',
  message: `${what} after the end of ${facts.pathOf(input)} (${secondsText(seconds)}): the end is silent.`,
  fix: sendInstead('shortest', 't', `${Number(seconds.toFixed(2))}`),
});

/** The audio with which "shortest" should end a looped image. undefined if the output has no looped image, or another end. */
function soundBesideLoop(
  facts: MediaFacts,
  { used, outputStreams }: Pick<ForeseenPass, 'used' | 'outputStreams'>,
): TimedSound | undefined {
  if (!facts.argv.includes('-shortest') || facts.plan.span.output.duration !== undefined) return undefined;
  if (facts.plan.span.output.end !== undefined || !outputStreams.some(({ type }) => type === 'video')) return undefined;
  const sound = used.find(({ input, stream }) => facts.inputStream(input, stream)?.type === 'audio');
  const seconds = facts.secondsOfSound(used);
  const isLooped = facts.inputs.some((_one, input) => {
    const args = facts.inputArgs(input);
    return input !== sound?.input && (args.includes('-loop') || args.includes('-stream_loop'));
  });
  return isLooped && sound !== undefined && seconds !== undefined ? { input: sound.input, seconds } : undefined;
}

export const LONG_SOUND_RULES: readonly Rule[] = [LONG_AUDIO, LONG_MIX, LATE_SHORTEST];
