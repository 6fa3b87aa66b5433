import { program } from './cli/program.ts';

try {
  await program().parseAsync(process.argv);
} catch (error) {
  const { operatorMessage } = await import('./cli/output/operator-message.ts');
  const reason = operatorMessage(error);
  if (reason === undefined) throw error;
  console.error(`error: ${reason}`);
  process.exitCode = 1;
}
