import { format } from 'node:util';
import { escapeControls } from '@telecine/contract/domain/text-validation.ts';
import { ffmpegCall } from './commands/ffmpeg.ts';
import { program } from './program.ts';

// All that commands print may have texts of the service, which may be hostile to the terminal.
for (const method of ['log', 'error'] as const) {
  const print = console[method];
  console[method] = (...values) => print('%s', escapeControls(format(...values)));
}

try {
  const words = process.argv.slice(2);
  const call = ffmpegCall(words);
  if (call === undefined) await (await program(words)).parseAsync(process.argv);
  else await (await import('./commands/ffmpeg/ffmpeg-command.ts')).ffmpegCommand(call);
} catch (error) {
  const { operatorMessage } = await import('./output/operator-message.ts');
  const reason = operatorMessage(error);
  if (reason === undefined) throw error;
  console.error(`error: ${reason}`);
  process.exitCode = 1;
}
