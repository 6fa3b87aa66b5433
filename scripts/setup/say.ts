import { styleText } from 'node:util';

/** Where a set-up tells what it does: one finished line a call. */
export type Say = (line: string) => void;

export const silent: Say = () => {};

/** `✓ name  text`, aligned with the lines around it. */
export const ok = (name: string, text: string): string => `${styleText('green', '✓')} ${name.padEnd(11)}${text}`;
export const warn = (name: string, text: string): string => `${styleText('yellow', '!')} ${name.padEnd(11)}${text}`;
export const busy = (name: string, text: string): string => `${styleText('cyan', '…')} ${name.padEnd(11)}${text}`;

/** Seconds since `from` (a `performance.now()`), as people say them: `0.4 s`, `12 s`. */
export function seconds(from: number): string {
  const passed = (performance.now() - from) / 1000;
  return `${passed < 10 ? passed.toFixed(1) : Math.round(passed)} s`;
}
