import {
  type ConversionRequest,
  type InputSpec,
  nameOfInput,
  type OptionValue,
  type OutputSpec,
  type Parameters,
  pathOfInput,
} from '../domain/conversion.ts';
import { hasFallback } from '../domain/devices.ts';
import { isHiddenOption, isHiddenUrl } from '../domain/hidden-parts.ts';
import type { HlsEncryption } from '../domain/hls-encryption.ts';
import { type FieldError, invalidRequest, pointerToken } from '../domain/problem.ts';
import type { Preset } from '../domain/recipe.ts';
import { HIDDEN, hideSecrets } from '../domain/secret-options.ts';
import { hideInputUrls, requestAsSent } from '../domain/sent-request.ts';
import { hideUrlSecrets, redactUrl } from '../domain/url-input.ts';

/**
 * Puts what the view of a job hides back into a changed request. `stored`: the request of the job. A part counts as hidden only if it is sent
 * exactly as the view shows it: a URL as a whole, an option by the same name in the same list. An option of an input or output counts only if
 * this input or output has the same path at the same place. So a caller who sees only the view can keep a secret where it is, but cannot move it
 * to another host, option, input or output. The shared options are for all outputs that the request has, whichever these are: their keys stay
 * with the request. Throws INVALID_REQUEST if another part is still hidden.
 */
export function keepHiddenParts(sent: ConversionRequest, stored: ConversionRequest): ConversionRequest {
  // The view of a job with a recipe or a chosen fallback has two requests, and the changed one is made from either. Only what was sent has these members.
  const asSent = requestAsSent(stored);
  const isOfSent = sent.preset !== undefined || hasFallback(sent);
  const [likely, other] = isOfSent ? [asSent, stored] : [stored, asSent];
  const restored = restoreParts(sent, likely, stored);
  if (restored.errors.length === 0) return restored.request;
  const again = restoreParts(sent, other, stored);
  if (again.errors.length === 0) return again.request;
  throw invalidRequest(restored.errors);
}

/** @param runs The request that runs, with the paths of all inputs. */
function restoreParts(
  sent: ConversionRequest,
  stored: ConversionRequest,
  runs: ConversionRequest,
): { readonly request: ConversionRequest; readonly errors: readonly FieldError[] } {
  const { input, inputs, outputs, parameters, fallback, preset, encrypt, callbackUrl } = sent;
  const errors: FieldError[] = [];
  const urlOf = urlRestorer(sent, stored, errors);
  const optionsOf = (
    field: string,
    options: Parameters,
    before: Parameters | undefined,
    error: (field: string, name: string) => FieldError = stillHidden,
  ): Parameters => keepOptions(options, before, (name) => errors.push(error(`${field}/${pointerToken(name)}`, name)));
  // A key belongs to its input or output. Another one at this place, after others were removed or moved, must not get it.
  const ownOptions =
    (role: Role, before: string | undefined, sentName: string | undefined) =>
    (field: string, options: Parameters, known: Parameters = {}): Parameters =>
      before === undefined || before === sentName
        ? optionsOf(field, options, known)
        : optionsOf(field, options, {}, (own, name) =>
            Object.hasOwn(known, name) ? ofChanged(own, role) : stillHidden(own),
          );
  const inputOf = (spec: string | InputSpec, index: number): string | InputSpec => {
    const [field, before] = [`/inputs/${index}`, stored.inputs?.[index]];
    if (typeof spec === 'string') return urlOf(field, spec, index);
    const own = ownOptions('input', before && hideUrlSecrets(nameOfInput(before)), nameOfInput(spec));
    const known = typeof before === 'string' ? undefined : before?.parameters;
    return {
      ...spec,
      ...(spec.input !== undefined && { input: urlOf(`${field}/input`, spec.input, index) }),
      ...(spec.parameters && { parameters: own(`${field}/parameters`, spec.parameters, known) }),
    };
  };
  const outputOf = (spec: OutputSpec, index: number): OutputSpec => {
    const [field, before] = [`/outputs/${index}`, stored.outputs?.[index]];
    const own = ownOptions('output', before?.output, spec.output);
    return {
      ...spec,
      ...(spec.parameters && { parameters: own(`${field}/parameters`, spec.parameters, before?.parameters) }),
      ...(spec.fallback && { fallback: own(`${field}/fallback`, spec.fallback, before?.fallback) }),
    };
  };
  const callbackOf = (url: string): string => {
    if (stored.callbackUrl !== undefined && url === redactUrl(stored.callbackUrl)) return stored.callbackUrl;
    if (isHiddenUrl(url)) errors.push(stillHidden('/callbackUrl'));
    return url;
  };
  const presetOf = (preset: Preset): Preset => {
    // Another recipe might draw the URL as a text. The recipe of this name may have changed since, so the URL is only for an input.
    const before = preset.name === stored.preset?.name ? stored.preset : undefined;
    const whole: Preset['arguments'] = { ...before?.arguments, ...before?.inputUrls };
    const shown = new Map(Object.entries(hideInputUrls({ name: '', arguments: whole }, runs).arguments ?? {}));
    const urls = Object.entries(preset.arguments ?? {}).flatMap(([name, value]) => {
      const url = value === shown.get(name) ? whole[name] : undefined;
      if (url === undefined && typeof value === 'string' && isHiddenUrl(value))
        errors.push(stillHidden(argumentField(name)));
      return typeof url === 'string' && url !== value ? [[name, url] as const] : [];
    });
    return urls.length === 0 ? preset : { ...preset, inputUrls: Object.fromEntries(urls) };
  };
  const request: ConversionRequest = {
    ...sent,
    ...(input !== undefined && { input: urlOf('/input', input, 0) }),
    ...(inputs && { inputs: inputs.map(inputOf) }),
    ...(outputs && { outputs: outputs.map(outputOf) }),
    ...(parameters && { parameters: optionsOf('/parameters', parameters, stored.parameters) }),
    ...(fallback && { fallback: optionsOf('/fallback', fallback, stored.fallback) }),
    ...(preset && { preset: presetOf(preset) }),
    ...(encrypt && { encrypt: keepKey(encrypt, stored.encrypt) }),
    ...(callbackUrl !== undefined && { callbackUrl: callbackOf(callbackUrl) }),
  };
  return { request, errors };
}

