import { addOption, orElse, sendOption } from '../../../domain/edit.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import type { GraphOption } from '../../filtergraph/option-list.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { Rule } from '../contexts.ts';
import { type MediaFacts, optionValue } from '../facts/media-facts.ts';
import { sendGraph, withFilters } from '../facts/written-graphs.ts';

/** The volume that leaves the sound unchanged. */
const UNCHANGED = 256;
/** Values up to this are percentages, except fractions of 256 that people send. */
const MAX_PERCENTAGE = 200;
const FRACTIONS: ReadonlySet<number> = new Set([0, 32, 64, 96, 128, 192]);

const VOL_PERCENTAGES: Rule = {
  id: 'vol-percentages',
  finds: '`vol` as a percentage, although 256 is the original volume',
  about: ['vol'],
  option: () => (option) => {
    const value = Number(option.values[0]);
    if (!(value <= MAX_PERCENTAGE) || FRACTIONS.has(value)) return [];
    return {
      code: 'UNUSUAL_VALUE',
      message: `"${sentName(option)}" is not a percentage: ${UNCHANGED} is the original volume, and ${value} is ${Math.round((100 * value) / UNCHANGED)} %.`,
      fix: sendOption('vol', String(Math.round((UNCHANGED * value) / 100))),
    };
  },
};

/** The longest delay in milliseconds that nobody hears if all channels have it: a frame of a film lasts 40. */
const UNHEARD_MS = 10;

const DELAY = /^\d{1,2}(?:\.\d+)?$/;
/** ffmpeg takes "s" for seconds only after a whole number. */
const FRACTION = /^\d{0,5}\.\d+s$/;

/** A delay of a filter `adelay` that is shorter than what is meant. */
interface ShortDelay {
  readonly message: string;
  /** The options that are meant. */
  readonly options: readonly GraphOption[];
}

function shortDelay({ name, options }: GraphFilter): ShortDelay | undefined {
  if (name !== 'adelay') return undefined;
  const delays = options.findLast(({ key }) => key === 'delays')?.value.split('|') ?? [];
  const others = options.filter(({ key }) => key !== 'delays');
  const fraction = delays.find((one) => FRACTION.test(one));
  if (fraction !== undefined) {
    const meant = delays.map((one) => (FRACTION.test(one) ? milliseconds(one) : one));
    return {
      message: `The filter "adelay" reads "${fraction}" as ${Number.parseFloat(fraction)} milliseconds: only whole numbers can have "s".`,
      options: [{ value: meant.join('|') }, ...others],
    };
  }
  const [first = ''] = delays;
  if (!DELAY.test(first) || Number(first) <= 0 || Number(first) > UNHEARD_MS) return undefined;
  // Different delays widen a stereo sound, and that needs a few milliseconds.
  if (delays.some((one) => one !== first)) return undefined;
  return {
    message: `The filter "adelay" reads milliseconds: ${first} delays the sound by ${Number(first) / 1000} s.`,
    // The fix delays all channels, as the first one.
    options: [
      { value: first.includes('.') ? milliseconds(first) : `${first}s` },
      ...others.filter(({ key }) => key !== 'all'),
      { key: 'all', value: '1' },
    ],
  };
}

const milliseconds = (seconds: string): string => String(Math.round(Number.parseFloat(seconds) * 1000));

/** Warns about `adelay=2`, a delay of two milliseconds, and about `adelay=0.5s`, one of half a millisecond. */
const SHORT_DELAYS: Rule = {
  id: 'short-delays',
  finds: '`adelay` of a few milliseconds, where seconds are probably meant',
  about: ['adelay'],
  writtenGraph(graph) {
    const { checked } = graph;
    const [short] = checked.chains.flat().flatMap((filter) => shortDelay(filter) ?? []);
    if (short === undefined) return [];
    const meant = withFilters(graph, (filter, named) => {
      const found = shortDelay(named);
      return found === undefined ? filter : { ...filter, options: found.options };
    });
    return {
      code: 'UNUSUAL_VALUE',
      message: short.message,
      fix: sendGraph(graph, meant),
    };
  },
};

/** Whether a filter `silenceremove` has no periods, which are 0 then: it removes nothing. */
const isIdle = ({ name, options }: GraphFilter): boolean =>
  name === 'silenceremove' &&
  ['start_periods', 'stop_periods'].every((wanted) => {
    const value = options.findLast(({ key }) => key === wanted)?.value ?? '0';
    return readPlainNumber(value) === 0;
  });

