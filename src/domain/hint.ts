/** The lists of `GET /api/capabilities/{kind}`. */
export type CapabilityKind = 'formats' | 'codecs' | 'filters' | 'options';

/** Something that a reader of a hint can do. Each audience has its own words for it: an HTTP request, a tool call, … */
export type HintAction =
  | {
      readonly do: 'search-capabilities';
      readonly kind: CapabilityKind;
      readonly use?: 'read' | 'write' | 'encode' | 'decode';
    }
  | { readonly do: 'list-capabilities'; readonly kind: CapabilityKind }
  | { readonly do: 'show-capability'; readonly kind: CapabilityKind; readonly name: string }
  | { readonly do: 'list-files' }
  | { readonly do: 'read-job-log'; readonly jobId: string }
  | { readonly do: 'retry-job' }
  | { readonly do: 'repeat-request' };

/** What to do about an error: plain text, or text with actions. JSON, because failed jobs are stored with it. */
export type Hint = string | readonly (string | HintAction)[];

/**
 * A hint as a template: ``hint`Check the path, then ${RETRY_JOB}.` ``. Action words are imperatives: "retry the job".
 */
export function hint(texts: TemplateStringsArray, ...actions: readonly HintAction[]): Hint {
  return texts.flatMap((text, i) => {
    const action = actions[i];
    return [...(text === '' ? [] : [text]), ...(action === undefined ? [] : [action])];
  });
}

export const RETRY_JOB: HintAction = { do: 'retry-job' };

/** The hint as text, with the words of one audience. A hint that starts with an action gets a capital letter. */
export function hintText(fix: Hint, wordsOf: (action: HintAction) => string): string {
  if (typeof fix === 'string') return fix;
  const text = fix.map((part) => (typeof part === 'string' ? part : wordsOf(part))).join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The hint with another action in place of each `retry-job`. */
export function replaceRetryJob(fix: Hint, action: HintAction): Hint {
  if (typeof fix === 'string') return fix;
  return fix.map((part) => (typeof part !== 'string' && part.do === 'retry-job' ? action : part));
}
