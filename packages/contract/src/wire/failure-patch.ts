import type { ConversionRequest } from '../domain/conversion.ts';
import { hasEdits } from '../domain/edit.ts';
import type { Failure } from '../domain/failure.ts';
import { pointerToken } from '../domain/problem.ts';
import { requestAsSent } from '../domain/sent-request.ts';
import { applyPatches } from './apply-patch.ts';
import { fixPatch } from './fix-patch.ts';
import { parentOf, valueAt } from './json-pointer.ts';
import type { PatchOperation } from './problem.ts';

/** A longer patch is left out, because lists of jobs would repeat it. */
const MAX_LENGTH = 2000;

/**
 * The JSON Patch of the request as it was sent that applies the fix of a failure. undefined: the fix is a text, or leaves a choice; or the patch
 * would write another file while the request allows to replace files, or contain a URL, which may have a password.
 *
 * @param stored The request of the job.
 */
export function failurePatch(
  { code, message, fix, about }: Failure,
  stored: ConversionRequest,
): readonly PatchOperation[] | undefined {
  if (!hasEdits(fix)) return undefined;
  const request = requestAsSent(stored);
  // The recipe has made several outputs of the one that was sent, and the fix is about one of them.
  if (stored.outputs !== undefined && request.outputs === undefined) return undefined;
  const field = fieldOf(about, fix.edits, request);
  if (/\/output$/.test(field) && replacesFiles(request)) return undefined;
  const before = missingOptions(field, request);
  const patch = fixPatch(applyPatches(request, [before]), { field, code, message, fix });
  const json = JSON.stringify(patch ?? []);
  return patch === undefined || json.length > MAX_LENGTH || json.includes('://') ? undefined : [...before, ...patch];
}

/** Adds an empty `parameters` if the fix changes an option and the request has none. */
function missingOptions(field: string, request: ConversionRequest): readonly PatchOperation[] {
  const path = parentOf(field);
  const isMissing = path.endsWith('/parameters') && valueAt(request, path) === undefined;
  return isMissing ? [{ op: 'add', path, value: {} }] : [];
}

/** The field that the edits of a fix are relative to: an input, the path of an output, or the options of an output. */
function fieldOf(
  about: Failure['about'],
  edits: readonly { readonly do: string; readonly name?: string }[],
  request: ConversionRequest,
): string {
  const isValue = edits.some((edit) => edit.do === 'send' && edit.name === undefined);
  if (isValue) return inputField(about?.input, request);
  const output = about?.output ?? 0;
  const base = request.outputs === undefined ? '' : `/outputs/${output}`;
  const isPath = edits.some((edit) => edit.do === 'send' && edit.name === 'output');
  return isPath ? `${base}/output` : `${base}/parameters/`;
}

/** The field with the path of an input, which can be an argument of the recipe. '': none has it. */
function inputField(path: string | undefined, { input, inputs = [], preset }: ConversionRequest): string {
  if (path === undefined) return '';
  if (input === path) return '/input';
  const index = inputs.findIndex((one) => (typeof one === 'string' ? one : one.input) === path);
  if (index < 0) {
    const [name] = Object.entries(preset?.arguments ?? {}).find(([, value]) => value === path) ?? [];
    return name === undefined ? '' : `/preset/arguments/${pointerToken(name)}`;
  }
  return typeof inputs[index] === 'string' ? `/inputs/${index}` : `/inputs/${index}/input`;
}

const replacesFiles = ({ parameters = {}, outputs = [] }: ConversionRequest): boolean =>
  'y' in parameters || outputs.some((one) => 'y' in (one.parameters ?? {}));
