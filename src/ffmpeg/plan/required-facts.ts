import type { ConversionRequest, OptionValue, Parameters } from '../../domain/conversion.ts';
import { extension, parseMediaPath } from '../../domain/media-path.ts';
import { CLI_RULES } from '../allowlist/cli-rules.ts';
import { FILTERS } from '../allowlist/filters.ts';
import { rejectionReasonOf } from '../allowlist/rejection-reasons.ts';
import { parseBsfs } from '../bsf/check-bsfs.ts';
import {
  type Catalogue,
  type CodecKind,
  componentKey,
  componentOf,
  decoderNamed,
  encoderNamed,
  encoderOfCodec,
  type MissingFacts,
  usesOf,
} from '../catalogue/catalogue.ts';
import type { ComponentName } from '../catalogue/component.ts';
import { isGraphError } from '../filtergraph/graph.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { isNameError, type OptionName, parseOptionName } from './request/option-name.ts';
import { selectFormat } from './request/select-muxer.ts';

/**
 * undefined: all is known, which is so for nearly every request but the first ones. What is answered may lead to more
 * questions: only the muxer tells which encoders it takes when none is named.
 */
export function findMissingFacts(request: ConversionRequest, catalogue: Catalogue): MissingFacts | undefined {
  const options = new Set<string>();
  const components = new Map<string, ComponentName>();
  const need = (component: ComponentName): void => {
    const key = componentKey(component);
    if (!catalogue.components.has(key)) components.set(key, component);
  };
  collectOptions(request.parameters, catalogue, options);
  collectOutput(request, catalogue, need);
  collectFilters(request.parameters, catalogue, need);
  for (const input of request.inputs ?? []) {
    if (typeof input === 'string') continue;
    collectOptions(input.parameters, catalogue, options);
    collectInput(input.parameters, catalogue, need);
    collectFilters(input.parameters, catalogue, need);
  }
  if (options.size === 0 && components.size === 0) return undefined;
  return { options: [...options], components: [...components.values()] };
}

/**
 * Adds the options of ffmpeg's own that were never asked about, those that its help does not list included: ffmpeg 7's
 * leaves out `s`, and each leaves out `noautoscale` and its like.
 */
function collectOptions(parameters: Parameters | undefined, catalogue: Catalogue, into: Set<string>): void {
  for (const { name } of namesIn(parameters)) {
    if (!CLI_RULES.has(name)) continue;
    if ((catalogue.cli.get(name) ?? null) === null) into.add(name);
  }
}

type Need = (component: ComponentName) => void;

/** Options of ffmpeg's own whose values depend on the encoder, with the letters of the kinds that take them. */
const FOR_ENCODERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ b: 'VA', profile: 'VA', pix_fmt: 'V', r: 'V', sample_fmt: 'A', ar: 'A', ac: 'A', ch_layout: 'A' }),
);

/** Muxers that may take libx265 or libsvtav1 by themselves, which are told of the limit of threads in options of their own. */
const BY_LIMITED_ENCODERS: ReadonlySet<string> = new Set(['hevc', 'avif', 'ivf', 'obu']);

/** The muxer and the encoders, where an option or a limit depends on them. */
function collectOutput(request: ConversionRequest, catalogue: Catalogue, need: Need): void {
  const options = [...namesIn(request.parameters)];
  const muxer = muxerOf(request, catalogue);
  const limited = muxer !== undefined && BY_LIMITED_ENCODERS.has(muxer);
  if (!limited && !options.some(({ name }) => FOR_ENCODERS.has(name) || isAvOption(name, catalogue))) return;
  const kinds = KINDS.filter((kind) => options.some((option) => concerns(option, kind, catalogue)));
  if (muxer !== undefined) need({ kind: 'muxer', name: muxer });
  const codecs = options.filter(({ name, value }) => name === 'c' && typeof value === 'string');
  const defaults = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer)?.defaultCodecs;
  const byDefault = kinds.map((kind) =>
    codecs.some(({ specifier }) => covers(specifier, kind)) ? undefined : defaults?.[kind],
  );
  const encoders = [
    ...codecs.map(({ value }) => (typeof value === 'string' ? encoderNamed(catalogue, value) : undefined)),
    ...byDefault.map((codec) => (codec === undefined ? undefined : encoderOfCodec(catalogue, codec))),
  ];
  for (const encoder of encoders)
    if (encoder !== undefined && kinds.includes(encoder.kind)) need({ kind: 'encoder', name: encoder.name });
}

