import { addOption, orElse } from '../../domain/edit.ts';
import type { OutputStream } from '../../domain/job.ts';
import { emptiedStreams } from './empty-filters.ts';
import { fadeAt } from './fade-checks.ts';
import { fadeTimes } from './fade-times.ts';
import { REMIXING } from './filter-effects.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { printChanged, withChoice, withFilter } from './graph-fixes.ts';
import {
  fieldOf,
  inputStream,
  type MediaFacts,
  optionValue,
  pathOf,
  secondsIn,
  secondsText,
  sentNameOf,
  sourceOf,
  streamsOf,
  withField,
} from './media-facts.ts';
import { endAt } from './seconds-at.ts';
import type { FilterCheck } from './time-checks.ts';

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

const KINDS = { v: 'video', a: 'audio' } as const;

/** Options for a kind of stream that no input has: `c:v` and `vf` for a song. */
export function optionsWithoutStream(
  facts: MediaFacts,
  outputStreams: readonly Pick<OutputStream, 'type'>[],
): readonly RunWarning[] {
  if (facts.used.length === 0 || facts.argv.includes('-filter_complex')) return [];
  return Object.entries(KINDS).flatMap(([letter, kind]) => {
    if (outputStreams.some(({ type }) => type === kind) || facts.argv.includes(`-${letter}n`)) return [];
    if (facts.inputs.some((_one, input) => streamsOf(facts, input, kind).length > 0)) return [];
    const keys = ['filter', 'c'].map((name) => `${name}:${letter}`);
    const sent = keys.filter((key) => {
      const at = facts.argv.indexOf(`-${key}`);
      return at >= 0 && facts.argv[at + 1] !== 'copy' && fieldOf(facts, key) !== undefined;
    });
    const [first] = sent;
    if (first === undefined) return [];
    const names = sent.map((key) => `"${sentNameOf(facts, key)}"`).join(' and ');
    const paths = facts.inputs.map((_one, input) => pathOf(facts, input)).join(', ');
    return [
      withField(facts, first, {
        code: 'NO_EFFECT',
        message: `${names} ${sent.length === 1 ? 'has' : 'have'} no effect: ${paths} ${facts.inputs.length === 1 ? 'has' : 'have'} no ${kind}, so the output has none.`,
        fix: {
          edits: sent.map((key) => ({ do: 'remove', name: sentNameOf(facts, key) })),
          or:
            kind === 'video'
              ? 'send a picture as another input, with "loop": "1" in its "parameters" and "shortest": ""'
              : 'send a file with sound as another input',
        },
        ...(kind === 'video' && {
          withoutPicture: { files: paths, options: sent.flatMap((key) => fieldOf(facts, key) ?? []) },
        }),
      }),
    ];
  });
}

/** A time with two decimals that is not after `seconds`. */
const rounded = (seconds: number): number => Math.max(0, Math.floor(seconds * 100) / 100);

/** The first start of a fade that may be one in milliseconds. */
const MIN_MILLISECONDS = 1000;

/** How many times as long as its estimate a file may be: by the bit rate of its first frames. */
const MAX_ESTIMATE_ERROR = 3;

/** A fade after the end, even if the file is longer than it seems. */
export const muchTooLateFade: FilterCheck = (facts, graph, filter) => {
  const start = fadeTimes(facts, graph, filter)?.start ?? 0;
  const seconds = endAt(facts, graph, filter)?.seconds ?? Number.POSITIVE_INFINITY;
  return start < MAX_ESTIMATE_ERROR * seconds ? undefined : lateFade(facts, graph, filter);
};

