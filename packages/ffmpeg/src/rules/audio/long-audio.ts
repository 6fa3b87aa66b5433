import { addOption } from '@telecine/contract/domain/edit.ts';
import { requestedSeconds } from '../../values/span-length.ts';
import { type FileContext, type Rules, type RunFindings, type RunWarning, unequalLengths } from '../contexts.ts';
import { isCover, ofKind } from '../facts/converted-streams.ts';
import { sendInstead, withChoice } from '../facts/graph-fixes.ts';
import { type MediaFacts, secondsText, TIMES } from '../facts/media-facts.ts';
import { filtersIn } from '../facts/placed-filter.ts';

const CUT = /^-(?:shortest|fs|vframes|d?frames(?::v(?::\d+)?)?)$/;

/** True if the request itself ends the output, such as with `t`. Longer audio is then not a mistake. */
const hasOwnEnd = (facts: MediaFacts): boolean =>
  facts.hasOption(CUT) || requestedSeconds(facts.plan.span.output) !== undefined;

/** True if players show the last frame for a noticeable time. A small difference is usual, such as the last tone of a song. */
const outlasts = (audio: number, video: number): boolean => audio - video > Math.max(1, video * 0.1);

const SHORTEST_FIX = addOption('shortest', '');

/**
 * Finds an `amix` that outlasts the video, such as a long song under a short video. The video must be mapped without filters. In an output
 * without video, finds an `amix` that outlasts its shortest input and has no `duration`.
 */
function longMix({ facts, pass: { used, outputStreams } }: FileContext): RunFindings {
  const videos = ofKind(outputStreams, 'video').map(({ index }) => index);
  const [video, ...others] = used.filter(({ output }) => output !== undefined && videos.includes(output));
  const shown = video && facts.secondsOfInput(video.input);
  if (hasOwnEnd(facts) || (video !== undefined && shown === undefined) || others.length > 0) return undefined;
  const [graph] = facts.complexGraphs;
  const [mix, ...mixes] = filtersIn(facts, 'amix').filter((at) => at.graph === graph);
  if (ofKind(outputStreams, 'audio').length !== 1 || mix === undefined || mixes.length > 0) return undefined;
  const isAltered = mix.others.some(({ name }) => TIMES.test(name));
  if (isAltered || !['longest', '0'].includes(mix.option('duration') ?? 'longest')) return undefined;
  const pads = Array.from({ length: Number(mix.option('inputs') ?? 2) }, (_, pad) => ({ pad, ...mix.timed(pad) }));
  const inputs = pads.flatMap(({ pad, input, seconds }) =>
    input === undefined || seconds === undefined ? [] : [{ pad, input, seconds }],
  );
  const [longest, ...shorter] = inputs.toSorted((a, b) => b.seconds - a.seconds);
  if (longest === undefined || inputs.length < pads.length) return undefined;
  const lasts = `The filter amix lasts as long as ${facts.pathOf(longest.input)} (${secondsText(longest.seconds)})`;
  const { key } = mix.graph;
  if (video === undefined || shown === undefined) {
    const shortest = shorter.at(-1);
    // A `duration`, a fade or a trim means that the client chose the end of the mix.
    const isAsked =
      mix.option('duration') !== undefined || mix.others.some(({ name }) => /^a(?:fade|trim)$/.test(name));
    if (isAsked || shortest === undefined || !outlasts(longest.seconds, shortest.seconds)) return undefined;
    return unequalLengths(
      `${lasts}, but ${facts.pathOf(shortest.input)} ends after ${secondsText(shortest.seconds)}.`,
      withChoice(
        mix.change({ duration: shortest.pad === 0 ? 'first' : 'shortest' }),
        'send "duration=longest" in amix if the longer one is to play on',
      ),
      { key },
    );
  }
  if (!outlasts(longest.seconds, shown)) return undefined;
  const isFirst = inputs.find(({ pad }) => pad === 0)?.input === video.input;
  const isShortest = Math.min(...inputs.map(({ seconds }) => seconds)) >= shown;
  const duration = isFirst ? 'first' : isShortest ? 'shortest' : undefined;
  return unequalLengths(
    `${lasts}, but the video of ${facts.pathOf(video.input)} ends after ${secondsText(shown)}.`,
    duration === undefined ? SHORTEST_FIX : mix.change({ duration }),
    { key },
  );
}

