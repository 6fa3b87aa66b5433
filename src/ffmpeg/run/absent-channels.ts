import { REMIXING } from './filter-effects.ts';
import { withChoice, withFilter } from './graph-fixes.ts';
import { optionValue, sourceOf, withField } from './media-facts.ts';
import type { FilterCheck } from './time-checks.ts';

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
