import { leaveOut, orElse } from '@telecine/contract/domain/edit.ts';
import { withExtension } from '@telecine/contract/domain/media-path.ts';
import { encodersOfMuxer } from '../../allowlist/container-codecs.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { channelsOf, MOST_CHANNELS } from '../../values/media-formats.ts';
import { readPlainNumber } from '../../values/number.ts';
import { noEffect, type Rules, type RunWarning } from '../contexts.ts';
import { convertedStreams, ofKind } from '../facts/converted-streams.ts';
import { withChoice } from '../facts/graph-fixes.ts';
import { REMIXING } from '../facts/media-facts.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { kindOfFormat } from '../failures/output-formats.ts';

const CHANNELS: Readonly<Record<string, string>> = {
  mono: 'FC',
  stereo: 'FL FR',
  '2.1': 'FL FR LFE',
  '3.0': 'FL FR FC',
  quad: 'FL FR BL BR',
  '4.0': 'FL FR FC BC',
  '5.0': 'FL FR FC BL BR',
  '5.0(side)': 'FL FR FC SL SR',
  '5.1': 'FL FR FC LFE BL BR',
  '5.1(side)': 'FL FR FC LFE SL SR',
  '7.1': 'FL FR FC LFE BL BR SL SR',
};
/** Back channels, and the side channels at the same place. A 5.1 layout has only one of the two pairs, so the other pair is a mistake. */
const OTHER_SURROUND: Readonly<Record<string, string>> = { BL: 'SL', BR: 'SR', SL: 'BL', SR: 'BR' };

const CHANNEL_OPTION = /^-(?:ac|ch(?:annel)?_layout|request_channel_layout|downmix|target)(?::|$)/;

/** Filters that need the channels of several inputs in one stream. An `amerge` before one of these filters is intended. */
const ARRANGING = /^(?:pan|aformat|channelmap|channelsplit|join|amix|aresample|headphone|sofalizer|surround)$/;