/** In seconds. Only the frames in the buffer of a video encoder can make `shortest` end an output later than this. */
const BUFFERED_SECONDS = 1;

/** The number of frames that libx264 buffers with a `preset` (measured with ffmpeg 5.1). Other presets buffer only a few. */
const BUFFERED_FRAMES: Readonly<Record<string, number>> = {
  ...{ veryfast: 20, faster: 30, fast: 40, medium: 50, slow: 60, slower: 70, veryslow: 70 },
};

type TimedAudio = Readonly<{ input: number; seconds: number }>;

const lateBy = (facts: MediaFacts, { input, seconds }: TimedAudio, what: string): RunWarning =>
  unequalLengths(
    `${what} after the end of ${facts.pathOf(input)} (${secondsText(seconds)}): the end is silent.`,
    sendInstead('shortest', 't', `${Number(seconds.toFixed(2))}`),
    { key: 'shortest' },
  );

/** Returns the audio at whose end `shortest` should end a looped image. undefined: no image is looped, or `t` or `to` ends the output. */
function audioBesideLoop({ facts, pass }: FileContext): TimedAudio | undefined {
  const { duration, end } = facts.plan.span.output;
  if (!facts.has('shortest') || duration !== undefined || end !== undefined) return undefined;
  const input = facts.usedOf('audio')[0]?.input;
  const seconds = facts.secondsOfAudio();
  const isLooped = facts.inputs.some((_one, other) => {
    const args = facts.inputArgs(other);
    return other !== input && (args.includes('-loop') || args.includes('-stream_loop'));
  });
  if (!isLooped || ofKind(pass.outputStreams, 'video').length === 0) return undefined;
  return input === undefined || seconds === undefined ? undefined : { input, seconds };
}

export const LONG_AUDIO_RULES: Rules = {
  'long-audio': {
    finds: 'audio that lasts longer than the video of another input',
    files({ facts, pass }) {
      const [video, ...videos] = facts.usedOf('video', pass.used);
      const [audio, ...audios] = facts.usedOf('audio', pass.used);
      if (hasOwnEnd(facts) || facts.usesFilter(TIMES) || pass.outputStreams.length < 2) return [];
      if (video === undefined || audio === undefined || videos.length + audios.length > 0) return [];
      const [shown, heard] = [facts.secondsOfInput(video.input), facts.secondsOfInput(audio.input)];
      if (video.input === audio.input || isCover(facts.inputStream(video.input, video.stream))) return [];
      if (shown === undefined || heard === undefined || !outlasts(heard, shown)) return [];
      const field = facts.plan.inputs[audio.input]?.field;
      return unequalLengths(
        `${facts.pathOf(audio.input)} lasts ${secondsText(heard)}, but the video of ${facts.pathOf(video.input)} ends after ${secondsText(shown)}: most players show its last frame until the end.`,
        SHORTEST_FIX,
        field === undefined ? {} : { field },
      );
    },
  },

  'long-mix': {
    finds: 'an `amix` that goes on after the end of the video, or of its shorter inputs',
    filesAndRun: longMix,
  },

  /** With ffmpeg 5, `shortest` ends the output only after the frames in the buffer of the video encoder. */
  'late-shortest': {
    finds: '`shortest` beside a looped image, which ends the output later than the audio',
    run(context) {
      const audio = audioBesideLoop(context);
      const late = (context.pass.writtenSeconds ?? 0) - (audio?.seconds ?? 0);
      if (audio === undefined || late <= BUFFERED_SECONDS) return [];
      return lateBy(context.facts, audio, `"shortest" ended the output ${secondsText(late)}`);
    },
    /** Warns that ffmpeg 5 would end the output late. Which release the worker has is unknown before the run. */
    files(context) {
      const { facts, pass } = context;
      const audio = audioBesideLoop(context);
      const { codec, fps } = ofKind(pass.outputStreams, 'video')[0] ?? {};
      const frames = BUFFERED_FRAMES[facts.argumentOf('preset') ?? facts.argumentOf('preset:v') ?? 'medium'] ?? 0;
      const late = frames / (fps ?? Number.POSITIVE_INFINITY);
      const isDirect = codec !== 'libx264' || facts.argumentOf('tune') === 'zerolatency';
      if (audio === undefined || isDirect || late <= BUFFERED_SECONDS) return [];
      return lateBy(facts, audio, `With ffmpeg 5, "shortest" ends the output up to ${secondsText(late)}`);
    },
  },
};
