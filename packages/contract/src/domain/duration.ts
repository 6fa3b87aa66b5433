const CLOCK = /^(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d(?:\.\d*)?)(s|ms|us)?$/;
const COUNT = /^[+]?(\d+(?:\.\d*)?)(s|ms|us)?$/;
const UNIT: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6 };

/**
 * Parses a time in the syntax of ffmpeg (ffmpeg-utils manual, "Time duration"): `[-][HH:]MM:SS[.m…]` or `[-]S[.m…][s|ms|us]`. Returns
 * seconds. undefined: another form.
 */
export function parseDuration(text: string): number | undefined {
  const negative = text.startsWith('-');
  const plain = negative ? text.slice(1) : text;
  const clock = CLOCK.exec(plain);
  let seconds: number;
  if (clock !== null) {
    // After a clock time, ffmpeg applies a unit (`00:01:30ms`) only to the fraction. Nobody means that.
    seconds = Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
    if (clock[4] !== undefined) seconds *= UNIT[clock[4]] ?? 1;
  } else {
    const count = COUNT.exec(plain);
    if (count === null) return undefined;
    seconds = Number(count[1]) * (UNIT[count[2] ?? 's'] ?? 1);
  }
  // Avoids -0.
  return negative && seconds > 0 ? -seconds : seconds;
}
