import { addOption } from '@telecine/contract/domain/edit.ts';
import type { Rules, RunWarning } from '../contexts.ts';
import { convertedStreams, encodedStreams } from '../facts/converted-streams.ts';
import { optionValue } from '../facts/media-facts.ts';

/** In Hz. Audio up to this rate is for speech recognition or telephony, where 16 bits are usual. */
const SPEECH_RATE = 24_000;
const SAMPLE_OPTION = /^-(?:c(?::a.*|:\d+)?|sample_fmt(?::.*)?|target)$/;

export const BIT_DEPTH_RULES: Rules = {
  'lost-bit-depth': {
    finds: 'audio of more than 16 bits that became 16 bits, the default of the format',
    run({ facts, pass }) {
      const options = facts.argv.slice(facts.argv.lastIndexOf('-i') + 2);
      const { muxer } = facts.plan.output;
      const filters = facts.graphs.flatMap((graph) => graph.filters);
      const isChosen = filters.some(
        (filter) => optionValue(filter, 'sample_fmts', 'osf', 'out_sample_fmt') !== undefined,
      );
      if (isChosen || options.some((word) => SAMPLE_OPTION.test(word)) || /^[su]16/.test(muxer)) return [];
      for (const { input, stream, from, to, copied } of convertedStreams(pass)) {
        const samples = facts.inputs[input]?.sampleBits?.get(stream);
        const end = /^pcm_s16(le|be)$/.exec(to?.codec ?? '')?.[1];
        if (samples === undefined || samples.bits <= 16 || copied || end === undefined) continue;
        if ((to?.sampleRate ?? SPEECH_RATE) <= SPEECH_RATE) continue;
        const encoder = `pcm_${samples.isFloat ? 'f' : 's'}${samples.bits <= 24 ? 24 : 32}${end}`;
        const what = samples.isFloat ? `${samples.bits}-bit numbers` : `${samples.bits} bits`;
        return {
          code: 'BITS_LOST',
          message: `${facts.pathOf(input)} is ${from?.codec ?? 'audio'} of ${what}, and the output has 16 bits, the default of the format ${muxer}.`,
          fix: `Send "c:a": "${encoder}" to keep them, or "c:a": "${to?.codec}" if 16 bits are meant.`,
        };
      }
      return [];
    },
  },
};
export const SAMPLE_RATE_RULES: Rules = {
  'changed-sample-rate': {
    finds: 'a sample rate that changed, although no option asks for it',
    run: ({ pass, options }) =>
      encodedStreams(pass, 'audio').flatMap(({ from: { sampleRate: before }, to }): RunWarning | [] => {
        const after = to.sampleRate;
        if (before === undefined || after === undefined || before === after || options.setsSampleRate) return [];
        // Opus is always encoded at 48000 Hz.
        if (to.codec === 'opus') return [];
        return {
          code: 'SAMPLE_RATE_CHANGED',
          message: `The sample rate of stream ${to.index} changed from ${before} to ${after} Hz, although no option asks for it.`,
          fix:
            after > before
              ? { ...addOption('ar', `${before}`), why: 'this keeps the sample rate' }
              : `Send "ar": "${after}" if this sample rate is meant.`,
        };
      }),
  },
};
