import { configFromEnvironment } from '../../../config/environment.ts';
import type { Finding } from '../../../domain/finding.ts';
import { runChecks } from '../../compose/doctor/run-checks.ts';

/**
 * Checks the requirements of the service and prints the results. The exit code is 1 if a check fails. `worker`: true checks
 * them for `telecine worker`, and false for `telecine serve --no-worker`, which needs no ffmpeg on PostgreSQL.
 */
export async function doctor(options: { readonly json?: boolean; readonly worker?: boolean }): Promise<void> {
  const findings = await runChecks(configFromEnvironment(), options);
  if (options.json) console.log(JSON.stringify(findings, null, 2));
  else for (const finding of findings) print(finding);
  if (findings.some(({ state }) => state === 'bad')) process.exitCode = 1;
}

function print({ name, state, says, fix }: Finding): void {
  console.log(`${state === 'ok' ? '✓' : state === 'warn' ? '!' : '✗'} ${name.padEnd(12)} ${says}`);
  if (fix !== undefined) console.log(`  ${''.padEnd(12)} ${fix}`);
}
