import type { ConversionRequest, NewWatch, Recipe, Watch, WatchChange } from '@telecine/client';
import { definedMembers } from '../../packages/contract/src/domain/defined.ts';
import { requestForFile } from '../../packages/contract/src/domain/each-file.ts';
import { isHiddenUrl } from '../../packages/contract/src/domain/hidden-parts.ts';
import { type MediaPath, withSlash } from '../../packages/contract/src/domain/media-path.ts';
import { WATCH_LIMITS } from '../../packages/contract/src/domain/watch.ts';
import { hasHiddenParts } from '../workbench/hidden-parts.ts';

export type WatchRequest = NewWatch['request'];

/** The form of a new watch, without the recipe. */
export interface WatchDraft {
  readonly folder: string;
  /** The templates of the outputs. '' is the suggestion of the page. */
  readonly outputs: readonly string[];
  /** Patterns of names, with spaces or commas between them. */
  readonly patterns: string;
  readonly subfolders: boolean;
  readonly source: 'keep' | 'move' | 'delete';
  readonly moveTo: string;
  readonly isChangedConverted: boolean;
  readonly isExistingIgnored: boolean;
  readonly name: string;
  /** Patterns of names that are left out. */
  readonly exclude: string;
  /** Seconds. '' is the default. */
  readonly every: string;
  readonly maxUnfinished: string;
}

export const EMPTY_WATCH: WatchDraft = {
  folder: '',
  outputs: [''],
  patterns: '',
  subfolders: true,
  source: 'keep',
  moveTo: 'done/',
  isChangedConverted: false,
  isExistingIgnored: false,
  name: '',
  exclude: '',
  every: '',
  maxUnfinished: '',
};

/** What a watch converts with: the settings of the workbench, or a recipe, or both. */
export interface WatchSettings {
  readonly base?: WatchRequest | undefined;
  readonly preset?: WatchRequest['preset'];
}

/** The watch of a form. undefined: a part without which nothing can be checked is missing. `suggested`: the template of an output that is ''. */
export function watchFromDraft(
  draft: WatchDraft,
  { base, preset }: WatchSettings,
  suggested: string,
): NewWatch | undefined {
  const { folder, source, moveTo, isChangedConverted, isExistingIgnored, name, subfolders } = draft;
  if (folder.trim() === '' || (base === undefined && preset === undefined)) return undefined;
  const [patterns, exclude] = [patternsOf(draft.patterns), patternsOf(draft.exclude)];
  const paths = draft.outputs.map((output) => (output.trim() === '' ? suggested : output.trim()));
  return {
    folder: folder.trim(),
    request: withOutputs({ ...base, ...(preset !== undefined && { preset }) }, paths),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(patterns.length > 0 && { patterns }),
    ...(exclude.length > 0 && { exclude }),
    ...(!subfolders && { subfolders }),
    ...(source !== 'keep' && { source: sourceOf({ source, moveTo }) }),
    ...(isChangedConverted && { changed: 'convert' as const }),
    ...(isExistingIgnored && { existing: 'ignore' as const }),
    ...(draft.maxUnfinished.trim() !== '' && { maxUnfinished: Number(draft.maxUnfinished) }),
    ...(draft.every.trim() !== '' && { every: Number(draft.every) }),
  };
}

/**
 * A watch without what changes nothing of its check, which reads the folder and examines files. The service checks these when it stores the
 * watch. It then also puts back what a stored callback hides.
 */
export function withoutSchedule({ name: _, every: __, maxUnfinished: ___, ...watch }: NewWatch): NewWatch {
  const { callbackUrl, ...request } = watch.request;
  return callbackUrl !== undefined && isHiddenUrl(callbackUrl) ? { ...watch, request } : watch;
}

const patternsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

const sourceOf = ({ source, moveTo }: Pick<WatchDraft, 'source' | 'moveTo'>): NonNullable<NewWatch['source']> =>
  source === 'move' ? { moveTo: moveTo.trim() } : source;

/** The form of a watch that exists. */
export function draftOfWatch(watch: Watch): WatchDraft {
  const { folder, patterns = [], exclude = [], subfolders, source, changed, existing, request } = watch;
  const { name = '', maxUnfinished, every = '' } = watch;
  return {
    ...EMPTY_WATCH,
    ...{ folder, subfolders, name, outputs: templatesOf(request), patterns: patterns.join(' ') },
    exclude: exclude.join(' '),
    every: String(every),
    ...(typeof source === 'string' ? { source } : { source: 'move', moveTo: source.moveTo }),
    isChangedConverted: changed === 'convert',
    isExistingIgnored: existing === 'ignore',
    maxUnfinished: String(maxUnfinished),
  };
}

/** Whether the page has the whole request of a watch: it does not get keys and passwords. Without them, a request can only be replaced. */
export const hasWholeRequest = ({ request }: Pick<Watch, 'request'>): boolean =>
  request.encrypt === undefined && !hasHiddenParts(request);

/**
 * What a form changes of a watch. `request`: how files are converted from now on. What the user has not touched is left out, so that it stays also if the
 * form cannot show all of it.
 */