export const lateFade: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'fade' && filter.name !== 'afade') return undefined;
  const times = fadeTimes(facts, graph, filter);
  const at = endAt(facts, graph, filter);
  if (times === undefined || at === undefined || times.start < at.seconds) return undefined;
  const { start, duration } = times;
  const isOut = ['out', '1'].includes(optionValue(filter, 'type', 't') ?? 'in');
  const isPicture = filter.name === 'fade';
  const effect = isOut
    ? 'has no effect'
    : `makes the whole ${isPicture ? `picture ${optionValue(filter, 'color', 'c') ?? 'black'}` : 'sound silent'}`;
  const isMilliseconds =
    start >= MIN_MILLISECONDS && start % 10 === 0 && start >= 20 * at.seconds && start / 1000 < at.seconds;
  // A fade in is meant for the beginning.
  const begin = isOut ? rounded(at.seconds - duration) : 0;
  return withField(facts, graph.key, {
    code: isOut ? 'NO_EFFECT' : 'EMPTY_STREAM',
    message: `The filter ${filter.name} ${effect}: it starts at ${secondsText(start)}, but ${at.what}.${isMilliseconds ? ' Its times are in seconds, not in milliseconds.' : ''}`,
    fix: withFilter(
      facts,
      graph,
      filter,
      isMilliseconds
        ? printChanged(filter, { st: start / 1000, d: duration >= 100 ? duration / 1000 : duration }, [
            'start_time',
            'duration',
          ])
        : fadeAt(filter, times, begin),
    ),
  });
};

/** Without an offset, `xfade` starts with the first film, of which only the transition is left. */
export const transitionAtStart: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'xfade' || optionValue(filter, 'offset') !== undefined) return undefined;
  const duration = secondsIn(optionValue(filter, 'duration')) ?? 1;
  const at = endAt(facts, graph, filter);
  if (at === undefined || at.seconds <= duration + 1) return undefined;
  return withField(facts, graph.key, {
    code: 'UNUSUAL_VALUE',
    message: `xfade has no offset, so the transition starts at 0, and the rest of the first film is missing: ${at.what}.`,
    fix: withFilter(facts, graph, filter, printChanged(filter, { offset: rounded(at.seconds - duration - 0.04) })),
  });
};

export const lateTransition: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'xfade') return undefined;
  const offset = secondsIn(optionValue(filter, 'offset')) ?? 0;
  const duration = secondsIn(optionValue(filter, 'duration')) ?? 1;
  const at = endAt(facts, graph, filter);
  if (at === undefined || offset < at.seconds) return undefined;
  return withField(facts, graph.key, {
    code: 'NO_EFFECT',
    message: `The transition never takes place, and the second film is missing: xfade starts it at ${secondsText(offset)}, but ${at.what}.`,
    fix: withFilter(
      facts,
      graph,
      filter,
      printChanged(filter, { duration, offset: rounded(at.seconds - duration - 0.04) }),
    ),
  });
};

/** `enable='between(t,20,25)'`, `enable='gte(t,20)'`: when it starts. */
const ENABLED_FROM = /^(?:between|gte?)\(t,(\d+(?:\.\d+)?)(?:,\d+(?:\.\d+)?)?\)$/;

export const enabledTooLate: FilterCheck = (facts, graph, filter) => {
  const start = Number(ENABLED_FROM.exec(optionValue(filter, 'enable')?.replaceAll(' ', '') ?? '')?.[1] ?? Number.NaN);
  const at = endAt(facts, graph, filter);
  if (at === undefined || Number.isNaN(start) || start < at.seconds) return undefined;
  return withField(facts, graph.key, {
    code: 'NO_EFFECT',
    message: `The filter ${filter.name} has no effect: "enable" starts it at ${secondsText(start)}, but ${at.what}.`,
    fix: `Send an "enable" that starts before ${secondsText(at.seconds)}, or leave it out.`,
  });
};

const SIDES = { '5.1': 'FL FR FC LFE BL BR', '7.1': 'FL FR FC LFE BL BR SL SR' } as const;
/** The channels of the layouts that files usually have. */
const CHANNELS: Readonly<Record<string, string>> = {
  mono: 'FC',
  stereo: 'FL FR',
  '2.1': 'FL FR LFE',
  '3.0': 'FL FR FC',
  quad: 'FL FR BL BR',
  '4.0': 'FL FR FC BC',
  '5.0': 'FL FR FC BL BR',
  '5.0(side)': 'FL FR FC SL SR',
  '5.1(side)': 'FL FR FC LFE SL SR',
  ...SIDES,
};
/** The channels at the back and at the sides, which layouts of the same number of channels have in each other's place. */
const OTHER_SURROUND: Readonly<Record<string, string>> = { BL: 'SL', BR: 'SR', SL: 'BL', SR: 'BR' };
const SURROUND = /\b(?:BL|BR|SL|SR)\b/g;

