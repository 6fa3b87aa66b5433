import { isMembers } from '../domain/members.ts';
import { bareWord } from '../domain/synonyms/bare-word.ts';
import { isUuid } from './job-id.ts';

/** Names under which other services keep labels that a client gives a job. */
const LABELS =
  /^(?:tags?|labels?|batch|(?:batch|job|group|project)(?:name|label|id)|group|project|campaign|(?:custom|user)data|passthrough|(?:custom|external|reference|client)id|reference|notes?)$/;

/** A longer text is not repeated in a fix. */
const MAX_LENGTH = 200;

/** A label as one text. undefined for objects, and for longer texts. */
function textOf(value: unknown): string | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isText = (one: unknown): boolean => typeof one === 'string' || typeof one === 'number';
  const text = list.every(isText) ? list.join(', ') : '';
  return text !== '' && text.length <= MAX_LENGTH && !text.includes(':/') ? text : undefined;
}

/**
 * The fix for labels that a client gives a job: "metadata" keeps them, and a list selects by them. undefined for other fields.
 *
 * @param known The names of the fields that the object may have.
 */
export function labelFix(key: string, value: unknown, parent: unknown, known: readonly string[]): string | undefined {
  if (!LABELS.test(bareWord(key)) || !known.includes('metadata') || !isMembers(parent)) return undefined;
  // The id of a batch has a field of its own.
  if (typeof value === 'string' && isUuid(value)) return undefined;
  const { metadata: own = {} } = parent;
  const text = textOf(value);
  // Several labels share one fix, which sends all.
  if (text === undefined || !isMembers(own)) return undefined;
  const all = Object.entries(parent).flatMap(([name, one]) => {
    const label = known.includes(name) || !LABELS.test(bareWord(name)) ? undefined : textOf(one);
    return label === undefined ? [] : [[name, label] as const];
  });
  return `Send "metadata": ${JSON.stringify({ ...own, ...Object.fromEntries(all) })}.`;
}
