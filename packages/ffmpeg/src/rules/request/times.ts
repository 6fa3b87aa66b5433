import { sendOption } from '@telecine/contract/domain/edit.ts';
import { wordSet } from '../../allowlist/words.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { type ArgvOption, hasKey, lastValue, mapsOf, readTrim } from '../../plan/request/argv-option.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import {
  AUDIO_SOURCES,
  ENDING_OPTIONS,
  isEndlessInput,
  isUnlimited,
  VIDEO_SOURCES,
} from '../../plan/request/sources.ts';
import { readPlainNumber } from '../../values/number.ts';
import { quoted } from '../../values/value-error.ts';
import { optionValue } from '../facts/media-facts.ts';
import { type Rules, unusualValue } from '../rule.ts';

const secondsOf = (value: number): string => String(Number(value.toFixed(6)));

/** Filters that end with the shortest of their inputs, or after a number of frames or seconds. */
const ENDING_FILTERS = wordSet(
  'trim atrim amerge join sidechaincompress sidechaingate afir amultiply axcorrelate asdr interleave',
);

/** Values of filter options with which a filter ends together with one of its inputs. */
const ENDING_VALUES: Readonly<Record<string, RegExp>> = {
  shortest: /^(?:1|true|yes|y|on|enabled?)$/i,
  duration: /^(?:shortest|first|[12])$/,
  eof_action: /^(?:endall|1)$/,
};

const endsOutput = ({ name, options }: GraphFilter): boolean =>
  ENDING_FILTERS.has(name) || options.some(({ key = '', value }) => ENDING_VALUES[key]?.test(value) === true);

/** Returns the filters whose frames reach an output. A chain that ends in `nullsink` reaches no output. */
const outputFilters = (options: readonly ArgvOption[]): readonly GraphFilter[] =>
  options.flatMap(({ checkedGraphs = [] }) => checkedGraphs.flatMap(({ chains }) => chains.filter(isWritten).flat()));

const isWritten = (chain: readonly GraphFilter[]): boolean =>
  !/^a?nullsink$/.test(chain.at(-1)?.name ?? '') || chain.some(({ outputs }) => outputs.length > 0);

/** True if a filter has no end: a generated stream, or one that goes on after its input. */
function isEndlessFilter(filter: GraphFilter): boolean {
  const { name, options } = filter;
  const isNegative = (wanted: string): boolean =>
    options.some(({ key, value }) => key === wanted && value.startsWith('-'));
  if (name === 'apad') return !options.some(({ key = '' }) => /^(?:whole|pad)_(?:len|dur)$/.test(key));
  if (name === 'tpad') return isNegative('stop');
  if (name === 'loop' || name === 'aloop')
    return isNegative('loop') && readPlainNumber(optionValue(filter, 'size') ?? '0') !== 0;
  return isUnlimited(filter);
}

const isLimitedSource = (filter: GraphFilter): boolean =>
  (VIDEO_SOURCES.has(filter.name) || AUDIO_SOURCES.has(filter.name)) && !isUnlimited(filter);

/** The inputs of which a stream may reach the output or a filtergraph. Without a `map`, any may. */
function reachingInputs(
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  filters: readonly GraphFilter[],
): readonly ArgvInput[] {
  const maps = mapsOf(options);
  const names = [...maps, ...filters.flatMap((filter) => filter.inputs)];
  const named = new Set(names.map((text) => Number(/^(\d+)(?![^:?])/.exec(text)?.[1] ?? Number.NaN)));
  return maps.length === 0 ? inputs : inputs.filter((_one, index) => named.has(index));
}

export const TIME_RULES: Rules = {
  /** Finds an image with `loop`, an input with `stream_loop` -1 or a generated stream, if no option or filter ends the output. */
  'endless-outputs': {
    finds: 'an output that never ends',
    plan({ options, opened: inputs }) {
      const filters = outputFilters(options);
      if (!inputs.some(isEndlessInput) && !filters.some(isEndlessFilter)) return [];
      const isEnded =
        options.some(({ name }) => ENDING_OPTIONS.has(name.name)) ||
        inputs.some(({ duration }) => duration !== undefined) ||
        filters.some(endsOutput);
      if (isEnded) return [];
      const isShortest = options.some(({ key }) => key === 'shortest');
      // With `shortest`, a generated stream of limited length ends the output.
      if (isShortest && filters.some(isLimitedSource)) return [];
      const used = reachingInputs(inputs, options, filters);
      const input = used.find(isEndlessInput);
      const filter = input === undefined ? filters.find(isEndlessFilter) : undefined;
      const hasEnd = used.some((one) => !isEndlessInput(one));
      if ((input === undefined && filter === undefined) || (isShortest && (hasEnd || input === undefined))) return [];
      const reason =
        filter === undefined ? `the input ${quoted(input?.source.path ?? '')}` : `the filter "${filter.name}"`;
      const graph = options.find(({ graphs }) => graphs !== undefined);
      return {
        field: input?.source.field ?? graph?.field ?? '/parameters',
        code: 'ENDLESS',
        message: `The output never ends: ${reason} has no end, and ${isShortest ? '"shortest" finds no other stream that ends' : 'nothing limits the duration'}.`,
        fix: `Send "t" with the seconds that the output lasts${hasEnd ? ', or "shortest": "" to end it with its shortest stream' : ''}, in the "parameters" of the request.`,
      };
    },
  },

  /** `to` of the output counts from the start of the output, which is at `ss` of the input. People expect a position in the input. */
  'end-after-seek': {
    finds: '`to` of the output beside `ss` of an input, so that `to` is a duration',
    about: ['to'],
    plan({ options, opened }) {
      const to = options.find(({ key }) => key === 'to');
      const { start: ownStart, end } = readTrim(options);
      // With `copyts`, the output keeps the times of the input.
      if (to === undefined || end === undefined || ownStart !== undefined || hasKey(options, 'copyts')) return [];
      const sought = opened.filter((one) => lastValue('ss', one.options) !== undefined);
      const [input] = sought;
      const trim = readTrim(input?.options ?? []);
      const isSame = new Set(sought.map((one) => lastValue('ss', one.options))).size === 1;
      if (input === undefined || !isSame || trim.start === undefined || trim.start <= 0) return [];
      if (trim.duration !== undefined || trim.end !== undefined || end <= trim.start) return [];
      return unusualValue(
        `"to" counts from the start of the output, which is at ${secondsOf(trim.start)} s of "${input.source.path}" (its "ss"), so the output ends at ${secondsOf(trim.start + end)} s of it. For a duration, send "t".`,
        sendOption('t', secondsOf(end - trim.start)),
        { field: to.field },
      );
    },
  },
};
