import { type Edits, leaveOut, orElse, sendMember } from '../domain/edit.ts';
import { type Hint, hint, LIST_JOBS } from '../domain/hint.ts';
import { JOB_STATUSES } from '../domain/states.ts';
import { isMembers, stringOf } from '../domain/structured-values.ts';
import { meantChoice, meantField } from '../domain/synonyms/field-words.ts';
import { bareWord } from '../domain/synonyms/value-words.ts';
import { hasUrl } from './explain-files.ts';
import { isUuid } from './job-id.ts';
import type { SentField } from './schema-at.ts';

/** Properties that callers want to select jobs by, but that `list_jobs` does not support. */
const OF_A_LIST = /^(?:since|until|before|after|from|to|date|output|input|sort|order|order_?by|offset|page)$/i;

/** The job status that a word means. */
const meantStatus = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? (JOB_STATUSES.find((one) => one === value.toUpperCase()) ?? meantChoice(value, JOB_STATUSES))
    : undefined;

/** The maximum number of ids that a fix repeats. */
const MAX_IDS = 20;

/** The ids in a list, or in a text that separates ids by commas or spaces. Empty if the value contains something else. */
function idsIn(value: unknown): readonly string[] {
  const parts: readonly unknown[] =
    typeof value === 'string' && value.length <= 2000
      ? value.split(/[\s,;]+/).filter(Boolean)
      : Array.isArray(value)
        ? value
        : [];
  return parts.length <= MAX_IDS && parts.every((one): one is string => typeof one === 'string' && isUuid(one))
    ? (parts as readonly string[])
    : [];
}

/** The fix for job ids in a field with another name, or for one id where the tool takes several. undefined for other fields. */
export function jobIdsFix(key: string, value: unknown, known: readonly string[]): Hint | undefined {
  if (/^batch_?ids?$/i.test(key) && !known.includes('batchId') && known.includes('jobIds')) {
    if (typeof value !== 'string' || !isUuid(value))
      return hint`Send "jobIds": the ids of its jobs, as a list. For the ids: ${LIST_JOBS}.`;
    // Use `wait-for-batch`, because list_jobs does not show batches.
    const batch = { do: 'wait-for-batch' as const, batchId: value };
    return hint`Send "jobIds": the ids of its jobs, as a list. For the ids, call ${batch}.`;
  }
  const status = meantField(key, ['status']) === undefined ? undefined : meantStatus(value);
  if (status !== undefined && known.includes('status')) return sendMember('status', status);
  if (status !== undefined && known.includes('jobIds'))
    return hint`Send "jobIds": the ids of these jobs, as a list. For the ids: ${{ do: 'list-jobs', status }}.`;
  if (known.includes('status') && known.includes('cursor') && OF_A_LIST.test(key))
    return leaveOut(
      undefined,
      'jobs are listed newest first, with their times and outputs, and "metadata" selects jobs by your own values',
    );
  if (known.includes('view') && /^(?:parameters|options|vf|filters?)$/i.test(key))
    return orElse(
      leaveOut(),
      'convert the file and look at the result by its "jobId": a preview shows a file as it is',
    );
  const isSeveral = Array.isArray(value) || (typeof value === 'string' && /^[^\s{},]+,[^{}]+$/.test(value));
  if (/^jobIds?$/.test(key) && isSeveral && idsIn(value).length === 0 && known.includes('jobId'))
    return known.includes('jobIds')
      ? hint`Send "jobIds": the ids of the jobs, which are UUIDs, as a list. For the ids: ${LIST_JOBS}.`
      : hint`Send one id in each call, a UUID as "jobId". For the ids: ${LIST_JOBS}.`;
  const ids = idsIn(value);
  const [first] = ids;
  if (!/^(?:job_?)?ids?$/i.test(key) || first === undefined) return undefined;
  if (ids.length > 1 || (key === 'jobIds' && known.includes('jobIds')))
    return known.includes('jobIds')
      ? sendMember('jobIds', ids)
      : `Send one id in each call, the first as "jobId": "${first}".`;
  return known.includes('jobId') ? sendMember('jobId', first) : undefined;
}

/** Words for all jobs that are not finished. */
const UNFINISHED = /^(?:\*|all|any|every|active|unfinished|pending|queued|running|processing|in_?progress)$/i;

/** The fix for a word such as "all" in place of an id. undefined for other values. */
export function unfinishedJobsFix(key: string, value: unknown): Hint | undefined {
  if (!UNFINISHED.test(stringOf(value))) return undefined;
  const jobs = ['PROCESSING', 'PENDING'].map((status) => ({ do: 'list-jobs' as const, status }));
  const ids = /^jobIds/.test(key) ? '"jobIds": the ids of the jobs, as a list' : '"jobId": the id of one job';
  return [
    `Send ${ids}. For the unfinished jobs: `,
    ...jobs.flatMap((one, at) => (at === 0 ? [one] : [', then ', one])),
    '.',
  ];
}

/** Names that other services have for the labels of a job. */
const LABELS =
  /^(?:tags?|labels?|batch|(?:batch|job|group|project)(?:name|label|id)|group|project|campaign|(?:custom|user)data|passthrough|(?:custom|external|reference|client)id|reference|notes?)$/;

/** The maximum length of a label that a fix repeats. */
const MAX_LABEL = 200;

/** A label as one text. undefined: the value contains an object or a URL, or is too long. */
function labelText(value: unknown): string | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isText = (one: unknown): boolean => typeof one === 'string' || typeof one === 'number';
  const text = list.every(isText) ? list.join(', ') : '';
  return text !== '' && text.length <= MAX_LABEL && !hasUrl(text) ? text : undefined;
}

/** The fix for labels of a job. "metadata" stores labels, and a list of jobs can select by them. undefined for other fields. */
export function labelFix({ key, value, parent, known }: SentField): Edits | undefined {
  if (!LABELS.test(bareWord(key))) return undefined;
  // The id of a batch is not a label. It belongs in a field such as "batchId", and has another fix.
  if (typeof value === 'string' && isUuid(value)) return undefined;
  const { metadata: own = {} } = parent;
  const text = labelText(value);
  // If there are several labels, their errors share one fix that sends all labels.
  if (text === undefined || !isMembers(own)) return undefined;
  const all = Object.entries(parent).flatMap(([name, one]) => {
    const label = known.includes(name) || !LABELS.test(bareWord(name)) ? undefined : labelText(one);
    return label === undefined ? [] : [[name, label] as const];
  });
  return sendMember('metadata', { ...own, ...Object.fromEntries(all) });
}
