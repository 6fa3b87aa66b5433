import { badValue, quoted, type ValueError } from './value-error.ts';

const CLOCK = /^(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d(?:\.\d*)?)(s|ms|us)?$/;
const COUNT = /^[+]?(\d+(?:\.\d*)?)(s|ms|us)?$/;
const UNIT: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6 };
const EXAMPLES = ['12.5', '00:01:30', '00:01:30.250', '1500ms'];

/**
 * Seconds out of ffmpeg's duration syntax (ffmpeg-utils manual, "Time duration"): `[-][HH:]MM:SS[.m…]` or
 * `[-]S[.m…][s|ms|us]`. undefined: it is none.
 */
export function parseDuration(text: string): number | undefined {
  const negative = text.startsWith('-');
  const plain = negative ? text.slice(1) : text;
  const clock = CLOCK.exec(plain);
  let seconds: number;
  if (clock !== null) {
    // A unit shrinks what stands behind the point only: nobody means it, and the rest keeps its meaning.
    seconds = Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
    if (clock[4] !== undefined) seconds *= UNIT[clock[4]] ?? 1;
  } else {
    const count = COUNT.exec(plain);
    if (count === null) return undefined;
    seconds = Number(count[1]) * (UNIT[count[2] ?? 's'] ?? 1);
  }
  // -0 would print and compare oddly.
  return negative && seconds > 0 ? -seconds : seconds;
}

/** A time, as options of the type duration take it; negative ones too where `signed`. */
export function checkDuration(key: string, value: string, signed: boolean): ValueError | undefined {
  const seconds = parseDuration(value);
  if (seconds === undefined)
    return {
      ...badValue(`${quoted(value)} is no time.`, value, { shapes: EXAMPLES, fix: meant(value) }),
      code: 'BAD_TIME',
    };
  if (signed || seconds >= 0) return undefined;
  return {
    code: 'BAD_TIME',
    message: `"${key}" cannot be negative.`,
    fix: `Send "${value.slice(1)}".`,
  };
}

const SPELT = /^(?:(\d+) ?h(?:ours?)?)? ?(?:(\d+) ?m(?:in(?:utes?)?)?)? ?(?:(\d+(?:\.\d+)?) ?s(?:ec(?:onds?)?)?)?$/i;

/** `.5`, `1m30s`, `1,5`, `90:00` (minutes over 59): what was meant, as ffmpeg reads it. */
function meant(value: string): string | undefined {
  const text = value.trim();
  const attempts = [text, `0${text}`, text.replace(',', '.'), text.replace(/ /g, '')];
  const near = attempts.find((attempt) => attempt !== value && parseDuration(attempt) !== undefined);
  if (near !== undefined) return near;
  const [, hours, minutes, seconds] = SPELT.exec(text) ?? /^(?:(\d+):)?(\d+):(\d\d(?:\.\d+)?)$/.exec(text) ?? [];
  if (hours === undefined && minutes === undefined && seconds === undefined) return undefined;
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return parseDuration(String(total)) === undefined ? undefined : String(total);
}
