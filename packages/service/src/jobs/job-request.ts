import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { fallbackOf } from '@telecine/contract/domain/devices.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { applyRead, applyUnread, factNeedOf, orThrow } from '../recipes/apply-recipe.ts';

/** The request that a job runs, before its inputs are staged. */
export interface JobRequest {
  /** The request with its recipe applied, or its fallback. If the recipe depends on the file of the first input, only its inputs and outputs are certain. */
  readonly request: ConversionRequest;
  /** The same request without the options that depend on the file. Absent: no facts were assumed. */
  readonly withoutFacts?: ConversionRequest;
  /** Present if the recipe depends on the file of the first input. */
  readonly facts?: FactsOfInput;
}

export interface FactsOfInput {
  /** Whether the job fails if the file cannot be read. */
  readonly areRequired: boolean;
  readonly recipe: string;
  /** The request with the facts of the file. Throws `JobFailed` if the recipe cannot be applied to it. */
  readonly apply: (info: MediaInfo) => ConversionRequest;
}

/** Applies the recipe that the stored request of a job contains. A request without one runs as it is. */
export function openJobRequest(stored: ConversionRequest): JobRequest {
  const { preset, recipe, usesFallback } = stored;
  const chosen = ({ request }: { readonly request: ConversionRequest }): ConversionRequest =>
    usesFallback === true ? (fallbackOf(request) ?? request) : request;
  if (preset === undefined || recipe === undefined) return { request: chosen({ request: stored }) };
  const request = { ...stored, preset };
  const need = factNeedOf(request, recipe);
  const unread = failing(() => applyUnread(request, recipe));
  const { withoutFacts } = unread;
  return {
    request: chosen(unread),
    ...(withoutFacts && { withoutFacts: chosen(failing(withoutFacts)) }),
    ...(need !== 'none' && {
      facts: {
        areRequired: need === 'required',
        recipe: recipe.name,
        apply: (info) => chosen(failing(() => orThrow(applyRead(request, recipe, info)))),
      },
    }),
  };
}

/** Turns the errors of a recipe for this file into the failure of the job. */
function failing<T>(apply: () => T): T {
  try {
    return apply();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { message = error.message, fix } = error.errors[0] ?? {};
    throw new JobFailed({ code: 'INPUT_INVALID', message, ...(fix !== undefined && { fix }) });
  }
}

/** The request of an unfinished job as far as it is known before its inputs are read. */
export function knownRequest(stored: ConversionRequest): ConversionRequest {
  try {
    return openJobRequest(stored).request;
  } catch (error) {
    if (!(error instanceof JobFailed)) throw error;
    return stored;
  }
}
