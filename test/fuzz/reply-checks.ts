import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { ProblemView } from '../../packages/contract/src/wire/problem.ts';
import { FORGED } from './tags.ts';

/** Words that no reply may contain. */
export interface SecretWords {
  /** Folders of the host and the secret of the canaries. */
  readonly words: readonly string[];
}

/** Failure codes that a malformed file may cause. Any other code is an error of the service. */
const EXPECTED_CODES: ReadonlySet<string> = new Set([
  'INPUT_INVALID',
  'UNSUPPORTED',
  'FFMPEG_FAILED',
  'TIMEOUT',
  'STALLED',
  'LIMIT_EXCEEDED',
]);

/** Matches host paths and logical names: `in/0.mp4` is the name of an input in the argv. */
const INTERNAL_PATH =
  /(?:^|[\s"'(:=])\/(?:etc|usr|tmp|in|out|proc|home|root|dev)\b|\.telecine|\b(?:in|out)\/\d+\.|\$\d|\$input/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const CODE_VALUE = /\b(?:undefined|NaN|\[object|null)\b/;

function faultsOfText(what: string, text: string, { words }: SecretWords): readonly string[] {
  const leaked = words.filter((word) => text.includes(word));
  return [
    ...leaked.map((word) => `${what} contains ${JSON.stringify(word)}`),
    ...(CONTROL.test(text) ? [`${what} contains a control character: ${JSON.stringify(text.slice(0, 500))}`] : []),
  ];
}

/** Every fault in a finished job. `named` is the input as the client named it. */
export function checkJob(job: JobView, log: string, secrets: SecretWords, named: string): readonly string[] {
  const { status, error } = job;
  // The client's own file name may contain anything.
  const texts = [error?.message, error?.fix, job.message].join('\n').replaceAll(named, '');
  return [
    ...(status === 'COMPLETED' || status === 'FAILED' ? [] : [`the job ended as ${status}`]),
    ...(status === 'FAILED' && !EXPECTED_CODES.has(error?.code ?? '')
      ? [`the job failed with ${JSON.stringify(error)}`]
      : []),
    ...(status === 'FAILED' && !error?.fix ? [`the failure has no fix: ${JSON.stringify(error)}`] : []),
    ...((job.attempt ?? 1) > 1 ? [`the job took ${job.attempt} attempts`] : []),
    ...(INTERNAL_PATH.test(texts) || CODE_VALUE.test(texts) || texts.includes(FORGED)
      ? [`its message contains internal or forged text: ${texts}`]
      : []),
    ...(JSON.stringify(job.outputs ?? []).includes(FORGED) ? ['a tag appears as a stream of the output'] : []),
    ...faultsOfText('the job', JSON.stringify(job), secrets),
    ...faultsOfText('its log', log, secrets),
    ...(/^.*\b(?:root:x:0|\/etc\/shadow)/m.test(log) ? ['the log contains a path of the host'] : []),
  ];
}

/** Every fault in the reply to a probe. */
export function checkProbe(status: number, body: unknown, secrets: SecretWords, named: string): readonly string[] {
  const text = JSON.stringify(body);
  const faults = faultsOfText('the probe', text, secrets);
  if (status === 200) return faults;
  const { detail, errors } = body as ProblemView;
  const texts = `${detail}\n${JSON.stringify(errors)}`
    .replaceAll(JSON.stringify(named).slice(1, -1), '')
    .replaceAll(named, '');
  return [
    ...faults,
    ...(status >= 500 ? [`the probe answered ${status}: ${text.slice(0, 500)}`] : []),
    ...(INTERNAL_PATH.test(texts) || texts.includes(FORGED)
      ? [`the problem contains internal or forged text: ${texts}`]
      : []),
  ];
}
