import { nameOfInput, requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { searchText } from '@telecine/contract/domain/job-search.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { hideUrlSecrets } from '@telecine/contract/domain/url-input.ts';
import type { ChangeLog, JobText, JobTexts, JobToSearch } from './ports/job-records.ts';

/** How many changes of jobs are read in one step. Reading their requests and writing their texts takes some milliseconds. */
const STEP = 50;

/**
 * Stores the texts of all jobs that have changed. Resolves to false if `maxMs` passed before all were stored. Reads the
 * changes after their commits, so that neither submitting nor ending a job waits for its text.
 */
export type IndexTexts = (maxMs?: number) => Promise<boolean>;

export function textIndex({
  changeLog,
  jobTexts,
}: {
  readonly changeLog: Pick<ChangeLog, 'unread'>;
  readonly jobTexts: JobTexts;
}): IndexTexts {
  const step = async (): Promise<boolean> => {
    await nextTurn();
    const from = await jobTexts.position();
    const { changes, read: to } = await changeLog.unread(from, STEP);
    // Store it also if transactions have only ended without a change: `unread` asks for each of `open` at each step.
    if (changes.length === 0 && to.open.length === from.open.length) return true;
    const { deleted = [], changed = [] } = Object.groupBy(changes, ({ isDeleted }) =>
      isDeleted ? 'deleted' : 'changed',
    );
    const jobs = await jobTexts.jobs(changed.map(({ jobId }) => jobId));
    const isStored = await jobTexts.store(
      { from, to },
      jobs.map(toText),
      deleted.map(({ jobId }) => jobId),
    );
    return isStored && changes.length < STEP;
  };
  // Run the steps of this process one after the other: two at the same time would read the same changes.
  let last: Promise<unknown> = Promise.resolve();
  const nextStep = (): Promise<boolean> => {
    const result = last.then(step, step);
    last = result;
    return result;
  };
  return async (maxMs = Number.POSITIVE_INFINITY) => {
    const end = performance.now() + maxMs;
    for (;;) {
      if (await nextStep()) return true;
      if (performance.now() >= end) return false;
    }
  };
}

function toText({ jobId, clientId, name, request, error }: JobToSearch): JobText {
  const { input, inputs = input === undefined ? [] : [input], analysis, preset, metadata } = request;
  const read = [...inputs, ...(analysis?.reference === undefined ? [] : [analysis.reference])];
  const paths = [
    ...requestedOutputs(request).map(({ path }) => path),
    ...read.map((one) => hideUrlSecrets(nameOfInput(one))),
  ];
  const content = searchText({ jobId, client: clientId, name, paths, recipe: preset?.name, error, metadata });
  return { jobId, clientId, content };
}
