import { configFromEnvironment } from '../../../config/environment.ts';
import { runChecks } from '../../compose/doctor/run-checks.ts';
import { printFindings } from './print-findings.ts';

/**
 * Checks the requirements of the service and prints the results. The exit code is 1 if a check fails. `worker`: true checks
 * them for `telecine worker`, and false for `telecine serve --no-worker`, which needs no ffmpeg on PostgreSQL.
 */
export async function doctor(options: { readonly json?: boolean; readonly worker?: boolean }): Promise<void> {
  printFindings(await runChecks(configFromEnvironment(), options), options);
}
