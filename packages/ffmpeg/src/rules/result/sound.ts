import { addOption, sendOption } from '@telecine/contract/domain/edit.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { channelsOf, MOST_CHANNELS } from '../../values/media-formats.ts';
import { filtersOfInputs, type MediaFacts, optionValue, secondsText } from '../facts/media-facts.ts';
import { convertedStreams, encodedStreams, isCover, ofKind } from '../facts/pass.ts';
import { type Found, loss, type Rules } from '../rule.ts';
import { changesTimes } from './lengths.ts';

const CHANNEL_OPTION = /^-(?:ac|ch(?:annel)?_layout|request_channel_layout|downmix|target)(?::|$)/;

const REMIXING =
  /^(?:pan|aformat|channelmap|channelsplit|join|amerge|amix|aresample|surround|headphone|sofalizer|stereotools|acrossfade|concat|crossfeed|extrastereo)$/;

/** In Hz. Audio up to this rate is for speech recognition or telephony, where 16 bits are usual. */
const SPEECH_RATE = 24_000;
const SAMPLE_OPTION = /^-(?:c(?::a.*|:\d+)?|sample_fmt(?::.*)?|target)$/;

const setsRate = (facts: MediaFacts): boolean =>
  facts.complexGraphs.length > 0 ||
  facts.hasOption(/^-(?:ar|target)(?::|$)/) ||
  facts.usesFilter(/^(?:aresample|asetrate|aformat)$/);

/** True if there are clearly fewer seconds of samples than the times of the audio span. */
export const hasGaps = (span: number | undefined, soundSeconds: number | undefined): boolean =>
  span !== undefined && soundSeconds !== undefined && span - soundSeconds > Math.max(0.5, 0.1 * span);

/** The names of the channels in the layouts of nearly all files. Others are only counted. */
const NAMED_CHANNELS: Readonly<Record<string, readonly string[]>> = { mono: ['FC'], stereo: ['FL', 'FR'] };

/** Matches the channels in what `pan` mixes: `0.5*c0+FC`. */
const PANNED = /\b(?:c(\d{1,2})|[A-Z]{2,3})\b/g;

/** The channels that a filter `pan` takes of a layout that lacks them. ffmpeg takes silence instead. */
function absentChannels({ options: [definition] }: GraphFilter, layout: string): readonly string[] {
  const [count, named] = [channelsOf(layout) ?? Number.POSITIVE_INFINITY, NAMED_CHANNELS[layout]];
  const [, ...mixes] = (definition?.value ?? '').split('|');
  return mixes
    .flatMap((mix) => [...mix.slice(mix.search(/[=<]/)).matchAll(PANNED)])
    .flatMap(([name, number]) =>
      (number === undefined ? named?.includes(name) === false : Number(number) >= count) ? [name] : [],
    );
}

