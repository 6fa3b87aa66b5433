import type { NewWatch } from '@telecine/client';
import { requestForFile } from '../../packages/contract/src/domain/each-file.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { Weekday } from '../../packages/contract/src/domain/watch.ts';

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
  readonly hasHours: boolean;
  readonly from: string;
  readonly to: string;
  /** Empty: every day. */
  readonly days: readonly Weekday[];
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
  hasHours: false,
  from: '22:00',
  to: '06:00',
  days: [],
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
  const patterns = draft.patterns.split(/[\s,]+/).filter(Boolean);
  const paths = draft.outputs.map((output) => (output.trim() === '' ? suggested : output.trim()));
  return {
    folder: withSlash(folder.trim()),
    request: withOutputs({ ...base, ...(preset !== undefined && { preset }) }, paths),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(patterns.length > 0 && { patterns }),
    ...(!subfolders && { subfolders }),
    ...(source === 'delete' && { source }),
    ...(source === 'move' && { source: { moveTo: withSlash(moveTo.trim()) } }),
    ...(isChangedConverted && { changed: 'convert' as const }),
    ...(isExistingIgnored && { existing: 'ignore' as const }),
    ...(draft.maxUnfinished.trim() !== '' && { maxUnfinished: Number(draft.maxUnfinished) }),
    ...(draft.hasHours && {
      activeHours: [{ from: draft.from, to: draft.to, ...(draft.days.length > 0 && { days: [...draft.days] }) }],
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
  };
}

export const withSlash = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`);

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
export function exampleOutput(template: string, folder: string, file: string, now: Date): string {
  const root = folder === '/' ? '' : folder;
  const values = {
    folder: file.slice(root.length, file.lastIndexOf('/') + 1),
    date: now.toISOString().slice(0, 10),
    width: '1920',
    height: '1080',
  };
  return requestForFile({ output: template }, file as MediaPath, values).output ?? '';
}
