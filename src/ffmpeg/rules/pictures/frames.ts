import { addOption, editsText, hasEdits, orElse, sendOption, sendValue, withMore } from '../../../domain/edit.ts';
import { type Hint, withAdvice } from '../../../domain/hint.ts';
import type { OutputStream } from '../../../domain/job.ts';
import { extension, type MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { printFilter } from '../../filtergraph/graph.ts';
import { type ArgvOption, allFilters, lastValue } from '../../plan/request/argv-option.ts';
import { isFilmExtension, meantCounter, withCounter } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { readRate } from '../../values/rate.ts';
import { quoted } from '../../values/value-error.ts';
import type { FormatField, Rule, RunContext } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import { printChanged } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';

/** Filters that make one picture of a whole input. */
const ONE_PICTURE: ReadonlySet<string> = new Set(['palettegen', 'showwavespic', 'showspectrumpic']);

/** Filters that choose several pictures of a film. */
const SEVERAL: ReadonlySet<string> = new Set(['fps', 'select', 'framestep', 'mpdecimate']);

/** Encoders of animations, and the formats that hold all of their frames. */
const ANIMATED: ReadonlyMap<string, string> = new Map([
  ['apng', 'apng'],
  ['gif', 'gif'],
  ['libwebp_anim', 'webp'],
]);

/**
 * Warns about a film that becomes one picture. ffmpeg writes every frame to the same file, so the last one stays.
 * Without this service, ffmpeg keeps the first frame and complains about the second.
 */
export function lastFrameOnly(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  output: MediaPath,
  formatField: FormatField,
): readonly Warning[] {
  const isFilm = inputs.some(({ source }) => source.sequence !== undefined || isFilmExtension(extension(source.path)));
  const frames = options.find(({ name }) => name.name === 'frames');
  const isOne = frames !== undefined && !(Number(frames.values[0]) > 1);
  // A request with `update` knows that each frame replaces the one before.
  const isChosen = isOne || options.some(({ name }) => name.name === 'update');
  const filters = allFilters(options);
  if (!isFilm || isChosen || filters.some(({ name }) => ONE_PICTURE.has(name))) return [];
  const counter = meantCounter(output);
  if (counter !== undefined)
    return [
      {
        field: '/output',
        code: 'LAST_FRAME',
        message: `The output is one picture: ${quoted(counter.placeholder)} in its name is no counter, so only the last frame is kept.`,
        fix: sendValue(counter.meant),
      },
    ];
  const encoder = lastValue('c:v', options) ?? lastValue('c', options) ?? '';
  const animated = ANIMATED.get(encoder);
  if (animated !== undefined)
    return [
      {
        field: formatField,
        code: 'LAST_FRAME',
        message: `The output is one picture, of the last frame: by its name it has a format for pictures, although ${encoder} encodes animations.`,
        fix:
          formatField === '/output'
            ? addOption('format', animated)
            : sendOption(formatField === '/format' ? 'format' : 'f', animated),
      },
    ];
  const wantsMany = filters.some(({ name }) => SEVERAL.has(name)) || options.some(({ key }) => key === 'r');
  return [
    {
      field: '/output',
      code: 'LAST_FRAME',
      message: 'The output is one picture: of all frames of the input, only the last is kept.',
      fix: wantsMany
        ? `For all frames, send an output with a counter: ${quoted(withCounter(output))}. For the first, "frames:v": "1".`
        : 'Send "frames:v": "1" for the first frame, with "ss" for a later one.',
    },
  ];
}

/** ffmpeg reads pictures at this rate, unless "framerate" sets another. */
const DEFAULT_RATE = 25;

/** Warns about `r` for the pictures of a sequence: it only leaves pictures out, or repeats them. */
const SEQUENCE_FRAME_RATE: Rule = {
  id: 'sequence-frame-rate',
  finds: '`r` for an image sequence, which ffmpeg reads at 25 images per second all the same',
  about: ['r'],
  plan({ options, opened: inputs }) {
    const [only, ...others] = inputs;
    const rate = options.find(({ key }) => key === 'r');
    const value = rate?.values[0] ?? '';
    const number = readRate(value);
    if (only?.source.sequence === undefined || others.length > 0 || rate === undefined || number === undefined)
      return [];
    const hasRate = only.options.some(({ name }) => name.name === 'framerate' || name.name === 'r');
    if (hasRate || Math.abs(number - DEFAULT_RATE) < 0.1) return [];
    return {
      field: rate.field,
      code: 'UNUSUAL_VALUE',
      message: `"r" is the frame rate of the output: the pictures are read at ${DEFAULT_RATE} per second, and most are ${number < DEFAULT_RATE ? 'left out' : 'repeated'}.`,
      fix: sendOption('framerate', value),
    };
  },
};

/** A film that became one picture. Of all frames, the last one is left. */
const LAST_FRAME_ONLY: Rule = {
  id: 'last-frame-only',
  finds: 'a video that becomes one image, so that only its last frame is kept',
  plan: ({ options, singlePicture, opened, formatField }) =>
    singlePicture === undefined ? [] : lastFrameOnly(options, opened, singlePicture, formatField),
  run({ pass: { lastBlock }, options }) {
    const frames = lastBlock?.frame ?? 0;
    if (!options.replacesPicture || frames < 2) return [];
    return {
      field: '/output',
      code: 'LAST_FRAME',
      message: `The output is one picture: of ${frames} frames, only the last is kept.`,
      fix: { ...addOption('frames:v', '1'), note: 'That is the first frame. For a later one, send "ss" too.' },
    };
  },
};

/** A stream of an input, and the stream of the output that an encoder made of it. */
interface EncodedStream {
  readonly from: OutputStream;
  readonly to: OutputStream;
}

/** The encoded streams of one kind. A copy has the properties of the input. */
export const encodedStreams = (
  { inputs, used, outputStreams }: FinishedPass,
  kind: OutputStream['type'],
): readonly EncodedStream[] =>
  used.flatMap(({ input, stream, output, copied }) => {
    const from = inputs[input]?.streams.find(({ index }) => index === stream);
    const to = outputStreams.find(({ index }) => index === output);
    return copied || from?.type !== kind || to?.type !== kind ? [] : [{ from, to }];
  });

/** Opus has one sample rate, whatever the input has. */
const ONE_RATE: ReadonlySet<string> = new Set(['opus']);

const CHANGED_SAMPLE_RATE: Rule = {
  id: 'changed-sample-rate',
  finds: 'a sample rate that changed, although no option asks for it',
  run: ({ pass, options }) =>
    encodedStreams(pass, 'audio').flatMap(({ from, to }): RunWarning | [] => {
      const [before, after] = [from.sampleRate, to.sampleRate];
      if (before === undefined || after === undefined || before === after) return [];
      if (options.setsSampleRate || ONE_RATE.has(to.codec)) return [];
      return {
        code: 'SAMPLE_RATE_CHANGED',
        message: `The sample rate of stream ${to.index} changed from ${before} to ${after} Hz, although no option asks for it.`,
        fix:
          after > before
            ? { ...addOption('ar', `${before}`), why: 'this keeps the sample rate' }
            : `Send "ar": "${after}" if this sample rate is meant.`,
      };
    }),
};

/** A frame rate that no option asks for. */
export function changedFrameRate({ pass, options }: RunContext): readonly RunWarning[] {
  const { repeatedFrames = 0, droppedFrames = 0 } = pass.lastBlock ?? { repeatedFrames: 1 };
  // A film of variable frame rate has a nominal rate, which ffmpeg writes without changing a frame.
  const isResampled = repeatedFrames + droppedFrames > 0;
  if (!isResampled || options.setsFrameRate) return [];
  return encodedStreams(pass, 'video').flatMap(({ from: { fps }, to }): RunWarning | [] => {
    // Phones record a rate that varies a little, and ffmpeg writes the nominal one.
    if (fps === undefined || to.fps === undefined || Math.abs(to.fps / fps - 1) <= 0.05) return [];
    return {
      code: 'FRAME_RATE_CHANGED',
      message: `The frame rate changed from ${fps} to ${to.fps} frames per second, although no option asks for it.`,
      fix: `Send "r": "${rateText(to.fps)}" if this frame rate is meant, or an encoder that supports every frame rate, such as "c:v": "libx264".`,
    };
  });
}

/** An exact value of the option `r`: `25`, `30000/1001`. */
function rateText(fps: number): string {
  const nominal = Math.round(fps * 1.001);
  return Math.abs(fps * 1.001 - nominal) < 0.001 && !Number.isInteger(fps) ? `${nominal * 1000}/1001` : `${fps}`;
}

/** A share of repeated or dropped frames below this is usual at the start and the end. */
const UNEVEN_SHARE = 0.1;
const UNEVEN_COUNT = 10;

const TIMES_FIX = orElse(addOption('fps_mode', 'vfr'), '"r" for another frame rate');

const UNEVEN_FRAMES: Rule = {
  id: 'uneven-frames',
  finds: 'many frames that ffmpeg repeated or dropped for a constant frame rate',
  supersedes: ['changed-frame-rate'],
  run(context) {
    const { pass, options } = context;
    const [rate] = changedFrameRate(context);
    const { frame = 0, repeatedFrames = 0, droppedFrames = 0 } = pass.lastBlock ?? {};
    if (options.setsFrameRate) return [];
    const isMany = (count: number): boolean => count >= UNEVEN_COUNT && count >= UNEVEN_SHARE * (frame + droppedFrames);
    const fix = rate?.fix ?? TIMES_FIX;
    const cause = rate === undefined ? '' : ` ${rate.message}`;
    const warnings: RunWarning[] = [];
    if (isMany(repeatedFrames))
      warnings.push({
        code: 'FRAMES_REPEATED',
        message: `ffmpeg repeated ${repeatedFrames} of ${frame} frames to get a constant frame rate.${cause}`,
        fix,
      });
    if (isMany(droppedFrames))
      warnings.push({
        code: 'FRAMES_DROPPED',
        message: `ffmpeg dropped ${droppedFrames} frames, and the output has ${frame}.${cause}`,
        fix,
      });
    return warnings;
  },
};

type Filter = ArgvGraph['filters'][number];

/** A share of repeated frames from which a film stands still where frames were dropped. */
const MIN_SHARE = 0.1;
const MIN_FRAMES = 10;

/** Filters after which frames have other times, or a rate that was asked for. */
const RETIMING = /^(?:setpts|fps|framerate|minterpolate|tile|concat|xfade|loop|tpad|zoompan)$/;

/** Chooses frames by their times alone, so that sound can be cut in the same way. */
const BY_TIME = /^(?:(?:between|[gl]te?)\(t,[\d.]+(?:,[\d.]+)?\)|[+*])+$/;

/** Keeps one end of the film, whose place in the time of the film may be meant. */
const ONE_END = /^[gl]te?\(t,[\d.]+\)$/;

/** Numbers the frames of a filter anew, at the frame rate of its input. */
const CLOSE_GAPS = 'setpts=N/FRAME_RATE/TB';

/** Formats of variable frame rate since ffmpeg 7.1. Before, they had a constant one, and other formats still do. */
const LATELY_VARIABLE: ReadonlySet<string> = new Set(['mp4', 'mov']);

/**
 * A film whose `select` dropped frames and kept the times of the others: in a format of constant frame rate, ffmpeg fills
 * the gaps, so the film is as long as before and stands still in them. Formats of variable frame rate have the gaps
 * themselves, which may be meant. MP4 and MOV changed from one kind to the other, so there the gaps are no more meant than
 * before.
 */
const FILLED_GAPS: Rule = {
  id: 'filled-gaps',
  finds: 'gaps that `select` leaves in a video, in which it stands still',
  supersedes: ['uneven-frames'],
  run({ facts, pass: { lastBlock, outputStreams } }) {
    const { frame = 0, repeatedFrames = 0 } = lastBlock ?? {};
    const missing = repeatedFrames > 0 ? 0 : missingFrames(facts, { lastBlock, outputStreams });
    const [standing, all] = [repeatedFrames + missing, frame + missing];
    if (standing < MIN_FRAMES || standing < MIN_SHARE * all) return [];
    const asks = facts.argv.some((word) => /^-(?:fps_mode|vsync|r)(?::|$)/.test(word));
    const [film, ...films] = outputStreams.filter(({ type }) => type === 'video');
    if (asks || film === undefined || films.length > 0 || facts.plan.output.muxer === 'image2') return [];
    for (const at of filtersIn(facts, 'select')) {
      const { graph, filter } = at;
      if (isRetimed(graph, filter) || ONE_END.test(expressionOf(filter))) continue;
      return {
        key: graph.key,
        code: 'FRAMES_REPEATED',
        message:
          missing > 0
            ? `${missing} of ${all} frames are missing: the filter select drops frames and keeps the times of the others, and the film stands still in the gaps.`
            : `${repeatedFrames} of ${frame} frames repeat the one before: the filter select drops frames and keeps the times of the others, and ffmpeg fills the gaps.`,
        fix: closingFix(at, outputStreams),
      };
    }
    return [];
  },
};

/** How many frames a film of MP4 or MOV lacks for the frame rate of its input. */
function missingFrames(
  facts: MediaFacts,
  { lastBlock, outputStreams }: Pick<FinishedPass, 'lastBlock' | 'outputStreams'>,
): number {
  const { frame = 0, outSeconds = 0 } = lastBlock ?? {};
  const read = facts.used.map(({ input, stream }) => facts.inputStream(input, stream));
  const rates = [...read, ...outputStreams].flatMap((stream) => (stream?.type === 'video' ? (stream.fps ?? []) : []));
  if (frame === 0 || rates.length === 0 || !LATELY_VARIABLE.has(facts.plan.output.muxer)) return 0;
  return Math.max(0, Math.round(outSeconds * Math.min(...rates)) - frame);
}

const expressionOf = (filter: Filter): string => (optionValue(filter, 'expr', 'e') ?? '').replaceAll(/\s/g, '');

/** Whether a filter behind it changes the times, or it is not clear which filters are behind it. */
function isRetimed({ graph, filters }: ArgvGraph, filter: Filter): boolean {
  const chain = graph.chains.find((one) => one.includes(filter)) ?? [];
  const after = graph.chains.length === 1 ? chain.slice(chain.indexOf(filter) + 1) : filters;
  return filter.outputs.length > 1 || after.some(({ name }) => RETIMING.test(name));
}

/** The fix that closes the gaps, and does with the sound what the filter does with the picture. */
function closingFix(at: PlacedFilter, outputStreams: FinishedPass['outputStreams']): Hint {
  const { facts, graph, filter } = at;
  const fix = at.replace(`${printChanged(filter, {})},${CLOSE_GAPS}`);
  if (!outputStreams.some(({ type }) => type === 'audio')) return fix;
  const isSame = facts.used.every(
    ({ input, copied, stream }) => input === 0 && !(copied && isSound(facts, input, stream)),
  );
  const canCut =
    isSame && graph.key.startsWith('filter:v') && !facts.graphs.some(({ key }) => key.startsWith('filter:a'));
  const [name, value]: readonly [string, string] =
    canCut && BY_TIME.test(expressionOf(filter))
      ? ['af', `${printFilter({ ...filter, name: 'aselect', inputs: [], outputs: [] })},asetpts=N/SR/TB`]
      : ['an', ''];
  return hasEdits(fix)
    ? withMore(fix, { do: 'send', name, value })
    : withAdvice(fix, editsText(addOption(name, value)));
}

const isSound = (facts: MediaFacts, input: number, stream: number): boolean =>
  facts.inputStream(input, stream)?.type === 'audio';

/** Filters that let only some frames pass, and keep the times of those. */
const SPARSE: ReadonlySet<string> = new Set(['select', 'thumbnail', 'mpdecimate', 'tile']);
/** Filters that give the frames behind them a rate or times of their own, so that no gap is left. */
const EVEN: ReadonlySet<string> = new Set(['fps', 'framerate', 'setpts', 'minterpolate']);

/** The last filter that leaves gaps between the frames. */
const sparseFilter = ({ filters }: ArgvGraph): string | undefined => {
  const at = filters.findLastIndex(({ name }) => SPARSE.has(name));
  return filters.slice(at + 1).some(({ name }) => EVEN.has(name)) ? undefined : filters[at]?.name;
};

/** Options of a decoder that skip frames, each with the values that do. */
const SKIPPING = new Map([
  ['-skip_frame', /^(?:nokey|nointra|noref|bidir)$/],
  ['-discard', /^(?:nokey|noref|bidir)$/],
]);

/**
 * Numbered pictures of the few frames that a filter or a decoder lets pass. ffmpeg repeats each of them until the next one
 * to keep a constant frame rate, which nobody wants of pictures.
 */
const REPEATED_IMAGES: Rule = {
  id: 'repeated-images',
  finds: 'numbered images that repeat the one before, because a filter or a decoder skips frames',
  supersedes: ['uneven-frames'],
  run({ facts, pass: { lastBlock } }) {
    const { frame = 0, repeatedFrames = 0 } = lastBlock ?? {};
    const isNumbered = facts.plan.output.muxer === 'image2' && !facts.argv.includes('-update');
    const asks = facts.argv.some((word) => /^-(?:fps_mode|vsync|r)(?::|$)/.test(word));
    if (!isNumbered || asks || repeatedFrames === 0) return [];
    const graph = facts.graphs.find((one) => sparseFilter(one) !== undefined);
    const name = graph && sparseFilter(graph);
    const isSkipping = facts.argv.some((word, at) => SKIPPING.get(word)?.test(facts.argv[at + 1] ?? '') === true);
    if (name === undefined && !isSkipping) return [];
    const what = name === undefined ? 'the decoder skips frames' : `the filter ${name} lets few frames pass`;
    const warning: RunWarning = {
      code: 'FRAMES_REPEATED',
      message: `${repeatedFrames} of ${frame} pictures repeat the one before: ${what}, and ffmpeg fills the gaps for a constant frame rate.`,
      fix: addOption('fps_mode', 'vfr'),
    };
    return graph === undefined ? warning : { key: graph.key, ...warning };
  },
};

const CHANGED_FRAME_RATE: Rule = {
  id: 'changed-frame-rate',
  finds: 'a frame rate that changed, although no option asks for it',
  run: changedFrameRate,
};

export const FRAME_RULES: readonly Rule[] = [
  SEQUENCE_FRAME_RATE,
  LAST_FRAME_ONLY,
  CHANGED_SAMPLE_RATE,
  UNEVEN_FRAMES,
  FILLED_GAPS,
  REPEATED_IMAGES,
  CHANGED_FRAME_RATE,
];
