import { styleText } from 'node:util';

export type Say = (line: string) => void;

export const silent: Say = () => {};

/** A line such as `✓ name  text`, aligned with the other lines. */
export const ok = (name: string, text: string): string => `${styleText('green', '✓')} ${name.padEnd(11)}${text}`;
export const warn = (name: string, text: string): string => `${styleText('yellow', '!')} ${name.padEnd(11)}${text}`;
export const busy = (name: string, text: string): string => `${styleText('cyan', '…')} ${name.padEnd(11)}${text}`;

/** The time since `from` (of `performance.now()`), such as `0.4 s` or `12 s`. */
export function seconds(from: number): string {
  const passed = (performance.now() - from) / 1000;
  return `${passed < 10 ? passed.toFixed(1) : Math.round(passed)} s`;
}
