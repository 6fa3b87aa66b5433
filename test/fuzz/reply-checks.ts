import type { JobView } from '../../src/wire/job.ts';
import type { ProblemView } from '../../src/wire/problem.ts';
import { FORGED } from './tags.ts';

/** Words that no reply may contain. */
export interface SecretWords {
  /** Folders of the host and the secret of the canaries. */
  readonly words: readonly string[];
}

/** Failure codes that a malformed file may cause. Any other blames the service or the machine. */
const FAIR: ReadonlySet<string> = new Set([
  'INPUT_INVALID',
  'UNSUPPORTED',
  'FFMPEG_FAILED',
  'TIMEOUT',
  'STALLED',
  'LIMIT_EXCEEDED',
]);

/** Host paths and logical names: `in/0.mp4` is the name of an input in the argv. */
const FOREIGN =
  /(?:^|[\s"'(:=])\/(?:etc|usr|tmp|in|out|proc|home|root|dev)\b|\.telecine|\b(?:in|out)\/\d+\.|\$\d|\$input/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const NONSENSE = /\b(?:undefined|NaN|\[object|null)\b/;

function faultsOfText(what: string, text: string, { words }: SecretWords): readonly string[] {
  const held = words.filter((word) => text.includes(word));
  return [
    ...held.map((word) => `${what} holds ${JSON.stringify(word)}`),
    ...(CONTROL.test(text) ? [`${what} holds a control character: ${JSON.stringify(text.slice(0, 500))}`] : []),
  ];
}

/** Every error in a finished job. `named` is the input as the client named it. */
export function checkJob(job: JobView, log: string, hidden: SecretWords, named: string): readonly string[] {
  const { status, error } = job;
  // The client's own file name may contain anything.
  const said = [error?.message, error?.fix, job.message].join('\n').replaceAll(named, '');
  return [
    ...(status === 'COMPLETED' || status === 'FAILED' ? [] : [`it ended as ${status}`]),
    ...(status === 'FAILED' && !FAIR.has(error?.code ?? '') ? [`it failed with ${JSON.stringify(error)}`] : []),
    ...(status === 'FAILED' && !error?.fix ? [`nobody says what to do: ${JSON.stringify(error)}`] : []),
    ...((job.attempt ?? 1) > 1 ? [`it was tried ${job.attempt} times`] : []),
    ...(FOREIGN.test(said) || NONSENSE.test(said) || said.includes(FORGED) ? [`its words are odd: ${said}`] : []),
    ...(JSON.stringify(job.outputs ?? []).includes(FORGED) ? ['a tag passed for a stream of the output'] : []),
    ...faultsOfText('the job', JSON.stringify(job), hidden),
    ...faultsOfText('its log', log, hidden),
    ...(/^.*\b(?:root:x:0|\/etc\/shadow)/m.test(log) ? ['its log holds a path that a tag words'] : []),
  ];
}

/** Every error in the reply to a probe. */
export function checkProbe(status: number, body: unknown, hidden: SecretWords, named: string): readonly string[] {
  const text = JSON.stringify(body);
  const faults = faultsOfText('the probe', text, hidden);
  if (status === 200) return faults;
  const { detail, errors } = body as ProblemView;
  const said = `${detail}\n${JSON.stringify(errors)}`
    .replaceAll(JSON.stringify(named).slice(1, -1), '')
    .replaceAll(named, '');
  return [
    ...faults,
    ...(status >= 500 ? [`the probe answered ${status}: ${text.slice(0, 500)}`] : []),
    ...(FOREIGN.test(said) || said.includes(FORGED) ? [`the probe's words are odd: ${said}`] : []),
  ];
}
