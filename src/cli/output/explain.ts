import { plainText } from '../../domain/text-validation.ts';
import type { ExitStatus } from '../exit-status.ts';

/** What people read of a command that did not succeed, a line each: what is wrong, what is allowed, what to do. */
export function explain({ message, fix, problem }: ExitStatus): readonly string[] {
  const errors = problem?.errors ?? [];
  // The detail of a request with faults begins with the first of them.
  const first = errors.length === 1 ? (errors[0]?.message ?? message) : message;
  const lines = [`error: ${first}`];
  for (const error of errors) {
    if (errors.length > 1) lines.push(`  ${nameOf(error.field)}${error.message}`);
    const more = error.allowed === undefined ? [] : [`Allowed: ${error.allowed.join(', ')}.`];
    if (error.fix !== undefined && !error.message.includes(error.fix)) more.push(error.fix);
    lines.push(...more.map((line) => (errors.length > 1 ? `    ${line}` : line)));
  }
  if (fix !== undefined) lines.push(fix);
  return lines.map(plainText);
}

/** An option as the command line names it; of the rest the message tells enough. */
function nameOf(field: string): string {
  const [, name] = /^\/parameters\/([^/]+)/.exec(field) ?? [];
  return name === undefined ? '' : `-p ${name.replaceAll('~1', '/').replaceAll('~0', '~')}: `;
}

/** The same for programs: one JSON value. `message` tells the first of several faults, and so does `fix`. */
export const explainAsJson = ({ code, message, problem, fix = problem?.errors?.[0]?.fix }: ExitStatus): string =>
  JSON.stringify({ error: { code, message, fix, problem } });
