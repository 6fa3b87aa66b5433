import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { Plan, ProbedInput } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { rememberLast } from '@telecine/contract/domain/remember.ts';
import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { isUsableDeviceFilter } from '../allowlist/device-components.ts';
import { FILTERS } from '../allowlist/filters.ts';
import { inputFormatNamed } from '../allowlist/input-formats.ts';
import { rejectionReasonOf } from '../allowlist/rejected-options.ts';
import {
  type Catalogue,
  type CodecKind,
  type ComponentHelp,
  componentKey,
  componentOf,
  decoderNamed,
  encoderNamed,
  encoderOfCodec,
  type MissingFacts,
  STREAM_KINDS,
  stillMissing,
  usesOf,
} from '../catalogue/catalogue.ts';
import type { ComponentName } from '../catalogue/component.ts';
import { isGraphError } from '../filtergraph/graph.ts';
import type { OptionName } from './request/option-name.ts';
import {
  namedOptions,
  type OutputRequest,
  type ParsedOption,
  type ParsedOptions,
  type ParsedRequest,
} from './request/parse-request.ts';
import { selectFormat } from './request/select-muxer.ts';

/**
 * The facts about ffmpeg that planning needs and the catalogue lacks. undefined: nothing is missing. Once they are queried, call this
 * function again: it may return further facts, such as those about the default encoders of the muxer.
 */
export function findMissingFacts(request: ParsedRequest, catalogue: Catalogue): MissingFacts | undefined {
  const missing = request.outputs.flatMap((output) => stillMissing(catalogue, requiredFacts(catalogue)(output)) ?? []);
  if (missing.length === 0) return undefined;
  const options = [...new Set(missing.flatMap((facts) => facts.options))];
  return { options, components: withoutRepetition(missing.flatMap((facts) => facts.components)) };
}

const withoutRepetition = (components: readonly ComponentName[]): readonly ComponentName[] => [
  ...new Map(components.map((component) => [componentKey(component), component])).values(),
];

/** The catalogue with only the components that an output requires, so that its plan does not depend on earlier requests. */
export function restrictToRequired(request: OutputRequest, catalogue: Catalogue): Catalogue {
  const components = new Map<string, ComponentHelp>();
  for (const component of requiredFacts(catalogue)(request).components) {
    const key = componentKey(component);
    const help = catalogue.components.get(key);
    if (help !== undefined) components.set(key, help);
  }
  return { ...catalogue, components };
}

/** The components whose options the request sets. */
export const requiredComponents = (request: ParsedRequest, catalogue: Catalogue): readonly ComponentName[] =>
  withoutRepetition(request.outputs.flatMap((output) => requiredFacts(catalogue)(output).components));

/**
 * The facts that planning an output needs, as far as the catalogue shows them. The last result is cached, because `findMissingFacts` and
 * the planner ask about the same output.
 */
const requiredFacts = rememberLast((catalogue: Catalogue) =>
  rememberLast((request: OutputRequest) => findRequiredFacts(request, catalogue)),
);

function findRequiredFacts(request: OutputRequest, catalogue: Catalogue): MissingFacts {
  const options = new Set<string>();
  const components = new Map<string, ComponentName>();
  const need: Need = (component) => components.set(componentKey(component), component);
  const outputOptions = usableOptions(request.options);
  collectCliOptions(outputOptions, options);
  collectOutputComponents(request, outputOptions, catalogue, need);
  collectFilters(outputOptions, catalogue, need);
  for (const input of request.inputs) {
    const inputOptions = usableOptions(input.options);
    collectCliOptions(inputOptions, options);
    // The demuxer and the decoders are needed only for an AVOption: other options do not belong to them.
    if (inputOptions.some(({ name }) => isAvOption(name.name, catalogue)))
      componentsOfInput(inputOptions, catalogue).forEach(need);
    collectFilters(inputOptions, catalogue, need);
    if (input.source !== undefined) collectFilters([{ graphs: [input.source] }], catalogue, need);
  }
  return { options: [...options], components: [...components.values()] };
}

type Need = (component: ComponentName) => unknown;

/** The options whose name is valid and not rejected. */
const usableOptions = (options: ParsedOptions): readonly ParsedOption[] =>
  namedOptions(options).filter(({ name }) => rejectionReasonOf(name.name) === undefined);

/** Adds the options of the ffmpeg program. Its help does not list all of them: `s` is missing in ffmpeg 7, `noautoscale` always. */
function collectCliOptions(options: readonly ParsedOption[], into: Set<string>): void {
  for (const { name } of options) if (CLI_RULES.has(name.name)) into.add(name.name);
}

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
export const componentsOfInput = (options: readonly ParsedOption[], catalogue: Catalogue): readonly ComponentName[] =>
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

const isAvOption = (name: string, catalogue: Catalogue): boolean =>
  !catalogue.cli.has(name) && usesOf(catalogue, name).length > 0;

/** The muxer of an output. Errors in the format are ignored here: the planner reports them. */
function muxerOf(request: OutputRequest, catalogue: Catalogue): string | undefined {
  const outputExtension = typeof request.output === 'string' ? extension(request.output) : '';
  return selectFormat(request, outputExtension, catalogue.lists.muxers, [])?.muxer;
}

/** What a plan depends on besides the request. */
export interface PlanFacts {
  readonly catalogue: Catalogue;
  readonly policy?: ClientLimits;
  /** The number of processors, which determines how many threads encoders start. Default: 0, so no thread limit is added. */
  readonly cores?: number;
  /** What ffprobe found in the inputs, in the order of the request. undefined: not probed, so the plan assumes its content. */
  readonly media?: readonly (ProbedInput | undefined)[];
  /** True if the plan shall say how it runs in chunks. */
  readonly chunks?: boolean;
}

export type PlanOrErrors =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly errors: readonly FieldError[] };
