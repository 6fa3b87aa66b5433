import type { ConversionRequest } from '@telecine/client';
import { extensionOf, folderOf, nameOf } from '../files/file-list.ts';
import { isStored } from '../media/media-address.ts';
import { firstSource } from '../preview/missing-preview.ts';
import { suggestTemplate, type WatchRequest } from './watch-draft.ts';

/** A watch as another page begins it. */
export interface BegunWatch {
  /** '': the source is not in a folder. */
  readonly folder: string;
  readonly request?: WatchRequest;
}

/** The watch of the folder of the first source, with the request of the workbench for all its files. */
export function watchedRequest(request: ConversionRequest): BegunWatch {
  const path = firstSource(request) ?? '';
  const folder = isStored(path) ? folderOf(path) : '';
  return { folder, request: requestForAll(request, path, folder) };
}

/**
 * The request for all files of a folder, from one for the file `path`. What concerns only one file is replaced: its path, and its name in the
 * names of outputs. Further sources, such as a logo, stay, and so do outputs that have `{name}`.
 */
export function requestForAll(request: WatchRequest, path: string, folder: string): WatchRequest {
  const { input: _, inputs, output, outputs, after: __, llmId: ___, ...settings } = request as ConversionRequest;
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
  // What is added to the name of the source can contain it again, as in `s-2s-5s`.
  const named = name.startsWith(stem) ? `{name}${name.slice(stem.length)}` : name.replaceAll(stem, '{name}');
  if (!output.startsWith(folder)) return `${folders.replaceAll(stem, '{name}')}${named}`;
  const [target = 'out/'] = suggestTemplate(folder, 'mp4').split('{folder}');
  return `${target}{folder}${folders.slice(folder.length).replaceAll(stem, '{name}')}${named}`;
}
