import { parseRequestPath } from '@telecine/contract/domain/bucket-path.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { hasFallback } from '@telecine/contract/domain/devices.ts';
import { fixText } from '@telecine/contract/domain/hint.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { extension, type MediaPath, withExtension } from '@telecine/contract/domain/media-path.ts';
import type { PathScope } from '@telecine/contract/domain/media-root.ts';
import { originsOf } from '@telecine/contract/domain/origins.ts';
import type { Plan, PlannedInput, Warning } from '@telecine/contract/domain/plan.ts';
import { FILE_NAME_OPTIONS } from '@telecine/contract/domain/planned-names.ts';
import { parseInputPath } from '@telecine/contract/domain/url-input.ts';
import { LRUCache } from 'lru-cache';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { PlanFacts } from './plan-facts.ts';
import { outputSeconds, workloadOf } from './workload.ts';

/** The shape of a request with one input and one output, and its paths. Plans of one shape differ only in paths. */
export interface RequestShape {
  /** All that determines the plan and its warnings, except the catalogue. */
  readonly key: string;
  readonly paths: {
    readonly output: { readonly field: string; readonly path: MediaPath };
    readonly inputs: readonly Pick<PlannedInput, 'path' | 'field' | 'url'>[];
  };
}

/** The part of a plan that is the same for all requests of one shape. */
export interface ShapePlan {
  /** True if the job replaces an existing output. */
  readonly replace: boolean;
  /** Present if the input is a wildcard. */
  readonly sequence?: PlannedInput['sequence'];
  readonly warnings: readonly Warning[];
  readonly requirements: Requirements;
  /** The seconds of media that the job publishes at most; see `outputSeconds`. */
  readonly seconds?: number;
}

/** The cache takes about 2 MB with these limits, and a few MB more if many shapes have warnings. */
const MAX_SHAPES = 1000;
const MAX_KEY_LENGTH = 1024;
const MAX_WARNINGS = 10;

/**
 * Creates a cache of plans by shape. Clients often send the same options with new paths, and a plan usually depends only on the extensions
 * of the paths. So a request of a known shape needs no new plan. The cache is emptied when the catalogues change.
 */
export function planCache() {
  const plans = new LRUCache<string, ShapePlan>({ max: MAX_SHAPES });
  let cached: readonly Catalogue[] = [];
  const areCached = (catalogues: readonly Catalogue[]): boolean =>
    catalogues.length === cached.length && catalogues.every((one, index) => one === cached[index]);
  return {
    get: ({ key }: RequestShape, catalogues: readonly Catalogue[]): ShapePlan | undefined =>
      areCached(catalogues) ? plans.get(key) : undefined,
    add({ key }: RequestShape, catalogues: readonly Catalogue[], plan: Plan, needs: Requirements['needs']): void {
      const { inputs, outputs, warnings } = plan;
      const seconds = outputSeconds(plan);
      if (!areCached(catalogues)) plans.clear();
      cached = catalogues;
      const paths = [...inputs, ...outputs].map(({ path }) => path);
      if (
        !MAY_NAME_A_FILE.test(key) &&
        !NAMES_A_FILE.test(key) &&
        warnings.length <= MAX_WARNINGS &&
        !warnings.some((warning) => namesAny(paths, warning))
      )
        plans.set(key, {
          replace: outputs.every(({ replace }) => replace),
          warnings,
          requirements: { ...workloadOf(plan), needs },
          ...(seconds !== undefined && { seconds }),
          ...(inputs[0]?.sequence && { sequence: inputs[0].sequence }),
        });
    },
  };
}

/**
 * True if a warning names one of the files, perhaps with another extension. Such a warning is not cached: other clients must not see it.
 */
const namesAny = (paths: readonly MediaPath[], { message, fix }: Warning): boolean => {
  const texts = [message, fixText(fix) ?? JSON.stringify(fix) ?? ''];
  return paths.some((path) => {
    const start = `"${withExtension(path, '')}`;
    return [start, JSON.stringify(start.slice(1)).slice(0, -1)].some((one) => texts.some((text) => text.includes(one)));
  });
};

const EXTENSION = /^[a-z][a-z0-9]{0,9}$/;

/** Matches the text of options that may name a file with an extension or a folder, or has escapes. */
const MAY_NAME_A_FILE = /[/\\]|\.[A-Za-z]/;

/** Options that name further files. Messages about them have the name of the output, so requests with them are not cached. */
const NAMES_A_FILE = new RegExp([...FILE_NAME_OPTIONS.keys()].join('|'));

/** Names that ffmpeg itself gives to files of HLS and DASH. An output with such a name may clash with a file of ffmpeg. */
const FFMPEG_FILE_NAME = /(?:^|\/)(?:init|master|media_\d+)\.\w+$/;

/** Fields that are not in the cache key: paths, and fields that do not change the plan. */
const NOT_IN_KEY: ReadonlySet<string> = new Set<keyof ConversionRequest>([
  'input',
  'output',
  'llmId',
  'metadata',
  'after',
  'priority',
  'preset',
  'sent',
  'recipe',
  'origins',
  'usesFallback',
]);

/**
 * The shape of a request with one input and one output. undefined: the request has another form, or its plan may depend on more than the
 * extensions of its paths. A request with an option that may name a file has a shape, but its plan is not cached.
 */
export function requestShape(
  request: ConversionRequest,
  { scope, cores, policy: { threads, pixels } = {} }: Omit<PlanFacts, 'catalogue'> & { readonly scope: PathScope },
): RequestShape | undefined {
  const { input: inputText, output: outputText, encrypt } = request;
  if (inputText === undefined || outputText === undefined) return undefined;
  // No shape: the plan depends on what ffprobe finds in the input.
  if (request.cut !== undefined || request.transcribe !== undefined) return undefined;
  // The encryption key must not be in the cache.
  if (encrypt !== undefined) return undefined;
  // No shape: whether the request or its fallback runs depends on the devices that the plan uses.
  if (hasFallback(request)) return undefined;
  // Check the paths before the cache is read, so that the cached plan of another client gives no access to a bucket.
  const { path: input, url } = parseInputPath(inputText, scope);
  const output = parseRequestPath(outputText, scope, 'write');
  if (typeof input !== 'string' || typeof output !== 'string' || input === output) return undefined;
  if (input.includes('%') || output.includes('%') || FFMPEG_FILE_NAME.test(output)) return undefined;
  const [from, to] = [extension(input), extension(output)];
  if (!EXTENSION.test(from) || !EXTENSION.test(to)) return undefined;
  let options = '';
  for (const name in request) {
    const value = request[name as keyof ConversionRequest];
    if (value !== undefined && !NOT_IN_KEY.has(name)) options += ` ${name} ${JSON.stringify(value)}`;
  }
  // The recipe's own choice of the frame size goes with more options than that of the client.
  if (originsOf(request)['/frameSize'] !== undefined) options += ' frameSize of the recipe';
  if (options.length > MAX_KEY_LENGTH) return undefined;
  return {
    key: `${url === undefined ? '' : 'url '}${threads} ${cores} ${pixels} ${from} ${to}${options}`,
    paths: {
      output: { field: '/output', path: output },
      inputs: [{ path: input, field: '/input', ...(url === undefined ? {} : { url }) }],
    },
  };
}
