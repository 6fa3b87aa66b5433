import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { wordSet } from '../../allowlist/words.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { checkFilter } from '../../filtergraph/check-filter.ts';
import {
  errorSpan,
  type Graph,
  type GraphError,
  type GraphFilter,
  isGraphError,
  printGraph,
} from '../../filtergraph/graph.ts';
import { findPlaces } from '../../filtergraph/graph-places.ts';
import { type PadKind, padKinds } from '../../filtergraph/pad-kinds.ts';
import { readBoolean } from '../../values/boolean.ts';
import { readPlainNumber } from '../../values/number.ts';
import { readRate } from '../../values/rate.ts';
import { parseSize } from '../../values/size.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, hasKey, isBooleanOn } from './argv-option.ts';
import { badDuration, isDuration, twoDurations } from './duration-field.ts';
import type { ParsedInput } from './parse-request.ts';
import type { OptionContext } from './resolve-options.ts';

/** The maximum number of pixels in a generated frame: 8192x8192. Decoders limit files to the same size. */
const MAX_PIXELS = 2 ** 26;

/** The maximum frame rate of a generated video. With a higher rate, one second would be more work than a minute of ordinary video. */
const MAX_RATE = 1000;

/** The maximum number of samples in one frame of audio, which ffmpeg allocates as one block of memory. */
const MAX_SAMPLES = 2 ** 16;

/** The demuxer that reads a filtergraph as an input. */
const DEMUXER = 'lavfi';

/** A `source` of a request, checked and as the argv has it. */
export interface ResolvedSource {
  /** The graph as the service prints it. */
  readonly logical: string;
  readonly made: MadeMedia;
  readonly demuxer: string;
}

/** Resolves an input that a filtergraph generates without a file: `color=c=red:s=1280x720`. The graph must have exactly one output. */
export function resolveSource(
  { field, pointer, text, duration }: ParsedInput,
  graph: Graph | GraphError,
  options: readonly ArgvOption[],
  { catalogue, errors }: Pick<OptionContext, 'catalogue' | 'errors'>,
): ResolvedSource | undefined {
  const checked = checkedSource(graph, text, catalogue);
  const found: FieldError[] = 'errors' in checked ? checked.errors.map((error) => ({ field, ...error })) : [];
  const ends = options.find(({ key }) => key === 't' || key === 'to');
  if (duration !== undefined && !isDuration(duration))
    found.push({ field: `${pointer}/duration`, ...badDuration('duration', '2.5') });
  if (duration !== undefined && ends !== undefined)
    found.push({ field: `${pointer}/duration`, ...twoDurations(ends.key, 'the source lasts') });
  if (!catalogue.lists.demuxers.has(DEMUXER)) found.push({ field, ...NO_SOURCES });
  errors.push(...found);
  if (found.length > 0 || 'errors' in checked) return undefined;
  return { logical: printGraph(checked.graph), made: checked, demuxer: DEMUXER };
}

/** What a source generates. */
export interface MadeMedia {
  readonly kind: PadKind;
  /** Every option has its name. */
  readonly graph: Graph;
}

type CheckedSource = ReturnType<typeof checkSource>;

/** Results by the parsed graph, which belongs to one request. Cached, because all outputs of a request have the same inputs. */
const checkedSources = new WeakMap<
  Graph | GraphError,
  {
    readonly lists: Catalogue['lists'];
    readonly devices: Catalogue['devices'] | undefined;
    readonly checked: CheckedSource;
  }
>();

function checkedSource(graph: Graph | GraphError, text: string, catalogue: Catalogue): CheckedSource {
  const before = checkedSources.get(graph);
  const { lists, devices } = catalogue;
  if (before?.lists === lists && before.devices === devices) return before.checked;
  const checked = checkSource(graph, text, catalogue);
  checkedSources.set(graph, { lists, devices, checked });
  return checked;
}

