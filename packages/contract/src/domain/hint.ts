import { type Edits, editsText, hasEdits } from './edit.ts';

/** The lists of `GET /api/capabilities/{kind}`. */
type CapabilityKind = 'formats' | 'codecs' | 'filters' | 'options';

/** An action that a hint suggests. It is shown as an HTTP request to HTTP clients, and as a tool call to models. */
export type HintAction =
  | {
      readonly do: 'search-capabilities';
      readonly kind: CapabilityKind;
      readonly use?: 'read' | 'write' | 'encode' | 'decode';
    }
  | { readonly do: 'list-capabilities'; readonly kind: CapabilityKind }
  | { readonly do: 'show-capability'; readonly kind: CapabilityKind; readonly name: string }
  | { readonly do: 'find-recipe' }
  | { readonly do: 'list-files' }
  | { readonly do: 'probe-file' }
  | { readonly do: 'upload-file' }
  /** Without `status`: lists all jobs. */
  | { readonly do: 'list-jobs'; readonly status?: string }
  | { readonly do: 'wait-for-job'; readonly jobId: string }
  /** Without `batchId`: waits for a batch that the reader knows. */
  | { readonly do: 'wait-for-batch'; readonly batchId?: string }
  | { readonly do: 'list-outputs'; readonly jobId: string }
  /** Finds what is damaged in a file. */
  | { readonly do: 'measure-errors'; readonly input: string }
  /** Without `jobId`: reads the log of the job that the hint is about. */
  | { readonly do: 'read-job-log'; readonly jobId?: string }
  | { readonly do: 'retry-job' }
  /** Converts a file of a watch again. */
  | { readonly do: 'retry-watched-file'; readonly watchId: string; readonly path: string }
  | { readonly do: 'repeat-request' }
  /** `to`: what the operator should do, as an infinitive without "to": `check the memory`. */
  | { readonly do: 'ask-operator'; readonly to: string };

/** A fix: edits of the request, or a text, perhaps with actions. It is plain JSON, because failed jobs store it. */
export type Hint = Edits | string | readonly (string | HintAction)[];

/** Builds a hint: ``hint`Check the path, then ${RETRY_JOB}.` ``. The text of an action is an imperative, such as "run the job again". */
export function hint(texts: TemplateStringsArray, ...actions: readonly HintAction[]): readonly (string | HintAction)[] {
  return texts.flatMap((text, i) => {
    const action = actions[i];
    return [...(text === '' ? [] : [text]), ...(action === undefined ? [] : [action])];
  });
}

export const UPLOAD_FILE: HintAction = { do: 'upload-file' };
export const LIST_JOBS: HintAction = { do: 'list-jobs' };
export const RETRY_JOB: HintAction = { do: 'retry-job' };
export const askOperator = (to: string): HintAction => ({ do: 'ask-operator', to });
export const READ_JOB_LOG: HintAction = { do: 'read-job-log' };

/** The text of a hint. `wordsOf` gives the text of each action. A hint that starts with an action is capitalized. */
export function hintText(fix: Hint, wordsOf: (action: HintAction) => string): string {
  if (typeof fix === 'string') return fix;
  if (hasEdits(fix)) return editsText(fix);
  const text = fix.map((part) => (typeof part === 'string' ? part : wordsOf(part))).join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Replaces each `retry-job` in a hint with another action. */
export function replaceRetryJob(fix: Hint, action: HintAction): Hint {
  if (typeof fix === 'string' || hasEdits(fix)) return fix;
  return fix.map((part) => (typeof part !== 'string' && part.do === 'retry-job' ? action : part));
}

export function withAdvice(fix: Hint | undefined, advice: string): Hint {
  if (Array.isArray(fix)) return [...fix, ` ${advice}`];
  return `${fixText(fix) ?? ''} ${advice}`.trimStart();
}

/** The text of a fix without actions. undefined for other fixes. */
export const fixText = (fix: Hint | undefined): string | undefined =>
  typeof fix === 'string' ? fix : hasEdits(fix) ? editsText(fix) : undefined;
