import type { ConversionRequest, NewWatch, Recipe, Watch, WatchChange } from '@telecine/client';
import { definedMembers } from '../../packages/contract/src/domain/defined.ts';
import { requestForFile } from '../../packages/contract/src/domain/each-file.ts';
import { type MediaPath, withSlash } from '../../packages/contract/src/domain/media-path.ts';
import { extensionOf } from '../files/file-list.ts';
import { hasHiddenParts } from '../workbench/hidden-parts.ts';

export type WatchRequest = NewWatch['request'];

/** What the form of a watch sets, besides the request. */
export type WatchSettings = Pick<NewWatch, 'folder'> & {
  readonly [Name in Exclude<keyof NewWatch, 'request' | 'folder'>]?: NewWatch[Name] | undefined;
};

/** What a form changes of a watch. A member that it has made undefined is removed. */
export const changeOfWatch = (watch: Watch, after: WatchSettings & { readonly request: WatchRequest }): WatchChange =>
  Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(watch[name as keyof Watch]))
      .map(([name, value]) => [name, value ?? null]),
  );

/** Whether the page has the whole request of a watch: it does not get keys and passwords. Without them, a request can only be replaced. */
export const hasWholeRequest = ({ request }: Pick<Watch, 'request'>): boolean =>
  request.encrypt === undefined && !hasHiddenParts(request);

/** The members of a request that are not about what a recipe does. */
const BESIDE_RECIPE = ['output', 'format', 'priority', 'metadata', 'callbackUrl'];

/** Whether a request is a recipe and nothing else that changes the outputs. Options may say at most that existing files are replaced. */
export const isOfRecipe = ({ preset, parameters = {}, ...others }: WatchRequest): boolean =>
  preset !== undefined &&
  Object.keys(parameters).every((name) => name === 'y') &&
  Object.keys(others).every((name) => BESIDE_RECIPE.includes(name));

/** A request with a recipe in place of what it did before. With another recipe, its format goes too. */
export function withRecipe(
  before: WatchRequest | undefined,
  preset: NonNullable<WatchRequest['preset']>,
  output: string,
): WatchRequest {
  if (before?.preset?.name === preset.name && isOfRecipe(before)) return { ...before, preset, output };
  const { priority, metadata, callbackUrl, parameters = {} } = before ?? {};
  const y = parameters['y'];
  return definedMembers<WatchRequest>({
    ...{ output, preset, priority, metadata, callbackUrl },
    parameters: y === undefined ? undefined : { y },
  });
}

export function withOutputs(request: WatchRequest, paths: readonly string[]): WatchRequest {
  const { outputs } = request;
  if (outputs === undefined) return { ...request, output: paths[0] ?? '' };
  return { ...request, outputs: outputs.map((one, index) => ({ ...one, output: paths[index] ?? one.output })) };
}

/** The templates of the outputs of a request. */
export const templatesOf = ({ output, outputs }: WatchRequest): readonly string[] =>
  outputs?.map((one) => one.output) ?? [output ?? ''];

/** A template with an extension that a recipe can make. */
export const templateFor = (template: string, { outputs = [] }: Partial<Pick<Recipe, 'outputs'>>): string =>
  outputs[0] === undefined || outputs.includes(extensionOf(template)) ? template : withExtension(template, outputs[0]);

export const withExtension = (template: string, extension: string): string =>
  `${template.replace(/\.[^./]*$/, '')}.${extension}`;

/** Suggests where the outputs of a watched folder go: not into this folder, where each would be converted again. */
export function suggestTemplate(folder: string, extension: string): string {
  const target = withSlash(folder).startsWith('out/') ? 'converted/' : 'out/';
  const isManifest = extension === 'm3u8' || extension === 'mpd';
  return `${target}{folder}{name}${isManifest ? `/index.${extension}` : `.${extension}`}`;
}

/** The folder of a watch as paths begin with it: '' for the media root. */
export const rootOf = (folder: string): string => (['', '/'].includes(folder) ? '' : withSlash(folder));

/** The request of a watch for a file, if its video is 1920 × 1080 and it is converted at `now`. */
export const requestFor = (request: WatchRequest, folder: string, file: string, now = new Date()): ConversionRequest =>
  // The types of the client have no `readonly`.
  requestForFile(request, file as MediaPath, {
    folder: file.slice(rootOf(folder).length, file.lastIndexOf('/') + 1),
    date: now.toISOString().slice(0, 10),
    width: '1920',
    height: '1080',
  }) as ConversionRequest;
