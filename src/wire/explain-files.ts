/** The fixes for inputs and outputs of a wrong JSON type that name files all the same. */

const json = (value: unknown): string => JSON.stringify(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value can be an element of `inputs`. */
const isInput = (value: unknown): boolean =>
  typeof value === 'string' || (isObject(value) && typeof value['input'] === 'string');

/** Whether a value has a URL, which may contain a password or a signature: no message shows it. */
const hasUrl = (value: unknown): boolean => json(value).includes(':/');

/** The fix for paths of outputs in a list. Undefined if the list has something else. */
export function outputsFix(value: unknown): string | undefined {
  const [only, ...others] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (typeof only !== 'string' || !others.every((one) => typeof one === 'string')) return undefined;
  if (hasUrl(value)) return others.length === 0 ? 'Send the path itself as "output".' : undefined;
  if (others.length === 0) return `Send "output": ${json(only)}.`;
  return `Send "outputs": ${json([only, ...others].map((output) => ({ output })))}.`;
}

/** The fix for an input or a list of them in the other of `input` and `inputs`. `known`: the fields that there are. */
function inputsFix(value: unknown, known: readonly string[]): string | undefined {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const [first] = all;
  if (all.length === 0 || !all.every(isInput)) return undefined;
  if (hasUrl(value)) return inputsFixOfUrls(all, known);
  if (all.length === 1 && typeof first === 'string') return `Send "input": ${json(first)}.`;
  if (known.includes('inputs')) return `Send "inputs": ${json(all)}.`;
  return typeof first === 'string' ? `Send one path at a time: "input": ${json(first)}.` : undefined;
}

/** The same fix, without the URLs. */
function inputsFixOfUrls(all: readonly unknown[], known: readonly string[]): string {
  if (all.length === 1 && typeof all[0] === 'string') return 'Send the URL itself as "input".';
  return known.includes('inputs') ? 'Send the list as "inputs".' : 'Send one path or URL at a time as "input".';
}

/**
 * The fix for a field of files with a value of a wrong type: a list in `input` or `output`, a path in `inputs` or `outputs`.
 * Undefined if the value names no paths, or if the field is another one.
 *
 * @param path Where the value is in the body.
 * @param known The names of the fields beside it.
 */
export function meantFiles(path: readonly PropertyKey[], value: unknown, known: readonly string[]): string | undefined {
  const field = path.at(-1);
  if (field === 'input' || field === 'inputs') return inputsFix(value, known);
  if (field === 'output') return Array.isArray(value) ? outputsFix(value) : undefined;
  if (field === 'outputs') return outputsFix(value);
  return typeof field === 'number' && path.at(-2) === 'outputs' && typeof value === 'string' && !hasUrl(value)
    ? `Send ${json({ output: value })}.`
    : undefined;
}