export const CHANNEL_RULES: Rules = {
  'channel-conflicts': {
    finds: '`ac` beside a channel layout with another number of channels',
    about: ['ac'],
    option: (context) => (count) => {
      const layout = context.options.find(
        ({ name }) => name.name === 'ch_layout' && name.specifier === count.name.specifier,
      );
      const [sent = '', named = ''] = [count.values.at(-1), layout?.values.at(-1)];
      const [channels = 0, own] = [readPlainNumber(sent), channelsOf(named)];
      if (layout === undefined || channels === 0 || own === undefined || channels === own) return [];
      return noEffect(
        `"${sentName(count)}": "${sent}" has no effect: ffmpeg uses "${sentName(layout)}": "${named}", which has ${own} ${own === 1 ? 'channel' : 'channels'}.`,
        orElse(leaveOut(), leaveOut(sentName(layout), `the audio then has ${sent} channels`)),
      );
    },
  },

  'absent-channels': {
    finds: 'a channel in `pan` that the audio does not have',
    about: ['pan'],
    filter(at) {
      const layout = at.source(0, REMIXING)?.stream.channels ?? '';
      const known = CHANNELS[layout]?.split(' ');
      if (known === undefined || at.facts.argv.includes('-request_channel_layout')) return undefined;
      const args = at.option('args') ?? '';
      const [start = '', ...outputs] = args.split('|');
      const read = outputs.flatMap(
        (output) => output.slice(output.search(/[=<]/) + 1).match(/\b(?:c\d+|[A-Z]{2,4})\b/g) ?? [],
      );
      const absent = [...new Set(read)].filter((name) =>
        name.startsWith('c') ? Number(name.slice(1)) >= known.length : !known.includes(name),
      );
      if (absent.length === 0) return undefined;
      const reads = `The filter pan reads ${absent.join(', ')}, which the audio does not have, so that part is silent`;
      const [only, ...more] = known;
      // A mono input has only `c0`, so `pan=stereo|c0=c0|c1=c1` reads an absent `c1`. Each output channel gets the only input channel.
      if (only !== undefined && more.length === 0 && outputs.length > 1) {
        const meant = outputs.map((output) => output.replace(/(?<=[=<]).*/, only));
        return noEffect(`${reads}: it is ${layout} (${only}).`, at.replace(`pan=${[start, ...meant].join('|')}`));
      }
      const others = absent.map((name) => OTHER_SURROUND[name] ?? '');
      if (others.every((name) => known.includes(name))) {
        const meant = args.replaceAll(/\b(?:BL|BR|SL|SR)\b/g, (name) =>
          absent.includes(name) ? (OTHER_SURROUND[name] ?? name) : name,
        );
        return noEffect(`${reads}: in ${layout}, the channels are ${others.join(', ')}.`, at.replace(`pan=${meant}`));
      }
      const share = Number((1 / known.length).toFixed(2));
      return noEffect(
        `${reads}: it is ${layout} (${known.join(', ')}).`,
        outputs.length === 1
          ? withChoice(
              at.replace(`pan=mono|c0=${known.map((name) => `${share}*${name}`).join('+')}`),
              'send "ac": "1" without the filter',
            )
          : `Name only ${known.join(', ')}, or send "ac": "${outputs.length}" instead of the filter.`,
      );
    },
  },

  'undelayed-channels': {
    finds: '`adelay` with fewer delays than the audio has channels',
    about: ['adelay'],
    filter(at) {
      const channels = channelsOf(at.source(0, /^(?:pan|aformat|channel|join|amerge|amix)/)?.stream.channels ?? '');
      const delays = (at.option('delays') ?? '').split('|').length;
      const isAll = ['1', 'true'].includes(at.option('all') ?? '0');
      if (channels === undefined || isAll || delays >= channels) return undefined;
      return noEffect(
        `The filter adelay delays only ${delays} of ${channels} channels: it needs a time for each, separated by "|".`,
        at.change({ all: 1 }),
      );
    },
  },

  /** Example: 5.1 audio for an MP3, which holds two channels, without `ac`. */
  'lost-channels': {
    finds: 'more channels of audio than the encoder takes',
    filesAndRun({ facts, pass }) {
      if (facts.hasOption(CHANNEL_OPTION) || facts.usesFilter(REMIXING)) return [];
      for (const { input, from, to, copied } of convertedStreams(pass)) {
        const before = channelsOf(from?.channels ?? '') ?? 0;
        const after = to?.channels === undefined ? MOST_CHANNELS[to?.codec ?? ''] : channelsOf(to.channels);
        if (copied || before <= 2 || after === undefined || after >= before) continue;
        const { muxer, path } = facts.plan.output;
        const key = facts.fieldOf('c:a') === undefined ? 'c' : 'c:a';
        const encoders = encodersOfMuxer(muxer, 'audio');
        const holder = encoders.length === 0 || encoders.includes('aac') ? 'aac' : 'ac3';
        const codec = facts.fieldOf(key) === undefined ? '' : ' and "c:a": "aac"';
        const keeps =
          kindOfFormat(muxer) === 'audio'
            ? `"output": ${JSON.stringify(withExtension(path, 'm4a'))}${codec}`
            : `"c:a": "${holder}"`;
        return {
          key,
          code: 'CHANNELS_LOST',
          message: `The audio of ${facts.pathOf(input)} has ${before} channels, and the output only ${after}: its encoder takes no more.`,
          fix: `Send "ac": "${after}" if ${after === 2 ? 'stereo' : 'that'} is meant. To keep all ${before}, send ${keeps}.`,
        };
      }
      return [];
    },
  },

  'merged-channels': {
    finds: '`amerge` of stereo audio, which puts the channels side by side instead of mixing them',
    filesAndRun({ facts, pass: { outputStreams } }) {
      const hasMany = ofKind(outputStreams, 'audio').some(({ channels }) => !/^(?:mono|stereo)$/.test(channels ?? ''));
      if (!hasMany || facts.hasOption(/^-(?:ac|ch_layout)(?::|$)/)) return [];
      return filtersIn(facts, 'amerge').flatMap((at): RunWarning | [] => {
        const count = Number(at.option('inputs') ?? 2);
        if (at.others.some(({ name }) => ARRANGING.test(name)) || !(count >= 2 && count <= 32)) return [];
        const counts = Array.from({ length: count }, (_, pad) =>
          channelsOf(at.source(pad, ARRANGING)?.stream.channels ?? ''),
        );
        if (counts.includes(undefined) || counts.filter((one) => Number(one) > 1).length < 2) return [];
        const total = counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
        return {
          key: at.graph.key,
          code: 'EXTRA_CHANNELS',
          message: `The filter amerge puts channels side by side: ${counts.join(' + ')} make ${total}. To hear the inputs together, mix them.`,
          fix: at.replace(`amix=inputs=${count}:duration=shortest`),
        };
      });
    },
  },
};
