import type { ProblemView } from '../wire/problem.ts';
import { ClientError } from './client-error.ts';

/** An answer that is no success, as far as its error tells of it. */
interface Refused {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

/** The error that an answer with this status means. */
export function refusal({ status, header, body }: Refused): ClientError {
  if (status >= 300 && status < 400) {
    const to = header('location');
    const where = to === undefined ? '' : ` to ${to}`;
    return new ClientError('unexpected', `It redirects${where}. Set its final address.`, { status });
  }
  const problem = problemOf(header('content-type'), body);
  const message = problem?.detail ?? `It answered with status ${status}, in a form that is not Telecine's.`;
  return new ClientError('refused', message, {
    status,
    problem,
    retryAfterSeconds: secondsOf(header('retry-after')),
  });
}

/** undefined: a proxy's page, or the like. */
function problemOf(type: string | undefined, body: string): ProblemView | undefined {
  if (!/^application\/problem\+json\b/.test(type ?? '')) return undefined;
  try {
    return JSON.parse(body) as ProblemView;
  } catch {
    return undefined;
  }
}

/** `Retry-After` has two forms: seconds, or a date (RFC 9110, 10.2.3). */
function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
