import { addOption } from '@telecine/contract/domain/edit.ts';
import { requestedSeconds } from '../../values/span-length.ts';
import { type FileContext, type Rules, type RunFindings, unequalLengths } from '../contexts.ts';
import { isCover, ofKind } from '../facts/converted-streams.ts';
import { withChoice } from '../facts/graph-fixes.ts';
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
};
