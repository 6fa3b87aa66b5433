import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { adminLogin } from '../../../scripts/lib/api.ts';
import { probe } from '../../../scripts/lib/probe.ts';
import { samplePath } from '../../../scripts/lib/samples.ts';
import type { Service } from '../../../scripts/lib/service.ts';
import { command } from '../../../scripts/setup/command.ts';
import { contractOf, type Exchange } from '../../support/validated.ts';
import { installAudit, readAudit } from './audit.ts';
import { type Caller, callerOf } from './caller.ts';
import { type Chance, chanceOf } from './chance.ts';
import { Ledger } from './ledger.ts';
import { scratchProcesses, survivors } from './processes.ts';
import { allEnded, Traffic } from './traffic.ts';
import { filesIn, type Programs, verifyOutputs } from './verify.ts';
import { startVictim, type Victim, type Whom } from './victim.ts';
import { CLIPS, type ClipName } from './workload.ts';

export interface SoakOptions {
  /** Empty; gets the data folder and the media root. */
  readonly folder: string;
  readonly rounds: number;
  readonly seed: number;
  readonly programs: Programs;
  readonly say: (line: string) => void;
}
