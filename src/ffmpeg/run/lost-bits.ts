import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { inputStream, type MediaFacts, optionValue, pathOf } from './media-facts.ts';

/** The sample rates at which speech is recognised and telephones work. 16 bits are usual there. */
const SPEECH_RATE = 24_000;
/** Options that choose the samples of the output. */
const SAMPLE_OPTION = /^-(?:c(?::a.*|:\d+)?|sample_fmt(?::.*)?|target)$/;

/** Sound without loss that got 16 bits because that is the default of the format, as in WAV and AIFF. */
export function lostBits(facts: MediaFacts, { used, outputStreams }: FinishedPass): readonly RunWarning[] {
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
    const codec = inputStream(facts, input, stream)?.codec ?? 'sound';
    return [
      {
        code: 'BITS_LOST',
        message: `${pathOf(facts, input)} is ${codec} of ${what}, and the output has 16 bits, the default of the format ${facts.plan.output.muxer}.`,
        fix: `Send "c:a": "pcm_${from.isFloat ? 'f' : 's'}${bits}${end}" to keep them, or "c:a": "${to?.codec}" if 16 bits are meant.`,
      },
    ];
  }
  return [];
}
