import type { JobView } from '../lib/api.ts';
import type { Conversion } from './conversions.ts';
import { bad, between, bytes, described, dim, good } from './text.ts';
import type { Verdict } from './verify.ts';

/** One line for a result: what it is and how long it took; below it, what is wrong with it. */
export function reported(conversion: Conversion, job: JobView, verdict: Verdict): string {
  const { probe, faults } = verdict;
  const mark = faults.length === 0 ? good('✓') : bad('✗');
  const size = probe === undefined ? '' : bytes(probe.sizeBytes);
  const what = probe === undefined ? '' : described(probe);
  const took = job.status === 'COMPLETED' ? dim(`took ${between(job.startedAt, job.completedAt)}`) : '';
  const line = `  ${mark} ${conversion.result.padEnd(15)} ${size.padStart(8)}  ${what}  ${took}`;
  return [line.trimEnd(), ...faults.map((fault) => `      ${bad(fault)}`)].join('\n');
}

/** What a job that did not complete says of it. */
export function failure({ status, error }: JobView): Verdict {
  const why = error === undefined ? '' : `: ${error.code}: ${error.message}${error.fix ? ` ${error.fix}` : ''}`;
  return { faults: [`${status}${why}`] };
}
