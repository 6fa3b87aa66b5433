import { plainText } from '../../../domain/text-validation.ts';
import type { DoctorView } from '../../../wire/clients.ts';
import { EXIT } from '../../exit-codes.ts';

/** Prints the results of checks. The exit code becomes 1 if a check failed. */
export function printFindings(
  findings: Readonly<DoctorView['findings']>,
  { json = false }: { readonly json?: boolean | undefined },
): void {
  if (json) console.log(JSON.stringify(findings, null, 2));
  else for (const finding of findings) print(finding);
  if (findings.some(({ state }) => state === 'bad')) process.exitCode = EXIT.failed;
}

function print({ name, state, says, fix }: DoctorView['findings'][number]): void {
  console.log(plainText(`${state === 'ok' ? '✓' : state === 'warn' ? '!' : '✗'} ${name.padEnd(12)} ${says}`));
  if (fix !== undefined) console.log(plainText(`  ${''.padEnd(12)} ${fix}`));
}
