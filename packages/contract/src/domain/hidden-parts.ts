import type { ConversionRequest, OptionValue, Parameters } from './conversion.ts';
import { type FieldError, pointerToken } from './problem.ts';
import { HIDDEN, secretsOf } from './secret-options.ts';

/** A part of a request that has what a view shows in place of a secret. */
export interface HiddenPart {
  /** JSON Pointer into the request. */
  readonly field: string;
  /** The name of the option. Absent: the part is a URL. */
  readonly option?: string;
}

/** Finds the keys, passwords and URLs of a request that are as a view shows them, such as `(hidden)` in place of a key. */
export function hiddenParts(request: ConversionRequest): readonly HiddenPart[] {
  const { input, inputs = [], outputs = [], parameters, fallback, preset, analysis, callbackUrl } = request;
  return [
    ...hiddenUrl('/input', input),
    ...inputs.flatMap((spec, index) => {
      const field = `/inputs/${index}`;
      if (typeof spec === 'string') return hiddenUrl(field, spec);
      return [...hiddenUrl(`${field}/input`, spec.input), ...hiddenOptions(`${field}/parameters`, spec.parameters)];
    }),
    ...outputs.flatMap((spec, index) => [
      ...hiddenOptions(`/outputs/${index}/parameters`, spec.parameters),
      ...hiddenOptions(`/outputs/${index}/fallback`, spec.fallback),
    ]),
    ...hiddenOptions('/parameters', parameters),
    ...hiddenOptions('/fallback', fallback),
    ...Object.entries(preset?.arguments ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' && !Object.hasOwn(preset?.inputUrls ?? {}, name)
        ? hiddenUrl(`/preset/arguments/${pointerToken(name)}`, value)
        : [],
    ),
    ...hiddenUrl('/reference', analysis?.reference),
    ...hiddenUrl('/callbackUrl', callbackUrl),
  ];
}

/** The errors of a request that no stored one completes: sent literally, `(hidden)` would be a wrong key or another URL. */
export const hiddenPartErrors = (request: ConversionRequest): readonly FieldError[] =>
  hiddenParts(request).map(({ field, option }) => {
    const [what, hides] =
      option === undefined
        ? ['The URL', 'a password, a query or a link']
        : [JSON.stringify(option), 'a key or password'];
    const message = `${what} has "${HIDDEN}", which replies show in place of ${hides}. Only the retry of a job keeps it.`;
    return { field, code: 'HIDDEN_PART', message };
  });

/** Whether the secret of an option is hidden, or a part of it. */
export const isHiddenOption = (name: string, value: OptionValue): boolean =>
  [value].flat().some((one) => String(one).includes(HIDDEN)) &&
  secretsOf({ [name]: value }).some((secret) => secret.includes(HIDDEN));

/**
 * Whether a text is a URL with `(hidden)` where views put it (see `redactUrl`): in front of the host, as a whole segment of the path, or as the
 * query. In another place, such as the name of a file or a title in the query, it is a text of its own.
 */
export function isHiddenUrl(text: string): boolean {
  if (!text.includes(HIDDEN)) return false;
  const [address = ''] = text.split(/[?#]/, 1);
  const [scheme = '', , host = '', ...segments] = address.split('/');
  const isHidden =
    host.startsWith(`${HIDDEN}@`) || segments.includes(HIDDEN) || text.startsWith(`?${HIDDEN}`, address.length);
  return isHidden && /^https?:$/i.test(scheme);
}

const hiddenUrl = (field: string, text: string | undefined): readonly HiddenPart[] =>
  text !== undefined && isHiddenUrl(text) ? [{ field }] : [];

const hiddenOptions = (field: string, options: Parameters = {}): readonly HiddenPart[] =>
  Object.entries(options).flatMap(([option, value]) =>
    isHiddenOption(option, value) ? [{ field: `${field}/${pointerToken(option)}`, option }] : [],
  );
