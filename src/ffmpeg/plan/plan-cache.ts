import { LRUCache } from 'lru-cache';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { extension, type MediaPath, parseMediaPath } from '../../domain/media-path.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { PlanFacts } from './planner.ts';

/** The files of a request that can be planned. */
export interface Paths {
  readonly output: { readonly path: MediaPath };
  readonly inputs: readonly { readonly path: MediaPath; readonly field: string }[];
}

/** Kinds of requests that are remembered of one catalogue, and how long the text of one may be: some 2 MB at most. */
const MOST_KINDS = 1000;
const LONGEST_KIND = 1024;

/** Kinds that can be planned; a catalogue is a value, so that what is learned begins a new memory. */
const planned = new WeakMap<Catalogue, LRUCache<string, true>>();

/**
 * Of requests come the same formats and options again and again, and only their paths change. A plan takes from
 * ordinary paths nothing that decides whether it can be made but their extensions: so where a request was planned, the
 * next of its kind can be too. undefined: it is not known, and `plan` says.
 */
export function pathsLikeBefore(
  request: ConversionRequest,
  facts: PlanFacts & { readonly root: string },
): Paths | undefined {
  const kind = kindOf(request, facts);
  return kind !== undefined && planned.get(facts.catalogue)?.get(kind.text) ? kind.paths : undefined;
}

/** To be called with a request that was planned. */
export function rememberPlanned(request: ConversionRequest, facts: PlanFacts & { readonly root: string }): void {
  const kind = kindOf(request, facts);
  if (kind === undefined) return;
  let kinds = planned.get(facts.catalogue);
  if (kinds === undefined) {
    kinds = new LRUCache({ max: MOST_KINDS });
    planned.set(facts.catalogue, kinds);
  }
  kinds.set(kind.text, true);
}

/** Ordinary extensions begin with a letter. */
const EXTENSION = /^[a-z][a-z0-9]{0,9}$/;

/** An option's text that may name a file with such an extension, or a folder; or that is not plain to read. */
const MAY_NAME_A_FILE = /[/\\]|\.[A-Za-z]/;

/** What ffmpeg itself calls files of HLS and DASH: an output of that name may be one of them. */
const OF_FFMPEG = /(?:^|\/)(?:init|master|media_\d+)\.\w+$/;

/**
 * All but its paths that a plan of one input and one output is made from, what may refuse it included, as a text;
 * undefined where the paths matter more: they count, are the same, or an option may name them.
 */
function kindOf(
  request: ConversionRequest,
  { root, cores, policy: { threads, pixels } = {} }: PlanFacts & { readonly root: string },
): { readonly text: string; readonly paths: Paths } | undefined {
  const { input: from, output: to, llmId: _, ...rest } = request;
  if (from === undefined) return undefined;
  const input = parseMediaPath(from, root);
  const output = parseMediaPath(to, root);
  if (typeof input !== 'string' || typeof output !== 'string' || input === output) return undefined;
  if (input.includes('%') || output.includes('%') || OF_FFMPEG.test(output)) return undefined;
  const extensions = [extension(input), extension(output)];
  if (!extensions.every((one) => EXTENSION.test(one))) return undefined;
  const said = JSON.stringify(rest);
  if (said.length > LONGEST_KIND || MAY_NAME_A_FILE.test(said)) return undefined;
  return {
    text: `${threads} ${cores} ${pixels} ${extensions.join(' ')} ${said}`,
    paths: { output: { path: output }, inputs: [{ path: input, field: '/input' }] },
  };
}
