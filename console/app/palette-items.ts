import type { Job } from '@telecine/client';
import { arrangeFiles, type FileEntry, folderOf, nameOf } from '../files/file-list.ts';
import { filterMatcher } from '../jobs/job-filter.ts';
import { inputText, outputText } from '../jobs/job-names.ts';
import type { OPERATE_PAGES } from '../operate/operate-pages.ts';

/** The address of a page without parameters. */
export type PagePath =
  | ('/' | '/jobs' | '/files' | '/watches' | '/watches/new' | '/recipes')
  | (typeof OPERATE_PAGES)[number]['to'];

/** Where an item of the palette leads. */
export type Target =
  | { readonly to: 'page'; readonly path: PagePath }
  | { readonly to: 'keys' }
  | { readonly to: 'recipe'; readonly name: string }
  | { readonly to: 'job'; readonly jobId: string }
  | { readonly to: 'jobs'; readonly q: string }
  | { readonly to: 'file'; readonly file: string }
  | { readonly to: 'folder'; readonly folder: string };

export interface PaletteItem {
  readonly key: string;
  readonly title: string;
  readonly detail?: string;
  /** When it was created, in ISO 8601. */
  readonly at?: string;
  readonly target: Target;
}

/** The maximum number of items of one kind. More would push the other kinds out of sight. */
export const MAX_ITEMS = 5;

/** The pages that match a text: each of its words is the start of a word of the name. */
export function pageItems(
  pages: readonly { readonly path: PagePath; readonly name: string }[],
  text: string,
): readonly PaletteItem[] {
  const words = wordsOf(text);
  const found = pages.filter(({ name }) => {
    const own = wordsOf(name);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
  return found.map(({ path, name }) => ({ key: path, title: name, target: { to: 'page', path } }));
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

const JOB_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The items of one kind. */
export interface PaletteGroup {
  readonly name: string;
  readonly items: readonly PaletteItem[];
}

/**
 * The groups with items. Recipes are found by what they do, and may have none of the words in their titles: then files and jobs, which have
 * all of them, come first. The first item is what Enter opens.
 */
export function orderGroups(groups: readonly PaletteGroup[], text: string): readonly PaletteGroup[] {
  const words = wordsOf(text);
  const some = groups.filter(({ items }) => items.length > 0);
  const isNamed = ({ title }: PaletteItem): boolean => {
    const own = wordsOf(title);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
  const isFound = ({ target }: PaletteItem): boolean => ['job', 'file', 'folder'].includes(target.to);
  if (!some.some(({ items }) => items.some(isFound))) return some;
  const isLater = ({ items }: PaletteGroup): boolean =>
    items.every(({ target }) => target.to === 'recipe') && !items.some(isNamed);
  return [...some.filter((group) => !isLater(group)), ...some.filter(isLater)];
}

/** The job with this id, or jobs that were read and match the text, and the search of all jobs. */
export function jobItems(jobs: readonly Job[], text: string): readonly PaletteItem[] {
  if (text === '') return [];
  if (JOB_ID.test(text))
    return [{ key: text, title: text, detail: 'Open the job', target: { to: 'job', jobId: text.toLowerCase() } }];
  const matches = filterMatcher({ q: text });
  const found = jobs.filter(matches).slice(0, MAX_ITEMS);
  return [
    ...found.map(
      (job): PaletteItem => ({
        key: job.jobId,
        title: outputText(job) || job.jobId,
        detail: `from ${inputText(job)}`,
        at: job.createdAt,
        target: { to: 'job', jobId: job.jobId },
      }),
    ),
    { key: 'all jobs', title: `Search all jobs for “${text}”`, target: { to: 'jobs', q: text } },
  ];
}

/** The folder and the beginning of a name that a text means: `movies/` and `in` of `movies/in`. */
export const pathParts = (text: string): { readonly folder: string; readonly q: string } => {
  const end = text.lastIndexOf('/') + 1;
  return { folder: text.slice(0, end).replace(/^\/+/, ''), q: text.slice(end) };
};

/** The entries of a folder whose names contain the text. */
export function fileItems(entries: readonly FileEntry[], q: string): readonly PaletteItem[] {
  return arrangeFiles(entries, { q })
    .slice(0, MAX_ITEMS)
    .map(({ path, type }) => ({
      key: path,
      title: nameOf(path),
      ...(folderOf(path) !== '' && { detail: folderOf(path) }),
      target: type === 'folder' ? { to: 'folder', folder: path } : { to: 'file', file: path },
    }));
}

/** The first recipes of a search, which are the best. */
export const recipeItems = (
  recipes: readonly { readonly name: string; readonly title: string }[],
): readonly PaletteItem[] =>
  recipes.slice(0, MAX_ITEMS).map(({ name, title }) => ({ key: name, title, target: { to: 'recipe', name } }));