export const absentChannels: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'pan') return undefined;
  const stream = sourceOf(facts, graph, filter, 0, REMIXING)?.stream;
  const layout = stream?.channels ?? '';
  const known = CHANNELS[layout]?.split(' ');
  if (known === undefined || facts.argv.includes('-request_channel_layout')) return undefined;
  const [start = '', ...outputs] = (optionValue(filter, 'args') ?? '').split('|');
  const read = outputs.flatMap(
    (output) => output.slice(output.search(/[=<]/) + 1).match(/\b(?:c\d+|[A-Z]{2,4})\b/g) ?? [],
  );
  const absent = [...new Set(read)].filter((name) =>
    name.startsWith('c') ? Number(name.slice(1)) >= known.length : !known.includes(name),
  );
  if (absent.length === 0) return undefined;
  const share = Number((1 / known.length).toFixed(2));
  const others = absent.map((name) => OTHER_SURROUND[name] ?? '');
  const [only, ...more] = known;
  // The input is mono: each output channel gets its one channel. Example: `pan=stereo|c0=c0|c1=c1`.
  if (only !== undefined && more.length === 0 && outputs.length > 1)
    return withField(facts, graph.key, {
      code: 'NO_EFFECT',
      message: `The filter pan reads ${absent.join(', ')}, which the sound does not have, so that part is silent: it is ${layout} (${only}).`,
      fix: withFilter(
        facts,
        graph,
        filter,
        `pan=${[start, ...outputs.map((output) => output.replace(/(?<=[=<]).*/, only))].join('|')}`,
      ),
    });
  if (others.every((name) => known.includes(name))) {
    const args = (optionValue(filter, 'args') ?? '').replaceAll(SURROUND, (name) =>
      absent.includes(name) ? (OTHER_SURROUND[name] ?? name) : name,
    );
    return withField(facts, graph.key, {
      code: 'NO_EFFECT',
      message: `The filter pan reads ${absent.join(', ')}, which the sound does not have, so that part is silent: in ${layout}, the channels are ${others.join(', ')}.`,
      fix: withFilter(facts, graph, filter, `pan=${args}`),
    });
  }
  return withField(facts, graph.key, {
    code: 'NO_EFFECT',
    message: `The filter pan reads ${absent.join(', ')}, which the sound does not have, so that part is silent: it is ${layout} (${known.join(', ')}).`,
    fix:
      outputs.length === 1
        ? withChoice(
            withFilter(facts, graph, filter, `pan=mono|c0=${known.map((name) => `${share}*${name}`).join('+')}`),
            'send "ac": "1" without the filter',
          )
        : `Name only ${known.join(', ')}, or send "ac": "${outputs.length}" instead of the filter.`,
  });
};

/** A copy of a film starts at a key frame. If none follows the start, the output has no picture. */
export function copyWithoutFrames(
  facts: MediaFacts,
  { lastBlock, used, outputStreams }: Pick<FinishedPass, 'lastBlock' | 'used' | 'outputStreams'>,
): readonly RunWarning[] {
  if (lastBlock?.frame !== 0 || !outputStreams.some(({ type }) => type === 'video')) return [];
  const films = used.filter(({ input, stream }) => inputStream(facts, input, stream)?.type === 'video');
  if (films.length === 0 || !films.every(({ copied }) => copied)) return [];
  return [
    withField(facts, 'c', {
      code: 'EMPTY_STREAM',
      message:
        'The output has a video stream without a frame: a copy can start only at a key frame, and the requested part has none.',
      fix: orElse(addOption('c:v', 'libx264'), '"ss" with the input: it starts at the key frame before'),
    }),
  ];
}