function checkSource(
  graph: Graph | GraphError,
  text: string,
  catalogue: Catalogue,
): MadeMedia | { readonly errors: ValueError[] } {
  if (isGraphError(graph))
    return {
      errors: [
        {
          code: 'BAD_FILTERGRAPH',
          message: `The source is not a filtergraph: ${graph.error}.`,
          at: errorSpan(graph, text),
        },
      ],
    };
  const errors: ValueError[] = [];
  const context = {
    catalogue,
    fileNamed: () => undefined,
    fontsIn: () => [],
    allFonts: () => undefined,
    placesOf: findPlaces(text),
  };
  const chains = graph.chains.map((chain) => chain.map((filter) => checkFilter(filter, context, errors)));
  const checked = { ...graph, chains };
  if (errors.length > 0)
    return { errors: errors.map((error) => (error.code === 'NOT_AN_INPUT' ? { ...error, fix: NO_FILES } : error)) };
  const { misfit, outputs } = openEnds(checked, catalogue);
  const [output, ...others] = outputs;
  if (misfit !== undefined || output === undefined || others.length > 0)
    return { errors: [notASource(misfit ?? filterAtFault(checked, outputs), outputs.length)] };
  const large = chains.flat().flatMap(tooLarge);
  return large.length > 0 ? { errors: large } : { kind: output.kind, graph: checked };
}

const notASource = (filter: GraphFilter | undefined, outputs: number): ValueError => ({
  code: 'NOT_A_SOURCE',
  message: `${filter === undefined ? `The filtergraph has ${outputs} outputs` : `${quoted(filter.name)} is not a source`}. A source has no input and exactly one output.`,
  fix: `${EXAMPLE} For filters of inputs, send "vf", "af" or "filter_complex".`,
});

/**
 * The filter to blame for the wrong number of outputs: a sink, or a filter with several outputs. undefined: several filters have outputs.
 */
const filterAtFault = ({ chains }: Graph, [first, ...others]: readonly OpenOutput[]): GraphFilter | undefined => {
  if (first === undefined) return chains.flat().at(-1);
  return others.every(({ filter }) => filter === first.filter) ? first.filter : undefined;
};

const EXAMPLE =
  'Send one, such as "color=c=black:s=1280x720:r=25", "testsrc2", "sine=frequency=440" or "anullsrc=r=48000:cl=stereo".';

const NO_FILES = 'A source reads no files. Send the file in "inputs", and this filter in "vf" or "filter_complex".';

/** An output of a graph, and its filter. */
interface OpenOutput {
  readonly kind: PadKind;
  readonly filter: GraphFilter;
}

/** The outputs of a graph. `misfit`: the first filter that lacks an input, or whose pads only ffmpeg knows. */
function openEnds(
  graph: Graph,
  catalogue: Catalogue,
): { readonly outputs: readonly OpenOutput[]; readonly misfit?: GraphFilter } {
  const produced = new Set(graph.chains.flat().flatMap(({ outputs }) => outputs));
  const used = new Set(graph.chains.flat().flatMap(({ inputs }) => inputs));
  const outputs: OpenOutput[] = [];
  for (const chain of graph.chains) {
    let open: readonly OpenOutput[] = [];
    for (const filter of chain) {
      const [into, outOf] = [padKinds(filter, 'inputs', catalogue), padKinds(filter, 'outputs', catalogue)];
      if (into === undefined || outOf === undefined) return { outputs, misfit: filter };
      const free = into.length - filter.inputs.length;
      if (free > open.length || filter.inputs.some((label) => !produced.has(label))) return { outputs, misfit: filter };
      outputs.push(...open.slice(Math.max(0, free)));
      for (const [at, label] of filter.outputs.entries())
        if (!used.has(label)) outputs.push({ kind: outOf[at] ?? 'video', filter });
      open = outOf.slice(filter.outputs.length).map((kind) => ({ kind, filter }));
    }
    outputs.push(...open);
  }
  return { outputs };
}