const argumentField = (name: string): string => `/preset/arguments/${pointerToken(name)}`;

const stillHidden = (field: string): FieldError => ({
  field,
  code: 'HIDDEN_PART',
  message: `The value has ${HIDDEN}, and differs from what the job shows there. Only an unchanged value is kept.`,
});

type Role = 'input' | 'output';

const PATH_WORDS: Readonly<Record<Role, string>> = { input: 'path or URL', output: 'path' };

const ofChanged = (field: string, role: Role): FieldError => ({
  field,
  code: 'HIDDEN_PART',
  message: `The value has ${HIDDEN}, which is kept only while the ${PATH_WORDS[role]} of this ${role} is as the job shows it at this place.`,
});

const pathsOf = ({ input, inputs = [] }: ConversionRequest): readonly (string | undefined)[] =>
  input === undefined ? inputs.map(pathOfInput) : [input];

/** The path of an input as the view of its job shows it. */
const shownPath = (path: string | undefined): string | undefined => path && hideUrlSecrets(path);

/** Returns a function that finds the stored URL of a path. Adds to `errors` if it is not known. */
function urlRestorer(
  sent: ConversionRequest,
  stored: ConversionRequest,
  errors: FieldError[],
): (field: string, path: string, index: number) => string {
  const [sentPaths, storedPaths] = [pathsOf(sent), pathsOf(stored)];
  const shownPaths = storedPaths.map(shownPath);
  const placesOf = (paths: readonly unknown[], path: string): string =>
    paths.flatMap((one, index) => (one === path ? index : [])).join();
  return (field, path, index) => {
    if (!isHiddenUrl(path)) return path;
    const urls = new Set(storedPaths.filter((_, at) => shownPaths[at] === path));
    const [first = path] = urls;
    if (urls.size === 1) return first;
    // The text does not say which of several URLs is meant, so only their places do.
    if (urls.size > 1 && placesOf(sentPaths, path) === placesOf(shownPaths, path)) return storedPaths[index] ?? path;
    errors.push(urls.size === 0 ? stillHidden(field) : ambiguousUrl(field));
    return path;
  };
}

const ambiguousUrl = (field: string): FieldError => ({
  field,
  code: 'HIDDEN_PART',
  message: `Several inputs of the job are shown as this URL, and they differ in what is ${HIDDEN}.`,
});

function keepOptions(sent: Parameters, stored: Parameters = {}, onHidden: (name: string) => void): Parameters {
  const shown = new Map(Object.entries(hideSecrets(stored)));
  const values = new Map(Object.entries(stored));
  const keep = (name: string, value: OptionValue): OptionValue => {
    if (JSON.stringify(value) === JSON.stringify(shown.get(name))) return values.get(name) ?? value;
    if (isHiddenOption(name, value)) onHidden(name);
    return value;
  };
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, keep(name, value)]));
}

/** No view has the key. Without one, players get the new output with the key that they have. */
const keepKey = (sent: HlsEncryption, stored: HlsEncryption | undefined): HlsEncryption =>
  stored !== undefined &&
  sent.key === undefined &&
  sent.keyUri === stored.keyUri &&
  (sent.iv === undefined || sent.iv.toLowerCase() === stored.iv)
    ? stored
    : sent;
