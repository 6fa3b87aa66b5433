import type { OutputStream } from '../../domain/job.ts';
import { RESIZING } from './filter-effects.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import { inputStream, type MediaFacts } from './media-facts.ts';
import { fewPlayers } from './picture-checks.ts';

/** The codecs of encoders that keep these pixel formats, in all builds. Of others, they choose one that is alike. */
const KEEPERS: Readonly<Record<string, { readonly codec: string; readonly formats: RegExp }>> = {
  libx264: { codec: 'h264', formats: /^(?:yuvj?4(?:22|44)p|nv16|yuv4(?:20|22|44)p10le)$/ },
  libx265: { codec: 'hevc', formats: /^yuv4(?:22|44)p$/ },
};

/** Filters that keep each pixel format, and those of sound that cuts use. */
const KEEPING =
  /^(?:fps|setpts|setsar|setdar|settb|null|nullsink|scale|crop|trim|segment|split|concat|hflip|vflip|transpose|select|loop|reverse|tpad|a(?:resample|pad|segment|nullsink|setpts|trim|fade|null|mix))$/;

/** Warns that an encoder will keep a pixel format of the input that few players show. */
export function foreseenPixels(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  if (facts.graphs.some(({ filters }) => filters.some(({ name }) => !KEEPING.test(name)))) return [];
  const outputStreams = pass.outputStreams.map((stream): OutputStream => {
    const used = pass.used.find(({ output }) => output === stream.index);
    const { pixelFormat = '' } = (used && inputStream(facts, used.input, used.stream)) ?? {};
    const keeper = KEEPERS[stream.codec];
    return keeper?.formats.test(pixelFormat) === true ? { ...stream, codec: keeper.codec, pixelFormat } : stream;
  });
  return fewPlayers(facts, { ...pass, outputStreams });
}

/**
 * The same of a cut, of whose streams nothing else is known. Which parts it has changes nothing about their pixels.
 *
 * @param encoder The name of the encoder of the picture, or `copy`.
 */
export function foreseenCutPixels(
  facts: MediaFacts,
  encoder: string,
  pass: Omit<ForeseenPass, 'used' | 'outputStreams'>,
): readonly RunWarning[] {
  const film = facts.inputs[0]?.streams.find(({ type }) => type === 'video');
  // The fix depends on the size.
  const isResized = facts.graphs.some(({ filters }) =>
    filters.some(({ name }) => name !== 'concat' && name !== 'scale' && RESIZING.test(name)),
  );
  if (film === undefined || encoder === 'copy' || isResized) return [];
  return foreseenPixels(facts, {
    ...pass,
    used: [{ input: 0, stream: film.index, copied: false, output: 0 }],
    outputStreams: [{ ...film, index: 0, codec: encoder }],
  });
}
