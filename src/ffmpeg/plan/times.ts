const CLOCK = /^(?:(\d+):)?([0-5]?\d):([0-5]?\d(?:\.\d*)?)$/;
const COUNT = /^(\d+(?:\.\d*)?|\.\d+)(s|ms|us)?$/;
const UNIT: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6 };

/**
 * Seconds out of ffmpeg's duration syntax (ffmpeg-utils manual, "Time duration"): `[-][HH:]MM:SS[.m…]` or
 * `[-]S[.m…][s|ms|us]`. undefined: it is none.
 */
export function parseDuration(text: string): number | undefined {
  const negative = text.startsWith('-');
  const plain = negative ? text.slice(1) : text;
  const clock = CLOCK.exec(plain);
  const count = clock === null ? COUNT.exec(plain) : null;
  let seconds: number;
  if (clock !== null) seconds = Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  else if (count !== null) seconds = Number(count[1]) * (UNIT[count[2] ?? 's'] ?? 1);
  else return undefined;
  // -0 would print and compare oddly.
  return negative && seconds > 0 ? -seconds : seconds;
}
