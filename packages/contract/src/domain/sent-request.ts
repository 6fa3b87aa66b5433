import { type ConversionRequest, pathOfInput, REPLACED_MEMBERS } from './conversion.ts';
import type { Preset } from './recipe.ts';
import { hideUrlSecrets } from './url-input.ts';

const REPLACED: ReadonlySet<string> = new Set(REPLACED_MEMBERS);

/** The members of a request for which `isChosen` is true. */
const membersOf = (
  request: ConversionRequest,
  isChosen: (name: string) => boolean,
): Partial<ConversionRequest> & { readonly sent?: never } =>
  Object.fromEntries(Object.entries(request).filter(([name, value]) => value !== undefined && isChosen(name)));

/**
 * The request that a job runs, as it is stored: with what the client sent. `sent`: the request before its recipe was applied, or its fallback
 * chosen.
 */
export const withSent = ({ origins: _, ...runs }: ConversionRequest, sent: ConversionRequest): ConversionRequest => ({
  ...runs,
  sent: membersOf(sent, (name) => REPLACED.has(name)),
});

/** The request of a job as the client sent it: its recipe is not applied, and its fallback is not chosen. */
export function requestAsSent({ sent, ...request }: ConversionRequest): ConversionRequest {
  return sent === undefined ? request : { ...membersOf(request, (name) => !REPLACED.has(name)), ...sent };
}

/** Whether a request is that of a job of an earlier version, which stored it with its recipe applied or its fallback chosen. It runs as it is. */
export const isApplied = ({ recipe, usesFallback, sent, preset }: ConversionRequest): boolean =>
  recipe === undefined && usesFallback === undefined && (sent !== undefined || preset?.options !== undefined);

/**
 * A preset for a view: an argument that names an input has no password and no signature in its URL. Other texts stay, because an argument can
 * also be a text that is drawn.
 */
export function hideInputUrls(preset: Preset, { input, inputs = [], recipe }: ConversionRequest): Preset {
  if (preset.arguments === undefined) return preset;
  const paths = new Set<unknown>([input, ...inputs.map(pathOfInput)]);
  const roles = new Set(recipe?.inputs.map(({ role }) => role));
  const shown = Object.entries(preset.arguments).map(([name, value]) => [
    name,
    typeof value === 'string' && (roles.has(name) || paths.has(value)) ? hideUrlSecrets(value) : value,
  ]);
  return { ...preset, arguments: Object.fromEntries(shown) };
}