export const SOUND_RESULT_RULES: Rules = {
  /** Example: AMR in packets of several frames, of which ffmpeg decodes the first one. */
  'sound-gaps': {
    finds: 'audio with gaps: it has clearly fewer samples than its times span',
    result({ facts, pass: { soundSeconds, audioSeconds = 0, lastBlock, outputStreams } }) {
      const [{ input } = { input: 0 }] = facts.usedOf('audio');
      // MP3 and WAV keep no times, so compare with the length that ffmpeg reports. It counts from the start of the video,
      // which the audio may follow: beside a video, only half of the sound is certainly a loss.
      const isCounted = ofKind(outputStreams, 'video').every(isCover) && !changesTimes(facts);
      const counted = isCounted ? (lastBlock?.outSeconds ?? 0) : 0;
      const isAlone = facts.streamsOf(input, 'video').every(isCover);
      const span = isAlone || (soundSeconds ?? counted) < counted / 2 ? Math.max(audioSeconds, counted) : audioSeconds;
      if (!hasGaps(span, soundSeconds)) return [];
      return loss({
        lost: 'sound',
        field: facts.plan.inputs[input]?.field ?? '',
        code: 'SOUND_LEFT_OUT',
        expected: secondsText(span),
        actual: secondsText(soundSeconds ?? 0),
        message: `The audio of ${facts.pathOf(input)} has gaps: in ${secondsText(span)} there are only ${secondsText(soundSeconds ?? 0)} of sound.`,
        fix: 'Listen to the result. If the sound of the file is whole, convert it with the program that made it.',
      });
    },
  },

  peaks: {
    finds: 'audio of floating point numbers above full scale, which its encoder or players cut off',
    result({ facts, pass: { isLoud = false } }) {
      if (!isLoud) return [];
      return loss({
        lost: 'peaks',
        field: facts.plan.inputs[0]?.field ?? '',
        code: 'CLIPPED',
        expected: 'floating point',
        actual: 'full scale',
        message: `Peaks of ${facts.pathOf(0)} are above full scale, which only floating point numbers hold: they are cut off.`,
        fix: 'Send "preset": {"name": "loudness"}, which makes it quieter without clipping.',
      });
    },
  },

  /** Example: 5.1 audio for an MP3, which holds two channels, without `ac`. */
  channels: {
    finds: 'more channels of audio than the encoder takes',
    result({ facts, pass }) {
      if (facts.hasOption(CHANNEL_OPTION) || facts.usesFilter(REMIXING)) return [];
      return convertedStreams(pass)
        .flatMap(({ input, from, to, copied }): Found => {
          const before = channelsOf(from?.channels ?? '') ?? 0;
          const after = to?.channels === undefined ? MOST_CHANNELS[to?.codec ?? ''] : channelsOf(to.channels);
          if (copied || before <= 2 || after === undefined || after >= before) return [];
          return loss({
            lost: 'channels',
            key: facts.fieldOf('c:a') === undefined ? 'c' : 'c:a',
            code: 'CHANNELS_LOST',
            expected: before,
            actual: after,
            message: `The audio of ${facts.pathOf(input)} has ${before} channels, and the output only ${after}: its encoder takes no more.`,
            fix: `Send "ac": "${after}" if that is meant. To keep all ${before}, send "c:a": "aac" with an output that ends with .m4a or .mp4.`,
          });
        })
        .slice(0, 1);
    },
  },

  'absent-channels': {
    finds: 'a channel that `pan` takes and the input does not have, so that silence is in its place',
    result: ({ facts }) =>
      filtersOfInputs(facts, /^pan$/, REMIXING).flatMap(({ key, filter, source: { input, stream } }): Found => {
        const { channels: layout = '' } = stream;
        const [absent] = absentChannels(filter, layout);
        if (absent === undefined) return [];
        return loss({
          lost: 'channels',
          key,
          code: 'CHANNELS_LOST',
          expected: absent,
          actual: layout,
          message: `The filter pan takes the channel ${absent}, which the audio of ${facts.pathOf(input)} (${layout}) does not have: silence is in its place.`,
          fix: `Send "pan" with the channels of ${layout}, which count from c0.`,
        });
      }),
  },

  'channel-layout': {
    finds: 'AAC with channels at the sides, such as of AC-3, which many players do not know',
    result: ({ facts, pass }) =>
      encodedStreams(pass, 'audio')
        .filter(({ to }) => to.codec === 'aac' && /\(side\)$/.test(to.channels ?? ''))
        .slice(0, 1)
        .map(({ input, to: { channels = '' } }) => {
          const usual = channels.replace('(side)', '');
          return loss({
            lost: 'usual channel layout',
            key: 'c:a',
            code: 'FEW_PLAYERS',
            expected: usual,
            actual: channels,
            message: `The audio of ${facts.pathOf(input)} is AAC with the channels ${channels}, whose order many players do not know.`,
            fix: facts.graphs.some(({ key }) => key !== 'filter:v')
              ? `Send the filter "aformat=channel_layouts=${usual}" after the others of the audio.`
              : sendOption('af', `aformat=channel_layouts=${usual}`),
          });
        }),
  },

  'sample-rate': {
    finds: 'a sample rate that changed, although no option asks for it',
    result: ({ facts, pass }) =>
      encodedStreams(pass, 'audio').flatMap(({ input, from: { sampleRate: before }, to }): Found => {
        const after = to.sampleRate;
        // Opus is always encoded at 48000 Hz.
        if (before === undefined || after === undefined || before === after || setsRate(facts)) return [];
        if (to.codec === 'opus') return [];
        return loss({
          lost: 'sample rate',
          field: facts.plan.inputs[input]?.field ?? '',
          code: 'SAMPLE_RATE_CHANGED',
          expected: before,
          actual: after,
          message: `The sample rate of ${facts.pathOf(input)} changed from ${before} to ${after} Hz, although no option asks for it.`,
          fix: after > before ? addOption('ar', `${before}`) : `Send "ar": "${after}" if this sample rate is meant.`,
        });
      }),
  },

  'sample-bits': {
    finds: 'audio of more than 16 bits that became 16 bits, the default of the format',
    result({ facts, pass }) {
      const options = facts.argv.slice(facts.argv.lastIndexOf('-i') + 2);
      const isChosen =
        options.some((word) => SAMPLE_OPTION.test(word)) ||
        /^[su]16/.test(facts.plan.output.muxer) ||
        facts.graphs.some(({ filters }) =>
          filters.some((filter) => optionValue(filter, 'sample_fmts', 'osf', 'out_sample_fmt') !== undefined),
        );
      if (isChosen) return [];
      return convertedStreams(pass)
        .flatMap(({ input, from, to, copied }): Found => {
          const samples = from?.samples;
          const end = /^pcm_s16(le|be)$/.exec(to?.codec ?? '')?.[1];
          if (samples === undefined || samples.bits <= 16 || copied || end === undefined) return [];
          if ((to?.sampleRate ?? SPEECH_RATE) <= SPEECH_RATE) return [];
          const encoder = `pcm_${samples.isFloat ? 'f' : 's'}${samples.bits <= 24 ? 24 : 32}${end}`;
          return loss({
            lost: 'bits',
            field: facts.plan.inputs[input]?.field ?? '',
            code: 'BITS_LOST',
            expected: samples.bits,
            actual: 16,
            message: `${facts.pathOf(input)} has ${samples.bits} bits a sample, and the output has 16, the default of the format ${facts.plan.output.muxer}.`,
            fix: `Send "c:a": "${encoder}" to keep them, or "c:a": "${to?.codec}" if 16 bits are meant.`,
          });
        })
        .slice(0, 1);
    },
  },
};