/** The errors for options that make frames too large or frame rates too high. */
function tooLarge({ name, options }: GraphFilter): readonly ValueError[] {
  return options.flatMap(({ key, value }): ValueError[] => {
    const size = key === 'size' || key === 's' ? parseSize(value) : undefined;
    if (size !== undefined && size.width * size.height > MAX_PIXELS)
      return [tooMuch(name, `${size.width}x${size.height}`, 'frames of at most 8192x8192')];
    if ((key === 'rate' || key === 'r') && (readRate(value) ?? 0) > MAX_RATE && !AUDIO_RATES.test(name))
      return [tooMuch(name, `${value} frames per second`, `at most ${MAX_RATE} frames per second`)];
    const samples = SAMPLES.has(key ?? '') ? readPlainNumber(value) : undefined;
    if (samples !== undefined && samples > MAX_SAMPLES)
      return [tooMuch(name, `${value} samples in a frame`, `at most ${MAX_SAMPLES} samples in a frame`)];
    return [];
  });
}

/** Filters whose option `r` is a sample rate. */
const AUDIO_RATES = /^(?:an|sine|a?evalsrc|anoisesrc|hilbert|sinc|afirsrc)/;

const SAMPLES: ReadonlySet<string> = new Set(['nb_samples', 'n', 'samples_per_frame']);

const tooMuch = (filter: string, sent: string, allowed: string): ValueError => ({
  code: 'LIMIT_EXCEEDED',
  message: `The source "${filter}" makes ${sent}. Allowed: ${allowed}.`,
  fix: `Send ${allowed}.`,
});

const NO_SOURCES: ValueError = {
  code: 'UNSUPPORTED',
  message: 'The installed ffmpeg cannot read a filtergraph as an input: it has no demuxer "lavfi".',
  fix: 'Send the source in "filter_complex", or ask the operator for a complete build of ffmpeg.',
};

/** Video filters without an input. They output frames without end, unless an option limits them. */
export const VIDEO_SOURCES = wordSet(
  'allrgb allyuv color colorchart colorspectrum gradients haldclutsrc nullsrc pal75bars pal100bars rgbtestsrc ' +
    'smptebars smptehdbars testsrc testsrc2 yuvtestsrc zoneplate mandelbrot life cellauto mptestsrc sierpinski perlin',
);
export const AUDIO_SOURCES = wordSet('anullsrc sine anoisesrc aevalsrc');
const SOURCE_LIMITS = wordSet('d duration nb_samples');

/** True if a filter outputs frames without end. */
export const isUnlimited = ({ name, options }: GraphFilter): boolean =>
  (VIDEO_SOURCES.has(name) || AUDIO_SOURCES.has(name)) &&
  // In the filters of `FRAME_SAMPLES`, `nb_samples` is the size of one frame and does not end the output.
  !options.some(({ key = '' }) => SOURCE_LIMITS.has(key) && !(key === 'nb_samples' && FRAME_SAMPLES.test(name)));

const FRAME_SAMPLES = /^(?:anullsrc|anoisesrc|aevalsrc)$/;

/** Options that end the output or one of its streams. `shortest` is missing: it ends the output only if a stream ends. */
export const ENDING_OPTIONS = wordSet('t to fs frames');

/** True if an input never ends: an endless `source`, or an image or video that is repeated for ever. */
export function isEndlessInput(input: Parameters<typeof isEndlessSource>[0]): boolean {
  const { options } = input;
  if (input.made !== undefined) return isEndlessSource(input);
  if (hasKey(options, 't', 'to')) return false;
  return (
    isBooleanOn('loop', options) ||
    options.some(({ key, values: [value = ''] }) => key === 'stream_loop' && Number(value) < 0) ||
    options.some(({ key, values: [value = ''] }) => key === 'ignore_loop' && readBoolean(value) === 0)
  );
}

/** True if an input is a `source` that no option ends. */
export const isEndlessSource = ({
  made,
  duration,
  options,
}: {
  readonly made?: MadeMedia;
  readonly duration?: string | undefined;
  readonly options: readonly ArgvOption[];
}): boolean => {
  if (made === undefined || duration !== undefined) return false;
  if (hasKey(options, 't', 'to')) return false;
  const filters = made.graph.chains.flat();
  return filters.some(isUnlimited) && !filters.some(({ name }) => name === 'trim' || name === 'atrim');
};
