import {
  type ConversionRequest,
  type InputSpec,
  type OutputSpec,
  type Parameters,
  pathOfInput,
} from '../domain/conversion.ts';
import type { HlsEncryption } from '../domain/hls-encryption.ts';
import { hideSecrets } from '../domain/secret-options.ts';
import { hideUrlSecrets, redactUrl } from '../domain/url-input.ts';

/**
 * Puts what the view of a job hides back into a changed request. `stored`: the request of the job. A part counts as hidden only if it is sent
 * exactly as the view shows it: a URL as a whole, an option by the same name in the same list. So a caller who sees only the view can keep
 * a secret where it is, but cannot move it to another host or option.
 */
export function keepHiddenParts(sent: ConversionRequest, stored: ConversionRequest): ConversionRequest {
  const { input, inputs, outputs, parameters, fallback, encrypt, callbackUrl } = sent;
  const urls = urlsByShown(stored);
  const urlOf = (path: string): string => urls.get(path) ?? path;
  const inputOf = (spec: string | InputSpec, index: number): string | InputSpec => {
    if (typeof spec === 'string') return urlOf(spec);
    const before = stored.inputs?.[index];
    return {
      ...spec,
      ...(spec.input !== undefined && { input: urlOf(spec.input) }),
      ...(spec.parameters && {
        parameters: keepOptions(spec.parameters, typeof before === 'string' ? undefined : before?.parameters),
      }),
    };
  };
  const outputOf = (spec: OutputSpec, index: number): OutputSpec => {
    const before = stored.outputs?.[index];
    return {
      ...spec,
      ...(spec.parameters && { parameters: keepOptions(spec.parameters, before?.parameters) }),
      ...(spec.fallback && { fallback: keepOptions(spec.fallback, before?.fallback) }),
    };
  };
  return {
    ...sent,
    ...(input !== undefined && { input: urlOf(input) }),
    ...(inputs && { inputs: inputs.map(inputOf) }),
    ...(outputs && { outputs: outputs.map(outputOf) }),
    ...(parameters && { parameters: keepOptions(parameters, stored.parameters) }),
    ...(fallback && { fallback: keepOptions(fallback, stored.fallback) }),
    ...(encrypt && { encrypt: keepKey(encrypt, stored.encrypt) }),
    ...(callbackUrl !== undefined && { callbackUrl: keepCallback(callbackUrl, stored.callbackUrl) }),
  };
}

/** The URLs of the inputs by the text that the view shows of them. */
function urlsByShown({ input, inputs = [] }: ConversionRequest): ReadonlyMap<string, string> {
  const paths = [input, ...inputs.map(pathOfInput)];
  // Of two URLs with the same text, the first one counts.
  return new Map(
    paths.flatMap((path) => (path === undefined ? [] : [[hideUrlSecrets(path), path] as const])).reverse(),
  );
}

function keepOptions(sent: Parameters, stored: Parameters = {}): Parameters {
  const shown = new Map(Object.entries(hideSecrets(stored)));
  const values = new Map(Object.entries(stored));
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      JSON.stringify(value) === JSON.stringify(shown.get(name)) ? (values.get(name) ?? value) : value,
    ]),
  );
}

/** No view has the key. Without one, players get the new output with the key that they have. */
const keepKey = (sent: HlsEncryption, stored: HlsEncryption | undefined): HlsEncryption =>
  stored !== undefined &&
  sent.key === undefined &&
  sent.keyUri === stored.keyUri &&
  (sent.iv === undefined || sent.iv.toLowerCase() === stored.iv)
    ? stored
    : sent;

const keepCallback = (sent: string, stored: string | undefined): string =>
  stored !== undefined && sent === redactUrl(stored) ? stored : sent;
