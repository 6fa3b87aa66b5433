import type { ConversionRequest, Watch } from '@telecine/client';
import { extensionOf, folderOf, nameOf } from '../files/file-list.ts';
import { isStored } from '../media/media-address.ts';
import { firstSource } from '../preview/missing-preview.ts';
import { rootOf, suggestTemplate, templatesOf, type WatchRequest, withExtension, withOutputs } from './watch-draft.ts';

/**
 * The folder of the first source, and the request of the workbench for all its files. `watch`: the watch that gets the request. Its outputs stay
 * where they are, and get the extensions of the new ones. The folder is '' if the source is not in one.
 */
export function watchedRequest(
  request: ConversionRequest,
  watch?: Pick<Watch, 'folder' | 'request'>,
): { readonly folder: string; readonly request: WatchRequest } {
  const path = firstSource(request) ?? '';
  const folder = watch?.folder ?? (isStored(path) ? folderOf(path) : '');
  const all = requestForAll(request, path, rootOf(folder));
  const templates = watch === undefined ? [] : templatesOf(watch.request);
  const made = templatesOf(all);
  if (made.length !== templates.length) return { folder, request: all };
  const kept = templates.map((template, i) =>
    withExtension(template, extensionOf(made[i] ?? '') || extensionOf(template)),
  );
  return { folder, request: withOutputs(all, kept) };
}

/**
 * The request for all files of a folder, from one for the file `path`. What concerns only one file is replaced: its path, and its name in the
 * names of outputs. Further sources, such as a logo, stay, and so do outputs that have `{name}`.
 */
function requestForAll(request: ConversionRequest, path: string, folder: string): WatchRequest {
  const { input: _, inputs, output, outputs, after: __, llmId: ___, ...settings } = request;
  const [first, ...others] = inputs ?? [];
  const template = (one: string): string => (one.includes('{name}') ? one : outputTemplate(one, path, folder));
  // A source that is only a path is what a watch converts anyway.
  const isOnlyPath = first === undefined || (others.length === 0 && typeof first === 'string');
  const file = typeof first === 'string' ? '{path}' : { ...first, input: '{path}' };
  return {
    ...settings,
    ...(!isOnlyPath && { inputs: [file, ...others] }),
    ...(outputs !== undefined
      ? { outputs: outputs.map((one) => ({ ...one, output: template(one.output) })) }
      : { output: template(output ?? '') }),
  };
}

/** The template of an output: its name with `{name}` for that of the source, in a folder that is not watched. */
function outputTemplate(output: string, source: string, folder: string): string {
  const stem = nameOf(source).replace(/\.[^.]*$/, '');
  const name = nameOf(output);
  if (stem === '' || !output.includes(stem)) return suggestTemplate(folder, extensionOf(output) || 'mp4');
  const folders = folderOf(output);
  // Only once: what is added to the name of the source can contain it again, as in `s-2s-5s`.
  const named = name.replace(stem, '{name}');
  if (!output.startsWith(folder)) return `${folders.replaceAll(stem, '{name}')}${named}`;
  const [target = 'out/'] = suggestTemplate(folder, 'mp4').split('{folder}');
  return `${target}{folder}${folders.slice(folder.length).replaceAll(stem, '{name}')}${named}`;
}
