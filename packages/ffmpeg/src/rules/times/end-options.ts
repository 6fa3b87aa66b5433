import { leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { lastValue, readTrim } from '../../plan/request/argv-option.ts';
import { isVideoExtension } from '../../plan/request/format-names.ts';
import { noEffect, type Rules, unusualValue } from '../contexts.ts';

const secondsOf = (value: number): string => String(Number(value.toFixed(6)));

export const END_OPTION_RULES: Rules = {
  'duration-and-end': {
    finds: 'both `t` and `to` for the end of the output',
    about: ['to'],
    plan({ options }) {
      const to = options.find(({ key }) => key === 'to');
      if (to === undefined || !options.some(({ key }) => key === 't')) return [];
      return noEffect(
        '"t" and "to" both set the end of the output; ffmpeg uses "t".',
        orElse(leaveOut('to'), leaveOut('t')),
        { field: to.field },
      );
    },
  },

  'end-before-start': {
    finds: '`to` that is not after `ss`',
    about: ['to'],
    plan({ options }) {
      const { start, end } = readTrim(options);
      const to = options.find(({ key }) => key === 'to');
      if (to === undefined || start === undefined || end === undefined || end > start) return [];
      return noEffect(
        `"to" is the position where the output ends, and ${to.values[0]} is not after "ss". For a duration, send "t".`,
        sendOption('t', to.values[0] ?? ''),
        { field: to.field },
      );
    },
  },

  /** `to` of the output counts from the start of the output, which is at `ss` of the input. People expect a position in the input. */
  'end-after-seek': {
    finds: '`to` of the output beside `ss` of an input, so that `to` is a duration',
    about: ['to'],
    plan({ options, opened }) {
      const to = options.find(({ key }) => key === 'to');
      const { start: ownStart, duration, end } = readTrim(options);
      if (to === undefined || end === undefined || duration !== undefined || ownStart !== undefined) return [];
      // With `copyts`, the output keeps the times of the input.
      if (options.some(({ key }) => key === 'copyts')) return [];
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

  'ineffective-itsoffset': {
    finds: '`itsoffset` of the only input, which moves video and audio together',
    about: ['itsoffset'],
    plan({ opened: [only, ...others] }) {
      const option = only?.options.find(({ name }) => name.name === 'itsoffset');
      if (only === undefined || option === undefined || others.length > 0) return [];
      const { path } = only.source;
      // `itsoffset` for a file of subtitles is intended: it moves the subtitles against the video.
      if (!isVideoExtension(extension(path))) return [];
      const shifted = [path, { input: path, parameters: { itsoffset: option.values[0] ?? '' } }];
      return noEffect(
        '"itsoffset" moves the video and the audio of this input by the same time, so they stay as far apart as they are.',
        `To delay the audio, leave it out, and send "inputs": ${JSON.stringify(shifted)} and "map": ["0:v","1:a"] in "parameters".`,
        { field: option.field },
      );
    },
  },
};
