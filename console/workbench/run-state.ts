import { ClientError } from '@telecine/client';
import { argumentLabel } from './argument-label.ts';
import { isUnreadable } from './cannot-run.ts';
import { errorsOf, isOfMoment, tookTooLong } from './check-error.ts';
import { madeText } from './estimate-text.ts';
import { missingArguments } from './field-messages.ts';
import type { RunProgress } from './run.ts';
import type { Checked } from './use-dry-run.ts';

/** What is known of several requests together. */
export interface AllRequests {
  /** What they take: `about 26 s · 7 MB`. '': not known. */
  readonly total: string;
  /** The number of requests that cannot run. */
  readonly failing: number;
}

/** The facts that determine whether the workbench can start jobs. */
export interface RunFacts {
  /** The number of requests to submit together. Only one is checked: that of the plan. */
  readonly requests: number;
  readonly checked: Checked;
  /** The roles of the inputs of the recipe, such as `subtitles`. */
  readonly roles: readonly string[];
  /** The number of options without a name. */
  readonly nameless: number;
  readonly isUploading: boolean;
  /** Why the requests are not yet what the user has typed. undefined: they are. */
  readonly waiting?: string | undefined;
  /** The number of unreadable sources, of the sources that the check does not read. */
  readonly unreadable: number;
  /** What is known of several requests together. undefined: they are not all planned. */
  readonly all?: AllRequests | undefined;
  /** Says that words of the user are not part of the requests. undefined: there are none. */
  readonly unapplied?: string | undefined;
  readonly isStarting: boolean;
  /** Whether these requests were submitted, and their jobs are running or complete. */
  readonly started?: RunProgress | undefined;
  /** The error of the last submission of these requests. */
  readonly failure: Error | null;
}

/** The state of the bar with the button "Convert". */
export interface RunState {
  readonly text: string;
  /** What the button makes, if the request can run. It says more than the text, which is then for screen readers. '': not known. */
  readonly made: string;
  readonly isBad: boolean;
  readonly isReady: boolean;
  /** Whether a control of the form shows a message with more details. */
  readonly isToldElsewhere: boolean;
  /** Whether the text says that words of the user are not part of the requests. */
  readonly isUnapplied: boolean;
  /** Whether the check has no result for a reason that may be gone later, so that the user can check again. */
  readonly isUnchecked: boolean;
}

const IDLE: RunState = {
  ...{ text: '', made: '', isBad: false, isReady: false },
  ...{ isToldElsewhere: false, isUnapplied: false, isUnchecked: false },
};
const BAD: RunState = { ...IDLE, isBad: true, isToldElsewhere: true };

/** Determines whether jobs can be started, and what the user must wait for or do first. */
export function runState(facts: RunFacts): RunState {
  const { unapplied } = facts;
  const state = stateOf(facts);
  const isReady = state.isReady && !facts.isStarting;
  // Without the words, the request can run, but it is not what the user has typed.
  if (unapplied !== undefined && isReady && !state.isBad)
    return { ...state, text: unapplied, made: '', isUnapplied: true };
  return { ...state, isReady };
}

