import type { Doctor, Ready } from '@telecine/client';
import type { Tone } from '../../ui/tone.ts';

type CheckStatus = Ready['checks'][string]['status'];

interface Shown {
  readonly name: string;
  readonly tone: Tone;
}

export const CHECK_STATES: Readonly<Record<CheckStatus, Shown>> = {
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
export const checkName = (name: string): string => CHECKS[name] ?? name;

/** The names of programs, which are written as they are. */
const PROGRAMS: ReadonlySet<string> = new Set(['ffmpeg', 'ffprobe', 'telecine-server']);

/** The name of a finding of `doctor` as the first word of a row: `Settings` of `settings`. */
export const findingName = (name: string): string =>
  PROGRAMS.has(name) ? name : name.charAt(0).toUpperCase() + name.slice(1);

const SEVERITY = ['bad', 'warn', 'ok'] as const;

/** The findings with those first that need something done. */
export const worstFirst = (findings: Doctor['findings']): Doctor['findings'] =>
  findings.toSorted((a, b) => SEVERITY.indexOf(a.state) - SEVERITY.indexOf(b.state));

export const failedChecks = (doctor: Doctor | undefined): number =>
  doctor?.findings.filter(({ state }) => state === 'bad').length ?? 0;