export function changeOfDraft(watch: Watch, draft: WatchDraft, request: WatchRequest = watch.request): WatchChange {
  const before = draftOfWatch(watch);
  const isChanged = (...names: readonly (keyof WatchDraft)[]): boolean =>
    names.some((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]));
  const [patterns, exclude] = [patternsOf(draft.patterns), patternsOf(draft.exclude)];
  const limit = draft.maxUnfinished.trim();
  return {
    ...(isChanged('name') && { name: draft.name.trim() === '' ? null : draft.name.trim() }),
    ...(isChanged('patterns') && { patterns: patterns.length === 0 ? null : patterns }),
    ...(isChanged('exclude') && { exclude: exclude.length === 0 ? null : exclude }),
    ...(isChanged('every') && { every: draft.every.trim() === '' ? null : Number(draft.every) }),
    ...(isChanged('subfolders') && { subfolders: draft.subfolders }),
    ...((isChanged('outputs') || request !== watch.request) && { request: withOutputs(request, draft.outputs) }),
    ...(isChanged('source', 'moveTo') && { source: sourceOf(draft) }),
    ...(isChanged('isChangedConverted') && { changed: draft.isChangedConverted ? 'convert' : 'ignore' }),
    ...(isChanged('maxUnfinished') && {
      maxUnfinished: limit === '' ? WATCH_LIMITS.maxUnfinished.default : Number(limit),
    }),
  };
}

/** The members of a request that are not about what a recipe does. */
const BESIDE_RECIPE: ReadonlySet<string> = new Set(['output', 'format', 'priority', 'metadata', 'callbackUrl']);

/** Whether a request is a recipe and nothing else that changes the outputs. */
export const isOfRecipe = ({ preset, parameters, ...others }: WatchRequest): boolean =>
  preset !== undefined && onlyReplaces(parameters) && Object.keys(others).every((name) => BESIDE_RECIPE.has(name));

/** Whether options say at most that existing files are replaced. */
const onlyReplaces = (parameters: WatchRequest['parameters'] = {}): boolean =>
  Object.keys(parameters).every((name) => name === 'y');

/** The request of a watch with a recipe in place of what it does now. With another recipe, its format goes too. */
export function withRecipe(request: WatchRequest, preset: NonNullable<WatchRequest['preset']>): WatchRequest {
  if (isOfRecipe(request) && request.preset?.name === preset.name)
    return request.preset === preset ? request : { ...request, preset };
  const { priority, metadata, callbackUrl, parameters } = request;
  return definedMembers<WatchRequest>({
    output: templatesOf(request)[0],
    preset,
    parameters: onlyReplaces(parameters) ? parameters : undefined,
    priority,
    metadata,
    callbackUrl,
  });
}

/** A template with an extension that a recipe can make. */
export function templateFor(template: string, { outputs = [] }: Pick<Recipe, 'outputs'>): string {
  const [first] = outputs;
  const end = /\.([^./]*)$/.exec(template)?.[1] ?? '';
  if (first === undefined || outputs.includes(end)) return template;
  return `${template.slice(0, end === '' ? template.length : -end.length - 1)}.${first}`;
}

function withOutputs(request: WatchRequest, paths: readonly string[]): WatchRequest {
  const { outputs } = request;
  if (outputs === undefined) return { ...request, output: paths[0] ?? '' };
  return { ...request, outputs: outputs.map((one, index) => ({ ...one, output: paths[index] ?? one.output })) };
}

/** The templates of the outputs of a request. */
export const templatesOf = ({ output, outputs }: WatchRequest): readonly string[] =>
  outputs?.map((one) => one.output) ?? [output ?? ''];

/** Suggests where the outputs of a watched folder go: not into this folder, where each would be converted again. */
export function suggestTemplate(folder: string, extension: string): string {
  const target = withSlash(folder).startsWith('out/') ? 'converted/' : 'out/';
  const isManifest = extension === 'm3u8' || extension === 'mpd';
  return `${target}{folder}{name}${isManifest ? `/index.${extension}` : `.${extension}`}`;
}

/** The names of placeholders, and what they stand for in the example. */
export const PLACEHOLDERS = ['{name}', '{folder}', '{date}', '{height}', '{width}'] as const;

/** What a template makes of a file, if its video is 1920 × 1080 and it is converted at `now`. */
export const exampleOutput = (template: string, folder: string, file: string, now: Date): string =>
  filledRequest({ output: template }, folder, file, now).output ?? '';

/** What a watch makes of a file, such as `out/film.mp4`, if its video is 1920 × 1080 and it is converted at `now`. */
export const exampleOutputs = (request: WatchRequest, folder: string, file: string, now: Date): string =>
  templatesOf(request)
    .map((template) => exampleOutput(template, folder, file, now))
    .join(', ');

/** The request of a watch for a file, if its video is 1920 × 1080 and it is converted at `now`. */
export function filledRequest(request: WatchRequest, folder: string, file: string, now: Date): ConversionRequest {
  const root = folder === '/' ? '' : folder;
  // The types of the client have no `readonly`.
  return requestForFile(request, file as MediaPath, {
    folder: file.slice(root.length, file.lastIndexOf('/') + 1),
    date: now.toISOString().slice(0, 10),
    width: '1920',
    height: '1080',
  }) as ConversionRequest;
}