function stateOf({
  requests,
  checked,
  roles,
  nameless,
  isUploading,
  waiting,
  unreadable,
  all,
  started,
  failure,
}: RunFacts): RunState {
  const { plan, error, isOld } = checked;
  const errors = errorsOf(error);
  const wrong = errors.length + nameless;
  const missing = missingArguments(errors);
  if (requests === 0) return { ...IDLE, text: 'Choose a source first.' };
  // Do not check a started request again: the check would warn that its own outputs exist.
  if (started === 'running') return { ...IDLE, text: requests === 1 ? 'Started.' : `Started ${requests} jobs.` };
  if (started === 'completed') return { ...IDLE, text: 'Done. Change something to convert again.' };
  if (missing.length > 0 && missing.length === wrong)
    return { ...IDLE, text: missingText(missing, roles), isToldElsewhere: true };
  if (wrong > 0) return { ...BAD, text: wrong === 1 ? 'One field has an error.' : `${wrong} fields have errors.` };
  if (waiting !== undefined) return { ...IDLE, text: waiting };
  // The request may be right. The jobs can be started, because the service checks them too.
  if (error !== null && isOfMoment(error)) {
    const unchecked = { ...IDLE, isReady: !isUploading, isUnchecked: true };
    if (isOld) return { ...unchecked, text: 'Checking…' };
    // A submission reads the source too, so that it can end for the same reason.
    if (failure !== null) return { ...unchecked, text: failureText(failure), isBad: true };
    return { ...unchecked, text: `Not checked: ${uncheckedText(error)}` };
  }
  if (error !== null) return { ...BAD, text: 'The request cannot run.' };
  if (isUploading) return { ...IDLE, text: 'Ready when the upload is complete.' };
  if (requests > 1 && unreadable > 0)
    return {
      ...BAD,
      text: `${unreadable} of ${requests} sources cannot be read. Their jobs would fail.`,
      isReady: true,
    };
  const warns = (code: string): boolean => plan?.warnings.some((warning) => warning.code === code) === true;
  const isUnchecked = warns('INPUT_NOT_READ');
  if (isOld) return { ...IDLE, text: 'Checking…', isReady: true, isUnchecked };
  const source = requests === 1 && plan?.plan.inputs.length === 1 ? 'The source' : 'A source';
  // Do not start a job that would certainly fail.
  if (warns('OUTPUT_EXISTS')) return { ...IDLE, text: 'The output exists already.' };
  const invalid = plan?.warnings.find(({ code }) => code === 'INPUT_INVALID');
  if (requests === 1 && invalid !== undefined)
    return {
      ...BAD,
      text: `${source} ${isUnreadable(invalid) ? 'cannot be read' : 'does not fit this conversion'}. The job would fail.`,
    };
  // After a rejected submission, its reason says more.
  if (all !== undefined && all.failing > 0 && failure === null)
    return { ...BAD, text: `${all.failing} of ${requests} sources cannot run.`, isReady: true };
  if (warns('INPUT_NOT_FOUND')) return { ...BAD, text: `${source} does not exist yet.`, isReady: true };
  if (unreadable > 0) return { ...BAD, text: `${source} cannot be read.`, isReady: true };
  if (failure !== null) return { ...IDLE, text: failureText(failure), isBad: true, isReady: true, isUnchecked };
  if (isUnchecked)
    return { ...IDLE, text: `${source} was not checked. You can convert anyway.`, isReady: true, isUnchecked };
  if (requests > 1) return { ...IDLE, text: totalReadyText(all?.total), isReady: true };
  return { ...IDLE, text: 'Ready.', made: plan === undefined ? '' : madeText(plan), isReady: true };
}

/** `Ready. All: about 26 s · 7 MB`. */
const totalReadyText = (total = ''): string =>
  total === '' ? 'Ready. Each source is checked when it starts.' : `Ready. All: ${total}`;

function uncheckedText(error: Error): string {
  if (tookTooLong(error)) return 'reading the source took too long.';
  if (!(error instanceof ClientError) || error.kind !== 'unreachable') return 'the service is busy or has failed.';
  const isLate = error.cause instanceof Error && error.cause.name === 'TimeoutError';
  return isLate ? 'the service did not reply in time.' : 'the service cannot be reached.';
}

/** Asks for the inputs and the arguments that a recipe needs. */
function missingText(missing: readonly string[], roles: readonly string[]): string {
  const files = missing.filter((name) => roles.includes(name));
  const others = missing.filter((name) => !roles.includes(name)).map(argumentLabel);
  const parts = [
    ...(files.length > 0 ? [`add the ${files.join(' and the ')} as a source`] : []),
    ...(others.length > 0 ? [`fill in ${others.join(' and ')}`] : []),
  ];
  const text = `${parts.join(', and ')}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const failureText = (failure: Error): string =>
  failure instanceof ClientError && failure.kind === 'rejected'
    ? 'Not started: the service rejected the request.'
    : 'The service did not answer.';
