import type { ConversionRequest, Watch } from '@telecine/client';
import { firstSource } from '../preview/missing-preview.ts';
import { filledRequest, type WatchRequest } from './watch-draft.ts';
import { requestForAll } from './watched-request.ts';

type Settings = Pick<Watch, 'folder' | 'request'>;

/** The request of a watch for one of its files, as the workbench shows it. '': the watch has no file yet, so the placeholders stay. */
export const settingsInWorkbench = ({ folder, request }: Settings, file: string, now: Date): ConversionRequest =>
  file === '' ? request : filledRequest(request, folder, file, now);

/**
 * The request for all files of a watch, from the one that a user has made in the workbench of its request for `file`. What the user has not
 * changed gets its placeholders back. An output with another format keeps its template, with the new extension.
 */
export function settingsFromWorkbench(
  watch: Settings,
  file: string,
  changed: ConversionRequest,
  now: Date,
): WatchRequest {
  const shown = settingsInWorkbench(watch, file, now);
  const restored = restore(watch.request, shown, changed) as WatchRequest;
  const { input } = watch.request;
  return {
    ...requestForAll(restored, firstSource(changed) ?? '', watch.folder === '/' ? '' : watch.folder),
    ...(input !== undefined && restored.input === input && { input }),
  };
}

/** Replaces in `changed` what is as in `shown` by what it was made of, member by member. */
function restore(template: unknown, shown: unknown, changed: unknown): unknown {
  if (isEqual(shown, changed)) return template;
  if (Array.isArray(changed)) return changed.map((one, i) => restore(memberOf(template, i), memberOf(shown, i), one));
  if (isObject(changed))
    return Object.fromEntries(
      Object.entries(changed)
        .map(([name, one]) => [name, restore(memberOf(template, name), memberOf(shown, name), one)] as const)
        .filter(([, one]) => one !== undefined),
    );
  if (typeof template !== 'string' || typeof shown !== 'string' || typeof changed !== 'string') return changed;
  const end = extension(changed);
  const isOtherExtension = end !== '' && stem(shown) === stem(changed);
  return isOtherExtension ? `${stem(template)}${end}` : changed;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const memberOf = (value: unknown, name: string | number): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

function isEqual(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isEqual(one[name], other[name]));
}

const EXTENSION = /\.[^./]*$/;
const extension = (path: string): string => EXTENSION.exec(path)?.[0] ?? '';
const stem = (path: string): string => path.replace(EXTENSION, '');
