import { program } from './cli/program.ts';

try {
  await program().parseAsync(process.argv);
} catch (error) {
  const { plainReason } = await import('./cli/plain-reason.ts');
  const reason = plainReason(error);
  if (reason === undefined) throw error;
  console.error(`error: ${reason}`);
  process.exitCode = 1;
}
