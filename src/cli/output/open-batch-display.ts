import { type BatchDisplay, messagesOnce } from './batch-display.ts';
import type { ProgressDisplay, ProgressForm, Screen } from './progress-display.ts';

/** Opens a display for `total` conversions. Imports only the code of its form. */
export async function openBatchDisplay(
  form: ProgressForm | 'silent' | undefined,
  total: number,
  screen: Screen = process.stderr,
): Promise<BatchDisplay> {
  switch (form ?? (screen.isTTY ? 'bar' : 'lines')) {
    case 'bar':
      return (await import('./board.ts')).openBoard(screen, total);
    case 'json': {
      const { progressJson } = await import('./progress-json.ts');
      return plainDisplay((file) => progressJson(screen, { file }));
    }
    case 'silent':
      return plainDisplay(() => SILENT);
    default: {
      const messages = messagesOnce();
      return plainDisplay(
        (file) => ({
          ...SILENT,
          say: (line) => {
            if (messages.isNew(line)) screen.write(`${file}: ${line}\n`);
          },
        }),
        messages.repeated,
      );
    }
  }
}

const SILENT: ProgressDisplay = { bytes: () => {}, job: () => {}, say: () => {}, close: () => {} };

/** A display without numbers, for logs and programs. */
const plainDisplay = (start: BatchDisplay['start'], repeated = (): number => 0): BatchDisplay => ({
  start,
  repeated,
  ended: () => {},
  print: (write) => write(),
  close: () => {},
});
