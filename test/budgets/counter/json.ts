import { caller, count } from './counts.ts';

/** Counts the calls of `JSON.parse` and `JSON.stringify`. Node's own, such as those of `Response.json`, are not counted. */
export function countJson(): void {
  for (const name of ['parse', 'stringify'] as const) {
    const run = JSON[name] as (...args: unknown[]) => unknown;
    Object.assign(JSON, {
      [name](...args: unknown[]) {
        count(`JSON.${name}`, `${start(args[0])}${caller()}`);
        return run(...args);
      },
    });
  }
}

/** What shows which value it is, without the cost and the calls of writing it. */
function start(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, 60);
  return typeof value === 'object' && value !== null ? `{${Object.keys(value).slice(0, 8).join(',')}}` : typeof value;
}
