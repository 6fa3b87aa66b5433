import { extension } from '@telecine/contract/domain/media-path.ts';
import { rememberLast } from '@telecine/contract/domain/remember.ts';
import { isUsableDeviceFilter } from '../allowlist/device-components.ts';
import { FILTERS } from '../allowlist/filters.ts';
import { inputFormatNamed } from '../allowlist/input-formats.ts';
import { rejectionReasonOf } from '../allowlist/rejected-options.ts';
import {
  type Catalogue,
  type CodecKind,
  componentKey,
  decoderNamed,
  encoderNamed,
  encoderOfCodec,
  STREAM_KINDS,
  usesOf,
} from '../catalogue/catalogue.ts';
import type { ComponentName } from '../catalogue/component.ts';
import { componentOf } from '../catalogue/components.ts';
import { isGraphError } from '../filtergraph/graph.ts';
import type { OptionName } from './request/option-name.ts';
import { namedOptions, type OutputRequest, type ParsedOption, type ParsedOptions } from './request/parse-request.ts';
import { selectFormat } from './request/select-muxer.ts';

/**
 * The components that a request names, or whose options it sets. The last result is cached, because several checks and the needs of a job ask
 * about the same output.
 */
export const requiredComponents = rememberLast((catalogue: Catalogue) =>
  rememberLast((request: OutputRequest): readonly ComponentName[] => findComponents(request, catalogue)),
);

function findComponents(request: OutputRequest, catalogue: Catalogue): readonly ComponentName[] {
  const components = new Map<string, ComponentName>();
  const need: Need = (component) => components.set(componentKey(component), component);
  const outputOptions = usableOptions(request.options);
  collectOutputComponents(request, outputOptions, catalogue, need);
  collectFilters(outputOptions, catalogue, need);
  for (const input of request.inputs) {
    const inputOptions = usableOptions(input.options);
    componentsOfInput(inputOptions, catalogue).forEach(need);
    collectFilters(inputOptions, catalogue, need);
    if (input.source !== undefined) collectFilters([{ graphs: [input.source] }], catalogue, need);
  }
  return [...components.values()];
}

type Need = (component: ComponentName) => unknown;

/** The options whose name is valid and not rejected. */
const usableOptions = (options: ParsedOptions): readonly ParsedOption[] =>
  namedOptions(options).filter(({ name }) => rejectionReasonOf(name.name) === undefined);

/** Options of the ffmpeg program whose valid values depend on the encoder, with the kinds of encoders: V video, A audio. */
const ENCODER_DEPENDENT_OPTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({ b: 'VA', profile: 'VA', pix_fmt: 'V', r: 'V', sample_fmt: 'A', ar: 'A', ac: 'A', ch_layout: 'A' }),
);

/** Adds the muxer, and the encoders that get an option of the request. Without `c`, the muxer determines the encoders. */
function collectOutputComponents(
  request: OutputRequest,
  options: readonly ParsedOption[],
  catalogue: Catalogue,
  need: Need,
): void {
  const muxer = muxerOf(request, catalogue);
  const letters = options.map(({ name }) => encoderLetters(name, catalogue));
  const kinds = STREAM_KINDS.filter((kind) => letters.some((some) => some.includes(kind.charAt(0).toUpperCase())));
  if (muxer !== undefined) need({ kind: 'muxer', name: muxer });
  const codecOptions = options.filter(({ name, value }) => name.name === 'c' && typeof value === 'string');
  const defaultCodecs = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer)?.defaultCodecs;
  const sent = codecOptions.map(({ value }) =>
    typeof value === 'string' ? encoderNamed(catalogue, value) : undefined,
  );
  const byDefault = kinds.map((kind) => {
    const codec = codecOptions.some(({ name }) => mayNameCodecOf(name, kind)) ? undefined : defaultCodecs?.[kind];
    return codec === undefined ? undefined : encoderOfCodec(catalogue, codec);
  });
  for (const encoder of [...sent, ...byDefault])
    if (encoder !== undefined && kinds.includes(encoder.kind)) need({ kind: 'encoder', name: encoder.name });
}

/** Adds the filters of filtergraphs, and bitstream filters with options. */
function collectFilters(
  options: readonly Pick<ParsedOption, 'graphs' | 'bitstreamFilters'>[],
  catalogue: Catalogue,
  need: Need,
): void {
  for (const { graphs = [], bitstreamFilters = [] } of options) {
    if (!('error' in bitstreamFilters))
      for (const bsf of bitstreamFilters)
        if (bsf.options.length > 0 && catalogue.lists.bsfs.has(bsf.name)) need({ kind: 'bsf', name: bsf.name });
    for (const read of graphs) {
      if (isGraphError(read)) continue;
      for (const { name } of read.chains.flat())
        if ((FILTERS.has(name) || isUsableDeviceFilter(name, catalogue.devices)) && catalogue.lists.filters.has(name))
          need({ kind: 'filter', name });
    }
  }
}

/** The demuxer and the decoders that an input names. */
const componentsOfInput = (options: readonly ParsedOption[], catalogue: Catalogue): readonly ComponentName[] =>
  options.flatMap(({ name, value }): readonly ComponentName[] => {
    if (typeof value !== 'string') return [];
    const decoder = name.name === 'c' ? decoderNamed(catalogue, value)?.name : undefined;
    const demuxer = name.name === 'f' ? inputFormatNamed(value) : undefined;
    return [
      ...(decoder === undefined ? [] : [{ kind: 'decoder' as const, name: decoder }]),
      ...(demuxer === undefined || !catalogue.lists.demuxers.has(demuxer)
        ? []
        : [{ kind: 'demuxer' as const, name: demuxer }]),
    ];
  });

/** The kinds of encoders that an option may apply to, as letters. */
function encoderLetters({ name, specifier }: OptionName, catalogue: Catalogue): string {
  const letters =
    ENCODER_DEPENDENT_OPTIONS.get(name) ??
    (catalogue.cli.has(name)
      ? ''
      : usesOf(catalogue, name).reduce((all, use) => all + (use.encoding ? use.media : ''), ''));
  if (letters === '' || specifier === undefined || !/^[vas]/i.test(specifier)) return letters;
  const letter = specifier.charAt(0).toUpperCase();
  return letters.includes(letter) ? letter : '';
}

/** True if `c` or `c:SPECIFIER` may name the codec of a stream of this kind. */
const mayNameCodecOf = ({ specifier }: OptionName, kind: CodecKind): boolean =>
  specifier === undefined || specifier.charAt(0).toLowerCase() === kind.charAt(0);

/** The muxer of an output. Errors in the format are ignored here: the planner reports them. */
function muxerOf(request: OutputRequest, catalogue: Catalogue): string | undefined {
  const outputExtension = typeof request.output === 'string' ? extension(request.output) : '';
  return selectFormat(request, outputExtension, catalogue.lists.muxers, [])?.muxer;
}
