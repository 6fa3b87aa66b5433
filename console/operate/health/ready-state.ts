import type { Doctor, Ready } from '@telecine/client';
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

/** The checks of readiness in words. */
const CHECKS: Readonly<Record<string, string>> = {
  store: 'Database',
  storage: 'Storage',
  disk: 'Free space for jobs',
  dataDisk: 'Free space in the data folder',
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffprobe',
  queue: 'Queue',
  workers: 'Workers',
  sandbox: 'Sandbox',
  limits: 'Limits of each job',
  devices: 'Graphics cards',
};

/** The name of a check in words: `Database` of `store`. */
const checkName = (name: string): string => CHECKS[name] ?? name;

/** The names of programs, which are written as they are. */
const PROGRAMS: ReadonlySet<string> = new Set(['ffmpeg', 'ffprobe', 'telecine-server']);

/** The name of a finding of `doctor` as the first word of a row: `Settings` of `settings`. */
const findingName = (name: string): string =>
  PROGRAMS.has(name) ? name : (CHECKS[name] ?? name.charAt(0).toUpperCase() + name.slice(1));

const FINDING_STATES: Readonly<Record<Finding['state'], Shown>> = {
  ok: { name: 'OK', tone: 'good' },
  warn: { name: 'Warning', tone: 'warn' },
  bad: { name: 'Fails', tone: 'bad' },
};

/** One line of the list of checks. */
export interface CheckRow {
  readonly name: string;
  readonly state: Shown;
  readonly text: string;
  /** What to do about it. */
  readonly fix?: string | undefined;
}

/** The name of the finding of `doctor` about the same part, by the name of a check of readiness. */
const FINDINGS_OF: Readonly<Record<string, string>> = { store: 'store', disk: 'media root', devices: 'device' };

const findingOf = (check: string): string => FINDINGS_OF[check] ?? check;

/** What a check means that passes and reports nothing. */
const PASSED: Readonly<Record<string, string>> = {
  store: 'Replies',
  storage: 'Replies',
  disk: 'Enough',
  dataDisk: 'Enough',
  ffmpeg: 'Runs',
  queue: 'Not paused',
  workers: 'At least one takes jobs',
};

/** The checks whose message is about the running service, where that of `doctor` is about one that it would start. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['limits']);

const ORDER: readonly Tone[] = ['bad', 'warn', 'paused', 'good'];

/**
 * All checks, with those first that need something done. Both lists have checks of the same part, such as ffmpeg: a part that is fine has one
 * row, with what `doctor` found, and each fault has its own.
 */
export function checkRows(ready: Ready | undefined, doctor: Doctor | undefined): readonly CheckRow[] {
  const checks = Object.entries(ready?.checks ?? {});
  const findings = doctor?.findings ?? [];
  const isFine = (part: string): boolean =>
    !checks.some(([name, { status }]) => findingOf(name) === part && status !== 'ok') &&
    !findings.some(({ name, state }) => name === part && state !== 'ok');
  const has = (part: string): boolean => findings.some(({ name }) => name === part);
  return [
    ...checks
      .filter(
        ([name, { status }]) =>
          status !== 'ok' || !has(findingOf(name)) || (OF_THE_SERVICE.has(name) && isFine(findingOf(name))),
      )
      .map(([name, { status, message }]) => ({
        name: checkName(name),
        state: CHECK_STATES[status],
        text: sentence(message ?? (status === 'ok' ? PASSED[name] : undefined) ?? ''),
      })),
    ...findings
      .filter(
        ({ name, state }) =>
          state !== 'ok' || (isFine(name) && !(OF_THE_SERVICE.has(name) && name in (ready?.checks ?? {}))),
      )
      .map(({ name, state, says, fix }) => ({
        name: findingName(name),
        state: FINDING_STATES[state],
        text: sentence(says),
        fix,
      })),
  ].toSorted((a, b) => ORDER.indexOf(a.state.tone) - ORDER.indexOf(b.state.tone) || a.name.localeCompare(b.name));
}

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
