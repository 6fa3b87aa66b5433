import { program } from './program.ts';

try {
  const telecine = await program(process.argv.slice(2));
  await telecine.parseAsync(process.argv);
} catch (error) {
  const { operatorMessage } = await import('./output/operator-message.ts');
  const reason = operatorMessage(error);
  if (reason === undefined) throw error;
  console.error(`error: ${reason}`);
  process.exitCode = 1;
}