/** The filters in filtergraphs, and the bitstream filters that are given options. */
function collectFilters(parameters: Parameters | undefined, catalogue: Catalogue, need: Need): void {
  for (const { name, value } of namesIn(parameters)) {
    if (name === 'bsf' && typeof value === 'string') {
      const list = parseBsfs(value);
      if ('error' in list) continue;
      for (const bsf of list)
        if (bsf.options.length > 0 && catalogue.lists.bsfs.has(bsf.name)) need({ kind: 'bsf', name: bsf.name });
    }
    if (name !== 'filter' && name !== 'filter_complex') continue;
    for (const text of typeof value === 'string' ? [value] : value) {
      const graph = parseGraph(text);
      if (isGraphError(graph)) continue;
      for (const filter of graph.chains.flat())
        if (FILTERS.has(filter.name) && catalogue.lists.filters.has(filter.name))
          need({ kind: 'filter', name: filter.name });
    }
  }
}

/** The demuxer and the decoders that an input names, where it sends an option that may be theirs. */
function collectInput(parameters: Parameters | undefined, catalogue: Catalogue, need: Need): void {
  const options = [...namesIn(parameters)];
  if (!options.some(({ name }) => isAvOption(name, catalogue))) return;
  for (const { name, value } of options) {
    if (typeof value !== 'string') continue;
    const decoder = name === 'c' ? decoderNamed(catalogue, value) : undefined;
    if (decoder !== undefined) need({ kind: 'decoder', name: decoder.name });
    if (name === 'f' && catalogue.lists.demuxers.has(value)) need({ kind: 'demuxer', name: value });
  }
}

const KINDS: readonly CodecKind[] = ['video', 'audio', 'subtitle'];

/** Whether encoders of a kind may be given an option. */
function concerns({ name, specifier }: OptionName, kind: CodecKind, catalogue: Catalogue): boolean {
  const letter = kind.charAt(0).toUpperCase();
  if (/^[vas]/i.test(specifier ?? '') && specifier?.charAt(0).toUpperCase() !== letter) return false;
  const letters = FOR_ENCODERS.get(name);
  if (letters !== undefined) return letters.includes(letter);
  return (
    isAvOption(name, catalogue) && usesOf(catalogue, name).some((use) => use.encoding && use.media.includes(letter))
  );
}

/** Whether `c:SPECIFIER` names the codec of all streams of a kind, or of one of them. */
const covers = (specifier: string | undefined, kind: CodecKind): boolean =>
  specifier === undefined || specifier.charAt(0).toLowerCase() === kind.charAt(0);

const isAvOption = (name: string, catalogue: Catalogue): boolean =>
  !catalogue.cli.has(name) && usesOf(catalogue, name).length > 0;

/** The options that are well named and not refused. */
function* namesIn(parameters: Parameters | undefined): Generator<OptionName & { readonly value: OptionValue }> {
  for (const [key, value] of Object.entries(parameters ?? {})) {
    const read = parseOptionName(key);
    if (!isNameError(read) && rejectionReasonOf(read.name) === undefined) yield { ...read, value };
  }
}

/** The root has no part in an extension. */
function muxerOf(request: ConversionRequest, catalogue: Catalogue): string | undefined {
  const output = parseMediaPath(request.output, '/');
  return selectFormat(request, typeof output === 'string' ? extension(output) : '', catalogue.lists.muxers, [])?.muxer;
}
