import type { Doctor, Ready } from '@telecine/client';
import type { FindingName } from '../../../packages/contract/src/domain/finding.ts';
import type { Tone } from '../../ui/tone.ts';

type Check = Ready['checks'][string];
type CheckStatus = Check['status'];
type Finding = Doctor['findings'][number];

interface Shown {
  readonly name: string;
  readonly tone: Tone;
}

const CHECK_STATES: Readonly<Record<CheckStatus, Shown>> = {
  ok: { name: 'OK', tone: 'good' },
  paused: { name: 'Paused', tone: 'paused' },
  failed: { name: 'Fails', tone: 'bad' },
};

/**
 * The worst state that the checks report. Some checks of `doctor` concern only some jobs, so a service that fails them may still be ready.
 * `doctor`: undefined until these checks have run.
 */
export function serviceState({ status, checks }: Ready, doctor: Doctor | undefined): Shown {
  if (status !== 'ready') return { name: 'Not ready', tone: 'bad' };
  const failed = failedChecks(doctor);
  if (failed > 0) return { name: failed === 1 ? '1 check fails' : `${failed} checks fail`, tone: 'warn' };
  return Object.values(checks).some((check) => check.status === 'paused')
    ? CHECK_STATES.paused
    : { name: 'Ready', tone: 'good' };
}

/** A part of the service that readiness checks. */
interface Part {
  readonly name: string;
  /** The finding of `doctor` about the same part. Absent: it does not look at this part. */
  readonly finding?: FindingName;
  /** The finding that has the figure. A check that passes is not shown beside it. */
  readonly figureIn?: FindingName;
  /** What a check means that passes and reports nothing. */
  readonly passed?: string;
  /** Whether the check is about the running service, where the finding is about one that `doctor` would start. */
  readonly isOfService?: true;
}

/** The checks of readiness. */
export const PARTS: Readonly<Record<string, Part>> = {
  store: { name: 'Database', finding: 'store', passed: 'Replies' },
  storage: { name: 'Storage', finding: 'storage', passed: 'Replies' },
  disk: { name: 'Free space for jobs', finding: 'media root', passed: 'Enough' },
  dataDisk: { name: 'Free space in the data folder', figureIn: 'store', passed: 'Enough' },
  ffmpeg: { name: 'ffmpeg', finding: 'ffmpeg', passed: 'Runs' },
  ffprobe: { name: 'ffprobe', finding: 'ffprobe' },
  queue: { name: 'Queue', passed: 'Not paused' },
  workers: { name: 'Workers', finding: 'workers', passed: 'At least one takes jobs' },
  sandbox: { name: 'Sandbox', finding: 'sandbox', passed: 'Runs ffmpeg' },
  clock: { name: 'Clock', passed: 'As the clock of the database' },
  limits: { name: 'Limits of each job', finding: 'limits', isOfService: true },
  devices: { name: 'Graphics cards', finding: 'device' },
};

/** A check of a newer service has its own name. */
const partOf = (check: string): Part => (Object.hasOwn(PARTS, check) && PARTS[check]) || { name: check };

/** The findings of `doctor` in words. If it gets one that is missing here, there is a type error. */
const FINDING_NAMES: Readonly<Record<FindingName, string>> = {
  node: 'Node',
  settings: 'Settings',
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffprobe',
  sandbox: 'Sandbox',
  device: 'Graphics card',
  speech: 'Speech',
  limits: 'Limits of each job',
  workers: 'Workers',
  store: 'Database',
  webhooks: 'Webhooks',
  'media root': 'Media root',
  storage: 'Storage',
  bucket: 'Bucket',
};

const findingName = (name: string): string =>
  Object.hasOwn(FINDING_NAMES, name)
    ? FINDING_NAMES[name as FindingName]
    : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const FINDING_STATES: Readonly<Record<Finding['state'], Shown>> = {
  ok: { name: 'OK', tone: 'good' },
  warn: { name: 'Warning', tone: 'warn' },
  bad: { name: 'Fails', tone: 'bad' },
};

/** One line of the list of checks. */
export interface CheckRow {
  /** Differs for each row: readiness and `doctor` can report one fault in the same words. */
  readonly key: string;
  readonly name: string;
  readonly state: Shown;
  readonly text: string;
  /** What to do about it. */
  readonly fix?: string | undefined;
  /** The page of the console that says more. */
  readonly page?: '/operate/webhooks' | undefined;
}

const ORDER: readonly Tone[] = ['bad', 'warn', 'paused', 'good'];

/**
 * All checks, with those first that need something done. Both lists have checks of the same part, such as ffmpeg: a part that is fine has one
 * row, with what `doctor` found, and each fault has its own.
 */
export function checkRows(ready: Ready | undefined, doctor: Doctor | undefined): readonly CheckRow[] {
  const checks = Object.entries(ready?.checks ?? {}).map(([key, check]) => ({ key, ...check, ...partOf(key) }));
  const findings = doctor?.findings ?? [];
  const isFine = (part: string): boolean =>
    !checks.some(({ finding, status }) => finding === part && status !== 'ok') &&
    !findings.some(({ name, state }) => name === part && state !== 'ok');
  const isFound = (part: string | undefined): boolean => findings.some(({ name }) => name === part);
  return [
    ...checks
      .filter(
        ({ status, figureIn }) =>
          status !== 'ok' || !findings.some(({ name, says }) => name === figureIn && says.includes(' free')),
      )
      .filter(
        ({ status, finding, isOfService }) =>
          status !== 'ok' || !isFound(finding) || (isOfService === true && finding !== undefined && isFine(finding)),
      )
      .map(({ key, name, status, message, passed = '' }) => ({
        key: `ready ${key}`,
        name,
        state: CHECK_STATES[status],
        text: sentence(message ?? (status === 'ok' ? passed : '')),
      })),
    ...findings
      .map((finding, i) => ({ key: `doctor ${i}`, ...finding }))
      .filter(
        ({ name, state }) =>
          state !== 'ok' ||
          (isFine(name) && !checks.some(({ finding, isOfService }) => finding === name && isOfService === true)),
      )
      .map(({ key, name, state, says, fix }) => ({
        key,
        name: findingName(name),
        state: FINDING_STATES[state],
        text: sentence(says),
        fix,
        page: name === 'webhooks' ? ('/operate/webhooks' as const) : undefined,
      })),
  ].toSorted((a, b) => ORDER.indexOf(a.state.tone) - ORDER.indexOf(b.state.tone) || a.name.localeCompare(b.name));
}

/** The names of programs, which are written as they are. */
const PROGRAMS: ReadonlySet<string> = new Set(['ffmpeg', 'ffprobe']);

/** A finding as other cells of tables are written: with a capital letter, and without a full stop after a single sentence. */
const sentence = (text: string): string => {
  const isProgram = PROGRAMS.has(text.split(' ')[0] ?? '');
  const begun = isProgram ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]\s/.test(begun) ? begun.replace(/[^.!?]$/, '$&.') : begun.replace(/\.$/, '');
};

/** How many checks pass, in words: `All 11 checks pass`. */
export function passedText(rows: readonly CheckRow[]): string {
  const passed = rows.filter(({ state }) => state.tone === 'good').length;
  return passed === rows.length ? `All ${passed} checks pass` : `${passed} of ${rows.length} checks pass`;
}

export const failedChecks = (doctor: Doctor | undefined): number =>
  doctor?.findings.filter(({ state }) => state === 'bad').length ?? 0;