/** Every silence of at least a second, below a level that is usual for speech. */
const EVERYWHERE: readonly GraphOption[] = [
  { key: 'stop_periods', value: '-1' },
  { key: 'stop_duration', value: '1' },
  { key: 'stop_threshold', value: '-50dB' },
];

const IDLE_SILENCEREMOVE: Rule = {
  id: 'idle-silenceremove',
  finds: 'the filter `silenceremove` without periods, which removes nothing',
  about: ['silenceremove'],
  writtenGraph(graph) {
    const { checked } = graph;
    if (!checked.chains.flat().some(isIdle)) return [];
    const meant = withFilters(graph, (filter, named) => {
      if (!isIdle(named)) return filter;
      const kept = named.options.filter(({ key }) => key !== 'start_periods' && key !== 'stop_periods');
      const missing = EVERYWHERE.filter(({ key }) => !kept.some((one) => one.key === key));
      return { ...filter, options: [...kept, ...missing] };
    });
    return {
      code: 'NO_EFFECT',
      message:
        'The filter "silenceremove" removes nothing without "start_periods" (1: at the beginning) or "stop_periods" (-1: everywhere).',
      fix: sendGraph(graph, meant),
    };
  },
};

/** Silence is cut out of the sound, and the film keeps its length. */
const SHORTER_AUDIO: Rule = {
  id: 'shorter-audio',
  finds: '`silenceremove` on the audio beside a video, which becomes out of sync',
  filter(at) {
    const { facts } = at;
    if (
      at.name !== 'silenceremove' ||
      !facts.used.some(({ input, stream }) => kindOfStream(facts, input, stream) === 'video')
    )
      return undefined;
    return {
      code: 'OUT_OF_SYNC',
      message: 'The filter silenceremove makes only the sound shorter, so it no longer fits the picture.',
      fix: orElse(addOption('vn', ''), 'leave the filter out to keep the picture'),
    };
  },
};

const kindOfStream = (facts: MediaFacts, input: number, stream: number): string | undefined =>
  facts.inputStream(input, stream)?.type;

/** The sample rates at which speech is recognised and telephones work. 16 bits are usual there. */
const SPEECH_RATE = 24_000;
/** Options that choose the samples of the output. */
const SAMPLE_OPTION = /^-(?:c(?::a.*|:\d+)?|sample_fmt(?::.*)?|target)$/;

/** Sound without loss that got 16 bits because that is the default of the format, as in WAV and AIFF. */
const LOST_BIT_DEPTH: Rule = {
  id: 'lost-bit-depth',
  finds: 'audio of more than 16 bits that became 16 bits, the default of the format',
  run({ facts, pass: { used, outputStreams } }) {
    const options = facts.argv.slice(facts.argv.lastIndexOf('-i') + 2);
    if (options.some((word) => SAMPLE_OPTION.test(word)) || /^[su]16/.test(facts.plan.output.muxer)) return [];
    const filters = facts.graphs.flatMap((graph) => graph.filters);
    if (filters.some((filter) => optionValue(filter, 'sample_fmts', 'osf', 'out_sample_fmt') !== undefined)) return [];
    for (const { input, stream, output, copied } of used) {
      const from = facts.inputs[input]?.sampleBits?.get(stream);
      const to = outputStreams.find(({ index }) => index === output);
      const end = /^pcm_s16(le|be)$/.exec(to?.codec ?? '')?.[1];
      if (from === undefined || from.bits <= 16 || copied || end === undefined) continue;
      if ((to?.sampleRate ?? SPEECH_RATE) <= SPEECH_RATE) continue;
      const bits = from.bits <= 24 ? 24 : 32;
      const what = from.isFloat ? `${from.bits}-bit numbers` : `${from.bits} bits`;
      const codec = facts.inputStream(input, stream)?.codec ?? 'sound';
      return {
        code: 'BITS_LOST',
        message: `${facts.pathOf(input)} is ${codec} of ${what}, and the output has 16 bits, the default of the format ${facts.plan.output.muxer}.`,
        fix: `Send "c:a": "pcm_${from.isFloat ? 'f' : 's'}${bits}${end}" to keep them, or "c:a": "${to?.codec}" if 16 bits are meant.`,
      };
    }
    return [];
  },
};

export const SOUND_FILTER_RULES: readonly Rule[] = [
  VOL_PERCENTAGES,
  SHORT_DELAYS,
  IDLE_SILENCEREMOVE,
  SHORTER_AUDIO,
  LOST_BIT_DEPTH,
];
