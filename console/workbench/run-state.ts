import { ClientError } from '@telecine/client';
import { missingArguments } from './field-messages.ts';
import type { Checked } from './use-dry-run.ts';

/** What decides whether the workbench can start its jobs. */
export interface RunFacts {
  /** How many requests would be submitted together. The check is that of the first one. */
  readonly requests: number;
  readonly checked: Checked;
  /** How many options have no name. */
  readonly nameless: number;
  readonly isUploading: boolean;
  /** Of the sources that the check does not read, how many cannot be read. */
  readonly unreadable: number;
  readonly isStarting: boolean;
  /** Why these requests were not started when they were submitted. */
  readonly failure: Error | null;
}

/** What the bar beside "Convert" says. */
export interface RunState {
  readonly text: string;
  readonly isBad: boolean;
  readonly isReady: boolean;
  /** Whether a message at a control of the form says more. */
  readonly isToldElsewhere: boolean;
}

const IDLE: RunState = { text: '', isBad: false, isReady: false, isToldElsewhere: false };
const BAD: RunState = { ...IDLE, isBad: true, isToldElsewhere: true };

/** Whether the jobs can be started, and what the person waits for or has to do first. */
export function runState(facts: RunFacts): RunState {
  const state = stateOf(facts);
  return { ...state, isReady: state.isReady && !facts.isStarting };
}

function stateOf({ requests, checked, nameless, isUploading, unreadable, failure }: RunFacts): RunState {
  const { plan, error, isOld } = checked;
  const errors = error instanceof ClientError ? error.errors : [];
  const wrong = errors.length + nameless;
  const missing = missingArguments(errors);
  if (requests === 0) return { ...IDLE, text: 'Choose a source first.' };
  if (missing.length > 0 && missing.length === wrong)
    return { ...IDLE, text: `Fill in ${missing.join(' and ')}.`, isToldElsewhere: true };
  if (wrong > 0) return { ...BAD, text: wrong === 1 ? 'One field has an error.' : `${wrong} fields have errors.` };
  if (error !== null) return { ...BAD, text: 'The request cannot run.' };
  if (isUploading) return { ...IDLE, text: 'Ready when the upload is complete.' };
  if (requests > 1 && unreadable > 0)
    return {
      ...BAD,
      text: `${unreadable} of ${requests} sources cannot be read. Their jobs would fail.`,
      isReady: true,
    };
  if (isOld) return { ...IDLE, text: 'Checking…', isReady: true };
  const warns = (code: string): boolean => plan?.warnings.some((warning) => warning.code === code) === true;
  const source = plan?.plan.inputs.length === 1 ? 'The source' : 'A source';
  // A job of which it is known that it would fail is not started.
  if (warns('OUTPUT_EXISTS')) return { ...IDLE, text: 'The output exists already.' };
  if (requests === 1 && warns('INPUT_INVALID'))
    return { ...BAD, text: `${source} cannot be read. The job would fail.` };
  if (warns('INPUT_NOT_FOUND')) return { ...BAD, text: `${source} does not exist yet.`, isReady: true };
  if (unreadable > 0) return { ...BAD, text: `${source} cannot be read.`, isReady: true };
  if (failure !== null) return { ...BAD, text: failureText(failure), isReady: true, isToldElsewhere: false };
  return { ...IDLE, text: requests > 1 ? 'Ready. Only the first source is checked.' : 'Ready.', isReady: true };
}

const failureText = (failure: Error): string =>
  failure instanceof ClientError && failure.kind === 'rejected'
    ? 'Not started: the service rejected it.'
    : 'The service did not answer.';
